"""A condition that the players do not see, by key; and what a condition does, in words."""

from __future__ import annotations

from tui.core.fight.combatant import Combatant, Condition
from tui.core.language.tokens import quote
from tui.ui.keys.base import BaseDesk
from tui.ui.state.targets import one
from tui.ui.state.view import Item, Menu


def secret(desk: BaseDesk, rest: str) -> None:
    """Hides a condition of the creature from the players, or shows it; of several a menu asks which."""
    del rest
    c = one(desk.scene)
    if c is None:
        desk.say("nobody is selected", "warning")
    elif not c.conditions:
        desk.say(f"{c.name} has no conditions", "hint")
    elif len(c.conditions) == 1:
        desk.run(_line(c, c.conditions[0]))
    else:
        items = tuple(
            Item(
                f"{'show' if x.hidden else 'hide'} {x.name}", _line(c, x), f"{number}" if number < 10 else ""
            )
            for number, x in enumerate(c.conditions, 1)
        )
        desk.show(mode=Menu(f"What players see of {c.name}", items))


def _line(c: Combatant, x: Condition) -> str:
    return f"{'reveal' if x.hidden else 'hide'} {quote(c.name)} {quote(x.name)}"
