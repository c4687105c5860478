"""What a viewer is told of the moment: one Now line everywhere, and the choices that are the viewer's own."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.fight.viewer import viewer_of
from tui.core.views.table_for import say_now


@pytest.mark.parametrize("hidden", ["", "hidden=yes"])
def test_the_now_line_is_the_one_of_the_state(hidden: str) -> None:
    t = Table("classic")
    t.do("add Ana owner=Lia hp=9", f"add 2 Orc {hidden}", "begin")
    t.do("roll", dice=[5, 9, 3])
    line = say_now(t.encounter, t.store.system)
    assert line
    assert line == t.state(None)["now"].replace("`", "")
    assert all(t.state(viewer)["now"] for viewer in ("Lia", "Mia", ""))


def test_dis_29_a_choice_is_told_to_whose_it_is_and_to_the_game_master() -> None:
    t = Table("dynamic", {"dis.resize": "ask"})
    t.do("add Sela kind=pc owner=Lia", "add Oren kind=pc owner=Mia", "begin", "set Sela bonus=1,1")
    t.do("order Sela weapon=1d8 move=yes", "order Oren move=yes")
    seen = {v: [d["who"] for d in t.state(v)["due"] if d["kind"] == "pick"] for v in (None, "Lia", "Mia")}
    assert seen == {None: ["Sela"], "Lia": ["Sela"], "Mia": []}


def told_to(t: Table, viewer: str) -> str:
    """All that a viewer reads in the state and in the log."""
    found = [str(t.state(viewer))]
    found += [text for moment in t.store.heard(viewer_of(viewer), 60) for text in moment.text]
    return "\n".join(found)


def test_a_players_words_are_the_players_whatever_names_stand_in_them() -> None:
    t = Table("chaos")
    t.do(
        "add Ana owner=Mia",
        "add Bo owner=Jon",
        "add Lurk hidden=yes",
        "add Gruumsh side=dark",
        "add Orc side=dark",
    )
    t.do("alias Gruumsh Chief", "begin")
    t.do('order Ana action="strike the Lurk" reaction="Gruumsh near => kick the Lurk"')
    t.do('order Orc action="guard the Lurk"', "lock missing=empty")
    order = {"action": "strike the Lurk", "reaction": "Gruumsh near => kick the Lurk"}
    assert [o["text"] for o in t.state("Mia")["orders"]] == [order]
    assert [o["text"] for o in t.state("Jon")["orders"]] in ([], [{}])
    t.do("roll Ana 20", "roll Bo 2", "roll Lurk 3", "roll Gruumsh 5", "roll Orc 1")
    assert any("kick the Lurk" in line for due in t.state("Mia")["due"] for line in due.get("lines", ()))
    t.do("ok", "next", "react Ana with kick")
    for viewer in ("Mia", "Jon", ""):
        told = told_to(t, viewer)
        assert "strike the Lurk" in t.state(viewer)["now"]
        assert "Ana acts: action strike the Lurk; reaction Gruumsh near => kick the Lurk" in told
        assert "Ana reacts: Gruumsh near => kick the Lurk" in told
        assert "guard the" not in told
    while t.state()["acting"] != "Orc":
        t.do("next")
    assert "guard the Lurk" not in told_to(t, "Mia"), (
        "what the GM wrote for its own creature names what is hidden"
    )


def test_of_a_foe_players_are_told_no_more_than_this() -> None:
    """A new value of a creature is read by players only if it is put on this list."""
    t = Table("classic")
    t.do("add Ana owner=Mia hp=9", 'add Orc hp=20 ac=13 resist=fire saves="dex+2" attacks="Bite +4 1d6"')
    t.do("begin", "damage Orc 3", "condition Orc prone", "count Orc Rage 2 max=2")
    orc = next(c for c in t.state("Mia")["combatants"] if c["name"] == "Orc")
    empty = {"note": "", "card": "", "counters": [], "owner": "", "alias": "", "group": ""}
    shown = {"id", "name", "side", "out", "hidden", "arrives", "dead", "conditions", "marks", "health"}
    assert orc.keys() == shown | empty.keys()
    assert {key: orc[key] for key in empty} == empty
