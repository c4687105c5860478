"""Show creatures in few columns: names, hit points, conditions, and the titles of panes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.table import Creature
from tui.ui.state.layout import Pane
from tui.ui.state.mode import mode_of
from tui.ui.state.scene import Scene, focus
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.held import HIDDEN_WORD, RowStyle, held
from tui.ui.text.rows import Piece, Row, frame_title, split_number, title_row


def creatures_named(scene: Scene, name: str) -> list[Creature]:
    """Return the creatures of the table with this name, in the group of this name, or on the side."""
    people = scene.table.combatants
    return [c for c in people if name in (c.name, c.group)] or [c for c in people if name == c.side]


def row_style(scene: Scene, *, wide: bool = False) -> RowStyle:
    """Return how rows are worded for the game master; with `wide`, words replace signs."""
    aloud = wide or scene.glyphs.spoken
    return RowStyle(
        scene.glyphs,
        scene.table.round,
        {mark.key: mark for mark in scene.system.all_marks.values()},
        "concentrating" if aloud else scene.glyphs.concentration,
        HIDDEN_WORD,
        sheets=True,
        actors=scene.table.actors,
    )


def held_words(scene: Scene, people: Sequence[Creature]) -> list[Piece]:
    """Return conditions and marks of creatures as words, the most important first."""
    return held(row_style(scene), people)


def join_numbered(names: Sequence[str], glyphs: Glyphs) -> str:
    """Return `Goblin 1-4` or `Rat 1, 3` if only the numbers differ, else all names with commas."""
    pairs = [split_number(n) for n in names]
    bases = {m[0] for m in pairs if m}
    if len(names) < 2 or not all(pairs) or len(bases) != 1:
        return ", ".join(names)
    numbers = sorted(int(m[1]) for m in pairs if m)
    return f"{bases.pop()} {', '.join(_join_runs(numbers, glyphs))}"


def join_names(names: Sequence[str], glyphs: Glyphs) -> str:
    """Return the names in their order, those of the same kind joined: `Bandit 2-6, Thane`."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(kind_of(name), []).append(name)
    return ", ".join(join_numbered(some, glyphs) for some in kinds.values())


def kind_of(name: str) -> str:
    """Return the name without a number at its end."""
    pair = split_number(name)
    return pair[0] if pair else name


def _join_runs(numbers: Iterable[int], glyphs: Glyphs) -> list[str]:
    runs: list[tuple[int, int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return [f"{a}" if a == b else f"{a}{glyphs.range}{b}" for a, b in runs]


def is_sheet_in_focus(scene: Scene) -> bool:
    """Return whether a form or list over the whole width has focus."""
    mode = mode_of(scene)
    return mode is not None and mode.where == "sheet"


def title(scene: Scene, part: Pane, text: str, width: int, *more: Piece) -> Row:
    """Return a title such as `── Track ── more`, with brackets around the name if the pane has focus."""
    focused = focus(scene) == part and not is_sheet_in_focus(scene)
    return title_row(
        scene.glyphs,
        (frame_title(scene.glyphs, text) if focused else text, "focus" if focused else "title"),
        width,
        more,
    )


def focus_title(scene: Scene, text: str, width: int, more: str = "") -> Row:
    """Return the framed title row of a pane that has focus."""
    return title_row(
        scene.glyphs, (frame_title(scene.glyphs, text), "focus"), width, ((more, "muted"),) if more else ()
    )


def label_line(scene: Scene, text: str, width: int, *more: Piece) -> Row:
    """Return a title row for rows that cannot have focus."""
    return title_row(scene.glyphs, (text, "title"), width, more)
