"""What the desk asks of the program around it beyond the fight: imports, and the user's own editor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tui.core.base.errors import RuleError
from tui.ui.state.scene import Incoming


class Imports(Protocol):
    """Files of other tools, one import at a time, read and kept beside the keys."""

    def now(self) -> Incoming:
        """How the import stands."""

    def look(self, paths: tuple[str, ...]) -> None:
        """Begins to read files and folders. Raises RuleError where nothing can be imported."""

    def look_at(self, text: str) -> None:
        """Begins to read a text."""

    def keep(self, *, over: bool) -> None:
        """Begins to write what was read into the library; `over`: in place of creatures that are there already."""

    def stop(self) -> None:
        """Nobody waits for it any more."""


class NoImports:
    """A screen that imports nothing."""

    def now(self) -> Incoming:
        """Nothing is read."""
        return Incoming()

    def look(self, paths: tuple[str, ...]) -> None:
        """Refuses."""
        del paths
        raise RuleError("nothing can be imported here")

    def look_at(self, text: str) -> None:
        """Refuses."""
        del text
        raise RuleError("nothing can be imported here")

    def keep(self, *, over: bool) -> None:
        """Nothing was read."""

    def stop(self) -> None:
        """Nothing is read."""


class TextEditor(Protocol):
    """The user's own editor."""

    def edit(self, text: str, name: str, take: Callable[[str], None]) -> None:
        """Lets a text be edited, in a file that ends in `name`; what has changed is given to `take`.

        Raises RuleError when there is no editor, when it failed, or when `take` refused: the text is kept then, and
        said where. `take` may raise RuleError and NotSaved.
        """


class NoEditor:
    """A screen without an editor."""

    def edit(self, text: str, name: str, take: Callable[[str], None]) -> None:
        """Refuses."""
        del text, name, take
        raise RuleError("there is no editor here")
