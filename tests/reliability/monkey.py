"""Random drivers: lines into fights of all systems, and bytes into the program in a pty.

`python -m tests.reliability.monkey lines COUNT [SEED]` and `… bytes COUNT [SEED]` print the number of
inputs and the seed. An input that is neither accepted nor refused is a failure; the same seed repeats it.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.kit.fuzz import GRAINS
from tests.kit.program import Program
from tests.kit.scripted_play import drain, fight, steps, stop
from tests.kit.table import Table
from tests.kit.terminal import Terminal, tocsin
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import FormAsk, PickAsk, RollAsk
from tui.core.fight.encounter import label
from tui.core.language.grammar import verbs
from tui.core.rules.complete import complete
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry()
NAMES = (
    "Ana", "Bo", "Orc", "Orc 1", "Gob", "Éowyn", "龍", "@heroes", "@dark", "orc*", "*", "Ana,Bo", "", ",",
    "c1", "²", "**x",
)  # fmt: skip
WORDS = (
    "3",
    "0",
    "-1",
    "²",
    "999",
    "2d6",
    "1d4+1/2",
    "9" * 30,
    "side=heroes",
    "side=dark",
    "hp=9",
    "mod=2",
    "per=4",
    "int=3",
    "bonus=2,-1",
    "kind=pc",
    "owner=Mia",
    "hidden=yes",
    "rounds=2",
    "until=start",
    "of=Ana",
    "round=2",
    "value=4",
    "group=Gang",
    "weapon=1d8",
    "spell=2",
    "move=yes",
    "action=1",
    'movement="west"',
    'action="strike or else run"',
    'reaction="x => y"',
    "vs",
    "by=dark",
    "before",
    "after",
    "none",
    "with=Orc",
    "missing=empty",
    "again=yes",
    "among=Ana,Orc",
    "prone",
    "max_hp=4",
    "conc=yes",
    "stealth=12",
    "passive=10",
    "size=large",
    "rank=leader",
    "distance=4",
    "acts_with=Ana",
    "text",
    '"',
    "=",
    *SYSTEMS.ids(),
)
START = (
    "add Ana kind=pc hp=12 side=heroes",
    "add Bo owner=Mia hp=9",
    "add 3 Orc hp=7",
    "add Gob hp=9 hidden=yes",
    "begin",
)
REOPENED = 40
"""One in so many fights is also played by the program on a real file, one call for each line."""


def quoted(name: str) -> str:
    return f'"{name}"' if " " in name or not name else name


class Driver:
    """Chooses the next line of a fight: an answer to what is owed, a completion, random words, garbage."""

    def __init__(self, rng: random.Random, table: Table) -> None:
        self.rng, self.table = rng, table

    def line(self) -> str:
        """Return the next line."""
        kinds: list[Callable[[], str]] = [
            *[self.asked] * 4,
            self.said,
            self.said,
            self.completed,
            self.garbage,
        ]
        return self.rng.choice(kinds)()

    def asked(self) -> str:
        """Return an answer to what is owed, or a line that goes on; it may be refused."""
        e, due = self.table.encounter, self.table.due()
        match self.rng.choice(due) if due else None:
            case RollAsk(_, who):
                return self.rng.choice(["roll", f"roll {quoted(label(e, who))} {self.rng.randint(1, 20)}"])
            case PickAsk() as ask:
                keys = self.rng.sample(ask.names, self.rng.randint(0, len(ask.names)))
                return f"pick {' '.join(quoted(label(e, k)) for k in keys) or 'none'}"
            case FormAsk(_, who):
                return f"order {quoted(label(e, who))} {self.rng.choice(WORDS)}"
            case None:
                names = self.table.may() or ["Ana"]
                return self.rng.choice(
                    ["next", "next", "end", "pass", f"turn {quoted(self.rng.choice(names))}", "next 3"]
                )
            case _:
                return self.rng.choice(["lock", "ok", "lock missing=empty", "roll", "next"])

    def said(self) -> str:
        """Return a verb and random words."""
        known = (*verbs(), *(v.name for v in self.table.store.system.verbs))
        verb = self.rng.choice([v for v in known if v not in ("party", "load", "save")])
        words = [
            quoted(self.rng.choice(NAMES)),
            *(self.rng.choice(WORDS) for _ in range(self.rng.randint(0, 3))),
        ]
        return " ".join([verb, *(words if self.rng.random() < 0.9 else [])])

    def completed(self) -> str:
        """Return a line made of random completions."""
        line = ""
        for _ in range(self.rng.randint(1, 4)):
            found = complete(line, self.table.encounter, self.table.store.system)
            line = self.rng.choice(found) if found else line + self.rng.choice(("A", "1", " "))
        return line

    def garbage(self) -> str:
        """Return a random line with a random insertion."""
        line = self.said()
        place = self.rng.randint(0, len(line))
        return (
            line[:place]
            + self.rng.choice(GRAINS).decode(errors="replace") * self.rng.choice((1, 1, 40))
            + line[place:]
        )


def lines(count: int, seed: int) -> int:
    """Run `count` random lines; return how many were accepted.

    A refused line must change nothing, and undo followed by redo must restore each fight.
    """
    rng, accepted, left, fights = random.Random(seed), 0, count, 0
    while left > 0:
        number = min(left, rng.randint(20, 160))
        system = rng.choice(SYSTEMS.ids())
        table = Table(system, dice=SeededDice(rng.randrange(10**6)), systems=SYSTEMS)
        played = [*START] if rng.random() < 0.9 else []
        for line in played:
            with suppress(RuleError):
                table.store.run(line)
        driver = Driver(rng, table)
        for _ in range(number):
            line = driver.line()
            before = table.encounter
            try:
                table.store.run(line)
            except RuleError:
                assert table.encounter is before, line
            else:
                accepted += 1
                played.append(line)
        come_back(table)
        if fights % REOPENED == 0:
            by_shell(system, played)
        left, fights = left - number, fights + 1
    return accepted


def come_back(table: Table) -> None:
    """Assert that the state as JSON is the same after undoing all steps and redoing them."""
    here, store = table.state(), table.store
    table.state("Mia"), table.state("nobody")
    if store.step:
        store.run(f"undo {store.step}")
        store.run(f"redo {here['step']}")
        assert {**table.state(), "can_redo": 0} == {**here, "can_redo": 0}


def by_shell(system: str, played: list[str]) -> None:
    """Run the same lines by `tocsin do`, one call each; each is accepted, or refused in one line.

    The file must be valid afterwards.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = Program(Path(folder))
        assert program.call("new", "--system", system).code == 0
        for line in played[:40]:
            ended = program.call("do", "--seed", "4", "--", line)
            assert ended.code in (0, 1, 2), (line, ended)
            assert ended.err.count("\n") == (ended.code != 0), (line, ended)
        assert program.call("check").code == 0
        assert program.call("show", "--as", "Mia").code == 0
        assert program.call("log").code == 0


KEYS = (
    *(bytes([n]) for n in range(256) if n not in (0x1A, 0x1C)),
    b"\x1b[A",
    b"\x1b[B",
    b"\x1b[C",
    b"\x1b[D",
    b"\x1bOA",
    b"\x1b[5~",
    b"\x1b[1;5C",
    b"\x1b[97;5u",
    b"\x1b[57399;1u",
    b"\x1bx",
    b"\x1b\x1b",
    b"\x1b[<0;10;5M",
    b"\x1b[<35;1;1m",
    b"\x1b[M !!",
    b"\x1b[I",
    b"\x1b[O",
    b"\x1b[?64;1c",
    b"\x1b[12;40R",
    b"\x1b[?2026;2$y",
    b"\x1bP>|xterm(380)\x1b\\",
    b"\x1b[0n",
    b"\x1b]52;c;eA==\x07",
    b"\x1b[200~half",
    b"\x1b[200~whole\nof it\x1b[201~",
    b"\x1b[201~",
    b"\xff\xfe",
    b"\xe2\x80",
    b"\xf0\x9f\x90\x89",
    b"\xc2\xb2",
    b":add 3 Orc\r",
    b"b",
    b"r",
    b"n",
    b":undo\r",
    b"o",
    b"?",
    b"/",
    b"z",
    b"\t",
    b"\r",
    b"\r",
    b"\x1b",
)
LEFT = (0, 128 + signal.SIGINT, 128 + signal.SIGTERM)
"""Exit codes that are allowed: after `q`, a late ctrl+c, or SIGTERM."""

SIZES = ((80, 24), (40, 12), (7, 30), (1, 1), (20, 5), (200, 60), (3, 3))


def pounded(count: int, seed: int) -> int:
    """Send `count` random inputs to the program in a pty, in random systems; return how often it started."""
    rng, left, opened = random.Random(seed), count, 0
    with tempfile.TemporaryDirectory() as folder:
        while left > 0:
            system = rng.choice(SYSTEMS.ids())
            home = Path(folder) / str(opened)
            home.mkdir()
            fight(home)
            if system != "classic":
                assert Program(home, "mill").do(f"system {system}", "begin").code == 0
            t = tocsin(home, "mill", XDG_STATE_HOME=str(home / "state"))
            left -= _pounded(rng, t, min(left, 400), home)
            opened += 1
    return opened


def _pounded(rng: random.Random, t: Terminal, most: int, home: Path) -> int:
    """Send inputs until the program ends or `most` were sent; return how many. The save must be valid."""
    t.wait("saved")
    sent = 0
    while sent < most and not t._gone():
        if rng.random() < 0.02:
            t.resize(*rng.choice(SIZES))
        with suppress(OSError):
            os.write(t._fd, rng.choice(KEYS))
        sent += 1
        t._read(rng.choice((0, 0.002, 0.01)))
    drain(t)
    if t._gone():
        assert t._code in LEFT, (t._code, t.raw[-900:])
    else:
        t.resize(80, 24)
        _answers(t)
    assert b"Traceback" not in t.raw
    assert b"tocsin failed" not in t.raw
    assert not (home / "state").exists()
    assert Program(home, "mill").call("check").code == 0
    assert steps(home / "mill.toml")[0].startswith("add Ana")
    stop(t)
    return sent


def _answers(t: Terminal) -> None:
    """Assert that the program still ends after SIGTERM."""
    os.kill(t.pid, signal.SIGTERM)
    code = t.end()
    assert code in LEFT, (code, t.raw[-900:])


if __name__ == "__main__":
    what, amount = sys.argv[1], int(sys.argv[2])
    chosen = int(sys.argv[3]) if len(sys.argv) > 3 else int.from_bytes(os.urandom(4), "big")
    print(f"seed {chosen}", flush=True)
    if what == "lines":
        print(f"{amount} lines, {lines(amount, chosen)} accepted, 0 exceptions, seed {chosen}")
    else:
        print(f"{amount} inputs, {pounded(amount, chosen)} openings, 0 exceptions, seed {chosen}")
