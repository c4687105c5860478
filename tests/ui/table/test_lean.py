"""A player's terminal loads what it needs and no more: no rules, no store, no Textual."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "tui.core.rules",
    "tui.core.language",
    "tui.core.views",
    "tui.store.store",
    "tui.store.session",
    "textual",
    "asyncio",
)


@pytest.mark.parametrize("way", ["view", "seat"])
def test_a_players_terminal_loads_no_rules_no_store_and_no_textual(way: str) -> None:
    words = f"import sys, tui.__main__, tui.cli, tui.systems, tui.ui.launch.table.{way}; print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", words], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = set(told.stdout.split())
    assert "tui.ui.table.screen" in loaded
    assert not loaded.intersection(HEAVY)
