"""Put the present moment into the words of one viewer: who acts, what is asked, what comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from tui.core.fight.agenda import PickAsk, RollAsk, Sentence, say
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.viewer import Viewer, has_secret, own_creatures, secret_names, text
from tui.core.language.select import list_names
from tui.core.page import Now
from tui.core.rules.now import (
    dice_of,
    fight_over,
    join_sentences,
    list_choosable,
    name_next,
    owed_lead,
    times_words,
)
from tui.core.rules.on_screen import on_screen
from tui.core.rules.system import InitiativeSystem, is_gmless, may_resolve, resolved_entry
from tui.core.views.seen import VisibleFight, visible_fight
from tui.core.views.table_for import A_PLAYER_GOES_ON, THE_GM_GOES_ON, describe_wait, list_marks
from tui.core.views.veil import hide_unknown, keeps_order

_MOST_LISTED = 4
"""The most names in a list; the others are counted."""

_MOST_COMING = 40
"""The most entries in `Now.coming`, more than fit into a row."""


def now_for(whole: Encounter, system: InitiativeSystem, viewer: Viewer) -> Now:
    """Return the present moment in a player's words."""
    shown = visible_fight(whole, system, viewer)
    secrets = secret_names(hide_unknown(whole, system, viewer), viewer)
    gmless = is_gmless(system, shown.encounter)
    now = _describe_now(shown, system, viewer, secrets, gmless=gmless)
    return replace(now, remarks=(*now.remarks, *_list_remarks(shown, system, viewer, secrets, gmless=gmless)))


def _list_remarks(
    shown: VisibleFight, system: InitiativeSystem, viewer: Viewer, secrets: Sequence[str], *, gmless: bool
) -> tuple[str, ...]:
    """Return the system's remarks that this viewer may read: limits, intents, help for others."""
    e = shown.encounter
    if not e.running:
        return ()
    # A remark that names a command is meant for the game master; a line that follows it may be left out.
    public = (x.brief for x in on_screen(system).remarks(e) if "`" not in x.brief.text)
    some = fight_over(e, system) if gmless else public
    lines = [(x, text(e, x)) for x in some if viewer.may_read(e, x)]
    return tuple(line for x, line in lines if not has_secret(e, x, line, secrets))


def _describe_now(
    shown: VisibleFight, system: InitiativeSystem, viewer: Viewer, secrets: Sequence[str], *, gmless: bool
) -> Now:
    """Return the present moment without the remarks of the system."""
    e, resolves = shown.encounter, gmless and _resolves(shown.encounter, system, viewer)
    owed = _describe_debts(shown, viewer, secrets, gmless=gmless) if shown.due else None
    # Whose turn it is comes first, unless the viewer owes something.
    if owed and (owed.mine or not e.turn):
        return owed
    if not e.running:
        return Now("waits", "No fight is running")
    if shown.offer.acts and not e.turn and not gmless:
        return _describe_offer(shown, viewer)
    coming = _list_coming(shown, system)
    then, listed = _name_next(shown, system, viewer, coming)
    after = Now("waits", THE_GM_GOES_ON, then=then, coming=tuple(listed[:_MOST_COMING]))
    if e.turn:
        mine = viewer.owns(e, e.acting)
        if gmless:
            whose = ": you resolve it" if resolves else ": an opponent resolves it" if mine else ""
        else:
            whose = ": it is your turn" if mine else ""
        lead = text(e, say("{0} acts" + whose, e.acting))
        remarks = (owed.lead,) if owed else ()
        return replace(
            after, kind="acts", lead=lead, who=label(e, e.acting), mine=mine or resolves, remarks=remarks
        )
    if not gmless:
        return replace(after, lead=describe_wait(shown, system, viewer))
    # A turn on offer is named too: the viewer can see that it is next, although the opponents begin it.
    coming = [*(label(e, key) for key in shown.offer.turns), *coming]
    first = f"the turn of {coming[0]}" if coming else "the next turn"
    then = f"then {list_names(coming[1:], _MOST_LISTED)}" if coming[1:] else ""
    who = "You go" if resolves else "An opponent goes"
    return replace(after, lead=f"{who} on with {first}", then=then, mine=resolves)


def _resolves(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> bool:
    """Return whether the turn that runs or comes next is this player's to carry out."""
    key = resolved_entry(system, e) if e.running and viewer.name else ""
    return bool(key) and may_resolve(system, e, key, viewer.name)


def _describe_debts(shown: VisibleFight, viewer: Viewer, secrets: Sequence[str], *, gmless: bool) -> Now:
    """Return the moment while answers are owed; those that the viewer owes are named first."""
    # What the viewer owes comes first: the others' answers are not waited for.
    e, due = shown.encounter, sorted(shown.due, key=lambda ask: not viewer.owns(shown.encounter, ask.who))
    first = due[0]
    own = [ask for ask in due if ask.kind == first.kind and viewer.owns(e, ask.who)]
    names = list_names([label(e, ask.who) for ask in own], _MOST_LISTED)
    match first.kind:
        case "roll" if own:
            counts = Counter(text(e, say(f"{dice_of(ask)} for {{0}}", ask.who)) for ask in own)
            rolls = [f"{roll}{times_words(many)}" for roll, many in counts.items()]
            verb = "draw" if any(isinstance(ask, RollAsk) and ask.names for ask in own) else "roll"
            lead = f"You {verb}: {list_names(rolls, _MOST_LISTED)}"
        case "form" if own:
            lead = f"You write for {names}"
        case "pick" if own and isinstance(first, PickAsk):
            names = list_names([label(e, k) for k in first.names if viewer.knows(e, k)], _MOST_LISTED)
            lead = f"You choose: {names}"
        case "lock":
            lead = "All have written; " + (
                "the orders lock by themselves" if gmless else "the GM locks the orders"
            )
        case "acknowledge" if gmless:
            lead = "All have rolled: any player goes on to the open orders"
        case "acknowledge":
            lead = "The GM reads all reactions, then goes on to the first turn"
        case _:
            request = owed_lead(e, due).what
            line = text(e, request)
            hidden = not viewer.may_read(e, request) or has_secret(e, request, line, secrets)
            lead = (A_PLAYER_GOES_ON if gmless else THE_GM_GOES_ON) if hidden else line
    then = text(e, say("{0} is acting", e.acting)) if e.turn else ""
    ready = gmless and first.kind == "acknowledge" and plays(e, viewer)
    return Now("asked", lead, then=then, mine=bool(own) or ready)


def plays(e: Encounter, viewer: Viewer) -> bool:
    """Return whether a player has a creature in this fight."""
    return bool(own_creatures(e.combatants, viewer))


def _describe_offer(shown: VisibleFight, viewer: Viewer) -> Now:
    """Return the moment while turns are offered, with the names to choose from."""
    e, offer = shown.encounter, shown.offer
    mine = any(viewer.owns(e, key) for key in ((offer.chooser,) if offer.chooser else offer.turns))
    chosen_by = offer.chooser and offer.chooser not in offer.turns
    who = say("{0} chooses", offer.chooser) if chosen_by else Sentence("Next")
    passing = ", or pass" if any(act.kind == "pass" for act in offer.acts) else ""
    lead = text(e, join_sentences([who, list_choosable(offer)], ": ")) + passing
    return Now("asked" if mine else "waits", lead, mine=mine)


def _list_coming(shown: VisibleFight, system: InitiativeSystem) -> list[str]:
    """Return the entries that are still to act, in their order; none if the rows have no numbers.

    A creature that delays acts when it wants, or after all others: it is named only if no other is left.
    """
    e, rows = shown.encounter, shown.rows
    waiting = [row for row in rows if row.state == "waits"] if any(row.value for row in rows) else []
    marks = {row.entry: list_marks((e.combatants[k] for k in row.members), system) for row in waiting}
    steady = [row for row in waiting if not any(m.delays for m in marks[row.entry])]
    return [label(e, row.entry) for row in steady or waiting]


def _name_next(
    shown: VisibleFight, system: InitiativeSystem, viewer: Viewer, coming: Sequence[str]
) -> tuple[str, Sequence[str]]:
    """Return what comes next in words, such as `then Bo, Goblin 4, Dov`, and the entries in it.

    Of these there are none if the next turn is not that of the first: then it is said as to the game master.
    """
    e = shown.encounter
    untold = shown.due or keeps_order(e, system, viewer)
    then = "" if untold else text(e, name_next(e, system))
    if then and (not coming or then != f"then {coming[0]}"):
        return then, ()
    return f"then {list_names(coming, _MOST_LISTED)}" if coming else "", coming
