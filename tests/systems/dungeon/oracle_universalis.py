"""Dungeon Universalis told a second time, naively, from its text: whose turn it is, who may act, who is
caught.

Nothing of the program is used: the oracle hears what is typed, reads creatures out of the JSON, and remembers
the rest.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Creature = dict[str, Any]
FAR = 10**6


class Sides:
    """A table with two sides. `people` are the combatants of the JSON by name, renewed before every line."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.people: dict[str, Creature] = {}
        self.side, self.closed, self.combat, self.round = "heroes", False, False, 1
        self.met: set[str] = set()
        self.acted: set[str] = set()
        self.early: set[str] = set()
        self.barred: dict[str, str] = {}
        self.acting: list[str] = []
        self.frames: list[tuple[list[str], set[str]]] = [
            ([], set())
        ]  # who waits, and the newcomers he waits for
        self.batch: list[str] = []
        self.kind = self.won = ""
        self.named: dict[str, str] = {}
        self.door = False
        self.faces: dict[str, list[int]] = {}
        self.made: dict[str, dict[str, int]] = {}  # what those were rolled with
        self.decided: Any = None  # all of this before the contest that could still be decided again
        self.outcome: dict[str, Any] = {}
        self.reach: list[str] = []

    def option(self, key: str, default: Any) -> Any:
        return self.options.get(key, default)

    # --- who is there

    def number(self, name: str, key: str) -> int:
        return int(self.people[name]["fields"].get(key, 0))

    def here(self, side: str = "") -> list[str]:
        found = [
            n for n, c in self.people.items() if not c["out"] and (c["side"] == "heroes" or n in self.met)
        ]
        return [n for n in found if side in ("", self.people[n]["side"])]

    def entry(self, name: str) -> str:
        c, lord = self.people[name], self.people[name]["fields"].get("acts_with", "")
        if lord and lord in self.here(c["side"]):
            return self.entry(lord)
        return c["group"] or name

    def entries(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.here():
            found.setdefault(self.entry(name), []).append(name)
        return found

    def best(self, entry: str) -> str:
        """Who rolls for an entry on the track."""
        names = self.entries()[entry]
        return max(names, key=lambda n: (self.number(n, "per"), self.number(n, "int")))

    def fresh(self, names: list[str]) -> list[str]:
        return [n for n in names if n not in self.acted and n not in self.barred]

    # --- who rolls, who wins, who is caught

    def perceptive(self) -> bool:
        return bool(self.option("dun.adp", default=False))

    def finder_first(self) -> bool:
        return not self.option("dun.adp", default=False)

    def rollers(self, side: str) -> list[str]:
        """DUN-6 to 8, DUN-A7: the one who is named, else the nearest, else the most perceptive; ties by a
        die, but for creatures of one group that have the same numbers."""
        pool = self.here("heroes") if side == "heroes" else [n for n in self.batch if n in self.here("dark")]
        if rolled := [n for n in pool if n in self.faces]:
            return rolled
        if self.named.get(side) in pool:
            return [self.named[side]]
        finder = self.named.get("finder", "")
        if side == "heroes" and finder in pool:
            if self.finder_first():
                return [finder]
            pool = [n for n in pool if "distance" in self.people[n]["fields"]] or [finder]
        far = side == "dark" and self.perceptive()
        rank = {
            n: (0 if far else self.people[n]["fields"].get("distance", FAR), -self.number(n, "per"))
            for n in pool
        }
        found = [n for n in pool if rank[n] == min(rank.values())]
        same = [(self.people[n]["group"], self.people[n]["fields"]) for n in found]
        return found[:1] if found and same[0][0] and same.count(same[0]) == len(same) else found

    def total(self, name: str) -> int:
        return sum(self.faces[name]) + self.made[name]["per"] + self.made[name]["mod"]

    def judge(self) -> None:
        """DUN-2 to 5 when both have rolled."""
        hero, enemy = (self.rollers(side)[0] for side in ("heroes", "dark"))
        ones = [n for n in (hero, enemy) if self.faces[n] == [1, 1]]
        minds = {n: self.made[n]["int"] for n in (hero, enemy)}
        if len(ones) == 1 and self.option("dun.double_one_loses", default=True):
            loser, by = ones[0], "critical"
        elif self.total(hero) != self.total(enemy):
            loser, by = min((hero, enemy), key=self.total), "total"
        elif minds[hero] != minds[enemy]:
            loser, by = min((hero, enemy), key=lambda n: minds[n]), "intelligence"
        else:
            self.faces, self.decided = {}, None
            return
        winner = enemy if loser == hero else hero
        self.won = self.people[winner]["side"]
        totals = {n: self.total(n) for n in (hero, enemy)}
        self.outcome = {"winner": winner, "loser": loser, "by": by, "totals": totals, "caught": []}
        self.reach = self.reached(winner, loser) if self.kind == "meeting" and not self.door else []
        if not self.unknown():
            self.surprise([])

    def reached(self, winner: str, loser: str) -> list[str]:
        """DUN-18, DUN-22: whom surprise can catch, before distances."""
        low, losers = min(self.faces[winner]), self.here("heroes" if self.won == "dark" else "dark")
        if self.faces[loser] == [1, 1]:
            return losers
        if self.option("dun.surprise_int", "roller") == "each":
            minds = {n: self.number(n, "int") for n in losers} | {loser: self.made[loser]["int"]}
            return [n for n in losers if low >= minds[n]]
        return losers if low >= self.made[loser]["int"] else []

    def squares(self, name: str) -> int | None:
        """DUN-19: its own distance, or for the losing roller the winner's."""
        own: int | None = self.people[name]["fields"].get("distance")
        if own is None and name == self.outcome["loser"] and self.outcome["winner"] in self.people:
            own = self.people[self.outcome["winner"]]["fields"].get("distance")
        return own

    def unknown(self) -> list[str]:
        return [n for n in self.reach if n in self.here() and self.squares(n) is None]

    def surprise(self, picked: list[str]) -> None:
        radius = self.option("dun.radius", 6)
        near = [
            n for n in self.reach if n in self.here() and (d := self.squares(n)) is not None and d <= radius
        ]
        self.outcome["caught"] = [n for n in self.here() if n in near or n in picked]
        self.reach = []
        self.conclude()

    # --- what follows

    def conclude(self) -> None:
        if self.kind == "meeting":
            self.open(self.won)
            if self.won == "heroes":
                self.acted -= set(self.here("heroes"))
        elif self.won == "dark":
            self.admit()
        else:
            whole = self.option("dun.losers_wait", "side_turn") == "full_turn" or self.side == "dark"
            self.barred |= dict.fromkeys(
                [n for n in self.batch if n in self.here()], "round" if whole else "side"
            )
        self.over()

    def over(self) -> None:
        self.combat, self.batch, self.kind, self.faces, self.named = True, [], "", {}, {}

    def admit(self) -> None:
        """DUN-15: newcomers who won cut in, and whoever acts waits."""
        busy = {n for who, _ in self.frames for n in who} | set(self.acting)
        new = {n for n in self.batch if n in self.here() and n not in self.acted and n not in busy}
        if new and self.acting:
            self.frames.append((self.acting, new))
            self.acting = []
        else:
            self.frames[-1][1].update(new)

    def open(self, side: str) -> None:
        """A side's turn begins."""
        self.side, self.closed = side, False
        if side == "dark":
            self.barred = {n: until for n, until in self.barred.items() if until != "side"}
            if self.option("dun.second_activation", default=False):
                self.acted -= self.early & set(self.here("dark"))

    def pending(self) -> list[str]:
        new = self.frames[-1][1]
        return [n for n in self.here() if n in new and n not in self.acted and n not in self.barred]

    def settle(self) -> None:
        """Whoever waited goes on when the newcomers have acted, are gone or have declined."""
        for _, new in self.frames:
            new.intersection_update(n for n in self.here() if n not in self.acted)
        self.acting = [n for n in self.acting if n in self.people]
        if self.acting and not [n for n in self.acting if not self.people[n]["out"]]:
            self.end()
        while len(self.frames) > 1 and not self.acting and not self.pending():
            self.acting, _ = self.frames.pop()
            if not [n for n in self.acting if n in self.here()]:
                self.end()

    def may(self) -> set[str]:
        """The entries that may act now."""
        if self.acting or self.kind:
            return set()
        if new := self.pending():
            whole = {key for key, names in self.entries().items() if set(names) <= set(new)}
            return whole | {n for n in new if self.entry(n) not in whole}
        return self.ready(self.side) if not self.closed else set()

    def ready(self, side: str) -> set[str]:
        found = self.entries().items()
        return {key for key, names in found if self.people[names[0]]["side"] == side and self.fresh(names)}

    # --- lines

    def meet(self, finder: str, versus: str, batch: list[str], *, door: bool) -> None:
        fighting = self.combat and self.here("dark")
        if not fighting:
            for waiting, _ in self.frames:
                self.acting += waiting
            self.end()
            self.frames = [([], set())]
            if self.combat:
                self.calm()
        dark = self.people[finder]["side"] == "dark"
        self.named = {"dark": finder, "heroes": versus} if dark else {"finder": finder, "dark": versus}
        if versus and not dark:
            self.named["heroes"] = finder
        self.kind, self.door = ("placement" if fighting else "meeting"), door
        self.appear([*batch, *([self.named["dark"]] if self.named["dark"] else [])])

    def joins(self, names: list[str]) -> dict[str, str]:
        """The groups in which these are once they have been placed."""
        return {n: str(self.people[n]["group"]) for n in names}

    def place(self, batch: list[str], versus: str) -> None:
        self.named, self.kind, self.door = {"heroes": versus}, "placement", False
        self.appear(batch)

    def appear(self, batch: list[str]) -> None:
        self.batch, self.faces, self.outcome = list(dict.fromkeys(batch)), {}, {}
        self.met |= set(batch)

    def calm(self) -> None:
        self.combat, self.barred = False, {}
        self.frames = [(who, set()) for who, _ in self.frames]

    def rolled(self, who: str, faces: list[int]) -> None:
        if who == "GM":
            side = next(s for s in ("heroes", "dark") if len(self.rollers(s)) > 1)
            self.named[side] = self.rollers(side)[faces[0] - 1]
            return
        if who not in self.faces:
            best = self.best(self.entry(who))
            self.made[who] = {key: self.number(who, key) for key in ("per", "mod", "int")}
            self.made[who]["best"] = self.number(best, "int")
        self.faces[who] = faces
        if len(self.faces) == 2:
            self.decided = None
            self.decided = deepcopy(self)
            self.judge()

    def corrected(self, who: str, faces: list[int]) -> None:
        """A roll of the contest was heard wrongly: all goes on as if it had been heard rightly."""
        if self.decided:
            self.back()
        self.rolled(who, faces)

    def back(self) -> None:
        """To the moment in which the last of the two dice fell."""
        vars(self).update(vars(deepcopy(self.decided)))

    def turn(self, entry: str) -> None:
        new = self.pending()
        names = self.entries().get(entry, [entry])
        if new:
            names = [n for n in names if n in new]
            self.early |= set(names)
        else:
            names = self.fresh(names)
        self.acting = names

    def end(self) -> None:
        self.acted |= set(self.acting)
        self.acting = []

    def over_side(self) -> None:
        self.closed = True

    def decline(self) -> None:
        self.frames[-1][1].clear()

    def next(self) -> None:
        """On to the first turn, debt or choice."""
        self.end()
        self.settle()
        while not self.acting and not self.kind:
            self.settle()
            if len(may := self.may()) == 1 and not self.pending():
                self.turn(may.pop())
            elif may or self.pending() or self.forced():
                return

    def forced(self) -> bool:
        """The next side's turn or the next round; whether `next` stops there."""
        if self.side == "heroes":
            self.open("dark")
            return not self.ready("dark")
        self.new_round()
        return False

    def new_round(self) -> None:
        self.round += 1
        self.acted, self.early = set(), set()
        self.barred = {n: until for n, until in self.barred.items() if until == "side"}
        self.open("heroes")
