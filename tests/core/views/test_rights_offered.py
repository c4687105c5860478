"""What a player's terminal offers is what its player may send: no more of turns, no less of anything."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.views.room import KINDS, Room, moment_of
from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.kit.two_fights import MIA, Differs, policy
from tui.core.fight.viewer import Viewer
from tui.core.language.grammar import ACTIONS
from tui.core.language.tokens import quote
from tui.core.published_page import Seat
from tui.core.views.player_page import seat_for

TURNS = ("turn", "pass", "end")
HINTED = re.compile("`([^`]+)`")
UNSEEN = "that cannot be done now"


def offered(room: Room) -> dict[str, list[str]]:
    """The whole lines that the page of Mia's terminal offers, by their verb."""
    seat = seat_for(room.table.encounter, room.system, MIA)
    return {verb: [x.line for x in found] for verb, found in seat.choices.items()}


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
            state = room.state()
            found, moment = offered(room), moment_of(state, Random(0))
            for verb, lines in found.items():
                for line in chance.sample(lines, min(len(lines), 4)):
                    reply = room.answer(line, moment)
                    # Something unseen may hold it up, of which nothing is said.
                    assert reply.became == "taken" or reply.why == UNSEEN, (line, reply)
                    count[verb] += 1
            if not options:
                turns = [line for verb in TURNS for line in found.get(verb, ())]
                for line in asked(state):
                    if line not in turns:
                        reply = room.answer(line, moment)
                        assert reply.became == "refused", (line, turns)
                        assert reply.hint, (line, reply)
                        verbs = {hint.split()[0] for hint in HINTED.findall(reply.hint)} & ACTIONS.keys()
                        assert verbs <= {"turn", "pass", "roll"}, (line, reply)
            room.say(policy(state, chance))
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


def seat(t: Table, name: str) -> Seat:
    """What the page of a player's terminal says that may be sent."""
    return seat_for(t.encounter, t.store.system, Viewer(name, gm=False))


def titles(t: Table, name: str) -> dict[str, list[tuple[str, str]]]:
    """Lines with their titles, by verb."""
    found = seat(t, name).choices.items()
    return {verb: [(x.line, x.title) for x in lines] for verb, lines in found}


def test_turns_are_offered_by_name_and_a_pass_as_such() -> None:
    t = Table("unbound")
    t.do('add "Ana Bel" owner=Mia side=red', "add Bo owner=Jon side=blue", "add 2 Orc side=blue", "begin")
    t.do("roll", dice=[9, 3])
    assert titles(t, "Mia") == {"turn": [('turn "Ana Bel"', "Ana Bel")], "pass": [("pass", "pass")]}
    assert titles(t, "Jon") == {}
    assert seat(t, "") == Seat()
    t.do('turn "Ana Bel"')
    assert titles(t, "Mia") == {"end": [("end", "Ana Bel")]}
    t.do("finish")
    assert seat(t, "Mia") == Seat()


def test_orders_may_be_written_again_under_the_name_of_their_row() -> None:
    t = Table("chaos")
    t.do("add Ana owner=Mia", "add 2 Cat owner=Mia group=Cats", "add Orc", "begin")
    assert seat(t, "Mia").forms == {}
    t.do("order Ana action=run", "order Cats action=hide")
    assert list(seat(t, "Mia").forms) == ["Ana", "Cats"]
    assert [f.key for f in seat(t, "Mia").forms["Cats"]][:2] == ["movement", "action"]
    assert seat(t, "Jon").forms == {}
    assert seat(t, "Mia").helps.keys() >= {"movement", "reaction"}
