"""The help of a player's terminal: its keys, its signs, what its words for hit points mean."""

from __future__ import annotations

from tui.ui.state.columns import cells
from tui.ui.state.glyphs import STATES, Glyphs, state_sign
from tui.ui.state.rows import BLANK, Row, clip, filled, titled, wrapped

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

_STATES = ("now", "may", "waits", "done", "barred", "staged", "out")


def helping(glyphs: Glyphs, width: int, height: int) -> list[Row]:
    """The page, exactly so many rows."""
    states = (STATES[state].word or state for state in _STATES)
    signs = () if glyphs.spoken else tuple(zip((state_sign(glyphs, s) for s in _STATES), states, strict=True))
    rows: list[Row] = []
    for name, pairs in (("Keys", KEYS), ("Signs", signs), ("How hurt", WORDS)):
        if pairs:
            rows += [*([BLANK] if rows else []), titled(glyphs, (name, "title"), width, ())]
            rows += _table(pairs, width)
    rows += [BLANK]
    about = "Nothing here changes the fight. You see what everybody at the table may know, and what is yours alone with --as."
    rows += [((f" {part}", "muted"),) for part in wrapped(about, width - 2)]
    return filled([clip(row, width, glyphs.ellipsis) for row in rows], height)


def _table(pairs: tuple[tuple[str, str], ...], width: int) -> list[Row]:
    """Two columns: a word or a sign, and what it means."""
    head = max(cells(left) for left, _ in pairs) + 3
    return [((f" {left:<{head - 2}} ", "key"), (right, "text")) for left, right in pairs if width > head]
