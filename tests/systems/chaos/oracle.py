"""The order rules of Chaos, stated a second time and as plainly as can be; nothing here comes from the
program.

All that it knows are the JSON state after each line, and the faces that were thrown. Sources: CHA-12, CHA-16,
CHA-19, CHA-20, CHA-22, CHA-28, CHA-A1, CHA-A2, CHA-A13.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

State = Mapping[str, Any]
Creature = Mapping[str, Any]


def alive(state: State) -> list[Creature]:
    """Who is here and not out, in roster order."""
    return [c for c in state["combatants"] if not c["out"] and c["arrives"] <= state["round"]]


def rows(people: Iterable[Creature]) -> dict[str, list[Creature]]:
    """A row for every group, and for everybody who is in none."""
    found: dict[str, list[Creature]] = {}
    for c in people:
        found.setdefault(c["group"] or c["name"], []).append(c)
    return found


def added(row: Sequence[Creature]) -> tuple[int, int]:
    """The bonus of a row, and its advantage (1) or disadvantage (-1): what at least half of its creatures
    have."""
    sizes = [max(1, c["fields"].get("formation", 1)) for c in row]

    def shared(values: Sequence[int]) -> int:
        def half(fits: Iterable[bool]) -> bool:
            return bool(2 * sum(n for n, fit in zip(sizes, fits, strict=True) if fit) >= sum(sizes))

        ups = [v for v in values if v > 0 and half(x >= v for x in values)]
        downs = [v for v in values if v < 0 and half(x <= v for x in values)]
        return max(ups, default=0) + min(downs, default=0)

    counts = [2 * c["fields"].get("affected", 999) >= n for c, n in zip(row, sizes, strict=True)]
    edges = [{"adv": 1, "dis": -1}.get(c["fields"].get("adv", ""), 0) for c in row]
    bonuses = [c["fields"].get("bonus", 0) for c in row]
    return (
        shared([b if ok else 0 for b, ok in zip(bonuses, counts, strict=True)]),
        shared([e if ok else 0 for e, ok in zip(edges, counts, strict=True)]),
    )


class Oracle:
    """One round: who was here at the lock, what each row threw, which had their one slot, which were moved by
    hand.

    Creatures are known by id, for a name may come again; rows by name.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.together = options["cha.tie"] == "simultaneous"
        self.by_bonus = options["cha.tie"] == "bonus"
        wanted = options["cha.tie"] == "by_hand" or options["tie.by_hand"]
        self.by_hand = wanted and options["cha.mode"] == "gm"  # else nobody is there to do it
        self.latest = options["cha.lowest"] == "latest"
        self.here: set[str] = set()
        self.totals: dict[str, int] = {}
        self.bonus: dict[str, int] = {}
        self.made: dict[str, tuple[int, int]] = {}  # bonus and advantage of the moment of the roll
        self.called: set[str] = set()  # by one face, whatever was rolled
        self.offs: dict[str, list[int]] = {}
        self.moves: list[tuple[str, str, str]] = []
        self.taken: set[str] = set()
        self.fell: set[str] = set()

    def rolled(self, state: State, who: str, faces: Sequence[int]) -> None:
        """A row's number, or what it threw in a roll-off."""
        if who in self.totals:
            self.offs[who] = [*self.offs.get(who, []), faces[0]]
            return
        self.made[who] = added(rows(alive(state))[who])
        self.totals[who] = self.number(who, faces)
        self.bonus[who] = self.made[who][0] if self.by_bonus else 0

    def number(self, who: str, faces: Sequence[int]) -> int:
        """What these faces would have given at the roll."""
        bonus, edge = self.made[who]
        return (min(faces) if edge < 0 else max(faces)) + bonus

    def corrected(self, who: str, number: int) -> None:
        """Another number: roll-offs count only among those who still share the number that they were for."""
        was, self.totals[who] = self.totals[who], number
        left = [k for k, n in self.totals.items() if n == was]
        for k in [who, *(left if len(left) == 1 else [])]:
            self.offs.pop(k, None)

    def picked(self, names: Sequence[str]) -> None:
        """The tied stand as the GM names them, behind whatever they threw before."""
        before = min((self.offs.get(n, []) for n in names), key=len)
        self.offs |= {name: [*before, -place] for place, name in enumerate(names)}

    # --- what must hold now

    def playing(self, state: State) -> dict[str, list[Creature]]:
        """The rows with somebody who was here at the lock and is not out."""
        return {k: r for k, r in rows(alive(state)).items() if any(c["id"] in self.here for c in r)}

    def owed(self, state: State) -> dict[str, list[int]]:
        """The dice that are owed: a number by every row; then a roll-off by all whom nothing sets apart."""
        first = {
            k: [20] * (2 if added(r)[1] else 1)
            for k, r in self.playing(state).items()
            if k not in self.totals
        }
        if first or self.by_hand:
            return first
        return {k: [20] for k in self.tied(state)}

    def tied(self, state: State) -> list[str]:
        """Rows with another at the same number whose roll-offs begin like theirs."""
        there = [] if self.together else list(self.playing(state))
        return [
            k for k in there
            if any(
                o != k and self.totals[o] == self.totals[k] and self.bonus[o] == self.bonus[k]
                and self.offs.get(o, [])[: len(self.offs.get(k, []))] == self.offs.get(k, [])
                for o in there
            )
        ]  # fmt: skip

    def rivals(self, state: State) -> list[str]:
        """The tied, and who stands at the same number: a newcomer among equals is put between those
        already named."""
        tied = {(self.totals[k], self.bonus[k]) for k in self.tied(state)}
        return [k for k in self.totals if (self.totals[k], self.bonus[k]) in tied]

    def order(self, state: State) -> list[str]:
        """The rows from the highest number down, then those moved by hand where they were put, also beside
        who is gone."""
        # Who is out keeps the seat among equals: a row that was put beside it does not move because it fell.
        seen = [k for k in rows(state["combatants"]) if k in self.totals]
        every = [*seen, *(k for k in self.totals if k not in seen)]
        every.sort(key=lambda k: (-self.totals[k], -self.bonus[k], [-f for f in self.offs.get(k, [])]))
        for who, where, other in self.moves:
            if who in every and other in every:
                every.remove(who)
                every.insert(every.index(other) + (where == "after"), who)
        return [k for k in every if k in self.playing(state)]

    def waits(self, row: Sequence[Creature]) -> bool:
        """Whether a row's one slot is still to come."""
        key = row[0]["group"] or row[0]["name"]
        return key not in self.taken and any(c["id"] in self.here and not c["out"] for c in row)

    def next(self, state: State) -> str:
        """The first row whose slot is still to come; "" when all orders are resolved."""
        return next((k for k in self.order(state) if self.waits(self.playing(state)[k])), "")

    def order_state(self, state: State, who: str) -> str:
        """What has become of a row's order: now, locked, done or void."""
        if who == state["acting"]:
            return "now"
        if self.waits(rows(state["combatants"])[who]):
            return "locked"
        return "done" if who in self.taken | self.fell else "void"

    def lowest(self, state: State, names: Sequence[str]) -> str:
        """Of equal targets the last in the order, or as a house rule the first; a row stands before its
        members."""
        playing = self.playing(state)
        line = [x for k in self.order(state) for x in (k, *(c["name"] for c in playing[k]))]
        place = {name: line.index(name) if name in line else len(line) for name in names}
        ranked = sorted(names, key=lambda name: place[name])
        return ranked[-1] if self.latest else ranked[0]

    def redirected(
        self, state: State, melee: Mapping[str, int], ranged: Mapping[str, int]
    ) -> tuple[str, str]:
        """The nearest in melee, else the nearest in range, else nobody."""
        for squares, style in ((melee, "melee"), (ranged, "ranged")):
            if near := [k for k, away in squares.items() if away == min(squares.values())]:
                return self.lowest(state, near), style
        return "", "lost"
