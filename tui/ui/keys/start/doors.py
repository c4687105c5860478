"""What the start screen reaches: the shelf of saves, and the ways into a fight. All as callbacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from tui.core.base.errors import RuleError
from tui.store.shelf import Brief, Contents

How = Literal["write", "look", "take"]
"""How a save is opened: to be written, only looked at, or taken over from who writes it."""


class Taken(RuleError):  # noqa: N818 - named after what it is, as the errors of the store
    """A save cannot be opened for writing; `taken`: because somebody else writes it, who may be asked to leave."""

    def __init__(self, path: str, message: str, *, taken: bool) -> None:
        self.path, self.taken = path, taken
        super().__init__(message, "look on without writing" + (", or take it over" if taken else ""))


class Shelf(Protocol):
    """What stands in the folder of saves."""

    def contents(self) -> Contents:
        """What stands there now."""

    def briefs(self) -> Mapping[str, Brief]:
        """How fights stand, by path, as far as they have been read."""


class Doors(Protocol):
    """The ways on. Whatever cannot be done raises RuleError, and nothing has changed."""

    def open(self, path: str, how: How = "write") -> None:
        """Shows a save. Raises Taken where it can only be looked at."""

    def new(self, name: str, system: str, party: str) -> None:
        """Makes an empty fight, with the creatures of a party file ("" for none), and shows it."""

    def sample(self, path: str) -> None:
        """Shows a copy of a sample."""

    def lesson(self, system: str) -> None:
        """Plays a lesson."""

    def copy(self, path: str, name: str) -> str:
        """Copies a save; the path of the copy."""

    def rename(self, path: str, name: str) -> str:
        """Gives a save another name; its path."""

    def throw(self, path: str) -> None:
        """Puts a save into the trash."""

    def fetch_back(self, path: str) -> str:
        """Fetches a save out of the trash; its path."""

    def free_name(self, stem: str) -> str:
        """The stem, or the first of its kind that no save has."""

    def leave(self) -> None:
        """Ends the program."""

    def repaint(self) -> None:
        """Draws the screen anew."""

    def suspend(self) -> bool:
        """Give the terminal to the shell; False where there is none."""
