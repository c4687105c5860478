"""A rest after the fight: hit points, and counters by their reset."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.combatant import is_pc
from tui.core.fight.encounter import GM, Encounter, sides
from tui.core.language.effect_actions import Rest
from tui.core.language.select import resolve
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem

_SHORT = ("short", "turn", "round")
"""The resets that a short rest fills beside the dice of a recharge; a long one those of `long` too."""


def rest(d: Draft, system: InitiativeSystem, action: Rest) -> None:
    """Let creatures rest: those named, or all of the sides that have a PC. Raises RuleError."""
    e = d.encounter
    if e.running and (e.phase == "rolls" or any(system.in_combat(e, side) for side in sides(e))):
        raise RuleError("nobody rests while the fight runs", "`finish` ends it")
    people = resolve(e, action.who) if action.who else _at_home(e)
    if not people:
        raise RuleError("there is no player's character", f"`rest {action.length} WHO` names who rests")
    rested = [rests(d, system, k, long=action.length == "long", named=bool(action.who)) for k in people]
    if not any(rested):
        # For the game master alone: who rested may be hidden.
        d.announce(f"A {action.length} rest: nobody needed anything", GM, own=True)


def _at_home(e: Encounter) -> tuple[str, ...]:
    """Those on the sides that have a player's character."""
    home = {c.side for c in e.combatants.values() if is_pc(c)}
    return tuple(c.id for c in e.combatants.values() if c.side in home)


def rests(d: Draft, system: InitiativeSystem, who: str, *, long: bool, named: bool) -> bool:
    """Return whether a rest gave a creature anything. The dead get something only when they are named."""
    c = d.encounter.combatants[who]
    if c.dead and not named:
        return False
    full = tuple(
        replace(x, n=x.most, owes=False) for x in c.counters if x.n < x.most and _fills(x.reset, long=long)
    )
    hp = -1 if c.hp is None else c.hp if c.most_hp is None else max(c.hp, c.most_hp)
    up = long and c.out and (c.hp == 0 or c.dead) and hp > 0
    healed = long and (c.hp not in (None, hp) or c.temp_hp > 0 or c.dying is not None or up)
    if not full and not healed:
        return False
    d.emit(ev.Rested(who, long, full, hp if long else -1, up))
    if up and d.encounter.running:
        system.joined(d, (who,))
    return True


def _fills(reset: str, *, long: bool) -> bool:
    return reset in _SHORT or ">=" in reset or (long and reset == "long")
