"""The odds of a round in Unbound: the order of the factions, and the turns that their members take in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from math import factorial

from tui.core.fight.encounter import SIDE, Encounter
from tui.core.odds.race import Case, Chance, Outcome, Race, Throw
from tui.systems.shared.numbering import BY_HAND, track_notes
from tui.systems.shared.racing import BY_THE_GM
from tui.systems.unbound.order import Factions, line, unbound_notes, waits
from tui.systems.unbound.passing import current, may_pass

MOST_FACTIONS = 6
"""Factions whose orders are gone through one by one."""

MOST_OWING = 4
"""Factions whose faces are gone through one by one, where others have rolled already."""

Order = tuple[str, ...]


def race(s: Factions, e: Encounter) -> Race | None:
    """The race of a round; None where earlier dice weigh in that no formula tells."""
    keys = [x.key for x in s.entries(e)]
    if e.turn or s.option(e, "unb.reset") != "everyone" or len(keys) > MOST_FACTIONS:
        return None
    n = unbound_notes(e)
    orders = _standing(s, e) if all(k in n.values for k in keys) else _orders(e, keys)
    if orders is None or (n.begun and any(k not in n.values for k in keys)):
        return None
    who = {key: tuple(c.id for c in s.in_play(e) if SIDE + c.side == key and waits(c)) for key in keys}
    sizes = {key: len(found) for key, found in who.items() if found}
    cases = tuple(Case(p, _throws(_turns(order, sizes), who)) for order, p in orders.items())
    reading = str(s.option(e, "unb.pass"))
    beside = [Chance(f"{key.removeprefix(SIDE)} may pass", p) for key, p in _passing(orders, sizes, reading)]
    given = ["every faction chooses any of its own as often as another", "nobody passes"]
    return Race(cases, kept=True, beside=tuple(beside), given=(*given, *_by_hand(s, e)))


def _by_hand(s: Factions, e: Encounter) -> list[str]:
    return [BY_THE_GM] if s.option(e, BY_HAND.key) else []


def _standing(s: Factions, e: Encounter) -> dict[Order, float] | None:
    """The order that stands, from the faction whose turn it is; None where a roll-off is still owed."""
    if s.due(e):
        return None
    found, now = line(s, e), current(s, e)
    at = found.index(now) if now in found else 0
    return {(*found[at:], *found[:at]): 1.0}


def _orders(e: Encounter, keys: Sequence[str]) -> dict[Order, float] | None:
    """The chance of every order of the factions; None where roll-offs have fallen, or too many still roll."""
    n = track_notes(e)
    if n.ties or e.shifts:
        return None
    owing = [k for k in keys if k not in n.values]
    # Bare dice that are all alike make every order as likely (UNB-3, UNB-5).
    if len(owing) == len(keys):
        return {tuple(order): 1 / factorial(len(keys)) for order in permutations(keys)}
    if len(owing) > MOST_OWING:
        return None
    found: dict[Order, float] = {}
    for faces in product(range(1, 13), repeat=len(owing)):
        values = {**n.values, **dict(zip(owing, faces, strict=True))}
        settled = list(_settled({k: values[k] for k in keys}))
        for order in settled:
            found[order] = found.get(order, 0.0) + 12.0 ** -len(owing) / len(settled)
    return found


def _settled(values: Mapping[str, int]) -> Iterator[Order]:
    """Every order that roll-offs can make of these numbers; all are as likely."""
    ranks = [[k for k in values if values[k] == v] for v in sorted(set(values.values()), reverse=True)]
    for parts in product(*(permutations(tied) for tied in ranks)):
        yield tuple(k for part in parts for k in part)


def _turns(order: Order, sizes: Mapping[str, int]) -> dict[str, list[int]]:
    """The turns of each faction in a round in which nobody passes, counted from 0 (UNB-7, UNB-10)."""
    found: dict[str, list[int]] = {key: [] for key in sizes}
    for lap in range(max(sizes.values(), default=0)):
        for key in order:
            if lap < sizes.get(key, 0):
                found[key].append(sum(map(len, found.values())))
    return found


def _throws(turns: Mapping[str, Sequence[int]], who: Mapping[str, tuple[str, ...]]) -> tuple[Throw, ...]:
    """The members of each faction share its turns."""
    return tuple(
        Throw(who[key], (Outcome(1.0, tuple((turn,) for turn in found)),), shuffled=True)
        for key, found in turns.items()
    )


def _passing(
    orders: Mapping[Order, float], sizes: Mapping[str, int], reading: str
) -> Iterator[tuple[str, float]]:
    """How likely each faction has the right to pass at some turn of the round, nobody having passed before (UNB-8)."""
    for key in sizes:
        yield key, sum(p for order, p in orders.items() if _may(order, sizes, key, reading))


def _may(order: Order, sizes: Mapping[str, int], key: str, reading: str) -> bool:
    left_ = dict(sizes)
    for lap in range(max(sizes.values())):
        for one in order:
            if lap < sizes.get(one, 0):
                if one == key and may_pass(left_, key, reading):
                    return True
                left_[one] -= 1
    return False
