"""Reactions, readied actions and who is aimed at (CHA-9 to CHA-11, CHA-19 to CHA-22)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.systems.chaos.fights import again, board, fields, fight, marks, said, turns
from tests.table import Table, order_of, row
from tui.core.rules.on_screen import on_screen


def held(**options: Any) -> Table:
    """The Orc, last to act, held an action through round 1; orders of round 2 are open."""
    t = turns('order Orc ready="bite whoever comes or else Dodge"', **options)
    t.do("next", "next", "next", "next")
    return t


def maintained(*lines: str, **options: Any) -> Table:
    """It keeps it in round 2, in which it goes last again."""
    t = held(**options)
    t.do("order Orc action=wait maintain=yes", *lines, "lock missing=empty")
    t.do("roll", dice=[18, 12, 6])
    t.do("ok")
    return t


def test_cha_9_what_is_readied_is_held_from_the_own_slot_on() -> None:
    t = turns('order Ana ready="shoot"', 'order Bo action="readies: once clear, move and shoot or else hide"')
    t.do("next")
    assert row(t, "Ana")["tags"] == ["ready"]
    assert t.refuse("fire Ana", "still readying").rule == "CHA-9"
    assert t.refuse("fire Bo", "own slot").rule == "CHA-9"
    assert t.refuse("fire Orc", "holds no").rule == "CHA-10"
    t.do("next", "fire Ana")
    assert said(t) == ["Ana's readied action happens: shoot (CHA-9)"]
    assert t.state()["acting"] == "Bo"
    assert marks(t, "Ana") == {"reaction"}
    assert t.refuse("fire Ana").rule == "CHA-7"
    assert t.refuse("react Ana").rule == "CHA-7"
    t.do("next", "fire Bo", "else Bo action")
    assert said(t) == ["Bo cannot do that: hide instead (CHA-6)"]


def test_cha_9_an_alternative_may_ready_or_take_the_place_of_what_is_readied() -> None:
    t = turns(
        'order Ana action="attack or else readies a javelin"',
        'order Bo action="readies: shoot or else Dodge"',
    )
    t.do("next")
    assert marks(t, "Ana") == set()
    t.do("else Ana action")
    assert marks(t, "Ana") == {"ready"}
    t.do("next", "fire Ana")
    assert said(t) == ["Ana's readied action happens: readies a javelin (CHA-9)"]
    assert marks(t, "Bo") == {"ready"}
    t.do("else Bo action")
    assert marks(t, "Bo") == set()


def test_cha_9_fired_is_the_alternative_that_was_used() -> None:
    t = turns('order Ana ready="shoot or else hide"', 'order Bo ready="bite or else claw"')
    t.do("next", "else Ana ready", "next", "fire Ana")
    assert said(t) == ["Ana's readied action happens: hide (CHA-9)"]
    t.do("next", "else Bo ready", "fire Bo")
    assert said(t) == ["Bo's readied action happens: claw (CHA-9)"]


def test_cha_9_a_group_fires_as_one_or_member_by_member() -> None:
    t = Table("chaos")
    t.do("add 3 Archer group=Archers", "add Orc", "begin", "order Archers ready=volley", "lock missing=empty")
    t.do("roll", dice=[20, 10])
    t.do("ok", "next", "next", 'react "Archer 1"', 'fire "Archer 2"')
    assert [sorted(marks(t, f"Archer {i}")) for i in (1, 2, 3)] == [["reaction"], ["reaction"], ["ready"]]
    t.do("fire Archers")
    assert marks(t, "Archer 3") == {"reaction"}
    t.refuse("fire Archers", "Archer 1")


def test_cha_10_only_holders_are_offered_to_maintain() -> None:
    t = held()
    assert row(t, "Orc")["tags"] == ["ready"]
    assert "maintain" in fields(t, "Orc")
    assert "maintain" not in fields(t, "Ana")
    assert t.refuse("order Ana maintain=yes", "no readied action").rule == "CHA-10"
    assert t.refuse('order Orc maintain=yes reaction="hit => Shield"', "no other").rule == "CHA-10"
    t.do("order Orc maintain=no", "order Orc maintain=yes")
    t.do("lock missing=empty")
    assert row(t, "Orc")["tags"] == ["holding"]
    t.do("roll", dice=[18, 12, 6])
    assert "Orc gives up its reaction and keeps: bite whoever comes or else Dodge" in board(t)


def test_cha_10_who_maintains_has_no_other_reaction_and_fires_before_the_own_slot() -> None:
    t = maintained()
    t.do("next")
    assert t.refuse("react Orc", "fire").rule == "CHA-10"
    t.do("fire Orc")
    assert said(t) == ["Orc's readied action happens: bite whoever comes or else Dodge (CHA-9)"]
    assert row(t, "Orc")["tags"] == ["reaction"]
    assert t.refuse("fire Orc").rule == "CHA-7"


def test_cha_11_maintaining_ends_at_the_own_slot() -> None:
    t = maintained()
    t.do("next", "next", "next")
    assert "Orc can no longer use the readied action (CHA-11)" in said(t)
    assert row(t, "Orc")["tags"] == []
    assert t.refuse("fire Orc").rule == "CHA-10"
    assert t.refuse("react Orc").rule == "CHA-10"
    t.do("next")
    assert "maintain" not in fields(t, "Orc")


def test_cha_11_who_readies_anew_can_keep_that_one_next_but_not_fire_it_in_this_round() -> None:
    t = maintained('order Orc maintain=yes ready="claw"')
    t.do("next", "next", "next", "end")
    assert row(t, "Orc")["tags"] == ["ready"]
    assert t.refuse("fire Orc").rule == "CHA-10"
    t.do("next")
    assert "maintain" in fields(t, "Orc")


def test_cha_14_and_cha_a10_what_is_not_kept_is_gone_when_turns_start() -> None:
    t = held()
    t.do("order Orc action=wait", "order Ana", "order Bo", "lock")
    assert "Orc lets the readied action go (CHA-14)" in said(t)
    assert row(t, "Orc")["tags"] == []
    t.do("unlock")
    assert row(t, "Orc")["tags"] == ["ready"]
    t.do("order Orc maintain=yes", "lock")
    assert row(t, "Orc")["tags"] == ["holding"]
    t.do("unlock")
    assert row(t, "Orc")["tags"] == ["ready"]


def test_cha_14_an_order_typed_after_the_lock_may_still_keep_it() -> None:
    t = held()
    t.do("lock missing=empty")
    assert row(t, "Orc")["tags"] == []
    t.do("order Orc maintain=yes")
    assert row(t, "Orc")["tags"] == ["holding"]


def test_who_is_out_holds_nothing() -> None:
    t = held()
    t.do("out Orc", "back Orc")
    assert row(t, "Orc")["tags"] == []
    t = turns("order Ana ready=shoot")
    t.do("next", "next", "out Ana")
    assert t.refuse("fire Ana", "back").message == "Ana is out (CHA-16)"
    assert t.refuse("react Ana", "back").message == "Ana is out (CHA-16)"


def test_cha_21_the_default_is_the_opportunity_attack_and_gives_up_what_is_readied() -> None:
    t = fight("order Ana ready=shoot", 'order Bo reaction="hit => Shield"', "lock missing=empty")
    t.do("roll", dice=[18, 12, 6])
    assert board(t) == [
        "Ana takes the first opportunity attack, giving up what is readied",
        "Bo: hit => Shield",
        "Orc takes the first opportunity attack",
    ]
    t.do("ok", "next", "next", "react Ana with an opportunity attack")
    assert "Ana gives up the readied action (CHA-21)" in said(t)
    assert marks(t, "Ana") == {"reaction"}


@pytest.mark.parametrize("line", ["fire", "fire Ana with=fire", "else Ana", "redirect", "fire Ghost"])
def test_words_that_say_nothing_are_refused(line: str) -> None:
    turns().refuse(line)


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


def test_orders_of_the_last_round_do_not_ready_again() -> None:
    t = turns("order Ana ready=shoot")
    again(t)
    t.do("next")
    assert marks(t, "Ana") == set()
    written = order_of(t, "Ana")
    assert written is not None
    assert (written["state"], written["warnings"]) == ("now", ["not written"])
