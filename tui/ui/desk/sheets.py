"""Run the keys for cards, counters and hidden conditions."""

from __future__ import annotations

from tui.core.fight.combatant import Combatant, Counted
from tui.core.language.tokens import quote
from tui.ui.desk.base import NO_ROW, BaseDesk
from tui.ui.modes.menu import Menu
from tui.ui.state.scene import one
from tui.ui.text.held import count
from tui.ui.text.menu import Item, digit_key


def write(desk: BaseDesk, _rest: str) -> None:
    """Open the prompt with the line that writes the creature's card."""
    c = one(desk.scene)
    if c is None:
        desk.notify(NO_ROW, "warning")
    else:
        desk.open_prompt(f"set {quote(c.name)} card=")


def counters(desk: BaseDesk, _rest: str) -> None:
    """Open a menu of everything that can be done to a creature's counters; a prompt if it has none."""
    c = one(desk.scene)
    if c is None:
        desk.notify(NO_ROW, "warning")
    elif c.counters:
        desk.show(mode=Menu(f"Counters of {c.name}", _items(c)))
    else:
        desk.open_prompt(f"count {quote(c.name)} ")
        desk.notify(
            f"{c.name} has no counters yet: type a name, then how many; reset=turn, round or 1d6>=5", "hint"
        )


def _items(c: Combatant) -> tuple[Item, ...]:
    """Return two items for each counter, to use one and to restore one, and an item for a new counter."""
    spent = [
        Item(
            f"spend {x.name}",
            _line(c, x, "-1"),
            digit_key(number),
            note=count(x.name, x.n, x.most),
        )
        for number, x in enumerate(c.counters, 1)
        if x.n
    ]
    back = [
        Item(f"restore one {x.name}", _line(c, x, "+1"), note=count(x.name, x.n, x.most))
        for x in c.counters
        if not x.most or x.n < x.most
    ]
    return (*spent, *back, Item("a new counter", f"count {quote(c.name)} ", "a", opens=True))


def _line(c: Combatant, x: Counted, by: str) -> str:
    return f"count {quote(c.name)} {quote(x.name)} {by}"
