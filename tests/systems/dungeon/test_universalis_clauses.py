"""Dungeon Universalis, clause by clause: the opposed roll, surprise, and whose turn it is."""

from __future__ import annotations

import pytest

from tests.systems.dungeon.meetings import crypt

# --- meetings


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("meet", "no creature is named"),
        ("meet Ana vs Bo", "no enemy"),
        ("meet Ana with=Bo", "no enemy"),
        ("meet Ana vs @dark", "one of them"),
        ("meet Ana distance=Bo", "no distance"),
        ("meet Ana distance=Bo:far", "whole number"),
        ("meet Ana Bo", "one name"),
        ("meet Ana vs", "vs takes one name"),
        ("meet Ana door=open", "door= is broken"),
        ("meet Ana window=broken", "no key window"),
        ("meet Nobody", "no combatant"),
        ("place Ana", "no enemy"),
        ("place", "no creature is named"),
        ('place "Orc 1" vs "Orc 2"', "not a hero"),
        ("place @dark door=broken", "no key door"),
        ("calm", "no combat"),
        ("calm now", "no words"),
        ("moved Ana", "not caught"),
        ("moved Ana vs Bo", "only names"),
        ("hold Ana", "DUN-24"),
        ("act Ana", "DUN-24"),
        ("pass", "nobody can pass"),
        ("lock", "no orders"),
        ("hit Ana", "belongs to dungeon-track"),
        ("hit Ana", "here it is `damage who n`"),
        ("kill Ana", "here it is `out who`"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(line: str, says: str) -> None:
    crypt().refuse(line, says)
