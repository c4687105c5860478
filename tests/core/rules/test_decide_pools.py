"""Players read one amount of a pool of damage, and its shares only where hit points are open."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.fight.viewer import viewer_of
from tui.core.views.log import story


def told(fight: Table, line: str, viewer: str | None) -> list[str]:
    """Return what a viewer reads of a line."""
    fight.do(line)
    store = fight.store
    before, events = store.at(store.step - 1), store.done(store.step).events
    return [x.text for x in story(before, events, viewer_of(viewer), store.system)]


@pytest.mark.parametrize("hp", [1, 3, 7, 40])
@pytest.mark.parametrize("hidden", ["", 'hide "Orc 2"', 'hide "Orc 1"', 'damage "Orc 1" 40'])
def test_what_players_read_does_not_depend_on_hit_points(hp: int, hidden: str) -> None:
    fight = Table("classic")
    fight.do("add Ana owner=Mia", f"add 3 Orc hp={hp} group=Orcs", "option view.health=none")
    if hidden:
        fight.do(hidden)
    assert told(fight, "damage Orcs 17 pool=yes", "Mia") == ["Orcs take 17 damage"]
