"""Variable initiative told naively: a list of rows with numbers, hits, kills, joins and newcomers.

It shares no code with the product. All Intelligences differ from row to row, so that nothing is rolled off.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Row:
    """A row of the track; `came` is the place at which its turn came in this round."""

    value: int
    mind: int
    members: list[str]
    spent: set[str] = field(default_factory=set)
    came: tuple[int, int] | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Lower is earlier: the higher number, then the higher Intelligence."""
        return (-self.value, -self.mind)


class Track:
    """The rows, who has acted, and who waits."""

    def __init__(self, rows: dict[str, Row]) -> None:
        self.rows = rows
        self.acted: set[str] = set()
        self.barred: set[str] = set()
        self.acting: list[tuple[str, list[str]]] = []
        self.passed_by: list[tuple[int, int]] = []

    def order(self) -> list[tuple[str, int]]:
        """The rows with their numbers, first to act first."""
        return [(name, x.value) for name, x in sorted(self.rows.items(), key=lambda item: item[1].place)]

    def next(self) -> None:
        """End the turn that runs; then the one that it cut into goes on, else the best who has not acted."""
        if self.acting:
            self.acted.update(self.acting.pop()[1])
            if self.acting:
                return
        for _ in range(2):
            for name, _ in self.order():
                row = self.rows[name]
                ready = [m for m in row.members if m not in self.acted | self.barred]
                if ready:
                    self.acting = [(name, ready)]
                    row.came = row.place
                    self.passed_by.append(row.place)
                    return
            self.acted, self.barred, self.passed_by = set(), set(), []
            for row in self.rows.values():
                row.spent, row.came = set(), None

    def row_of(self, who: str) -> Row:
        """The row in which a creature is."""
        return next(x for x in self.rows.values() if who in x.members)

    def hit(self, who: str) -> None:
        """The first hit on any of a row lowers it."""
        row = self.row_of(who)
        row.value -= "hit" not in row.spent
        row.spent.add("hit")

    def kill(self, who: str, by: str) -> None:
        """The first kill by any of a row raises it; the dead leave, and a turn without anybody is over."""
        row = self.row_of(by)
        row.value += "kill" not in row.spent
        row.spent.add("kill")
        self.leave(who)

    def leave(self, who: str) -> None:
        """A creature is gone from its row and from the turns."""
        for name, row in list(self.rows.items()):
            row.members = [m for m in row.members if m != who]
            if not row.members:
                del self.rows[name]
        turns = [(name, [m for m in some if m != who]) for name, some in self.acting]
        while turns and not turns[-1][1]:
            turns.pop()
        self.acting = [x for x in turns if x[1]]

    def join(self, who: str, name: str) -> None:
        """A creature joins another row: who leaves others in a turn has had it, who comes too late waits.

        A turn of one creature goes on as that of the row, and those of it act too who have not acted.
        """
        row, turn = self.rows[name], next((x for x in self.acting if who in x[1]), None)
        through = self.acted | {m for _, some in self.acting for m in some}
        others = [m for m in turn[1] if m != who] if turn else []
        # A row of which all came too late has had no turn that the mover could share.
        had = any(m in through for m in row.members)
        if turn and others:
            self.acted.add(who)
        elif (
            not turn
            and who not in self.acted
            and had
            and all(m in through | self.barred for m in row.members)
        ):
            self.barred.add(who)
        at = self.acting.index(turn) if turn and not others else -1
        ready = [m for m in row.members if m not in through | self.barred]
        kept = list(self.acting)
        self.leave(who)
        row.members.append(who)
        if turn and at >= 0:
            # A newcomer that acts alone, under its own name, goes on alone.
            kept[at] = turn if turn[0] == who else (name, [who, *ready])
            self.acting = kept

    def newcomer(self, who: str, name: str, value: int, mind: int, *, won: bool) -> None:
        """A creature appears, in a row that is there or in one of its own."""
        row = self.rows.setdefault(name, Row(value, mind, []))
        row.members.append(who)
        if won:
            self.acting.append((who if len(row.members) > 1 else name, [who]))
        elif row.came is not None or any(place > row.place for place in self.passed_by):
            self.barred.add(who)
