"""Run the start screen: keys and lines go in, fights open, pictures come out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Unpack, assert_never

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.store import shelf
from tui.store.saves import NAME_CAP, checked_name
from tui.ui.desk.ports import ProgramWord, Services, Shelf, StartActions, Taken, refusals
from tui.ui.desk.surface import Surface, SurfaceKind
from tui.ui.rows import start_lists
from tui.ui.state.commands import NO_SHELL, Command, shown
from tui.ui.state.layout import Part
from tui.ui.state.settings import Settings
from tui.ui.state.start_view import (
    Asked,
    HelpText,
    NewFight,
    Purpose,
    Refusal,
    Resting,
    Spot,
    StartChanges,
    StartScene,
    StartView,
    SystemSummary,
    beside,
    by_use,
    current,
    in_part,
    moved,
    start_commands,
)
from tui.ui.state.view import Notice
from tui.ui.text.editor import Editor
from tui.ui.text.palette import Role
from tui.ui.text.press import ALL, DIGITS, PAGE, STEPS, Press, number
from tui.ui.text.rows import Box, Row


class Offered(Struct, frozen=True):
    """The systems and lessons that the start screen lists; `welcome`: it is shown for the first time."""

    systems: tuple[SystemSummary, ...] = ()
    lessons: tuple[str, ...] = ()
    welcome: bool = False


class StartDesk(Surface):
    """The start screen: its view, and the actions that lead out of it. `clock` gives seconds since 1970."""

    kind: SurfaceKind = "start"

    def __init__(
        self,
        shelf: Shelf,
        actions: StartActions,
        clock: Callable[[], float],
        settings: Settings,
        services: Services,
        offered: Offered,
    ) -> None:
        self.shelf, self.actions, self.settings = shelf, actions, settings
        self.services, self.offered = services, offered
        self.commands = start_commands(settings.commands)
        self._clock = clock
        self.view = StartView()
        self.look()

    def look(self) -> None:
        """Read the folder again: not with every key, for that reads files."""
        self._contents, self._now = self.shelf.contents(), self._clock()

    @property
    def spoken(self) -> bool:
        """Whether a screen reader follows the terminal's own cursor."""
        return self.settings.glyphs.spoken

    @property
    def scene(self) -> StartScene:
        """Everything a picture depends on."""
        own = self.offered
        fresh = own.welcome and not self._contents.fights
        return StartScene(
            self._contents,
            self.systems,
            own.lessons,
            self.shelf.briefs(),
            self.view,
            self.settings.glyphs,
            self._now,
            fresh,
        )

    @property
    def systems(self) -> tuple[SystemSummary, ...]:
        """The systems as they are numbered: those that were played last come first."""
        return by_use(self.offered.systems, self._contents.fights)

    @property
    def folder(self) -> str:
        """The folder of saves."""
        return self._contents.folder

    @property
    def current_spot(self) -> Spot | None:
        """The entry under the cursor."""
        return current(self.scene)

    # --- what is shown and said

    def show(self, **changes: Unpack[StartChanges]) -> None:
        """Change the view."""
        self.view = replace(self.view, **changes)

    def say(self, text: str, role: Role = "warning") -> None:
        """Show a notice until the next key."""
        self.show(notice=Notice(text, role))

    def home(self, at: str = "", new: NewFight | None = None) -> None:
        """Show all lists again, with the cursor at an entry; `new` is a fight without a system yet."""
        self.look()
        # On a first visit Enter plays a lesson.
        first = f"lesson {self.offered.lessons[0]}" if self.scene.welcome and self.offered.lessons else ""
        self.view = StartView(at=at or ("" if new else first), new=new or NewFight())

    def make(self, name: str) -> None:
        """Begin a new fight of that name: its system is chosen next."""
        if self.systems:
            self.home(f"system {self.systems[0].id}", NewFight(name))

    def tried(self, does: Callable[[], object], done: str = "") -> bool:
        """Try an action and return whether it was done. A refusal is shown, or another way is offered."""
        try:
            with refusals():
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
        """Ask what to do with a save that cannot be written."""
        self.show(mode=Refusal(taken.path, taken.message, taken.taken))

    # --- keys, pastes and pictures

    def press(self, press: Press) -> None:
        """Take one key."""
        press = press.settled
        self.show(notice=None)
        match self.view.mode:
            case None:
                _key(self, press)
            case Asked() as asked:
                typing(self, asked, press)
            case Refusal() as refusal:
                answer(self, refusal, press)
            case Resting() as resting:
                rest(self, resting, press)
            case HelpText() as reading:
                read(self, reading, press)
            case never:
                assert_never(never)

    def takes(self, command: str) -> bool:
        """Return whether a key of this command means it now; no key does while something is typed or read."""
        return self.view.mode is None and any(c.id == command for c in self.commands)

    def perform(self, command: str) -> None:
        """Run a command of the table by its id, as its key does."""
        self.show(notice=None)
        _DOES[command](self)

    def paste(self, text: str) -> None:
        """Put pasted text into what is typed; elsewhere it is not taken for keys."""
        if isinstance(self.view.mode, Asked):
            # A name is short: what is beyond it is not even cleaned, so that the next key need not wait.
            insert(self, self.view.mode, clean(text[: 4 * NAME_CAP], NAME_CAP + 1))
        else:
            self.say("pasted text is not taken for keys", "hint")

    def boxes(self, width: int, height: int) -> dict[Part, Box]:
        """Return where everything stands."""
        return start_lists.boxes(width, height)

    def draw(self, boxes: Mapping[Part, Box]) -> dict[Part, list[Row]]:
        """Return the rows of every part that has a box."""
        return start_lists.draw(self.scene, boxes)

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        """Return the column and line at which something is typed or chosen."""
        return start_lists.place(self.scene, boxes, drawn)


# --- what is typed


def typing(desk: StartDesk, asked: Asked, key: Press) -> None:
    """Take one key in a name, a filter or a line."""
    narrowing = asked.purpose == "filter"
    if key.key in ("escape", "ctrl+c"):
        desk.show(mode=None, filter="" if narrowing else desk.view.filter)
    elif key.key == "enter":
        _done(desk, asked)
    elif narrowing and key.key in ("up", "down", "tab", "shift+tab"):
        desk.show(at=moved(desk.scene, -1 if key.key in ("up", "shift+tab") else 1))
    elif asked.purpose == "make" and key.key in ("tab", "shift+tab"):
        desk.show(new=_other_party(desk, -1 if key.key == "shift+tab" else 1))
    elif (edited := asked.editor.press(key.key)) is not None:
        typed(desk, asked, edited)
    elif key.char:
        insert(desk, asked, key.char)


def _other_party(desk: StartDesk, by: int) -> NewFight:
    """Return the new fight with the next of its possible parties: as kept, as after a long rest, none."""
    new, parties = desk.view.new, desk.scene.contents.parties
    kinds = [(p.path, fresh) for p in parties for fresh in (False, True)] + [("", False)]
    at = kinds.index((new.party, new.fresh)) if (new.party, new.fresh) in kinds else 0
    party, fresh = kinds[(at + by) % len(kinds)]
    return replace(new, party=party, fresh=fresh)


def insert(desk: StartDesk, asked: Asked, text: str) -> None:
    """Type or paste a text, as far as a name may be long; it replaces a name that was proposed."""
    before = Editor() if asked.proposed else asked.editor
    room = NAME_CAP - len(before.text)
    if len(text) > room:
        desk.say(f"a name has at most {NAME_CAP} characters")
    typed(desk, asked, before.insert(text[: max(0, room)]))


def typed(desk: StartDesk, asked: Asked, editor: Editor) -> None:
    """Put the edited text in its place; a filter narrows at once."""
    desk.show(mode=replace(asked, editor=editor, proposed=False))
    if asked.purpose == "filter":
        desk.show(filter=editor.text.strip(), at="")


def _done(desk: StartDesk, asked: Asked) -> None:
    text, spot = asked.editor.text.strip(), asked.spot
    if asked.purpose == "filter":
        desk.show(mode=None)
        enter(desk)
        return
    if asked.purpose == "line":
        _line(desk, text)
        return
    # A name that ends so would be taken for a path from where the program was started.
    while text.endswith(".toml"):
        text = text.removesuffix(".toml").strip()
    if not text or spot is None:
        desk.show(mode=None)
        return
    try:
        checked_name(text)
    except RuleError as error:
        desk.say(f"{error.message}: {error.hint}", "error")
        return
    _named(desk, asked, spot, text)


def _line(desk: StartDesk, text: str) -> None:
    """Run a line: a word of this screen, or one of the program. What is refused stays as it was typed."""
    word, _, rest = text.partition(" ")
    command = next((c for c in desk.commands if c.words == text), None)
    before = desk.view.mode
    if not word or command:
        desk.show(mode=None)
    if command:
        _DOES[command.id](desk)
    elif word == "make" and _numbered(desk, rest.strip()):
        return
    elif word in desk.services.words and desk.tried(lambda: desk.services.words[word].does(rest.strip())):
        # The word may have opened a question, which stays.
        if desk.view.mode is before:
            desk.show(mode=None)
    elif word and word not in desk.services.words:
        desk.show(notice=Notice(f"{word} means nothing while no fight is open", "error", "? lists the words"))


def _named(desk: StartDesk, asked: Asked, spot: Spot, name: str) -> None:
    """Do what the name was asked for. What is refused stays as it was typed."""
    actions = desk.actions
    if asked.purpose == "make":
        if any(fight.name == name for fight in desk.scene.contents.fights):
            desk.say(f"{name} is already there: choose another name", "error")
        else:
            new = desk.view.new
            if desk.tried(lambda: actions.new(name, spot.key, new.party, fresh=new.fresh)):
                desk.show(mode=None, new=NewFight())
        return
    does = shelf.copy if asked.purpose == "copy" else shelf.rename
    paths: list[str] = []
    done = (
        f"{spot.name} was copied: {name}" if asked.purpose == "copy" else f"{spot.name} is called {name} now"
    )
    if desk.tried(lambda: paths.append(does(spot.key, desk.folder, name)), done):
        desk.look()
        desk.show(mode=None, at=f"fight {paths[0]}", filter="")


# --- questions and pages


def answer(desk: StartDesk, asked: Refusal, key: Press) -> None:
    """Take one key at the question about a save that cannot be written."""
    if key.name in ("escape", "ctrl+c"):
        desk.show(mode=None)
    elif key.name == "q":
        desk.services.leave()
    elif key.name == "l":
        desk.show(mode=None)
        desk.tried(lambda: desk.actions.open(asked.path, "look"))
    elif key.name == "t" and asked.taken:
        desk.show(mode=None)
        desk.tried(lambda: desk.actions.open(asked.path, "take"))
    else:
        desk.say("[l] looks on, [Esc] leaves it" + (", [t] takes over" if asked.taken else ""), "hint")


def rest(desk: StartDesk, asked: Resting, key: Press) -> None:
    """Take one key at the question which rest a party takes."""
    length = {"s": "short", "l": "long"}.get(key.name, "")
    if key.name in ("escape", "ctrl+c"):
        desk.show(mode=None)
    elif length:
        desk.show(mode=None)
        notices: list[str] = []
        if desk.tried(lambda: notices.append(desk.actions.rest(asked.spot.key, length))):
            desk.look()
            desk.say(notices[0], "ok")
    else:
        desk.say("[s] is a short rest, [l] a long one, [Esc] leaves it", "hint")


def read(desk: StartDesk, reading: HelpText, key: Press) -> None:
    """Take one key in the help."""
    if by := STEPS.get(key.name):
        desk.show(mode=reading.scrolled(by))
    elif key.key in ("escape", "enter", "ctrl+c") or key.name in ("q", "?"):
        desk.show(mode=None)
    else:
        desk.say("[Esc] goes back", "hint")


# --- commands on the lists


def _key(desk: StartDesk, key: Press) -> None:
    if command := next((c for c in desk.commands if key.name in c.keys), None):
        _DOES[command.id](desk)
    elif key.name in DIGITS and _numbered(desk, key.name):
        return
    elif key.char:
        desk.say(f"{key.name} means nothing here; [?] lists the keys", "hint")


def _numbered(desk: StartDesk, digit: str) -> bool:
    """Ask for the name of a new fight in the system of this number; return whether there is one."""
    place = number(digit) or 0
    if not 0 < place <= len(desk.systems):
        return False
    _ask_new(desk, desk.systems[place - 1])
    return True


def _move(down: int = 0, right: int = 0) -> Callable[[StartDesk], None]:
    return lambda desk: desk.show(at=moved(desk.scene, down, right))


def _sideways(by: int) -> Callable[[StartDesk], None]:
    """Move within a row of several, else to the next list."""
    return lambda desk: desk.show(
        at=moved(desk.scene, 0, by) if beside(desk.scene) else in_part(desk.scene, by)
    )


def _part(by: int) -> Callable[[StartDesk], None]:
    return lambda desk: desk.show(at=in_part(desk.scene, by))


def enter(desk: StartDesk) -> None:
    """Do what the entry under the cursor is for."""
    spot, actions = desk.current_spot, desk.actions
    if spot is None:
        return
    match spot.kind:
        case "fight":
            desk.tried(lambda: actions.open(spot.key))
        case "sample":
            desk.tried(lambda: actions.sample(spot.key))
        case "lesson":
            desk.tried(lambda: actions.lesson(spot.key))
        case "system":
            _ask_new(desk, next(s for s in desk.offered.systems if s.id == spot.key))
        case "party":
            systems = desk.systems
            desk.show(at=f"system {systems[0].id}" if systems else "", new=NewFight(party=spot.key))
        case "trash":
            desk.show(place="trash", at="", filter="")
        case "thrown":
            if desk.tried(
                lambda: shelf.fetch_back(spot.key, desk.folder), f"{spot.name} is back among the fights"
            ):
                desk.look()
        case never:
            assert_never(never)


def _ask_new(desk: StartDesk, system: SystemSummary) -> None:
    """Ask for the name of a new fight: one is proposed, and the party that is kept."""
    new, scene = desk.view.new, desk.scene
    spot = Spot("system", system.id, system.title)
    latest = scene.contents.fights[0].name if scene.contents.fights else "fight"

    def ask() -> None:
        name = new.name or shelf.free_name(re.sub(r"-\d+$", "", latest), desk.folder)
        parties = scene.contents.parties
        if new.name and not parties:
            # The name is known, and there is no party to choose.
            desk.actions.new(name, system.id, "")
            desk.show(new=NewFight())
            return
        # The fields of another system would be lacking here: such a party is offered, and not proposed.
        party = new.party or next((p.path for p in parties if p.system in ("", system.id)), "")
        desk.show(
            at=spot.at,
            place="home",
            filter="",
            mode=Asked("make", Editor.from_text(name), spot, proposed=True),
            new=replace(new, party=party),
        )

    desk.tried(ask)


def _ask(desk: StartDesk, purpose: Purpose, spot: Spot | None, begun: str) -> None:
    desk.show(mode=Asked(purpose, Editor.from_text(begun), spot))


def _fight(desk: StartDesk) -> Spot | None:
    """Return the fight under the cursor, which copying, renaming and trashing are about."""
    spot = desk.current_spot
    if spot and spot.kind == "fight":
        return spot
    desk.say("this is for a fight: put the cursor on one", "hint")
    return None


def _copy(desk: StartDesk) -> None:
    if spot := _fight(desk):
        desk.tried(lambda: _ask(desk, "copy", spot, shelf.free_name(spot.name, desk.folder)))


def _rename(desk: StartDesk) -> None:
    if spot := _fight(desk):
        _ask(desk, "rename", spot, spot.name)


def _throw(desk: StartDesk) -> None:
    if not (spot := _fight(desk)):
        return
    below = moved(desk.scene, 1)
    if desk.tried(
        lambda: shelf.throw(spot.key, desk.folder), f"{spot.name} is in the trash; Enter there puts it back"
    ):
        desk.look()
        # The next fight, so that several can go one after the other; of the last, the one above.
        desk.show(at=below if below.startswith("fight ") else "")


def _rest(desk: StartDesk) -> None:
    """Ask how long the party under the cursor rests, or the only one that is kept."""
    spot, parties = desk.current_spot, desk.scene.contents.parties
    if (spot is None or spot.kind != "party") and len(parties) == 1:
        spot = Spot("party", parties[0].path, parties[0].name)
    if spot is None or spot.kind != "party":
        desk.say("this is for a kept party: put the cursor on one", "hint")
        return
    desk.show(at=spot.at, mode=Resting(spot))


def _help(desk: StartDesk) -> None:
    desk.show(
        mode=HelpText("Help", help_lines(desk.commands, desk.services.words, len(desk.offered.systems)))
    )


def back(desk: StartDesk) -> None:
    """Take one step back: the filter, the choice that was begun, the trash."""
    view = desk.view
    if view.filter:
        desk.show(filter="")
    elif view.place == "trash":
        desk.home("trash ")
    elif view.new != NewFight():
        desk.home()
    else:
        desk.say("[q] leaves", "hint")


def _suspend(desk: StartDesk) -> None:
    if not desk.services.suspend():
        desk.say(NO_SHELL)


_DOES: dict[str, Callable[[StartDesk], None]] = {
    "go": enter,
    "copy-fight": _copy,
    "rename": _rename,
    "trash": _throw,
    "over": _rest,
    "filter": lambda desk: _ask(desk, "filter", None, desk.view.filter),
    "line": lambda desk: _ask(desk, "line", None, ""),
    "up": _move(-1),
    "down": _move(1),
    "left": _sideways(-1),
    "right": _sideways(1),
    "panes": _part(1),
    "panes-back": _part(-1),
    "page-up": _move(-PAGE),
    "page-down": _move(PAGE),
    "top": _move(-ALL),
    "bottom": _move(ALL),
    "help": _help,
    "repaint": lambda desk: desk.services.repaint(),
    "suspend": _suspend,
    "escape": back,
    "quit": lambda desk: desk.services.leave(),
}
"""What each command of the start screen does, by its id."""


def help_lines(
    commands: Sequence[Command], words: Mapping[str, ProgramWord], systems: int
) -> tuple[str, ...]:
    """Return the help of the start screen: its keys, each with its line, and the words of the program."""
    keys = [(" ".join(map(shown, c.keys)), f":{c.words}", c.help) for c in commands]
    return (
        "This is where fights are opened, made and kept.",
        "",
        f"  {f'1 to {min(9, systems)}':<12} {':make N':<12} a new fight in the system of that number",
        *(f"  {key:<12} {line:<12} {does}" for key, line, does in keys),
        "",
        *(f"  :{word.usage:<24} {word.help}" for word in words.values()),
        "",
        "A fight is one file in the folder of saves, written after every line: nothing is saved by hand.",
        "A party is a file in the folder parties among the saves: its creatures are added to any fight.",
        "A sample is opened as a copy, so that it can be played again and again.",
        "The trash is the folder trash among the saves. Nothing in it is ever deleted by this program.",
    )
