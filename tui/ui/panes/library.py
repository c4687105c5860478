"""Lessons, samples, parties and the trash on the start screen: each leads to a list of its own."""

from __future__ import annotations

from tui.ui.panes.listing import ListPane

PANE = ListPane("library", "Learn and load", tab=3, rank=0).pane
