"""Moving about: panes, rows, marks, zoom. Nothing here reaches the fight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.core.fight.encounter import key_of, members
from tui.ui.state.layout import PANES
from tui.ui.state.scene import (
    current,
    current_creature,
    current_entry,
    focus,
    people,
    row_key,
    rows_pane,
    track_rows,
)

if TYPE_CHECKING:
    from tui.ui.keys.desk import Desk

PAGE = 10


def panes(desk: Desk, rest: str) -> None:
    """The next pane, the one before (`back`), or the one named."""
    here = PANES.index(focus(desk.scene))
    to = rest if rest in PANES else PANES[(here + (-1 if rest == "back" else 1)) % len(PANES)]
    _go(desk, to)


def _go(desk: Desk, pane: str) -> None:
    rows = {"rows": pane} if pane in ("track", "roster") else {"rows": rows_pane(desk.scene)}
    desk.show(focus=pane, **rows, **({"log": 0} if pane != "log" else {}))


def left(desk: Desk, rest: str) -> None:
    """The pane to the left."""
    del rest
    _go(desk, "track")


def right(desk: Desk, rest: str) -> None:
    """The pane to the right."""
    del rest
    _go(desk, "orders" if focus(desk.scene) == "roster" else "roster")


def up(desk: Desk, rest: str) -> None:
    """So many rows up."""
    _by(desk, -_number(rest, 1))


def down(desk: Desk, rest: str) -> None:
    """So many rows down."""
    _by(desk, _number(rest, 1))


def page_up(desk: Desk, rest: str) -> None:
    """A page up."""
    _by(desk, -_number(rest, 1) * PAGE)


def page_down(desk: Desk, rest: str) -> None:
    """A page down."""
    _by(desk, _number(rest, 1) * PAGE)


def top(desk: Desk, rest: str) -> None:
    """The first row."""
    del rest
    _by(desk, -(10**9))


def bottom(desk: Desk, rest: str) -> None:
    """The last row."""
    del rest
    _by(desk, 10**9)


def _number(text: str, default: int) -> int:
    return int(text) if text.isdigit() else default


def _by(desk: Desk, rows: int) -> None:
    scene = desk.scene
    match focus(scene):
        case "track":
            keys = [r.entry for r in track_rows(scene)]
            if keys:
                desk.show(track=_moved(keys, current_entry(scene), rows))
        case "roster":
            ids = [c.id for c in people(scene)]
            if ids:
                desk.show(roster=_moved(ids, current_creature(scene), rows))
        case "log":
            here = scene.view.log or scene.step
            desk.show(log=max(0, min(scene.steps, here + rows)))
        case _:
            desk.show(orders=max(0, min(desk.view.orders, 10**6) + rows) if abs(rows) < 10**6 else 0)


def _moved(keys: list[str], at: str, rows: int) -> str:
    place = keys.index(at) if at in keys else 0
    return keys[max(0, min(len(keys) - 1, place + rows))]


def mark(desk: Desk, rest: str) -> None:
    """Marks the selected row, or takes its mark away, and goes on to the next."""
    del rest
    key = current(desk.scene)
    if not key:
        return
    marks = desk.view.selected
    desk.show(selected=tuple(k for k in marks if k != key) if key in marks else (*marks, key))
    if focus(desk.scene) in ("track", "roster"):
        _by(desk, 1)


def everybody(desk: Desk, rest: str) -> None:
    """Marks all of the selected row's group; of its side, when it has none or the group is marked already."""
    del rest
    scene = desk.scene
    found = members(scene.encounter, current(scene))
    if not found:
        return
    alive = [c for c in scene.encounter.combatants.values() if not c.out]
    group = [c for c in alive if c.group and c.group == found[0].group]
    side = [c for c in alive if c.side == found[0].side]
    for wanted in (group, side):
        keys = _keys(desk, [c.id for c in wanted])
        if keys and not set(keys) <= set(scene.view.selected):
            desk.show(selected=tuple(dict.fromkeys([*scene.view.selected, *keys])))
            return


def _keys(desk: Desk, ids: list[str]) -> list[str]:
    """Rows of the track are entries, rows of the roster creatures."""
    scene = desk.scene
    if rows_pane(scene) == "roster":
        return list(dict.fromkeys(row_key(scene, scene.encounter.combatants[i]) for i in ids))
    return list(dict.fromkeys(key_of(scene.encounter.combatants[i]) for i in ids))


def fold(desk: Desk, rest: str) -> None:
    """The selected row's group becomes one row of the roster, or its members have theirs again; `all`: every group."""
    scene = desk.scene
    found = members(scene.encounter, current(scene))
    if rest == "all":
        keys = tuple(dict.fromkeys(key_of(c) for c in scene.encounter.combatants.values() if c.group))
        desk.show(folded=() if set(keys) <= set(scene.view.folded) else keys)
    elif not found or not found[0].group:
        desk.say("the row is in no group", "hint")
    else:
        key = key_of(found[0])
        folded = scene.view.folded
        desk.show(folded=tuple(k for k in folded if k != key) if key in folded else (*folded, key))


def zoom(desk: Desk, rest: str) -> None:
    """The pane alone, or all four again."""
    del rest
    desk.show(zoom=not desk.view.zoom)


def mask(desk: Desk, rest: str) -> None:
    """Orders are typed unseen, or seen."""
    del rest
    desk.show(masked=not desk.view.masked)
    desk.say("orders are typed unseen" if desk.view.masked else "orders are typed in the open", "hint")


def escape(desk: Desk, rest: str) -> None:
    """One step back: a count, the place in the log, marks, the filter, zoom, the chosen row."""
    del rest
    view = desk.view
    if view.count:
        return
    if view.log:
        desk.show(log=0)
    elif view.selected:
        desk.show(selected=())
    elif view.filter:
        desk.show(filter="")
    elif view.zoom:
        desk.show(zoom=False)
    elif view.track or view.focus:
        desk.show(track="", focus="")
    else:
        desk.say("q quits", "hint")
