"""Unbound initiative under random play: nobody twice, nobody skipped, never stuck."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.systems.random_play import Game, Habits
from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.language.tokens import quote
from tui.systems.unbound.order import may_pass
from tui.systems.unbound.system import Unbound

SIDES = ("heroes", "dark", "pack")


def _keys(r: Random) -> str:
    return r.choice(["per=2", "stealth=3", "per=-1 stealth=2", ""])


def _extra(r: Random, e: Encounter) -> Sequence[str]:
    who = quote(r.choice([c.name for c in e.combatants.values()] or ["Nobody"]))
    options = [
        f"{f.key}={r.choice(f.choices)}" for f in Unbound.options if f.choices and f.key != "unb.reset"
    ]
    return [
        f"surprised {who}", "surprised none", *[f"surprise {r.choice(SIDES)} by={r.choice(SIDES)}"] * 3, "pass", "pass",
        f"option {r.choice(options)}", f"set {who} side={r.choice(SIDES)}", f"move @{r.choice(SIDES)} before @dark",
    ]  # fmt: skip


def _anew(event: ev.Event) -> bool:
    """A round, or by house rule a faction all of whom have acted."""
    return isinstance(event, ev.RoundBegan) or (isinstance(event, ev.Unmarked) and event.mark == "acted")


HABITS = Habits(keys=_keys, extra=_extra, sides=SIDES)
LOOSE = Habits(keys=_keys, extra=_extra, sides=SIDES, new_span=_anew)


def play_options(r: Random) -> dict[str, str | bool]:
    found: dict[str, str | bool] = {f.key: r.choice(f.choices) for f in Unbound.options if f.choices}
    return found | {"unb.tie_notices": r.random() < 0.5, "tie.by_hand": r.random() < 0.2}


def _play(seed: int, steps: int) -> None:
    random = Random(seed)
    options = play_options(random) if seed % 3 else {}
    habits = LOOSE if options.get("unb.reset") == "own_faction" else HABITS
    Game("unbound", habits, random, options).play(steps)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 50))
def test_random_fights_keep_the_laws(seed: int, steps: int) -> None:
    _play(seed, steps)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(100))
def test_ten_thousand_fights_are_never_stuck(batch: int) -> None:
    for seed in range(100 * batch, 100 * batch + 100):
        _play(seed, 60)


@given(st.dictionaries(st.sampled_from("ABCDE"), st.integers(0, 9), min_size=1))
def test_readings_agree_with_two_sides_and_never_let_all_pass_but_by_laps(counts: dict[str, int]) -> None:
    """UNB-8: with two sides all readings but `never` are one; the largest never may pass against its equal."""
    for side, own in counts.items():
        combined = may_pass(counts, side, "combined")
        assert not may_pass(counts, side, "never")
        assert not may_pass(counts, side, "each") or combined
        assert not may_pass(counts, side, "two_sides_only") or combined
        if len(counts) == 2:
            assert may_pass(counts, side, "each") == may_pass(counts, side, "two_sides_only") == combined
            assert not (combined and own == max(counts.values()))
