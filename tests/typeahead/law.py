"""The law, played: the same scripts at two programs, one by one at one of them and in packets at the
other."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Final, NamedTuple

from tests.kit.program import Program
from tests.typeahead.scripts import Packet, Script, early, packets, script, shown
from tests.typeahead.typist import Typist
from tui.systems import Registry

SYSTEMS: Final = Registry().ids()
EACH: Final = 20
"""Scripts that are typed into one pair of programs, one after the other."""

SHORT, LONG = 0.02, 0.3
"""Escape delays in seconds: of the program that is given keys whole, and of the one that is given packets."""

PATIENCE: Final = 8.0
"""Seconds in which both come to the same, where a disk or a timer is still at work."""

WIDEST: Final = 300
"""Characters of a line in a report."""

STALLED: Final = 0.15
"""A packet so many seconds late says nothing: the machine stood still, and a sequence may have been given
up."""

PARTY: Final = (
    "add Ana owner=Mia hp=18",
    "add Bo owner=Tom hp=22",
    "add 3 Orc hp=7 group=Orcs",
    "add Ogre hp=30 hidden=yes",
)


class Difference(NamedTuple):
    """A script that did something else in packets than one by one."""

    seed: int
    session: int
    number: int
    system: str
    script: Script
    packets: list[Packet]
    where: str

    def __str__(self) -> str:
        parts = " | ".join(f"{part.data!r}"[2:-1] + f" +{part.delay:.3f}" for part in self.packets)
        return (
            f"seed {self.seed}, session {self.session} ({self.system}), script {self.number}\n"
            f"keys: {shown(self.script)}\npackets: {parts}\n{self.where}"
        )


class Session:
    """One pair of programs with equal saves. Session n of a seed is always the same."""

    def __init__(self, seed: int, number: int) -> None:
        self.seed, self.number = seed, number
        self.chance = random.Random(f"{seed} {number}")
        self.system = SYSTEMS[number % len(SYSTEMS)]
        self.stalled = 0

    def play(self, count: int) -> Iterator[Difference | None]:
        """This many scripts, each with the difference that it made; nothing comes after a difference."""
        with tempfile.TemporaryDirectory(prefix="tocsin-typed-") as top:
            one, other = self._start(Path(top))
            try:
                yield from self._played(one, other, count)
            finally:
                one.close()
                other.close()

    def _start(self, top: Path) -> tuple[Typist, Typist]:
        (top / "a" / "saves").mkdir(parents=True)
        (top / "a" / "config").mkdir()
        program = Program(top / "a" / "saves", "mill")
        assert program.call("new", "--system", self.system).code == 0
        begun = ["begin"] if self.chance.random() < 0.7 else []
        assert program.do(*PARTY[: self.chance.randint(1, 4)], *begun).code == 0
        shutil.copytree(top / "a", top / "b")
        words = ["--seed", str(self.number), *(["mill"] if self.chance.random() < 0.85 else [])]
        return Typist(top / "a", words, SHORT), Typist(top / "b", words, LONG)

    def _played(self, one: Typist, other: Typist, count: int) -> Iterator[Difference | None]:
        for number in range(count):
            keys = script(self.chance)
            rests = [self.chance.choice((0, 0, 0, 0, 0, 0, 0, 0, 0.01, 0.2)) for _ in keys]
            if not number:
                # The first script is typed while the program starts: from its very first moment, or some way
                # into it.
                keys, rests = early(keys), rests[: len(early(keys))]
                one.started()
                other.watch(self.chance.choice((0.0, self.chance.uniform(0, 0.8))))
            parts = packets(self.chance, keys)
            one.one_by_one(keys, rests)
            late = other.in_packets(parts)
            if not number:
                other.started()
            where = compare(one, other)
            if where and late > STALLED:
                self.stalled += 1
                return
            yield (
                Difference(self.seed, self.number, number, self.system, keys, parts, where) if where else None
            )
            if where or one._gone():
                return


def compare(one: Typist, other: Typist) -> str:
    """What is different once both are at rest, "" for nothing."""
    end = time.monotonic() + PATIENCE
    while True:
        one.idle()
        other.idle()
        here, there = one.outcome(), other.outcome()
        if here == there:
            return ""
        if time.monotonic() > end:
            return _report(here, there)
        one.watch(0.05)
        other.watch(0.05)


def _report(here: dict[str, str], there: dict[str, str]) -> str:
    """What differs, line by line; the colours only where the letters are the same."""
    names = [name for name in sorted({*here, *there}) if here.get(name) != there.get(name)]
    lines: list[str] = []
    for name in names if names == ["colours"] else [name for name in names if name != "colours"]:
        sides = here.get(name, "").split("\n"), there.get(name, "").split("\n")
        lines += unified_diff(*sides, f"{name}, one by one", f"{name}, in packets", lineterm="", n=0)
    return "\n".join(line[:WIDEST] for line in lines)
