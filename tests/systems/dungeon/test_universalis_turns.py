"""Dungeon Universalis, clause by clause: newcomers, turns of both sides, calm, companions, secrecy."""

from __future__ import annotations

from tests.systems.dungeon.meetings import crypt
from tui.core.rules.on_screen import on_screen

# --- who may see what


def test_choices_list_the_lines_of_a_word() -> None:
    t = crypt()
    lines = {
        v: [c.line for c in on_screen(t.store.system).choices(t.encounter, v)]
        for v in ("meet", "place", "moved", "calm")
    }
    assert lines == {
        "meet": ["meet Ana", "meet Bo"],
        "place": ['place "Orc 1"', 'place "Orc 2"', 'place "Orc 3"'],
        "moved": [],
        "calm": [],
    }
    t.do("set @dark distance=1", 'meet Ana vs "Orc 1"', "roll Ana 6 5", 'roll "Orc 1" 1 2')
    assert [c.line for c in on_screen(t.store.system).choices(t.encounter, "moved")] == [
        'moved "Orc 1" "Orc 2" "Orc 3"',
        *(f'moved "Orc {i}"' for i in (1, 2, 3)),
    ]
    assert on_screen(t.store.system).choices(t.encounter, "meet") == ()


def test_dun_20_all_who_were_caught_are_moved_in_one_line() -> None:
    t = crypt("set @dark distance=1", 'meet Ana vs "Orc 1"', "roll Ana 6 5", 'roll "Orc 1" 1 2')
    t.do(on_screen(t.store.system).choices(t.encounter, "moved")[0].line)
    assert "may be moved" not in t.state()["now"]
    assert on_screen(t.store.system).choices(t.encounter, "moved") == ()
