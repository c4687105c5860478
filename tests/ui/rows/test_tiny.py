"""Every pane at every size down to one column and line, empty and in a fight, with marks and with words."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import FIGHT, Player
from tests.kit.tiers import third_of
from tui.ui.panes.screen import TAB, shown_panes
from tui.ui.state.layout import Pane
from tui.ui.state.scene import focus
from tui.ui.state.settings import Settings

SIZES = [(width, height) for width in (*range(1, 14), 20, 59, 60, 80) for height in (1, 2, 3, 5, 18, 24)]


@pytest.mark.law
@pytest.mark.parametrize("pane", TAB)
@pytest.mark.parametrize("settings", [Settings(), Settings(ascii=True), Settings(a11y=True)])
@pytest.mark.parametrize("lines", [(), FIGHT, (*FIGHT, "undo 4")])
def test_every_pane_is_drawn_at_every_size(pane: Pane, settings: Settings, lines: tuple[str, ...]) -> None:
    p = Player(lines=lines, settings=settings)
    p.desk.show(focus=pane)
    for size in third_of(SIZES, TAB.index(pane) + len(lines)):
        p.size = size
        drawn = p.picture()
        if size[1] > 3 and focus(p.desk.scene) in shown_panes(p.desk.scene):
            # Before the fight nobody has a place: the roster stands where the track will be.
            assert focus(p.desk.scene) in drawn
