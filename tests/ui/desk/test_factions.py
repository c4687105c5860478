"""A side chooses who acts: the cursor stands on its first choice, and a refusal says the numbers first."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player
from tui.ui.state.scene import current_entry

LINES = (
    "add 3 Raider side=Raiders hp=8",
    "add Ana side=Crew owner=Mia hp=9",
    "add Bo side=Crew owner=Jon hp=9",
    "add Sniper side=Raiders hidden=yes",
    "begin",
)


def on(p: Player) -> str:
    return p.store.encounter.combatants[current_entry(p.desk.scene)].name


@pytest.mark.parametrize("ends", ["n", "e"])
def test_after_a_turn_the_cursor_stands_on_the_first_choice_of_the_next_side(ends: str) -> None:
    p = Player("unbound", [*LINES, "roll Crew 9", "roll Raiders 3", "turn Ana"]).press("5", "-", "b")
    assert on(p) == "Bo"
    p.press(ends)
    assert on(p) == "Raider 1"
    assert "[Enter] Raider 1 acts" in p.picture()["now"][0]
    p.press("enter")
    assert p.asked() == ['turn "Raider 1"']


def test_after_a_pass_as_well() -> None:
    p = Player("unbound", [*LINES[:2], "begin", "roll Crew 9", "roll Raiders 3"]).press("j", "j", "j")
    assert on(p) == "Raider 2"
    p.press("p")
    assert p.asked() == ["pass"]
    assert on(p) == "Raider 1"


def test_a_pass_that_is_refused_says_the_numbers_and_the_way_on_in_one_row() -> None:
    p = Player("unbound", [*LINES, "roll Raiders 9", "roll Crew 3"]).press("p")
    row = p.picture()["now"][1].rstrip()
    assert row.startswith('may not pass: 4 left against 2; choose who goes: [Enter] on "Raider 1"')


def test_a_side_that_the_players_know_is_not_hidden_for_one_who_is() -> None:
    p = Player("unbound", LINES).press("#")
    rows = p.picture()["over"]
    assert not any("HIDDEN" in row for row in rows)


def test_a_side_that_is_hidden_whole_is_marked_once_and_not_with_each_of_its_members() -> None:
    drones = (
        "add Ana side=Crew hp=9",
        "add 2 Drone side=Station hidden=yes",
        "begin",
        "roll Crew 1",
        "roll Station 9",
    )
    first, second = Player("unbound", drones).picture()["now"][:2]
    assert "HIDDEN Station chooses: Drone 1 or Drone 2" in first
    assert (first + second).count("HIDDEN") == 1


def test_who_is_surprised_and_dying_is_not_said_to_move() -> None:
    fallen = (
        *LINES,
        "option zero.pc=dying",
        "roll Crew 9",
        "roll Raiders 3",
        "surprised Ana",
        "damage Ana 9",
    )
    p = Player("unbound", [*fallen, "turn Ana"])
    drawn = p.picture()
    assert "Ana's turn: dying" in drawn["log"][-1]
    assert not any("move" in row for row in (*drawn["now"], *drawn["log"]))


def test_who_sneaks_up_too_late_reads_what_can_still_be_said() -> None:
    p = Player("unbound", [*LINES, "roll Crew 9", "roll Raiders 3", "turn Ana"]).press("S")
    assert ":surprised WHO" in p.picture()["now"][1]


def test_the_clause_stands_behind_what_it_is_about() -> None:
    lines = [*LINES, "roll Crew 9", "roll Raiders 3", "turn Ana", "surprised Bo", 'damage "Raider 1" 9']
    second = Player("unbound", lines).picture()["now"][1]
    assert second.strip() == "attacks on Bo have favour (UNB-18); Raider 1 is at 0: [!] out"


def test_the_clause_of_a_pass_stands_behind_its_numbers() -> None:
    first, second = Player("unbound", [*LINES, "roll Crew 9", "roll Raiders 3"]).picture()["now"][:2]
    assert "UNB-8" not in first
    assert second.strip() == "may not pass: 2 left against 4 (UNB-8)"


def test_a_name_that_is_marked_once_is_not_marked_again_beside_its_key() -> None:
    p = Player(lines=("add Ana", "add Warg hidden=yes", "begin", "roll Ana 3", "roll Warg 19"))
    first = " ".join(p.picture()["now"][0].split())
    assert first.startswith("\u203a HIDDEN Warg is next in the order (CLASSIC-1) [n] next: Warg acts")


def test_the_only_one_who_may_act_beside_a_pass_acts_wherever_the_cursor_is() -> None:
    p = Player("unbound", [*LINES[:2], "begin", "roll Crew 9", "roll Raiders 3"]).press("j", "j", "j")
    assert on(p) == "Raider 2"
    assert "[Enter] Ana acts or [p] pass" in p.picture()["now"][0]
    p.press("enter")
    assert p.asked() == ["turn Ana"]
