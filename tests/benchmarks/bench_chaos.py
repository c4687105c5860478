"""A Chaos round of 20 and of 200 creatures: written, locked, rolled, read, resolved; every kind of line
timed.

    python -m tests.benchmarks.bench_chaos [--screen]

Processor time of the rules, and of all that a screen asks after it, in microseconds: medians of three rounds.
With `--screen` that of the whole program at each key of a round, in a terminal of its own, in milliseconds:
medians of five.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import TypeVar

from tests.benchmarks.bench_screen import Line
from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.language.grammar import parse
from tui.core.rules.decide import Rules, decide
from tui.store.opening import create
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

ORDER = 'movement="30 feet" action="attack the nearest or else Dodge" reaction="an enemy comes => step back"'
KEYS = {"lock": "L", "roll": "r", "read": "O", "next": "n", "down": "j", "undo": "u", "redo": "\x12"}
T = TypeVar("T")


class Bench:
    """A fight, and how long each kind of line took: in the rules, and in the questions after it."""

    def __init__(self, creatures: int) -> None:
        self.registry, self.encounter = Registry(), Encounter(system="chaos")
        self.system = self.registry.get("chaos")
        self.rules = Rules(self.registry, SeededDice(3))
        self.took: dict[str, list[tuple[float, float]]] = {}
        self.names = [f"Orc{i}" for i in range(creatures)]
        for i, name in enumerate(self.names):
            self.do("", f"add {name} side={'red' if i % 2 else 'blue'} bonus={i % 5}")
        self.do("", "begin")

    def do(self, kind: str, line: str) -> None:
        """Run a line; without a kind it is not counted."""
        action = parse(line, [v.name for v in self.system.verbs])
        events, rules = timed(lambda: decide(self.encounter, action, self.rules))
        self.encounter = fold(self.encounter, events)
        _, questions = timed(self.ask)
        if kind:
            self.took.setdefault(kind, []).append((rules, questions))

    def ask(self) -> None:
        """What a screen asks after every key."""
        if self.encounter.running:
            due = self.system.due(self.encounter)
            self.system.rows(self.encounter)
            self.system.orders(self.encounter)
            if not due and not self.encounter.turn:
                self.system.offer(self.encounter)

    def round(self, number: int) -> None:
        """One whole round; the second repeats the orders of the first."""
        for name in self.names:
            self.do("order again" if number else "order", f"order {name} {'again=yes' if number else ORDER}")
        self.do("lock", "lock")
        self.do("roll", "roll")
        self.do("ok", "ok")
        for place, _ in enumerate(self.names):
            self.do("next", "next")
            if place == len(self.names) // 2:
                acting = self.encounter.combatants[self.encounter.acting].name
                self.do("else", f"else {acting} action")
                self.do("react", f"react {acting}")
                self.do("damage", f"damage {acting} 3")
        self.do("next round", "next")


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """What a call gives, and its processor time in microseconds."""
    start = time.process_time()
    found = run()
    return found, (time.process_time() - start) * 1e6


def measured(creatures: int) -> dict[str, tuple[float, float]]:
    """The medians of each kind of line."""
    bench = Bench(creatures)
    for number in range(3):
        bench.round(number)
    return {
        kind: (median(rules for rules, _ in found), median(questions for _, questions in found))
        for kind, found in bench.took.items()
    }


def on_the_screen(creatures: int) -> dict[str, float]:
    """Milliseconds of the program for each key of a round that is written already."""
    with tempfile.TemporaryDirectory() as folder:
        systems = Registry()
        path = create("chaos", folder, systems, "chaos", {})
        session = open_session(path, folder, systems, SeededDice(3))
        for i in range(creatures):
            session.store.run(f"add Orc{i} side={'red' if i % 2 else 'blue'} bonus={i % 5}")
        session.store.run("begin")
        for i in range(creatures):
            session.store.run(f"order Orc{i} {ORDER}")
        session.close()
        line = Line([sys.executable, "-m", "tui", path])
        line.settle()
        found = {}
        for name, key in KEYS.items():
            before = line.cpu()
            line.type(key)
            line.settle(1.5)
            found[name] = line.cpu() - before
        line.close()
        return found


def screens() -> None:
    """Print what the keys of a round take with 20 and with 200 creatures, in turn."""
    few: dict[str, list[float]] = {}
    many: dict[str, list[float]] = {}
    for _ in range(5):
        for creatures, table in ((20, few), (200, many)):
            for name, took in on_the_screen(creatures).items():
                table.setdefault(name, []).append(took)
    print(f"{'key':<12} {'20':>8} {'200':>8} {'times':>6}")
    for name in KEYS:
        before, after = median(few[name]), median(many[name])
        print(f"{name:<12} {before:>8.1f} {after:>8.1f} {after / before:>6.2f}")


def main() -> None:
    """Print the table."""
    if "--screen" in sys.argv:
        screens()
        return
    measured(20)
    few, many = measured(20), measured(200)
    print(f"{'line':<12} {'rules 20':>9} {'200':>9} {'times':>6}   {'asked 20':>9} {'200':>9} {'times':>6}")
    for kind, (rules, questions) in many.items():
        before, after = few[kind]
        print(
            f"{kind:<12} {before:>9.0f} {rules:>9.0f} {rules / before:>6.1f}"
            f"   {after:>9.0f} {questions:>9.0f} {questions / after:>6.1f}"
        )


if __name__ == "__main__":
    main()
