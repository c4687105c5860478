"""Every house rule of Chaos, with its default and without, and play without a GM (CHA-24 to CHA-26)."""

from __future__ import annotations

import pytest

from tests.systems.chaos.fights import board, fight, marks, said, states, turns
from tests.table import Table, order_of, row


@pytest.mark.parametrize(
    "line", ["option cha.tie=coin", "option cha.lowset=latest", "option cha.ready_keeps_oa=maybe"]
)
def test_an_unknown_house_rule_is_refused(line: str) -> None:
    fight().refuse(line)


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
    t.do("option zero.pc=dying zero.monster=dying zero.npc=dying", "set Ana hp=9", "damage Ana 9")
    assert "resolves" not in t.state()["now"]
    t.do("undo 3")
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
