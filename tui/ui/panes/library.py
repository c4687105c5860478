"""Lessons, samples, parties and the trash on the start screen; Enter opens a list of them."""

from __future__ import annotations

from tui.ui.panes.listing import ListPane

PANE = ListPane("library", "Learn and load", tab=3, rank=0).pane
