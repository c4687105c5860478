"""Which tests answer for which room: those that stand beside it, so that a mutant costs seconds."""

from __future__ import annotations

from pathlib import Path

BESIDE_THE_CORE = ("tests/core", "tests/systems")
OF_EVERY_SYSTEM = (
    "tests/systems/test_transcripts.py",
    "tests/systems/test_odds.py",
    "tests/systems/test_random_fights.py",
)
ROOMS = {
    "tui/core/base": ("tests/core/base", *BESIDE_THE_CORE),
    "tui/core/fight": ("tests/core/fight", *BESIDE_THE_CORE),
    "tui/core/language": ("tests/core/language", *BESIDE_THE_CORE),
    "tui/core/rules": ("tests/core/rules", *BESIDE_THE_CORE),
    "tui/core/views": ("tests/core/views", *BESIDE_THE_CORE),
    "tui/store": ("tests/store",),
    "tui/store/journal": ("tests/store",),
    "tui/systems/chaos": ("tests/systems/chaos", *OF_EVERY_SYSTEM),
    "tui/systems/classic.py": ("tests/systems",),
    "tui/systems/dungeon": ("tests/systems/dungeon", *OF_EVERY_SYSTEM),
    "tui/systems/dynamic": ("tests/systems/dynamic", *OF_EVERY_SYSTEM),
    "tui/systems/shared": ("tests/systems",),
    "tui/systems/unbound": ("tests/systems/unbound", *OF_EVERY_SYSTEM),
}
"""The rooms with their tests, nearest first; a room inside another is not part of it."""


def files(root: Path, room: str) -> list[Path]:
    """The files of a room, which may also be a file or a folder inside one."""
    place = root / room
    found = [place] if place.is_file() else sorted(p for p in place.rglob("*.py") if p.name != "__init__.py")
    within = [root / name for name in ROOMS if name.startswith(f"{room}/")]
    return [path for path in found if not any(path.is_relative_to(other) for other in within)]


def answering(root: Path, room: str) -> list[str]:
    """The tests of the room that a path belongs to. Raises KeyError when no room has it."""
    inside = [name for name in ROOMS if room == name or room.startswith(f"{name}/")]
    return [test for test in ROOMS[max(inside, key=len, default=room)] if (root / test).exists()]
