"""The first picture: before Textual, taken over without a byte, no key lost or read twice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.kit.ptyrun import Pty
from tui.store.opening import create_save
from tui.systems import Registry
from tui.ui.terminal.terminal import START

pytestmark = pytest.mark.long
SLOW = """
import sys, time
class Slow:
    def find_spec(self, name, *_):
        if name == "textual":
            time.sleep({seconds} if not self.asked else 0)
            self.asked = True
    asked = False
sys.meta_path.insert(0, Slow())
from tui.__main__ import main
sys.exit(main())
"""


def started(save: Path, tmp_path: Path, seconds: float = 1.0) -> Pty:
    """The program with a Textual that takes its time to load."""
    command = [sys.executable, "-c", SLOW.format(seconds=seconds), str(save)]
    return Pty(command, environ={"TOCSIN_CONFIG": str(tmp_path / "config")})


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return Path(create_save("mill", str(tmp_path), Registry(), "classic", {}))


def lines(save: Path) -> list[str]:
    return [row.split('"')[1] for row in save.read_text().splitlines() if row.startswith("line = ")]


def test_the_app_takes_the_picture_over_without_a_byte(save: Path, tmp_path: Path) -> None:
    with started(save, tmp_path) as one:
        one.sees("No creatures yet")
        one.quiet(0.2)
        cells, sent = one.terminal.cells(), len(one.raw)
        one.pump(2.5)
        assert (one.terminal.cells(), len(one.raw)) == (cells, sent)
        assert one.raw.count(START.encode()) == one.raw.count(b"\x1b[>q") == 1
        one.press("?")
        one.sees("Esc")


def test_keys_typed_before_textual_is_there_are_taken_once_and_in_order(save: Path, tmp_path: Path) -> None:
    with started(save, tmp_path) as one:
        one.sees("No creatures yet")
        one.send("aAna +3 18\r\x1b")
        one.pump(0.3)
        one.send(":note so far\r")
        one.sees("so far")
        one.quiet()
        assert lines(save) == ["add Ana +3 18 kind=pc", "note so far"]


def test_a_signal_while_textual_loads_ends_the_program_and_gives_the_terminal_back(
    save: Path, tmp_path: Path
) -> None:
    with started(save, tmp_path, 30.0) as one:
        one.sees("No creatures yet")
        one.process.terminate()
        one.until(one.gone)
        assert one.process.returncode == 128 + 15
        assert "1049" not in one.terminal.modes
