"""Chaos under random play: nobody twice, nobody skipped, never stuck, whatever is edited in mid-round."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.bench_chaos import Bench
from tests.systems.counting import calls
from tests.systems.random_play import Game, Habits
from tui.core.fight.agenda import FormAsk
from tui.core.fight.encounter import Encounter, label
from tui.core.language.tokens import quote
from tui.systems.chaos.system import Chaos

ORDERS = [
    'movement="to the gate" action="attack or else Dodge"',
    'action="readies: once clear, shoot or else hide"',
    'ready="when it comes, bite"',
    'reaction="hit => Shield" reaction2="Counterspell if an enemy casts"',
    'action="attack or else readies a javelin" object="open the door"',
    'bonus="drink on a hit"',
    "",
]


def _keys(r: Random) -> str:
    some = ["bonus=2", "bonus=-1", "adv=adv", "adv=dis", "formation=5", "affected=2", "value=9"]
    return " ".join(x for x in some if r.random() < 0.2)


def _write(r: Random, ask: FormAsk) -> str:
    if any(f.key == "maintain" for f in ask.fields) and r.random() < 0.6:
        return 'action="wait" maintain=yes'
    return r.choice(ORDERS)


def _extra(r: Random, e: Encounter) -> Sequence[str]:
    names = [c.name for c in e.combatants.values()] or ["Nobody"]
    who, other, acting = quote(r.choice(names)), quote(r.choice(names)), quote(label(e, e.acting) or "Nobody")
    switches = [f"{f.key}={r.choice(f.choices)}" for f in Chaos.options if f.choices]
    return [
        *[f"fire {who}"] * 4, *[f"react {who}"] * 2, f"react {who} with Shield", f"react {who} with a shout", "lock", "unlock", "lock missing=empty", f"order {who} again=yes",
        *[f"else {acting} {r.choice(['action', 'ready', 'movement'])}"] * 3, f"order {who} {r.choice(ORDERS)}", f"option {r.choice(switches)}",
        f"target {who} among={other}", f'redirect {who} melee="{other.strip(chr(34))}:2"', f"set {who} value={r.choice(['', '7'])}",
        f"set {who} bonus={r.randint(-2, 4)}", f"set {who} adv={r.choice(['adv', 'dis', ''])}", f"add Wolf round={e.round + r.randint(0, 2)}",
    ]  # fmt: skip


HABITS = Habits(keys=_keys, write=_write, extra=_extra, sides=("red", "blue"))


def _options(r: Random) -> dict[str, Any]:
    found: dict[str, Any] = {f.key: r.choice(f.choices) for f in Chaos.options if f.choices}
    return found | {"tie.by_hand": r.random() < 0.2, "cha.ready_keeps_oa": r.random() < 0.5}


def random_fight(seed: str, steps: int) -> Game:
    random = Random(seed)
    game = Game("chaos", HABITS, random, _options(random) if random.random() < 0.7 else {})
    game.play(steps)
    return game


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 40))
def test_random_fights_keep_the_laws(seed: int, steps: int) -> None:
    assert random_fight(f"chaos {seed}", steps).encounter.system == "chaos"


@pytest.mark.long
@pytest.mark.parametrize("batch", range(100))
def test_ten_thousand_fights_are_never_stuck(batch: int) -> None:
    rounds = sum(random_fight(f"chaos {batch} {number}", 60).rounds for number in range(100))
    assert rounds > 100


def _work(creatures: int) -> dict[str, int]:
    """The calls behind lines of a round, with all that a screen asks after each."""
    bench = Bench(creatures)
    lines = {"order": "order Orc1 action=wait", "rest": "order orc* action=charge", "lock": "lock", "roll": "roll", "ok": "ok",
             "next": "next", "after": "next", "out": "out Orc3", "react": "react Orc2"}  # fmt: skip
    return {kind: calls(partial(bench.do, "", line)) for kind, line in lines.items()}


def test_a_line_among_200_creatures_works_no_more_than_linearly_harder() -> None:
    few, many = _work(20), _work(200)
    times = {kind: many[kind] / few[kind] for kind in few}
    dice = times.pop("roll")
    assert max(times.values()) < 12, times
    assert dice < 30, "ten times the creatures tie twenty times as often"
