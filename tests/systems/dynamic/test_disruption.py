"""Spell disruption: who owes a save, when, and what it costs (DIS-17, DIS-A22)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.systems.dynamic.fights import dice_owed, kinds, rolled, table
from tests.table import Table, marks, row
from tui.store.history import History
from tui.store.store import Store


def test_dis_17_a_save_is_due_at_once_for_a_caster_who_has_not_acted() -> None:
    t = rolled(disruption="each_hit")
    t.do("next", "damage Oren 3")
    assert t.state()["acting"] == "Orc"
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [("Oren", [20], "DIS-17")]
    t.do("damage Oren 1", "roll Oren 12")
    assert kinds(t) == [("roll", "Oren")]
    t.do("set Oren con=-3", "roll Oren 12")
    assert row(t, "Oren")["tags"] == ["cantrips"]
    t.do("damage Oren 1")
    assert kinds(t) == []


def test_dis_17_one_save_a_round_by_house_rule() -> None:
    t = rolled(disruption="once")
    t.do("damage Oren 3", "roll Oren 10", "damage Oren 3")
    assert kinds(t) == []
    assert marks(t, "Oren") == {}


def test_dis_17_who_casts_nothing_or_acts_or_has_acted_saves_nothing() -> None:
    t = rolled(disruption="each_hit")
    t.do("damage Sela 1", "damage Orc 1", "next", "next", "next", "damage Oren 1", "end", "damage Oren 1")
    assert kinds(t) == []
    off = rolled()
    off.do("damage Oren 1")
    assert kinds(off) == []


def test_dis_17_monsters_too_and_the_gone_owe_nothing() -> None:
    t = rolled("order Orc spell=2", disruption="each_hit")
    t.do("damage Orc 1", "damage Oren 1")
    assert kinds(t) == [("roll", "Oren"), ("roll", "Orc")]
    assert t.state()["due"][1]["dice"] == [20]
    t.refuse("next", "Oren")
    t.do("out Orc")
    assert kinds(t) == [("roll", "Oren")]


def test_dis_17_cantrips_only_is_said_and_forbids_switching_to_more() -> None:
    t = rolled(disruption="once")
    t.do("damage Oren 3", "roll Oren 1", "next", "next", "next")
    assert "cantrips only" in t.state()["now"]
    assert t.refuse("switch Oren spell=1").rule == "DIS-17"
    t.do("switch Oren spell=0")


def test_dis_17_damage_before_the_dice_disrupts_too_and_is_saved_for_at_once() -> None:
    t = table("order Oren spell=3", "damage Oren 3", disruption="each_hit")
    assert kinds(t) == [("roll", "Oren"), ("form", "Sela")]
    assert t.state()["due"][0]["rule"] == "DIS-17"
    t.do("roll Oren 5")
    assert marks(t, "Oren") == {"cantrips": True}
    assert t.refuse("order Oren spell=1", "order Oren spell=0").rule == "DIS-17"
    t.do("order Oren spell=0", "order Sela move=yes")
    assert dice_owed(t) == [[4], [8], [8]], "the save was not the first face of the round"
    t.do("surprised Sela")


def test_dis_17_who_was_hurt_and_then_declares_a_spell_saves_once() -> None:
    t = table("damage Oren 1", "damage Oren 1", "damage Oren 1", disruption="each_hit")
    assert kinds(t) == [("form", "Sela"), ("form", "Oren")]
    t.do("order Oren spell=1")
    assert kinds(t) == [("roll", "Oren"), ("form", "Sela")]
    t.do("roll Oren 10", "order Oren spell=2")
    assert kinds(t) == [("form", "Sela")]


def test_dis_17_changing_to_no_spell_cancels_the_save_and_changing_back_owes_it_again() -> None:
    t = table("order Oren spell=1", "damage Oren 1", "order Oren weapon=1d4", disruption="once")
    assert kinds(t) == [("form", "Sela")]
    t.do("order Oren spell=1")
    assert kinds(t) == [("roll", "Oren"), ("form", "Sela")]
    t.do("roll Oren 20", "order Oren move=yes", "damage Oren 1", "order Oren spell=4")
    assert kinds(t) == [("form", "Sela")], "one save a round"


def test_dis_17_who_is_hurt_and_then_switches_to_a_spell_saves_before_its_next_turn() -> None:
    t = rolled("damage Sela 2", disruption="each_hit")
    t.do("next", "next", "switch Sela spell=1")
    assert kinds(t) == [("roll", "Sela")]
    t.refuse("next", "Sela")
    t.do("roll Sela 2", "next", "next")
    assert t.state()["acting"] == "Sela"
    assert t.refuse("switch Sela spell=1", "switch Sela spell=0").rule == "DIS-17"


def test_dis_17_without_the_house_rule_nothing_is_owed() -> None:
    t = rolled(disruption="once")
    t.do("next", "next", "next", "switch Oren spell=4", "damage Oren 1")
    assert kinds(t) == [("roll", "Oren")]
    t.do("option dis.disruption=off")
    assert kinds(t) == []
    t.do("option dis.disruption=once")
    assert kinds(t) == [("roll", "Oren")]


@pytest.mark.parametrize("spell", ["0", "0,0"])
def test_dis_17_a_cantrip_cannot_be_disrupted(spell: str) -> None:
    t = table(f"order Oren spell={spell}", "damage Oren 3", disruption="each_hit")
    assert kinds(t) == [("form", "Sela")]
    t.do("order Oren spell=0,1")
    assert kinds(t) == [("roll", "Oren"), ("form", "Sela")]


def test_dis_17_an_enemy_that_is_marked_as_a_caster_after_it_was_hurt_saves() -> None:
    t = rolled("damage Orc 1", disruption="once")
    t.do('order Orc intent="chants" spell=1')
    assert kinds(t) == [("roll", "Orc")]
    t.do('order Orc intent="swings"')
    assert kinds(t) == []


def test_dis_17_each_of_a_group_saves_for_itself() -> None:
    t = Table("dynamic", {"dis.disruption": "once"})
    t.do("add 2 Mage group=Mages", "add Ana kind=pc", "begin", 'damage "Mage 2" 1', "order @Mages spell=1")
    assert kinds(t) == [("roll", "Mage 2"), ("form", "Ana")]


def test_dis_17_damage_of_the_last_round_is_forgotten() -> None:
    t = rolled("damage Sela 1", disruption="each_hit")
    t.do("next", "next", "next", "next", "order Sela spell=1")
    assert kinds(t) == [("form", "Oren")]


def test_dis_17_who_came_after_the_dice_owes_nothing() -> None:
    t = rolled(disruption="each_hit")
    t.do("add Shaman", "damage Shaman 1", "order Shaman spell=2", "damage Shaman 1")
    assert kinds(t) == []


def test_dis_17_the_table_hears_what_became_of_the_spell() -> None:
    t = rolled(disruption="each_hit")
    t.do("set Oren con=2", "damage Oren 1")
    assert "Oren makes the save: the spell stands (DIS-17)" in [x.text for x in t.do("roll Oren 8").lines]
    t.do("damage Oren 1")
    assert "Oren fails the save: the spell is lost (DIS-17)" in [x.text for x in t.do("roll Oren 7").lines]


def test_dis_17_a_save_that_an_earlier_version_asked_for_is_rolled_with_its_bonus() -> None:
    """Journals of earlier versions note in the round what is owed, and nothing with the creature."""
    t = rolled(disruption="each_hit")
    t.do("set Oren con=2", "damage Oren 1")
    people = {k: replace(c, owes=()) for k, c in t.encounter.combatants.items()}
    t.store = Store("old", History(replace(t.encounter, combatants=people)), t.store.systems, t.store.effects)
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [("Oren", [20], "DIS-17")]
    assert [x.text for x in t.do("roll Oren 8").lines] == [
        "Oren rolls 10 (8+2) at the table", "Oren makes the save: the spell stands (DIS-17)"
    ]  # fmt: skip
    assert kinds(t) == []
