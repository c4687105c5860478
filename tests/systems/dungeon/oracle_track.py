"""The initiative track told a second time, naively, from its text: numbers, places, newcomers, commanders,
hits."""

from __future__ import annotations

from typing import Any

from tests.systems.dungeon.oracle_universalis import Sides


class Numbers(Sides):
    """A track is a list of entries, first to act first; the fallen stay in it, because a place can have
    passed."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self.by, self.free, self.commanded, self.put_aside, self.ranks = "sides", False, False, False, False
        self.value: dict[str, int] = {}
        self.mind: dict[str, int] = {}
        self.ties: dict[str, list[int]] = {}
        self.track: list[str] = []
        self.moved: set[str] = set()  # by hits and kills
        self.known = True  # whether this telling is fine enough to say the order
        self.spent: set[tuple[str, str]] = set()
        self.later: list[tuple[str, int]] = []
        self.dice: dict[str, int] = {}  # of those who rolled for the track itself
        self.fixed: dict[str, int] = {}  # places that are not rolled
        self.since: dict[str, tuple[Any, ...]] = {}

    # --- who, in what order

    def commander(self) -> bool:
        return any(self.people[n]["fields"].get("rank") in ("champion", "leader") for n in self.here("dark"))

    def room(self) -> bool:
        return self.kind == "meeting" and not self.commander()

    def perceptive(self) -> bool:
        return self.room() or super().perceptive()

    def finder_first(self) -> bool:
        return self.room() or super().finder_first()

    def rule(self) -> str:
        by_hand = self.option("tie.by_hand", default=False)
        return "by_hand" if by_hand else str(self.option("trk.tie", "intelligence"))

    def key(self, entry: str) -> tuple[int, ...]:
        hero = self.members(entry)[0] in self.here("heroes") if self.members(entry) else entry in self.people
        side = {"heroes_first": not hero, "creatures_first": hero}.get(self.rule(), False)
        if entry in self.fixed:
            return (-self.value[entry], 1)
        return (-self.value[entry], 0, side, 0 if self.rule() == "by_hand" else -self.mind[entry])

    def members(self, entry: str) -> list[str]:
        return self.entries().get(entry, [])

    def missing(self) -> list[str]:
        there = self.entries() if self.by == "track" else {}
        return [x for x in there if x not in self.value and x not in self.fixed]

    def level(self) -> bool:
        """Whether a roll-off or the GM must still put two of them in order."""
        full = {x: self.full(x) for x in self.value if x in self.entries() and x not in self.fixed}
        # Who comes to a number later is tied with all who once rolled off there.
        return any(
            x != y and key == other and rolled == more[: len(rolled)]
            for x, (key, rolled) in full.items()
            for y, (other, more) in full.items()
        )

    def note(self, entry: str, value: int) -> None:
        self.value[entry], self.mind[entry], self.ties[entry] = (
            value,
            self.number(self.best(entry), "int"),
            [],
        )

    def forget(self) -> None:
        self.value, self.mind, self.ties, self.track, self.later, self.known = {}, {}, {}, [], [], True
        self.moved, self.dice = set(), {}

    def insert(self) -> None:
        """TRK-7: whoever has a number and no place gets one; ties by key, then by roll-offs."""
        for x in self.fixed:
            if x in self.entries():
                self.value[x], self.mind[x], self.ties[x] = self.fixed[x], 0, []
        new = [x for x in self.value if x not in self.track and x in self.entries()]
        level = {self.key(x) for x in new} & {self.key(x) for x in self.moved if x in self.entries()}
        if new and self.track and (level or self.option("trk.variable_moves", "value") == "one_place"):
            self.known = False
        for x in sorted(new, key=self.full):
            there = (i for i, y in enumerate(self.track) if y in self.value and self.full(y) > self.full(x))
            self.track.insert(next(there, len(self.track)), x)

    def full(self, entry: str) -> tuple[tuple[int, ...], list[int]]:
        return self.key(entry), [-t for t in self.ties[entry]]

    def read(self, rows: list[str]) -> None:
        """The order as it is told where this telling is too coarse; the fallen stay behind whom they
        stood."""
        old, self.track = self.track, list(rows)
        for i, x in enumerate(old):
            if x not in rows:
                before = [y for y in old[:i] if y in self.track]
                self.track.insert(self.track.index(before[-1]) + 1 if before else 0, x)

    def may(self) -> set[str]:
        if self.by != "track" or self.acting or self.kind or self.pending() or self.missing():
            return super().may() if not self.missing() else set()
        if self.free and (heroes := self.ready("heroes")):
            return heroes
        return set(next(([x] for x in self.track if self.fresh(self.members(x))), []))

    def joins(self, names: list[str]) -> dict[str, str]:
        """TRK-14: who is of the kind of one group on the track joins it; no commander does."""
        kinds: dict[str, set[str]] = {}
        for n in self.here("dark"):
            if self.people[n]["group"]:
                kinds.setdefault(str(self.people[n]["group"]), set()).add(n.split()[0])
        found = super().joins(names)
        for n in names:
            fits = [group for group, some in kinds.items() if some == {n.split()[0]}]
            free = not found[n] and not self.people[n]["fields"].get("rank")
            if self.by == "track" and free and len(fits) == 1:
                found[n] = fits[0]
        return found

    # --- the contest and what follows

    def keep(self) -> None:
        """TRK-2, TRK-13, TRK-A2, TRK-A13: an opposed total is the number of an entry that has none."""
        for name in self.faces:
            dark = name in self.batch
            keeps = not dark or self.option("trk.roller_group", "keeps") == "keeps"
            if keeps and self.entry(name) not in self.value and name in self.here():
                self.note(self.entry(name), self.total(name))
                self.mind[self.entry(name)] = self.made[name]["best"]

    def conclude(self) -> None:
        yields = self.commander() and self.option("trk.commander_when", "immediate") == "immediate"
        if self.room():
            self.forget()
            self.by, self.free, self.ranks = "track", self.won == "heroes", True
            self.rolled_since()
            self.keep()
        elif self.by == "track" and not yields:
            for x in [x for x in self.value if self.members(x) and set(self.members(x)) <= set(self.batch)]:
                del self.value[x], self.mind[x], self.ties[x]
                self.dice.pop(x, None)
                self.track = [y for y in self.track if y != x]
            self.ranks = True
            self.rolled_since()
            self.keep()
        else:
            self.rolled_since()
            if self.by == "track":
                self.suspend()
            elif self.kind == "meeting":
                self.commanded = True
            elif not self.commander() and (self.value or not self.commanded):
                self.keep()
            whole = self.put_aside and self.kind != "meeting" and self.won == "heroes"
            batch = [n for n in self.batch if n in self.here()]
            super().conclude()
            if whole:  # TRK-A9: the others wait as DUN-A9 says
                led = [n for n in batch if self.people[n]["fields"].get("rank")]
                self.barred |= dict.fromkeys(led, "round")

    def ranked(self) -> None:
        """All numbers are there (TRK-9, 11, 15, 16)."""
        self.ranks = False
        self.insert()
        if self.kind == "meeting":
            self.acted -= set(self.here())
            self.side, self.closed = "heroes", False
        elif self.won == "dark":
            self.admit()
        else:
            at_place = self.option("trk.losers_same_turn", default=True)
            late = [
                n for n in self.batch if n in self.here() and (not at_place or self.passed(self.entry(n)))
            ]
            self.barred |= dict.fromkeys(late, "round")
        self.over()

    def passed(self, entry: str) -> bool:
        busy = {n for who, _ in self.frames for n in who} | set(self.acting)
        behind = self.track[self.track.index(entry) :]
        came = [n for n, c in self.people.items() if (c["group"] or n) in behind and n in self.acted | busy]
        came = [n for n in came if n not in self.early and n not in self.batch]
        return any(not self.free or self.people[n]["side"] == "dark" for n in came)

    def suspend(self) -> None:
        """TRK-12."""
        self.by, self.commanded, self.free = "sides", True, False
        self.side, self.closed, self.put_aside = "heroes", False, True

    def open(self, side: str) -> None:
        super().open(side)
        self.put_aside = False

    def new_round(self) -> None:
        super().new_round()
        self.free = False
        self.spent = set()
        waiting, self.later = self.later, []
        for entry, by in waiting:
            if self.members(entry) and entry in self.value:
                self.change(entry, by)
        if not self.combat:
            return
        falls = self.option("trk.commander_falls", "resume") if self.commanded else ""
        if self.commander():
            if self.by == "track":
                self.suspend()
                self.put_aside = False
            self.commanded = True
        elif self.by != "track" and falls != "stay":
            if falls == "roll_new":
                self.forget()
            if falls == "roll_new" or self.value or not self.commanded:
                self.by = "track"
                self.ranks = bool(self.missing()) or self.level()
                if not self.ranks:
                    self.insert()

    def forced(self) -> bool:
        if self.by != "track":
            return super().forced() or self.ranks
        self.new_round()
        return bool(self.missing()) or self.ranks

    def calm(self) -> None:
        if self.by == "track":
            self.side, self.closed = "heroes", False
        self.forget()
        self.by, self.free, self.commanded = "sides", False, False
        super().calm()

    # --- dice of the track, hits and kills

    def rolled(self, who: str, faces: list[int]) -> None:
        if not self.ranks:
            super().rolled(who, faces)
            return
        best = self.best(who)
        total = sum(faces) + self.number(best, "per") + self.number(best, "mod")
        if who in self.value:
            self.ties[who].append(total)
        else:
            self.note(who, total)
            self.dice[who] = sum(faces)

    def back(self) -> None:
        """Whoever has rolled for the track since has rolled."""
        now = (self.value, self.mind, self.ties)
        since = {x: (*(some[x] for some in now), self.dice.get(x, 0)) for x in self.value} | self.since
        super().back()
        self.since = {x: mine for x, mine in since.items() if x in self.value or mine[-1]}

    def rolled_since(self) -> None:
        for x, (value, mind, ties, dice) in self.since.items():
            if x in self.track and (self.value[x], self.ties[x]) != (value, ties):
                self.track.remove(x)
            self.value[x], self.mind[x], self.ties[x] = value, mind, ties
            self.dice |= {x: dice} if dice else {}
        self.since = {}

    def renumbered(self, entry: str, faces: list[int]) -> None:
        """A roll for the track was heard wrongly; hits and kills count as before."""
        was = self.value[entry]
        self.value[entry] += sum(faces) - self.dice[entry]
        self.dice[entry], self.ties[entry] = sum(faces), []
        equals = [x for x in self.value if self.value[x] == was]
        if len(equals) == 1:
            self.ties[equals[0]] = []
            self.moved -= set(equals)
        self.moved.discard(entry)
        self.ranks = self.ranks or self.level()
        if entry in self.track:
            self.track.remove(entry)
            self.known = self.known and not self.moved
            if not self.ranks:
                self.insert()

    def picked(self, names: list[str]) -> None:
        """TRK-A1: the GM names tied rows in order."""
        for i, name in enumerate(names):
            self.ties[name] = [-i]
        slots = [i for i, x in enumerate(self.track) if x in names]
        for i, name in zip(slots, [n for n in names if n in self.track], strict=True):
            self.track[i] = name
        self.moved -= set(names)

    def report(self, name: str, mark: str) -> None:
        """TRK-18, TRK-19: a hit or a kill, once a round each."""
        entry, by = self.entry(name), -1 if mark == "hit" else 1
        spared = self.option("trk.variable_who", "all") == "creatures" and name in self.here("heroes")
        if (entry, mark) in self.spent or spared or entry not in self.value or entry in self.fixed:
            return
        self.spent.add((entry, mark))
        if self.option("trk.variable_when", "immediate") == "next_turn":
            self.later.append((entry, by))
        else:
            self.change(entry, by)

    def change(self, entry: str, by: int) -> None:
        here = [x for x in self.track if x in self.entries()]
        at = here.index(entry) - by
        if self.option("trk.variable_moves", "value") == "one_place":
            if not 0 <= at < len(here):
                return
            other = here[at]
            self.track.remove(entry)
            self.track.insert(self.track.index(other) + (by < 0), entry)
            return
        self.moved.add(entry)
        self.value[entry] += by
        self.ties[entry] = []
        self.track.remove(entry)
        mine = self.key(entry)
        rest = [(i, self.key(x)) for i, x in enumerate(self.track) if x in self.entries()]
        behind = (i for i, key in rest if key > mine or (by < 0 and key == mine))
        self.track.insert(next(behind, len(self.track)), entry)
