"""List the written orders as rows, and the board of reactions that is read before the first slot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.fight.agenda import AcknowledgeAsk, OrderRow, Sentence, literal, say, spoken
from tui.core.fight.encounter import GM, Encounter, Entry, arrived, entries, members
from tui.systems.chaos.order_text import alternatives, reactions, readied_by
from tui.systems.chaos.words import WRITING, ChaosNotes, head_to_head, house_rule, notes_of, order_of, waits
from tui.systems.chaos.writing import owed

DEFAULT = "the first opportunity attack"


def board_ask(e: Encounter, standing: Iterable[Entry]) -> AcknowledgeAsk:
    """Return the request to read the board (CHA-15); without a GM it opens with the first slot."""
    why = say("Read all reactions before the first slot", rule="CHA-15")
    return AcknowledgeAsk("board", GM, why, () if head_to_head(e) else board(e, standing))


def board(e: Encounter, standing: Iterable[Entry]) -> tuple[Sentence, ...]:
    """Return the reactions by initiative, then effects of the start of turns, for the GM and each owner."""
    lines = [line for x in standing for line in _lines(e, x.key)]
    starts = (
        Sentence("Start of {0}'s turn: " + what, (who,), "CHA-14", own=True) for who, what in _burdens(e)
    )
    return (*lines, *starts)


def turn_ends(e: Encounter) -> tuple[Sentence, ...]:
    """Return the conditions that end or need a save when all turns end, in roster order (CHA-18, CHA-A18)."""
    return tuple(Sentence("End of {0}'s turn: " + what, (who,), "CHA-18") for who, what in _burdens(e))


def _lines(e: Encounter, key: str) -> list[Sentence]:
    """One entry's reactions, its kept action, or the default opportunity attack."""
    order = order_of(e, key)
    if order.get("maintain"):
        held = spoken(notes_of(e).held.get(key, "a readied action"))
        return [Sentence("{0} gives up its reaction and keeps: {1}", (key, held), "CHA-10", own=True)]
    written = reactions(order)
    if not written:
        return [Sentence("{0} takes " + default(e, key), (key,), "CHA-21", own=True)]
    chosen = house_rule(e, "cha.reaction") == "owner_chooses"
    which = " (the owner chooses)" if chosen else " (the first that is triggered)"
    return [
        Sentence(
            f"{{0}}: {{1}}{which if len(written) > 1 else ''}", (key, spoken(x.words)), "CHA-7", own=True
        )
        for x in written
    ]


def default(e: Encounter, key: str) -> str:
    """Return the default reaction of an entry and its cost, or "" if one was written (CHA-21, CHA-A8)."""
    order = order_of(e, key)
    if order.get("maintain") or reactions(order):
        return ""
    if not readied_by(order):
        return DEFAULT
    if house_rule(e, "cha.ready_keeps_oa"):
        return DEFAULT + ", giving up what is readied"
    return DEFAULT + " until it has readied"


def _burdens(e: Encounter) -> list[tuple[str, str]]:
    """Return the conditions of all creatures that are not out, in roster order."""
    return [
        (c.id, literal(", ".join(x.name for x in c.conditions)))
        for c in e.combatants.values()
        if c.conditions and not c.out
    ]


_STATES = ("owed", "written", "locked", "now", "done", "void")


def order_rows(e: Encounter, rows: Sequence[Entry], standing: Sequence[Entry]) -> tuple[OrderRow, ...]:
    """Return the orders of this round: in roster order until resolved, then in that of the slots.

    `rows` are the entries in play, `standing` those that have their place in the order.
    """
    n = notes_of(e)
    found = [x for x in entries(e.combatants.values()) if x.key in e.orders]
    if e.phase == WRITING:
        owing = set(owed(e, rows))
        found = [x for x in entries(e.combatants.values()) if x.key in e.orders or x.key in owing]
    elif e.phase != "rolls":
        place = {x.key: i for i, x in enumerate(standing)}
        found.sort(key=lambda x: place.get(x.key, len(place)))
    shown = _open_states(e, n)
    return tuple(_row(e, x, n, shown) for x in found)


def open_to_all(e: Encounter, key: str) -> bool:
    """Whether everybody may read an entry's order now."""
    n = notes_of(e)
    entry = Entry(key, tuple(c.id for c in members(e, key)))
    return _state(e, entry, n) in _open_states(e, n)


def _open_states(e: Encounter, n: ChaosNotes) -> tuple[str, ...]:
    """Return the states in which everybody may read an order now (CHA-25, CHA-A16)."""
    # Without a GM all orders open together with the first slot, and not before it (CHA-25).
    if head_to_head(e):
        return _STATES if n.begun == e.round else ()
    if house_rule(e, "cha.reveal") == "all_at_start" and e.phase == "turns":
        return _STATES
    return ("now", "done")


def _row(e: Encounter, x: Entry, n: ChaosNotes, shown: Sequence[str]) -> OrderRow:
    state = _state(e, x, n)
    warnings = ("not written",) if x.key in n.missing else tuple(n.warn.get(x.key, ()))
    order = dict(order_of(e, x.key))
    used = {part: alternatives(order.get(part, ""))[1] for part in n.used.get(x.key, ())}
    return OrderRow(
        x.key, state, order, warnings, state in shown, default=_default(e, x, state), instead=used
    )


def _default(e: Encounter, x: Entry, state: str) -> dict[str, str]:
    """Return the default opportunity attack if the entry wrote no reaction and has one left (CHA-21)."""
    spent = all("reaction" in e.combatants[k].marks for k in x.members)
    found = "" if spent or state in ("owed", "void") else default(e, x.key)
    return {"reaction": found} if found else {}


def _state(e: Encounter, x: Entry, n: ChaosNotes) -> str:
    """owed, written, locked, now, done or void."""
    people = [e.combatants[k] for k in x.members]
    if e.turn and any(k in e.turn.members for k in x.members):
        return "now"
    here = [c for c in people if not c.out and arrived(e, c)]
    if e.phase == WRITING:
        return "owed" if x.key not in e.orders else "written" if here else "void"
    if any(waits(c) for c in here):
        return "locked"
    return "done" if x.key in n.taken or any("acted" in c.marks or c.id in n.fell for c in people) else "void"
