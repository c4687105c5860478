"""Hide creatures by the house rule `view.order`: until they act, or whenever they do not act."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.fight.combatant import Combatant, is_pc
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import Viewer
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import house_rule


def keeps_order(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> bool:
    """Return whether the places of the order are hidden from this viewer."""
    return not viewer.gm and house_rule(e, "view.order") == "none" and not system.open_sheets(e)


def hide_by_order(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> Encounter:
    """Return the encounter with all creatures hidden that `view.order` keeps from this viewer.

    If all sheets are open, nobody is hidden.
    """
    order = house_rule(e, "view.order")
    if viewer.gm or order == "all" or system.open_sheets(e):
        return e
    mine = _sides(e, viewer)
    acting = frozenset(e.actors) if order == "none" else frozenset[str]()

    def seen(c: Combatant) -> Combatant:
        known = c.side in mine or c.id in acting or (order == "acted" and c.shown)
        return c if known or c.hidden else replace(c, hidden=True)

    people, gone = ({k: seen(c) for k, c in some.items()} for some in (e.combatants, e.gone))
    return replace(e, combatants=people, gone=gone)


def _sides(e: Encounter, viewer: Viewer) -> frozenset[str]:
    """Return the sides of the viewer's own creatures; without any, all sides with a player's character."""
    people = e.combatants.values()
    own = frozenset(c.side for c in people if viewer.mine(c))
    return own or frozenset(c.side for c in people if is_pc(c))
