"""What would help can be read: whole where there is room, in front of the reason where there is not."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import FIGHT, Player, lines
from tui.store import problems
from tui.store.problems import NotSaved
from tui.ui.desk.ports import Services
from tui.ui.state.settings import Settings

FAULTS = sorted(set(problems.FAULTS.values()))


def faulty(message: str, hint: str) -> Player:
    return Player(
        lines=FIGHT, services=Services(is_saved=lambda: False, fault=lambda: NotSaved(message, hint))
    )


@pytest.mark.parametrize(("message", "hint"), FAULTS)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 18)])
def test_the_way_out_of_a_fault_is_read_at_once_and_now_stays(
    message: str, hint: str, size: tuple[int, int]
) -> None:
    p = faulty(message, hint)
    p.size = size
    now = p.picture()["now"]
    wanted = ":saveas NAME" if "saveas" in hint and size[0] >= 80 else hint[:40]
    assert wanted in " ".join(now)
    assert "acts" in now[0]
    assert "NOT SAVED" in p.picture()["header"][0]


def test_a_save_that_was_moved_away_leaves_the_words_that_save_the_fight() -> None:
    p = faulty(
        "the save was changed outside: it was moved or deleted",
        f"put the file back and send the line again, or {problems.SAVE_AS}",
    )
    assert ":saveas NAME" in p.picture()["now"][1]


def test_a_refusal_takes_the_second_row_rather_than_lose_its_help() -> None:
    p = Player(lines=FIGHT).press(":", "'condition Ana prone, poisoned'", "enter")
    told = " ".join(p.picture()["now"])
    assert "one word too many" in told
    assert "condition WHO NAME [rounds= until=" in told


def test_where_not_even_that_is_room_help_comes_first() -> None:
    p = Player(lines=FIGHT)
    p.size = (24, 6)
    p.press(":", "'condition Ana prone, poisoned and a good deal more'", "enter")
    assert p.picture()["now"][0].startswith("condition WHO NAME")


@pytest.mark.parametrize("shown", [False, True])
def test_a_setting_shows_on_which_rule_log_and_refusals_rest(shown: bool) -> None:
    """Without it a step's page names the rule."""
    p = Player("dynamic", ["add Ana kind=pc", "begin"], settings=Settings(rule_numbers=shown))
    p.size = (200, 24)
    p.press(*lines("lock"))
    assert p.picture()["now"][-1].startswith("Ana owes ")
    assert ("(DIS-4)" in p.picture()["now"][-1]) == shown
    assert ("(DIS-1)" in "".join(p.picture()["log"])) == shown
    p.desk.dismiss(focus="log", log=2)
    assert "(DIS-1)" in p.press("enter").text()
