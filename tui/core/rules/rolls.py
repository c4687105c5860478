"""Rolls that are owed: the app throws them, or takes the faces that fell at the table."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk
from tui.core.fight.dice import DiceError
from tui.core.fight.encounter import SIDE, Encounter, key_of, label
from tui.core.fight.errors import RuleError
from tui.core.fight.text import quote
from tui.core.language.actions.play import Roll
from tui.core.language.select import fits, fitting, is_pattern, resolve, several, split
from tui.core.rules.draft import Draft
from tui.core.rules.now.works import instead
from tui.core.rules.numbers import Roller
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep.owed import answered, owed

MOST_SETTLINGS = 10_000
"""After so many rounds of ties the dice are to blame: a constant die would tie for ever."""


def roll_all(d: Draft, system: InitiativeSystem, roller: Roller) -> None:
    """The app rolls what is due, and what becomes due by it, until something else is due or nothing."""
    asks = _owed(d.encounter, system)
    if not asks:
        raise RuleError("no roll is due", instead(d.encounter, system), kind="not_due")
    # Ties make new rolls due; given dice that always tie would roll for ever.
    for _ in range(MOST_SETTLINGS):
        for ask in asks:
            _answer(d, system, ask, _throw(roller, ask), roller.how)
        system.settle(d)
        asks = _owed(d.encounter, system)
        if not asks:
            return
    raise RuleError("the dice never settle", "use other dice")


def roll_who(d: Draft, system: InitiativeSystem, action: Roll, roller: Roller) -> None:
    """What WHO owes, by the app or with faces from the table."""
    asks = _owed_by(d.encounter, _owed(d.encounter, system), action.who)
    by = _thrower(d.encounter, action.who)
    if not action.faces:
        for ask in asks:
            _answer(d, system, ask, _throw(roller, ask), roller.how, by)
        return
    ask = asks[0]
    check_faces(d.encounter, ask, action.faces)
    _answer(d, system, ask, action.faces, "table", by)


def _thrower(e: Encounter, who: str) -> str:
    """The creature that WHO names outright; it may throw for its group or its side (UNB-2)."""
    return next((c.id for c in e.combatants.values() if c.name.lower() == who.lower()), "")


def _answer(
    d: Draft, system: InitiativeSystem, ask: RollAsk, faces: tuple[int, ...], how: str, by: str = ""
) -> None:
    d.emit(ev.Rolled(ask.key, ask.who, ask.dice, faces, how, ask.among, "" if by == ask.who else by))
    if not answered(d, system, ask, faces):
        system.answer(d, ask, faces)


def _owed(e: Encounter, system: InitiativeSystem) -> list[RollAsk]:
    return [x for x in owed(e, system) if isinstance(x, RollAsk)]


def _throw(roller: Roller, ask: RollAsk) -> tuple[int, ...]:
    try:
        return tuple(roller.dice.roll(sides) for sides in ask.dice)
    except DiceError as error:
        raise RuleError(str(error)) from None


def check_faces(e: Encounter, ask: RollAsk, faces: Sequence[int]) -> None:
    """Raise RuleError for faces that do not fit the dice of a roll."""
    owes = f"{label(e, ask.who)} owes {' '.join(f'd{s}' for s in ask.dice)}"
    if len(faces) != len(ask.dice):
        raise RuleError(owes, f"give {len(ask.dice)} faces, not {len(faces)}")
    for face, sides in zip(faces, ask.dice, strict=True):
        if not 1 <= face <= sides:
            raise RuleError(f"{face} is not on a d{sides}", owes)


def _owed_by(e: Encounter, asks: Sequence[RollAsk], who: str) -> list[RollAsk]:
    names = list(dict.fromkeys(label(e, x.who) for x in asks))
    # The whole text first, for a name may hold a star.
    exact = [n for n in names if n.lower() == who.lower()]
    found = exact or [n for part in split(who) for n in _rollers(e, names, part)]
    if not found:
        raise RuleError("nobody is named", _owing(names))
    return [x for x in asks if label(e, x.who) in found]


def _rollers(e: Encounter, names: list[str], part: str) -> list[str]:
    """The rollers that a part of WHO means: by their own names, or as rows and sides of the creatures it names."""
    if is_pattern(part):
        found = [n for n in names if fits(part, n)]
    elif part.startswith(SIDE):
        inside = {label(e, k) for k in resolve(e, part)} | {part[1:]}
        found = [n for n in names if n in inside]
    else:
        found = fitting(part, names)
        if len(found) > 1:
            raise RuleError(f'"{part}" fits {several(found)}', "write more of the name", kind="ambiguous")
    if found:
        return found
    people = [e.combatants[i] for i in resolve(e, part)]
    keys = {n for c in people for n in (label(e, key_of(c)), c.side)}
    if found := [n for n in names if n in keys]:
        return found
    raise RuleError(f"{several([c.name for c in people])} owes no roll", _owing(names), kind="not_due")


def _owing(names: Sequence[str]) -> str:
    return f"still to roll: {several([quote(n) for n in names])}: `roll {quote(names[0])}`" if names else ""
