"""A row that was moved stands where it was put, whatever becomes of its neighbours: the law of every
track."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.language.tokens import quote
from tui.store.sources import SeededDice
from tui.systems import Registry

HEROES, DARK = ("Ana", "Bo", "Cy"), ("Orc", "Rat", "Wolf", "Imp")


class Track:
    """A fight with a track, and the order that it should have after every line."""

    def __init__(self, system: str, random: Random) -> None:
        options = (
            {"trk.variable": True, "trk.variable_moves": "one_place"} if system == "dungeon-track" else {}
        )
        self.random, self.said = random, list[str]()
        self.fixed = {name for name in (*HEROES, *DARK) if random.random() < 0.2}
        self.table = Table(system, options, dice=SeededDice(random.randint(0, 10**6)))
        for name in (*HEROES, *DARK):
            place = " value=7" if name in self.fixed else ""
            self.say(f"add {name} side={'heroes' if name in HEROES else 'dark'}{place}")
        self.say("begin")
        if system == "dungeon-track":
            self.say("meet Ana vs Orc")
        while due := self.table.state()["due"]:
            line = {"form": f"order {quote(due[0]['who'])}", "lock": "lock", "acknowledge": "ok"}.get(
                due[0]["kind"]
            )
            self.say(line or ("pick none" if due[0]["kind"] == "pick" else "roll"))

    def say(self, line: str) -> bool:
        self.said.append(line)
        try:
            self.table.do(line)
        except RuleError as error:
            self.said[-1] += f"  # {error}"
            return False
        return True

    def order(self) -> list[str]:
        return [row["entry"] for row in self.table.state()["track"] if row["state"] != "out"]

    def pair(self) -> tuple[str, str]:
        one, two = self.random.sample(self.order(), 2)
        return one, two

    def side(self, entry: str) -> str:
        row = next(r for r in self.table.state()["track"] if r["entry"] == entry)
        who = row["members"][0]
        return next(c.side for c in self.table.encounter.combatants.values() if c.name == who)

    # --- the laws

    def moved(self) -> None:
        who, other = self.pair()
        rest = [x for x in self.order() if x != who]
        where = self.random.choice(["before", "after"])
        rest.insert(rest.index(other) + (where == "after"), who)
        assert self.say(f"move {quote(who)} {where} {quote(other)}")
        self.must_be(rest)

    def hit(self) -> None:
        self.say(f"{self.random.choice(['hit', 'kill'])} {quote(self.random.choice(self.order()))}")

    def gone(self) -> None:
        before, who = self.order(), self.random.choice(self.order())
        names = "@" + who if who.startswith("Gang") else who
        verb = self.random.choice(["out", "remove"])
        assert self.say(f"{verb} {names}")
        self.must_be([x for x in before if x != who])
        if verb == "out" and self.table.encounter.system != "chaos" and self.random.random() < 0.7:
            assert self.say(f"back {names}")
            self.must_be(before)

    def grouped(self) -> None:
        before, (one, two) = self.order(), self.pair()
        name = f"Gang{len(self.said)}"
        # A fixed place is stronger: it is where the group stands, whoever else is in it.
        if self.side(one) != self.side(two) or {one, two} & self.fixed:
            return
        names = ",".join("@" + x if x.startswith("Gang") else x for x in (one, two))
        line = self.random.choice([f"group {names} {name}", f"set {names} group={name}"])
        if self.say(line):
            first = min(before.index(one), before.index(two))
            after = [
                name if i == first else x for i, x in enumerate(before) if i == first or x not in (one, two)
            ]
            self.must_be(after)

    def must_be(self, order: list[str]) -> None:
        assert self.order() == order, "\n".join(self.said)
        assert self.table.state()["due"] == [], "\n".join(self.said)


def has_track(system: str) -> bool:
    """Whether a row may be moved before another."""
    track = Track(system, Random(1))
    order = track.order()
    return len(order) > 1 and track.say(f"move {quote(order[-1])} before {quote(order[0])}")


@pytest.mark.parametrize("system", [name for name in Registry().ids() if has_track(name)])
@cases(25)
@given(seed=st.integers(0, 10**6))
def test_a_row_that_was_moved_keeps_its_place_when_others_go_or_are_grouped(system: str, seed: int) -> None:
    track = Track(system, Random(seed))
    deeds = [
        track.moved,
        track.moved,
        track.gone,
        track.grouped,
        *([track.hit] if system == "dungeon-track" else []),
    ]
    for _ in range(12):
        if len(track.order()) > 2:
            track.random.choice(deeds)()
