"""Roll numbers that a line gives as dice, and record the faces."""

from __future__ import annotations

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.dice import Dice, DiceError, DiceTerm, GivenDice, Notation, RollResult, evaluate, parse
from tui.core.fight.encounter import GM
from tui.core.rules.draft import Draft

MOST_POINTS = 99_999


class Lowest:
    """Dice that always show 1, for a trial that is dropped."""

    def roll(self, sides: int) -> int:  # noqa: ARG002
        """Return the lowest face, 1."""
        return 1


class Roller(Struct, frozen=True):
    """The dice with which a line is rolled, and the source of their faces."""

    dice: Dice
    how: str = "app"
    """The source of the faces: `app` or `given`."""

    def total(self, d: Draft, notation: Notation, ask: str) -> int:
        """Roll a notation, record its faces for the purpose `ask`, and return the total. Raises RuleError."""
        rolled = self.roll(notation)
        if rolled.faces:
            d.emit(ev.Rolled(ask, GM, *sides_and_faces(rolled), self.how))
        return rolled.total

    def roll(self, notation: Notation) -> RollResult:
        """Return total and faces of a notation, rolled now. Raises RuleError if the dice refuse."""
        try:
            return evaluate(notation, self.dice)
        except DiceError as error:
            raise RuleError(str(error)) from None


def sides_and_faces(rolled: RollResult) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sides of the dice that were rolled, and their faces, in rolling order."""
    return tuple(f.sides for f in rolled.faces), tuple(f.face for f in rolled.faces)


def read_notation(text: str, title: str = "") -> Notation:
    """Return the notation of a text. Raises RuleError; the message begins with `title`."""
    try:
        return parse(text)
    except DiceError as error:
        raise RuleError(f"{title} {error}".strip()) from None


def roll_amount(d: Draft, roller: Roller, text: str, verb: str, ask: str = "amount") -> int:
    """Return the points of an amount: `9/2` is half of 9, rounded down, `9*2` twice 9.

    At least 0. Raises RuleError for a negative number without dice.
    """
    # Not part of the dice notation: half damage is halved after the roll and rounded down, as tables do.
    scale = text[-2:] if text[-2:] in ("/2", "*2") else ""
    spelt = read_notation(text.removesuffix(scale))
    total = roller.total(d, spelt, ask)
    if total < 0 and not has_dice(spelt):
        raise RuleError(f"{verb} takes no negative number, not {text}", _OPPOSITE.get(verb, ""))
    return bound_points(total // 2 if scale == "/2" else total * 2 if scale else total)


def bound_points(points: int) -> int:
    """Return points of damage or healing, at least 0. Raises RuleError for too many."""
    if points > MOST_POINTS:
        raise RuleError(f"{points} is too much", f"{MOST_POINTS} at most")
    # 1d4-2 may come to less than nothing, but damage is never negative.
    return max(0, points)


_OPPOSITE = {
    "damage": "heal restores points",
    "heal": "damage takes points away",
    "temp": "temporary points are taken away by 0",
}


def has_dice(spelt: Notation) -> bool:
    """Return whether a notation must be rolled; False for a bare number."""
    return any(isinstance(term, DiceTerm) for term in spelt.terms)


def split_dice(text: str, title: str) -> tuple[str, str]:
    """Return the number of `3+1d8` and the dice behind it; a text of another form as it is, and "".

    Raises RuleError for dice that are not always the same number of dice.
    """
    if not is_dice(text) or isinstance((spelt := read_notation(text)).terms[0], DiceTerm):
        return text, ""
    dice = tuple(term for term in spelt.terms if isinstance(term, DiceTerm))
    if any(term.explode for term in dice):
        raise RuleError(f"{title} keeps no dice that explode", f"`{title}3+1d8`", kind="bad_value")
    if sum(term.count for term in dice) > MOST_KEPT:
        raise RuleError(f"{title} keeps {MOST_KEPT} dice at most", f"`{title}3+1d8`", kind="bad_value")
    number = sum(-x.value if x.minus else x.value for x in spelt.terms if not isinstance(x, DiceTerm))
    return str(number), Notation(dice).words()


def sum_dice(text: str, faces: tuple[int, ...]) -> int:
    """Return the total of kept dice with these faces, 0 for none."""
    return evaluate(parse(text), GivenDice(faces)).total if text else 0


def dice_sides(text: str) -> tuple[int, ...]:
    """Return the sides of kept dice, in rolling order."""
    terms = parse(text).terms if text else ()
    return tuple(x.sides for x in terms if isinstance(x, DiceTerm) for _ in range(x.count))


MOST_KEPT = 10
"""The most dice that a value keeps to be rolled anew."""


def is_dice(text: str) -> bool:
    """Return whether a text is a notation with dice."""
    try:
        return has_dice(read_notation(text))
    except RuleError:
        return False


def roll_count(d: Draft, roller: Roller, text: str, title: str, least: int, most: int) -> int:
    """Return the number of a text that may be dice, between two bounds. Raises RuleError."""
    result = roller.total(d, read_notation(text, title), "number")
    if not least <= result <= most:
        raise RuleError(f"{title} takes {least} to {most}, not {result}")
    return result
