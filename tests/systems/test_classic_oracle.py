"""The common d20 order against a second, naive statement of its rules, over random fights with every
option."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.tiers import cases
from tests.kit.watched import State, Watched, due_for_order
from tests.systems.classic_habits import HABITS, play_options
from tests.systems.classic_habits import extra as usual
from tests.systems.oracle_classic import Oracle, coming
from tui.core.fight.encounter import Encounter
from tui.core.language.tokens import quote


def extra(r: Random, e: Encounter) -> Sequence[str]:
    """Edits that must move nobody, and those that may."""
    who, other = (quote(r.choice([c.name for c in e.combatants.values()] or ["Nobody"])) for _ in "ab")
    return [
        *usual(r, e), f"set {who} mod={r.randint(-2, 4)}", f"set {who} adv={r.choice(['adv', 'dis', ''])}",
        f"move {who} before {other}", f"move {who} after {other}", f"out {who}", f"remove {who}",
    ]  # fmt: skip


class Classic(Watched[Oracle]):
    """The track, the dice and the offer are what they must be."""

    def compare(self, new: State, said: str) -> None:
        due = [(d["who"], d["dice"]) for d in due_for_order(new) if d["kind"] == "roll"]
        owed = self.oracle.owed(new)
        if new["options"]["tie.by_hand"] and not due:
            assert bool(owed) == bool(due_for_order(new)), said
        else:
            assert due == owed, said
        if new["due"]:
            return
        assert [t["entry"] for t in new["track"]] == self.oracle.track(new), said
        if not new["acting"]:
            acts = [a.get("who", "") for a in new["offer"].get("acts", [])]
            assert acts == ([self.oracle.next(new)] if new["track"] or coming(new) else []), said


def compared(seed: int) -> int:
    random = Random(seed)
    options = dict(play_options(random)) if seed % 3 else {}
    game = Classic("classic", replace(HABITS, extra=extra), random, options, Oracle())
    game.play(40, edits=0.5)
    return game.compared


@cases(50)
@given(seed=st.integers(0, 10**6))
def test_random_fights_go_as_the_second_statement_says(seed: int) -> None:
    compared(seed)


def test_random_fights_are_compared_often() -> None:
    assert sum(compared(seed) for seed in range(5)) > 100
