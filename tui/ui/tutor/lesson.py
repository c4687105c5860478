"""A lesson as data: a fight already set up, and steps of something to read and something to press."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tui.core.rules.system import Systems
from tui.store.script import beside
from tui.ui.state.layout import Pane


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said, what is to be pressed, and the state that it is to lead to.

    `keys` hold `@next` for the key of that command or of that word of the system's, `'text'` for something typed,
    else names of keys. A step is done when the fight is as it `wants` (`tui.ui.tutor.wanting`), however it came
    about; or when the screen is in this `mode` (the kind of thing that has the keys, in small letters, or `board`),
    with the keys in this pane (`focus`), or with these names `selected`. `dice` are the faces that fall while it is
    the step to be done. A step without keys is the end.
    """

    say: str
    keys: tuple[str, ...] = ()
    wants: dict[str, Any] = {}
    mode: str = ""
    focus: Pane | None = None
    selected: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson on `system`: `lines` set up the fight; dice that no step names fall by `seed`."""

    title: str
    seed: int
    steps: tuple[LessonStep, ...]
    system: str = ""
    lines: tuple[str, ...] = ()
    options: dict[str, str] = {}


def lessons(systems: Systems) -> tuple[str, ...]:
    """The systems that have a lesson beside them."""
    return tuple(name for name in systems.ids() if systems.beside(name, "lesson"))


def lesson(system: str, systems: Systems) -> Lesson:
    """The lesson on a system. Raises RuleError that names those there are, and BadFile."""
    return replace(beside(system, systems, "lesson", Lesson), system=system)
