"""What is spent and who is meant is chosen from what is there: reactions, targets, the fallen."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import FIGHT, Player
from tui.core.language.tokens import quote

CHAOS = (
    "add Ana side=red owner=Mia hp=18",
    "add Bo side=red owner=Tom",
    "add 2 Orc side=blue",
    "begin",
    'order Ana reaction="Bo falls => shout" reaction2="step back if an orc comes near"',
    "lock missing=empty",
    "roll Ana 20",
    "roll",
    "ok",
    "next",
)


def orders(p: Player) -> str:
    return "\n".join(p.picture()["orders"])


def test_cha_7_the_reactions_that_were_written_are_offered_those_of_the_row_first() -> None:
    p = Player("chaos", CHAOS).press("f")
    assert "Ana: shout" in orders(p)
    assert "Bo falls" in orders(p)
    assert "Ana: step back" in orders(p)
    assert "the first opportunity attack" in orders(p)
    p.press("j", "enter")
    assert p.asked() == ["react Ana with an orc comes near => step back"]
    assert "reaction" in p.store.encounter.combatants["c1"].marks


def test_who_has_spent_it_is_offered_no_more() -> None:
    p = Player("chaos", [*CHAOS, "react Ana with shout"]).press("f")
    assert "Ana: shout" not in orders(p)
    assert "Orc 1" in orders(p)


def test_who_arrives_later_is_not_offered_a_reaction() -> None:
    p = Player("chaos", ("add Late round=3", *CHAOS))
    assert "Late" not in orders(p)
    assert "Late" not in orders(p.press("f"))


def test_cha_21_who_acts_is_not_offered_an_opportunity_attack() -> None:
    p = Player("chaos", [*CHAOS, "next"])
    acting = p.store.encounter.combatants[p.store.encounter.acting].name
    p.press("f")
    assert acting not in orders(p)
    assert "Ana: shout" in orders(p)


def test_another_line_can_still_be_typed() -> None:
    p = Player("chaos", CHAOS).press("f", "up", "enter")
    assert ":react Ana " in p.picture()["hints"][0]


def test_where_nothing_is_written_the_line_is_begun() -> None:
    p = Player(lines=FIGHT).press("f")
    assert p.picture()["hints"][0].startswith(":react ")
    name = p.store.encounter.combatants[p.store.encounter.acting].name
    p.press("'a parry'", "enter")
    assert p.asked() == [f"react {quote(name)} with a parry"]


def test_enter_alone_spends_it_without_a_word() -> None:
    p = Player(lines=FIGHT).press("f", "enter")
    assert p.picture()["log"][-1].endswith(" reacts")


@pytest.mark.parametrize(
    ("line", "why"), [("react Ana", "has spent its reaction"), ("damage Ana 18", "is dying")]
)
def test_who_has_no_reaction_is_said_before_anything_is_typed(line: str, why: str) -> None:
    p = Player(lines=["option zero.pc=dying", *FIGHT, line]).press("-", "a", "f")
    assert why in " ".join(p.picture()["now"])
    assert p.asked() == [line]


def test_cha_22_equal_targets_are_ticked_in_a_list() -> None:
    p = Player("chaos", CHAOS).press("T")
    assert orders(p).count("[x] Orc") == 2
    p.press("space", "enter")
    assert p.asked() == ['target Ana among="Orc 2"']


def test_cha_19_the_rest_of_a_multiattack_asks_how_far_everybody_is() -> None:
    p = Player("chaos", CHAOS).press("M")
    assert "melee reach" in orders(p)
    p.press("down", "down", "'1'", "enter")
    assert p.asked() == ['redirect Ana melee="Orc 1:1"']


KILLED = (
    "add Ana kind=pc hp=18 per=9",
    "add Bo kind=pc hp=9 per=1",
    "add 2 Ghoul hp=7 group=Ghouls",
    "begin",
    "meet Ana",
    "roll",
    "pick none",
    "roll",
)


def test_trk_19_where_the_killer_counts_one_key_asks_by_whom() -> None:
    p = Player("dungeon-track", [*KILLED, "turn Ana", "damage Ghouls 9"], options={"trk.variable": True})
    p.press("!")
    assert "by Ana" in orders(p)
    p.press("enter")
    assert p.asked() == ['kill "Ghoul 1,Ghoul 2" by=Ana']
    assert sum(c.out for c in p.store.encounter.combatants.values()) == 2


def test_trk_19_of_a_group_that_acts_each_member_is_offered() -> None:
    p = Player("dungeon-track", [*KILLED, "turn Ana", "next", "next"], options={"trk.variable": True})
    for _ in range(4):
        if p.store.encounter.acting == "@Ghouls":
            break
        p.store.run("next")
    p.store.run("damage Bo 99")
    p.press("!")
    assert "by Ghoul 1" in orders(p)
    assert "by Ghoul 2" in orders(p)
    assert "by nobody" in orders(p)
    p.press("j", "enter")
    assert p.asked() == ['kill Bo by="Ghoul 2"']


@pytest.mark.parametrize(
    ("lines", "said"),
    [((), "has 18/18"), (("damage Ana 4",), "has 14/18"), (("damage Ana 4", "temp Ana 5"), "has 14/18+5")],
)
def test_the_hit_points_of_the_target_stand_in_the_prompt(lines: tuple[str, ...], said: str) -> None:
    p = Player(lines=[*FIGHT, *lines]).press("tab", "g", "d")
    assert f" {said} " in p.picture()["hints"][0]


def test_a_target_whose_hit_points_nobody_counts_says_so_in_the_prompt_and_in_the_log() -> None:
    p = Player(lines=("add Ana hp=9", "add Wisp")).press("j", "d", "'4'")
    assert " hit points not counted " in p.picture()["hints"][0]
    assert "Wisp takes 4 damage: hit points not counted" in p.press("enter").text()


def test_of_several_targets_the_weakest_and_the_best_are_told() -> None:
    p = Player(lines=[*FIGHT, "damage Ana 4"]).press("tab", "g", "space", "j", "space", "d")
    assert " have 14 to 22 " in p.picture()["hints"][0]


def test_a_count_before_a_condition_is_its_rounds() -> None:
    p = Player(lines=FIGHT).press("tab", "g", "2", "c")
    assert ":condition Ana  rounds=2" in p.picture()["hints"][0]
    p.press("'stu'", "tab", "enter")
    assert p.asked() == ["condition Ana stunned rounds=2"]


def test_rows_that_were_selected_are_chosen_already_where_a_choice_is_due() -> None:
    lines = [
        "add Ana kind=pc per=9",
        "add 3 Orc",
        "begin",
        'meet Ana vs "Orc 1"',
        "roll Ana 6 6",
        'roll "Orc 1" 1 2',
    ]
    p = Player("dungeon-universalis", lines).press(
        "tab", "g", "j", "j", "space", "j", "space", "enter", "enter"
    )
    assert p.asked() == ['pick "Orc 2" "Orc 3"']


def test_cha_6_an_order_whose_alternative_was_used_shows_what_is_done_instead() -> None:
    lines = [
        "add Ana kind=pc",
        "add Orc",
        "begin",
        'order Ana movement="to the gate or else home" action=strike',
        "lock missing=empty",
        "roll Ana 20",
        "roll",
        "ok",
        "next",
    ]
    p = Player("chaos", lines)
    assert "to the gate" in orders(p)
    assert "or else home" in orders(p)
    p.press("E", "enter")
    assert "instead: home" in orders(p)
    assert "to the gate" not in orders(p)
    told = p.table.state()["orders"][0]
    assert (told["text"]["movement"], told["instead"]) == ("to the gate or else home", {"movement": "home"})


def test_cha_15_the_log_says_that_the_reactions_were_read() -> None:
    p = Player("chaos", CHAOS)
    assert "The reactions have been read" in "\n".join(p.picture()["log"])
