"""Kill -9 at a random moment of a play in a terminal: `python -m tests.reliability.kills COUNT SEED`.

A play presses keys whose lines are known, in a fight of each system in turn. Whatever the moment, the save
must hold exactly the first of these lines, whole, and none fewer than were on the screen.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.kit.program import Program
from tests.kit.scripted_play import TOP, drain, fight, forked, preload, shown_step, steps, stop
from tests.kit.terminal import Terminal, logged
from tui.core.language.tokens import quote

MOVES = (
    (":note {0}\r", "note {0}"),
    (":damage {1} 1\r", "damage {1} 1"),
    ("u", "undo mine=yes"),
    ("\x12", "redo"),
)
FIGHTS = (
    "",
    "gate",
    "cellar",
    "crypt",
    "station",
    "bridge",
)  # "" for a classic one; samples of the other systems
Start = Callable[..., Terminal]


class Reached(NamedTuple):
    """Kills, how many of them while recovering, records acknowledged and found, and what was lost."""

    kills: int
    while_recovering: int
    acknowledged: int
    found: int
    lost: int


class Play:
    """One save that is played and killed again and again."""

    def __init__(self, folder: Path, seed: int, start: Start = forked) -> None:
        sample = FIGHTS[seed % len(FIGHTS)]
        self.program = Program(folder, "mill") if sample else fight(folder)
        if sample:
            shutil.copy(TOP / "saves" / "examples" / f"{sample}.toml", folder / "mill.toml")
        self.path = folder / "mill.toml"
        self.folder, self.start, self.rng = folder, start, random.Random(seed)
        self.lines = steps(self.path)
        state = self.program.state()[0]
        self.places = [state["step"]] * len(self.lines)
        self.anybody = state["combatants"][0]["name"]
        self.acknowledged = len(self.lines)
        self.kills = self.recovering = 0

    def once(self) -> None:
        """Play, kill, look; every second time kill the next start too."""
        terminal = self.start(self.folder, "mill")
        terminal.wait(logged(self.places[-1]))
        self._press(terminal)
        self._kill(terminal)
        self._look()
        if self.kills % 2:
            again = self.start(self.folder, "mill")
            deadline = time.monotonic() + self.rng.random() * 0.6
            while time.monotonic() < deadline:
                again._read(0.01)
            self._kill(again)
            self.recovering += 1
            self._look()

    def _press(self, terminal: Terminal) -> None:
        """Some keys, as fast as they are taken; the last of them may be under way at the kill."""
        own = self._own()
        for _ in range(self.rng.randrange(1, 8)):
            key, line = self._move(own)
            own = ""
            terminal.type(key)
            self.lines.append(line)
            self._note(terminal)
        deadline = time.monotonic() + self.rng.random() ** 2 * 0.15
        while time.monotonic() < deadline:
            terminal._read(0.005)

    def _own(self) -> str:
        """A line that the system itself takes now, tried on a copy."""
        state = self.program.state()[0]
        acts = state["offer"]["acts"] if state["offer"] else []
        turns = [f"turn {quote(act['who'])}" for act in acts if act["kind"] == "turn"]
        lines = ["roll", "pass", "next", *turns]
        self.rng.shuffle(lines)
        with tempfile.TemporaryDirectory() as aside:
            copy = Program(Path(aside), "mill")
            shutil.copy(self.path, copy.folder / "mill.toml")
            return next((line for line in lines if copy.call("do", line).code == 0), "")

    def _move(self, own: str) -> tuple[str, str]:
        if own and self.lines[-1] != "undo mine=yes":
            self.places.append(self.places[-1] + 1)
            return f":{own}\r", own
        choices = MOVES[:3] if self.lines[-1] != "undo mine=yes" else MOVES[3:]
        key, line = self.rng.choice(choices)
        word = f"k{len(self.lines)}"
        self.places.append(self.places[-1] + (-1 if line == "undo mine=yes" else 1))
        return key.format(word, self.anybody), line.format(word, self.anybody)

    def _note(self, terminal: Terminal) -> None:
        """What is on the screen is acknowledged: the first moment at which the play stood at that step."""
        step = shown_step(terminal)
        at = [i for i, place in enumerate(self.places, 1) if place == step and i >= self.acknowledged]
        if at:
            self.acknowledged = at[0]

    def _kill(self, terminal: Terminal) -> None:
        terminal.kill()
        drain(terminal)
        self._note(terminal)
        stop(terminal)
        self.kills += 1

    def _look(self) -> None:
        """Assert that the save is a beginning of what was played, at or after what was shown."""
        found = steps(self.path)
        assert found == self.lines[: len(found)], (found[-3:], self.lines[-8:])
        assert len(found) >= self.acknowledged, (len(found), self.acknowledged)
        state = self.program.state()[0]
        assert state["step"] == self.places[len(found) - 1]
        assert state == self.program.state()[0]
        self.lines, self.places = found, self.places[: len(found)]
        self.acknowledged = len(found)


def loop(folder: Path, kills: int, seed: int, start: Start = forked) -> Reached:
    """So many kills of one save; raises AssertionError when anything is lost."""
    play = Play(folder, seed, start)
    while play.kills < kills:
        play.once()
    assert Program(folder, "mill").call("check").code == 0
    litter = [p.name for p in folder.iterdir() if ".tmp-" in p.name]
    assert litter == []
    return Reached(play.kills, play.recovering, play.acknowledged, len(play.lines), 0)


def main(count: int, seed: int) -> None:
    """Kills in saves of 50 kills each, told as they go."""
    preload()
    done = 0
    while done < count:
        with tempfile.TemporaryDirectory() as folder:
            reached = loop(Path(folder), min(50, count - done), seed)
        done, seed = done + reached.kills, seed + 1
        print(
            f"{done} kills, {reached.while_recovering} of the last {reached.kills} while recovering, 0 lost",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
