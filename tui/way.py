"""Which way in the words of a call ask for, told before anything is loaded that could answer them."""

from __future__ import annotations

from collections.abc import Sequence

COMMANDS = frozenset({
    "check", "creatures", "do", "encounters", "export", "host", "import", "invite", "keys", "log", "new", "odds",
    "party", "publish", "seat", "show", "systems", "themes", "view",
})  # fmt: skip
"""The first words that are no save."""

COMMON = ("--saves", "--theme", "--seed")
"""Options of every command that take a value."""

SCREENS = frozenset({"open", "home", "lesson", "sample"})
"""The ways to the screen: a save, the start screen, a lesson, a sample."""

IMAGED = SCREENS | {"do", "show", "log"}
"""The ways that are gone often, and have an image."""


def command_first(words: Sequence[str]) -> list[str]:
    """The call with its command in front of the common options, which may stand on either side of it."""
    place = 0
    while place < len(words) and words[place].split("=", 1)[0] in COMMON:
        place += 1 if "=" in words[place] else 2
    if place < len(words) and words[place] in COMMANDS:
        return [words[place], *words[:place], *words[place + 1 :]]
    return list(words)


def way(words: Sequence[str]) -> str:
    """The way in: a command, one of SCREENS, or "" for lines, help, and words that nobody has asked for yet."""
    words = command_first(words)
    if words and words[0] in COMMANDS:
        return words[0]
    options = {word.split("=", 1)[0] for word in words if word.startswith("-")}
    if "--tutor" in options:
        return "lesson"
    if "--sample" in options:
        return "sample"
    if options & {"--plain", "--help", "-h", "--version"}:
        return ""
    return "open" if len(words) > _values(words) else "home"


def _values(words: Sequence[str]) -> int:
    """How many of the words are options and their values."""
    return sum(2 if word in COMMON else 1 for word in words if word.startswith("-"))
