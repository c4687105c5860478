"""Marks that several systems give: a plug-in may declare them as they are."""

from __future__ import annotations

from tui.core.fight.agenda import Mark

SURPRISED = Mark("surprised", "is surprised", tag="surprised", short="surprised", told=True, alarming=True)
BARRED = Mark("barred", "sits out", tag="barred", told=True)
"""Of no use to rows on the screen: their state says it."""
