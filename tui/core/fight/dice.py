"""Parse dice notation and total the faces rolled for it; hold the base of all events.

A notation is a sum of terms: `2d8+2`, `d%`, `4d6kh3`, `1d20adv`, `3d6!-1`. Nothing here rolls: `evaluate`
asks a `Dice` for one face after the other.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, NoReturn, Protocol

from msgspec import Meta, Struct

from tui.core.base.text import clean

MOST_SIDES = 1_000
Sides = Annotated[int, Meta(ge=1, le=MOST_SIDES)]
"""The number of sides of a die, or a face. The bound keeps counting cheap, because a journal may come from a
stranger.
"""

ANY_SOURCE = "*"
"""The value of `of` in an event that means every source of a condition. No creature has this id."""


class BaseEvent(Struct, frozen=True, omit_defaults=True, tag_field="t", tag=str.lower):
    """The base of all events; the tag `t` is the class name in lower case."""


MOST_DICE = 100
"""The most dice in one term."""

MOST_TERMS = 20
MOST_ROLLS = 1_000
"""The most rolls for one notation, exploded dice included."""

MOST_CONSTANT = 1_000_000
MOST_TEXT = 400
"""The longest notation, in code points; the longest that `words` writes has 300."""

_EXAMPLES = "write something like 2d8+2, 4d6kh3, 1d20adv or 3d6!"
_TERM = (
    r"(?ai)\s*(?P<sign>[+-])?\s*(?:"
    r"(?P<count>[0-9]+)?d(?P<sides>[0-9]+|%)(?P<explode>!)?(?:(?P<keep>kh|kl|dh|dl|k)(?P<many>[0-9]+)?|(?P<luck>adv|dis))?"
    r"|(?P<constant>[0-9]+)|(?P<bare>adv|dis))(?![0-9a-z%!])\s*"
)


KeepKind = Literal["kh", "kl", "dh", "dl"]


class DiceError(ValueError):
    """A notation or a face is refused. One line: what, where, what would work."""


class Dice(Protocol):
    """A source of faces: the dice of the app, faces typed at the table, or those of a test."""

    def roll(self, sides: int) -> int:
        """Return one face, 1 to `sides`. Raises DiceError if the source has no face left."""
        ...


class Keep(Struct, frozen=True):
    """The rule by which some dice of a term count."""

    kind: KeepKind
    """The rule of keeping: `kh` and `kl` keep the highest or lowest `many`, `dh` and `dl` drop them."""
    many: int

    def kept(self, totals: list[int]) -> set[int]:
        """Return the indices of the dice that count; of equal dice the earlier counts first."""
        highest = self.kind in ("kh", "dl")
        ranked = sorted(range(len(totals)), key=lambda place: -totals[place] if highest else totals[place])
        return set(ranked[: self.many if self.kind in ("kh", "kl") else len(totals) - self.many])


class Constant(Struct, frozen=True, tag="constant"):
    """A plain number of a sum, 0 or more."""

    value: int
    minus: bool = False

    def words(self) -> str:
        """Return the number without its sign."""
        return str(self.value)


class DiceTerm(Struct, frozen=True, tag="pool"):
    """Dice of one kind in a sum."""

    count: int
    sides: int
    explode: bool = False
    """Whether a die with its highest face is rolled again and both faces are added."""
    keep: Keep | None = None
    minus: bool = False
    """Whether the term is subtracted."""

    def words(self) -> str:
        """Return the term without its sign: `4d6kh3`."""
        keep_text = f"{self.keep.kind}{self.keep.many}" if self.keep else ""
        return f"{self.count}d{self.sides}{'!' if self.explode else ''}{keep_text}"


class Notation(Struct, frozen=True):
    """A sum of dice and numbers, 1 to 20 terms. `parse(n.words()) == n`."""

    terms: tuple[Constant | DiceTerm, ...]

    def words(self) -> str:
        """Return the notation in its plain spelling: `2d8+2`."""
        signed = "".join(f"{'-' if term.minus else '+'}{term.words()}" for term in self.terms)
        return signed.removeprefix("+")


class Face(Struct, frozen=True):
    """The face of one die, and whether it counts in the total."""

    sides: int
    face: int
    kept: bool


class RollResult(Struct, frozen=True):
    """A notation's total, and its faces in rolling order; an exploded face follows the one that caused it."""

    total: int
    faces: tuple[Face, ...]


class GivenDice:
    """A source of typed faces, given out one by one; `left` has the unused ones."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.left = faces

    def roll(self, sides: int) -> int:
        """Return the next face. Raises DiceError if none is left.

        A face that a die of `sides` does not have raises DiceError too and stays in `left`.
        """
        if not self.left:
            raise DiceError(f"no face is left for a d{sides}: give one more")
        face = self.left[0]
        if not 1 <= face <= sides:
            raise DiceError(f"{face} is not on a d{sides}: its faces are 1 to {sides}")
        # Faces are used up only if they fit: after a refusal the same faces can be tried again.
        self.left = self.left[1:]
        return face


def parse(text: str) -> Notation:
    """Return the notation of a text, ignoring letter case and spaces. Raises DiceError."""
    if len(text) > MOST_TEXT:
        raise DiceError(f"dice: {len(text)} characters are too many: {MOST_TEXT} at most")
    plain = text.strip().replace("\N{MINUS SIGN}", "-")
    terms: list[Constant | DiceTerm] = []
    place = 0
    while place < len(plain) or not terms:
        match = re.compile(_TERM).match(plain, place)
        # Two terms without a sign between them are two numbers that run together, not a sum.
        if match is None or (terms and not match["sign"]):
            _refuse_from(plain, place)
        terms.append(_read_term(match))
        place = match.end()
    _check_bounds(terms)
    return Notation(tuple(terms))


def evaluate(notation: Notation, dice: Dice) -> RollResult:
    """Return the total and faces of a notation, rolled term by term.

    Raises DiceError after 1,000 rolls or from `dice`.
    """
    total = 0
    faces: list[Face] = []
    for term in notation.terms:
        match term:
            case Constant(value):
                worth = value
            case DiceTerm():
                worth = _roll_pool(term, dice, faces)
        total += -worth if term.minus else worth
    return RollResult(total, tuple(faces))


def _roll_pool(pool: DiceTerm, dice: Dice, faces: list[Face]) -> int:
    """Roll a term, append its faces to `faces`, and return the sum of those that count."""
    chains: list[list[int]] = []
    rolls = len(faces)
    for _ in range(pool.count):
        chain: list[int] = []
        while not chain or (pool.explode and chain[-1] == pool.sides):
            rolls += 1
            if rolls > MOST_ROLLS:
                raise DiceError(f"dice: more than {MOST_ROLLS} rolls: write fewer dice that explode")
            chain.append(dice.roll(pool.sides))
        chains.append(chain)
    totals = [sum(chain) for chain in chains]
    counting = pool.keep.kept(totals) if pool.keep else set(range(pool.count))
    faces += [
        Face(pool.sides, face, place in counting) for place, chain in enumerate(chains) for face in chain
    ]
    return sum(totals[place] for place in counting)


def _read_term(match: re.Match[str]) -> Constant | DiceTerm:
    """Return the term of a match of `_TERM`. Raises DiceError for a number out of bounds."""
    minus = match["sign"] == "-"
    if match["constant"]:
        return Constant(_read_number(match, "constant", 0, MOST_CONSTANT), minus)
    if match["bare"]:
        return DiceTerm(2, 20, keep=_read_luck(match["bare"]), minus=minus)
    count = _read_number(match, "count", 1, MOST_DICE) if match["count"] else 1
    sides = 100 if match["sides"] == "%" else _read_number(match, "sides", 1, MOST_SIDES)
    explode = bool(match["explode"])
    if explode and sides == 1:
        _refuse(match, "a die with one side would explode forever: give it 2 sides or more")
    if match["luck"]:
        if count != 1:
            _refuse(match, "one die has advantage or disadvantage: write 1d20adv, or 2d20kh1")
        return DiceTerm(2, sides, explode, _read_luck(match["luck"]), minus)
    return DiceTerm(count, sides, explode, _read_keep(match, count), minus)


def _read_luck(word: str) -> Keep:
    """Return the die that counts of two: the higher for `adv`, the lower for `dis`."""
    return Keep("kh" if word.lower() == "adv" else "kl", 1)


def _read_keep(match: re.Match[str], count: int) -> Keep | None:
    """Return the rule by which a term keeps or drops dice, of which at least one is kept.

    Raises DiceError.
    """
    many = _read_number(match, "many", 1, MOST_DICE) if match["many"] else 1
    match (match["keep"] or "").lower():
        case "":
            return None
        case "kh" | "k":
            kind: KeepKind = "kh"
        case "kl":
            kind = "kl"
        case "dh":
            kind = "dh"
        case _:
            kind = "dl"
    if many > (count if kind in ("kh", "kl") else count - 1):
        _refuse(match, f"{kind}{many} does not fit {count}d{match['sides']}: keep 1 to {count}, drop fewer")
    return Keep(kind, many)


def _read_number(match: re.Match[str], part: str, least: int, most: int) -> int:
    """Return a number of the term. Raises DiceError for one out of bounds, before converting a long one."""
    digits = match[part].lstrip("0") or "0"
    if len(digits) > len(str(most)) or not least <= int(digits) <= most:
        title = {"count": "dice in a term", "sides": "sides", "many": "dice to keep or drop"}.get(
            part, "a number"
        )
        _refuse(match, f"{title} may be {least} to {most}")
    return int(digits)


def _check_bounds(terms: list[Constant | DiceTerm]) -> None:
    """Raise DiceError if there are too many terms or rolls."""
    if len(terms) > MOST_TERMS:
        raise DiceError(f"dice: {len(terms)} terms are too many: {MOST_TERMS} at most")
    rolls = sum(term.count for term in terms if isinstance(term, DiceTerm))
    if rolls > MOST_ROLLS:
        raise DiceError(f"dice: {rolls} rolls are too many: {MOST_ROLLS} at most")


def _refuse(match: re.Match[str], reason: str) -> NoReturn:
    """Raise DiceError with `reason` for a term that has the right form but cannot be rolled."""
    raise DiceError(f'dice: "{clean(match[0], 24)}" at character {match.start() + 1}: {reason}')


def _refuse_from(plain: str, place: int) -> NoReturn:
    """Raise DiceError for a text that has no term at this place."""
    if not plain:
        raise DiceError(f"dice: nothing is written: {_EXAMPLES}")
    raise DiceError(
        f'dice: "{clean(plain[place:], 24)}" at character {place + 1} is not understood: {_EXAMPLES}'
    )
