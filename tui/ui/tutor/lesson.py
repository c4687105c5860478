"""A lesson as data: a fight already set up, and steps of something to read and something to press."""

from __future__ import annotations

import os
import tomllib

import msgspec
from msgspec import Struct

from tui.core.fight.errors import RuleError
from tui.ui.state.layout import Pane

_FOLDER = os.path.join(os.path.dirname(__file__), "lessons")


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said, what is to be pressed, and how it is known that it was.

    `keys` hold `@next` for the key of that command or of that word of the system's, `'text'` for something typed,
    else names of keys. Done is a step when the fight has moved `by` so many steps, with `line` (a pattern) as the
    first of them; or when the screen is in this `mode` (the kind of thing that has the keys, in small letters, or
    `board`), with the keys in this pane (`focus`), or with so many rows `marked`. A step without keys is the end.
    """

    say: str
    keys: tuple[str, ...] = ()
    line: str = ""
    by: int = 0
    mode: str = ""
    focus: Pane | None = None
    marked: int = 0


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson on `system`: `lines` set up the fight, `seed` makes its dice fall as the steps say."""

    system: str
    title: str
    seed: int
    steps: tuple[LessonStep, ...]
    lines: tuple[str, ...] = ()
    options: dict[str, str] = {}


def lessons() -> tuple[str, ...]:
    """The systems that have a lesson."""
    return tuple(sorted(name.removesuffix(".toml") for name in os.listdir(_FOLDER) if name.endswith(".toml")))


def lesson(system: str) -> Lesson:
    """The lesson on a system. Raises RuleError that names those there are."""
    path = os.path.join(_FOLDER, f"{os.path.basename(system)}.toml")
    if not os.path.exists(path):
        raise RuleError(f"there is no lesson on {system}", f"there are: {', '.join(lessons())}")
    with open(path, "rb") as file:
        table = tomllib.load(file)
    return msgspec.convert({**table, "system": system}, Lesson)
