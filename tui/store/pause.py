"""The pause between two looks at files that other processes write."""

from __future__ import annotations

import select
from collections.abc import Sequence
from typing import Final

LOOK: Final = 0.33
"""Seconds between two looks."""


def wait_for_next_look(others: Sequence[int] = ()) -> list[int]:
    """Wait for the next look; return the descriptors of `others` that can be read, which end the wait."""
    return select.select(others, [], [], LOOK)[0]
