"""A refusal to a player tells nothing that this player may not know.

In two fights that are equal to her, Mia is answered alike, byte for byte, whatever her line names.

The two fights differ in the creatures that nobody sees, in their group and side, in the true name behind an
alias and in a hidden condition; her lines name all of them, and what exists in neither.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.views.room import KINDS, Room, moment_of, refusals
from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.kit.two_fights import UNLIKE
from tui.core.fight.standpoint import Standpoint
from tui.core.fight.viewer import viewer_of
from tui.store.seats.inbox import SeatAnswer
from tui.store.seats.intake import Judge
from tui.store.sources import SeededDice


@pytest.mark.parametrize(
    ("system", "options"), KINDS, ids=[f"{x} {'duel' if o else ''}".strip() for x, o in KINDS]
)
@cases(15)
@given(seed=st.integers(0, 10**6), unseen=UNLIKE)
def test_a_refusal_says_nothing_of_what_is_not_known(
    system: str, options: dict[str, str], seed: int, unseen: tuple[int, int]
) -> None:
    refusals(system, seed, 12, unseen, options)


@pytest.mark.parametrize(("system", "options"), KINDS)
def test_real_fights_are_compared(system: str, options: dict[str, str]) -> None:
    """The law is asked of many lines at many moments, and of lines that are taken too."""
    assert sum(refusals(system, seed, 12, (0, 2), options) for seed in range(3)) > 60


def test_a_hidden_name_and_one_that_nobody_has_are_refused_in_the_same_words() -> None:
    room = Room("chaos", 1, 2, "Warg", {})
    room.say("begin")
    state = room.state()
    now = moment_of(state, Random(1))
    told = {
        name: room.answer(f"order {name} action=x", now)
        for name in ("Lurk", "Qurk", "Shade", "Coven", "Warg", "@cult")
    }
    hints = "there are: Ana, Bo, Orc, Beast, Cat"
    assert (told["Lurk"].why, told["Lurk"].hint) == ('no combatant is called "Lurk"', hints)
    assert {
        name: reply.why.replace(name, "…") for name, reply in told.items() if name[0] != "@"
    } == dict.fromkeys(("Lurk", "Qurk", "Shade", "Coven", "Warg"), 'no combatant is called "…"')
    assert told["@cult"].why == 'no side or group is called "cult"'


@pytest.mark.parametrize("system", ["chaos", "dynamic"])
@pytest.mark.parametrize(
    "unseen", [("damage Lurk 1",), ("damage Lurk 1", "undo"), ("add 2 Shade hidden=yes",)]
)
def test_a_player_who_rewrites_an_order_does_not_learn_that_something_unseen_has_happened(
    system: str, unseen: tuple[str, ...]
) -> None:
    def shown(between: tuple[str, ...]) -> list[Any]:
        store = Table(system, dice=SeededDice(3)).store
        for line in ("add Ana owner=Mia hp=9", "add Orc hp=7", "add Lurk hp=9 hidden=yes", "begin"):
            store.run(line)
        mia, judge, answers = viewer_of("Mia"), Judge(store), list[Any]()
        for number, words in enumerate(("action=a", "action=b", "action=c") if system == "chaos" else DEEDS):
            state = store.table(mia)
            moment = Standpoint(state.round, state.phase, state.acting, state.step, "")
            answer = SeatAnswer(store.name, "Mia", number + 1, moment, f"order Ana {words}", "", 1)
            reply = judge.hear(answer, "mia 1").reply
            assert reply.became == "taken", reply
            answers += [reply, store.table(mia), store.heard(mia, 50)]
            for line in between:
                store.run(line)
        return [*answers, store.table(mia), store.heard(mia, 50)]

    assert shown(()) == shown(unseen)


DEEDS = ("weapon=1d8", "weapon=1d6", "move=yes")
