"""The start screen without its keys: what every mode of it may ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Unpack

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.ui.keys.start.doors import Doors, Shelf, Taken
from tui.ui.keys.surface import SurfaceKind
from tui.ui.state.glyphs import UNICODE, Glyphs
from tui.ui.state.palette import Role
from tui.ui.state.start.scene import (
    NewFight,
    Refusal,
    Spot,
    StartChanges,
    StartScene,
    StartView,
    SystemTold,
    current,
)
from tui.ui.state.view import Notice


class StartSettings(Struct, frozen=True):
    """What does not change while the program runs: signs, systems with what they are, lessons, whether it is the first time."""

    glyphs: Glyphs = UNICODE
    systems: tuple[SystemTold, ...] = ()
    lessons: tuple[str, ...] = ()
    welcome: bool = False


class StartBase:
    """The view of the start screen, and the doors out of it. `clock` gives seconds since 1970."""

    def __init__(
        self, shelf: Shelf, doors: Doors, clock: Callable[[], float], settings: StartSettings
    ) -> None:
        self.shelf, self.doors, self.settings = shelf, doors, settings
        self._clock = clock
        self.view = StartView()
        self.look()

    kind: SurfaceKind = "start"

    def look(self) -> None:
        """Looks at the folder again: only here, and not with every key, for it reads files."""
        self._contents, self._now = self.shelf.contents(), self._clock()

    @property
    def spoken(self) -> bool:
        """Whether a screen reader follows the terminal's own cursor."""
        return self.settings.glyphs.spoken

    @property
    def settled(self) -> bool:
        """Whether the disk has everything that is shown: whatever is done here is done when it is shown."""
        return True

    @property
    def scene(self) -> StartScene:
        """Everything a picture depends on."""
        own = self.settings
        fresh = own.welcome and not self._contents.fights
        return StartScene(
            self._contents,
            own.systems,
            own.lessons,
            self.shelf.briefs(),
            self.view,
            own.glyphs,
            self._now,
            fresh,
        )

    @property
    def here(self) -> Spot | None:
        """What the cursor stands on."""
        return current(self.scene)

    def show(self, **changes: Unpack[StartChanges]) -> None:
        """Changes the view."""
        self.view = replace(self.view, **changes)

    def say(self, text: str, role: Role = "warning") -> None:
        """Shows a notice until the next key."""
        self.show(notice=Notice(text, role))

    def home(self, at: str = "", new: NewFight | None = None) -> None:
        """All lists again, with the cursor there; `new` is a fight whose system is still to be chosen."""
        self.look()
        # Whoever is here for the first time is offered a lesson, which Enter plays.
        first = f"lesson {self.settings.lessons[0]}" if self.scene.welcome and self.settings.lessons else ""
        self.view = StartView(at=at or ("" if new else first), new=new or NewFight())

    def make(self, name: str, system: str = "") -> None:
        """A new fight of that name: its system is chosen next, unless it is known."""
        if system:
            self.choose_party(NewFight(name, system))
        elif self.settings.systems:
            self.home(f"system {self.settings.systems[0].id}", NewFight(name))

    def choose_party(self, new: NewFight) -> None:
        """Who plays in the new fight, where there is a party to choose; else it is made at once."""
        if self.scene.contents.parties and not new.party:
            self.show(place="parties", new=new, mode=None, at="", filter="")
        else:
            self.tried(lambda: self.doors.new(new.name, new.system, new.party))

    def tried(self, does: Callable[[], object], done: str = "") -> bool:
        """Tries something; whether it was done. What cannot be is said, or asked where there is another way."""
        try:
            does()
        except Taken as taken:
            self.ask(taken)
            return False
        except RuleError as error:
            self.show(notice=Notice(error.message, "error", error.hint.replace("`", "")))
            return False
        if done:
            self.say(done, "ok")
        return True

    def ask(self, taken: Taken) -> None:
        """Asks what to do with a save that cannot be written."""
        self.show(mode=Refusal(taken.path, taken.message, taken.taken))


def help_lines(keys: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The help of the start screen."""
    return (
        "This is where fights are opened, made and kept.",
        "",
        *(f"  {key:<18} {says}" for key, says in keys),
        "",
        "A fight is one file in the folder of saves, written after every line; nothing has to be saved by hand.",
        "A party is a file in the folder parties beside the saves: its creatures are added to any fight.",
        "A sample is opened as a copy, so that it can be played again and again.",
        "The trash is the folder trash beside the saves. Nothing in it is ever deleted by this program.",
    )
