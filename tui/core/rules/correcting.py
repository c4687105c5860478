"""Correct a number that was rolled for the order of this fight or round."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import label
from tui.core.fight.viewer import fill_names
from tui.core.rules.draft import Draft
from tui.core.rules.optional import Corrections
from tui.core.rules.system import InitiativeSystem


def correct_roll(
    d: Draft,
    system: InitiativeSystem,
    ask: RollAsk,
    faces: tuple[int, ...],
    by: str,
    total: int | None = None,
    *,
    beyond: bool = False,
) -> None:
    """Correct a roll by its faces, or by a total that they add up to; `by` is the creature that rolled.

    `beyond`: whether the total is one that the dice cannot give.
    """
    number = system.number_of(d.encounter, ask, faces) if total is None else total
    rolled = ev.Rolled(ask.key, ask.who, ask.dice, faces, "table", (), by)
    if total is not None and (beyond or len(ask.dice) > 1):
        rolled = ev.Rolled(ask.key, ask.who, (), (), "table", (), by, total)
    # The system reads the old dice, which the new ones replace.
    old = None if beyond else d.encounter.rolls.get(ask.key)
    d.emit(rolled)
    assert isinstance(system, Corrections)
    system.correct(d, ask, (faces, number), old)


def announce_correction(d: Draft, ask: RollAsk, before: int, after: int) -> None:
    """Announce that a number replaces another one. Raises RuleError if they are the same."""
    old, new = (ask.names.write_name(n) if ask.names else str(n) for n in (before, after))
    if old == new:
        raise RuleError(fill_names(d.encounter, f"{{0}} has {new} already", ask.who), kind="not_due")
    d.announce(f"{{0}}: {new} instead of {old}", ask.who, rule=ask.why.rule)


def refuse_dice(d: Draft, asks: Sequence[RollAsk]) -> RuleError:
    """Return the refusal of app dice for a number that has been rolled."""
    ask = asks[0]
    name = quote(label(d.encounter, ask.who))
    line = f"to correct what was rolled, type total {name} N or roll {name} FACES"
    if ask.names:
        line = f"to correct {ask.names.any}, say roll {name} and its name, such as {ask.names.such}"
    return RuleError(fill_names(d.encounter, "{0} owes no roll", ask.who), line, kind="not_due")
