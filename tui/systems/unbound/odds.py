"""The odds of a round in Unbound: the order of the factions, and the turns that their members take in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from math import factorial, prod

from tui.core.fight.encounter import SIDE, Encounter
from tui.core.odds.race import Case, Chance, Outcome, Race, Rank, Throw
from tui.core.odds.spread import always, die
from tui.systems.shared.declarations import BY_HAND, track_notes
from tui.systems.shared.track import BY_THE_GM, ranks, roll_asks
from tui.systems.unbound.order import Factions, line, may_pass, unbound_notes, waits

MOST_FACTIONS = 6
"""Factions whose orders are gone through one by one."""

MOST_WAYS = 30_000
"""Ways in which the dice of some factions may fall that are gone through one by one."""

Order = tuple[str, ...]


def race(s: Factions, e: Encounter) -> Race | None:
    """Return the race of a round, or None after moves by hand or while too many factions still roll."""
    keys = [x.key for x in s.entries(e)]
    if e.turn or s.option(e, "unb.reset") != "everyone" or len(keys) > MOST_FACTIONS:
        return None
    orders = _orders(s, e) if roll_asks(s, e) else {tuple(line(s, e)): 1.0}
    if orders is None:
        return None
    who = {key: tuple(c.id for c in s.in_play(e) if SIDE + c.side == key and waits(c)) for key in keys}
    sizes = {key: len(members) for key, members in who.items() if members}
    if not sizes:
        return None
    orders = _from_the_last(orders, unbound_notes(e).last)
    cases = tuple(Case(p, _throws(_turns(order, sizes), who)) for order, p in orders.items())
    reading = str(s.option(e, "unb.pass"))
    # That each may pass at some turn if none has passed before (UNB-8).
    passing = {k: sum(p for order, p in orders.items() if _may(order, sizes, k, reading)) for k in sizes}
    beside = [Chance(f"{key.removeprefix(SIDE)} may pass", p) for key, p in passing.items()]
    given = ["every faction chooses any of its own as often as another", "nobody passes"]
    return Race(cases, kept=True, beside=tuple(beside), given=(*given, *_by_hand(s, e)))


def _by_hand(s: Factions, e: Encounter) -> list[str]:
    return [BY_THE_GM] if s.option(e, BY_HAND.key) else []


def _from_the_last(orders: Mapping[Order, float], last: str) -> dict[Order, float]:
    """Return the same orders, each beginning after the faction that acted or passed last."""
    result: dict[Order, float] = {}
    for order, p in orders.items():
        at = order.index(last) + 1 if last in order else 0
        turned = (*order[at:], *order[:at])
        result[turned] = result.get(turned, 0.0) + p
    return result


def _orders(s: Factions, e: Encounter) -> dict[Order, float] | None:
    """Return the chance of each order of factions while some still roll, or None where there are too many."""
    n, rows = track_notes(e), s.entries(e)
    keys = [x.key for x in rows]
    # A faction that is wholly out is rolled against all the same, and keeps its place.
    if e.shifts or any(k not in keys for k in n.values):
        return None
    # Bare dice that are all alike make every order as likely (UNB-3, UNB-5).
    if not n.values:
        return {tuple(order): 1 / factorial(len(keys)) for order in permutations(keys)}
    spreads = {x.key: always(n.values[x.key]) if x.key in n.values else die(12) for x in rows}
    falls = [
        [(rank, p * q) for value, p in spreads[x.key].items() for rank, q in ranks(s, e, x, value)]
        for x in rows
    ]
    if prod(map(len, falls)) > MOST_WAYS:
        return None
    result: dict[Order, float] = {}
    for fallen in product(*falls):
        chance = prod(p for _, p in fallen)
        settled = list(_settled(dict(zip(keys, (rank for rank, _ in fallen), strict=True))))
        for order in settled:
            result[order] = result.get(order, 0.0) + chance / len(settled)
    return result


def _settled(values: Mapping[str, Rank]) -> Iterator[Order]:
    """Yield every order that roll-offs can make of these ranks; all are as likely."""
    tied = [[k for k in values if values[k] == v] for v in sorted(set(values.values()))]
    for parts in product(*(permutations(some) for some in tied)):
        yield tuple(k for part in parts for k in part)


def _turns(order: Order, sizes: Mapping[str, int]) -> dict[str, list[int]]:
    """Return the turns of each faction in a round without passing, counted from 0 (UNB-7, UNB-10)."""
    result: dict[str, list[int]] = {key: [] for key in sizes}
    for lap in range(max(sizes.values(), default=0)):
        for key in order:
            if lap < sizes.get(key, 0):
                result[key].append(sum(map(len, result.values())))
    return result


def _throws(turns: Mapping[str, Sequence[int]], who: Mapping[str, tuple[str, ...]]) -> tuple[Throw, ...]:
    """Return the throws of all members: each faction shares its turns."""
    return tuple(
        Throw(who[key], (Outcome(1.0, tuple((turn,) for turn in chances)),), shuffled=True)
        for key, chances in turns.items()
    )


def _may(order: Order, sizes: Mapping[str, int], key: str, reading: str) -> bool:
    left_ = dict(sizes)
    for lap in range(max(sizes.values())):
        for one in order:
            if lap < sizes.get(one, 0):
                if one == key and may_pass(left_, key, reading):
                    return True
                left_[one] -= 1
    return False
