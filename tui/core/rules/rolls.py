"""Rolls that are owed: the app throws them, or takes what fell at the table: faces, totals, made or failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk
from tui.core.fight.dice import DiceError
from tui.core.fight.encounter import SIDE, Encounter, key_of, label, members
from tui.core.fight.errors import RuleError
from tui.core.fight.text import quote
from tui.core.language.actions.play import Failed, Made, Roll, Total
from tui.core.language.select import fits, fitting, is_pattern, resolve, several, split
from tui.core.rules.draft import Draft
from tui.core.rules.now.works import instead
from tui.core.rules.numbers import Roller
from tui.core.rules.saving import answered, ticked
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep.owed import owed, upkeep

MOST_SETTLINGS = 10_000
"""After so many rounds of ties the dice are to blame: a constant die would tie for ever."""


def roll_all(d: Draft, system: InitiativeSystem, roller: Roller) -> None:
    """The app rolls what is due, and what becomes due by it, until something else is due or nothing."""
    if not _owed(d.encounter, system):
        raise RuleError("no roll is due", instead(d.encounter, system), kind="not_due")
    # Ties make new rolls due; given dice that always tie would roll for ever.
    for _ in range(MOST_SETTLINGS):
        if mine := upkeep(d.encounter, system):
            # One by one: what a save brings may end what else was owed.
            _answer(d, system, mine[0], _throw(roller, mine[0]), roller.how)
            continue
        asks = _owed(d.encounter, system)
        if not asks:
            return
        for ask in asks:
            _answer(d, system, ask, _throw(roller, ask), roller.how)
        system.settle(d)
    raise RuleError("the dice never settle", "use other dice")


def roll_who(d: Draft, system: InitiativeSystem, action: Roll, roller: Roller) -> None:
    """What WHO owes, by the app or with faces from the table; of several saves of one creature the first."""
    e = d.encounter
    found = _named(e, _owed(e, system), action.who)
    by = _thrower(e, action.who)
    if action.faces:
        nexts = [asks[0] for asks in found]
        for ask, faces in zip(nexts, _dealt(e, nexts, action.faces), strict=True):
            _answer(d, system, ask, faces, "table", by)
        return
    for asks in found:
        first = next((x for x in asks if x.save), None)
        for ask in (x for x in asks if x is first or not x.save):
            # A save may have ended what else was owed.
            if ask is asks[0] or ask.key in {x.key for x in _owed(d.encounter, system)}:
                _answer(d, system, ask, _throw(roller, ask), roller.how, by)


def totals(d: Draft, system: InitiativeSystem, action: Total) -> None:
    """Totals as they were called, each for the next roll of its roller."""
    for who, n in action.totals:
        e = d.encounter
        found = _named(e, _owed(e, system), who)
        if len(found) > 1:
            names = several([label(e, asks[0].who) for asks in found])
            raise RuleError(
                f"total: {who} names {names}", f"`total {quote(label(e, found[0][0].who))} {n} …`"
            )
        _called(d, system, found[0][0], n, _thrower(e, who))


def tick(d: Draft, system: InitiativeSystem, action: Made | Failed) -> None:
    """The saves of these, each the first that it owes, were made or failed."""
    e = d.encounter
    asks = [x for x in _owed(e, system) if x.ticks]
    if not asks:
        raise RuleError("no save is due", instead(e, system), kind="not_due")
    found: dict[str, RollAsk] = {}
    for name in action.names:
        found |= {some[0].key: some[0] for some in _named(e, asks, name, "save")}
    for ask in found.values():
        ticked(d, system, ask, made=isinstance(action, Made))


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


# --- faces and totals from the table


def check_faces(e: Encounter, ask: RollAsk, faces: Sequence[int]) -> None:
    """Raise RuleError for faces that do not fit the dice of a roll."""
    _dealt(e, [ask], faces)


def _dealt(e: Encounter, asks: Sequence[RollAsk], faces: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The faces of each roll, one roll after the other. Raises RuleError for too few, too many, or one that is on no die."""
    owes = ", ".join(f"{label(e, x.who)} owes {' '.join(f'd{s}' for s in x.dice)}" for x in asks)
    needed = sum(len(x.dice) for x in asks)
    if len(faces) != needed:
        raise RuleError(owes, f"give {needed} face{'s' * (needed > 1)}, not {len(faces)}")
    dealt, at = [], 0
    for ask in asks:
        mine = tuple(faces[at : at + len(ask.dice)])
        at += len(ask.dice)
        for face, sides in zip(mine, ask.dice, strict=True):
            if not 1 <= face <= sides:
                raise RuleError(f"{face} is not on a d{sides}", owes)
        dealt.append(mine)
    return iter(dealt)


def _called(d: Draft, system: InitiativeSystem, ask: RollAsk, n: int, by: str) -> None:
    """A total was called: the face that gives it is recorded, or of several dice the total alone."""
    e = d.encounter
    one = _one_counts(e, system, ask)
    chain = [(face,) * len(ask.dice) for face in range(1, ask.dice[0] + 1)] if one else _chain(ask.dice)
    numbers = [_worth(e, system, ask, faces) for faces in chain]
    if n not in numbers:
        reach = f"it can roll {min(numbers)} to {max(numbers)}"
        raise RuleError(f"{n} is no total of {label(e, ask.who)}", reach, kind="bad_value")
    faces, thrower = chain[numbers.index(n)], "" if by == ask.who else by
    if one:
        d.emit(ev.Rolled(ask.key, ask.who, ask.dice[:1], faces[:1], "table", ask.among, thrower))
    else:
        d.emit(ev.Rolled(ask.key, ask.who, (), (), "table", ask.among, thrower, n))
    if answered(d, system, ask, faces):
        return
    if one:
        system.answer(d, ask, faces)
    else:
        system.answer_total(d, ask, faces, n)


def _one_counts(e: Encounter, system: InitiativeSystem, ask: RollAsk) -> bool:
    """Whether one face makes the number: a single die, or one that is rolled twice."""
    low, high = (tuple(sides if top else 1 for sides in ask.dice) for top in (False, True))
    return len(ask.dice) == 1 or (
        len(set(ask.dice)) == 1
        and len(ask.dice) == 2
        and _worth(e, system, ask, high) - _worth(e, system, ask, low) < ask.dice[0]
    )


def _worth(e: Encounter, system: InitiativeSystem, ask: RollAsk, faces: tuple[int, ...]) -> int:
    """The number that the track shows for these faces, or that a DC meets."""
    return sum(faces) + ask.save.bonus if ask.save else system.number_of(e, ask, faces)


def _chain(dice: Sequence[int]) -> list[tuple[int, ...]]:
    """Faces from all ones to all highest, one die after the other, so that every total is among theirs."""
    faces = [1] * len(dice)
    found = [tuple(faces)]
    for at, sides in enumerate(dice):
        for face in range(2, sides + 1):
            faces[at] = face
            found.append(tuple(faces))
    return found


# --- who is meant


def _named(e: Encounter, asks: Sequence[RollAsk], who: str, what: str = "roll") -> list[list[RollAsk]]:
    """What each roller that WHO names owes, in the order of the names; never empty. Raises RuleError."""
    owing: dict[str, list[RollAsk]] = {}
    for ask in sorted(asks, key=lambda x: _place(e, x.who)):
        owing.setdefault(label(e, ask.who), []).append(ask)
    # The whole text first, for a name may hold a star.
    exact = [n for n in owing if n.lower() == who.lower()]
    parts = [who] if exact else split(who)
    found = dict.fromkeys(n for part in parts for n in _rollers(e, owing, part, what))
    if not found:
        raise RuleError("nobody is named", _owing(list(owing), what))
    return [owing[n] for n in found]


def _place(e: Encounter, key: str) -> int:
    """Where a roller stands in the roster; a group or side with its first member."""
    ids = list(e.combatants)
    return min((ids.index(c.id) for c in members(e, key)), default=-1)


def _rollers(e: Encounter, owing: dict[str, list[RollAsk]], part: str, what: str) -> list[str]:
    """The rollers that a part of WHO means: by their own names, or as rows and sides of the creatures it names."""
    names = list(owing)
    if is_pattern(part) and part not in owing:
        found = [n for n in names if fits(part, n)]
    elif part.startswith(SIDE):
        inside = {label(e, k) for k in resolve(e, part)} | {part[1:]}
        found = [n for n in names if n in inside]
    else:
        found = fitting(part, names)
        if len(found) > 1:
            raise RuleError(f'"{part}" fits {several(found)}', "write more of the name", kind="ambiguous")
    # A group that rolls as one may have members who owe saves: those come first.
    people = [c for c in e.combatants.values() if found and c.group == found[0]]
    if not found:
        people = [e.combatants[i] for i in resolve(e, part)]
    own = [c.name for c in people if any(x.save for x in owing.get(c.name, ()))]
    if found and not own:
        return found
    if own or (own := [c.name for c in people if c.name in owing]):
        return [n for n in names if n in own]
    keys = {n for c in people for n in (label(e, key_of(c)), c.side)}
    if found := [n for n in names if n in keys]:
        return found
    owe = "owes" if len(people) == 1 else "owe"
    raise RuleError(
        f"{several([c.name for c in people])} {owe} no {what}", _owing(names, what), kind="not_due"
    )


def _owing(names: Sequence[str], what: str = "roll") -> str:
    verb = "roll" if what == "roll" else "made"
    return (
        f"still to {'roll' if what == 'roll' else 'save'}: {several([quote(n) for n in names])}: `{verb} {quote(names[0])}`"
        if names
        else ""
    )
