"""Keep, release and carry out readied actions (CHA-9 to CHA-11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Choice, own_words
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, has_arrived, key_of, label, members
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import resolve
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft, refuse_early
from tui.systems.chaos.order_text import readied_action, readied_part
from tui.systems.chaos.words import HOLDING_MARK, LOCKED, READY, WRITING, ChaosNotes, chaos_notes, order_of


def is_maintaining(e: Encounter, c: Combatant) -> bool:
    """Return whether a creature gave up this round's reaction to keep a readied action (CHA-10)."""
    return HOLDING_MARK in c.marks or (LOCKED in c.marks and bool(order_of(e, key_of(c)).get("maintain")))


def may_keep(e: Encounter, n: ChaosNotes, who: Iterable[Combatant]) -> bool:
    """Return whether one of these creatures holds last round's readied action, or held it at the lock."""
    if e.phase == WRITING:
        return any(READY in c.marks for c in who)
    return any(HOLDING_MARK in c.marks or c.id in n.let_go for c in who)


# --- the lock; what is kept and what is dropped are part of sealed orders: only the owner hears of it


def keep_or_release(d: Draft) -> None:
    """Keep or release last round's readied actions when orders are locked (CHA-10, CHA-14)."""
    carriers = [c for c in d.encounter.combatants.values() if READY in c.marks]
    keepers = [c.id for c in carriers if order_of(d.encounter, key_of(c)).get("maintain")]
    dropped = [c.id for c in carriers if c.id not in keepers]
    # One mark becomes another: a maintained action ends with the creature's own slot (CHA-11), while a newly
    # readied one begins there.
    d.unmark((c.id for c in carriers), READY)
    d.mark(keepers, HOLDING_MARK)
    if dropped:
        d.emit(ev.Noted("let_go", dropped))
    for key in _row_keys(d.encounter, dropped):
        d.announce("{0} lets the readied action go", key, rule="CHA-14", own=True)


def keep_late(d: Draft, key: str) -> None:
    """Keep the readied action of an entry that writes its missing order after the lock."""
    let_go = chaos_notes(d.encounter).let_go
    keepers = [c.id for c in members(d.encounter, key) if c.id in let_go and not c.out]
    if keepers and order_of(d.encounter, key).get("maintain"):
        d.emit(ev.Noted("let_go", [k for k in let_go if k not in keepers]))
        d.mark(keepers, HOLDING_MARK)


def restore_readied(d: Draft, n: ChaosNotes) -> None:
    """Restore what creatures held before the lock, when orders are unlocked."""
    people = d.encounter.combatants.values()
    bearers = [c.id for c in people if HOLDING_MARK in c.marks or (c.id in n.let_go and not c.out)]
    d.unmark(bearers, HOLDING_MARK)
    d.mark(bearers, READY, "fight")
    d.emit(ev.Forgot("let_go"))


# --- the slot


def ready_in_slot(d: Draft, key: str, who: Sequence[str], *, own_slot: bool) -> None:
    """End the entry's kept action in its own slot (CHA-11), and hold what its order readies."""
    if own_slot and (holders := [k for k in who if HOLDING_MARK in d.encounter.combatants[k].marks]):
        d.unmark(holders, HOLDING_MARK)
        d.announce("{0} can no longer use the readied action", key, rule="CHA-11")
    if action := readied_action(order_of(d.encounter, key)):
        record_readied(d, key, who, action)


def record_readied(d: Draft, key: str, who: Iterable[str], action: str) -> None:
    """Record a readied action for these creatures."""
    d.emit(ev.Noted("held", action, key))
    d.mark(who, READY, "fight")


def ready_alternative(d: Draft, key: str, part: str, alternative: str) -> None:
    """Apply a used alternative to the readied action: replace it, hold a new one, or release it."""
    if part == "ready":
        d.emit(ev.Noted("held", alternative, key))
    elif action := readied_part(alternative):
        acting = d.encounter.actors
        record_readied(d, key, [c.id for c in members(d.encounter, key) if c.id in acting], action)
    else:
        d.unmark((c.id for c in members(d.encounter, key)), READY)


def drop_readied(d: Draft, who: Iterable[str]) -> None:
    """Remove the readied and kept actions of these creatures."""
    people = [k for k in who if k in d.encounter.combatants]
    d.unmark(people, READY)
    d.unmark(people, HOLDING_MARK)


# --- it happens


def run_fire(d: Draft, request: OwnVerb) -> None:
    """Run `fire WHO`: carry out the readied actions of those that can. Raises RuleError if none can."""
    who = resolve(d.encounter, request.words[0])
    faults = [_why_no_fire(d.encounter, d.encounter.combatants[k]) for k in who]
    able = [k for k, fault in zip(who, faults, strict=True) if fault is None]
    if not able:
        raise next(fault for fault in faults if fault)
    action = chaos_notes(d.encounter).held
    for key in _row_keys(d.encounter, able):
        words = [own_words(action[key])] if action.get(key) else []
        d.announce("{0}'s readied action happens" + ": {1}" * len(words), key, *words, rule="CHA-9")
    d.mark(able, "reaction")
    d.unmark(able, READY)
    d.unmark(able, HOLDING_MARK)


def fire_choices(e: Encounter) -> tuple[Choice, ...]:
    """Return the lines that carry out a readied action, one for each row."""
    action = chaos_notes(e).held
    able = _row_keys(e, [c.id for c in e.combatants.values() if not c.dying and _why_no_fire(e, c) is None])
    return tuple(Choice(f"fire {quote(label(e, k))}", label(e, k), action.get(k, "")) for k in able)


def _why_no_fire(e: Encounter, c: Combatant) -> RuleError | None:
    """Return the refusal if a creature cannot use a readied action now; None if it can."""
    if fault := why_no_reaction(e, c):
        return fault
    if HOLDING_MARK in c.marks:
        return None
    if READY not in c.marks:
        readies = LOCKED in c.marks and "acted" not in c.marks and readied_action(order_of(e, key_of(c)))
        hint = 'an order readies one with ready="…", or keeps one with maintain=yes'
        hint, rule = (f"{c.name} readies it in its own slot", "CHA-9") if readies else (hint, "CHA-10")
        return RuleError(f"{c.name} holds no readied action", hint, rule)
    if e.turn and c.id in e.turn.members:
        return RuleError(f"{c.name} is still readying it", "`next` ends this slot", "CHA-9")
    if is_maintaining(e, c):
        return RuleError(f"{c.name} gave up this round's reaction to keep an action", "", "CHA-10")
    return None


def why_no_reaction(e: Encounter, c: Combatant) -> RuleError | None:
    """Return the refusal if a creature cannot react now, whatever its order says; None if it can."""
    if e.phase != "turns":
        at_board = e.phase == "board"
        hint = "`ok` when the board is read" if at_board else "reactions happen while orders are resolved"
        return RuleError("nothing can be reacted to yet", hint, "CHA-15")
    if c.out:
        return RuleError(f"{c.name} is out", f"`back {quote(c.name)}`", "CHA-16")
    if not has_arrived(e, c):
        return refuse_early(c, "CHA-A13")
    if "reaction" in c.marks:
        spent = f"{c.name} has already spent the reaction of this round"
        return RuleError(spent, "wait for the next round", "CHA-7")
    return None


def _row_keys(e: Encounter, who: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(key_of(e.combatants[k]) for k in who))
