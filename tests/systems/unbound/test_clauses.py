"""Unbound initiative, clause by clause."""

from __future__ import annotations

from tests.systems.unbound.fights import table
from tui.core.rules.on_screen import on_screen

# --- surprise


def test_unb_14_who_could_sneak_up_on_whom_is_listed_with_the_number() -> None:
    t = table()
    found = on_screen(t.store.system).choices(t.encounter, "surprise")
    assert [(x.line, x.note) for x in found] == [
        ("surprise foes by=crew", "11 or more notices them"),
        ("surprise crew by=foes", "10 or more notices them"),
    ]
    t.do(found[0].line)
    t.do("surprised none", 'turn "Raider 1"')
    assert on_screen(t.store.system).choices(t.encounter, "surprise") == ()
