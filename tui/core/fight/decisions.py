"""Undo the decision of the latest contest, except for values that have changed since the decision."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import Encounter

_NOTHING = object()


def undo_decision(e: Encounter) -> Encounter:
    """Return the encounter with its latest decision undone, except for values that have changed since."""
    parts = [e.decision[i : i + 2] for i in range(0, len(e.decision) - 1, 2)]
    for before, after in reversed(parts):
        e = _restore_values(e, before, after)
    return replace(e, decision=())


def _restore_values(e: Encounter, before: Encounter, after: Encounter) -> Encounter:
    """Return the encounter with the values of `before` wherever the present value equals that of `after`."""
    return replace(
        e,
        phase=_restore_value(e.phase, before.phase, after.phase),
        turn=_restore_value(e.turn, before.turn, after.turn),
        paused=_restore_value(e.paused, before.paused, after.paused),
        outcome=_restore_value(e.outcome, before.outcome, after.outcome),
        notes=_restore_table(e.notes, before.notes, after.notes),
        combatants={
            k: _restore_creature(c, before.combatants[k], after.combatants[k])
            if k in before.combatants and k in after.combatants
            else c
            for k, c in e.combatants.items()
        },
    )


def _restore_creature(now: Combatant, before: Combatant, after: Combatant) -> Combatant:
    marks, fields = (
        _restore_table(now.marks, before.marks, after.marks),
        _restore_table(now.fields, before.fields, after.fields),
    )
    return now if (marks, fields) == (now.marks, now.fields) else replace(now, marks=marks, fields=fields)


def _restore_table(
    now: Mapping[str, Plain], before: Mapping[str, Plain], after: Mapping[str, Plain]
) -> dict[str, Plain]:
    keys = dict.fromkeys([*now, *before])
    values = {k: _restore_value(*(x.get(k, _NOTHING) for x in (now, before, after))) for k in keys}
    return {k: v for k, v in values.items() if v is not _NOTHING}


def _restore_value(now: Plain, before: Plain, after: Plain) -> Plain:
    """Return `before` if `now` equals `after`, else `now`; dicts are compared value by value."""
    if now == after:
        return before
    if isinstance(now, dict) and isinstance(after, dict):
        return _restore_table(now, before if isinstance(before, dict) else {}, after)
    return now
