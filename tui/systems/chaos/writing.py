"""Take written orders, lock them, regroup rows while orders are open, and list them (CHA-A13, CHA-A14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    AcknowledgeAsk,
    Ask,
    Field,
    FormAsk,
    LockAsk,
    OrderRow,
    OrderState,
    Preview,
    Sentence,
    literal,
    own_words,
    say,
)
from tui.core.fight.combatant import EntryKey
from tui.core.fight.encounter import GM, SIDE, Encounter, Entry, entries, has_arrived, key_of, label, members
from tui.core.fight.viewer import fill_names
from tui.core.language.select import labels
from tui.core.language.tokens import quote
from tui.core.language.values import find_field, read_value
from tui.core.rules.draft import Draft, is_helpless, members_in_play
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Orders
from tui.systems.chaos import order_text, readied
from tui.systems.chaos.order_text import DOUBT, check_order, read_reactions, readied_action, split_alternative
from tui.systems.chaos.track import ChaosTrack
from tui.systems.chaos.words import (
    AGAIN,
    FORM,
    LOCKED,
    MAINTAIN,
    READY,
    WRITING,
    ChaosNotes,
    chaos_notes,
    chaos_rule,
    is_before_dice,
    is_head_to_head,
    is_waiting,
    order_of,
)


class Writing(ChaosTrack, OnScreen, Orders):
    """The writing of orders: what is owed, the lock, the board, and rows that change meanwhile."""

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Update orders after creatures changed rows; `before` maps ids to old keys. Raises RuleError.

        This is allowed while orders are written (CHA-A14). A new group owes an order; a creature that leaves
        a group has its earlier order, or that of the group. Readied actions go along.
        """
        changed = {who: old for who, old in before.items() if key_of(d.encounter.combatants[who]) != old}
        if changed and d.encounter.phase != WRITING:
            rows = ", ".join(dict.fromkeys(label(d.encounter, k) for k in changed))
            hint = _when_open(d.encounter, "group them in the next round")
            raise RuleError(f"{rows} cannot change rows: the orders are locked", hint, "CHA-A14")
        n = chaos_notes(d.encounter)
        for who, old in changed.items():
            new = key_of(d.encounter.combatants[who])
            if old in n.held and new not in n.held:
                d.emit(ev.Noted("held", n.held[old], new))
            order = d.encounter.orders.get(old)
            if old == who and order is not None:
                d.emit(ev.Noted("own", order, who))
            elif new == who and (mine := n.own.get(who, order)) is not None:
                d.emit(ev.Ordered(new, mine, sealed=True))
        # An order whose row is empty would be owed by nobody and shown as void for the rest of the round.
        e = d.encounter
        emptied = (k for k in dict.fromkeys(changed.values()) if k in e.orders)
        gone = [k for k in emptied if not any(key_of(c) == k for c in members(e, k))]
        if gone:
            d.emit(ev.OrdersForgotten(tuple(gone)))

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Bar creatures that come after the lock, or after their row's slot, until the next round (CHA-17).

        A new creature joins its row only then.
        """
        e = d.encounter
        people = [e.combatants[k] for k in who]
        late = [c for c in people if LOCKED not in c.marks or _has_missed_slot(e, c.id)]
        if e.phase == WRITING or not late:
            return
        d.mark([c.id for c in late], "barred")
        for c in late:
            row = SIDE + c.group
            mates = members(d.encounter, row) if c.group and LOCKED not in c.marks else ()
            if any(LOCKED in x.marks for x in mates):
                d.emit(ev.Changed(c.id, "group", ""), ev.Noted("joins", c.group, c.id))
                d.announce("{0} joins {1} in the next round", c.id, row, rule="CHA-A14")
        e = d.encounter
        keys = (c.id if _has_missed_slot(e, c.id) else key_of(e.combatants[c.id]) for c in late)
        for key in dict.fromkeys(keys):
            d.announce("{0} acts from the next round on", key, rule="CHA-A13")

    def order_forms(self, e: Encounter) -> tuple[Ask, ...]:
        """Return a form for each entry that owes an order (CHA-1), then the lock.

        A form contains last round's order; `maintain` is there only for a creature that holds an action.
        """
        ready = _ready_keys(e)
        forms: list[Ask] = []
        for key in self.entries_owing(e):
            form = [replace(f, default=e.past.get(key, {}).get(f.key, f.default)) for f in FORM]
            fields = (*form, MAINTAIN) if key in ready else tuple(form)
            forms.append(FormAsk(f"order {key}", key, fields, say("{0} owes an order", key, rule="CHA-1")))
        return (*forms, LockAsk("lock", GM, say("All orders are written", rule="CHA-2")))

    def entries_owing(self, e: Encounter) -> list[str]:
        """Return the keys of entries without an order in this round; dying creatures owe none (CHA-1)."""
        return [x.key for x in self.entries(e) if x.key not in e.orders and not is_helpless(e, x.key)]

    def order_fields(self, e: Encounter, key: str) -> tuple[Field, ...]:
        """Return the form for rewriting an order until orders are locked (CHA-2), or ()."""
        if e.phase != WRITING or key not in e.orders or not members_in_play(e, key):
            return ()
        return (*FORM, MAINTAIN) if key in _ready_keys(e) else FORM

    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        """Write or rewrite an entry's order while that is allowed (CHA-2, CHA-A12). Raises RuleError."""
        n = chaos_notes(d.encounter)
        _check_may_write(d.encounter, key, n)
        order = compose_order(d.encounter, key, text)
        holds = readied.may_keep(d.encounter, n, members_in_play(d.encounter, key))
        checked = check_order(order, has_readied=holds, strict=_is_strict(d.encounter))
        if checked.errors:
            words = "; ".join(fault.text for fault in checked.errors)
            hints = "; ".join(dict.fromkeys(fault.hint for fault in checked.errors))
            raise RuleError(f"{label(d.encounter, key)}: {words}", hints, checked.errors[0].rule)
        d.emit(ev.Ordered(key, order, sealed=True))
        if checked.warnings:
            d.emit(ev.Noted("warn", list(checked.warnings), key))
        else:
            d.emit(ev.Forgot("warn", key))
        if d.encounter.phase != WRITING:
            d.emit(ev.Noted("missing", [k for k in n.missing if k != key]))
            readied.keep_late(d, key)

    def preview(self, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:
        """Return the errors, warnings and notes on a half-filled order."""
        try:
            order = compose_order(e, key, text)
        except RuleError as error:
            return Preview((error.reason,), hints=(error.hint.replace("`", ""),))
        has_readied = readied.may_keep(e, chaos_notes(e), members_in_play(e, key))
        return order_text.preview_order(order, has_readied=has_readied, strict=_is_strict(e))

    def doubtful_orders(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return a warning for each order that seems to have a condition, once all are written (CHA-4)."""
        # Without a game master everybody reads this page, and orders are sealed (CHA-25).
        if e.phase != WRITING or is_head_to_head(e) or self.entries_owing(e):
            return ()
        warned = chaos_notes(e).warn
        return tuple(
            Sentence(f"{{0}}'s order {DOUBT}: read it before `lock`", (x.key,), "CHA-4", own=True)
            for x in self.entries(e)
            if any(warning.endswith(DOUBT) for warning in warned.get(x.key, ()))
        )

    def lock(self, d: Draft, *, missing: bool) -> None:
        """Close the writing (CHA-2); with `missing` a missing order is empty (CHA-A12). Raises RuleError."""
        if d.encounter.phase != WRITING:
            raise RuleError("the orders are locked already", _when_open(d.encounter), "CHA-2")
        absent = self.entries_owing(d.encounter)
        if absent and not missing:
            hint = f"`order {quote(labels(d.encounter, absent[:1]))}`, or `lock missing=empty`"
            raise RuleError(f"orders are missing: {labels(d.encounter, absent)}", hint, "CHA-1")
        default_order = {"action": "Dodge"} if chaos_rule(d.encounter, "cha.missing") == "dodge" else {}
        d.emit(*(ev.Ordered(key, default_order) for key in absent))
        dying = [x.key for x in self.entries(d.encounter) if x.key not in d.encounter.orders]
        d.emit(*(ev.Ordered(key, {}) for key in dying))
        if absent:
            d.emit(ev.Noted("missing", absent))
        d.announce("The orders are locked", rule="CHA-2")
        d.mark((c.id for c in self.in_play(d.encounter)), LOCKED)
        readied.keep_or_release(d)
        d.emit(ev.PhaseEntered("rolls"))

    def unlock(self, d: Draft) -> None:
        """Open the writing again until the first die is rolled. Raises RuleError."""
        n = chaos_notes(d.encounter)
        if d.encounter.phase == WRITING:
            raise RuleError("the orders are open", "", "CHA-2")
        if not is_before_dice(d.encounter):
            raise RuleError("dice are rolled: the orders stay locked", _when_open(d.encounter), "CHA-2")
        if n.missing:
            d.emit(ev.OrdersForgotten(tuple(n.missing)), ev.Forgot("missing"))
        d.unmark(list(d.encounter.combatants), LOCKED)
        d.unmark(list(d.encounter.combatants), "barred")
        readied.restore_readied(d, n)
        join_rows(d)
        d.emit(ev.PhaseEntered(WRITING))

    def board_ask(self, e: Encounter) -> AcknowledgeAsk:
        """Return the ask to read the board (CHA-15); without a GM the board opens with the first slot."""
        if is_head_to_head(e):
            return AcknowledgeAsk("board", GM, say("The reactions open with the first slot", rule="CHA-15"))
        reason = say("Read all reactions before the first slot", rule="CHA-15")
        return AcknowledgeAsk("board", GM, reason, board_lines(e, self.acting_order(e)))

    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        """Return the orders of this round, in roster order, and in acting order from the board on."""
        n = chaos_notes(e)
        ordered = [x for x in entries(e.combatants.values()) if x.key in e.orders]
        if e.phase == WRITING:
            keys_due = set(self.entries_owing(e))
            ordered = [x for x in entries(e.combatants.values()) if x.key in e.orders or x.key in keys_due]
        elif e.phase != "rolls":
            place = {x.key: i for i, x in enumerate(self.acting_order(e))}
            ordered.sort(key=lambda x: place.get(x.key, len(place)))
        shown = _open_states(e, n)
        return tuple(_order_row(e, x, n, shown) for x in ordered)


def _has_missed_slot(e: Encounter, who: str) -> bool:
    """Return whether the rest of a creature's row has had the slot without this creature, or has it now."""
    c, acting = e.combatants[who], e.actors
    others = [x for x in members(e, key_of(c)) if x.id != who]
    return "acted" not in c.marks and any("acted" in x.marks or x.id in acting for x in others)


def join_rows(d: Draft) -> None:
    """Move latecomers into their row, if it still exists on their side (CHA-A14)."""
    joins = chaos_notes(d.encounter).joins
    for k, group in joins.items():
        c = d.encounter.combatants.get(k)
        mates = [x for x in d.encounter.combatants.values() if x.group == group]
        # The group may have been dissolved or renamed while they waited.
        if c and not c.group and mates and mates[0].side == c.side:
            d.emit(ev.Changed(k, "group", group))
    if joins:
        d.emit(ev.Forgot("joins"))


def _ready_keys(e: Encounter) -> set[str]:
    """Return the keys of entries that hold a readied action."""
    return {key_of(c) for c in e.combatants.values() if READY in c.marks}


def compose_order(e: Encounter, key: str, text: Mapping[str, str]) -> dict[str, str]:
    """Return the order of a line or form without empty parts. Raises RuleError.

    With `again`, parts that are not given come from last round's order.
    """
    parts = {key: _read_part(key, words) for key, words in text.items()}
    base: Mapping[str, str] = {}
    if parts.pop("again", False):
        if key not in e.past:
            name = label(e, key)
            hint = f'`order {quote(name)} action="…"` writes one'
            raise RuleError(f"{name} had no order last round", hint, "CHA-1")
        # Maintaining is decided anew each round: what was maintained before is spent or gone now (CHA-10).
        base = {k: v for k, v in e.past[key].items() if k != "maintain"}
    maintain = {"maintain": "yes"} if parts.pop("maintain", False) else {}
    merged = {**base, **parts}
    return {f.key: merged[f.key] for f in FORM if merged.get(f.key)} | maintain


def _is_strict(e: Encounter) -> bool:
    return bool(chaos_rule(e, "cha.strict_conditionals") == "refuse")


def _check_may_write(e: Encounter, key: str, n: ChaosNotes) -> None:
    name = label(e, key)
    if not members_in_play(e, key):
        if any(c.out for c in members(e, key)):
            raise RuleError(fill_names(e, "{0} is out", key), f"`back {quote(name)}`", "CHA-1")
        raise RuleError(fill_names(e, "{0} arrives in a later round", key), "orders open again then", "CHA-1")
    if e.phase == WRITING or (is_before_dice(e) and key in n.missing):
        return
    if key not in e.orders:
        waits = fill_names(e, "{0} acts from the next round", key)
        raise RuleError(waits, "orders open again then", "CHA-A13")
    raise RuleError(f"{name} cannot write: the orders are locked", _when_open(e), "CHA-2")


def _when_open(e: Encounter, later: str = "they open with the next round") -> str:
    """Return the hint on when locked orders can be changed."""
    return "`unlock` opens them until the first die" if is_before_dice(e) else later


def _read_part(key: str, text: str) -> Any:
    """Return the value of one component; "" for an empty one. Raises RuleError."""
    try:
        field = find_field(key, (*FORM, MAINTAIN, AGAIN), "an order")
        return read_value(field, text) if text.strip() else ""
    except RuleError as error:
        raise RuleError(error.reason, error.hint, "CHA-3") from None


DEFAULT = "the first opportunity attack"


def board_lines(e: Encounter, entries_in_play: Iterable[Entry]) -> tuple[Sentence, ...]:
    """Return the reactions in acting order, then conditions at the start of turns.

    The GM and each creature's owner may read them.
    """
    lines = [line for x in entries_in_play for line in _reaction_lines(e, x.key)]
    starts = _conditions_by_id(e)
    return (*lines, *(Sentence("Start of {0}'s turn: " + x, (k,), "CHA-14", own=True) for k, x in starts))


def turn_ends(e: Encounter) -> tuple[Sentence, ...]:
    """Return the conditions that end or need a save when all turns end (CHA-18)."""
    return tuple(Sentence("End of {0}'s turn: " + x, (k,), "CHA-18") for k, x in _conditions_by_id(e))


def _reaction_lines(e: Encounter, key: str) -> list[Sentence]:
    """Return an entry's reactions, its kept action or the default; nothing for dying creatures."""
    order = order_of(e, key)
    if is_helpless(e, key):
        return []
    if order.get("maintain"):
        action = own_words(chaos_notes(e).held.get(key, "a readied action"))
        return [Sentence("{0} gives up its reaction and keeps: {1}", (key, action), "CHA-10", own=True)]
    written = read_reactions(order)
    if not written:
        return [Sentence("{0} takes " + default_reaction(e, key), (key,), "CHA-21", own=True)]
    chosen = chaos_rule(e, "cha.reaction") == "owner_chooses"
    which = " (the owner chooses)" if chosen else " (the first that is triggered)"
    text = "{0}: {1}" + which * (len(written) > 1)
    return [Sentence(text, (key, own_words(x.words)), "CHA-7", own=True) for x in written]


def default_reaction(e: Encounter, key: str) -> str:
    """Return the default reaction of an entry and its cost; "" if one was written (CHA-21, CHA-A8)."""
    order = order_of(e, key)
    if order.get("maintain") or read_reactions(order):
        return ""
    if not readied_action(order):
        return DEFAULT
    if chaos_rule(e, "cha.ready_keeps_oa"):
        return DEFAULT + ", giving up the readied action"
    return DEFAULT + " until it readies its action"


def _conditions_by_id(e: Encounter) -> list[tuple[str, str]]:
    """Return the id and the conditions of each creature that is not out, in roster order."""
    people = [c for c in e.combatants.values() if c.conditions and not c.out]
    return [(c.id, literal(", ".join(x.name for x in c.conditions))) for c in people]


_STATES = ("owed", "written", "locked", "now", "done", "void")


def is_open_to_all(e: Encounter, key: str) -> bool:
    """Return whether everybody may read an entry's order now."""
    n = chaos_notes(e)
    entry = Entry(EntryKey(key), tuple(c.id for c in members(e, key)))
    return _order_state(e, entry, n) in _open_states(e, n)


def _open_states(e: Encounter, n: ChaosNotes) -> tuple[str, ...]:
    """Return the states in which everybody may read an order now (CHA-25, CHA-A16)."""
    # Without a GM all orders open together at the first slot, not before (CHA-25).
    if is_head_to_head(e):
        return _STATES if n.begun == e.round else ()
    if chaos_rule(e, "cha.reveal") == "all_at_start" and e.phase == "turns":
        return _STATES
    return ("now", "done")


def _order_row(e: Encounter, x: Entry, n: ChaosNotes, shown: Sequence[str]) -> OrderRow:
    state = _order_state(e, x, n)
    warnings = ("not written",) if x.key in n.missing else tuple(n.warn.get(x.key, ()))
    order = dict(order_of(e, x.key))
    used = {part: split_alternative(order.get(part, ""))[1] for part in n.used.get(x.key, ())}
    # The default reaction, if the entry wrote none and has one left (CHA-21).
    spent = all("reaction" in e.combatants[k].marks for k in x.members)
    text = "" if spent or state in ("owed", "void") else default_reaction(e, x.key)
    default = {"reaction": text} if text else {}
    return OrderRow(x.key, state, order, warnings, state in shown, (), default, used, ("maintain",))


def _order_state(e: Encounter, x: Entry, n: ChaosNotes) -> OrderState:
    """Return the state of an entry's order."""
    people = [e.combatants[k] for k in x.members]
    if e.turn and any(k in e.turn.members for k in x.members):
        return "now"
    able = [c for c in people if not c.out and has_arrived(e, c)]
    if e.phase == WRITING:
        return "owed" if x.key not in e.orders else "written" if able else "void"
    if any(is_waiting(c) for c in able):
        return "locked"
    return "done" if x.key in n.taken or any("acted" in c.marks or c.id in n.fell for c in people) else "void"
