"""Which tests answer for which room: those that stand beside it, so that a mutant costs seconds."""

from __future__ import annotations

from pathlib import Path

ROOMS = {
    "tui/core": ("tests/core", "tests/systems"),
    "tui/systems/chaos": ("tests/systems/chaos",),
    "tui/systems/dungeon": ("tests/systems/dungeon",),
    "tui/systems/dynamic": ("tests/systems/dynamic",),
    "tui/systems/unbound": ("tests/systems/unbound",),
    "tui/systems/shared": ("tests/systems",),
    "tui/systems/classic.py": ("tests/systems/test_classic.py",),
    "tui/store": ("tests/store",),
}
"""The room, and its tests in the order in which they run: nearest first."""


def files(root: Path, room: str) -> list[Path]:
    """The files of a room, which may also be a file or a folder inside one."""
    place = root / room
    return [place] if place.is_file() else sorted(p for p in place.rglob("*.py") if p.name != "__init__.py")


def answering(root: Path, room: str) -> list[str]:
    """The tests of the room that a path belongs to. Raises KeyError when no room has it."""
    inside = [name for name in ROOMS if room == name or room.startswith(f"{name}/")]
    return [test for test in ROOMS[max(inside, key=len, default=room)] if (root / test).exists()]
