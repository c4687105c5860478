"""Fantasy Statblocks for Obsidian: a bestiary note's YAML, a `statblock` block, or its bestiary as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tui.exchange import pathfinder_note
from tui.exchange.foreign_values import (
    bonus,
    dice,
    has,
    modifier,
    passive,
    plain,
    saves,
    size,
    some,
    spelt_saves,
    tables,
    text,
    whole,
)
from tui.exchange.mapping import To, at, card, flat, take, withstood
from tui.exchange.printed_card import (
    SCORES,
    CardPage,
    armour,
    bonuses,
    challenge,
    feature,
    kind,
    names,
    points,
    speeds,
    written,
)
from tui.exchange.registry import Entries, Format


def _within(path: str, *names: str) -> Any:
    """Return a reader of a number in a list of one-key tables, `- perception: 3`."""

    def read(entry: Any) -> int | None:
        given = at(entry, path)
        if isinstance(given, str):
            return next((n for n in (bonus(name, given) for name in names) if n is not None), None)
        for row in tables(given):
            for key, value in row.items():
                if key.lower() in names:
                    return whole(value)
        return None

    return read


def _score(place: int, read: Callable[[Any], int | None]) -> Any:
    """Return a reader of one of the six scores, in the order of SCORES."""
    return lambda value: read(value[place]) if isinstance(value, list) and len(value) == 6 else None


def _saves(value: Any) -> str | None:
    return spelt_saves(value) or saves({k: v for row in tables(value) for k, v in row.items()})


TABLE = (
    To("source", "source", text),
    To("source", "source.0", text),
    To("hp", "hp"),
    To("hp_dice", "hit_dice", dice),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "modifier"),
    To("initiative", "initiative"),
    To("initiative", "stats", _score(1, modifier)),
    To("per", "", _within("skillsaves", "perception")),
    To("per", "perception"),
    To("per", "stats", _score(4, modifier)),
    To("int", "stats", _score(3, whole)),
    To("size", "size", size),
    To("stealth", "", _within("skillsaves", "stealth")),
    To("stealth", "stats", _score(1, modifier)),
    To("passive", "senses", passive),
    To("con", "", _within("saves", "constitution", "con")),
    To("con", "stats", _score(2, modifier)),
    *withstood("damage_resistances", "damage_vulnerabilities", "damage_immunities"),
    To("saves", "saves", _saves),
)

NOISE = (
    "layout",
    "statblock",
    "image",
    "dice",
    "columns",
    "forceColumns",
    "forcecolumns",
    "columnWidth",
    "path",
    "note",
    "bestiary",
)


_PAGE = (
    "size", "type", "subtype", "alignment", "cr", "ac", "ac_class", "hp", "hit_dice", "speed", "stats",
    "saves",
    "skillsaves", "damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities",
    "senses", "languages", "source", "modifier", "spells",
)  # fmt: skip


def _page(row: dict[str, Any]) -> str:
    """Return the card of a block of 5th edition; blocks of other games have fields of their own."""
    rest = {k: v for k, v in row.items() if k not in _PAGE}
    scores = row["stats"]
    spells = row.get("spells")
    return written(
        CardPage(
            kind=kind(*(row.get(k) for k in ("size", "type", "subtype", "alignment"))),
            challenge=challenge(row.get("cr")),
            ac=armour(row.get("ac"), row.get("ac_class")),
            hp=points(row.get("hp"), row.get("hit_dice")),
            speed=speeds(row.get("speed")),
            scores={name: whole(score) for name, score in zip(SCORES, scores, strict=True)},
            saves=_trained(row.get("saves")),
            skills=_trained(row.get("skillsaves")),
            vulnerable=names(row.get("damage_vulnerabilities")),
            resists=names(row.get("damage_resistances")),
            immune=names(row.get("damage_immunities")),
            conditions=names(row.get("condition_immunities")),
            senses=names(row.get("senses")),
            languages=names(row.get("languages")),
            sections=[("Spells", list(_spells(spells)))],
            rest=card(rest, noise=NOISE),
        )
    )


def _trained(value: Any) -> str:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list) and not tables(value):
        return ", ".join(str(x) for x in value if x is not None)
    named = {str(k): v for row in tables(value) for k, v in row.items()}
    if isinstance(named.get("name"), str):
        # `- name: Perception`, `  desc: +3` is another way to write it.
        return ", ".join(f"{row.get('name')} {row.get('desc') or ''}".strip() for row in tables(value))
    return bonuses({k.title(): whole(v) for k, v in named.items()})


def _spells(value: Any) -> Iterator[str]:
    """Yield the description of spellcasting, then the spells of each level."""
    for one in value if isinstance(value, list) else [value]:
        if has(one, "name"):
            yield feature(plain(str(one["name"])), " ".join(flat(one.get("desc"))))
            continue
        for level, spells in one.items() if isinstance(one, dict) else ():
            yield f"{level}: {names(spells)}"
        if isinstance(one, str) and one:
            yield plain(one)


def _fits(value: Any) -> bool:
    rows = tables(value)
    known = any(
        has(r, "statblock") or has(r, "stats") or has(r, "layout") or has(r, "hit_dice") for r in rows[:50]
    )
    named = some(rows, "name", "hp") or some(rows, "name", "ac") or some(rows, "name", "stats")
    if some(rows, "monster", "name") or some(rows, "extends", "name"):
        return True
    # A note that says all three is a creature's, whatever else it leaves out.
    return (named and known) or some(rows, "name", "hp", "ac")


def _take(value: Any) -> Entries:
    for row in tables(value):
        base = str(row.get("monster") or row.get("creature") or row.get("extends") or "").lower()
        name = str(row.get("name") or row.get("monster") or row.get("creature") or "")
        if base == name.lower():
            base = ""
        if base or any(k in row for k in ("hp", "ac", "stats")):
            kept = {k: v for k, v in row.items() if k not in ("name", "monster", "creature", "extends")}
            stats, table, page = row.get("stats"), TABLE, None
            if pathfinder_note.fits(row):
                table, page = pathfinder_note.TABLE, pathfinder_note.page(kept, NOISE)
            elif isinstance(stats, list) and len(stats) == len(SCORES):
                page = _page(kept)
            if taken := take(kept, table, name=name, noise=NOISE, text=page, key=name.lower(), like=base):
                yield taken


FANTASY_STATBLOCKS = Format("Fantasy Statblocks", ("yaml", "json"), _fits, _take, rank=7)
