"""The two sides of a desk: the surface that the app shows, and what a desk asks of the program around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal, Protocol

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.store.problems import BadFile, NotSaved, as_rule_error
from tui.store.shelf import Brief, Contents
from tui.ui.settings.drafts import Drafts
from tui.ui.state.layout import Part
from tui.ui.state.scene import Incoming, Watching
from tui.ui.text.palette import Role
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row


class Surface:
    """Handles keys and pastes, and draws frames. This base class shows nothing."""

    @property
    def spoken(self) -> bool:
        """Whether a screen reader follows the terminal's cursor."""
        return False

    @property
    def settled(self) -> bool:
        """Whether the disk has everything that is shown, or the reason why not is shown."""
        return True

    def press(self, press: Press) -> None:
        """Handle a key."""

    def takes(self, command: str) -> bool:
        """Return whether every key of this command runs it now."""
        del command
        return False

    def perform(self, command: str) -> None:
        """Run a command by its id."""

    def rest(self) -> bool:
        """Return whether the frame changes because no key has come for a moment."""
        return False

    def paste(self, text: str) -> None:
        """Handle pasted text, which is never a series of keys."""

    def take_paste(self, text: str, dropped: int) -> None:
        """Handle pasted text from whose end so many characters were dropped."""
        self.paste(text)
        if dropped:
            self.notify(f"the paste was cut: {dropped} characters are missing")

    def notify(self, text: str, role: Role = "warning") -> None:
        """Show a notice until the next key."""

    def boxes(self, width: int, height: int) -> Mapping[Part, Box]:
        """Return the box of every part that fits."""
        del width, height
        return {}

    def draw(self, boxes: Mapping[Part, Box]) -> Mapping[Part, list[Row]]:
        """Return the rows of every part that has a box."""
        del boxes
        return {}

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        """Return column and line of the text cursor or of the row in focus."""
        del boxes, drawn
        return 0, 0


class Imports:
    """Imports files of other tools, one import at a time, in a thread. This base class imports nothing."""

    def now(self) -> Incoming:
        """Return the state of the import."""
        return Incoming()

    def look(self, paths: tuple[str, ...]) -> None:
        """Start reading files and folders. Raises RuleError if nothing can be imported."""
        del paths
        raise RuleError("nothing can be imported here")

    def look_at(self, text: str) -> None:
        """Start reading a text. Raises RuleError if nothing can be imported."""
        del text
        raise RuleError("nothing can be imported here")

    def keep(self, *, overwrite: bool) -> None:
        """Start writing what was read into the library; `overwrite` replaces creatures of the same names."""

    def stop(self) -> None:
        """Cancel the import."""


class ProgramWord(Struct, frozen=True):
    """A word of the command line that belongs to the program."""

    does: Callable[[str], str]
    """Takes the rest of the line and returns a notice. May raise RuleError or NotSaved."""
    usage: str
    """The syntax of the word, for the help."""
    help: str
    """The effect of the word, for the help."""


class ThemeService:
    """The themes. This base class has none."""

    def themes(self) -> tuple[tuple[str, str], ...]:
        """Return the name and title of each theme."""
        return ()

    def current(self) -> str:
        """Return the name of the theme that is shown."""
        return ""

    def apply(self, name: str) -> None:
        """Show a theme. Raises RuleError if it cannot be shown."""
        raise RuleError(f"there is no theme {name}")


class Services(Struct, frozen=True):
    """Callbacks into the program around the desk."""

    is_saved: Callable[[], bool] = lambda: True
    """Returns whether everything is on the disk."""
    fault: Callable[[], NotSaved | None] = lambda: None
    """Returns why not everything is on the disk, None for no reason."""
    watching: Callable[[], Watching] = Watching
    """Returns the state of a read-only save."""
    served: Callable[[], str] = lambda: ""
    """Returns how many pages of players are open, in words; "" if the fight is not served."""
    present: Callable[[], frozenset[str]] = frozenset
    """Returns the names of the players who look at the fight now, in lower case."""
    leave: Callable[[], None] = lambda: None
    """Ends the screen."""
    repaint: Callable[[], None] = lambda: None
    """Draws the whole screen again."""
    suspend: Callable[[], bool] = lambda: True
    """Goes to the shell; returns False if there is none."""
    bell: Callable[[], None] = lambda: None
    """Rings the bell."""
    drafts: Drafts = Drafts()
    words: Mapping[str, ProgramWord] = {}
    """Words of the program for the command line."""
    prepared: Callable[[], Sequence[tuple[str, str]]] = tuple
    """Returns name and foes of the other fights that have not begun."""
    themes: ThemeService = ThemeService()
    imports: Imports = Imports()


OpenMode = Literal["write", "look", "take"]
"""How a save is opened: to be written, read-only, or taken over from the process that writes it."""


class Taken(RuleError):  # noqa: N818 - named after what it is, as the errors of the store
    """A save cannot be opened for writing; `taken`: another process writes it, and can be asked to leave."""

    def __init__(self, path: str, message: str, *, is_in_use: bool) -> None:
        self.path, self.taken = path, is_in_use
        super().__init__(message, "open it read-only" + (", or take it over" if is_in_use else ""))


class SaveFolder(Protocol):
    """The contents of the folder of saves."""

    def contents(self) -> Contents:
        """Return what is in the folder now."""

    def briefs(self) -> Mapping[str, Brief]:
        """Return the summaries of fights that have been read so far, by path."""


class StartActions(Protocol):
    """The actions that leave the start screen. A refused one raises RuleError and changes nothing."""

    def open(self, path: str, how: OpenMode = "write") -> None:
        """Show a save. Raises Taken if it can only be read."""

    def new(self, name: str, system: str, party: str, *, fresh: bool = False) -> None:
        """Make a fight with the creatures of a party file ("" for none), and show it.

        `fresh`: the creatures are as after a long rest.
        """

    def sample(self, path: str) -> None:
        """Show a copy of a sample."""

    def lesson(self, system: str) -> None:
        """Show a lesson."""


@contextmanager
def refusals() -> Iterator[None]:
    """Return a context that turns errors about files, names and the disk into RuleError."""
    try:
        yield
    except NotSaved as error:
        raise RuleError(f"not saved: {error.message}", error.hint) from None
    except BadFile as error:
        raise as_rule_error(error) from None
    except OSError as error:
        raise RuleError(error.strerror or "the operating system refuses it") from None
