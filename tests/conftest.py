"""What a machine has not is said, in one line each: the tests that need it are left out in sight, and never silently."""

from __future__ import annotations

import pytest

from tests.ssh.machine import lacking


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what needs an sshd, or accounts, that are not to be had here."""
    left = [item for item in items if any(item.get_closest_marker(name) for name in lacking())]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was left out, whatever else was run."""
    for marker, why in lacking().items():
        terminalreporter.write_line(f"NOT RUN: the tests marked {marker}: {why}", yellow=True)
