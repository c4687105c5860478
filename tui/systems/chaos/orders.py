"""The written orders of Chaos: who owes one, what it says, when it is locked, who may read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, Field, FormAsk, LockAsk, OrderRow, Preview, say
from tui.core.fight.encounter import GM, Encounter, Entry, arrived, entries, key_of, members
from tui.core.fight.errors import RuleError
from tui.core.fight.memo import remembered
from tui.core.language.values import known, read
from tui.core.rules.draft import Draft, living
from tui.core.rules.system import names
from tui.systems.chaos import ready as holding
from tui.systems.chaos.numbers import LOCKED, ChaosNotes, ChaosNumbers
from tui.systems.chaos.text import Check, alternatives, check, readied
from tui.systems.chaos.words import AGAIN, FORM, MAINTAIN

WRITING = "orders"
"""The phase in which orders are open."""

STATES = ("owed", "written", "locked", "now", "done", "void")


class ChaosOrders(ChaosNumbers):
    """Forms, the lock, the orders pane."""

    def owed(self, e: Encounter) -> list[str]:
        """The entries that have not written in this round (CHA-1)."""
        return [x.key for x in self.entries(e) if x.key not in e.orders]

    def forms(self, e: Encounter) -> tuple[Ask, ...]:
        """An order of everybody who owes one, and always last the lock.

        A form has last round's order in it, to be repeated, and `maintain` only for who holds an action.
        """
        past, ready = _forms(e.past), _ready(e)
        owed: list[Ask] = []
        for key in self.owed(e):
            form = past.get(key, FORM)
            fields = (*form, MAINTAIN) if key in ready else form
            owed.append(FormAsk(f"order {key}", key, fields, say("{0} owes an order", key, rule="CHA-1")))
        return (*owed, LockAsk("lock", GM, say("All orders are written", rule="CHA-2")))

    def order_fields(self, e: Encounter, key: str) -> tuple[Field, ...]:
        """An order may be written anew until orders are locked (CHA-2)."""
        if e.phase != WRITING or key not in e.orders or not living(e, key):
            return ()
        return (*FORM, MAINTAIN) if key in _ready(e) else FORM

    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        """An entry's order is written, or written anew, as long as orders are open."""
        n = self.track_notes(d.encounter)
        self._may_write(d.encounter, key, n)
        order = self.compose(d.encounter, key, text)
        found = self._check(d.encounter, key, order, n)
        if found.errors:
            first = found.errors[0]
            said = "; ".join(fault.text for fault in found.errors)
            raise RuleError(f"{names(d.encounter, [key])}: {said}", first.hint, first.rule)
        d.emit(ev.Ordered(key, order, sealed=True))
        if found.warnings:
            d.emit(ev.Noted("warn", list(found.warnings), key))
        elif key in n.warn:
            d.emit(ev.Forgot("warn", key))
        if d.encounter.phase != WRITING:
            d.emit(ev.Noted("missing", [k for k in n.missing if k != key]))
            holding.take_back(d, n)
            holding.keep(d)

    def _check(self, e: Encounter, key: str, order: Mapping[str, str], n: ChaosNotes) -> Check:
        strict = self.option(e, "cha.strict_conditionals") == "refuse"
        return check(order, held=holding.may_keep(e, n, living(e, key)), strict=strict)

    def _may_write(self, e: Encounter, key: str, n: ChaosNotes) -> None:
        name = names(e, [key])
        if not living(e, key):
            raise RuleError(f"{name} is out", f'`back "{name}"`', "CHA-1")
        if e.phase == WRITING or (e.phase == "rolls" and not n.values and key in n.missing):
            return
        if key not in e.orders:
            raise RuleError(f"{name} acts from the next round", "orders open again then", "CHA-A13")
        open_again = e.phase == "rolls" and not n.values
        hint = "`unlock` opens them until the first die" if open_again else "they open with the next round"
        raise RuleError(f"{name} cannot write: the orders are locked", hint, "CHA-2")

    def compose(self, e: Encounter, key: str, text: Mapping[str, str]) -> dict[str, str]:
        """The order that a line or a form means: only what says something; `again` starts from the last one."""
        given = {key: _line(key, said) for key, said in text.items()}
        base: Mapping[str, str] = {}
        if given.pop("again", False):
            if key not in e.past:
                raise RuleError(f"{names(e, [key])} had no order last round", "write one", "CHA-1")
            base = {k: v for k, v in e.past[key].items() if k != "maintain"}
        keep = {"maintain": "yes"} if given.pop("maintain", False) else {}
        merged = {**base, **given}
        return {f.key: merged[f.key] for f in FORM if merged.get(f.key)} | keep

    def lock(self, d: Draft, *, missing: bool) -> None:
        """The writing is closed (CHA-2); `missing`: who has not written counts as empty (CHA-A12)."""
        if d.encounter.phase != WRITING:
            raise RuleError(
                "the orders are locked already", "`unlock` opens them until the first die", "CHA-2"
            )
        owed = self.owed(d.encounter)
        if owed and not missing:
            hint = "`order WHO …` for each, or `lock missing=empty`"
            raise RuleError(f"orders are missing: {names(d.encounter, owed)}", hint, "CHA-1")
        nothing = {"action": "Dodge"} if self.option(d.encounter, "cha.missing") == "dodge" else {}
        d.emit(*(ev.Ordered(key, nothing) for key in owed))
        if owed:
            d.emit(ev.Noted("missing", owed))
        d.announce("The orders are locked", rule="CHA-2")
        d.mark((c.id for c in self.in_play(d.encounter)), LOCKED)
        holding.keep(d)
        d.emit(ev.PhaseEntered("rolls"))

    def unlock(self, d: Draft) -> None:
        """The writing is open again, until the first die."""
        n = self.track_notes(d.encounter)
        if d.encounter.phase == WRITING:
            raise RuleError("the orders are open", "`lock` closes them", "CHA-2")
        if d.encounter.phase != "rolls" or n.values:
            raise RuleError(
                "dice have fallen: the orders stay locked", "they open with the next round", "CHA-2"
            )
        if n.missing:
            d.emit(ev.OrdersForgotten(tuple(n.missing)), ev.Forgot("missing"))
        d.unmark(list(d.encounter.combatants), LOCKED)
        d.unmark(list(d.encounter.combatants), "barred")
        holding.take_back(d, n)
        d.emit(ev.PhaseEntered(WRITING))

    @remembered  # 200 creatures: 0.4 of 1.3 ms a key
    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        """The orders of this round: while they are written in roster order, then as they are resolved."""
        n = self.track_notes(e)
        rows = [x for x in entries(e.combatants.values()) if x.key in e.orders]
        if e.phase == WRITING:
            owed = set(self.owed(e))
            rows = [x for x in entries(e.combatants.values()) if x.key in e.orders or x.key in owed]
        elif e.phase != "rolls":
            place = {x.key: i for i, x in enumerate(self.standing(e))}
            rows.sort(key=lambda x: place.get(x.key, len(place)))
        shown = self._shown(e, n)
        return tuple(_order_row(e, x, n, shown) for x in rows)

    def _shown(self, e: Encounter, n: ChaosNotes) -> tuple[str, ...]:
        """The states in which everybody may read an order now (CHA-25, CHA-A16)."""
        if self.open_sheets(e):
            return STATES if n.begun == e.round else ()
        if self.option(e, "cha.reveal") == "all_at_start" and e.phase == "turns":
            return STATES
        return ("now", "done")

    def open_sheets(self, e: Encounter) -> str:
        """All sheets lie open in play without a GM (CHA-25)."""
        return "CHA-25" if self.option(e, "cha.mode") == "head-to-head" else ""

    def preview(self, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:
        """What a half-filled order would mean: refusals, doubts, alternatives, what is held, the reaction."""
        try:
            order = self.compose(e, key, text)
        except RuleError as error:
            return Preview((error.message,))
        found = self._check(e, key, order, self.track_notes(e))
        notes = [f"{k}: else {alternatives(v)[1]}" for k, v in order.items() if alternatives(v)[1]]
        if held := readied(order):
            notes.append(f"held after the slot: {held}")
        if not {"reaction", "reaction2", "maintain"} & set(order):
            notes.append("reaction: the first opportunity attack")
        return Preview(tuple(fault.text for fault in found.errors), found.warnings, tuple(notes))


@remembered
def _forms(past: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[Field, ...]]:
    """The forms with last round's orders in them; remembered for the whole round."""
    return {
        key: tuple(replace(f, default=text[f.key]) if f.key in text else f for f in FORM)
        for key, text in past.items()
    }


def _ready(e: Encounter) -> set[str]:
    """The entries that hold a readied action."""
    return {key_of(c) for c in e.combatants.values() if "ready" in c.marks}


def _line(key: str, said: str) -> Any:
    """One line of an order; "" for an empty one."""
    try:
        field = known(key, (*FORM, MAINTAIN, AGAIN), "an order")
        return read(field, said) if said.strip() else ""
    except RuleError as error:
        raise RuleError(error.message, error.hint, "CHA-3") from None


def _order_row(e: Encounter, x: Entry, n: ChaosNotes, shown: tuple[str, ...]) -> OrderRow:
    state = _state(e, x, n)
    warnings = ("not written",) if x.key in n.missing else tuple(n.warn.get(x.key, ()))
    return OrderRow(x.key, state, e.orders.get(x.key, {}), warnings, state in shown)


def _state(e: Encounter, x: Entry, n: ChaosNotes) -> str:
    """owed, written, locked, now, done or void."""
    people = [e.combatants[k] for k in x.members]
    if e.turn and any(k in e.turn.members for k in x.members):
        return "now"
    here = [c for c in people if not c.out and arrived(e, c)]
    if e.phase == WRITING:
        return "owed" if x.key not in e.orders else "written" if here else "void"
    for c in here:
        if LOCKED in c.marks and "acted" not in c.marks:
            return "locked"
    return "done" if any("acted" in c.marks or c.id in n.fell for c in people) else "void"


def moved(d: Draft, before: Mapping[str, str], n: ChaosNotes) -> None:
    """Creatures changed their rows (CHA-A14): what is written and held goes along.

    Who leaves a group takes its order. A new group writes its own while orders are open; after the lock it has
    its first member's, unless another player owns a part of it: then it has none.
    """
    for who, old in before.items():
        new = key_of(d.encounter.combatants[who])
        if new == old:
            continue
        if old in n.held and new not in n.held:
            d.emit(ev.Noted("held", n.held[old], new))
        late = d.encounter.phase != WRITING and new not in d.encounter.orders
        if old not in d.encounter.orders or not (new == who or late):
            continue
        ours = new == who or _owners(d.encounter, new) <= _owners(d.encounter, old) | {
            d.encounter.combatants[who].owner.lower()
        }
        d.emit(ev.Ordered(new, d.encounter.orders[old] if ours else {}, sealed=ours))
        if ours and old in n.used:
            d.emit(ev.Noted("used", n.used[old], new))
    gone = tuple(
        k for k in dict.fromkeys(before.values()) if k in d.encounter.orders and not members(d.encounter, k)
    )
    if gone:
        d.emit(ev.OrdersForgotten(gone))


def _owners(e: Encounter, key: str) -> set[str]:
    return {c.owner.lower() for c in members(e, key)}
