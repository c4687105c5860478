"""SVG: the plots alone."""

from __future__ import annotations

from tui.exchange.story.plots import sheet
from tui.exchange.story.story import Fight, StoryFormat


def write(fight: Fight) -> str:
    """Hit points and order of turns as one picture."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + sheet(fight.story) + "\n"


SVG = StoryFormat("svg", "the plots as a picture", write)
