"""Modes of a seat apart from the order form: typing a line, typing faces, choosing one of several lines."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.text import dice_words, quote
from tui.core.published_page import SeatChoice
from tui.core.table import RollDue
from tui.ui.players.page import PlayerPage
from tui.ui.players.writing import OrderForm
from tui.ui.text.editor import Editor, typed_line
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.menu import Choices, Item, choice_rows
from tui.ui.text.palette import Role
from tui.ui.text.press import Press, read_faces
from tui.ui.text.rows import Piece, Row, cells, clip, limit_rows, span, title_row, wrap_text

LEAST_CHOICES = 4
"""The fewest choices shown; rows beyond these go to the preview of the choice in focus."""


class Typing(Struct, frozen=True):
    """A line that is being typed."""

    editor: Editor = Editor()
    title: str = ":"
    """The text before the typed line."""
    start: str = ""
    """The beginning of the line to send, before the typed text."""
    dice: tuple[int, ...] = ()
    """The sides of the dice whose faces are typed; () if a line is typed."""
    usage: str = ""
    """The syntax of the line that a key has begun, "" for none."""

    @property
    def line(self) -> str:
        """The line that Enter sends, "" for none."""
        text = self.editor.text.strip()
        if self.dice and (fell := read_faces(text, self.dice)):
            text = " ".join(map(str, fell))
        return f"{self.start} {text}" if self.start and text else text


class Choosing(Choices, frozen=True):
    """A choice between lines of a verb.

    `is_asked` says that the page offers these lines: the mode closes when the page no longer does.
    """

    is_asked: bool = False


def choosing(verb: str, choices: Sequence[SeatChoice], *, is_asked: bool = False) -> Choosing:
    """Return a menu of these choices; the first nine have a digit, unless their rows can be turned."""
    items = (
        Item(
            x.title,
            x.line,
            str(n) if n < 10 and not x.kin else "",
            x.note,
            preview=x.meaning,
            price=x.instead,
            kin=x.kin,
        )
        for n, x in enumerate(choices, 1)
    )
    return Choosing(verb, tuple(items), is_asked=is_asked)


class Ended(Struct, frozen=True):
    """A notice in place of a form or choice that has become void: Enter and Esc close it."""

    text: str


Mode = OrderForm | Typing | Choosing | Ended | None


def faces(who: str, dice: tuple[int, ...]) -> Typing:
    """Return the prompt for the faces of a creature's roll."""
    return Typing(title=f"faces of {dice_words(dice)} for {who}", start=f"roll {quote(who)}", dice=dice)


def other_roll(mode: Typing, page: PlayerPage, by: int) -> Typing:
    """Return the prompt for the next (`by` 1) or previous (-1) roll that this player owes."""
    prompts = [faces(due.who, due.dice) for due in by_hand(page)]
    at = next((i for i, prompt in enumerate(prompts) if _same_roll(prompt, mode)), -1)
    return prompts[(at + by) % len(prompts)] if prompts else mode


def _same_roll(one: Typing, other: Typing) -> bool:
    return (one.start, one.dice) == (other.start, other.dice)


def is_over(mode: Mode, page: PlayerPage) -> bool:
    """Return whether the page no longer offers the choice, or no longer owes the roll of typed faces."""
    match mode:
        case Choosing(verb, items, is_asked=True):
            return [i.line for i in items] != [c.line for c in page.seat.choices.get(verb, ())]
        case Typing() if mode.dice:
            return not any(_same_roll(faces(due.who, due.dice), mode) for due in by_hand(page))
        case _:
            return False


def over_words(mode: Mode, page: PlayerPage, before: PlayerPage | None) -> str:
    """Return why a choice or typed faces are void, "" if they are not; for a roll what the log says of it."""
    if not is_over(mode, page):
        return ""
    if before and isinstance(mode, Typing):
        last = max((x.step for x in before.log), default=0)
        news = [text for x in page.log if x.step > last for text in x.text]
        names = [due.who for due in by_hand(before) if _same_roll(faces(due.who, due.dice), mode)]
        lost = "; what you typed is not sent" if mode.editor.text else ""
        if rolled := [text for text in news for name in names if text.startswith(f"{name} ")]:
            return rolled[0] + lost
    return "your task has changed"


def typed(mode: Typing, key: Press) -> Typing:
    """Return the typed line after a key; Enter and Esc are handled elsewhere."""
    editor = mode.editor.press(key.key) or (mode.editor.insert(key.char) if key.char else mode.editor)
    return replace(mode, editor=editor)


def typing_rows(mode: Typing, width: int) -> list[Row]:
    """Return the typed line in one row, below its syntax if there is one."""
    head = mode.title if mode.title == ":" else f"{mode.title}: "
    room = max(4, width - cells(head) - 2)
    usage = [clip(((f" {mode.usage}", "hint"),), width, "")] if mode.usage else []
    return [*usage, clip(((f" {head}", "title"), *typed_line(mode.editor, room)), width, "")]


def choosing_rows(mode: Choosing, width: int, most: int, glyphs: Glyphs) -> list[Row]:
    """Return the choices around the current one, and its preview if there is room."""
    meaning = shortened_rows(mode.visible_items[mode.place].preview, width, 5, 2, "hint", glyphs)
    meaning = meaning if most >= LEAST_CHOICES + 1 + len(meaning) else []
    rows = choice_rows(mode, glyphs)
    room = max(1, most - 1 - len(meaning))
    first = max(0, min(mode.place - room // 2, len(rows) - room))
    gives: tuple[Piece, ...] = ((f"gives up: {mode.current_price}", "muted"),) if mode.current_price else ()
    cut = span(first, len(rows[first : first + room]), len(rows), glyphs)
    head = title_row(glyphs, (mode.title, "title"), width, (*gives, *cut))
    return [head, *(clip(row, width, glyphs.ellipsis) for row in rows[first : first + room]), *meaning]


def shortened_rows(text: str, width: int, indent: int, most: int, role: Role, glyphs: Glyphs) -> list[Row]:
    """Return a text in at most `most` rows; if it is longer, the last one ends in an ellipsis."""
    parts = limit_rows(wrap_text(text, width - indent - 1), most) if text and most > 0 else []
    return [clip(((" " * indent + part, role),), width, glyphs.ellipsis) for part in parts]


def rolls(page: PlayerPage) -> list[RollDue]:
    """Return the rolls that this player owes."""
    return [d for d in page.state.due if isinstance(d, RollDue) and page.mine(d.who)]


def by_hand(page: PlayerPage) -> list[RollDue]:
    """Return the rolls that this player owes and whose faces may be typed."""
    return [due for due in rolls(page) if not due.shows]
