"""What is read before the first slot: the board of reactions, and what the turns start and end with."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight.agenda import AcknowledgeAsk, Sentence, literal, say, spoken
from tui.core.fight.encounter import GM, Encounter, Entry
from tui.systems.chaos.notes import head_to_head, house_rule, notes_of, order_of
from tui.systems.chaos.order_text import reactions, readied_by

DEFAULT = "the first opportunity attack"


def board_ask(e: Encounter, standing: Iterable[Entry]) -> AcknowledgeAsk:
    """The board, to be read (CHA-15); without a GM nobody may read it before the first slot."""
    why = say("Read all reactions before the first slot", rule="CHA-15")
    return AcknowledgeAsk("board", GM, why, () if head_to_head(e) else board(e, standing))


def board(e: Encounter, standing: Iterable[Entry]) -> tuple[Sentence, ...]:
    """The reactions by initiative, then what the turns start with; each for the GM and the owner alone."""
    lines = [line for x in standing for line in _lines(e, x.key)]
    starts = (
        Sentence("Start of {0}'s turn: " + what, (who,), "CHA-14", own=True) for who, what in _burdens(e)
    )
    return (*lines, *starts)


def turn_ends(e: Encounter) -> tuple[Sentence, ...]:
    """What holds whom when all turns end, for saves and effects, in roster order (CHA-18, CHA-A18)."""
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
    """The reaction of an entry that wrote none, with what it costs; "" where another is written (CHA-21, CHA-A8)."""
    order = order_of(e, key)
    if order.get("maintain") or reactions(order):
        return ""
    if not readied_by(order):
        return DEFAULT
    if house_rule(e, "cha.ready_keeps_oa"):
        return DEFAULT + ", giving up what is readied"
    return DEFAULT + " until it has readied"


def _burdens(e: Encounter) -> list[tuple[str, str]]:
    """The conditions of everybody who is not out, in roster order."""
    return [
        (c.id, literal(", ".join(x.name for x in c.conditions)))
        for c in e.combatants.values()
        if c.conditions and not c.out
    ]
