"""The common d20 order against a second, naive statement of its rules, over random fights with every option."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from tests.systems.oracle_classic import Oracle
from tests.systems.random_play import Game
from tests.systems.test_classic import HABITS, play_options
from tests.systems.test_classic import extra as usual
from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import Viewer
from tui.core.language.tokens import quote
from tui.core.views.json import state


def extra(r: Random, e: Encounter) -> Sequence[str]:
    """Edits that must move nobody, and those that may."""
    who, other = (quote(r.choice([c.name for c in e.combatants.values()] or ["Nobody"])) for _ in "ab")
    return [
        *usual(r, e), f"set {who} mod={r.randint(-2, 4)}", f"set {who} adv={r.choice(['adv', 'dis', ''])}",
        f"move {who} before {other}", f"move {who} after {other}", f"out {who}", f"remove {who}",
    ]  # fmt: skip


class Watched(Game):
    """A random fight beside which the oracle is asked after every step."""

    def __init__(self, random: Random, options: dict[str, Any]) -> None:
        super().__init__("classic", replace(HABITS, extra=extra), random, options)
        self.oracle, self.compared = Oracle(), 0
        self.public = state(self.encounter, self.rules, Viewer())

    def laws(self, before: Encounter, events: tuple[ev.Event, ...]) -> None:
        """What the track, the dice and the offer are is what they must be."""
        old, new = self.public, state(self.encounter, self.rules, Viewer())
        self.public = new
        fallen = [(x.ask, x.who, list(x.faces)) for x in events if isinstance(x, ev.Rolled)]
        self.oracle.step(self.log[-1], old, fallen, new)
        if self.encounter.running:
            self._compare(new)

    def _compare(self, new: dict[str, Any]) -> None:
        said, self.compared = "\n".join(self.log), self.compared + 1
        due = [(d["who"], d["dice"]) for d in new["due"] if d["kind"] == "roll"]
        owed = self.oracle.owed(new)
        if new["options"]["tie.by_hand"] and not due:
            assert bool(owed) == bool(new["due"]), said
        else:
            assert due == owed, said
        if new["due"]:
            return
        assert [t["entry"] for t in new["track"]] == self.oracle.track(new), said
        if not new["acting"]:
            acts = [a.get("who", "") for a in new["offer"].get("acts", [])]
            assert acts == ([self.oracle.next(new)] if new["track"] else []), said


def compared(seed: int) -> int:
    random = Random(seed)
    game = Watched(random, dict(play_options(random)) if seed % 3 else {})
    game.play(40, edits=0.5)
    return game.compared


@pytest.mark.parametrize("batch", range(10))
def test_fifty_random_fights_go_as_the_second_statement_says(batch: int) -> None:
    assert sum(compared(seed) for seed in range(5 * batch, 5 * batch + 5)) > 100


@pytest.mark.long
@pytest.mark.parametrize("batch", range(100))
def test_a_thousand_random_fights_go_as_the_second_statement_says(batch: int) -> None:
    for seed in range(1000 + 10 * batch, 1010 + 10 * batch):
        compared(seed)
