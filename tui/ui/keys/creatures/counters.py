"""Counters by key: one is spent at once, of several a menu asks which, and a new one is begun in the prompt."""

from __future__ import annotations

from tui.core.fight.combatant import Combatant, Counted
from tui.core.language.tokens import quote
from tui.ui.keys.base import BaseDesk
from tui.ui.panes.creatures.held import count
from tui.ui.state.targets import one
from tui.ui.state.view import Item, Menu


def spend(desk: BaseDesk, rest: str) -> None:
    """Spends one of the creature's only counter; of several, or of an empty one, a menu shows what can be done."""
    del rest
    c = one(desk.scene)
    if c is None:
        desk.say("nobody is selected", "warning")
    elif not c.counters:
        desk.open_prompt(f"count {quote(c.name)} ")
        desk.say(f"{c.name} counts nothing yet: a name, then how many; reset=turn, round or 1d6>=5", "hint")
    elif len(c.counters) == 1 and c.counters[0].n:
        desk.run(_line(c, c.counters[0], "-1"))
    else:
        desk.show(mode=Menu(f"Counters of {c.name}", _items(c)))


def counters(desk: BaseDesk, rest: str) -> None:
    """A menu of everything that can be done to a creature's counters."""
    del rest
    c = one(desk.scene)
    if c is None or not c.counters:
        spend(desk, "")
    else:
        desk.show(mode=Menu(f"Counters of {c.name}", _items(c)))


def _items(c: Combatant) -> tuple[Item, ...]:
    """For each counter: one spent, one given back; then a new one."""
    spent = [
        Item(f"spend {x.name}", _line(c, x, "-1"), f"{number}" if number < 10 else "", note=count(x))
        for number, x in enumerate(c.counters, 1)
        if x.n
    ]
    back = [
        Item(f"give one {x.name} back", _line(c, x, "+1"), note=count(x))
        for x in c.counters
        if not x.most or x.n < x.most
    ]
    return (*spent, *back, Item("a new counter", f"count {quote(c.name)} ", "a", opens=True))


def _line(c: Combatant, x: Counted, by: str) -> str:
    return f"count {quote(c.name)} {quote(x.name)} {by}"
