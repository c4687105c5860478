"""Define the services by which a desk reaches beyond the fight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, Protocol

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.store.problems import BadFile, NotSaved, as_rule_error
from tui.store.shelf import Brief, Contents
from tui.ui.settings.drafts import Drafts
from tui.ui.state.clocks import Later
from tui.ui.state.scene import Incoming, Watching


class Imports:
    """Files of other tools, one import at a time, read and kept beside the keys. This one reads none."""

    def now(self) -> Incoming:
        """Return how the import stands."""
        return Incoming()

    def look(self, paths: tuple[str, ...]) -> None:
        """Begin to read files and folders. Raise RuleError where nothing can be imported."""
        del paths
        raise RuleError("nothing can be imported here")

    def look_at(self, text: str) -> None:
        """Begin to read a text."""
        del text
        raise RuleError("nothing can be imported here")

    def keep(self, *, over: bool) -> None:
        """Begin to write what was read into the library; `over`: in place of creatures of those names."""

    def stop(self) -> None:
        """Stop the import: no one waits for it any more."""


class TextEditor:
    """The user's own editor. This screen has none."""

    def edit(self, text: str, name: str, take: Callable[[str], None]) -> None:
        """Let a text be edited, in a file that ends in `name`; what has changed is given to `take`.

        Raise RuleError when there is no editor, when it failed, or when `take` refused: the text is kept
        then, in a file that is named. `take` may raise RuleError and NotSaved.
        """
        del text, name, take
        raise RuleError("there is no editor here")


class ProgramWord(Struct, frozen=True):
    """A word of the program's own: a callback that takes the rest of its line and returns the notice to show.

    It may raise RuleError or NotSaved. `usage` and `help` are what the help screen says of it.
    """

    does: Callable[[str], str]
    usage: str
    help: str


class ThemeService:
    """The themes. What cannot be shown or kept raises RuleError. The colours of this screen stay."""

    def themes(self) -> tuple[tuple[str, str], ...]:
        """Return names and titles."""
        return ()

    def current(self) -> str:
        """Return the name of the one that is shown."""
        return ""

    def apply(self, name: str) -> None:
        """Show one."""
        raise RuleError(f"there is no theme {name}")

    def keep(self, name: str) -> str:
        """Show one from now on; return the file where that is written."""
        raise RuleError(f"there is no theme {name}")


Aside = Callable[[Callable[[], Callable[[], None]]], None]
"""Runs what takes long beside the screen; what that returns is called on the screen's loop."""


def _at_once(work: Callable[[], Callable[[], None]]) -> None:
    work()()


class Services(Struct, frozen=True):
    """Callbacks into the program around the desk.

    `saved` tells whether all is on the disk and `fault` why not (None for no reason); `watching` tells how a
    save stands that is only looked at; `leave`, `repaint`, `suspend` (False where there is no shell) and
    `bell` act on the terminal; `clip` fills its clipboard; `copy` keeps a text in a file and returns its name
    ("" for none); `words` are the program's own words for the `:` line; `themes` are the themes,
    `settings` tells the user's settings in lines; `imports` reads files of other tools, `editor` is the
    user's own; `aside` takes what takes long, `later` sets a call and returns what cancels it.
    """

    saved: Callable[[], bool] = lambda: True
    fault: Callable[[], NotSaved | None] = lambda: None
    watching: Callable[[], Watching] = Watching
    leave: Callable[[], None] = lambda: None
    repaint: Callable[[], None] = lambda: None
    suspend: Callable[[], bool] = lambda: True
    bell: Callable[[], None] = lambda: None
    later: Later = lambda _seconds, _call: lambda: None
    clip: Callable[[str], None] = lambda _text: None
    copy: Callable[[str], str] = lambda _text: ""
    drafts: Drafts = Drafts()
    words: Mapping[str, ProgramWord] = {}
    themes: ThemeService = ThemeService()
    settings: Callable[[], tuple[str, ...]] = tuple
    imports: Imports = Imports()
    editor: TextEditor = TextEditor()
    aside: Aside = _at_once


How = Literal["write", "look", "take"]
"""How a save is opened: to be written, only looked at, or taken over from who writes it."""


class Taken(RuleError):  # noqa: N818 - named after what it is, as the errors of the store
    """A save cannot be opened for writing; `taken`: another process writes it, and may be asked to leave."""

    def __init__(self, path: str, message: str, *, taken: bool) -> None:
        self.path, self.taken = path, taken
        super().__init__(message, "open it read-only" + (", or take it over" if taken else ""))


class Shelf(Protocol):
    """What stands in the folder of saves."""

    def contents(self) -> Contents:
        """Return what is in the folder now."""

    def briefs(self) -> Mapping[str, Brief]:
        """Return how fights stand, by path, as far as they have been read."""


class StartActions(Protocol):
    """What leads out of the start screen. A refusal raises RuleError, and nothing has changed."""

    def open(self, path: str, how: How = "write") -> None:
        """Show a save. Raise Taken where it can only be looked at."""

    def new(self, name: str, system: str, party: str, *, fresh: bool = False) -> None:
        """Make an empty fight with the creatures of a party file ("" for none), and show it.

        `fresh`: they come as after a long rest.
        """

    def sample(self, path: str) -> None:
        """Show a copy of a sample."""

    def lesson(self, system: str) -> None:
        """Play a lesson."""

    def rest(self, path: str, length: str) -> str:
        """Let the party of a file rest, short or long, and return what that gave back."""


@contextmanager
def refusals() -> Iterator[None]:
    """Return a context in which whatever a file, a name or the disk says no with becomes a RuleError."""
    try:
        yield
    except NotSaved as error:
        raise RuleError(f"not saved: {error.message}", error.hint) from None
    except BadFile as error:
        raise as_rule_error(error) from None
    except OSError as error:
        raise RuleError(error.strerror or "the system refuses it") from None
