"""What a player's terminal offers is what its player may send: no more of turns, no less of anything."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.views.test_non_interference import MIA, Differs, policy
from tests.core.views.test_refusals import KINDS, Room, moment_of
from tests.tiers import cases
from tui.core.language.grammar import ACTIONS
from tui.core.language.tokens import quote
from tui.core.views.page import seated

TURNS = ("turn", "pass", "end")
HINTED = re.compile("`([^`]+)`")
UNSEEN = "that cannot be done now"


def offered(room: Room) -> dict[str, list[str]]:
    """The whole lines that the page of Mia's terminal offers, by their verb."""
    seat = seated(room.table.encounter, room.system, MIA)
    return {verb: [x["line"] for x in found] for verb, found in seat.get("choices", {}).items()}


def asked(state: dict[str, Any]) -> list[str]:
    """Every turn, pass and end of a turn that somebody at a seat might send."""
    names = [*(c["name"] for c in state["combatants"]), *(x["name"] for x in state["sides"])]
    ends = ["end"] if state["acting"] else []
    return ["pass", *ends, *(f"turn {quote(name)}" for name in names)]


def offers(system: str, seed: int, steps: int, options: dict[str, str]) -> Counter[str]:
    """How many lines of each verb a fight has offered; some of each are sent, and taken."""
    room, chance, count = Room(system, seed, 1, "Warg", options), Random(seed), Counter[str]()
    try:
        for _ in range(steps):
            room.stir()
            room.catch_up()
            shown = room.shown()
            found, moment = offered(room), moment_of(shown[0], Random(0))
            for verb, lines in found.items():
                for line in chance.sample(lines, min(len(lines), 4)):
                    reply = room.answer(line, moment)
                    # Something unseen may hold it up, of which nothing is said.
                    assert reply.became == "taken" or reply.why == UNSEEN, (line, reply)
                    count[verb] += 1
            if not options:
                turns = [line for verb in TURNS for line in found.get(verb, ())]
                for line in asked(shown[0]):
                    if line not in turns:
                        reply = room.answer(line, moment)
                        assert reply.became == "refused", (line, turns)
                        assert reply.hint, (line, reply)
                        verbs = {hint.split()[0] for hint in HINTED.findall(reply.hint)} & ACTIONS.keys()
                        assert verbs <= {"turn", "pass", "roll"}, (line, reply)
            room.say(policy(shown, chance))
    except Differs:
        pass
    return count


@pytest.mark.parametrize(
    ("system", "options"), KINDS, ids=[f"{x} {'duel' if o else ''}".strip() for x, o in KINDS]
)
@cases(3)
@given(seed=st.integers(0, 10**6))
def test_what_a_seat_offers_is_taken_and_no_other_turn_is(
    system: str, options: dict[str, str], seed: int
) -> None:
    offers(system, seed, 12, options)
