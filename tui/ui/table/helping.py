"""The help of a player's terminal: its keys, its signs, what its words for hit points mean."""

from __future__ import annotations

from tui.ui.state.columns import cells
from tui.ui.state.glyphs import STATES, state_sign
from tui.ui.state.rows import BLANK, Row, clip, filled, titled, wrapped
from tui.ui.table.look import Look

KEYS = (
    ("q", "leave"), ("b", "large letters, and small ones again"), ("t", "other colours"), ("j k ↑ ↓", "rows that have no room"),
    ("Esc", "back to whoever acts"), ("ctrl+l", "draw everything anew"), ("?", "this page"),
)  # fmt: skip

WORDS = (
    ("unhurt", "has all its hit points"),
    ("hurt", "has lost some"),
    ("bloodied", "at half its hit points or less"),
    ("down", "at 0, or out of the fight"),
)

LOOKING = "Nothing here changes the fight. "

_STATES = ("now", "may", "waits", "done", "barred", "staged", "out")


def helping(look: Look, width: int) -> list[Row]:
    """The page, as long as it is."""
    glyphs = look.glyphs
    states = (STATES[state].word or state for state in _STATES)
    signs = () if glyphs.spoken else tuple(zip((state_sign(glyphs, s) for s in _STATES), states, strict=True))
    rows: list[Row] = []
    for name, pairs in (("Your seat", look.keys), ("Keys", KEYS), ("Signs", signs), ("How hurt", WORDS)):
        if pairs:
            rows += [*([BLANK] if rows else []), titled(glyphs, (name, "title"), width, ())]
            rows += _table(pairs, width)
    rows += [BLANK]
    about = (
        "" if look.keys else LOOKING
    ) + "You see what everybody at the table may know, and what is yours alone."
    rows += [((f" {part}", "muted"),) for part in wrapped(about, width - 2)]
    return [clip(row, width, glyphs.ellipsis) for row in rows]


def help_rows(look: Look, width: int, height: int) -> list[Row]:
    """As much of the page as has room in `height` rows, from where it was scrolled to; it says when there is more."""
    rows = helping(look, width)
    if len(rows) <= height or height < 2:
        return filled(rows, height)
    top = help_top(look, 0, width, height)
    more = clip(((" j k more of this page", "hint"),), width, look.glyphs.ellipsis)
    return [*rows[top : top + height - 1], more]


def help_top(look: Look, by: int, width: int, height: int) -> int:
    """The first row of the page after scrolling by so many."""
    return max(0, min((look.top or 0) + by, len(helping(look, width)) - height + 1))


def _table(pairs: tuple[tuple[str, str], ...], width: int) -> list[Row]:
    """Two columns: a word or a sign, and what it means."""
    head = max(cells(left) for left, _ in pairs) + 3
    return [((f" {left:<{head - 2}} ", "key"), (right, "text")) for left, right in pairs if width > head]
