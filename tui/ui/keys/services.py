"""What a desk is given: settings, and services by which it reaches beyond the fight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.store.problems import NotSaved
from tui.ui.keys.beyond import Imports, NoEditor, NoImports, TextEditor
from tui.ui.state.clocks import Later
from tui.ui.state.commands import COMMANDS, Command
from tui.ui.state.glyphs import UNICODE, Glyphs
from tui.ui.state.scene import Watching


class Drafts(Protocol):
    """Where half-written orders and lines wait, also through a crash."""

    def load(self) -> Mapping[str, str]:
        """What was half-written, by name."""

    def save(self, name: str, text: str) -> None:
        """Keeps this text; "" forgets it."""


class NoDrafts:
    """Drafts that live as long as the screen."""

    def load(self) -> Mapping[str, str]:
        """Nothing."""
        return {}

    def save(self, name: str, text: str) -> None:
        """Forgets it."""


class Settings(Struct, frozen=True):
    """The user's settings. `masked`: the players can see the screen, so orders are not shown while typed.

    `bell`: ring it when a turn begins; `turn_limit`: and when one takes longer than so many seconds, 0 for never.
    """

    commands: tuple[Command, ...] = COMMANDS
    glyphs: Glyphs = UNICODE
    masked: bool = False
    bell: bool = False
    turn_limit: int = 0


class ProgramWord(Struct, frozen=True):
    """A word of the program's own: a callback that takes the rest of its line and returns the notice to show.

    It may raise RuleError or NotSaved. `usage` and `help` are what the help screen says of it.
    """

    does: Callable[[str], str]
    usage: str
    help: str


class Wardrobe(Protocol):
    """The themes. What cannot be shown or kept raises RuleError."""

    def themes(self) -> tuple[tuple[str, str], ...]:
        """Names and titles."""

    def worn(self) -> str:
        """The name of the one that is shown."""

    def wear(self, name: str) -> None:
        """Shows one."""

    def keep(self, name: str) -> str:
        """Shows one from now on, also in the next evening; where that is written."""


class NoWardrobe:
    """No theme but the one that is shown."""

    def themes(self) -> tuple[tuple[str, str], ...]:
        """None."""
        return ()

    def worn(self) -> str:
        """Unknown."""
        return ""

    def wear(self, name: str) -> None:
        """Refuses."""
        raise RuleError(f"there is no theme {name}")

    def keep(self, name: str) -> str:
        """Refuses."""
        raise RuleError(f"there is no theme {name}")


Aside = Callable[[Callable[[], Callable[[], None]]], None]
"""Runs what takes long beside the screen; what that returns is called on the screen's loop."""


def _at_once(work: Callable[[], Callable[[], None]]) -> None:
    work()()


class Services(Struct, frozen=True):
    """Callbacks into the program around the desk.

    `saved` tells whether all is on the disk and `fault` why not (None for no reason); `watching` tells how a save
    stands that is only looked at; `leave`, `repaint`, `suspend` (False where there is no shell) and
    `bell` act on the terminal; `clip` fills its clipboard; `copy` keeps a text in a file and returns its name ("" for
    none); `words` are the program's own words for the `:` line;
    `wardrobe` holds the themes, `settings` tells the user's settings in lines; `imports` reads
    files of other tools, `editor` is the user's own; `aside` takes what takes long, `later` sets a call and returns what
    cancels it.
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
    drafts: Drafts = NoDrafts()
    words: Mapping[str, ProgramWord] = {}
    wardrobe: Wardrobe = NoWardrobe()
    settings: Callable[[], tuple[str, ...]] = tuple
    imports: Imports = NoImports()
    editor: TextEditor = NoEditor()
    aside: Aside = _at_once
