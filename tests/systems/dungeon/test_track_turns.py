"""The initiative track, clause by clause: newcomers, commanders, variable initiative."""

from __future__ import annotations

from tests.kit.table import who
from tests.systems.dungeon.fights import values
from tests.systems.dungeon.tracks import second
from tui.core.fight.encounter import label
from tui.core.rules.on_screen import on_screen
from tui.core.views.lineup import lineup

# --- variable initiative


def test_trk_23_variable_initiative_is_off_until_it_is_chosen() -> None:
    t = second("set Ana hp=5", "hit Ana 2")
    assert (values(t)["Ana"], who(t, "Ana")["hp"], who(t, "Ana")["marks"]) == (9, 3, {})
    assert t.refuse("hit Ana", "trk.variable=true").rule == "TRK-23"
    t.do("kill Rat by=Bo")
    assert values(t)["Bo"] == 10
    t.do("option trk.variable=true", "hit Ana")
    assert values(t)["Ana"] == 8


def test_trk_19_who_is_dying_is_not_among_those_whom_the_key_takes_out() -> None:
    t = second("set Ana hp=5", "damage Ana 5", "set Rat hp=3", "damage Rat 3", trk__variable=True)
    kills = [c.line for c in on_screen(t.store.system).choices(t.encounter, "kill")]
    assert kills == ["kill Ana,Rat by=Bo", "kill Ana,Rat"]
    t.do("option zero.pc=dying")
    assert t.encounter.combatants["c1"].dying
    kills = [c.line for c in on_screen(t.store.system).choices(t.encounter, "kill")]
    assert kills == ["kill Rat by=Bo", "kill Rat"]


def test_trk_13_who_has_a_number_keeps_it_in_sight_while_newcomers_are_rolled_for() -> None:
    t = second("add Owl per=9 distance=1", "add Imp per=2", "place Owl Imp vs Ana")
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Owl"]
    spots = {label(t.encounter, x.row.entry): x for x in lineup(t.encounter, t.store.system).spots}
    assert (spots["Ana"].place, spots["Ana"].row.value, spots["Ana"].is_owed) == (2, 9, False)
    assert (spots["Owl"].place, spots["Owl"].is_owed) == (0, True)
    assert (spots["Imp"].place, spots["Imp"].is_owed) == (0, False)
