"""Cards against a second, naive statement of the rules, over random fights."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.systems.custom_habits import CARDS
from tests.systems.oracle_cards import Oracle
from tests.systems.watched import State, Watched
from tests.tiers import cases


class Dealt(Watched[Oracle]):
    """The track, the cards that are owed and the offer are what they must be."""

    def compare(self, new: State, said: str) -> None:
        owed = [(d["who"], d["dice"]) for d in new["due"] if d["kind"] == "roll"]
        assert owed == self.oracle.owed(new), said
        assert [(t["entry"], t.get("face", "")) for t in new["track"]] == self.oracle.track(new), said
        if new["acting"] or new["due"] or not new["track"]:
            return
        acts = new["offer"].get("acts", [])
        following = self.oracle.next(new)
        assert [a["kind"] for a in acts] == (["turn"] if following else ["round"]), said
        assert [a["who"] for a in acts if a["kind"] == "turn"] == following, said


def played(seed: int) -> Dealt:
    game = Dealt("cards", CARDS, Random(seed), {}, Oracle())
    game.play(40, edits=0.5)
    return game


@cases(2000)
@given(seed=st.integers(0, 10**9))
def test_random_fights_go_as_the_second_statement_says(seed: int) -> None:
    played(seed)
