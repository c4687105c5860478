"""What a machine has not is said, in one line each.

The tests that need it are left out in sight, and never silently.
"""

from __future__ import annotations

import compileall
import os
from pathlib import Path

import pytest

import tui
from tests.ssh.machine import lacking

NEEDED = ("sshd", "accounts", "tmux", "memory")
"""Markers of tests that need a server, accounts, or the memory of other processes."""


def pytest_configure(config: pytest.Config) -> None:
    """Compile the program once: the tests start it a thousand times."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(tui.__file__).parent, quiet=2)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs servers or accounts that this machine lacks; what needs them is a long test."""
    for item in items:
        if any(map(item.get_closest_marker, NEEDED)) and not item.get_closest_marker("hours"):
            item.add_marker(pytest.mark.long)
    left = [item for item in items if any(item.get_closest_marker(name) for name in lacking())]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was left out, and how to run it."""
    if "not long" in config.option.markexpr:
        terminalreporter.write_line(
            "Left out: kills, floods, real terminals and servers (`pytest -m long`, or all with `.ci/run`) "
            "and hours of random play (`pytest -m hours`)."
        )
    for marker, why in lacking().items():
        terminalreporter.write_line(f"NOT RUN: the tests marked {marker}: {why}", yellow=True)
