"""The tests of this folder are long ones: kills, floods, faults and programs in terminals of their own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in this folder and is not a matter of hours."""
    for item in items:
        if Path(__file__).parent in item.path.parents and not item.get_closest_marker("hours"):
            item.add_marker(pytest.mark.long)
