"""Orders as text, forms, the lock, late comers and rows that change (CHA-4, CHA-5, CHA-8, rulings)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.systems.chaos.fights import accepts, board, fight, kinds, marks, owes, preview, said, states
from tests.table import Table, order_of, row
from tui.systems.chaos.order_text import alternatives, check, reaction, readied_by


@pytest.mark.parametrize(
    ("order", "errors", "warnings"),
    [
        (dict.fromkeys(("movement", "action", "bonus", "object"), "a or else b"), [], []),
        ({"action": "a OR  ELSE b or else c"}, ["action: more than one 'or else'"], []),
        ({"action": "attack or else readies: shoot or else Dodge"}, [], []),
        ({"action": "readies: shoot or else Dodge or else hide"}, ["action: more than one 'or else'"], []),
        ({"ready": "if it comes, bite or else Dodge"}, [], []),
        ({"ready": "a or else b or else c"}, ["ready: more than one 'or else'"], []),
        ({"action": "ready an attack when it comes"}, [], []),
        ({"action": "whenever hurt, drink or else readies: bite if it "
        "comes"}, [], ["action: reads like a condition"]),
        ({"movement": "unless blocked, west"}, [], ["movement: reads like a condition"]),
        ({"action": "Divine Smite on a hit, triggered by none"}, [], []),
        ({"action": "a different whentower, iffy"}, [], []),
        ({"reaction": "hit => Shield or else Dodge"}, [], [("reaction: 'or else' belongs to the other "
        "components")]),
        ({"reaction": "if hit => Shield", "reaction2": "when seen -> hide"}, [], []),
        ({"reaction2": "Shield"}, ["reaction2: no trigger"], []),
        ({"reaction": "hit =>"}, ["reaction: nothing to do"], []),
        ({"maintain": "yes"}, ["maintain: no readied action from last round"], []),
        ({}, [], ["nothing is ordered"]),
    ],
)  # fmt: skip
def test_cha_4_cha_5_cha_a3_cha_a4_and_cha_a6_what_is_refused_and_what_the_gm_looks_at(
    order: dict[str, str], errors: list[str], warnings: list[str]
) -> None:
    found = check(order, held=False)
    assert [fault.text for fault in found.errors] == errors
    assert list(found.warnings) == warnings


@given(
    st.lists(st.sampled_from(["move", "attack it", "or else", "Or Else,", ";", "west"]), max_size=9).map(
        " ".join
    )
)
def test_cha_5_an_order_is_refused_exactly_for_a_second_alternative(text: str) -> None:
    assert bool(check({"action": text}, held=False).errors) is (text.lower().count("or else") > 1)
    primary, other = alternatives(text)
    assert "or else" not in primary.lower()
    assert ("or else" in text.lower()) or not other


@pytest.mark.parametrize(
    ("order", "held"),
    [
        ({"action": "attack"}, ""),
        ({"ready": "shoot"}, "shoot"),
        ({"action": "readies: shoot or else hide"}, "readies: shoot or else hide"),
        ({"action": "Ready an attack"}, "Ready an attack"),
        ({"action": "the militia archers ready an action to shoot"}, "ready an action to shoot"),
        ({"action": "attack or else readies a spear"}, ""),
        ({"action": "attack the already wounded"}, ""),
    ],
)
def test_cha_9_what_an_order_readies(order: dict[str, str], held: str) -> None:
    assert readied_by(order) == held


@pytest.mark.parametrize("arrow", ["=>", "->", "\N{RIGHTWARDS ARROW}", "\N{RIGHTWARDS DOUBLE ARROW}"])
def test_cha_7_a_reaction_is_taken_apart_at_its_arrow(arrow: str) -> None:
    assert reaction(f" hit {arrow} Shield ").trigger == "hit"
    assert reaction(f" hit {arrow} Shield ").what == "Shield"


def test_the_preview_says_what_a_half_filled_form_would_mean() -> None:
    t = fight()
    shown = preview(t, "Ana", action="readies: shoot or else Dodge")
    assert (shown.errors, shown.warnings) == ((), ())
    assert shown.notes == (
        "held after the slot: readies: shoot or else Dodge",
        "reaction: the first opportunity attack",
    )
    assert preview(t, "Ana", action="a or else b or else c").errors == ("action: more than one 'or else'",)
    assert preview(t, "Ana", action="a or else b or else c").hint == "one alternative for each component"
    assert preview(t, "Ana", reaction="Shield").refusals == (
        "reaction: no trigger; write TRIGGER => WHAT, or: WHAT if TRIGGER",
    )
    assert preview(t, "Ana", action="if seen, hide").warnings == ("action: reads like a condition",)
    assert preview(t, "Ana").warnings == ("nothing is ordered",)
    assert preview(t, "Ana", maintain="perhaps").errors == (
        'maintain= takes true or false, not "perhaps" (CHA-3)',
    )
    assert "reaction" not in " ".join(preview(t, "Ana", reaction="hit => Shield").notes)


def test_an_order_may_be_written_anew_and_for_many_at_once() -> None:
    t = fight(
        'order Ana action="if hurt, run" movement=west', "order Ana action=stay", "order @red action=charge"
    )
    assert [order_of(t, name) for name in ("Ana", "Bo")] == [
        {
            "who": name,
            "state": "written",
            "text": {"action": "charge"},
            "warnings": [],
            "default": {"reaction": "the first opportunity attack"},
            "instead": {},
        }
        for name in ("Ana", "Bo")
    ]
    assert said(t) == ["The GM rewrote Ana's order", "Bo has written"]
    t.do("out Orc")
    assert t.refuse("order Orc action=bite", "out").rule == "CHA-1"


def test_a_refused_order_leaves_the_whole_line_undone() -> None:
    t = fight()
    error = t.refuse('order @red action="a or else b or else c"', "Ana", "or else", "one alternative")
    assert (error.rule, owes(t)) == ("CHA-5", ["Ana", "Bo", "Orc"])


def test_cha_a12_the_missing_may_write_until_the_first_die() -> None:
    t = fight("order Ana action=wait", "lock missing=empty")
    assert (states(t), kinds(t)) == ({"Ana": "locked", "Bo": "locked", "Orc": "locked"}, ["roll"] * 3)
    empty = order_of(t, "Bo")
    assert empty is not None
    assert (empty["text"], empty["warnings"]) == ({}, ["not written"])
    t.do("order Bo action=run")
    assert t.refuse("order Bo action=stay").rule == "CHA-2"
    assert t.refuse("order Ana action=stay").rule == "CHA-2"
    t.do("unlock")
    assert owes(t) == ["Orc"]
    t.do("lock missing=empty", "roll Ana 3")
    assert t.refuse("order Orc action=bite").rule == "CHA-2"


def test_cha_a13_who_comes_after_the_lock_acts_from_the_next_round() -> None:
    t = fight("lock missing=empty", "add Wolf side=blue bonus=9 value=20")
    assert "Wolf acts from the next round on (CHA-A13)" in said(t)
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Bo", "Orc"]
    t.do("roll", dice=[18, 12, 6])
    t.do("ok")
    assert (row(t, "Wolf")["state"], t.may()) == ("barred", ["Ana"])
    assert t.refuse("order Wolf action=bite", "next round").rule == "CHA-A13"
    t.refuse("turn Wolf")
    t.do("next", "react Wolf", "next", "next", "next")
    assert owes(t) == ["Ana", "Bo", "Orc", "Wolf"]
    assert marks(t, "Wolf") == set()


def test_cha_a13_staged_creatures_write_in_the_round_of_their_arrival() -> None:
    t = fight("add Wolf round=2")
    assert owes(t) == ["Ana", "Bo", "Orc"]
    t.do("lock missing=empty")
    t.do("roll", dice=[18, 12, 6])
    t.do("ok", "next", "next", "next", "next")
    assert owes(t) == ["Ana", "Bo", "Orc", "Wolf"]
    assert any(line == "Wolf arrives" for line in said(t))


def test_an_empty_table_is_never_stuck() -> None:
    t = Table("chaos")
    t.do("add Ana", "begin", "out Ana")
    assert kinds(t) == ["lock"]
    t.do("lock", "ok")
    t.refuse("next")
    t.do("back Ana", "next")
    assert (t.encounter.round, owes(t)) == (2, ["Ana"])


def test_the_board_keeps_braces_and_order_by_initiative() -> None:
    t = fight('order Orc reaction="{0} => {1}"', "lock missing=empty")
    t.do("roll", dice=[1, 2, 3])
    assert board(t)[0] == "Orc: {0} => {1}"
    assert not accepts(t, "roll")
