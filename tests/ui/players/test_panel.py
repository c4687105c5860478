"""What a seat asks of its player and what it says of the others agree, in every system under random play."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_fights import fight
from tests.kit.random_play import Game
from tests.kit.tiers import cases
from tui.core.fight.viewer import viewer_of
from tui.core.views.player_page import page_for
from tui.core.views.table_for import table_for
from tui.systems import Registry
from tui.ui.players.page import PlayerPage, read_page
from tui.ui.players.panel import tasks


def page(game: Game, name: str) -> PlayerPage:
    """The page of a viewer, as a terminal reads it."""
    viewer = viewer_of(name)
    table = table_for(game.encounter, game.rules, viewer)
    found = read_page(msgspec.json.encode(page_for(game.encounter, game.rules, viewer, table, ())))
    assert found
    return found


@pytest.mark.parametrize("system", Registry().ids())
@cases(40)
@given(seed=st.integers(0, 10**6), steps=st.integers(1, 25))
def test_the_moment_names_whoever_a_seat_asks(system: str, seed: int, steps: int) -> None:
    game = fight(system, seed, steps)
    mine, public = page(game, "Lia"), page(game, "")
    asks = [task for task in tasks(mine) if task.choose != "end"]
    assert mine.now.mine or not asks, (mine.now, asks)
    if any(c.hidden for c in game.encounter.combatants.values()) or public.state.due:
        return
    # Without a secret everybody reads of a player who may begin a turn.
    may_begin = bool(mine.seat.choices.get("turn"))
    is_named = "Lia" in public.now.lead or public.now.lead.endswith("who acts")
    assert public.now.kind == "acts" or is_named >= may_begin, (public.now, mine.now)
