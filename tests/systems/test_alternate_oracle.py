"""Alternating sides against a second, naive statement of its rules, over random fights with every option."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tests.kit.watched import State, Watched, due_for_order
from tests.systems.custom_habits import ALTERNATE
from tests.systems.oracle_alternate import Oracle


class Alternating(Watched[Oracle]):
    """Who rolls or names, which side chooses, among whom, and how the track stands is what must be."""

    def compare(self, new: State, said: str) -> None:
        owed = [
            (d["kind"], d["who"], d["dice"] if d["kind"] == "roll" else d["names"])
            for d in due_for_order(new)
        ]
        assert owed == self.oracle.owed(new), said
        assert [(t["entry"], t["state"]) for t in new["track"]] == self.oracle.track(new), said
        if not (new["due"] or new["acting"]):
            acts = [a["who"] for a in new["offer"].get("acts", []) if a["kind"] == "turn"]
            assert (new["offer"].get("chooser", ""), acts) == self.oracle.offer(new), said


def compared(seed: int) -> int:
    random = Random(seed)
    options = dict(ALTERNATE.options(random)) if seed % 3 else {}
    game = Alternating("alternate", ALTERNATE, random, options, Oracle())
    game.play(40, edits=0.5)
    return game.compared


@cases(50)
@given(seed=st.integers(0, 10**6))
def test_random_fights_go_as_the_second_statement_says(seed: int) -> None:
    compared(seed)


def test_random_fights_are_compared_often() -> None:
    assert sum(compared(seed) for seed in range(5)) > 100
