"""Rows that change: grouped and taken apart while orders are open, and who comes after the lock (CHA-A13, CHA-A14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.encounter import SIDE, Encounter, key_of, label, members
from tui.core.rules.draft import Draft
from tui.systems.chaos.notes import LOCKED, WRITING, before_dice, notes_of


def regroup(d: Draft, before: Mapping[str, str]) -> None:
    """Creatures changed their rows, `before`: id to the key it had. Only while orders are open (CHA-A14).

    A new group owes an order of its own; who leaves a group has the order from before it was grouped, else that
    of the group. What is held goes along.
    """
    changed = {who: old for who, old in before.items() if key_of(d.encounter.combatants[who]) != old}
    if changed and d.encounter.phase != WRITING:
        rows = ", ".join(dict.fromkeys(label(d.encounter, k) for k in changed))
        hint = (
            "`unlock` opens them until the first die"
            if before_dice(d.encounter)
            else "group them in the next round"
        )
        raise RuleError(f"{rows} cannot change rows: the orders are locked", hint, "CHA-A14")
    n = notes_of(d.encounter)
    for who, old in changed.items():
        new = key_of(d.encounter.combatants[who])
        if old in n.held and new not in n.held:
            d.emit(ev.Noted("held", n.held[old], new))
        order = d.encounter.orders.get(old)
        if old == who and order is not None:
            d.emit(ev.Noted("own", order, who))
        elif new == who and (mine := n.own.get(who, order)) is not None:
            d.emit(ev.Ordered(new, mine, sealed=True))
    # An order whose row is empty would be owed to nobody and shown as void for the rest of the round.
    gone = [
        k
        for k in dict.fromkeys(changed.values())
        if k in d.encounter.orders and not _somebody(d.encounter, k)
    ]
    if gone:
        d.emit(ev.OrdersForgotten(tuple(gone)))


def _somebody(e: Encounter, key: str) -> bool:
    """Whether a row still has somebody in it."""
    return any(key_of(c) == key for c in members(e, key))


def come_late(d: Draft, who: Iterable[str]) -> None:
    """Who comes after the lock, or back after the one slot of its row (CHA-17), acts from the next round.

    Who is new joins a row that is playing only then.
    """
    late = [k for k in who if LOCKED not in d.encounter.combatants[k].marks or _missed(d.encounter, k)]
    if d.encounter.phase == WRITING or not late:
        return
    d.mark(late, "barred")
    for k in late:
        group = d.encounter.combatants[k].group
        new = LOCKED not in d.encounter.combatants[k].marks
        if new and group and any(LOCKED in c.marks for c in members(d.encounter, SIDE + group)):
            d.emit(ev.Changed(k, "group", ""), ev.Noted("joins", group, k))
            d.announce("{0} joins {1} in the next round", k, SIDE + group, rule="CHA-A14")
    for key in dict.fromkeys(
        k if _missed(d.encounter, k) else key_of(d.encounter.combatants[k]) for k in late
    ):
        d.announce("{0} acts from the next round on", key, rule="CHA-A13")


def _missed(e: Encounter, who: str) -> bool:
    """Whether the others in a creature's row have had their slot, or have it now, without it."""
    c, acting = e.combatants[who], e.turn.members if e.turn else ()
    others = [x for x in members(e, key_of(c)) if x.id != who]
    return "acted" not in c.marks and any("acted" in x.marks or x.id in acting for x in others)


def join_rows(d: Draft) -> None:
    """Orders are open again: who waited for it joins the row, if there is still one on the same side (CHA-A14)."""
    joins = notes_of(d.encounter).joins
    for k, group in joins.items():
        c = d.encounter.combatants.get(k)
        mates = [x for x in d.encounter.combatants.values() if x.group == group]
        # The group may have been dissolved or renamed while they waited.
        if c and not c.group and mates and mates[0].side == c.side:
            d.emit(ev.Changed(k, "group", group))
    if joins:
        d.emit(ev.Forgot("joins"))
