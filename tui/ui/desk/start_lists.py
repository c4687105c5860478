"""Run keys on the lists of the start screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Unpack, assert_never

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.ui.desk.ports import Doors, Shelf, Taken
from tui.ui.desk.surface import SurfaceKind
from tui.ui.state.commands import NO_SHELL
from tui.ui.state.start import (
    Asked,
    NewFight,
    Purpose,
    Refusal,
    Spot,
    StartChanges,
    StartScene,
    StartView,
    SystemTold,
    beside,
    current,
    in_part,
    moved,
)
from tui.ui.state.view import Notice, Page
from tui.ui.text.editor import Editor
from tui.ui.text.glyphs import UNICODE, Glyphs
from tui.ui.text.palette import Role
from tui.ui.text.press import Press


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


PAGE = 10
ALL = 10**6
KEYS = (
    ("arrows, h j k l", "move; Tab and shift+Tab go from list to list"),
    ("Enter", "opens the fight, or does what the line at the foot says"),
    ("c", "copies the fight under another name"),
    ("R", "gives it another name"),
    ("x", "puts it into the trash, from where Enter brings it back"),
    ("/", "letters narrow the lists"),
    ("Esc", "one step back"),
    ("?", "this help"),
    ("q", "leaves"),
)


def press(desk: StartBase, key: Press) -> None:
    """One key."""
    if does := _KEYS.get(key.name):
        does(desk)
    elif key.char:
        desk.say(f"{key.name} means nothing here; [?] lists the keys", "hint")


def _move(down: int = 0, right: int = 0) -> Callable[[StartBase], None]:
    return lambda desk: desk.show(at=moved(desk.scene, down, right))


def _sideways(by: int) -> Callable[[StartBase], None]:
    """Within a row of several, else to the next list."""
    return lambda desk: desk.show(
        at=moved(desk.scene, 0, by) if beside(desk.scene) else in_part(desk.scene, by)
    )


def _part(by: int) -> Callable[[StartBase], None]:
    return lambda desk: desk.show(at=in_part(desk.scene, by))


def enter(desk: StartBase) -> None:
    """Does what the cursor stands on is there for."""
    if spot := desk.here:
        _take(desk, spot)


def _take(desk: StartBase, spot: Spot) -> None:
    doors, new = desk.doors, desk.view.new
    match spot.kind:
        case "fight":
            desk.tried(lambda: doors.open(spot.key))
        case "sample":
            desk.tried(lambda: doors.sample(spot.key))
        case "lesson":
            desk.tried(lambda: doors.lesson(spot.key))
        case "system":
            _system(desk, spot, new)
        case "party":
            _party(desk, spot, new)
        case "nobody":
            desk.tried(lambda: doors.new(new.name, new.system, ""))
        case "trash":
            desk.show(place="trash", at="", filter="")
        case "thrown":
            if desk.tried(lambda: doors.fetch_back(spot.key), f"{spot.name} is back among the fights"):
                desk.look()
        case _:
            assert_never(spot.kind)


def _system(desk: StartBase, spot: Spot, new: NewFight) -> None:
    if new.name:
        desk.choose_party(NewFight(new.name, spot.key, new.party))
    else:
        _ask(desk, "make", spot, "")


def _party(desk: StartBase, spot: Spot, new: NewFight) -> None:
    if new.system:
        desk.tried(lambda: desk.doors.new(new.name, new.system, spot.key))
    else:
        _ask(desk, "make", spot, "")


def _ask(desk: StartBase, purpose: Purpose, spot: Spot | None, begun: str) -> None:
    desk.show(mode=Asked(purpose, Editor.of(begun), spot))


def _fight(desk: StartBase) -> Spot | None:
    """The fight under the cursor, which copying, renaming and throwing away are about."""
    spot = desk.here
    if spot and spot.kind == "fight":
        return spot
    desk.say("this is for a fight: put the cursor on one", "hint")
    return None


def _copy(desk: StartBase) -> None:
    if spot := _fight(desk):
        desk.tried(lambda: _ask(desk, "copy", spot, desk.doors.free_name(spot.name)))


def _rename(desk: StartBase) -> None:
    if spot := _fight(desk):
        _ask(desk, "rename", spot, spot.name)


def _throw(desk: StartBase) -> None:
    if not (spot := _fight(desk)):
        return
    below = moved(desk.scene, 1)
    if desk.tried(
        lambda: desk.doors.throw(spot.key), f"{spot.name} is in the trash; Enter there puts it back"
    ):
        desk.look()
        # The next fight, so that several can go one after the other; of the last, the one above.
        desk.show(at=below if below.startswith("fight ") else "")


def _filter(desk: StartBase) -> None:
    _ask(desk, "filter", None, desk.view.filter)


def _help(desk: StartBase) -> None:
    desk.show(mode=Page("Help", help_lines(KEYS)))


def back(desk: StartBase) -> None:
    """One step back: the filter, the choice that was begun, the trash."""
    view = desk.view
    if view.filter:
        desk.show(filter="")
    elif view.place == "trash":
        desk.home("trash ")
    elif view.place == "parties" or view.new.name:
        desk.home(f"system {view.new.system}" if view.new.system else "")
    else:
        desk.say("[q] leaves", "hint")


def _leave(desk: StartBase) -> None:
    desk.doors.leave()


def _suspend(desk: StartBase) -> None:
    if not desk.doors.suspend():
        desk.say(NO_SHELL)


_KEYS: dict[str, Callable[[StartBase], None]] = {
    "up": _move(-1), "k": _move(-1), "down": _move(1), "j": _move(1), "left": _sideways(-1), "h": _sideways(-1),
    "right": _sideways(1), "l": _sideways(1), "tab": _part(1), "shift+tab": _part(-1), "pageup": _move(-PAGE),
    "pagedown": _move(PAGE), "g": _move(-ALL), "home": _move(-ALL), "G": _move(ALL), "end": _move(ALL), "enter": enter, "c": _copy,
    "R": _rename, "x": _throw, "delete": _throw, "/": _filter, "?": _help, "f1": _help, "escape": back, "ctrl+c": back, "q": _leave,
    "ctrl+l": lambda desk: desk.doors.repaint(), "ctrl+z": _suspend,
}  # fmt: skip
