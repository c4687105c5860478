"""Every house rule of Chaos, with its default and without, and play without a GM (CHA-24 to CHA-26)."""

from __future__ import annotations

import pytest

from tests.systems.chaos.fights import board, fight, kinds, marks, order_of, row, said, states, turns
from tests.table import COMMON, Table
from tui.systems.chaos.system import Chaos

DEFAULTS = {
    "cha.mode": "gm",
    "cha.tie": "rolloff",
    "cha.lowest": "latest",
    "cha.strict_conditionals": "warn",
    "cha.reaction": "first",
    "cha.ready_keeps_oa": True,
    "cha.maintain_until": "own_slot",
    "cha.missing": "nothing",
    "cha.reveal": "at_slot",
    "cha.resolver": "seat_order",
    "tie.by_hand": False,
}


def test_the_defaults_are_those_of_the_rules() -> None:
    assert Table("chaos").state()["options"] == DEFAULTS | COMMON
    assert all(f.choices[0] == f.default for f in Chaos.options if f.choices)


@pytest.mark.parametrize(
    "line", ["option cha.tie=coin", "option cha.lowset=latest", "option cha.ready_keeps_oa=maybe"]
)
def test_an_unknown_house_rule_is_refused(line: str) -> None:
    fight().refuse(line)


def test_cha_a1_bonus_puts_the_higher_bonus_first_and_rolls_off_only_equals() -> None:
    t = fight("set Ana bonus=2", "set Bo bonus=4", "set Orc bonus=4", "lock missing=empty", tie="bonus")
    t.do("roll Ana 12", "roll Bo 10", "roll Orc 10")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [("Bo", [20]), ("Orc", [20])]
    t.do("roll", dice=[3, 9])
    assert t.order() == ["Orc", "Bo", "Ana"]


def test_cha_a1_a_bonus_counts_as_it_was_at_the_roll() -> None:
    t = fight("set Ana bonus=2 adv=adv", "set Bo bonus=1", "lock missing=empty", tie="bonus")
    t.do("roll Ana 3 10", "roll Bo 11", "roll Orc 5")
    why = row(t, "Ana")["why"]
    assert why == "d20 (3, 10), 10 counts +2 = 12"
    assert t.order() == ["Ana", "Bo", "Orc"]
    for edit in ("set Bo bonus=9", "set Ana bonus=-1", "set Ana adv=dis"):
        t.do(edit)
        assert (t.order(), row(t, "Ana")["why"]) == (["Ana", "Bo", "Orc"], why)
    assert row(t, "Bo")["why"] == "d20 (11) +1 = 12"


def test_cha_a1_a_new_tie_rule_decides_new_ties_only() -> None:
    t = fight("set Ana bonus=2", "lock missing=empty")
    t.do("roll Ana 10", "roll Bo 12", "roll Orc 5", "roll Ana 3", "roll Bo 9")
    assert t.order() == ["Bo", "Ana", "Orc"]
    t.do("option cha.tie=bonus")
    assert t.order() == ["Bo", "Ana", "Orc"]


@pytest.mark.parametrize("options", [{"cha.tie": "by_hand"}, {"tie.by_hand": True}])
def test_cha_a1_by_hand_is_a_choice_of_the_tied(options: dict[str, object]) -> None:
    t = Table("chaos", options)
    t.do("add Ana", "add Bo", "add Orc", "begin", "lock missing=empty")
    t.do("roll", dice=[9, 14, 9])
    assert [(d["kind"], d["names"], d["least"], d["most"]) for d in t.state()["due"]] == [
        ("pick", ["Ana", "Orc"], 2, 2)
    ]
    t.do("pick Orc Ana")
    assert t.order() == ["Bo", "Orc", "Ana"]
    assert kinds(t) == ["acknowledge"]


@pytest.mark.parametrize("options", [{"cha.tie": "by_hand"}, {"tie.by_hand": True}])
def test_cha_24_without_a_gm_nobody_puts_equals_in_order_and_they_roll_off(
    options: dict[str, object],
) -> None:
    t = Table("chaos", {**options, "cha.mode": "head-to-head"})
    t.do("add Ana owner=Max", "add Bo owner=Lia side=blue", "begin", "lock missing=empty")
    t.do("roll Ana 9", "roll Bo 9")
    assert [(d["kind"], d["who"], d["rule"]) for d in t.state()["due"]] == [
        ("roll", "Ana", "CHA-A1"),
        ("roll", "Bo", "CHA-A1"),
    ]
    t.refuse("pick Bo Ana")
    t.do("roll", dice=[3, 8])
    assert t.order() == ["Bo", "Ana"]
    # A GM who sits down in mid-fight finds it settled.
    t.do("option cha.mode=gm")
    assert (t.order(), kinds(t)) == (["Bo", "Ana"], ["acknowledge"])


def test_cha_a1_simultaneous_asks_nobody_and_resolves_the_fallen_too() -> None:
    t = turns("order Bo action=shoot", dice=(9, 9, 4), tie="simultaneous")
    t.do("next")
    assert said(t)[1] == "Ana and Bo act at the same moment (CHA-A1)"
    t.do("out Bo")
    assert said(t)[1:] == [
        "Bo falls at the moment of its own slot: its order is resolved all the same (CHA-A1)"
    ]
    shown = order_of(t, "Bo", "Lia")
    assert shown is not None
    assert (shown["state"], shown["text"]) == ("done", {"action": "shoot"})
    t.do("out Orc")
    assert states(t)["Orc"] == "void"


def test_cha_a2_earliest_aims_at_the_first_of_equals() -> None:
    t = turns(lowest="earliest")
    t.do("target Orc among=Ana,Bo")
    assert t.state()["outcome"]["target"] == "Ana"
    t.do('redirect Orc melee="Ana:1,Bo:1"')
    assert t.state()["outcome"]["target"] == "Ana"


def test_cha_a5_conditions_warn_or_are_refused() -> None:
    t = fight('order Ana action="if hurt, run"')
    warned = order_of(t, "Ana")
    assert warned is not None
    assert warned["warnings"] == ["action: reads like a condition"]
    t.do("order Ana action=run")
    clean = order_of(t, "Ana")
    assert clean is not None
    assert clean["warnings"] == []
    t = fight(strict_conditionals="refuse")
    assert t.refuse('order Ana action="if hurt, run"', "condition", "ready=").rule == "CHA-4"
    t.do('order Ana ready="if it comes, bite"', 'order Bo reaction="if hit => Shield"')


def test_cha_a7_of_two_reactions_the_first_or_the_owners_choice() -> None:
    order = 'order Ana reaction="hit => Shield" reaction2="seen => hide"'
    for option, words in (("first", "the first that is triggered"), ("owner_chooses", "the owner chooses")):
        t = fight(order, "lock missing=empty", reaction=option)
        t.do("roll", dice=[18, 12, 6])
        assert board(t)[:2] == [f"Ana: hit => Shield ({words})", f"Ana: seen => hide ({words})"]


def test_cha_a8_a_ready_may_take_the_default_opportunity_attack_away() -> None:
    t = turns("order Ana ready=shoot", 'order Bo ready=shoot reaction="hit => Shield"', ready_keeps_oa=False)
    t.do("react Ana", "next", "next", "next")
    assert marks(t, "Ana") == {"reaction", "ready"}
    t.do("react Bo")
    t = turns("order Ana ready=shoot", ready_keeps_oa=False)
    t.do("next", "next")
    assert t.refuse("react Ana", "fire").rule == "CHA-A8"
    t.do("fire Ana")
    t = fight("order Ana ready=shoot", "lock missing=empty", ready_keeps_oa=False)
    t.do("roll", dice=[18, 12, 6])
    assert board(t)[0] == "Ana takes the first opportunity attack until it has readied"


def test_cha_a9_maintaining_may_last_until_the_round_ends() -> None:
    t = turns("order Ana ready=shoot", maintain_until="round_end")
    t.do("next", "next", "next", "next", "order Ana maintain=yes", "lock missing=empty")
    t.do("roll", dice=[18, 12, 6])
    t.do("ok", "next", "next")
    assert row(t, "Ana")["tags"] == ["holding"]
    t.do("fire Ana")
    assert row(t, "Ana")["tags"] == ["reaction"]
    t.do("undo", "next", "next")
    assert (t.encounter.round, row(t, "Ana")["tags"]) == (3, [])


def test_cha_a12_the_missing_may_dodge() -> None:
    t = fight("lock missing=empty", missing="dodge")
    found = order_of(t, "Ana")
    assert found is not None
    assert found["text"] == {"action": "Dodge"}


def test_cha_a16_all_orders_may_be_shown_at_the_start() -> None:
    t = fight("order Bo action=run", "lock missing=empty", reveal="all_at_start")
    t.do("roll", dice=[18, 12, 6])
    assert order_of(t, "Bo", "Lia") is None
    t.do("ok")
    assert order_of(t, "Bo", "Lia") is not None
    assert order_of(turns("order Bo action=run"), "Bo", "Lia") is None


# --- without a GM


def duel(**options: object) -> Table:
    """Lia's Ana and Max's Bo of two sides; Pia's Cat and Lia's Dog are further pieces."""
    t = Table("chaos", {"cha.mode": "head-to-head", **{f"cha.{k}": v for k, v in options.items()}})
    t.do("add Ana side=red owner=Lia hp=9 bonus=2", "add Bo side=blue owner=Max hp=8", "begin")
    return t


def started(t: Table, *faces: int) -> Table:
    t.do("lock missing=empty")
    t.do("roll", dice=faces)
    t.do("ok")
    return t


def test_cha_24_each_slot_names_an_opponent_who_resolves() -> None:
    t = started(duel(), 15, 5)
    t.do("next")
    assert "Max resolves the order of Ana (CHA-24)" in said(t)
    assert "Max resolves the order of Ana" in t.state("Lia")["now"]
    t.do("next")
    assert "Lia resolves the order of Bo" in t.state()["now"]
    assert "resolves" not in turns().state()["now"]


def test_cha_a17_the_next_opponent_in_seat_order_or_by_hand() -> None:
    for option, who in (("seat_order", "Pia"), ("by_hand", "an opponent of the table's choice")):
        t = duel(resolver=option)
        t.do("add Cat side=green owner=Pia", "add Dog side=red owner=lia", "add Fly side=blue")
        started(t, 10, 20, 8, 6, 4)
        t.do("next")
        assert f"{who} resolves the order of Bo" in t.state()["now"]
    t = duel()
    t.do("add Cat side=blue owner=Pia", "add Fly side=blue")
    started(t, 1, 2, 20, 10)
    t.do("next")
    assert "Lia resolves the order of Cat" in t.state()["now"]
    t.do("next")
    assert "Lia resolves the order of Fly" in t.state()["now"]


def test_cha_25_sheets_are_public_and_orders_from_the_first_slot_on() -> None:
    t = duel()
    t.do("order Ana action=charge", "order Bo action=hide")
    ana = t.state("Max")["combatants"][0]
    assert (ana["hp"], ana["max_hp"], ana["fields"]) == (9, 9, {"bonus": 2})
    started(t, 15, 5)
    assert order_of(t, "Bo", "Lia") is None
    t.do("next")
    for viewer in ("Lia", "Max", "nobody"):
        assert [o["text"] for o in t.state(viewer)["orders"]] == [{"action": "charge"}, {"action": "hide"}]
    t.do("next", "next")
    assert [o["who"] for o in t.state("Lia")["orders"]] == ["Ana"]


def test_cha_25_nobody_is_hidden_at_an_open_table() -> None:
    t = duel()
    assert t.refuse("hide Ana", "all sheets lie open").rule == "CHA-25"
    assert t.refuse("set Ana hidden=yes").rule == "CHA-25"
    assert t.refuse("add Cat hidden=yes").rule == "CHA-25"
    t = fight("hide Orc")
    assert [c["name"] for c in t.state("Lia")["combatants"]] == ["Ana", "Bo"]
    t.do("option cha.mode=head-to-head")
    assert [c["name"] for c in t.state("Lia")["combatants"]] == ["Ana", "Bo", "Orc"]


def test_what_a_whole_formation_readies_is_one_message() -> None:
    t = Table("chaos")
    t.do("add 4 Militia group=Militia", "add Orc", "begin", 'order Militia ready="shoot whoever comes"')
    t.do("lock missing=empty", "roll", "ok", dice=[15, 5])
    told = [message.text for message in t.do("next").lines]
    assert sum("readied action" in text for text in told) == 1
    assert any("Militia 1 to 4" in text for text in told)
