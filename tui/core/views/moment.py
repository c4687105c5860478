"""Say what is now to the viewer of a page: the game master's words, and what they ask of this player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tui.core.fight.agenda import PickAsk, Sentence, say
from tui.core.fight.encounter import SIDE, Encounter, label
from tui.core.fight.viewer import Viewer, reveals, secrets, text
from tui.core.language.select import several
from tui.core.rules.now import choosable, dice_of, join, over, owing
from tui.core.rules.system import InitiativeSystem
from tui.core.views.json import borne
from tui.core.views.seen import Seen, seen

LISTED = 4
"""Names that are said before the others are counted."""

MOST_COMING = 40
"""Entries that come next: more than stand in a row."""

_BIG = {"roll": "dice", "pick": "choose", "form": "orders", "lock": "orders", "acknowledge": "read"}


def moment(
    whole: Encounter,
    system: InitiativeSystem,
    viewer: Viewer,
    sides: Sequence[dict[str, Any]],
    seat: dict[str, Any],
) -> dict[str, Any]:
    """Return the Now line of a player, and what a large picture of it says (.github/FORMAT.md).

    `sides` are those of the state, `seat` what this player may send.
    """
    shown, net = seen(whole, system, viewer), secrets(whole, viewer)
    result = _moment(shown, system, viewer, net, sides, seat)
    remarks = _remarks(shown, system, viewer, net, gmless=seat.get("gmless", False))
    return {**result, "remarks": remarks} if remarks else result


def _remarks(
    shown: Seen, system: InitiativeSystem, viewer: Viewer, net: Sequence[str], *, gmless: bool
) -> list[str]:
    """Return what the system adds for everybody: limits, intents, what helps others."""
    e = shown.encounter
    if not e.running:
        return []
    # A remark that tells what to send is the game master's; a line behind it may be left out.
    public = (x.brief for x in system.remarks(e) if "`" not in x.brief.text)
    some = over(e, system) if gmless else public
    lines = [(x, text(e, x)) for x in some if viewer.may_read(e, x)]
    return [line for x, line in lines if not reveals(e, x, line, net)]


def _moment(
    shown: Seen,
    system: InitiativeSystem,
    viewer: Viewer,
    net: Sequence[str],
    sides: Sequence[dict[str, Any]],
    seat: dict[str, Any],
) -> dict[str, Any]:
    """Return the moment without what the system adds to it."""
    e, gmless, resolves = shown.encounter, seat.get("gmless", False), seat.get("resolves", False)
    if shown.due:
        return _asked(shown, viewer, net, gmless=gmless)
    if not e.running:
        return {"kind": "waits", "lead": "No fight is running"}
    if shown.offer.acts and not e.turn and not gmless:
        return _offered(shown, viewer)
    coming = _coming(shown, system)
    after = {"then": _then(shown, coming, sides), "coming": coming[:MOST_COMING], "big": f"round {e.round}"}
    if e.turn:
        mine = viewer.owns(e, e.acting)
        if gmless:
            whose = ": you resolve it" if resolves else ": an opponent resolves it" if mine else ""
        else:
            whose = ": it is your turn" if mine else ""
        lead = text(e, say("{0} acts" + whose, e.acting))
        return {"kind": "acts", "lead": lead, "who": label(e, e.acting), "mine": mine, **after}
    if not gmless:
        return {"kind": "waits", "lead": "The GM goes on", "mine": False, **after}
    # The one whose turn comes may know it from an offer: it is the opponents' to begin.
    coming = [*(label(e, key) for key in shown.offer.turns), *coming]
    first = f"the turn of {coming[0]}" if coming else "the next turn"
    after["then"] = f"then {several(coming[1:], LISTED)}" if coming[1:] else ""
    who = "You go" if resolves else "An opponent goes"
    return {"kind": "waits", "lead": f"{who} on with {first}", "mine": resolves, **after}


def _asked(shown: Seen, viewer: Viewer, net: Sequence[str], *, gmless: bool) -> dict[str, Any]:
    """Return who owes what; what the viewer owes comes first."""
    e, first = shown.encounter, shown.due[0]
    own = [ask for ask in shown.due if ask.kind == first.kind and viewer.owns(e, ask.who)]
    names = several([label(e, ask.who) for ask in own], LISTED)
    match first.kind:
        case "roll" if own:
            rolls = [text(e, say(f"{dice_of(ask)} for {{0}}", ask.who)) for ask in own]
            lead = f"You roll: {', '.join(rolls[:LISTED])}"
        case "form" if own:
            lead = f"You write for {names}"
        case "pick" if own and isinstance(first, PickAsk):
            # No line of a player's answers it: the game master notes what the player says.
            names = several([label(e, k) for k in first.names if viewer.knows(e, k)], LISTED)
            lead = f"You choose; tell the GM: {names}"
        case "lock":
            lead = "All have written; " + ("it closes by itself" if gmless else "the GM closes the writing")
        case "acknowledge" if gmless:
            lead = "All have rolled: the orders lie open with the first turn"
        case "acknowledge":
            lead = "To be read before it goes on"
        case _:
            what = owing(e, shown.due).what
            line = text(e, what)
            hidden = not viewer.may_read(e, what) or reveals(e, what, line, net)
            lead = "The GM goes on" if hidden else line
    then = text(e, say("{0} is acting", e.acting)) if e.turn else ""
    return {"kind": "asked", "lead": lead, "then": then, "mine": bool(own), "big": _BIG[first.kind]}


def _offered(shown: Seen, viewer: Viewer) -> dict[str, Any]:
    """Return who may choose whom."""
    e, offer = shown.encounter, shown.offer
    mine = any(viewer.owns(e, key) for key in (*offer.turns, offer.chooser))
    chosen_by = offer.chooser and offer.chooser not in offer.turns
    who = say("{0} chooses", offer.chooser) if chosen_by else Sentence("Next")
    passing = ", or pass" if any(act.kind == "pass" for act in offer.acts) else ""
    lead = text(e, join([who, choosable(offer)], ": ")) + passing
    return {"kind": "asked" if mine else "waits", "lead": lead, "mine": mine, "big": "choose"}


def _coming(shown: Seen, system: InitiativeSystem) -> list[str]:
    """Return the entries that are still to act, in their order; none where places say nothing."""
    e, rows = shown.encounter, shown.rows
    if not any(row.value for row in rows):
        return []
    at = next((i for i, row in enumerate(rows) if row.state == "now"), -1)
    waiting = [row for row in (*rows[at + 1 :], *rows[: max(at, 0)]) if row.state == "waits"]
    # Who puts its turn off comes when it wants: no one can say when that is.
    delays = (any(m.delays for m in borne((e.combatants[k] for k in row.members), system)) for row in waiting)
    return [label(e, row.entry) for row, late in zip(waiting, delays, strict=True) if not late]


def _then(shown: Seen, coming: Sequence[str], sides: Sequence[dict[str, Any]]) -> str:
    """Return `then Bo, Goblin 4, Dov`; where someone chooses, who is left on the side whose turn it is."""
    e, rows = shown.encounter, shown.rows
    if coming:
        return f"then {several(coming, LISTED)}"
    if rows and not any(row.value for row in rows):
        left = [text(e, say(f"{x['left']} of {{0}}", SIDE + x["name"])) for x in sides if x["left"]]
        return f"still to act: {', '.join(left)}" if left else "then the next round"
    return "then the next round" if any(row.state == "now" for row in rows) else ""
