"""While somebody is added: what has been understood, in words, and what may still be said."""

from __future__ import annotations

from tui.core.fight.agenda import Field
from tui.core.views.add_preview import unsaid
from tui.ui.panes.titles import heading
from tui.ui.state.columns import cells, pad
from tui.ui.state.rows import Piece, Row, clip, filled, wrapped
from tui.ui.state.scene import Scene
from tui.ui.state.view import Prompt

COLUMN = 26
"""Columns for a key with its word."""

ROWS = 3
NEED = ROWS + 1


def adding(scene: Scene, prompt: Prompt, width: int, height: int) -> list[Row]:
    """The title says what Enter would do; below it the keys that are left, those of the running system first."""
    line = prompt.editor.text
    whole = f"Add: {prompt.told}"
    # Words that the title has no room for stand below it, whole.
    first, more = (whole, []) if cells(whole) < width - 3 else ("Add", wrapped(prompt.told, width - 2, ROWS))
    found = unsaid(line[: prompt.editor.at], scene.system)
    count, room = max(1, width // COLUMN), max(0, height - 1 - len(more))
    shown = found[: count * room]
    # The last of them makes room for the number of those that are left out.
    shown = shown[:-1] if 0 < len(shown) < len(found) else shown
    rows = [shown[i : i + count] for i in range(0, len(shown), count)]
    body: list[Row] = [tuple(piece for field in row for piece in _key(scene, field)) for row in rows]
    if body and len(shown) < len(found):
        body[-1] = (*body[-1], (f"{scene.glyphs.dot} {len(found) - len(shown)} more with Tab", "hint"))
    said: list[Row] = [((row, "text"),) for row in more]
    below = [clip(((" ", "text"), *row), width, scene.glyphs.ellipsis) for row in (*said, *body)]
    return filled([heading(scene, first, width), *below], height)


def _key(scene: Scene, field: Field) -> tuple[Piece, Piece]:
    """A key with its word: what it may be, else what it is, as far as that has room."""
    key = f"{field.key}="
    room = COLUMN - cells(key) - 2
    words = (", ".join(field.choices), field.help, field.title)
    word = next((w for w in words if w and cells(w) <= room), field.title)
    return ((key, "key"), (f" {pad(word, max(1, room), ellipsis=scene.glyphs.ellipsis)} ", "hint"))
