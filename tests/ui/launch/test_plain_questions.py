"""The questions of plain mode before a fight."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.terminal import tocsin


@pytest.mark.long
def test_plain_mode_asks_for_the_save_and_for_the_system_of_a_new_one(tmp_path: Path) -> None:
    assert Program(tmp_path, "mill").call("new", "--system", "chaos").code == 0
    t = tocsin(tmp_path, "--plain")
    t.wait("mill: chaos")
    t.press("mill\r", "Chaos Initiative, step 0")
    t.type("quit\r")
    assert t.end() == 0
    t = tocsin(tmp_path, "gate", "--plain")
    t.wait("gate is not there yet")
    t.press("dyn\r", "gate: Dynamic")
    t.type("quit\r")
    assert t.end() == 0
    t = tocsin(tmp_path, "bank", "--plain")
    t.wait("bank is not there yet")
    t.type("zzz\r")
    assert t.end() == 1
    assert not (tmp_path / "bank.toml").exists()
