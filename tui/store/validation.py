"""Refuse a fight that cannot have happened, that no system can read, or that cannot be shown.

A right seal says nothing about the record's content. So values that the types of events allow but the rules
do not are checked here one by one; an error of the program itself is never blamed on the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.apply import fold
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER, Viewer
from tui.core.language.attacks import read_attacks
from tui.core.language.values import read_bonuses
from tui.core.rules.system import Absent, Systems, running_system
from tui.core.table import Table
from tui.core.views.table_for import table_for
from tui.store.history import History, Jump, replay
from tui.store.journal.format import Record
from tui.store.problems import JournalError, make_printable, quote_for_shells

_ID = r"c[1-9][0-9]{0,8}"
_UNTYPED = ev.Noted | ev.Forgot | ev.SystemChanged | ev.OptionSet
_ATTRIBUTES = frozenset(Combatant.__struct_fields__) - {"id"}


class Witness:
    """Checks records in order; a call returns why a record is impossible, or "".

    After a record that wrote notes, the running system is asked whether it can read them.
    """

    def __init__(self, start: Encounter, systems: Systems) -> None:
        self._history = History(start)
        self._systems = systems

    def __call__(self, step: Record[Any]) -> str:
        """Return why this record is impossible after those before it; "" when it is not."""
        if reason := explain_impossible(self._history, step, self._systems):
            return reason
        replay(self._history, (step,))
        return ""

    def describe_bad_step(self, name: str) -> str:
        """Return since which step the fight cannot be shown, and what leads back; "" if it can be shown."""
        found = None
        for step in range(self._history.position, -1, -1):
            bug = find_drawing_bug(self._history.at(step), self._systems)
            if bug is None:
                break
            found = step, bug
        if found is None:
            return ""
        from tui.crash import describe_bug  # only a failing process needs it

        step, bug = found
        back = f"; `tocsin do {quote_for_shells([name])} 'goto {step - 1}'` leads back" if step else ""
        return f"step {step}: the fight cannot be shown any more, {describe_bug(bug)}{back}"


def explain_impossible(history: History, step: Record[Any], systems: Systems) -> str:
    """Return why this record cannot come next; "" when it can. The history stays as it is."""
    if step.to is not None:
        try:
            before = history.after(Jump(step.to, step.restores))
        except IndexError:
            return f"it goes to step {step.to}, and there are {len(history)}"
        after, reason = _fold_events(before, step.events)
        return reason or state_error(after, systems)
    if step.is_late:
        return ""
    if step.took:
        return _explain_personal_undo(history, step, systems)
    after, reason = _fold_events(history.encounter, step.events)
    # Only the running system can check these events; a check of everything costs more than all else.
    if any(isinstance(event, _UNTYPED) for event in step.events):
        return reason or state_error(after, systems)
    return reason or explain_types(_keep_changed(after, history.encounter))


def _fold_events(e: Encounter, events: Iterable[ev.Event]) -> tuple[Encounter, str]:
    """Return the encounter after these events, and why one of them cannot happen."""
    # One by one, because an event may only be possible after those before it in the same step.
    for event in events:
        if not can_happen(e, event):
            return e, f"its event {type(event).__name__.lower()} is impossible"
        e = fold(e, (event,))
    return e, ""


def _explain_personal_undo(history: History, step: Record[Any], systems: Systems) -> str:
    """Return why this personal undo cannot come next, "" when it can."""
    first, now = step.took[0], history.position
    if step.took[-1] > now or not _can_be_taken_out(history, step.took):
        return f"it takes out step {step.took[-1]}, which cannot be taken out alone"
    sent = {n: (x.by, x.id) for n in range(first, now + 1) if (x := history.step(n)).by}
    if any(sent.pop(run.n, "") != (run.by, run.id) for run in step.again):
        return "it runs a step again that no seat sent"
    after, reason = _fold_events(history.at(first - 1), (event for run in step.again for event in run.events))
    return reason or state_error(after, systems)


def _can_be_taken_out(history: History, took: tuple[int, ...]) -> bool:
    """Return whether the steps are the game master's, or one of a seat that no step of his follows."""
    if not any(history.step(n).by for n in took):
        return True
    return len(took) == 1 and all(history.step(n).by for n in range(took[0], history.position + 1))


def can_happen(e: Encounter, event: ev.Event) -> bool:
    """Return whether the values of an event are possible in this encounter."""
    match event:
        case ev.Added(c):
            return re.fullmatch(_ID, c.id) is not None and c.id not in e.combatants
        case ev.Changed(_, key):
            return key in _ATTRIBUTES
        case ev.Rolled(_, _, dice, faces):
            return len(dice) == len(faces) and not any(map(int.__gt__, faces, dice))
        case ev.Noted(key, _, at) | ev.Forgot(key, at):
            return not at or isinstance(e.notes.get(key, {}), dict)
        case _:
            return True


def _keep_changed(e: Encounter, before: Encounter) -> Encounter:
    """Return an encounter with only the values that are not the same objects as in `before`."""
    table: dict[str, Any] = {}
    for field in Encounter.__struct_fields__:
        now, was = getattr(e, field), getattr(before, field)
        if now is was:
            continue
        tables = isinstance(now, dict) and isinstance(was, dict)
        table[field] = {k: v for k, v in now.items() if was.get(k) is not v} if tables else now
    return Encounter(**table)


def state_error(e: Encounter, systems: Systems) -> str:
    """Return why a state is invalid, by its types or by its system's notes; "" if it is valid."""
    return explain_types(e) or _explain_unreadable(e, systems)


def explain_types(e: Encounter) -> str:
    """Return why a value of the encounter has a wrong type; "" if all types are right."""
    try:
        # Events are not checked when they are applied, so the types of the result are checked.
        msgspec.convert(msgspec.to_builtins(e), Encounter)
        for c in e.combatants.values():
            # These texts are parsed whenever the creature is shown.
            read_bonuses(c.save_bonus), read_attacks(c.attacks)
    except (msgspec.ValidationError, RecursionError, RuleError) as error:
        return make_printable(f"{error}", 120)
    return ""


def _explain_unreadable(e: Encounter, systems: Systems) -> str:
    """Return why the running system cannot read the state; "" if it can, or if it cannot be loaded.

    Notes are plain data in the journal; only the system gives them types, when it is asked.
    """
    # A save of a plug-in that is not installed must still open for reading.
    if not e.running or isinstance(system := running_system(systems, e), Absent):
        return ""
    try:
        # The first questions of every screen; together they read all notes of the running fight.
        system.due(e), system.offer(e), [row.why for row in system.rows(e)]
    except msgspec.ValidationError as error:
        return make_printable(f"the notes of {e.system}: {error}", 120)
    except Exception:  # noqa: BLE001  # a bug of the program or a system is never blamed on the file
        return ""
    return ""


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


def _report_bug(message: str, hint: str, bug: Exception) -> RuleError:
    """Return the refusal of a line because of a bug, whose details are written to a file."""
    from tui.crash import describe_bug, describe_crash_file  # only a failing process needs them

    return RuleError(f"{message}, {describe_bug(bug)}", f"{hint}; {describe_crash_file(bug)}", kind="faulty")
