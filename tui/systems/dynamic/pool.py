"""Dice of the Dynamic Initiative System: declared actions, their pool, and the sum of faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.dice import Constant, DiceError, DiceTerm, parse
from tui.core.language.values import read_bool, read_int

LADDER = (1, 2, 3, 4, 6, 8, 10, 12, 20)
"""The dice that a bonus or penalty moves along (DIS-29); a die with one side is a plain 1."""

SURPRISE = 10
"""The points that surprise adds to a total, after everything else (DIS-24)."""

MOST_ACTIONS = 8
MOST_DICE = 12


class Deed(Struct, frozen=True):
    """One declared action."""

    kind: str
    """weapon, spell, action or move."""
    text: str
    """The value of the action in a line, such as `2d6` or `yes`."""
    dice: tuple[int, ...] = ()
    """The sides of the action's dice."""
    flat: int = 0
    """The points that are added to the dice."""


class Pool(Struct, frozen=True):
    """The dice that a creature rolls."""

    dice: tuple[int, ...] = ()
    """The sides, after resizing, in order."""
    flat: int = 0
    """The points that are added to the dice."""
    twice: int = -1
    """The index in `dice` of the die that is rolled twice; -1 for none."""
    low: bool = True
    """Whether the lower of its two faces counts."""

    @property
    def rolled(self) -> tuple[int, ...]:
        """Return the sides of the dice that are rolled, in rolling order, without dice of one side."""
        return tuple(s for i, s in enumerate(self.dice) if s > 1 for _ in range(2 if i == self.twice else 1))

    @property
    def most(self) -> int:
        """Return the highest sum."""
        return sum(self.dice) + self.flat

    @property
    def least(self) -> int:
        """Return the lowest sum."""
        return len(self.dice) + self.flat


def read_deeds(text: Mapping[str, str]) -> tuple[Deed, ...]:
    """Return the deeds of a declaration, in order. Raises RuleError."""
    deeds = [deed for kind, value in text.items() for deed in _read_kind(kind, value)]
    if len(deeds) > MOST_ACTIONS:
        reason = f"{len(deeds)} actions are too many for a round"
        raise RuleError(reason, f"{MOST_ACTIONS} at most", "DIS-4")
    return tuple(deeds)


def write_deeds(deeds: Sequence[Deed]) -> dict[str, str]:
    """Return the declaration that `read_deeds` reads as these deeds."""
    text: dict[str, str] = {}
    for deed in deeds:
        text[deed.kind] = f"{text[deed.kind]},{deed.text}" if deed.kind in text else deed.text
    return text


def _read_kind(kind: str, value: str) -> list[Deed]:
    parts = [p.strip() for p in value.split(",") if p.strip()]
    match kind:
        case "weapon":
            return [_read_weapon(p) for p in parts]
        case "spell":
            return [Deed("spell", str(n), (8,), n) for n in (read_int(p, "spell=", 0, 9) for p in parts)]
        case "action":
            counts = (
                read_int(p, "action=", 0, 9) if p.lstrip("+-").isdigit() else read_bool(p, "action=")
                for p in parts
            )
            return [Deed("action", "1", (6,)) for n in counts for _ in range(n)]
        case "move":
            return [Deed("move", "yes", (4,))] if parts and read_bool(parts[0], "move=") else []
        case "intent":
            return []
        case _:
            hint = "weapon=1d8, spell=3, action=1, move=yes"
            raise RuleError(f"a declaration has no {kind}=", hint, "DIS-4")


def _read_weapon(text: str) -> Deed:
    try:
        terms = parse(text).terms
    except DiceError:
        terms = ()
    flat = [t.value for t in terms if isinstance(t, Constant)]
    pools = [t for t in terms if isinstance(t, DiceTerm)]
    plain = not any(t.minus for t in terms) and not any(p.keep or p.explode for p in pools)
    # Nothing is added to the dice (DIS-11): a number stands alone.
    if not plain or not terms or (flat and len(terms) > 1):
        raise RuleError(f'weapon= takes base damage dice such as 2d6, not "{text}"', "`weapon=1d8`", "DIS-12")
    dice = tuple(p.sides for p in pools for _ in range(p.count))
    if len(dice) > MOST_DICE or sum(flat) > 999:
        raise RuleError(f'"{text}" is too much for a weapon', f"{MOST_DICE} dice at most", "DIS-12")
    return Deed("weapon", parse(text).words() if dice else str(flat[0]), dice, sum(flat))


def pool_bounds(pool: Pool, surprise: int) -> str:
    """Return a pool in words with its least and highest sum; `surprise` are the points for surprise."""
    more = f" + {surprise} for surprise" if surprise else ""
    if not pool.most:
        return f"no dice{more}: acts at {surprise}"
    return f"pool {pool_words(pool)}{more}: {pool.least + surprise} to {pool.most + surprise}"


def base_dice(deed: Deed, *, one: bool) -> tuple[int, ...]:
    """Return the dice of a deed; with `one` only the largest of a weapon (`dis.multi_dice`)."""
    return (max(deed.dice),) if one and deed.kind == "weapon" and deed.dice else deed.dice


def price(deed: Deed, *, one: bool, level: bool) -> int:
    """Return the highest sum of a deed, which is the price of switching to it (DIS-16).

    `level`: whether a spell's level is added.
    """
    # Whether the level of a spell is part of the price is a house rule; the fixed number of a weapon always
    # is.
    flat = deed.flat if level or deed.kind != "spell" else 0
    return sum(base_dice(deed, one=one)) + flat


def make_pool(deeds: Sequence[Deed], *, one: bool) -> Pool:
    """Return the pool of these deeds before resizing."""
    dice = tuple(s for deed in deeds for s in base_dice(deed, one=one))
    return Pool(dice, sum(deed.flat for deed in deeds))


def change_die(sides: int, steps: int, floor: int = 1) -> int:
    """Return a die after `steps` sizes, larger or (negative) smaller, between `floor` and d20."""
    for _ in range(abs(steps)):
        if steps < 0:
            smaller = max((s for s in LADDER if s < sides), default=sides)
            sides = smaller if smaller >= floor else sides
        else:
            sides = min((s for s in LADDER if s > sides), default=sides)
    return sides


def resize_pool(
    pool: Pool, steps: int, floor: int, picks: Sequence[int] = (), *, ask: bool = False
) -> tuple[Pool, tuple[int, ...]]:
    """Return the pool after `steps` effects, and the dice among which the next pick must choose.

    Each effect changes the largest die that it can change (DIS-30). With `ask`, effects that could change
    dice of several sizes take the `picks` (sides) in order; if a pick is missing, the largest die is used.
    """
    dice, open_picks = list(pool.dice), list(picks)
    choice: tuple[int, ...] = ()
    direction = 1 if steps > 0 else -1
    for _ in range(abs(steps)):
        # The largest die that can still change: a d20 grows no further, and the effect must not be wasted on
        # it.
        able = sorted({s for s in dice if change_die(s, direction, floor) != s}, reverse=True)
        if not able:
            break
        changed = able[0]
        if ask and len(able) > 1:
            if open_picks and open_picks[0] in able:
                changed = open_picks.pop(0)
            else:
                choice = choice or tuple(able)
        dice[dice.index(changed)] = change_die(changed, direction, floor)
    return Pool(tuple(dice), pool.flat), choice


def with_advantage(pool: Pool, adv: str) -> Pool:
    """Return the pool with its largest die rolled twice (DIS-31); `adv` is `adv`, `dis` or ""."""
    largest = max(pool.dice, default=1)
    # A fixed 1 cannot be rolled twice.
    if not adv or largest == 1:
        return pool
    return Pool(pool.dice, pool.flat, pool.dice.index(largest), adv == "adv")


def sum_faces(pool: Pool, faces: Sequence[int]) -> int:
    """Return the sum of a pool's faces, of which one face of the die rolled twice counts."""
    return pool.flat + pool.dice.count(1) + sum(counting_faces(pool, faces))


def counting_faces(pool: Pool, faces: Sequence[int]) -> tuple[int, ...]:
    """Return the faces that count in the sum, in rolling order."""
    twice = sum(sides > 1 for sides in pool.dice[: pool.twice]) if pool.twice >= 0 else len(faces)
    pair = faces[twice : twice + 2]
    counting = (min(pair) if pool.low else max(pair),) if pair else ()
    return (*faces[:twice], *counting, *faces[twice + 2 :])


def sum_formula(pool: Pool, faces: Sequence[int]) -> str:
    """Return in words how the sum is calculated: `d8 (6, 2: 6) + d4 (3) + 3`."""
    unused = list(faces)
    parts = []
    for i, sides in enumerate(pool.dice):
        if sides == 1:
            parts.append("1")
        elif i == pool.twice:
            a, b = unused.pop(0), unused.pop(0)
            parts.append(f"d{sides} ({a}, {b}: {min(a, b) if pool.low else max(a, b)})")
        else:
            parts.append(f"d{sides} ({unused.pop(0)})")
    return _join_parts(parts, pool) or "nothing declared"


def pool_words(pool: Pool) -> str:
    """Return the pool in words: `d8 + d4 + 3`."""
    parts = [f"d{s}" if s > 1 else "1" for s in pool.dice]
    if pool.twice >= 0:
        parts[pool.twice] += " twice, the lower" if pool.low else " twice, the higher"
    return _join_parts(parts, pool) or "nothing: acts at 0"


def _join_parts(parts: Sequence[str], pool: Pool) -> str:
    return " + ".join([*parts, *([str(pool.flat)] if pool.flat else [])])
