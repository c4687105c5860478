"""Measure the start on the small machine: first picture, first key, keys while Textual loads, saved mark."""

from __future__ import annotations

import tempfile
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tests.benchmarks.bench_store import fight
from tests.benchmarks.small_machine.machine import Machine, tocsin
from tests.benchmarks.small_machine.rig import Answer, Rig, Speed

LOADING = 8.0
"""Seconds after the start in which keys are pressed: Textual is loaded meanwhile."""
NO_LINE = Speed(1e6, 0.0)
BARE = ("-m", "tests.benchmarks.peers", "bare")


class Started(Struct, frozen=True):
    """Seconds from the start: `written`, the first picture out of the program, `shown`, whole on the user's
    terminal; of a bare Textual app likewise. `first`: the key that was pressed then; `marked`: from a key to
    its *saved* mark on the terminal. `loading`: keys from the first picture on, of another start, without the
    line, which would hide what keeps the program busy. Memory in MiB.
    """

    written: float
    shown: float
    bytes: int
    bare_written: float
    bare_shown: float
    first: Answer
    loading: tuple[Answer, ...]
    marked: tuple[float, ...]
    peak: float
    all_peak: float


def started(machine: Machine) -> Started:
    """Starts a fight of 20 creatures and 300 steps, and a bare Textual app beside it."""
    with tempfile.TemporaryDirectory() as folder_:
        folder = Path(folder_)
        name = Path(fight(folder_, 20, 300)).stem
        with machine.running(BARE, folder) as (bare, _):
            bare_written, bare_shown, _ = _picture(bare, b"READY")
        with replace(machine, line=NO_LINE).running(tocsin(folder, name), folder) as (rig, _):
            _picture(rig, b"saved")
            loading = tuple(_while_loading(rig))
        with machine.running(tocsin(folder, name), folder) as (rig, inside):
            written, shown, size = _picture(rig, b"saved")
            first = rig.ask(b"?")
            assert first, "the help did not come"
            rig.ask(b"\x1b")
            marked = tuple(_marked(rig) for _ in range(5))
            return Started(
                written,
                shown,
                size,
                bare_written,
                bare_shown,
                first,
                loading,
                marked,
                rig.peak(),
                inside.peak() / 2**20,
            )


def _picture(rig: Rig, shows: bytes) -> tuple[float, float, int]:
    """Return seconds until a frame with these words is written and shown, its bytes, and those before it."""
    rig.until(lambda: shows in rig.text)
    piece, size = rig.pieces[-1], len(rig.text)
    rig.pause(max(0.0, piece.last - rig.now()))
    return piece.written - rig.begun, piece.last - rig.begun, size


def _while_loading(rig: Rig) -> list[Answer]:
    """Keys up and down, each once the last is answered, for as long as Textual may be loading."""
    found: list[Answer] = []
    keys = [b"j", b"k"]
    while rig.now() < rig.begun + LOADING:
        if answer := rig.ask(keys[len(found) % 2]):
            found.append(answer)
    return found


def _marked(rig: Rig) -> float:
    """Return seconds from the key for the next turn to its saved mark, the last byte that it causes."""
    answer = rig.ask(b"n")
    assert answer, "no turn followed"
    return answer.last
