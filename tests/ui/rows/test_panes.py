"""The panes: each is in the list, under a name of its own, and no key of Tab stands for two of them."""

from __future__ import annotations

import importlib
import pkgutil

from tui.ui import panes
from tui.ui.panes.pane import Pane
from tui.ui.panes.screen import PANES, PARTS, START_PANES, TAB


def test_every_pane_is_in_the_list() -> None:
    left_out = []
    for found in pkgutil.iter_modules(panes.__path__, "tui.ui.panes."):
        module = importlib.import_module(found.name)
        some = [value for value in vars(module).values() if isinstance(value, Pane)]
        left_out += [found.name for pane in some if pane not in (*PANES, *START_PANES)]
    assert left_out == []


def test_no_two_panes_have_the_same_name_or_place_in_the_order_of_tab() -> None:
    assert len(set(PARTS)) == len(PANES)
    assert len({pane.name for pane in START_PANES}) == len(START_PANES)
    assert len({pane.tab for pane in PANES if pane.tab}) == len(TAB)
