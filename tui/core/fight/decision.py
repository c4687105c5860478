"""Take back what a contest decided, and leave everything else as it is now."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import Encounter

_NOTHING = object()


def undecided(e: Encounter) -> Encounter:
    """Return the fight without what its latest contest decided; what was changed again since then stays."""
    parts = [e.decision[i : i + 2] for i in range(0, len(e.decision) - 1, 2)]
    for before, after in reversed(parts):
        e = _without(e, before, after)
    return replace(e, decision=())


def _without(e: Encounter, before: Encounter, after: Encounter) -> Encounter:
    """Return the fight with all values of `before` that are still as `after` has them."""
    return replace(
        e,
        phase=_value(e.phase, before.phase, after.phase),
        turn=_value(e.turn, before.turn, after.turn),
        paused=_value(e.paused, before.paused, after.paused),
        outcome=_value(e.outcome, before.outcome, after.outcome),
        notes=_table(e.notes, before.notes, after.notes),
        combatants={
            k: _creature(c, before.combatants[k], after.combatants[k])
            if k in before.combatants and k in after.combatants
            else c
            for k, c in e.combatants.items()
        },
    )


def _creature(now: Combatant, before: Combatant, after: Combatant) -> Combatant:
    marks, fields = (
        _table(now.marks, before.marks, after.marks),
        _table(now.fields, before.fields, after.fields),
    )
    return now if (marks, fields) == (now.marks, now.fields) else replace(now, marks=marks, fields=fields)


def _table(
    now: Mapping[str, Plain], before: Mapping[str, Plain], after: Mapping[str, Plain]
) -> dict[str, Plain]:
    keys = dict.fromkeys([*now, *before])
    values = {k: _value(*(x.get(k, _NOTHING) for x in (now, before, after))) for k in keys}
    return {k: v for k, v in values.items() if v is not _NOTHING}


def _value(now: Plain, before: Plain, after: Plain) -> Plain:
    """Return the value before the decision if it has not changed since; of tables each value by itself."""
    if now == after:
        return before
    if isinstance(now, dict) and isinstance(after, dict):
        return _table(now, before if isinstance(before, dict) else {}, after)
    return now
