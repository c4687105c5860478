"""Cards against a second, naive statement of the rules, over random fights."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_play import Chance
from tests.kit.tiers import cases, share
from tests.kit.watched import State, Watched, due_for_order
from tests.systems.custom_habits import CARDS
from tests.systems.oracle_cards import NAMES, Oracle
from tui.core.base.errors import RuleError
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, decide


class Dealt(Watched[Oracle]):
    """The track, the cards that are owed and the offer are what they must be."""

    def compare(self, new: State, said: str) -> None:
        owed = [(d["who"], d["dice"]) for d in due_for_order(new) if d["kind"] == "roll"]
        assert owed == self.oracle.owed(new), said
        assert [(t["entry"], t.get("face", "")) for t in new["track"]] == self.oracle.track(new), said
        if due_for_order(new) == new["due"]:  # else faces are those of a save first
            self.probe(owed, said)
        if new["acting"] or new["due"] or not new["track"]:
            return
        acts = new["offer"].get("acts", [])
        following = self.oracle.next(new)
        assert [a["kind"] for a in acts] == (["turn"] if following else ["round"]), said
        assert [a["who"] for a in acts if a["kind"] == "turn"] == following, said

    def probe(self, owed: Sequence[tuple[str, list[int]]], said: str) -> None:
        """A card of the deck could be typed for who owes one, and no other; nothing comes of it."""
        name = Random(said).choice(NAMES)
        for who, _ in owed[:1]:
            taken = self._takes(f"roll {quote(who)} {name}")
            assert taken == self.oracle.left(name), f"{name} is {'' if taken else 'not '}taken:\n{said}"

    def _takes(self, line: str) -> bool:
        try:
            decide(self.encounter, parse(line), Rules(self.registry, Chance(Random(0)), "app"))
        except RuleError:
            return False
        return True


CROWDS = {0: "add 60 Crow", 1: "add 14 Crow", 2: "add 25 Crow"}
"""Many at once, for a deck that is soon dealt out."""


def played(seed: int) -> Dealt:
    game = Dealt("cards", CARDS, Random(seed), {}, Oracle())
    if crowd := CROWDS.get(seed % 40):
        game.say(f"{crowd} side=pack")
    game.play(40, edits=0.5)
    while crowd and game.rounds < 3 and len(game.log) < share(1_000):
        game.go_on()
    return game


@cases(100)
@given(seed=st.integers(0, 10**9))
def test_random_fights_go_as_the_second_statement_says(seed: int) -> None:
    played(seed)
