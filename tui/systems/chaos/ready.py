"""Reactions and readied actions: who holds one, who keeps one, when it happens, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.fight import events as ev
from tui.core.fight.agenda import literal
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, key_of
from tui.core.fight.errors import RuleError
from tui.core.rules.draft import Draft
from tui.systems.chaos.numbers import LOCKED, ChaosNotes
from tui.systems.chaos.text import reactions, readied


def order_of(e: Encounter, c: Combatant) -> dict[str, str]:
    """This round's order of a creature's entry; empty without one."""
    return e.orders.get(key_of(c), {})


def maintains(e: Encounter, c: Combatant) -> bool:
    """Whether a creature has given up its reaction of this round to keep a readied action (CHA-10)."""
    return "holding" in c.marks or (LOCKED in c.marks and bool(order_of(e, c).get("maintain")))


def may_keep(e: Encounter, n: ChaosNotes, who: Iterable[Combatant]) -> bool:
    """Whether one of these holds last round's readied action, or held it when the orders were locked."""
    if e.phase == "orders":
        return any("ready" in c.marks for c in who)
    return any("holding" in c.marks or c.id in n.let_go for c in who)


# --- the lock


def keep(d: Draft) -> None:
    """The orders are locked: last round's readied actions are kept, or let go (CHA-10, CHA-14)."""
    carriers = [c for c in d.encounter.combatants.values() if "ready" in c.marks]
    kept = [c.id for c in carriers if order_of(d.encounter, c).get("maintain")]
    dropped = [c.id for c in carriers if c.id not in kept]
    d.unmark((c.id for c in carriers), "ready")
    d.mark(kept, "holding")
    if dropped:
        d.emit(ev.Noted("let_go", dropped))
    for key in _keys(d.encounter, dropped):
        d.announce("{0} lets the readied action go", key, rule="CHA-14")


def take_back(d: Draft, n: ChaosNotes) -> None:
    """The orders are open again: everybody holds what was held before the lock."""
    kept = [c.id for c in d.encounter.combatants.values() if "holding" in c.marks]
    dropped = [k for k in n.let_go if k in d.encounter.combatants and not d.encounter.combatants[k].out]
    d.unmark(kept, "holding")
    d.mark([*kept, *dropped], "ready", "fight")
    if n.let_go:
        d.emit(ev.Forgot("let_go"))


# --- the slot


def slot(d: Draft, key: str, who: Sequence[str], *, own_slot: bool) -> None:
    """An entry's slot opens: what it kept is over (CHA-11), what its order readies is held from now on."""
    if own_slot and (kept := [k for k in who if "holding" in d.encounter.combatants[k].marks]):
        d.unmark(kept, "holding")
        d.announce("{0} can no longer use the action it kept", key, rule="CHA-11")
    if held := readied(d.encounter.orders.get(key, {})):
        ready(d, key, who, held)


def ready(d: Draft, key: str, who: Iterable[str], held: str) -> None:
    """These hold this readied action."""
    d.emit(ev.Noted("held", held, key))
    d.mark(who, "ready", "fight")


def lost(d: Draft, who: Iterable[str]) -> None:
    """Who is out holds nothing."""
    people = [k for k in who if k in d.encounter.combatants]
    d.unmark(people, "ready")
    d.unmark(people, "holding")


# --- spending


def fire(d: Draft, n: ChaosNotes, who: Sequence[str]) -> None:
    """A readied action happens: of all these who can (CHA-9, CHA-11)."""
    faults = [_no_fire(d.encounter, d.encounter.combatants[k]) for k in who]
    able = [k for k, fault in zip(who, faults, strict=True) if fault is None]
    if not able:
        raise next(fault for fault in faults if fault)
    for key in _keys(d.encounter, able):
        held = n.held.get(key, "")
        d.announce(
            "The readied action of {0} happens" + (": " + literal(held) if held else ""), key, rule="CHA-9"
        )
    d.mark(able, "reaction")
    d.unmark(able, "ready")
    d.unmark(able, "holding")


def _no_fire(e: Encounter, c: Combatant) -> RuleError | None:
    if fault := _no_reaction(e, c):
        return fault
    if "holding" in c.marks:
        return None
    if "ready" not in c.marks:
        soon = LOCKED in c.marks and "acted" not in c.marks and readied(order_of(e, c))
        hint = (
            f"{c.name} readies it in the own slot"
            if soon
            else "it must be readied, or kept with maintain=yes"
        )
        return RuleError(f"{c.name} holds no readied action", hint, "CHA-9" if soon else "CHA-10")
    if e.turn and c.id in e.turn.members:
        return RuleError(f"{c.name} is still readying it", "`fire` works after this slot", "CHA-9")
    if maintains(e, c):
        return RuleError(f"{c.name} gave up this round's reaction to keep an action", "", "CHA-10")
    return None


def react(d: Draft, c: Combatant, text: str, *, keeps_oa: bool) -> None:
    """A creature spends its reaction; an action readied in this round is given up by it (CHA-21)."""
    if fault := _no_reaction(d.encounter, c):
        raise fault
    if maintains(d.encounter, c):
        hint = f'`fire "{c.name}"` uses it' if "holding" in c.marks else "there is no other in this round"
        raise RuleError(f"{c.name} has given up the reaction to keep a readied action", hint, "CHA-10")
    holds = "ready" in c.marks
    if holds and not keeps_oa and not reactions(order_of(d.encounter, c)):
        raise RuleError(
            f"{c.name} readied and wrote no reaction", f'`fire "{c.name}"` uses what is readied', "CHA-A8"
        )
    d.emit(ev.Reacted(c.id, text))
    d.mark((c.id,), "reaction")
    if holds:
        d.unmark((c.id,), "ready")
        d.announce("{0} gives up the readied action", c.id, rule="CHA-21")


def _no_reaction(e: Encounter, c: Combatant) -> RuleError | None:
    if e.phase != "turns":
        return RuleError(
            "nothing can be reacted to yet", "reactions happen while orders are resolved", "CHA-15"
        )
    if c.out:
        return RuleError(f"{c.name} is out", f'`back "{c.name}"`')
    if "reaction" in c.marks:
        return RuleError(f"{c.name} has already spent the reaction of this round", "one a round", "CHA-7")
    return None


def _keys(e: Encounter, who: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(key_of(e.combatants[k]) for k in who))
