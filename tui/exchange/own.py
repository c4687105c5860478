"""The package in which formats from the user's folder are imported; `__path__` is that folder."""

from __future__ import annotations

__path__: list[str] = []
