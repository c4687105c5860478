"""A whole fight of each system in which the players do from their seats all that its rules ask of players.

Players know nothing but their page: they write, roll, choose who of their side acts, pass, react, switch and
end their turns. The GM leads the others, and answers nothing that is a player's to answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.seats import DUEL
from tests.store.seats.evening import PLAYERS, SETUP, Evening
from tui.store.seats.host import auto_play
from tui.systems import Registry

ROUNDS = 4

COMMON = {"roll", "react", "made", "failed", "total"}
TURNS = {"turn", "end"}
WANTED = {
    "classic": COMMON | TURNS,
    "chaos": COMMON | {"order", "fire"},
    "dungeon-universalis": COMMON | TURNS,
    "dungeon-track": COMMON | TURNS,
    "dynamic": COMMON | TURNS | {"order", "switch"},
    "unbound": COMMON | TURNS | {"pass"},
}
"""The words that the rules of a system want of its players."""
THROWN = {
    "classic": {"CLASSIC-1", "CLASSIC-2"},
    "chaos": {"CHA-12", "CHA-A1"},
    "dungeon-universalis": {"DUN-10", "DUN-13"},
    "dungeon-track": {"TRK-2", "TRK-4", "TRK-7", "TRK-13", "DUN-13"},
    "dynamic": {"DIS-5", "DIS-6", "DIS-17"},
    "unbound": {"UNB-2", "UNB-5", "UNB-15"},
}
"""The rolls of a system that players owe, by the clause that wants them."""


FIGHTS = [*((x, {}) for x in Registry().ids()), ("chaos", DUEL)]


@pytest.fixture
def evening(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Evening]:
    found = Evening(tmp_path, *request.param)
    yield found
    found.hall.close()


@pytest.mark.parametrize(
    "evening", FIGHTS, ids=[f"{x} {'duel' if o else ''}".strip() for x, o in FIGHTS], indirect=True
)
def test_players_do_all_that_the_rules_ask_of_them(evening: Evening) -> None:
    store = evening.hall.store
    if evening.alone:
        assert evening.acts("Mia")
    else:
        evening.hall.do("begin", *SETUP.get(evening.system, ()))
    for _ in range(600):
        if store.encounter.round > ROUNDS:
            break
        evening.ask()
        if evening.players_act():
            continue
        if evening.alone:
            assert auto_play(store), f"nobody goes on: {store.table().now}"
        else:
            evening.leads()
    assert store.encounter.round > ROUNDS, store.table().now
    if evening.alone:
        for word in ("undo", "finish"):
            taken = [evening.send(player, word, surely=False) for player in PLAYERS]
            assert taken == [False, True], "it takes both"
    assert evening.sent >= evening.asked, evening.asked - evening.sent
    assert evening.thrown >= evening.owed, evening.owed - evening.thrown
    # Of a system that is not ours, no more is known than what it asked for in the fight.
    assert evening.sent >= WANTED.get(evening.system, set()) - (COMMON if evening.alone else set())
    assert evening.thrown >= THROWN.get(evening.system, set()) - {"CHA-A1"}, evening.thrown
    assert evening.hall.said == []
