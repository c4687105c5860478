"""What this machine has not is left out of a run in sight: counted as deselected, and said in a line."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests import conftest
from tests.kit import machine


class Item:
    """A test with markers."""

    def __init__(self, *markers: str) -> None:
        self.markers = [*markers]

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.markers else None

    def add_marker(self, marker: pytest.MarkDecorator) -> None:
        self.markers.append(marker.name)


def test_what_needs_an_sshd_is_left_out_and_the_rest_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "lacking", lambda: {"sshd": "no sshd is installed"})
    plain, over, both = Item(), Item("sshd"), Item("sshd", "accounts")
    items: list[Any] = [plain, over, both]
    left: list[Item] = []

    def deselected(items: list[Item]) -> None:
        left.extend(items)

    quick = SimpleNamespace(markexpr="not long and not hours")
    config = SimpleNamespace(option=quick, hook=SimpleNamespace(pytest_deselected=deselected))
    conftest.pytest_collection_modifyitems(cast("pytest.Config", config), items)
    assert items == [plain]
    assert left == [over, both]
    lines: list[str] = []
    reporter = SimpleNamespace(write_line=lambda line, **_: lines.append(line))
    conftest.pytest_terminal_summary(cast("pytest.TerminalReporter", reporter), cast("pytest.Config", config))
    assert "`pytest -m long`" in lines[0]
    assert lines[1:] == ["NOT RUN: the tests marked sshd: no sshd is installed"]


def test_what_is_lacking_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        machine, "program", lambda name: "" if name in ("sshd", "sftp") else f"/usr/bin/{name}"
    )
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    found = machine.lacking.__wrapped__()
    assert found["sshd"].startswith("no sshd, no sftp is installed")
    assert "root" in found["accounts"]
    monkeypatch.undo()
    assert set(machine.lacking.__wrapped__()) <= {"sshd", "accounts", "memory"}
