"""Run the start screen: keys go in, fights open, pictures come out; ask for names and letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from tui.core.base.text import clean
from tui.store.saves import NAME_CAP, BadName, checked_name
from tui.ui.desk import start_lists
from tui.ui.desk.start_lists import StartBase
from tui.ui.rows import start
from tui.ui.state.layout import Part
from tui.ui.state.start import Asked, NewFight, Refusal, Spot, moved
from tui.ui.state.view import Page
from tui.ui.text.editor import Editor
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row

PAGE = 10
_SCROLL = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -PAGE, "pagedown": PAGE, "space": PAGE}


def typing(desk: StartBase, asked: Asked, key: Press) -> None:
    """One key in a name or in a filter."""
    narrowing = asked.purpose == "filter"
    if key.key in ("escape", "ctrl+c"):
        desk.show(mode=None, filter="" if narrowing else desk.view.filter)
    elif key.key == "enter":
        _done(desk, asked)
    elif narrowing and key.key in ("up", "down", "tab", "shift+tab"):
        desk.show(at=moved(desk.scene, -1 if key.key in ("up", "shift+tab") else 1))
    elif (edited := asked.editor.press(key.key)) is not None:
        typed(desk, asked, edited)
    elif key.char:
        insert(desk, asked, key.char)


def insert(desk: StartBase, asked: Asked, text: str) -> None:
    """Types or pastes a text, as far as a name may be long."""
    room = NAME_CAP - len(asked.editor.text)
    if len(text) > room:
        desk.say(f"a name has at most {NAME_CAP} characters")
    typed(desk, asked, asked.editor.insert(text[: max(0, room)]))


def typed(desk: StartBase, asked: Asked, editor: Editor) -> None:
    """Puts the edited text in its place; a filter narrows at once."""
    desk.show(mode=replace(asked, editor=editor))
    if asked.purpose == "filter":
        desk.show(filter=editor.text.strip(), at="")


def _done(desk: StartBase, asked: Asked) -> None:
    if asked.purpose == "filter":
        desk.show(mode=None)
        start_lists.enter(desk)
        return
    name, spot = asked.editor.text.strip(), asked.spot
    # A name that ends so would be taken for a path from where the program was started.
    while name.endswith(".toml"):
        name = name.removesuffix(".toml").strip()
    if not name or spot is None:
        desk.show(mode=None)
        return
    try:
        checked_name(name)
    except BadName as error:
        desk.say(f"{error.message}: {error.hint}", "error")
        return
    _named(desk, asked, spot, name)


def _named(desk: StartBase, asked: Asked, spot: Spot, name: str) -> None:
    """Does what the name was asked for. What is refused stays as it was typed."""
    doors = desk.doors
    if asked.purpose == "make":
        _new(desk, spot, name)
        return
    does = doors.copy if asked.purpose == "copy" else doors.rename
    found: list[str] = []
    done = (
        f"{spot.name} was copied: {name}" if asked.purpose == "copy" else f"{spot.name} is called {name} now"
    )
    if desk.tried(lambda: found.append(does(spot.key, name)), done):
        desk.look()
        desk.show(mode=None, at=f"fight {found[0]}", filter="")


def _new(desk: StartBase, spot: Spot, name: str) -> None:
    if any(fight.name == name for fight in desk.scene.contents.fights):
        desk.say(f"{name} is already there: choose another name", "error")
    elif spot.kind == "party":
        desk.home(
            f"system {desk.settings.systems[0].id}" if desk.settings.systems else "",
            NewFight(name, party=spot.key),
        )
    else:
        desk.choose_party(NewFight(name, spot.key))


def answer(desk: StartBase, asked: Refusal, key: Press) -> None:
    """One key at the question about a save that cannot be written."""
    if key.name in ("escape", "ctrl+c"):
        desk.show(mode=None)
    elif key.name == "q":
        desk.doors.leave()
    elif key.name == "l":
        desk.show(mode=None)
        desk.tried(lambda: desk.doors.open(asked.path, "look"))
    elif key.name == "t" and asked.taken:
        desk.show(mode=None)
        desk.tried(lambda: desk.doors.open(asked.path, "take"))
    else:
        desk.say("[l] looks on, [Esc] leaves it" + (", [t] takes over" if asked.taken else ""), "hint")


def read(desk: StartBase, reading: Page, key: Press) -> None:
    """One key in the help."""
    if key.name in _SCROLL:
        top = max(0, min(len(reading.text) * 4, reading.top + _SCROLL[key.name]))
        desk.show(mode=replace(reading, top=top))
    elif key.key in ("escape", "enter", "ctrl+c") or key.name in ("q", "?"):
        desk.show(mode=None)
    else:
        desk.say("[Esc] goes back", "hint")


class StartDesk(StartBase):
    """The start screen."""

    def press(self, press: Press) -> None:
        """One key."""
        press = press.settled
        self.show(notice=None)
        match self.view.mode:
            case None:
                start_lists.press(self, press)
            case Asked() as asked:
                typing(self, asked, press)
            case Refusal() as refusal:
                answer(self, refusal, press)
            case Page() as reading:
                read(self, reading, press)
            case never:
                assert_never(never)

    def rest(self) -> bool:
        """Nothing waits for the keys to rest."""
        return False

    def paste(self, text: str) -> None:
        """Pasted text goes into a name or a filter; elsewhere it is not taken for keys."""
        if isinstance(self.view.mode, Asked):
            # A name is short: what is beyond it is not even cleaned, so that the next key need not wait.
            insert(self, self.view.mode, clean(text[: 4 * NAME_CAP], NAME_CAP + 1))
        else:
            self.say("pasted text is not taken for keys", "hint")

    def boxes(self, width: int, height: int) -> dict[Part, Box]:
        """Where everything stands."""
        return start.boxes(width, height)

    def draw(self, boxes: Mapping[Part, Box]) -> dict[Part, list[Row]]:
        """The rows of every part that has a box."""
        return start.draw(self.scene, boxes)

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        """The column and line at which something is typed or chosen."""
        return start.place(self.scene, boxes, drawn)
