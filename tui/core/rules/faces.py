"""Read the faces of dice: from the table as numbers or by name, from the app, none that is gone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.core.fight.agenda import FaceNames, RollAsk
from tui.core.fight.dice import DiceError
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.viewer import is_plural
from tui.core.language.syntax import MOST_CALLED
from tui.core.language.values import whole
from tui.core.rules.numbers import Roller
from tui.core.rules.optional import gone as gone_for
from tui.core.rules.system import InitiativeSystem

MOST_DRAWS = 10_000
"""After this number of faces that are gone the dice are to blame."""


def thrown(e: Encounter, system: InitiativeSystem, roller: Roller, ask: RollAsk) -> tuple[int, ...]:
    """Return the faces of a roll by the app; a face that is gone is rolled again. Raises RuleError."""
    gone = gone_for(system, e, ask)
    try:
        return tuple(_face(roller, sides, ask, gone) for sides in ask.dice)
    except DiceError as error:
        raise RuleError(str(error)) from None


def _face(roller: Roller, sides: int, ask: RollAsk, gone: Collection[int]) -> int:
    for _ in range(MOST_DRAWS):
        face = roller.dice.roll(sides)
        if face not in gone:
            return face
        if roller.how != "app":
            raise _is_gone(ask, face)
    raise RuleError("the dice never settle", "use other dice")


def there(e: Encounter, system: InitiativeSystem, ask: RollAsk, faces: Sequence[int]) -> tuple[int, ...]:
    """Return faces from the table; for one that is gone another of its name. Raises RuleError for none."""
    gone = gone_for(system, e, ask)
    return tuple(_there(ask, face, gone) for face in faces)


def _there(ask: RollAsk, face: int, gone: Collection[int]) -> int:
    if face not in gone:
        return face
    same = ask.names.meant(ask.names.name(face)) if ask.names else ()
    other = next((x for x in same if x not in gone), None)
    if other is None:
        raise _is_gone(ask, face)
    return other


def _is_gone(ask: RollAsk, face: int) -> RuleError:
    name, rule = (ask.names.name(face), ask.names.rule) if ask.names else (str(face), ask.why.rule)
    return RuleError(f"{name} is gone", "type another, or let the app deal", rule)


def dealt(e: Encounter, asks: Sequence[RollAsk], words: Sequence[int | str]) -> list[tuple[int, ...]]:
    """Return the faces of each roll. Raises RuleError for too few, too many, or one that is on no die."""
    owes = ", ".join(_owes(e, x) for x in asks)
    needed = sum(len(x.dice) for x in asks)
    if len(words) != needed:
        dice = {sides for x in asks for sides in x.dice}
        numbers = [f for f in words if isinstance(f, int)]
        # `71` for two d6 is a slip of the finger, and no face too few.
        off = next((f for f in numbers if not 1 <= f <= max(dice)), None) if len(dice) == 1 else None
        if off is not None:
            raise RuleError(f"{off} is not on a d{max(dice)}", owes)
        one = next((x.names.one for x in asks if x.names), "face")
        raise RuleError(owes, f"give {needed} {one}{'s' * (needed > 1)}, not {len(words)}")
    result, at = [], 0
    for ask in asks:
        mine = words[at : at + len(ask.dice)]
        at += len(ask.dice)
        result.append(
            tuple(_read(word, sides, ask.names, owes) for word, sides in zip(mine, ask.dice, strict=True))
        )
    return result


def _read(word: int | str, sides: int, names: FaceNames | None, owes: str) -> int:
    """Return the face that a word means on a die: of one with names also by a number that begins no name."""
    if names and not (isinstance(word, int) and 1 <= word <= sides and not names.begins(str(word))):
        if meant := names.meant(str(word)):
            return meant[0]
        what = f'"{clean(str(word), 24)}" is not {names.any}'
        raise RuleError(what, f"such as {names.such}", kind="bad_value")
    face = word if isinstance(word, int) else whole(word, "roll: a face", -MOST_CALLED, MOST_CALLED)
    if not 1 <= face <= sides:
        raise RuleError(f"{face} is not on a d{sides}", owes)
    return face


def _owes(e: Encounter, ask: RollAsk) -> str:
    verb = "owe" if is_plural(e, ask.who) else "owes"
    dice = ask.names.any if ask.names else " ".join(f"d{s}" for s in ask.dice)
    return f"{label(e, ask.who)} {verb} {dice}"
