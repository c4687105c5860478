"""Choose a tier's number of cases, and leave out in sight what a machine has not."""

from __future__ import annotations

import compileall
import os
import signal
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

import tui
from tests.kit import tiers
from tests.kit.machine import lacking

NEEDED = ("sshd", "tmux", "browser")
"""Markers of tests that need a server, a multiplexer or a browser."""

tiers.register()


def pytest_configure(config: pytest.Config) -> None:
    """Compile the program once: the tests start it a thousand times."""
    settings.load_profile(tiers.tier_of(config.option.markexpr))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            # A shell lets what runs in the background ignore both, and a test's programs inherit that.
            signal.signal(number, handler)
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(tui.__file__).parent, quiet=2)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs programs that this machine lacks; what needs them is a long test.

    A law is part of every tier.
    """
    tier = tiers.tier_of(config.option.markexpr)
    for item in items:
        if any(map(item.get_closest_marker, NEEDED)) and not item.get_closest_marker("hours"):
            item.add_marker(pytest.mark.long)
        if tier != "quick" and not item.get_closest_marker("hours") and is_law(item):
            item.add_marker(tier)
    left = [item for item in items if any(item.get_closest_marker(name) for name in lacking())]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def is_law(item: pytest.Item) -> bool:
    """Return whether a test tries as many cases as its tier allows."""
    return bool(item.get_closest_marker("law")) or is_hypothesis_test(getattr(item, "obj", None))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was left out, and how to run it."""
    if "not long" in config.option.markexpr:
        terminalreporter.write_line(
            "Left out: kills, floods, waits, real terminals and servers, nine in ten cases of each law "
            "(`pytest -m long`, or all with `.ci/run`), and hours of random play (`pytest -m hours`)."
        )
    for marker, why in lacking().items():
        terminalreporter.write_line(f"NOT RUN: the tests marked {marker}: {why}", yellow=True)
