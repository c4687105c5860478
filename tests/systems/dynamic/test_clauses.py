"""The Dynamic Initiative System, clause by clause: from surprise to the dice."""

from __future__ import annotations

import pytest

from tests.systems.dynamic.fights import dice_owed, form_of, kinds, rolled, table, values
from tests.table import Table, marks, order_of
from tui.core.fight.viewer import GAME_MASTER, viewer_of


def test_dis_1_positions_are_asked_for_when_the_fight_begins() -> None:
    t = Table("dynamic")
    t.do("add Orc")
    assert any("where everybody stands" in line.text for line in t.do("begin").lines)


def test_dis_2_the_gm_names_who_is_surprised_before_the_first_face() -> None:
    t = table("surprised Sela")
    assert marks(t, "Sela") == {"surprised": True}
    assert t.state()["outcome"] == {"kind": "surprise", "caught": ["Sela"]}
    t.do("surprised Orc")
    assert t.state()["outcome"]["caught"] == ["Sela", "Orc"]
    t.refuse("surprised Orc", "already")
    t.do("surprised none")
    assert t.state()["outcome"]["caught"] == []
    t.do("order @heroes move=yes", "roll Orc 2")
    assert t.refuse("surprised Orc", "before the dice").rule == "DIS-2"
    assert t.refuse("surprised none").rule == "DIS-2"
    assert t.refuse("notice").rule == "DIS-2"


@pytest.mark.parametrize("line", ["surprised", "surprised Orc why=dark", "notice Orc", "surprised Ghost"])
def test_dis_2_words_that_say_nothing_are_refused(line: str) -> None:
    table().refuse(line)


def test_dis_2_somebody_who_is_out_cannot_be_surprised() -> None:
    t = table("out Orc")
    assert t.refuse("surprised Orc", "Orc takes no part", "`back orc` first").rule == "DIS-2"
    assert t.refuse("surprised", "`surprised sela`").rule == "DIS-2"


def test_dis_3_an_enemys_intent_is_public_and_never_due() -> None:
    t = table()
    assert ("form", "Orc") not in kinds(t)
    t.do('order Orc intent="rush the mage"')
    assert order_of(t, "Orc", "Lia") == {
        "who": "Orc",
        "state": "written",
        "text": {"intent": "rush the mage"},
        "warnings": [],
        "default": {},
        "instead": {},
    }
    t.do("order Orc")
    assert order_of(t, "Orc") is None
    t.do('order Orc intent="{stays} here"', "order @heroes move=yes", "roll", dice=[1, 2, 3])
    assert order_of(t, "Orc", "Nobody") is not None
    t.do('order Orc intent="changes its mind"', "next", "next", "next")
    assert order_of(t, "Orc", "Lia") == {
        "who": "Orc",
        "state": "now",
        "text": {"intent": "changes its mind"},
        "warnings": [],
        "default": {},
        "instead": {},
    }
    t.do("next")
    assert order_of(t, "Orc") is None


def test_dis_3_a_group_that_has_acted_has_done_what_it_meant_to_though_one_of_it_has_fallen() -> None:
    t = table("add 2 Gnoll", "group gnoll* Pack", 'order Pack intent="bite"', 'out "Gnoll 1"')
    t.do("order @heroes move=yes", "roll", "next", dice=[1, 2, 3, 4])
    while t.state()["acting"] != "Pack":
        assert order_of(t, "Pack")["state"] == "locked"  # type: ignore[index]
        t.do("next")
    t.do("end")
    assert order_of(t, "Pack")["state"] == "done"  # type: ignore[index]


def test_dis_3_what_an_enemy_is_said_to_do_is_open_to_everybody_and_adds_no_die() -> None:
    t = table('order Orc intent="chants" spell=2')
    assert order_of(t, "Orc", "Lia")["text"] == {"intent": "chants", "spell": "2"}  # type: ignore[index]
    t.do("order @heroes move=yes")
    assert dice_owed(t) == [[4], [4], [8]]


def test_dis_3_the_form_of_an_enemy_asks_for_nothing_but_its_intent() -> None:
    t = table()
    assert form_of(t, "Orc") == ["intent"]
    t.do("order @heroes move=yes", "roll", "next", "next", dice=[1, 2, 8])
    assert (form_of(t, "Sela"), form_of(t, "Orc")) == ([], ["intent"])
    t.do("next", "next")
    assert form_of(t, "Orc") == ["intent"], "the next round has begun"
    assert form_of(table(disruption="once"), "Orc") == ["intent", "spell"]
    assert form_of(table("order Orc spell=1"), "Orc") == ["intent", "spell"]


def test_dis_4_a_form_is_due_for_every_players_character_in_roster_order() -> None:
    t = table()
    assert kinds(t) == [("form", "Sela"), ("form", "Oren")]
    assert t.state()["phase"] == "orders"
    assert [f["key"] for f in t.state()["due"][0]["fields"]] == ["weapon", "spell", "action", "move"]
    t.refuse("roll", "Sela", "Oren")
    t.refuse("next", "Sela")
    t.do("order Oren action=1")
    assert kinds(t) == [("form", "Sela")]
    t.do("order Sela")
    assert t.state()["phase"] == "rolls"


def test_dis_4_a_declaration_may_change_until_the_first_face() -> None:
    t = table("order Sela weapon=1d8", "order Oren spell=3", "order Sela weapon=2d6 move=yes")
    assert t.state()["due"][0]["dice"] == [6, 6, 4]
    t.do("roll Orc 1")
    assert t.refuse("order Sela weapon=1d4", "switch").rule == "DIS-4"


def test_dis_4_declarations_are_open_to_everybody_from_the_moment_they_are_made() -> None:
    t = table("order Sela weapon=1d8")
    seen = {
        "who": "Sela",
        "state": "written",
        "text": {"weapon": "1d8"},
        "warnings": [],
        "default": {},
        "instead": {},
    }
    assert order_of(t, "Sela", "Lia") == order_of(t, "Sela", "Nobody") == order_of(t, "Sela") == seen
    assert "weapon 1d8" in str(t.state("Nobody")["last"])
    t.do("order Oren spell=3", "roll", dice=[5, 4, 2])
    assert order_of(t, "Sela", "Lia")["state"] == "locked"  # type: ignore[index]
    t.do("next", "next")
    assert order_of(t, "Sela", "Lia")["state"] == "now"  # type: ignore[index]
    t.do("next")
    assert order_of(t, "Sela", "Lia")["state"] == "done"  # type: ignore[index]


def test_dis_4_last_rounds_declaration_stands_in_the_form_for_its_owner() -> None:
    t = rolled()
    t.do("next", "next", "next", "next")
    fields = {f["key"]: f["default"] for f in t.state("Lia")["due"][1]["fields"]}
    assert fields == {"weapon": "", "spell": "3", "action": "", "move": ""}
    hidden = {f["key"]: f["default"] for f in t.state("Lia")["due"][0]["fields"]}
    assert set(hidden.values()) == {""}


def test_dis_4_a_group_of_characters_shares_one_declaration() -> None:
    t = Table("dynamic")
    t.do("add 2 Scout kind=pc group=Scouts", "begin")
    assert kinds(t) == [("form", "Scouts")]
    t.do("order @Scouts weapon=1d6", 'order "Scout 1" weapon=1d10')
    assert t.state()["due"][0]["dice"] == [10]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("order Sela weapon=1d8+3", "DIS-11"),
        ("order Sela weapon=2d6kh1", "DIS-12"),
        ("order Sela weapon=1d8-1", "DIS-12"),
        ("order Sela weapon=sword", ""),
        ("order Sela spell=10", ""),
        ("order Sela dance=yes", "DIS-4"),
        ("order Sela action=9", "DIS-4"),
        ("order Sela move=perhaps", ""),
        ("order Orc weapon=1d8", "DIS-18"),
        ("order Orc spell=x", ""),
    ],
)  # fmt: skip
def test_dis_4_a_declaration_that_cannot_be_is_refused(line: str, rule: str) -> None:
    assert table().refuse(line).rule == rule


def test_dis_5_with_the_last_declaration_the_rolls_are_due_without_a_lock() -> None:
    t = table("order Sela weapon=1d8")
    assert t.refuse("lock", "Oren").rule == "DIS-4"
    t.refuse("unlock")
    t.do("lock missing=empty")
    assert order_of(t, "Oren")["text"] == {}  # type: ignore[index]
    assert kinds(t) == [("roll", "Sela"), ("roll", "Orc")]
    assert t.refuse("lock missing=empty").rule == "DIS-5"


def test_dis_5_who_declares_nothing_acts_at_zero_and_rolls_nothing() -> None:
    t = table("order Sela", "order Oren weapon=1", "roll Orc 3")
    assert values(t) == {"Sela": 0, "Oren": 1, "Orc": 3}
    assert t.state()["phase"] == "turns"
    assert t.state()["outcome"] == {"kind": "order", "order": ["Sela", "Oren", "Orc"]}


def test_dis_5_surprise_and_declarations_change_even_when_nobody_has_a_die() -> None:
    t = table("out Orc", "order Sela", "order Oren weapon=1")
    assert t.state()["phase"] == "turns"
    t.do("surprised Sela")
    assert values(t) == {"Oren": 1, "Sela": 10}
    t.do("order Oren weapon=1d4", "roll Oren 4")
    assert values(t) == {"Oren": 4, "Sela": 10}
    assert t.refuse("order Oren").rule == "DIS-4"


def test_dis_22_that_nobody_is_surprised_is_told_to_the_game_master_alone() -> None:
    t = Table("dynamic")
    t.do("add Ana owner=Mia", "add Orc side=dark", "add Spy side=dark hidden=yes stealth=14")
    t.do("begin", "notice")
    told = [m.text for m in t.store.messages(t.store.step, GAME_MASTER)]
    assert told == ["Everybody notices an enemy: nobody is surprised (DIS-22)"]
    assert list(t.store.messages(t.store.step, viewer_of("Mia"))) == []
