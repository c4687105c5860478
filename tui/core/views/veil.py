"""Hide creatures that are not hidden by a line: those in reserve, and those that `view.order` hides."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.fight.combatant import Combatant, is_pc
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import Viewer
from tui.core.rules.system import InitiativeSystem, in_reserve
from tui.core.rules.upkeep import house_rule


def keeps_order(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> bool:
    """Return whether the places of the order are hidden from this viewer."""
    return not viewer.gm and house_rule(e, "view.order") == "none" and not system.open_sheets(e)


def reads_dc(e: Encounter, system: InitiativeSystem, viewer: Viewer, *keys: str) -> bool:
    """Return whether the viewer reads the DC of a save of one of these creatures or rows."""
    if viewer.gm or system.open_sheets(e):
        return True
    return bool(house_rule(e, "view.dc")) and any(viewer.owns(e, key) for key in keys)


def hide_unknown(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> Encounter:
    """Return the encounter with all creatures hidden that wait in reserve or that `view.order` hides.

    A player sees own creatures in reserve, and everybody sees characters of players. If all sheets are open,
    nobody is hidden.
    """
    return hide_reserve(hide_by_order(e, system, viewer), system, viewer)


def hide_reserve(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> Encounter:
    """Return the encounter with all creatures hidden that wait in reserve, but for this viewer's own."""
    if viewer.gm or system.open_sheets(e):
        return e
    kept = _keep_reserve(e, system)
    if kept is e or not any(c.hidden and viewer.mine(c) for c in kept.combatants.values()):
        return kept
    own = {k: e.combatants[k] for k, c in kept.combatants.items() if viewer.mine(c)}
    return replace(kept, combatants={**kept.combatants, **own})


def _keep_reserve(e: Encounter, system: InitiativeSystem) -> Encounter:
    """Return the encounter with all creatures in reserve hidden that are no characters of players.

    They also count as not arrived, so that nothing is judged by them.
    """
    people, gone = _keep_waiting(e, system), e.gone
    if gone:
        # A creature that was removed from the reserve stays unknown.
        gone = _keep_waiting(replace(e, combatants=gone), system)
    return e if people is e.combatants and gone is e.gone else replace(e, combatants=people, gone=gone)


def _keep_waiting(e: Encounter, system: InitiativeSystem) -> dict[str, Combatant]:
    later = e.round + 1
    # A player's character is known: its kind says so, or it has an owner and no kind.
    waiting = [c for c in in_reserve(e, system) if not (is_pc(c) and c.word("kind") in ("", "pc"))]
    kept = {c.id: replace(c, hidden=True, arrives=max(c.arrives, later)) for c in waiting}
    return {**e.combatants, **kept} if any(e.combatants[k] != c for k, c in kept.items()) else e.combatants


def hide_by_order(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> Encounter:
    """Return the encounter with all creatures hidden that `view.order` keeps from this viewer."""
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
