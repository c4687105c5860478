"""Keys on the lists of the start screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from tui.ui.keys.start.base import StartBase, help_lines
from tui.ui.state.commands import NO_SHELL
from tui.ui.state.editor import Editor
from tui.ui.state.press import Press
from tui.ui.state.start.scene import Asked, NewFight, Purpose, Spot, beside, in_part, moved
from tui.ui.state.view import Page

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
