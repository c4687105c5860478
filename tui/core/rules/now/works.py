"""What would work, for a line that is refused: who must do what first, and a line that can be typed as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.agenda import Ask, Offer, PickAsk
from tui.core.fight.encounter import GM, Encounter, label
from tui.core.fight.text import quote
from tui.core.fight.viewer import is_plural, text
from tui.core.language.select import several
from tui.core.rules.now.line import LISTED
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep.owed import owed

_OWED = {
    "roll": "a roll",
    "pick": "a choice",
    "form": "an order",
    "lock": "the lock",
    "acknowledge": "an `ok`",
}


def instead(e: Encounter, system: InitiativeSystem) -> str:
    """What goes on now, with the line that does it."""
    if not e.combatants:
        return "`add 5 Orc`"
    if due := owed(e, system):
        return blockers(e, due)
    if not e.running:
        return "`begin` starts the fight"
    if e.turn:
        return f"{label(e, e.acting)} {'are' if is_plural(e, e.acting) else 'is'} acting: `next` goes on"
    return chosen(e, system.offer(e))


def blockers(e: Encounter, due: Sequence[Ask]) -> str:
    """Who owes what is due first, and the line that answers it."""
    first = due[0]
    owing = [a.who for a in due if a.kind == first.kind and a.kind != "lock"] or [GM]
    verb = "owe" if len(dict.fromkeys(owing)) > 1 or is_plural(e, owing[0]) else "owes"
    line = answering(e, first)
    what = _OWED[first.kind]
    who = "the GM" if set(owing) == {GM} else _names(e, owing)
    return f"{who} {verb} " + (what if line in what else f"{what}: {line}")


def answering(e: Encounter, ask: Ask) -> str:
    """A line that answers what is due, in backticks."""
    match ask:
        case PickAsk(least=0):
            return "`pick none`"
        case PickAsk(names=names, least=least):
            return f"`pick {' '.join(quote(label(e, k)) for k in names[:least])}`"
        case _ if ask.kind == "form":
            return f"`order {quote(label(e, ask.who))}` leaves it empty"
        case _:
            return {"acknowledge": "`ok`"}.get(ask.kind, f"`{ask.kind}`")


def chosen(e: Encounter, offer: Offer) -> str:
    """Who may be chosen, with a line that chooses; `next` where nothing is to be chosen."""
    turns = [a.who for a in offer.acts if a.kind == "turn"]
    if len(offer.acts) == 1:
        return "`next` goes on"
    if turns:
        passing = " or pass" if any(a.kind == "pass" for a in offer.acts) else ""
        return f"choose who goes, {_names(e, turns)}{passing}: `turn {quote(label(e, turns[0]))}`"
    return text(e, offer.why) if offer.why.text else f"nobody is left to act: {ending(e)}"


def ending(e: Encounter) -> str:
    """What can be done when nobody is left to act."""
    back = next((f"`back {quote(c.name)}`" for c in e.combatants.values() if c.out), "`add 1 Orc`")
    return f"{back}, or `finish`"


def _names(e: Encounter, keys: Sequence[str]) -> str:
    return several(list(dict.fromkeys(label(e, k) for k in keys)), LISTED)
