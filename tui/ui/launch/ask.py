"""Questions of plain mode before the fight is opened, in lines: which save, and of which system when it is new."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.language.values import whole
from tui.core.rules.system import Systems
from tui.store.saves import Listed
from tui.store.shelf import Brief
from tui.ui.terminal.typed import until_typed

MOST = 50
"""Saves that are listed."""

Ask = Callable[[str], str]


class Console(Struct, frozen=True):
    """How to speak with the user: say a line, ask for one ("" at the end of input)."""

    say: Callable[[str], None]
    ask: Ask


def terminal() -> Console:
    """The user's terminal."""

    def ask(question: str) -> str:
        try:
            print(question, end="", flush=True)  # noqa: T201
            # input() alone may miss a ctrl+c that comes just before it reads.
            until_typed(sys.stdin)
            return input().strip()
        except EOFError:
            return "q"

    return Console(print, ask)


def choose(console: Console, saves: Sequence[Listed], briefs: Sequence[Brief], folder: str) -> str:
    """The picker: the path of a save by its number or name, a new name, or "" to leave."""
    console.say(f"Saves in {folder}:" if saves else f"No saves in {folder} yet.")
    for number, (save, brief) in enumerate(zip(saves, briefs, strict=True), 1):
        console.say(f"{number:>3}  {save.name}: {save.problem or _told(brief)}")
    while True:
        answer = console.ask("A number, a name (also a new one), or q: ")
        if answer.lower() in ("q", ""):
            return ""
        if not (answer.isascii() and answer.isdecimal()):
            named = next((save.path for save in saves if save.name == answer), "")
            return named or answer
        if (place := _place(answer, len(saves))) is not None:
            return saves[place].path
        console.say(
            f"There is no number {answer[:20]}: 1 to {len(saves)}."
            if saves
            else "There is nothing to choose."
        )


def _told(brief: Brief) -> str:
    """`Classic, round 2, Ana acts, 35 steps`."""
    if brief.problem:
        return brief.problem
    told = [brief.system, f"round {brief.round}" if brief.round else "", brief.stands, f"{brief.steps} steps"]
    return ", ".join(x for x in told if x)


def _place(answer: str, count: int) -> int | None:
    """The index in a list that is numbered from 1; None for what is no number of it."""
    try:
        return whole(answer, "the list", 1, count) - 1
    except RuleError:
        return None


def system(console: Console, name: str, systems: Systems) -> str:
    """The system for a new save, or "" not to make it."""
    ids = systems.ids()
    console.say(f"{name} is not there yet. Which system shall it have?")
    for number, one in enumerate(ids, 1):
        console.say(f"{number:>3}  {one:<20} {systems.get(one).summary}")
    while True:
        answer = console.ask("A number or a name (Enter: 1), or q: ").lower()
        if answer == "q":
            return ""
        if not answer:
            return ids[0]
        if (place := _place(answer, len(ids))) is not None:
            return ids[place]
        if fits := [one for one in ids if one.startswith(answer)]:
            return fits[0]
        console.say(f"There is no system {answer}.")
