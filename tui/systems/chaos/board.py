"""What the table is told: the board of reactions, the checklists of the round's edges, alternatives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tui.core.fight.agenda import Sentence, literal
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry
from tui.systems.chaos.numbers import ChaosNotes
from tui.systems.chaos.text import ALTERNATIVES, alternatives, reactions, readied

_DEFAULT = "{0}: the first opportunity attack"


def board(
    e: Encounter, order: Iterable[Entry], n: ChaosNotes, *, chosen: bool, keeps_oa: bool
) -> tuple[Sentence, ...]:
    """What must be read before the first slot (CHA-15): reactions by initiative, then what turn starts bring."""
    lines = [
        line for x in order for line in _lines(x.key, e.orders.get(x.key, {}), n, chosen=chosen, oa=keeps_oa)
    ]
    return (*lines, *_standing("{0} starts the turn with ", e.combatants.values(), "CHA-14"))


def _lines(key: str, order: Mapping[str, str], n: ChaosNotes, *, chosen: bool, oa: bool) -> list[Sentence]:
    """One entry's lines; only the GM and its owner may read them, because orders are still sealed."""
    if order.get("maintain"):
        held = n.held.get(key, "a readied action")
        return [Sentence("{0} keeps, without another reaction: " + literal(held), (key,), "CHA-10", own=True)]
    written = reactions(order)
    if not written:
        gives_up = (
            "" if not readied(order) else " and gives up what is readied" if oa else " until it has readied"
        )
        return [Sentence(_DEFAULT + gives_up, (key,), "CHA-21", own=True)]
    which = (
        "" if len(written) == 1 else " (the owner chooses)" if chosen else " (the first that is triggered)"
    )
    return [
        Sentence(f"{{0}}: {literal(x.trigger)} => {literal(x.what)}{which}", (key,), "CHA-7", own=True)
        for x in written
    ]


def turn_ends(people: Iterable[Combatant]) -> tuple[Sentence, ...]:
    """Who ends the turn with what: saves and effects, in roster order (CHA-18, CHA-A18)."""
    return _standing("{0} ends the turn with ", people, "CHA-18")


def _standing(begin: str, people: Iterable[Combatant], rule: str) -> tuple[Sentence, ...]:
    return tuple(
        Sentence(begin + literal(", ".join(x.name for x in c.conditions)), (c.id,), rule)
        for c in people
        if c.conditions and not c.out
    )


def open_alternatives(order: Mapping[str, str], used: Iterable[str]) -> dict[str, str]:
    """The alternatives of an order that were not used yet, by component."""
    found = {key: alternatives(order.get(key, ""))[1] for key in ALTERNATIVES if key not in used}
    return {key: text for key, text in found.items() if text}
