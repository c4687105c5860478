"""What a seat's keys go to beside the table: a line that is typed, faces, or a choice among lines."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.text import quote
from tui.ui.state.columns import cells
from tui.ui.state.editor import Editor
from tui.ui.state.glyphs import Glyphs
from tui.ui.state.rows import Row, clip, titled
from tui.ui.state.typing.rows import typed_line
from tui.ui.table.page import PublicChoice
from tui.ui.table.seat.form import OrderForm


class Typing(Struct, frozen=True):
    """A line that is being typed behind `title`; what is sent begins with `start`."""

    editor: Editor = Editor()
    title: str = ":"
    start: str = ""

    @property
    def line(self) -> str:
        """What Enter sends; "" for nothing."""
        said = self.editor.text.strip()
        return f"{self.start} {said}" if self.start and said else said


class Choosing(Struct, frozen=True):
    """Whole lines to choose from, and the one under the cursor."""

    verb: str
    choices: tuple[PublicChoice, ...]
    at: int = 0


Mode = OrderForm | Typing | Choosing | None


def faces(who: str, dice: str) -> Typing:
    """The faces that fell at the table for somebody's roll."""
    return Typing(title=f"faces of {dice} for {who}", start=f"roll {quote(who)}")


def typed(mode: Typing, key: str) -> Typing:
    """The line after a key that neither sends nor leaves it."""
    char = " " if key == "space" else key
    moved = mode.editor.insert(char) if len(char) == 1 else mode.editor.press(key)
    return mode if moved is None else replace(mode, editor=moved)


def chosen(mode: Choosing, key: str) -> Choosing:
    """The choice after a key that neither takes nor leaves it."""
    by = {"down": 1, "j": 1, "tab": 1, "up": -1, "k": -1, "shift+tab": -1}.get(key, 0)
    if key.isdecimal() and 1 <= int(key) <= len(mode.choices):
        return replace(mode, at=int(key) - 1)
    return replace(mode, at=(mode.at + by) % len(mode.choices))


def typing_rows(mode: Typing, width: int) -> list[Row]:
    """The line in one row."""
    head = mode.title if mode.title == ":" else f"{mode.title}: "
    room = max(4, width - cells(head) - 2)
    return [clip(((f" {head}", "title"), *typed_line(mode.editor, room)), width, "")]


def choosing_rows(mode: Choosing, width: int, most: int, glyphs: Glyphs) -> list[Row]:
    """The choices with their numbers, those around the cursor where not all have room."""
    room = max(1, most - 1)
    first = max(0, min(mode.at - room // 2, len(mode.choices) - room))
    rows: list[Row] = [titled(glyphs, (mode.verb, "title"), width, ())]
    for place, choice in enumerate(mode.choices[first : first + room], first):
        here = place == mode.at
        note = f"  {choice.note}" if choice.note else ""
        rows.append(
            clip(((f" {glyphs.cursor if here else ' '} {place + 1} ", "key"), (choice.title, "selected" if here else "text"), (note, "muted")),
                 width, glyphs.ellipsis)
        )  # fmt: skip
    return rows
