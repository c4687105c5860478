"""Move between panes and rows, select and zoom; nothing here changes the fight."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from tui.core.fight.encounter import key_of, members
from tui.ui.desk.base import BaseDesk
from tui.ui.rows.screen import last_top, there
from tui.ui.state.layout import PANES, Pane, content, lists_creatures
from tui.ui.state.scene import (
    current,
    current_creature,
    current_entry,
    focus,
    halved,
    meaning,
    people,
    row_key,
    rows_pane,
    track_rows,
)
from tui.ui.state.view import View
from tui.ui.text.press import number

PAGE = 10
ALL = 10**9


def panes(desk: BaseDesk, rest: str) -> None:
    """Go to the next pane, the one before (`back`), or the one named."""
    named = next((pane for pane in PANES if pane == rest), None)
    found, here = there(replace(desk.scene, view=View())), focus(desk.scene)
    # From a pane that has nothing to say any more, the next one is the next of all.
    ring = [pane for pane in PANES if pane in found or pane == here]
    _go(desk, named or ring[(ring.index(here) + (-1 if rest == "back" else 1)) % len(ring)])


def _go(desk: BaseDesk, pane: Pane) -> None:
    desk.show(focus=pane, rows=pane if lists_creatures(pane) else rows_pane(desk.scene))
    if content(pane) != "steps":
        desk.show(log=0)


def left(desk: BaseDesk, rest: str) -> None:
    """Go to the pane to the left."""
    del rest
    _go(desk, "track")


def right(desk: BaseDesk, rest: str) -> None:
    """Go to the pane to the right."""
    del rest
    _go(desk, "orders" if focus(desk.scene) == "roster" else "roster")


def up(desk: BaseDesk, rest: str) -> None:
    """Go up by a number of rows."""
    _by(desk, -_number(rest, 1))


def down(desk: BaseDesk, rest: str) -> None:
    """Go down by a number of rows."""
    _by(desk, _number(rest, 1))


def page_up(desk: BaseDesk, rest: str) -> None:
    """Go a page up."""
    _by(desk, -_number(rest, 1) * PAGE)


def page_down(desk: BaseDesk, rest: str) -> None:
    """Go a page down."""
    _by(desk, _number(rest, 1) * PAGE)


def top(desk: BaseDesk, rest: str) -> None:
    """Go to the first row."""
    del rest
    _by(desk, -(ALL))


def bottom(desk: BaseDesk, rest: str) -> None:
    """Go to the last row."""
    del rest
    _by(desk, ALL)


def _number(text: str, default: int) -> int:
    found = number(text)
    return default if found is None else found


def _by(desk: BaseDesk, rows: int) -> None:
    scene = desk.scene
    match content(pane := focus(scene)):
        case "entries":
            keys = [r.entry for r in track_rows(scene)]
            if keys:
                desk.show(track=_moved(keys, current_entry(scene), rows), roster="")
        case "creatures":
            ids = [c.id for c in people(scene)]
            if ids:
                desk.show(roster=_moved(ids, current_creature(scene), rows))
        case "steps":
            here = scene.view.log or scene.step
            desk.show(log=max(0, min(scene.steps, here + rows)))
        case "text":
            last = last_top(scene, pane, box) if (box := desk.placed.get(pane)) else 0
            top = max(0, min(last, scene.view.tops.get(pane, 0) + rows))
            desk.show(tops={**scene.view.tops, pane: top})
        case never:
            assert_never(never)


def _moved(keys: list[str], at: str, rows: int) -> str:
    place = keys.index(at) if at in keys else 0
    return keys[max(0, min(len(keys) - 1, place + rows))]


def select(desk: BaseDesk, rest: str) -> None:
    """Select the current row; once more, for half of any damage; a third time, no longer."""
    del rest
    key = current(desk.scene)
    if not key:
        return
    chosen, half = desk.view.selected, halved(desk.scene)
    if key not in chosen:
        desk.show(selected=(*chosen, key), half=half)
    elif key not in half:
        desk.show(half=(*half, key))
    else:
        desk.show(selected=tuple(k for k in chosen if k != key), half=tuple(k for k in half if k != key))
    if desk.view.selected:
        desk.say(meaning(len(desk.view.selected), len(halved(desk.scene))), "hint")


def everybody(desk: BaseDesk, rest: str) -> None:
    """Select all of the current row's group; of its side, without a group or when that is selected."""
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
        # The first press takes the group, the second, which finds it selected, the side.
        if keys and not set(keys) <= set(scene.view.selected):
            chosen = tuple(dict.fromkeys([*scene.view.selected, *keys]))
            desk.show(selected=chosen, half=halved(scene))
            desk.say(meaning(len(chosen)), "hint")
            return


def _keys(desk: BaseDesk, ids: list[str]) -> list[str]:
    """Return the keys of rows: of the track entries, of the roster creatures."""
    scene = desk.scene
    if content(rows_pane(scene)) == "creatures":
        return list(dict.fromkeys(row_key(scene, scene.encounter.combatants[i]) for i in ids))
    return list(dict.fromkeys(key_of(scene.encounter.combatants[i]) for i in ids))


def fold(desk: BaseDesk, rest: str) -> None:
    """Show the current row's group as one row of the roster, or its members; `all`: every group."""
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


def zoom(desk: BaseDesk, rest: str) -> None:
    """Show the pane alone, or all four again."""
    del rest
    desk.show(zoom=not desk.view.zoom)


def mask(desk: BaseDesk, rest: str) -> None:
    """Mask what is typed into orders, or show it."""
    del rest
    desk.show(masked=not desk.view.masked)
    desk.say("orders are typed unseen" if desk.view.masked else "orders are typed in the open", "hint")


def escape(desk: BaseDesk, rest: str) -> None:
    """Take one step back: count, place in the log, selection, filter, zoom, pane.

    The cursor stays on its row.
    """
    del rest
    view = desk.view
    # The key itself has already dropped the count, and one press takes one step.
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
    elif view.focus:
        desk.show(focus=None)
    else:
        desk.say("q quits", "hint")
