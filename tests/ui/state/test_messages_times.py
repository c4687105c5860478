"""The times of turn and round: from the journal's times, against a clock from outside."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player, lines
from tui.store.dependencies import StoreEffects
from tui.ui.state.messages import BREAK_SECONDS, count_seconds, span

FIGHT = (
    "add Ana owner=Mia mod=9",
    "add Bo owner=Tom mod=5",
    "add Orc",
    "begin",
    "roll Ana 20",
    "roll Bo 15",
    "roll Orc 2",
)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Watch:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.passed = 0.0

    def __call__(self) -> str:
        return (NOON + timedelta(seconds=self.passed)).isoformat().replace("+00:00", "Z")


def timed(*lines: str) -> tuple[Player, Watch]:
    p, watch = Player(), Watch()
    old = p.store.effects
    p.store.effects = StoreEffects(old.ledger, old.dice, watch, old.library)
    for line in lines or FIGHT:
        p.store.run(line)
    return p, watch


def wait(p: Player, watch: Watch, seconds: float, *keys: str) -> Player:
    watch.passed += seconds
    return p.press(*keys)


def told(p: Player, watch: Watch, seconds: float) -> str:
    return wait(p, watch, seconds, *lines("times")).message()


def test_the_times_of_turn_and_round_are_said_when_they_are_asked_for() -> None:
    p, watch = timed()
    p.press("n")
    assert told(p, watch, 65) == "turn 1:05, round 1:05"
    wait(p, watch, 10, "n")
    assert told(p, watch, 0) == "turn 0:00, round 1:15"


def test_a_new_round_has_a_new_clock_and_undo_brings_the_old_one_back() -> None:
    p, watch = timed()
    p.press("n", "n", "n")
    wait(p, watch, 30, "n")
    assert "round 0:00" in told(p, watch, 0)
    p.press("u")
    assert "round 0:30" in told(p, watch, 0)


def test_before_a_fight_there_is_nothing_to_time() -> None:
    p, watch = timed("add Ana owner=Mia")
    assert "nothing is timed" in told(p, watch, 5)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (65.9, "1:05"), (3723, "1:02:03"), (600, "10:00")]
)
def test_spans_are_written_as_people_read_them(seconds: float, text: str) -> None:
    assert span(seconds) == text


@given(st.floats(0, 3e9), st.floats(-1e6, 1e6))
def test_a_clock_set_back_or_days_between_two_sessions_are_no_time_at_the_table(
    start: float, seconds: float
) -> None:
    one = datetime.fromtimestamp(start, UTC)
    other = one + timedelta(seconds=seconds)
    passed = count_seconds(one.isoformat(), other.isoformat())
    assert passed == pytest.approx(seconds if 0 <= seconds <= BREAK_SECONDS else 0.0, abs=1e-5)


def test_a_fight_that_is_resumed_after_days_counts_only_the_time_at_the_table() -> None:
    p, watch = timed()
    p.press("n")
    wait(p, watch, 80, ":", "'note late'", "enter")
    assert told(p, watch, 5 * 86_400) == "turn 1:20, round 1:20"
    wait(p, watch, 0, ":", "'note back again'", "enter")
    assert told(p, watch, 30) == "turn 1:50, round 1:50"
