"""The command that starts Python: no word of it depends on the present folder."""

from __future__ import annotations

import os
import sys

import pytest

from tui.store.interpreter import python_command
from tui.store.saves import checkout_folder


@pytest.mark.parametrize("given", ["", ":", ".:", "theirs", ":/opt/ours", "/opt/ours::theirs:."])
def test_only_absolute_folders_are_searched(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", given)
    *before, python, safe, module, name, word = python_command("tui.publish", "mill.toml")
    assert (python, safe, module, name, word) == (sys.executable, "-P", "-m", "tui.publish", "mill.toml")
    wanted = [x for x in (checkout_folder(), "/opt/ours" if "/opt/ours" in given else "") if x]
    assert before == (["/usr/bin/env", f"PYTHONPATH={os.pathsep.join(wanted)}"] if wanted or given else [])
