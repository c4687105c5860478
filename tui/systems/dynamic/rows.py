"""List who has a row in the order, who rolls for it, what it has declared, and how long that may change."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.base.cache import remembered
from tui.core.fight.combatant import is_pc
from tui.core.fight.encounter import SIDE, Encounter, Entry, active, key_of, members
from tui.core.rules.draft import Draft
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Deed
from tui.systems.dynamic.text import notes_of, rule


def declares(e: Encounter, key: str) -> bool:
    """Whether an entry is a player's character, or a group with one in it: those declare (DIS-18)."""
    return any(is_pc(c) for c in members(e, key))


@remembered  # 200 creatures: 0.8 of 10.9 ms a key
def rows(e: Encounter) -> tuple[Entry, ...]:
    """Return the rows: groups are cut where some members are surprised or act one by one."""
    n = notes_of(e)
    playing = active(e)
    staggered = rule(e, "group") == "staggered"
    declaring = {key_of(c) for c in playing if is_pc(c)} if staggered else set()
    # At a fixed place nobody rolls: there is nothing that could be added for the others of the type.
    placed = {key_of(c) for c in playing if c.value is not None}
    found: dict[str, list[str]] = {}
    for c in playing:
        key = key_of(c)
        uncut = key in declaring or key in placed or key in n.values
        # A group with a number stays cut as it was: a house rule moves no rows in mid-round.
        lined = n.kin.get(c.id) == key and (staggered or c.id in n.lined)
        single = lined or (staggered and not uncut)
        found.setdefault(c.id if single or c.id in n.apart else key, []).append(c.id)
    return tuple(Entry(key, tuple(ids)) for key, ids in found.items())


def takers(e: Encounter) -> tuple[Entry, ...]:
    """Who gets a number in this round by its own roll: creatures and groups without a fixed place."""
    found: dict[str, list[str]] = {}
    for x in rows(e):
        people = [e.combatants[k] for k in x.members]
        ids = [c.id for c in people if "barred" not in c.marks]
        if ids and all(c.value is None for c in people):
            found.setdefault(roller(e, x.key), []).extend(ids)
    return tuple(Entry(key, tuple(ids)) for key, ids in found.items())


def valueless(e: Encounter) -> list[Entry]:
    """Those who should have a number in this round and have none yet."""
    known = notes_of(e).values
    return [x for x in takers(e) if x.key not in known]


def roller(e: Encounter, key: str) -> str:
    """Return the key under which a row rolls: its group's, if it was cut from one."""
    return key if key.startswith(SIDE) or key not in e.combatants else key_of(e.combatants[key])


def declared(e: Encounter, key: str) -> dict[str, str]:
    """Return the declaration of a row in this round: its own, or its group's."""
    for k in (key, roller(e, key)):
        if k in e.orders:
            return e.orders[k]
    return {}


def deeds_of(e: Encounter, key: str) -> tuple[Deed, ...]:
    """Return the actions that a row has declared."""
    return pools.read(declared(e, key))


def other_action(e: Encounter, key: str, who: str) -> str:
    """Return the line that switches a row to an undeclared action; `who` is its name in the line."""
    again = set(pools.read({"action": "1"})) & set(deeds_of(e, key))
    return f"switch {who} {'from=none ' if again else ''}action=1"


def surprised(e: Encounter, entry: Entry) -> bool:
    """Whether everybody in a row is surprised."""
    return all("surprised" in e.combatants[k].marks for k in entry.members)


def acting_row(e: Encounter) -> Entry | None:
    """Return the row whose turn is running, or None."""
    if e.turn is None:
        return None
    return next((x for x in rows(e) if not set(x.members).isdisjoint(e.turn.members)), None)


def before_dice(e: Encounter) -> bool:
    """Whether no roll for the order has fallen in this round and no turn has begun; a save does not count."""
    # By purpose: saves and amounts are dice too, and close nothing.
    fallen = any(k.startswith(("init ", "tie")) for k in e.rolls)
    begun = e.turn or any("acted" in c.marks for c in e.combatants.values()) or notes_of(e).later
    return e.running and not fallen and not begun


def may_surprise(e: Encounter) -> bool:
    """Whether somebody may be surprised in this round (DIS-A2)."""
    return e.round <= 1 or bool(rule(e, "surprise_each_round") == "ask")


def bar(d: Draft, who: Iterable[str]) -> None:
    """Bar creatures that came too late for this round."""
    d.mark((k for k in who if "barred" not in d.encounter.combatants[k].marks), "barred", "round")
