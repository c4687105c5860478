"""Odd bytes, files and clocks from outside end no call with a failure of the program."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.program import Program
from tui.exchange.story.writers.sheet import safe
from tui.store import sources


@pytest.mark.parametrize("form", ["json", "csv", "md", "html"])
@pytest.mark.parametrize("viewer", ["\udcff", "\x1b]0;x\x07Mia", "Mia"])
def test_a_viewer_of_any_bytes_is_a_viewer(tmp_path: Path, form: str, viewer: str) -> None:
    program = Program(tmp_path, "mill")
    assert program.call("new").code == 0
    ended = program.call("export", "--format", form, "--as", viewer)
    assert ended.code == 0, ended.err
    assert "\x1b" not in ended.out


@pytest.mark.parametrize(
    "text", ["x;=1+1", "x\t@a", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20a", "a; \uff1d1", "=1", "a\n-1"]
)
def test_no_cell_of_a_spreadsheet_begins_with_a_formula_whatever_separates_cells(text: str) -> None:
    for separator in ("\x00", ";", "\t", "\n"):
        for cell in safe(text).split(separator):
            assert cell.lstrip()[:1] not in tuple("=+-@|%\uff1d\uff0b\uff0d\uff20")


@pytest.mark.parametrize(
    ("clock", "told"), [(2.6e11, "9999-12-31T23:59:59Z"), (-1.0, "1970-01-01T00:00:00Z")]
)
def test_a_clock_out_of_range_stands_at_its_edge(
    monkeypatch: pytest.MonkeyPatch, clock: float, told: str
) -> None:
    monkeypatch.setattr(time, "time", lambda: clock)
    assert sources.utc_now() == told
