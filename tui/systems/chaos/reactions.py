"""Reactions: which of the written ones is spent, and what it costs (CHA-7, CHA-10, CHA-21)."""

from __future__ import annotations

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Choice, spoken
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, key_of
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.systems.chaos.board import DEFAULT
from tui.systems.chaos.notes import HOLDING, READY, house_rule, order_of
from tui.systems.chaos.order_rows import open_to_all
from tui.systems.chaos.order_text import Reaction, reactions
from tui.systems.chaos.readied import maintains, no_reaction


def react(d: Draft, c: Combatant, text: str) -> None:
    """A creature spends its reaction; an action readied in this round is given up by it (CHA-21).

    `text` names a written reaction by a part of it; it may be empty where there is only one, or none. What was
    written stays sealed with the rest of the order: the others hear only that somebody reacts.
    """
    if fault := _fault(d.encounter, c):
        raise fault
    written = reactions(order_of(d.encounter, key_of(c)))
    words = _named(c, written, text) if written else _opportunity(c, text)
    # Orders are sealed until their slot: a reaction before it must not read them out.
    if open_to_all(d.encounter, key_of(c)):
        d.emit(ev.Reacted(c.id, words))
    else:
        d.emit(ev.Reacted(c.id))
        d.announce("{0}: {1}", c.id, spoken(words), rule="CHA-7" if written else "CHA-21", own=True)
    d.mark((c.id,), "reaction")
    if READY in c.marks:
        d.unmark((c.id,), READY)
        d.announce("{0} gives up the readied action", c.id, rule="CHA-21")


def reaction_choices(e: Encounter) -> tuple[Choice, ...]:
    """The lines that spend a reaction: the written ones of everybody who may react now, then the defaults.

    Nobody strikes at an opportunity in a turn of their own: who acts has only what was written.
    """
    acting = e.turn.members if e.turn else ()
    able = [c for c in e.combatants.values() if _fault(e, c) is None]
    able = [c for c in able if c.id not in acting or reactions(order_of(e, key_of(c)))]
    # False sorts first: what was written is looked for, the default is everybody's.
    able.sort(key=lambda c: not reactions(order_of(e, key_of(c))))
    return tuple(choice for c in able for choice in _choices(e, c))


def _choices(e: Encounter, c: Combatant) -> list[Choice]:
    line = f"react {quote(c.name)}"
    written = reactions(order_of(e, key_of(c)))
    if not written:
        return [Choice(line, c.name, DEFAULT)]
    return [Choice(f"{line} with {x.words}", f"{c.name}: {x.what}", x.trigger) for x in written]


def _fault(e: Encounter, c: Combatant) -> RuleError | None:
    """Why a creature cannot react now; None if it can."""
    if fault := no_reaction(e, c):
        return fault
    fire = f"`fire {quote(c.name)}` uses it"
    if maintains(e, c):
        hint = fire if HOLDING in c.marks else "there is no other in this round"
        return RuleError(f"{c.name} has given up the reaction to keep a readied action", hint, "CHA-10")
    written = reactions(order_of(e, key_of(c)))
    if READY in c.marks and not written and not house_rule(e, "cha.ready_keeps_oa"):
        return RuleError(f"{c.name} readied and wrote no reaction", fire, "CHA-A8")
    return None


def _named(c: Combatant, written: tuple[Reaction, ...], text: str) -> str:
    """The one written reaction that this text is a part of, in full."""
    part = " ".join(text.strip().strip('"').split()).lower()
    found = [x for x in written if part in x.words.lower()]
    # One reaction may be the beginning of the other; typed in full it is meant.
    exact = [x for x in found if part in (x.what.lower(), x.words.lower())]
    meant = exact if len(exact) == 1 else found
    if len(meant) == 1:
        return meant[0].words
    alike = len({x.what.lower() for x in written}) < len(written)
    lines = " or ".join(f"`react {quote(c.name)} with {x.words if alike else x.what}`" for x in written)
    if not part:
        raise RuleError(f"{c.name} wrote two reactions: say which", lines, "CHA-7")
    if found:
        raise RuleError(f"{c.name} wrote two reactions with {text}: say more of one", lines, "CHA-7")
    raise RuleError(f"{c.name} wrote no reaction with {text}", lines, "CHA-7")


def _opportunity(c: Combatant, text: str) -> str:
    """The default, which nothing but its own name may stand for."""
    if text and "opportunity" not in text.lower():
        hint = f"`react {quote(c.name)}` is {DEFAULT}"
        raise RuleError(f"{c.name} wrote no reaction", hint, "CHA-21")
    return DEFAULT
