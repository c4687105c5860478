"""The systems of the start screen, in which a new fight can be started."""

from __future__ import annotations

from tui.ui.panes.listing import ListPane

MORE = "a number, then Enter"
PANE = ListPane("systems", "New fight", tab=2, rank=2, least=6, more=MORE, numbered=True).pane
