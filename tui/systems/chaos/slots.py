"""Open a slot; resolve its order, an alternative or a reaction (CHA-6, CHA-7, CHA-16, CHA-21)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Choice, Sentence, literal, own_words, say
from tui.core.fight.combatant import Combatant, EntryKey
from tui.core.fight.encounter import Encounter, Entry, key_of, label, members
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import match_name, resolve_entry
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft, is_helpless, members_in_play, start_turn
from tui.systems.chaos import readied
from tui.systems.chaos.order_text import (
    ALTERNATIVES,
    Reaction,
    read_reactions,
    readied_action,
    split_alternative,
)
from tui.systems.chaos.readied import is_maintaining, why_no_reaction
from tui.systems.chaos.track import resolver
from tui.systems.chaos.words import (
    HOLDING_MARK,
    READY,
    chaos_notes,
    chaos_rule,
    ids_waiting,
    is_head_to_head,
    is_together,
    is_waiting,
    order_of,
)
from tui.systems.chaos.writing import DEFAULT, board_lines, is_open_to_all
from tui.systems.shared.numbering import track_notes

# --- it opens


def open_slot(d: Draft, entry: Entry, entries_in_play: Sequence[Entry]) -> None:
    """Open the slot of an entry and announce its order; without a GM the first slot opens the board."""
    e = d.encounter
    if chaos_notes(e).begun != e.round:
        d.emit(ev.Noted("begun", e.round))
        sentences = board_lines(e, entries_in_play) if is_head_to_head(e) else ()
        if sentences:
            d.announce("All reactions are shown", rule="CHA-15")
        for line in sentences:
            d.announce(line.text, *line.about, rule=line.rule)
    # Only creatures that were here at the lock have written: a newcomer in the row has not.
    who = ids_waiting(e, entry)
    d.emit(ev.Noted("taken", True, entry.key))
    # No edges: in Chaos all turns start and end together with the round (CHA-14, CHA-18).
    start_turn(d, entry.key, who, edges=False, upkeep=False)
    readied.ready_in_slot(d, entry.key, who, own_slot=chaos_rule(e, "cha.maintain_until") == "own_slot")
    if (name := resolver(e, entry.key)) and not is_helpless(e, entry.key):
        d.announce(literal(name) + " resolves the order of {0}", entry.key, rule="CHA-24")
    for key in _acting_together(d.encounter, entry.key, entries_in_play):
        d.announce("{0} and {1} act at the same moment", entry.key, key, rule="CHA-A1")


def _acting_together(e: Encounter, key: EntryKey, entries_in_play: Iterable[Entry]) -> list[str]:
    """Return the keys that act in the same moment as this entry (CHA-A1)."""
    mine = _number_of(e, key)
    if mine is None or not is_together(e):
        return []
    waiting = (x.key for x in entries_in_play if x.key != key and ids_waiting(e, x))
    return [k for k in waiting if _number_of(e, k) == mine]


def _number_of(e: Encounter, key: EntryKey) -> int | None:
    fixed = next((c.value for c in members_in_play(e, key) if c.value is not None), None)
    return track_notes(e).values.get(key) if fixed is None else fixed


# --- someone falls


def void_orders(d: Draft, who: Iterable[str]) -> None:
    """Drop the readied actions of creatures that are out; announce that their orders are void (CHA-16)."""
    readied.drop_readied(d, who)
    fallen = [d.encounter.combatants[k] for k in who if k in d.encounter.combatants]
    waited = [c for c in fallen if is_waiting(c)]
    for key in dict.fromkeys(key_of(c) for c in waited):
        if members_in_play(d.encounter, key):
            continue
        # Equal slots act in one moment: a creature that falls by the other's attack has already acted
        # (CHA-A1).
        values, acting = track_notes(d.encounter).values, d.encounter.acting
        same = acting and key in values and values[key] == values.get(EntryKey(acting))
        if same and is_together(d.encounter):
            ids = [c.id for c in members(d.encounter, key)]
            d.emit(ev.Noted("fell", [*chaos_notes(d.encounter).fell, *ids]))
            d.announce("{0} goes down at its own slot: its order is still resolved", key, rule="CHA-A1")
        else:
            d.announce("{0}'s order is void", key, rule="CHA-16")


# --- what is said while it runs


def slot_remarks(e: Encounter) -> tuple[Sentence, ...]:
    """Return the player who resolves the running order, and the line for an impossible part (CHA-6)."""
    if not e.turn:
        return ()
    key, sentences = e.acting, []
    if (name := resolver(e, key)) and not is_helpless(e, key):
        sentences.append(say(literal(name) + " resolves the order of {0}", key, rule="CHA-24"))
    if not is_helpless(e, key) and (parts := open_alternatives(e, key)):
        line = f"else {quote(label(e, key))} {next(iter(parts))}"
        sentences.append(say(f"{' or '.join(parts)} impossible? `{literal(line)}`", key, rule="CHA-6"))
    return tuple(sentences)


def open_alternatives(e: Encounter, key: str) -> dict[str, str]:
    """Return the unused alternatives of an entry's order, by component."""
    order, used = order_of(e, key), chaos_notes(e).used.get(key, ())
    parts = {part: split_alternative(order.get(part, ""))[1] for part in ALTERNATIVES if part not in used}
    return {part: text for part, text in parts.items() if text}


def alternative_choices(e: Encounter) -> tuple[Choice, ...]:
    """Return the lines that use an alternative of the running order."""
    if not e.turn:
        return ()
    name = label(e, e.acting)
    return tuple(
        Choice(f"else {quote(name)} {part}", f"{name}: {part}", text)
        for part, text in open_alternatives(e, e.acting).items()
    )


# --- an alternative


def use_alternative(d: Draft, request: OwnVerb) -> None:
    """Run `else WHO COMPONENT`: the primary instruction was impossible (CHA-6). Raises RuleError."""
    e = d.encounter
    key, part = resolve_entry(e, request.words[0]), _resolve_component(request.words[1])
    order, used = order_of(e, key), chaos_notes(e).used.get(key, [])
    alternative = split_alternative(order.get(part, ""))[1]
    _check_alternative(e, key, part, alternative, used)
    d.emit(ev.Noted("used", [*used, part], key))
    d.announce("{0} cannot do that: {1} instead", key, own_words(alternative), rule="CHA-6")
    if part == "ready" or (part == "action" and not order.get("ready")):
        readied.ready_alternative(d, key, part, alternative)


def _check_alternative(e: Encounter, key: str, part: str, alternative: str, used: Sequence[str]) -> None:
    name = label(e, key)
    if not _is_resolving(e, key, part, order_of(e, key)):
        hint = "that belongs to its own slot" + (f", and {label(e, e.acting)} acts now" if e.turn else "")
        raise RuleError(f"the order of {name} is not being resolved", hint, "CHA-6")
    if not alternative:
        hint = "skip this part of the order"
        raise RuleError(f"{name} wrote no alternative for {part}", hint, "CHA-5")
    if part in used:
        raise RuleError(f"the alternative for {part} of {name} is already used", "there is only one", "CHA-5")


def _resolve_component(text: str) -> str:
    try:
        return match_name(text, ALTERNATIVES, "component")
    except RuleError as error:
        raise RuleError(error.reason, error.hint, "CHA-5") from None


def _is_resolving(e: Encounter, key: str, part: str, order: Mapping[str, str]) -> bool:
    """Return whether an alternative may be used now: in the slot, and for a readied action after it."""
    people = members(e, key)
    if e.turn and any(c.id in e.turn.members for c in people):
        return True
    # A readied action happens after the slot, and only then is it known to be impossible.
    later = part == "ready" or (part == "action" and bool(readied_action(order)) and not order.get("ready"))
    return later and e.phase == "turns" and any("acted" in c.marks for c in people)


def spend_reaction(d: Draft, c: Combatant, text: str) -> None:
    """Spend a creature's reaction, and release the action that it readied in this round (CHA-21).

    `text` is a part of a written reaction; "" if there is only one or none. The reaction stays secret until
    the order is shown. Raises RuleError.
    """
    if fault := _why_no_reaction(d.encounter, c):
        raise fault
    written = read_reactions(order_of(d.encounter, key_of(c)))
    words = _named_reaction(c, written, text) if written else _default_reaction(c, text)
    # Orders are sealed until their slot: a reaction before that must not show them.
    if is_open_to_all(d.encounter, key_of(c)):
        d.emit(ev.Reacted(c.id, words))
    else:
        d.emit(ev.Reacted(c.id))
        d.announce("{0}: {1}", c.id, own_words(words), rule="CHA-7" if written else "CHA-21", own=True)
    d.mark((c.id,), "reaction")
    if READY in c.marks:
        d.unmark((c.id,), READY)
        d.announce("{0} gives up the readied action", c.id, rule="CHA-21")


def reaction_choices(e: Encounter) -> tuple[Choice, ...]:
    """Return the lines that spend a reaction: written ones first, then the defaults.

    Default opportunity attacks are only for enemies of the acting side. Dying creatures have no reaction.
    """
    acting = {e.combatants[k].side for k in e.actors}
    able = [c for c in e.combatants.values() if not c.dying and _why_no_reaction(e, c) is None]
    able = [c for c in able if c.side not in acting or read_reactions(order_of(e, key_of(c)))]
    # Written reactions come first (False sorts first): everybody has the default attack.
    able.sort(key=lambda c: not read_reactions(order_of(e, key_of(c))))
    return tuple(choice for c in able for choice in _choices_of(e, c))


def _choices_of(e: Encounter, c: Combatant) -> list[Choice]:
    line = f"react {quote(c.name)}"
    written = read_reactions(order_of(e, key_of(c)))
    if not written:
        return [Choice(line, c.name, DEFAULT)]
    return [Choice(f"{line} with {x.words}", f"{c.name}: {x.what}", x.trigger) for x in written]


def _why_no_reaction(e: Encounter, c: Combatant) -> RuleError | None:
    """Return the refusal if a creature cannot react now; None if it can."""
    if fault := why_no_reaction(e, c):
        return fault
    fire = f"`fire {quote(c.name)}` uses it"
    if is_maintaining(e, c):
        hint = fire if HOLDING_MARK in c.marks else "there is no other in this round"
        return RuleError(f"{c.name} has given up the reaction to keep a readied action", hint, "CHA-10")
    written = read_reactions(order_of(e, key_of(c)))
    if READY in c.marks and not written and not chaos_rule(e, "cha.ready_keeps_oa"):
        return RuleError(f"{c.name} readied and wrote no reaction", fire, "CHA-A8")
    return None


def _named_reaction(c: Combatant, written: tuple[Reaction, ...], text: str) -> str:
    """Return the one written reaction that contains this text. Raises RuleError."""
    part = " ".join(text.strip().strip('"').split()).lower()
    fitting = [x for x in written if part in x.words.lower()]
    # One reaction's text may be the beginning of another's; a text typed in full means that reaction.
    exact = [x for x in fitting if part in (x.what.lower(), x.words.lower())]
    meant = exact if len(exact) == 1 else fitting
    if len(meant) == 1:
        return meant[0].words
    alike = len({x.what.lower() for x in written}) < len(written)
    lines = " or ".join(f"`react {quote(c.name)} with {x.words if alike else x.what}`" for x in written)
    if not part:
        raise RuleError(f"{c.name} wrote two reactions: say which", lines, "CHA-7")
    if fitting:
        raise RuleError(f"{c.name} wrote two reactions with {text}: say more of one", lines, "CHA-7")
    raise RuleError(f"{c.name} wrote no reaction with {text}", lines, "CHA-7")


def _default_reaction(c: Combatant, text: str) -> str:
    """Return the default reaction if the text names it. Raises RuleError."""
    if text and "opportunity" not in text.lower():
        hint = f"`react {quote(c.name)}` is {DEFAULT}"
        raise RuleError(f"{c.name} wrote no reaction", hint, "CHA-21")
    return DEFAULT
