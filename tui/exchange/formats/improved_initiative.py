"""Improved Initiative: stat blocks, saved encounters, and the full export, whose entries are JSON texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tui.core.fight.combatant import FightState
from tui.exchange.foreign_values import (
    add,
    decode_json_text,
    dice,
    has,
    list_tables,
    modifier,
    passive,
    rating,
    size,
    text,
    walk_tables,
    whole,
    write_saves,
)
from tui.exchange.limits import append_limit
from tui.exchange.mapping import To, at, by_defences, read_standing, take, write_condition
from tui.exchange.registry import Entries, Format


def _make_modifier_reader(path: str, *names: str) -> Any:
    """Return a reader of the modifier of one of these names in a list of names with modifiers."""

    def read(entry: Any) -> int | None:
        for row in list_tables(at(entry, path)):
            if str(row.get("Name", "")).strip().lower() in names:
                return whole(row.get("Modifier"))
        return None

    return read


def _read_initiative(entry: Any) -> int | None:
    """Return the total modifier, else that of Dexterity plus the creature's own, as the tracker does."""
    total = whole(entry.get("TotalInitiativeModifier"))
    return (
        total
        if total is not None
        else add(modifier(at(entry, "Abilities.Dex")), whole(entry.get("InitiativeModifier", 0)))
    )


def _read_saves(value: Any) -> str | None:
    return write_saves({str(row.get("Name")): row.get("Modifier") for row in list_tables(value)})


def _read_kind(value: Any) -> str | None:
    return "pc" if value == "player" else None


def _read_level(entry: Any) -> int | None:
    """Return the level of a player's character, which the tracker keeps as its challenge."""
    return whole(entry.get("Challenge")) if entry.get("Player") == "player" else None


TABLE = (
    To("source", "Source", text),
    To("hp", "HP.Value"),
    To("hp_dice", "HP.Notes", dice),
    To("ac", "AC.Value"),
    To("initiative", "", _read_initiative),
    To("per", "", _make_modifier_reader("Skills", "perception")),
    To("per", "Abilities.Wis", modifier),
    To("int", "Abilities.Int"),
    To("size", "Type", size),
    To("stealth", "", _make_modifier_reader("Skills", "stealth")),
    To("stealth", "Abilities.Dex", modifier),
    To("passive", "Senses", passive),
    To("con", "", _make_modifier_reader("Saves", "con", "constitution")),
    To("con", "Abilities.Con", modifier),
    To("kind", "Player", _read_kind),
    *by_defences("DamageResistances", "DamageVulnerabilities", "DamageImmunities"),
    To("saves", "Saves", _read_saves),
    To("level", "", _read_level),
    To("cr", "Challenge", rating),
)

NOISE = (
    "Id", "Name", "InitiativeModifier", "TotalInitiativeModifier", "InitiativeAdvantage", "Player", "Source",
    "Path", "Version", "ImageURL", "LastUpdateMs", "InitiativeSpecialRoll",
)  # fmt: skip


def _is_block(value: Any) -> bool:
    return has(value, "Name", "HP") and has(value["HP"], "Value")


def _decode_export(value: Any) -> Any:
    """Return the export with its JSON texts decoded."""
    if not isinstance(value, dict):
        return value
    return {
        k: decode_json_text(v) if isinstance(v, str) and v[:1] in "{[" and v[:1] else v
        for k, v in value.items()
    }


def _list_blocks(value: Any) -> Iterator[dict[str, Any]]:
    return (x for x in walk_tables(_decode_export(value)) if _is_block(x))


def _rewrite_entry(block: dict[str, Any]) -> dict[str, Any]:
    """Return a stat block with the limits of its features in their names."""
    return {k: [_rewrite_feature(x) for x in v] if isinstance(v, list) else v for k, v in block.items()}


def _rewrite_feature(row: Any) -> Any:
    """Return a feature with its `Usage` in brackets after its name."""
    if not has(row, "Name", "Usage") or not isinstance(row["Usage"], str):
        return row
    kept = {k: v for k, v in row.items() if k != "Usage"}
    return {**kept, "Name": append_limit(row["Name"], row["Usage"].strip(" ()"))}


def _take(value: Any) -> Entries:
    for block in _list_blocks(value):
        if creature := take(_rewrite_entry(block), TABLE, name=block["Name"], noise=NOISE):
            yield creature


def _list_fighters(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the combatants of saved encounters, which have current hit points and tags."""
    return (
        x
        for x in walk_tables(_decode_export(value))
        if has(x, "StatBlock", "CurrentHP") and _is_block(x["StatBlock"])
    )


def _take_fighters(value: Any) -> Entries:
    fighters = list(_list_fighters(value))
    names = [str(x.get("Alias") or x["StatBlock"]["Name"]) for x in fighters]
    for x, name in zip(fighters, names, strict=True):
        label = whole(x.get("IndexLabel")) if not x.get("Alias") and names.count(name) > 1 else None
        title = f"{name} {label}" if label else name
        if creature := take(_rewrite_entry(x["StatBlock"]), TABLE, name=title, noise=NOISE):
            yield replace(creature, fight_state=_read_state(x, creature.block.hp))


def _read_state(x: dict[str, Any], most: int | None) -> FightState:
    tags = [
        write_condition(
            tag.get("Text"),
            tag.get("DurationRemaining"),
            "start" if tag.get("DurationTiming") == "StartOfTurn" else "end",
        )
        for tag in list_tables(x.get("Tags"))
    ]
    now, extra, note = x.get("CurrentHP"), x.get("TemporaryHP"), x.get("CurrentNotes")
    state = read_standing(most, now, extra, hidden=x.get("Hidden"), note=note, conditions=tags)
    return state or FightState({})


IMPROVED_INITIATIVE_FIGHT = Format(
    "Improved Initiative", ("json",), lambda value: any(_list_fighters(value)), _take_fighters, rank=4
)


IMPROVED_INITIATIVE = Format("Improved Initiative", ("json",), lambda value: any(_list_blocks(value)), _take)
