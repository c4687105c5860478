"""Questions before the screen opens, in plain lines: which save, make it, look on or take over."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from msgspec import Struct

from tui.core.fight.errors import RuleError
from tui.core.language.values import whole
from tui.core.rules.systems import Systems
from tui.store.saves import Listed
from tui.ui.terminal.typed import until_typed

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


def choose(console: Console, saves: Sequence[Listed], folder: str) -> str:
    """The picker: a number, a name, or "" to leave."""
    console.say(f"Saves in {folder}:" if saves else f"No saves in {folder} yet.")
    for number, save in enumerate(saves[:50], 1):
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(save.modified))
        console.say(
            f"{number:>3}  {save.name:<28} {save.problem or save.system:<20} {save.records:>6} steps  {when}"
        )
    answer = console.ask("A number, a name (also a new one), or q: ")
    if answer.lower() == "q":
        return ""
    place = _place(answer, len(saves))
    return saves[place].path if place is not None else answer


def _place(answer: str, count: int) -> int | None:
    """The index in a list that is numbered from 1; None for what is no number of it."""
    try:
        return whole(answer, "the list", 1, count) - 1
    except RuleError:
        return None


def first(console: Console) -> str:
    """Whoever has no saves and no settings: "" for a lesson, else a name or q."""
    console.say("Welcome. A short lesson shows the keys, on a fight that is gone afterwards.")
    return console.ask("Enter plays it; or the name of your first fight, or q: ")


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


def shut(console: Console, message: str) -> bool:
    """This save cannot be written; whether to look at it."""
    console.say(f"{message}.")
    return console.ask("Look on without writing (l), or leave (q)? ").lower().startswith("l")


def busy(console: Console, message: str) -> str:
    """Somebody writes this save: `look`, `take`, or "" to leave."""
    console.say(f"{message}.")
    answer = console.ask("Look on without writing (l), take over (t), or leave (q)? ").lower()
    return {"l": "look", "t": "take"}.get(answer[:1], "")
