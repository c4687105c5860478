"""Clocks of turn and round: from the journal's times, against a clock from outside, and only with keys."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tui.store.dependencies import StoreEffects
from tui.ui.state.clocks import BREAK_SECONDS, Elapsed, count_seconds, shares, span, write_clocks

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


def test_the_clocks_are_shown_on_demand() -> None:
    p, watch = timed()
    p.press("n")
    assert "turn 0:" not in p.text()
    wait(p, watch, 65, ";")
    assert "turn 1:05, round 1:05" in p.picture()["header"][0]
    wait(p, watch, 10, "n")
    assert "turn 0:00, round 1:15" in p.picture()["header"][0]
    p.press(";")
    assert "round 1:" not in p.picture()["header"][0]


def test_the_palette_shows_them_too_where_no_key_has_yet_told_the_time() -> None:
    p, watch = timed()
    p.press("n")
    wait(p, watch, 65, "ctrl+p", "'clocks of turn'", "enter")
    assert p.desk.view.has_clock
    assert "turn 1:05" in p.picture()["header"][0]


def test_they_go_on_with_keys_only() -> None:
    p, watch = timed()
    p.press("n", ";")
    before = p.text()
    watch.passed += 600
    assert p.text() == before
    p.press("j")
    assert "turn 10:00" in p.text()


def test_a_new_round_has_a_new_clock_and_undo_brings_the_old_one_back() -> None:
    p, watch = timed()
    p.press(";", "n", "n", "n")
    wait(p, watch, 30, "n")
    assert "round 0:00" in p.text()
    p.press("u")
    assert "round 0:30" in p.text()


def test_every_player_has_a_share() -> None:
    p, watch = timed()
    p.press("n")
    wait(p, watch, 60, "n")
    wait(p, watch, 20, "n")
    wait(p, watch, 5, "n")
    wait(p, watch, 30, ":", "'clock'", "enter")
    told = " ".join(" ".join(p.picture()["orders"]).split())
    assert "Mia: 1:30 in 2 turns, 0:45 each, the longest 1:00" in told
    assert "Tom: 0:20 in 1 turn, 0:20 each, the longest 0:20" in told
    assert "game master: 0:05 in 1 turn" in told
    assert "turn 0:30, round 0:30" in told


def test_before_a_fight_there_is_nothing_to_time() -> None:
    p, _ = timed("add Ana owner=Mia")
    p.press(";", ":", "'clock'", "enter")
    assert "Nothing ticks" in " ".join(" ".join(p.picture()["orders"]).split())


def test_a_turn_that_waits_for_another_does_not_go_on() -> None:
    from tui.core.fight import events as ev
    from tui.store.history import Step

    def at(second: int, *events: ev.Event) -> Step:
        return Step((NOON + timedelta(seconds=second)).isoformat(), "", events)

    p, _ = timed()
    people = p.store.encounter.combatants
    steps = [
        at(0, ev.TurnBegan("c1", ("c1",))),
        at(10, ev.TurnPaused(), ev.TurnBegan("c3", ("c3",))),
        at(40, ev.TurnEnded("c3", ("c3",)), ev.TurnResumed()),
        at(45, ev.TurnEnded("c1", ("c1",))),
    ]
    found = shares(steps, people, steps[-1].at)
    assert {who: share.total for who, share in found.items()} == {"Mia": 15.0, "game master": 30.0}


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
    assert write_clocks(Elapsed(one.isoformat(), 5.0), other.isoformat()) == f"turn {span(5 + passed)}"


def test_a_fight_that_is_resumed_after_days_counts_only_the_time_at_the_table() -> None:
    p, watch = timed()
    p.press(";", "n")
    wait(p, watch, 60, "j")
    wait(p, watch, 20, "N", "'late'", "enter")
    wait(p, watch, 5 * 86_400, "j")
    assert "turn 1:20, round 1:20" in p.text()
    wait(p, watch, 0, "N", "'back again'", "enter")
    wait(p, watch, 30, "j")
    assert "turn 1:50, round 1:50" in p.text()
    p.press(":", "'clock'", "enter")
    assert "Mia: 1:50 in 1 turn" in " ".join(" ".join(p.picture()["orders"]).split())
