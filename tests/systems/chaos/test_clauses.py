"""Chaos Initiative, clause by clause: the round from the first form to the last slot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.systems.chaos.fights import again, board, fields, fight, kinds, marks, owes, said, states, turns
from tests.systems.examples import examples
from tests.table import Table, order_of, row
from tui.systems.chaos.system import Chaos


def test_cha_1_everybody_owes_an_order_each_round_and_the_list_shows_who() -> None:
    t = fight()
    assert t.state()["phase"] == "orders"
    assert owes(t) == ["Ana", "Bo", "Orc"]
    t.do("order Bo action=wait")
    assert owes(t) == ["Ana", "Orc"]
    assert states(t) == {"Ana": "owed", "Bo": "written", "Orc": "owed"}
    assert t.refuse("lock", "Ana", "Orc").rule == "CHA-1"
    t.refuse("next", "Ana, Orc")
    again(t := turns())
    assert t.encounter.round == 2
    t.do("next", "next", "next", "next")
    assert (t.encounter.round, owes(t), kinds(t)[-1]) == (3, ["Ana", "Bo", "Orc"], "lock")


def test_cha_1_last_rounds_order_is_the_default_and_can_be_repeated() -> None:
    t = turns('order Ana movement="30 feet" action="attack or else Dodge"')
    t.do("next", "next", "next", "next")
    assert fields(t, "Ana")["movement"] == "30 feet"
    assert fields(t, "Orc")["movement"] == ""
    t.do("order Ana action=Dodge", "order Ana again=yes movement=back", "order Orc again=yes")
    written = order_of(t, "Ana")
    assert written is not None
    assert written["text"] == {"movement": "back", "action": "attack or else Dodge"}
    t.do("add Wolf")
    assert t.refuse("order Wolf again=yes", "last round").rule == "CHA-1"


def test_cha_2_no_die_falls_before_the_lock_and_no_order_changes_after_the_first_die() -> None:
    t = fight("order Ana action=wait", "order Bo", "order Orc")
    t.refuse("roll", "no roll is due")
    t.do("lock")
    assert t.state()["phase"] == "rolls"
    assert "The orders are locked (CHA-2)" in said(t)
    assert t.refuse("order Ana action=run", "locked", "unlock").rule == "CHA-2"
    assert t.refuse("lock", "locked").rule == "CHA-2"
    t.do("unlock", "order Ana action=run", "lock", "roll Orc 5")
    assert t.refuse("unlock", "are rolled").rule == "CHA-2"
    assert t.refuse("order Ana action=wait", "next round").rule == "CHA-2"


def test_cha_2_open_orders_need_no_unlock() -> None:
    assert fight().refuse("unlock", "the orders are open").rule == "CHA-2"


def test_cha_3_five_components_and_an_empty_order_warns() -> None:
    t = fight(
        'order Ana movement=a action=b bonus=c object=d reaction="e => f"', "order Bo", 'order Orc action=""'
    )
    written, empty = order_of(t, "Ana"), order_of(t, "Bo")
    assert written is not None
    assert empty is not None
    assert list(written["text"]) == ["movement", "action", "bonus", "object", "reaction"]
    assert written["warnings"] == []
    assert (empty["text"], empty["warnings"]) == ({}, ["nothing is ordered"])
    assert t.refuse("order Ana dance=yes", "dance").rule == "CHA-3"
    assert t.refuse("order Ana maintain=perhaps", "true or false").rule == "CHA-3"


def test_cha_6_the_alternative_is_used_in_the_own_slot_and_once() -> None:
    t = turns('order Ana action="attack the orc or else Dodge" movement="west"')
    assert t.refuse("else Ana action", "not being resolved").rule == "CHA-6"
    t.do("next")
    assert "`else Ana action`" in t.state()["now"]
    assert t.refuse("else Ana movement", "no alternative").rule == "CHA-5"
    t.do("else Ana action")
    assert said(t) == ["Ana cannot do that: Dodge instead (CHA-6)"]
    assert "impossible?" not in t.state()["now"]
    assert t.refuse("else Ana action", "already").rule == "CHA-5"
    t.refuse("else Ana", "component")
    t.refuse("else Ana reaction", "component")
    t.do("next")
    assert t.refuse("else Ana action", "own slot").rule == "CHA-6"


def test_cha_7_one_reaction_a_round_of_two_written_ones() -> None:
    t = turns('order Ana reaction="hit => Shield" reaction2="enemy casts => Counterspell"')
    t.do("next", "react Ana with Shield")
    assert marks(t, "Ana") == {"reaction"}
    assert said(t) == ["Ana reacts: hit => Shield"]
    assert t.refuse("react Ana", "already spent").rule == "CHA-7"
    again(t)
    assert marks(t, "Ana") == set()
    t.do("react Ana")


def test_cha_13_and_cha_a11_nothing_of_the_old_order_counts() -> None:
    t = turns()
    t.do("move Orc before Ana")
    assert t.order() == ["Orc", "Ana", "Bo"]
    again(t, dice=(1, 2, 3))
    assert t.order() == ["Orc", "Bo", "Ana"]
    assert [r["value"] for r in t.state()["track"]] == [3, 2, 1]
    assert "hand" not in row(t, "Orc")["why"]


def test_cha_14_the_first_round_starts_all_turns_too() -> None:
    t = Table("chaos")
    t.do("add Ana", "condition Ana Slowed rounds=1 until=start", "begin")
    assert "Ana: Slowed has ended" in said(t)


def test_cha_14_all_turns_start_together() -> None:
    t = turns()
    t.do("next", "condition Bo Slowed rounds=1 until=start", "react Ana")
    t.do("next", "next")
    assert row(t, "Bo")["state"] == "done"
    t.do("next")
    assert "Bo: Slowed has ended" in said(t)
    assert marks(t, "Ana") == set()
    t.do("condition Bo Poisoned rounds=3 until=start", "lock missing=empty")
    t.do("roll", dice=[18, 12, 6])
    assert "Start of Bo's turn: Poisoned" in board(t)


def test_cha_15_the_board_is_read_before_the_first_slot() -> None:
    t = fight('order Ana reaction="hit => Shield"', "lock missing=empty")
    t.do("roll", dice=[18, 12, 6])
    assert (t.state()["phase"], kinds(t)) == ("board", ["acknowledge"])
    assert board(t) == [
        "Ana: hit => Shield",
        "Bo takes the first opportunity attack",
        "Orc takes the first opportunity attack",
    ]
    t.refuse("next", "`ok`")
    t.refuse("turn Ana")
    assert t.refuse("react Bo", "yet").rule == "CHA-15"
    t.do("ok")
    assert (t.state()["phase"], t.state()["acting"], kinds(t)) == ("turns", "", [])
    assert t.state()["offer"]["acts"] == [{"kind": "turn", "who": "Ana"}]
    t.refuse("ok")


def test_cha_16_one_order_after_the_other_and_those_of_the_dead_are_void() -> None:
    t = turns("order Bo action=shoot")
    t.do("next")
    assert states(t) == {"Ana": "now", "Bo": "locked", "Orc": "locked"}
    later = turns(dice=(6, 18, 12))
    assert [o["who"] for o in later.state()["orders"]] == later.order() == ["Bo", "Orc", "Ana"]
    t.do("out Bo")
    assert "Bo's order is void (CHA-16)" in said(t)
    t.do("next")
    assert (t.state()["acting"], states(t)) == ("Orc", {"Ana": "done", "Orc": "now", "Bo": "void"})
    t.do("back Bo", "next")
    assert (t.state()["acting"], states(t)["Bo"]) == ("Bo", "now")


def test_cha_16_now_carries_the_order_that_is_resolved() -> None:
    t = turns(
        'order Ana movement="to the gate" action="attack the ghoul or else {Dodge}"',
        "add Ghoul hidden=yes",
        dice=(18, 12, 6, 3),
    )
    t.do("next")
    now = "impossible? `else Ana action`; movement: to the gate; action: attack the ghoul or else {Dodge}"
    assert now in t.state()["now"]
    assert "movement: to the gate" in t.state("Max")["now"]
    # A player's words are shown whole, whatever hides behind a name in them; what the program says is not.
    assert "action: attack the ghoul or else {Dodge}" in t.state("Max")["now"]
    assert "Ghoul" not in t.state("Max")["now"]
    t.do('rename Ana "Old Ana"')
    assert '`else "Old Ana" action`' in t.state()["now"]


@pytest.mark.parametrize("line", ["hold Ana", "act Ana"])
def test_cha_16_nobody_delays(line: str) -> None:
    t = turns()
    t.do("next")
    assert t.refuse(line, "delay").rule == "CHA-16"
    t.refuse("pass")


def test_cha_18_all_turns_end_together_told_in_roster_order_cha_a18_() -> None:
    t = turns()
    t.do("next", "condition Ana Stunned until=end", "condition Orc Prone", "end", "next", "next")
    assert [x.name for x in t.encounter.combatants["c1"].conditions] == ["Stunned"]
    t.do("next")
    assert "Ana: Stunned has ended" in said(t)
    assert said(t)[1:3] == [
        "End of Ana's turn: Stunned (CHA-18)",
        "End of Orc's turn: Prone (CHA-18)",
    ]


def test_cha_23_movement_and_cha_29_targets_stay_free_text() -> None:
    t = fight(
        'order Ana movement="as close to the {fire} as it gets" action="three of them: orc, wolf, bear"'
    )
    written = order_of(t, "Ana")
    assert written is not None
    assert written["text"] == {
        "movement": "as close to the {fire} as it gets",
        "action": "three of them: orc, wolf, bear",
    }
    t.do("lock missing=empty")
    t.do("roll", dice=[18, 12, 6])
    t.do("ok", "next")
    assert "{fire}" in said(t)[0]


def test_cha_26_good_faith_is_said_once() -> None:
    t = Table("chaos", {"cha.mode": "head-to-head"})
    t.do("add Ana owner=Lia", "add Bo owner=Max", "begin")
    assert "Orders are resolved in good faith, as they were meant (CHA-26)" in said(t)
    assert not any("good faith" in line for line in said(fight()))


def test_cha_28_less_than_half_of_a_formation_does_not_count() -> None:
    t = Table("chaos")
    t.do(
        "add Militia formation=5 affected=2 bonus=4 adv=adv",
        "add Guard formation=5 affected=3 bonus=4 adv=dis",
        "begin",
    )
    t.do("lock missing=empty")
    assert [d["dice"] for d in t.state()["due"]] == [[20], [20, 20]]
    t.do("roll", dice=[10, 9, 3])
    assert [(r["entry"], r["value"]) for r in t.state()["track"]] == [("Militia", 10), ("Guard", 7)]
    assert row(t, "Militia")["why"] == "d20 (10) +0 = 10; the bonus +4 touches less than half (CHA-28)"
    assert row(t, "Guard")["why"] == "d20 (9, 3), 3 counts +4 = 7"


def test_cha_a15_surprise_is_disadvantage() -> None:
    t = fight("set Orc adv=dis", "set Ana adv=adv", "lock missing=empty")
    t.do("roll", dice=[3, 15, 8, 17, 4])
    assert [(r["entry"], r["value"]) for r in t.state()["track"]] == [("Ana", 15), ("Bo", 8), ("Orc", 4)]
    assert row(t, "Orc")["why"] == "d20 (17, 4), 4 counts +0 = 4"
    t.do("set Orc adv=")
    assert row(t, "Orc")["why"] == "d20 (17, 4), 4 counts +0 = 4"


def test_cha_a19_a_target_that_was_dead_before_is_for_the_alternative() -> None:
    t = turns('order Bo action="strike the orc twice or else Dodge"')
    t.do("next", "out Orc", "next", "else Bo action")
    assert said(t) == ["Bo cannot do that: Dodge instead (CHA-6)"]


def test_every_clause_is_told_and_tested() -> None:
    here = Path(__file__).parent
    names = re.findall(r"def (test_\w+)", "".join(p.read_text() for p in here.glob("test_*.py")))
    named = [number for name in names for number in re.findall(r"cha_(a?\d+)_", name)]
    tested = {f"CHA-{number.upper()}" for number in named} | {
        rule for v in examples("chaos") for rule in v["rules"]
    }
    assert set(Chaos.clauses) - tested == set()
    assert {f"CHA-{n}" for n in range(1, 30)} <= set(Chaos.clauses)
    assert {f.rule for f in (*Chaos.options, *Chaos.verbs, *Chaos.fields) if f.rule} <= set(Chaos.clauses)
