"""Improved Initiative: a saved encounter, which the tracker can upload to continue the fight there."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tui.core.fight.combatant import Combatant, Condition, is_pc
from tui.core.fight.encounter import SIDE, Encounter, key_of
from tui.core.rules.system import InitiativeSystem
from tui.exchange.foreign_values import whole
from tui.exchange.story.story import Fight, StoryFormat

VERSION = "1.0.0"
"""The version of the tracker that the file names; it reads all files written since 2017 alike."""

ABILITIES = ("Str", "Dex", "Con", "Int", "Wis", "Cha")
LISTS = (
    "Speed", "DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities", "Saves",
    "Skills", "Senses", "Languages", "Traits", "Actions", "Reactions", "LegendaryActions",
)  # fmt: skip


def write(fight: Fight) -> str:
    """Return the current encounter as an upload of Improved Initiative, in the order of the track.

    The tracker reads a saved encounter at `SavedEncounters.ID`, and takes the id from the end of that key.
    """
    e = fight.encounter
    numbers = _initiative_numbers(e, fight.system)
    present = [c for c in e.combatants.values() if not c.out]
    id_ = re.sub(r"[^A-Za-z0-9_-]+", "-", fight.story.save) or "tocsin"
    plain = {
        "Id": id_,
        "Name": fight.story.save,
        "Path": "",
        "Version": VERSION,
        "ActiveCombatantId": next(iter(e.actors), None),
        "RoundCounter": e.round,
        "Combatants": [_plain_combatant(c, numbers.get(c.id, 0), fight.system) for c in present],
    }
    upload = {"SavedEncounters": [id_], f"SavedEncounters.{id_}": plain}
    return msgspec.json.format(msgspec.json.encode(upload), indent=1).decode() + "\n"


def _initiative_numbers(e: Encounter, system: InitiativeSystem) -> dict[str, int]:
    """Return each creature's initiative: the rows' numbers if they fall, else numbers down to 1."""
    rows = system.rows(e) if e.running else ()
    values = [row.value for row in rows]
    # The tracker sorts from the highest down, whatever the system here does.
    falling = any(values) and values == sorted(values, reverse=True)
    shown = values if falling else list(range(len(rows), 0, -1))
    return {k: n for row, n in zip(rows, shown, strict=True) for k in row.members}


def _plain_combatant(c: Combatant, initiative: int, system: InitiativeSystem) -> dict[str, Any]:
    most = c.max_hp if c.max_hp is not None else c.hp
    return {
        "Id": c.id,
        "StatBlock": _plain_block(c, most, system),
        "MaxHP": most or 1,
        "CurrentHP": c.hp if c.hp is not None else most or 1,
        "TemporaryHP": c.temp_hp,
        "Initiative": initiative,
        "Alias": c.name,
        "IndexLabel": 0,
        "InitiativeGroup": key_of(c).removeprefix(SIDE) if c.group else None,
        "Tags": [_plain_tag(c, x) for x in c.conditions],
        "Hidden": c.hidden,
        "RevealedAC": False,
        "CurrentNotes": c.note,
        "InterfaceVersion": VERSION,
        "ImageURL": "",
    }


def _plain_block(c: Combatant, most: int | None, system: InitiativeSystem) -> dict[str, Any]:
    return {
        "Id": c.id,
        "Name": c.name,
        "Path": "",
        "Source": "",
        "Type": c.side,
        "Version": VERSION,
        "ImageURL": "",
        "HP": {"Value": most or 1, "Notes": ""},
        "AC": {"Value": c.ac if c.ac is not None else 10, "Notes": ""},
        # There it comes on top of Dexterity, which is 10 here.
        "InitiativeModifier": whole(c.fields.get(system.modifier)) or 0,
        "InitiativeAdvantage": c.word("adv") == "adv",
        "Abilities": dict.fromkeys(ABILITIES, 10),
        **{key: [] for key in LISTS},
        "Challenge": "",
        "DamageResistances": _split_kinds(c.resist),
        "DamageVulnerabilities": _split_kinds(c.vulnerable),
        "DamageImmunities": _split_kinds(c.immune),
        "Description": c.card,
        "Player": (c.owner or "player") if is_pc(c) else "",
    }


def _split_kinds(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _plain_tag(c: Combatant, x: Condition) -> dict[str, Any]:
    timing = "StartOfTurn" if x.until == "start" else "EndOfTurn"
    rounds = x.rounds if x.until else -1
    return {
        "Text": x.name,
        "DurationRemaining": rounds,
        "DurationTiming": timing,
        "DurationCombatantId": c.id if not x.of.startswith("c") else x.of,
        "Hidden": x.hidden,
    }


IMPROVED_INITIATIVE = StoryFormat(
    "improved-initiative", "the fight as it is now, for that tracker", write, whole=True
)
