"""A line of the screen as plain text, to be taken elsewhere."""

from __future__ import annotations

from typing import Literal, assert_never, get_args

from msgspec.structs import replace

from tui.core.fight.viewer import GAME_MASTER
from tui.core.views.json import say_now
from tui.ui.panes.creatures.roster import person
from tui.ui.panes.track import measure, row, seats_of
from tui.ui.state.glyphs import spoken
from tui.ui.state.layout import content
from tui.ui.state.messages import Chronicle
from tui.ui.state.rows import Row, words
from tui.ui.state.scene import Scene, current, current_creature, rows_pane, spots

Copy = Literal["now", "row", "log"]
COPIES: tuple[Copy, ...] = get_args(Copy)

WIDE = 400
"""Columns that are wide enough for every row."""


def copied(scene: Scene, past: Chronicle, what: Copy) -> str:
    """The `now` line, the current `row`, or the current step of the `log`; "" when there is none."""
    match what:
        case "row":
            # In words: signs and bars mean nothing in a chat or a mail.
            return _row(replace(scene, glyphs=spoken(scene.glyphs)))
        case "log":
            return _step(scene, past)
        case "now":
            return say_now(scene.encounter, scene.system, GAME_MASTER).replace("`", "")
        case _:
            assert_never(what)


def _row(scene: Scene) -> str:
    if content(rows_pane(scene)) == "entries":
        found = [x for x in spots(scene) if x.row.entry == current(scene)][:1]
        seats = seats_of(scene, found)
        return _plain(row(scene, seats[0], measure(scene, seats, WIDE), WIDE, cursor=False)) if seats else ""
    c = scene.encounter.combatants.get(current_creature(scene))
    return _plain(person(scene, c, WIDE, "")) if c else ""


def _plain(line: Row) -> str:
    return " ".join(words(line).split())


def _step(scene: Scene, past: Chronicle) -> str:
    step = scene.view.log or scene.step
    if not 0 < step <= past.last:
        return ""
    told = past.told(step)
    asked = [] if scene.view.masked else [told.asked]
    texts = [*told.texts, *(["..."] if told.more else [])]
    return f"{step}. " + ": ".join([*asked, *(["; ".join(texts)] if texts else [])])
