"""kill -9 at any moment: what was acknowledged is there, and opening again gives the same state every
time."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.store.journals import Event, fight
from tui.store.journal.reader import read
from tui.store.journal.writer import Writer

TOP = Path(__file__).parents[2]

PLAY = """
    import os, sys
    from tests.store.journals import HEADER, Event, step
    from tui.store.journal.reader import read
    from tui.store.journal.writer import Writer
    path, how = sys.argv[1:]
    writer = None
    def acknowledge():
        # The thread may have something to say before the writer has its name.
        while writer is None:
            pass
        os.write(1, b"%d\\n" % writer.durable)
    if os.path.exists(path):
        writer = Writer.open(path, read(path, Event), how, acknowledge)
    else:
        writer = Writer.create(path, HEADER, how, acknowledge)
    while True:
        writer.append(step(writer.end.number + 1, 900 if writer.end.number % 7 == 6 else 0))
        if how == "inline":
            writer.wait()
            acknowledge()
"""


def killed(path: Path, how: str, after: float) -> int:
    """Lets a process write until it is killed; the last number it acknowledged."""
    code = textwrap.dedent(PLAY)
    process = subprocess.Popen([sys.executable, "-c", code, str(path), how], cwd=TOP, stdout=subprocess.PIPE)
    assert process.stdout
    first = process.stdout.readline()
    time.sleep(after)
    process.kill()
    rest, _ = process.communicate()
    numbers = [int(line) for line in (first + rest).split(b"\n")[:-1]]
    return numbers[-1]


def loop(folder: Path, how: str, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    path = folder / "mill.toml"
    reached = 0
    for _ in range(kills):
        acknowledged = killed(path, how, rng.random() * 0.05)
        found = read(str(path), Event)
        assert found.end.number >= acknowledged >= reached
        # Not behind a write that the kill has cut short: nobody writes there before that is taken off.
        if found.torn is None and rng.random() < 0.5:
            with path.open("ab") as file:  # as if the last write had been cut short
                file.write(b"[[step]]\nn = ")
        assert read(str(path), Event).steps == found.steps
        reached = found.end.number
    plain = [one for one in fight(reached) if one.number % 7 != 0]
    assert [one for one in found.steps if one.number % 7 != 0] == plain
    Writer.open(str(path), read(str(path), Event), "inline").close()
    assert read(str(path), Event).torn is None
    assert not [name for name in os.listdir(folder) if ".tmp-" in name]


@pytest.mark.parametrize("how", ["thread", "inline"])
def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path, how: str) -> None:
    loop(tmp_path, how, 4, 1)


@pytest.mark.hours
@pytest.mark.parametrize("seed", range(50))
def test_many_kills(tmp_path: Path, seed: int) -> None:
    loop(tmp_path, "thread" if seed % 2 else "inline", 20, seed)
