"""The hints: the keys that work now, or the line that is being typed."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.table import Due, EffectDue, FormDue, LockDue, PickDue, ReadDue, RollDue
from tui.ui.panes.creatures import creatures_named
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.home import Home, current
from tui.ui.state.layout import Room, content
from tui.ui.state.mode import mode_of
from tui.ui.state.moment import choices, is_side_turn, moment
from tui.ui.state.scene import Scene, focus, must_read
from tui.ui.text.held import numbers
from tui.ui.text.rows import Box, Row, cells, hint_row, join_ends

SCROLL = ("j/k", "scroll")
MOMENT_KEYS = 10
COUNT, SPACIOUS = 5, 60
"""The columns kept free for a typed count, and the width of the screen from which they are kept free."""


def bottom(scene: Scene, labels: Mapping[str, str], width: int) -> list[Row]:
    """Return the prompt if it is open, else the hints. `labels` are the short words of commands."""
    mode = mode_of(scene)
    return [mode.foot(scene, width) if mode else hint_line(scene, board_hints(scene, labels), width)]


def hint_line(scene: Scene, pairs: tuple[tuple[str, str], ...], width: int) -> Row:
    """Return as many keys with words as fit whole, then the typed count.

    Wide screens keep columns free for the count, so that typing a digit redraws only the digit.
    """
    count = f"{scene.view.count} " if scene.view.count else ""
    row = hint_row(pairs, width - (COUNT if width >= SPACIOUS else cells(count)), scene.glyphs.ellipsis)
    return join_ends(row, ((count, "warning"),), width, scene.glyphs.ellipsis) if count else row


def board_hints(scene: Scene, labels: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return keys with their words, those for the present moment first."""
    if scene.home:
        count = len(scene.home.systems)
        digits = (f"1-{min(9, count)}" + ",0" * (count > 9), "new")
        return (("Enter", "open"), digits, *((scene.keys[i], labels[i]) for i in _row_ids(scene, scene.home)))
    # After the fight there is nothing to finish.
    words = labels if scene.table.running else {**labels, "over": "rest"}
    if scene.system.readies and not _can_react(scene):
        words = {**words, "react": scene.system.readies}
    if content(focus(scene)) == "steps":
        words = {**words, "go": "read"}
    pairs = [(scene.keys[i], words[i]) for i in _fitting(scene) if i in scene.keys]
    return tuple([*pairs[:1], SCROLL, *pairs[1:]] if must_read(scene) and pairs else pairs)


def list_moment_keys(scene: Scene) -> tuple[str, ...]:
    """Return the ids of the ten commands that the help explains first, with those that Now names."""
    usual = ("next", "aim", "go", "damage", "heal", "condition", "undo", "filter", "palette", "line", "panes")
    said = moment(scene)
    lines = " ".join((said.what, said.does, said.whose, *said.more)).split("`")[1::2]
    keys = {scene.verbs.get(line.partition(" ")[0]) for line in lines}
    named = (i for i, key in scene.keys.items() if key in keys)
    first, *others = _fitting(scene)
    return tuple(dict.fromkeys(i for i in (first, *named, *others, *usual) if i in scene.keys))[:MOMENT_KEYS]


def _row_ids(scene: Scene, home: Home) -> tuple[str, ...]:
    """Return the commands of the start screen, those for the row in focus first."""
    entry = current(home, scene.view)
    own = ("copy-fight", "rename", "trash") if entry and entry.kind == "fight" else ()
    return (*own, "help", "line", "filter", "panes", "quit")


def _fitting(scene: Scene) -> tuple[str, ...]:
    match content(focus(scene)):
        case "steps":
            return ("go", "undo", "redo", "panes", "line", "help")
        case "entries" | "creatures" | "text":
            return _moment_ids(scene)


def _moment_ids(scene: Scene) -> tuple[str, ...]:
    """Return the commands for this moment of the fight; in a read-only fight, those that only read."""
    if scene.watching.word:
        return ("panes", "filter", "why", "zoom", "quit", "help")
    common = ("damage", "aim", "condition", "undo", "line", "heal", "help")
    table = scene.table
    if not table.combatants:
        # Nothing can be started or changed yet.
        return ("add", "party", *(("undo",) if scene.step else ()), "line", "quit", "help")
    if not table.running:
        hurt = any(hp < (most or 0) for hp, most, _ in numbers(table.combatants))
        rests = ("over",) if hurt or any(c.out for c in table.combatants) else ()
        return ("add", "begin", *rests, "edit", "party", "undo", "line", "quit", "help")
    if table.acting and not table.due:
        able = any(c.attacks for c in creatures_named(scene, table.acting))
        first = ("next", *(("attack",) if able else ()))
        reacts = ("react",) if _can_react(scene) or scene.system.readies else ()
        return (*first, "damage", "aim", "condition", *reacts, "undo", "out", "line", "heal", "help")
    if table.due:
        return (*_answers(table.due[0]), *common)
    acts = choices(scene)
    if len(acts) > 1:
        done = ("done",) if is_side_turn(scene) else ()
        return ("go", *done, *(("pass",) if any(a.kind == "pass" for a in acts) else ()), *common)
    return ("next", *common)


def _can_react(scene: Scene) -> bool:
    """Return whether a creature may interrupt the running turn by a reaction."""
    return any(x.verb == "react" for x in scene.table.interrupts)


def _answers(due: Due) -> tuple[str, ...]:
    """Return the commands that answer what is owed."""
    match due:
        case RollDue():
            return ("roll", "totals")
        case LockDue() | ReadDue():
            return ("next",)
        case PickDue():
            return ("go",)
        case FormDue():
            return ("order",)
        case EffectDue():
            return ("roll", "leave-out", "totals")


def _ask(scene: Scene, room: Room) -> Ask:
    del scene, room
    return Ask(1, "bottom", rank=1)


def _draw(scene: Scene, box: Box) -> list[Row]:
    return bottom(scene, scene.labels, box.width)


PANE = Pane("hints", _ask, _draw)
