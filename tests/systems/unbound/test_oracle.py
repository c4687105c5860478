"""Unbound against a second, naive statement of its rules, over random fights with every option."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tests.kit.watched import State, Watched, due_for_order
from tests.systems.unbound.habits import HABITS, LOOSE, play_options
from tests.systems.unbound.oracle import Oracle


class Unbound(Watched[Oracle]):
    """Who chooses, among whom, who may pass, who owes which dice and who is surprised is what must be."""

    def compare(self, new: State, said: str) -> None:
        caught = {c["id"] for c in new["combatants"] if "surprised" in c["marks"]}
        assert caught == {k for k in self.oracle.surprised if k in {c["id"] for c in new["combatants"]}}, said
        due, owed = (
            [(d["who"], d["dice"]) for d in due_for_order(new) if d["kind"] == "roll"],
            self.oracle.owed(new),
        )
        if new["options"]["tie.by_hand"] and len(due) < len(due_for_order(new)):
            assert [who for who, dice in owed if dice == [12]], said
        else:
            assert due == owed, said
        if new["due"]:
            return
        assert [t["entry"] for t in new["track"]] == [k for k in self.oracle.line(new) if k in _sides(new)], (
            said
        )
        if not new["acting"]:
            acts = new["offer"].get("acts", [])
            turns = [a["who"] for a in acts if a["kind"] == "turn"]
            passing = any(a["kind"] == "pass" for a in acts)
            chooser, *_ = expected = self.oracle.offer(new)
            assert (new["offer"].get("chooser", ""), turns, passing) == expected, said
            may = [t["entry"] for t in new["track"] if t["state"] == "may"]
            assert may == [chooser] * (chooser in _sides(new)), said


def _sides(state: dict[str, Any]) -> set[str]:
    return {t["entry"] for t in state["track"]}


def compared(seed: int) -> int:
    random = Random(seed)
    options = dict(play_options(random)) if seed % 3 else {}
    habits = LOOSE if options.get("unb.reset") == "own_faction" else HABITS
    game = Unbound("unbound", habits, random, options, Oracle())
    game.play(40, edits=0.5)
    return game.compared


@cases(50)
@given(seed=st.integers(0, 10**6))
def test_random_fights_go_as_the_second_statement_says(seed: int) -> None:
    compared(seed)


def test_random_fights_are_compared_often() -> None:
    assert sum(compared(seed) for seed in range(5)) > 100
