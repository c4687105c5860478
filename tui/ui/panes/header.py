"""The header: save, system, round and phase, and whether everything is on the disk."""

from __future__ import annotations

from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.home import Home
from tui.ui.state.layout import Room
from tui.ui.state.scene import Scene, selected_rows
from tui.ui.text.rows import Box, Piece, Row, cells, header_row, join_ends


def _draw(scene: Scene, box: Box) -> list[Row]:
    """Return one row: save, system, round, phase; at the end what can be redone, and whether all is saved.

    The step's number is in the log instead: the header should not change with every step.
    """
    if scene.home:
        return [_folder(scene, scene.home, box.width)]
    table, system = scene.table, scene.system.short or scene.system.title
    at = (table.round if table.running else 0, table.phase)
    return [header_row(scene.name, system, at, _right(scene), box.width, scene.glyphs)]


def _folder(scene: Scene, home: Home, width: int) -> Row:
    """Return the number of fights in the folder, and its path, whose beginning is cut."""
    count, folder, most = len(home.contents.fights), home.contents.folder, max(12, width // 3)
    shown = folder if cells(folder) <= most else scene.glyphs.ellipsis + folder[len(folder) - most :]
    right: list[Piece] = [(f"{count} fight{'s' * (count != 1)} in {shown} ", "muted")]
    if scene.view.filter:
        right.insert(0, (f"filter: {scene.view.filter}  ", "warning"))
    return join_ends(((" tocsin", "title"),), tuple(right), width, scene.glyphs.ellipsis)


def _right(scene: Scene) -> list[Piece]:
    """Return filter, selection, what can be redone, and whether everything is on the disk."""
    right: list[Piece] = []
    if scene.view.filter:
        right.append((f"filter: {scene.view.filter}  ", "warning"))
    if rows := selected_rows(scene):
        right.append((f"{len(rows)} selected  ", "selected"))
    if scene.served:
        right.append((f"{scene.served}  ", "muted"))
    if scene.redoable:
        right.append((f"redo {scene.redoable}  ", "hint"))
    if scene.fault:
        right.append(("NOT SAVED ", "error"))
    elif scene.watching.word:
        right.append((f"{scene.watching.word} ", "warning" if scene.watching.wrong else "hint"))
    else:
        waits = "saving " if scene.glyphs.spoken else f"{scene.glyphs.ellipsis:>5} "
        right.append(("saved " if scene.is_saved else waits, "muted"))
    return right


def _ask(scene: Scene, room: Room) -> Ask:
    del scene, room
    return Ask(1, "top")


PANE = Pane("header", _ask, _draw)
