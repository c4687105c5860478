"""A system that notes what the rules tell it of the roster."""

from __future__ import annotations

from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem


class Listener(InitiativeSystem):
    """A system that notes who joined and who left, in order; tests add what else they listen for."""

    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Note who joined."""
        del d
        self.heard.append(("joined", who))

    def left(self, d: Draft, who: tuple[str, ...]) -> None:
        """Note who left."""
        del d
        self.heard.append(("left", who))
