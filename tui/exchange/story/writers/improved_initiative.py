"""Improved Initiative: a saved encounter, so that a fight can move on to that tracker."""

from __future__ import annotations

from typing import Any

import msgspec

from tui.core.fight.combatant import Combatant, Condition, is_pc
from tui.core.fight.encounter import SIDE, Encounter, key_of
from tui.core.rules.system import InitiativeSystem
from tui.exchange.story.writing import Fight, StoryFormat

VERSION = "1.0.0"
"""Of the tracker's own files: those written since 2017 are read alike."""

ABILITIES = ("Str", "Dex", "Con", "Int", "Wis", "Cha")
LISTS = (
    "Speed", "DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities", "Saves",
    "Skills", "Senses", "Languages", "Traits", "Actions", "Reactions", "LegendaryActions",
)  # fmt: skip


def write(fight: Fight) -> str:
    """The encounter as it stands: who is here, hurt and afflicted, in the order of the track."""
    e = fight.encounter
    numbers = _numbers(e, fight.system)
    here = [c for c in e.combatants.values() if not c.out]
    plain = {
        "Id": "tocsin", "Name": fight.story.save, "Path": "", "Version": VERSION,
        "ActiveCombatantId": e.turn.members[0] if e.turn else None, "RoundCounter": e.round,
        "Combatants": [_combatant(c, numbers.get(c.id, 0)) for c in here],
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(plain), indent=1).decode() + "\n"


def _numbers(e: Encounter, system: InitiativeSystem) -> dict[str, int]:
    """The initiative of every creature: as thrown where higher ones go first, else counted down from the first."""
    rows = system.rows(e) if e.running else ()
    values = [row.value for row in rows]
    # The tracker sorts from the highest down, whatever the system here does.
    falling = any(values) and values == sorted(values, reverse=True)
    shown = values if falling else list(range(len(rows), 0, -1))
    return {k: n for row, n in zip(rows, shown, strict=True) for k in row.members}


def _combatant(c: Combatant, initiative: int) -> dict[str, Any]:
    most = c.max_hp if c.max_hp is not None else c.hp
    return {
        "Id": c.id, "StatBlock": _block(c, most), "MaxHP": most or 1, "CurrentHP": c.hp if c.hp is not None else most or 1,
        "TemporaryHP": c.temp_hp, "Initiative": initiative, "Alias": c.name, "IndexLabel": 0,
        "InitiativeGroup": key_of(c).removeprefix(SIDE) if c.group else None,
        "Tags": [_tag(c, x) for x in c.conditions], "Hidden": c.hidden, "RevealedAC": False,
        "CurrentNotes": c.note, "InterfaceVersion": VERSION, "ImageURL": "",
    }  # fmt: skip


def _block(c: Combatant, most: int | None) -> dict[str, Any]:
    return {
        "Id": c.id, "Name": c.name, "Path": "", "Source": "", "Type": c.side, "Version": VERSION, "ImageURL": "",
        "HP": {"Value": most or 1, "Notes": ""}, "AC": {"Value": c.ac if c.ac is not None else 10, "Notes": ""},
        "InitiativeModifier": 0, "InitiativeAdvantage": False,
        "Abilities": dict.fromkeys(ABILITIES, 10), **{key: [] for key in LISTS}, "Challenge": "",
        "Description": c.card, "Player": (c.owner or "player") if is_pc(c) else "",
    }  # fmt: skip


def _tag(c: Combatant, x: Condition) -> dict[str, Any]:
    timing = "StartOfTurn" if x.until == "start" else "EndOfTurn"
    left = x.rounds if x.until else -1
    return {
        "Text": x.name, "DurationRemaining": left, "DurationTiming": timing,
        "DurationCombatantId": c.id if not x.of.startswith("c") else x.of, "Hidden": x.hidden,
    }  # fmt: skip


IMPROVED_INITIATIVE = StoryFormat(
    "improved-initiative", "an encounter of that tracker, as the fight stands", write, whole=True
)
