"""The start screen as values: what stands on it, where the cursor is, and what is being asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from msgspec import Struct
from msgspec.structs import replace

from tui.store.saves import Listed
from tui.store.shelf import Brief, Contents
from tui.ui.state.commands import COMMANDS, Command
from tui.ui.state.view import Notice
from tui.ui.text.editor import Editor
from tui.ui.text.glyphs import UNICODE, Glyphs

EntryKind = Literal["fight", "system", "lesson", "sample", "party", "trash", "thrown"]
"""What a spot of the start screen is."""

Place = Literal["home", "trash"]
"""Which lists are shown: all of them, or what was thrown away."""

Purpose = Literal["make", "copy", "rename", "filter", "line"]


START_COMMANDS: tuple[Command, ...] = (
    Command("go", ("enter",), "go",
        "opens the fight, or does what the line at the foot says", "open", "play"),
    Command("copy-fight", ("c",), "copy", "copies the fight under another name", "copy", "creatures"),
    Command("rename", ("R",), "rename", "gives the fight another name", "rename", "creatures"),
    Command("trash", ("x", "delete"), "trash",
        "puts the fight into the trash, from where Enter brings it back", "trash", "creatures"),
    Command("over", ("Q",), "rest", "lets a kept party rest, short or long", "rest", "creatures"),
    Command("filter", ("/",), "filter", "narrows the lists to what has these letters", "filter", "looking"),
    Command("line", (":",), "line", "a line: any of these words, or one of the program's", "line", "looking"),
    Command("up", ("up", "k"), "up", "a row up", "up", "looking"),
    Command("down", ("down", "j"), "down", "a row down", "down", "looking"),
    Command("left", ("left", "h"), "left", "the entry to the left, or the list before", "left", "looking"),
    Command("right", ("right", "l"), "right", "the entry to the right, or the next list", "right", "looking"),
    Command("panes", ("tab",), "panes", "the next list", "lists", "looking"),
    Command("panes-back", ("shift+tab",), "panes back", "the list before", "lists back", "looking"),
    Command("page-up", ("pageup",), "pageup", "a page up", "page up", "looking"),
    Command("page-down", ("pagedown",), "pagedown", "a page down", "page down", "looking"),
    Command("top", ("g", "home"), "top", "the first entry", "top", "looking"),
    Command("bottom", ("G", "end"), "bottom", "the last entry", "bottom", "looking"),
    Command("help", ("?", "f1"), "help", "opens this help", "help", "looking"),
    Command("repaint", ("ctrl+l",), "repaint", "draws the whole screen again", "repaint", "looking"),
    Command("suspend", ("ctrl+z",), "suspend", "suspends the program; fg in the shell returns", "suspend",
        "looking"),
    Command("escape", ("escape", "ctrl+c"), "escape", "one step back", "back", "looking"),
    Command("quit", ("q",), "quit", "leaves", "quit", "looking"),
)  # fmt: skip
"""The commands of the start screen; those of a fight too have its ids, and so the user's own keys."""


def start_commands(commands: Sequence[Command] = COMMANDS) -> tuple[Command, ...]:
    """Return the commands of the start screen with a fight's keys; no key means two."""
    keys = {c.id: c.keys for c in commands}
    taken = {key for c in START_COMMANDS for key in keys.get(c.id, ())}
    return tuple(
        replace(c, keys=keys[c.id] if c.id in keys else tuple(k for k in c.keys if k not in taken))
        for c in START_COMMANDS
    )


class Spot(Struct, frozen=True):
    """Something the cursor can stand on: its kind, and what names it (a path, an id)."""

    kind: EntryKind
    key: str
    name: str

    @property
    def at(self) -> str:
        """What the cursor remembers of it."""
        return f"{self.kind} {self.key}"


class SpotLine(Struct, frozen=True):
    """One row: spots beside each other behind a title; `note` stands at the end, `number` is its key or 0."""

    spots: tuple[Spot, ...]
    title: str = ""
    note: str = ""
    number: int = 0


class ListPart(Struct, frozen=True):
    """A list with a title; `empty` is what stands there while it holds nothing."""

    title: str
    lines: tuple[SpotLine, ...]
    note: str = ""
    empty: str = ""


class SystemSummary(Struct, frozen=True):
    """A system as the list of new fights explains it."""

    id: str
    title: str
    summary: str


class Asked(Struct, frozen=True):
    """A name being typed, for the thing that `spot` stands for; a filter and a line have none.

    `proposed`: the text is a proposal, which the first letter replaces.
    """

    purpose: Purpose
    editor: Editor = Editor()
    spot: Spot | None = None
    proposed: bool = False


class Resting(Struct, frozen=True):
    """The question which rest the party of a spot takes."""

    spot: Spot


class Refusal(Struct, frozen=True):
    """A save that cannot be opened for writing: why, and whether its writer may be asked to leave."""

    path: str
    why: str
    taken: bool


class HelpText(Struct, frozen=True):
    """The help, from line `top` on."""

    title: str
    text: tuple[str, ...]
    top: int = 0

    def scrolled(self, by: int) -> HelpText:
        """Return the page moved by rows."""
        return replace(self, top=max(0, min(len(self.text) * 4, self.top + by)))


class NewFight(Struct, frozen=True):
    """A fight to be made: its name and the file of its party, "" until they are known.

    `fresh`: the party comes as after a long rest.
    """

    name: str = ""
    party: str = ""
    fresh: bool = False


class StartView(Struct, frozen=True):
    """What the start screen is doing. `at` names the spot under the cursor, "" for the first."""

    at: str = ""
    place: Place = "home"
    filter: str = ""
    notice: Notice | None = None
    mode: Asked | Refusal | Resting | HelpText | None = None
    new: NewFight = NewFight()


class StartChanges(TypedDict, total=False):
    """The fields of a StartView that a key changes."""

    at: str
    place: Place
    filter: str
    notice: Notice | None
    mode: Asked | Refusal | Resting | HelpText | None
    new: NewFight


class StartScene(Struct, frozen=True):
    """Everything a picture of the start screen depends on. `now` is the time in seconds since 1970."""

    contents: Contents
    systems: tuple[SystemSummary, ...] = ()
    lessons: tuple[str, ...] = ()
    briefs: Mapping[str, Brief] = {}
    view: StartView = StartView()
    glyphs: Glyphs = UNICODE
    now: float = 0.0
    welcome: bool = False


def parts(scene: StartScene) -> tuple[ListPart, ...]:
    """Return the lists that are shown, with only what fits the filter."""
    sections: tuple[ListPart, ...]
    match scene.view.place:
        case "trash":
            sections = (_fights("Trash", scene.contents.trash, "thrown", "Nothing was thrown away"),)
        case "home":
            sections = (
                _fights("Fights", scene.contents.fights, "fight", "No fight yet: choose a system below"),
                _systems(scene),
                _learn(scene),
            )
    words = scene.view.filter.lower().split()
    if not words:
        return sections
    fitting = [_fitting(scene, part, words) for part in sections]
    return tuple(part for part in fitting if part.lines) or (fitting[0],)


def _fights(title: str, saves: Sequence[Listed], kind: EntryKind, empty: str) -> ListPart:
    return ListPart(title, tuple(SpotLine((Spot(kind, s.path, s.name),)) for s in saves), empty=empty)


def by_use(systems: Sequence[SystemSummary], fights: Sequence[Listed]) -> tuple[SystemSummary, ...]:
    """Return the systems in the order in which their fights were played last, then all others."""
    played = [x.system for x in sorted(fights, key=lambda x: x.modified, reverse=True)]
    return tuple(sorted(systems, key=lambda s: played.index(s.id) if s.id in played else len(played)))


def _systems(scene: StartScene) -> ListPart:
    name = scene.view.new.name
    note = f"choose the system of {name}" if name else "a number, then Enter"
    lines = tuple(
        SpotLine((Spot("system", s.id, s.title),), note=s.summary, number=place)
        for place, s in enumerate(scene.systems, 1)
    )
    return ListPart("New fight", lines, note)


def _learn(scene: StartScene) -> ListPart:
    listed = scene.contents
    lines = [SpotLine(tuple(Spot("lesson", x, x) for x in scene.lessons), "lessons")]
    lines += [SpotLine(tuple(Spot("sample", s.path, s.name) for s in listed.samples), "samples")]
    lines += [SpotLine(tuple(Spot("party", p.path, p.name) for p in listed.parties), "parties")]
    count = len(listed.trash)
    text = f"{count} fight{'s' * (count != 1)}"
    lines += [SpotLine((Spot("trash", "", text),), "trash")] if count else []
    return ListPart("Learn and load", tuple(line for line in lines if line.spots))


def _fitting(scene: StartScene, part: ListPart, words: Sequence[str]) -> ListPart:
    """Return the part with only those spots that hold all the words."""
    lines = (
        replace(line, spots=tuple(c for c in line.spots if _fits(scene, c, line, words)))
        for line in part.lines
    )
    return ListPart(
        part.title, tuple(line for line in lines if line.spots), part.note, "Nothing has these letters"
    )


def _fits(scene: StartScene, spot: Spot, line: SpotLine, words: Sequence[str]) -> bool:
    brief = scene.briefs.get(spot.key)
    text = f"{spot.name} {line.title} {line.note} {brief.system if brief else ''}".lower()
    return all(word in text for word in words)


# --- where the cursor is


def current(scene: StartScene) -> Spot | None:
    """Return the spot under the cursor: the one chosen, else the first; None when nothing is shown."""
    every = [c for part in parts(scene) for line in part.lines for c in line.spots]
    return next((c for c in every if c.at == scene.view.at), every[0] if every else None)


def _grid(scene: StartScene) -> list[tuple[int, SpotLine]]:
    """Return every row, with the number of its part."""
    return [(number, line) for number, part in enumerate(parts(scene)) for line in part.lines]


def _place(rows: Sequence[tuple[int, SpotLine]], cursor: Spot) -> tuple[int, int]:
    """Return row and column of a spot."""
    return next((y, line.spots.index(cursor)) for y, (_, line) in enumerate(rows) if cursor in line.spots)


def moved(scene: StartScene, down: int = 0, right: int = 0) -> str:
    """Return the spot that many rows down or spots to the right; at the ends the cursor stays."""
    rows, cursor = _grid(scene), current(scene)
    if cursor is None:
        return ""
    y, x = _place(rows, cursor)
    y = max(0, min(len(rows) - 1, y + down))
    line = rows[y][1].spots
    x = 0 if down else max(0, min(len(line) - 1, x + right))
    return line[x].at


def in_part(scene: StartScene, by: int) -> str:
    """Return the first spot of the next part (`by` 1) or of the one before (-1), in a ring."""
    rows, cursor = _grid(scene), current(scene)
    if cursor is None:
        return ""
    mine = rows[_place(rows, cursor)[0]][0]
    numbers = list(dict.fromkeys(number for number, _ in rows))
    wanted = numbers[(numbers.index(mine) + by) % len(numbers)]
    return next(line.spots[0].at for number, line in rows if number == wanted)


def beside(scene: StartScene) -> bool:
    """Return whether the cursor stands in a row of several spots."""
    cursor = current(scene)
    return cursor is not None and any(
        cursor in line.spots and len(line.spots) > 1 for _, line in _grid(scene)
    )


def listed_of(scene: StartScene, spot: Spot) -> Listed | None:
    """Return the save that a spot stands for."""
    saves = (*scene.contents.fights, *scene.contents.trash)
    return next((s for s in saves if s.path == spot.key), None)


def party_text(scene: StartScene) -> str:
    """Return which party plays in the new fight: `with Mill as it is`, `without a party`."""
    new = scene.view.new
    name = next((p.name for p in scene.contents.parties if p.path == new.party), "")
    return f"with {name}{', rested' if new.fresh else ' as it is'}" if name else "without a party"
