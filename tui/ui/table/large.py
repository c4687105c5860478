"""The screen in large letters: whose turn it is can be read across the table."""

from __future__ import annotations

from tui.ui.state.columns import cells
from tui.ui.state.palette import Role
from tui.ui.state.rows import BLANK, Row, clip
from tui.ui.table.letters import columns, drawn, height, plain_letters
from tui.ui.table.look import Look
from tui.ui.table.saying import coming, saying

SCALES = (4, 2, 1)
"""How many dots wide a dot may be drawn, the largest first."""

SHARE = 0.55
"""How much of the height the large name may take."""


def banner(look: Look, width: int, most: int) -> list[Row]:
    """The name of whoever acts, as large as fits, then all that is said of the moment; at most so many rows."""
    assert look.page
    said = saying(look.page)
    role: Role = "selected" if said.mine else "acting" if said.kind == "acts" else "text"
    rows = large(look, said.who or said.big, role, width, int(most * SHARE))
    told: list[Row] = [((f" {said.lead}", role),)]
    left = most - len(rows) - len(told) - 2
    after = coming(look.page)[:1] if said.kind == "acts" else []
    small = large(look, after[0], "muted", width, left) if after and left > 5 else []
    if small:
        told += [BLANK, ((" then", "muted"),), *small]
        rest = coming(look.page)[1:]
        told += [((f" then {', '.join(rest)}", "muted"),)] if rest else []
    elif said.then:
        told.append(((f" {said.then}", "text"),))
    told += [((f" {line}", "text"),) for line in said.lines]
    return [
        clip(row, width, look.glyphs.ellipsis) for row in [BLANK, *rows, *([BLANK] if rows else []), *told]
    ][:most]


def large(look: Look, text: str, role: Role, width: int, most: int) -> list[Row]:
    """A text in the largest letters that have room; none where not even the smallest do, or a letter cannot be drawn."""
    blocks = look.glyphs.full != "="
    letters = plain_letters(text)
    if not letters or look.glyphs.spoken:
        return []
    for scale in SCALES:
        fits = columns(letters, scale) + 2 <= width and height(scale, blocks=blocks) <= most
        if fits:
            return [((f" {line}", role),) for line in drawn(letters, scale, blocks=blocks)]
    # A long name says most by its first word, and is told whole in the line below.
    first = text.split(" ", maxsplit=1)[0]
    return large(look, first, role, width, most) if cells(first) < cells(text) else []
