"""Draw the tables of the game master and the public, so that no line leaves a fight that cannot be shown."""

from __future__ import annotations

from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER, Viewer
from tui.core.rules.system import Systems, running_system
from tui.core.table import Table
from tui.core.views.table_for import table_for
from tui.store.history import History
from tui.store.problems import JournalError, quote_for_shells


def find_drawing_bug(e: Encounter, systems: Systems) -> Exception | None:
    """Return the error with which the table of the public or the game master cannot be drawn, or None.

    Those of owners are left to the law of random fights: drawn with each step they took 75 ms in chaos, at
    200 creatures and three players.
    """
    system = running_system(systems, e)
    try:
        # The game master last: only the latest answers are remembered, and the screen asks for these.
        for viewer in (Viewer("", gm=False), GAME_MASTER):
            table_for(e, system, viewer)
    except OSError:  # of the machine, not of the fight
        raise
    except Exception as error:  # noqa: BLE001  # whatever a system does wrong
        return error
    return None


def check_drawn(before: Encounter, after: Encounter, systems: Systems) -> None:
    """Raise RuleError if the table after a step cannot be shown to the game master or the public."""
    if after is not before and (bug := find_drawing_bug(after, systems)):
        raise _report_bug("this line would leave a fight that cannot be shown", "nothing has changed", bug)


def check_drawn_at(step: int, e: Encounter, systems: Systems) -> None:
    """Raise RuleError if the fight at a step cannot be shown."""
    if bug := find_drawing_bug(e, systems):
        hint = f"`goto {step - 1}` leads to the step before it" if step else "nothing has changed"
        raise _report_bug(f"step {step} cannot be shown", hint, bug)


def find_bad_step(history: History, systems: Systems) -> tuple[int, Exception] | None:
    """Return the first step since which the fight cannot be shown, and the error; None if it can be now."""
    found = None
    for step in range(history.position, -1, -1):
        bug = find_drawing_bug(history.at(step), systems)
        if bug is None:
            break
        found = step, bug
    return found


def draw_table(e: Encounter, systems: Systems, viewer: Viewer, name: str, step: int) -> Table:
    """Return the table of a viewer. Raises JournalError with the line that leads back if it cannot be drawn.

    `name` is the save's, `step` the number of lines in force.
    """
    try:
        return table_for(e, running_system(systems, e), viewer)
    except OSError:
        raise
    except Exception as bug:
        from tui.crash import describe_bug  # only a failing process needs it

        word = quote_for_shells([name])
        hint = f"`tocsin check {word}` names the step; `tocsin do {word} undo` takes back the last one"
        raise JournalError(f"{name}.toml", 0, step, f"it cannot be shown, {describe_bug(bug)}", hint) from bug


def describe_bad_step(name: str, history: History, systems: Systems) -> str:
    """Return since which step the fight cannot be shown, and the line that leads back; "" if it can be."""
    if (found := find_bad_step(history, systems)) is None:
        return ""
    from tui.crash import describe_bug  # only a failing process needs it

    step, bug = found
    back = f"; `tocsin do {quote_for_shells([name])} 'goto {step - 1}'` leads back" if step else ""
    return f"step {step}: the fight cannot be shown any more, {describe_bug(bug)}{back}"


def _report_bug(message: str, hint: str, bug: Exception) -> RuleError:
    """Return the refusal of a line because of a bug, whose details are written to a file."""
    from tui.crash import describe_bug, describe_crash_file  # only a failing process needs them

    return RuleError(f"{message}, {describe_bug(bug)}", f"{hint}; {describe_crash_file(bug)}", kind="faulty")
