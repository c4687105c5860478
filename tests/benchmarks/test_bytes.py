"""Bounds for the bytes of a key, in the fight used for other trackers and in every sample."""

from __future__ import annotations

import statistics

import pytest

from tests.benchmarks.bench_bytes import KEYS, Sent, classic, goes_on, sample
from tests.samples import NAMES

FIRST, FULLEST, NEXT, ROUND, ROW, TAB, DAMAGE, ASKED, UNDO = 1_240, 1_600, 150, 186, 22, 340, 103, 395, 143
WORST = 0.165
"""Of what a plain differ would send for the same two pictures: the median of the keys that go on.

Little above what the samples need: without one of its ways to save bytes the wire is beyond it in a sample.
"""


def test_the_keys_of_a_classic_fight_cost_no_more_than_is_promised() -> None:
    meter = classic()
    assert meter.first <= FIRST
    sent = [meter.press(key) for key in KEYS]

    def of(*keys: str) -> list[Sent]:
        return [x for x in sent if x.key in keys]

    assert statistics.median(x.now for x in of("n")) <= NEXT
    assert max(x.now for x in of("j", "k")) <= ROW
    start = KEYS.index("4") - 1
    assert KEYS[start : start + 3] == ("d", "4", "enter")
    assert sum(x.now + x.later for x in sent[start : start + 3]) <= ASKED
    assert max(x.now for x in of("u")) <= UNDO
    assert of("escape")[-1].now <= FIRST, "the help covers everything"


def test_damage_sends_its_line_of_the_log_and_the_new_hit_points() -> None:
    meter = classic()
    assert [meter.press(key).now for key in ("5", "d")][1] <= DAMAGE


def test_tab_sends_the_pane_that_has_the_keys_and_no_other() -> None:
    meter = classic()
    for _ in range(4):
        track = meter.terminal.lines_of_text()[2:11]
        assert meter.press("tab").now <= TAB
        shown = meter.terminal.lines_of_text()[2:11]
        assert [row[1:48] for row in shown] == [row[1:48] for row in track], "the order stays in sight"


def test_the_first_turn_of_a_round_costs_no_more_than_is_promised() -> None:
    """All marks change then, and names do not."""
    meter = classic()
    began: list[int] = []
    for _ in range(30):
        round_ = meter.desk.store.encounter.round
        sent = meter.press("n").now
        began += [sent] if meter.desk.store.encounter.round > round_ else []
    assert len(began) > 1
    assert max(began) <= ROUND


@pytest.mark.parametrize("name", NAMES)
def test_in_every_system_going_on_costs_a_sixth_of_a_plain_differ(name: str) -> None:
    meter = sample(name)
    assert meter.first <= FULLEST
    assert statistics.median(x.now / max(1, x.need) for x in goes_on(meter)) <= WORST
