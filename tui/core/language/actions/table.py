"""What is asked of the table itself: house rules, the system, notes, free dice, and going back and forth."""

from __future__ import annotations

from typing import ClassVar

from tui.core.language.actions.base import Request
from tui.core.language.slots import Flag, Number, Pairs, Tail, Text, Word
from tui.core.language.syntax import Syntax


class FreeRoll(Request, frozen=True):
    """Dice for whatever the table needs; only the GM reads them, unless they are `open`."""

    expression: str
    text: str = ""
    open: bool = False
    syntax: ClassVar = Syntax(
        "dice",
        (Word("expression", "EXPRESSION"), Text("text", "TEXT"), Flag("open")),
        "a free roll, for the log; the GM's own, unless open",
    )


class Option(Request, frozen=True):
    """House rules."""

    keys: dict[str, str]
    syntax: ClassVar = Syntax(
        "option", (Pairs("keys", "KEY=VALUE", "options", least=1),), "sets a house rule"
    )


class System(Request, frozen=True):
    """Another initiative system for the same fight."""

    system: str
    syntax: ClassVar = Syntax("system", (Word("system", "ID"),), "changes to another initiative system")


class Note(Request, frozen=True):
    """A line in the log."""

    text: str
    syntax: ClassVar = Syntax("note", (Tail("text", "TEXT"),), "writes a line into the log")


class Undo(Request, frozen=True):
    """Back by so many steps."""

    steps: int = 1
    syntax: ClassVar = Syntax("undo", (Number("steps", "N", least=1, default=1),), "takes steps back")


class Redo(Request, frozen=True):
    """Forward by so many steps."""

    steps: int = 1
    syntax: ClassVar = Syntax(
        "redo", (Number("steps", "N", least=1, default=1),), "takes steps forward again, with the same dice"
    )


class Goto(Request, frozen=True):
    """To the state after this many steps."""

    step: int
    syntax: ClassVar = Syntax("goto", (Number("step", "STEP"),), "goes to any step, back or forward")


TableAction = FreeRoll | Option | System | Note
Travel = Undo | Redo | Goto
