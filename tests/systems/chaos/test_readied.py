"""Reactions, readied actions and who is aimed at (CHA-9 to CHA-11, CHA-19 to CHA-22)."""

from __future__ import annotations

from tests.systems.chaos.fights import turns
from tui.core.rules.on_screen import on_screen


def test_choices_list_what_the_verbs_could_mean() -> None:
    t = turns('order Ana action="attack or else Dodge" ready=shoot')
    t.do("next")
    found = on_screen(t.store.system).choices(t.encounter, "else")
    assert [(x.line, x.note) for x in found] == [("else Ana action", "Dodge")]
    t.do(found[0].line, "next")
    assert on_screen(t.store.system).choices(t.encounter, "else") == ()
    assert [x.line for x in on_screen(t.store.system).choices(t.encounter, "fire")] == ["fire Ana"]
    assert on_screen(t.store.system).choices(t.encounter, "hold") == ()
    t.do("end")
    assert on_screen(t.store.system).choices(t.encounter, "target") == ()
