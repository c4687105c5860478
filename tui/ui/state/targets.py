"""Whom a command means, and the line it makes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter, key_of, label, members
from tui.core.language.tokens import quote
from tui.core.rules.draft import living
from tui.ui.state.commands import Command
from tui.ui.state.layout import lists_creatures
from tui.ui.state.scene import Scene, current, focus


def targets(scene: Scene) -> tuple[str, ...]:
    """The keys of the selected rows, else of the current one."""
    # A selected row may have been removed, undone or regrouped since.
    selected = tuple(k for k in scene.view.selected if members(scene.encounter, k))
    one = current(scene)
    return selected or ((one,) if one else ())


def meant(scene: Scene) -> set[str]:
    """What may stand for the row under the cursor: its key, its group's, its side's; nothing in a pane without such rows."""
    # Nothing that a key does may depend on a row that one is not looking at.
    here = current(scene) if lists_creatures(focus(scene)) else ""
    c = scene.encounter.combatants.get(here)
    return {here, key_of(c), SIDE + c.side} if c else {here} - {""}


def one(scene: Scene) -> Combatant | None:
    """The creature that is meant where only one can be: of a row of several the first who stands."""
    keys = targets(scene)
    found = members(scene.encounter, keys[0]) if keys else ()
    return next((c for c in found if not c.out), found[0] if found else None)


def halved(scene: Scene) -> tuple[str, ...]:
    """The selected rows that take half of what falls on all of them."""
    return tuple(k for k in scene.view.half if k in targets(scene) and k in scene.view.selected)


def who(e: Encounter, keys: Iterable[str]) -> str:
    """WHO, as a line writes it."""
    return quote(",".join(_name(e, k) for k in keys))


def _name(e: Encounter, key: str) -> str:
    """A side needs its `@`; a group and a creature have names of their own."""
    name = label(e, key)
    is_group = any(c.group == name for c in members(e, key))
    return name if key in e.combatants or is_group else SIDE + name


def several(scene: Scene) -> tuple[str, ...]:
    """The living members of the current row, the first first; nothing for selected rows and single creatures."""
    keys = targets(scene)
    if scene.view.selected or len(keys) != 1 or keys[0] in scene.encounter.combatants:
        return ()
    found = living(scene.encounter, keys[0]) or list(members(scene.encounter, keys[0]))
    return tuple(c.id for c in found)


def line_of(command: Command, scene: Scene) -> str:
    """The command's line: `back` where all targets have the toggled state already, or what the system puts in its place."""
    keys = targets(scene)
    found = [c for k in keys for c in members(scene.encounter, k)]
    # All of them: where some are out and some are not, the key still puts the rest out.
    if command.toggle and found and all(getattr(c, command.toggle) for c in found):
        return command.back
    if "{who}" in command.words and found:
        return scene.system.instead(scene.encounter, command.words.partition(" ")[0], keys) or command.words
    return command.words


def fill(words: str, scene: Scene, whom: str) -> tuple[str, bool]:
    """The line with its blanks filled as far as they are known; True when nothing is missing."""
    count = scene.view.count
    selected = who(scene.encounter, scene.view.selected) if scene.view.selected else ""
    known = {"who": whom, "n": count, "count": count, "selected": selected, "rest": ""}
    line, whole = "", True
    for piece in re.split(r"(\{\w+\})", words):
        name = piece[1:-1] if piece.startswith("{") else ""
        line += known[name] if name else piece
        whole = whole and not (name in ("n", "rest", "who") and not known[name])
    line = re.sub(r"  +", " ", line)
    return (line.rstrip() if whole else line.rstrip() + " "), whole


def selected_names(scene: Scene) -> tuple[str, ...]:
    """The names of the selected rows that are still there."""
    return tuple(label(scene.encounter, k) for k in scene.view.selected if members(scene.encounter, k))


def meaning(count: int, half: int = 0) -> str:
    """What a selection of so many rows means, of which some take half of any damage."""
    told = f"{count} selected: the next command means {'all of them' if count > 1 else 'this row'}"
    return f"{told}; half of any damage for {half}" if half else told
