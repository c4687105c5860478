"""Reduce a fight to what one viewer may know; all that a viewer is shown is made from this value alone.

The law is non-interference: fights that are equal here have equal texts. What the viewer may not know is
taken out of the encounter first. While play waits for an unseen creature, the fight looks like the moment
between two turns.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.cache import remember_results
from tui.core.fight.agenda import (
    NOTHING,
    AcknowledgeAsk,
    Act,
    Ask,
    EffectAsk,
    LockAsk,
    Offer,
    OrderRow,
    PickAsk,
    RollAsk,
    RowState,
    Sentence,
    TrackRow,
    say,
)
from tui.core.fight.combatant import AREA, Combatant, Plain
from tui.core.fight.encounter import SIDE, Encounter, PendingArea, Turn, members, side_of, unacted
from tui.core.fight.viewer import (
    STRANGER,
    Viewer,
    as_read,
    keeps_nothing,
    own_creatures,
    present_members,
    sentences,
    text,
    unseen_ids,
)
from tui.core.rules.now import NOTHING_NEXT, Lead, lead_now
from tui.core.rules.optional import orders_of
from tui.core.rules.system import InitiativeSystem, offer_of, rows_of
from tui.core.rules.upkeep import all_owed
from tui.core.table import TableRow
from tui.core.views.veil import hide_by_order, hide_reserve, hide_unknown, keeps_order, reads_dc


class VisibleFight(Struct, frozen=True):
    """The fight without what the viewer may not know.

    `encounter` has no unseen creatures and nothing that is theirs alone. `due` and `offer` have what concerns
    the viewer or everybody; if both are empty and no turn is seen, the game master goes on. `side`: the side
    whose turn it is.
    """

    encounter: Encounter
    due: tuple[Ask, ...] = ()
    offer: Offer = NOTHING
    rows: tuple[TableRow, ...] = ()
    side: str = ""
    orders: tuple[OrderRow, ...] = ()
    """The orders of the round, also those that the viewer may not read."""
    lead: Lead = Lead(NOTHING_NEXT)
    """The beginning of the game master's Now line; without text for others."""

    @property
    def waits(self) -> bool:
        """Whether this viewer can only wait: nothing is due or offered, and no turn is seen."""
        return self.encounter.running and not (self.due or self.offer.acts or self.encounter.turn)


# One step shown on eight pages, 200 creatures in dungeon-track: 170 ms, 450 without the cache.
@remember_results
def visible_fight(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> VisibleFight:
    """Return the part of the fight that this viewer may know; the whole fight for the game master."""
    # The reserve changes no answer of the system, so that all viewers share the cached ones.
    whole = hide_by_order(e, system, viewer)
    asks = all_owed(whole, system)
    offer = offer_of(whole, system) if e.running and not e.turn and not asks else NOTHING
    if viewer.gm:
        side = system.turn_side(e) if e.running else ""
        rows = [_row(r, r.members, r.state, words) for r, _, words, _ in _explained_rows(e, system)]
        return VisibleFight(e, asks, offer, tuple(rows), side, orders_of(system, e), lead_now(e, system))
    e = hide_reserve(whole, system, viewer)
    visible = redact(e, system, viewer)
    hidden = unseen_ids(e, viewer)
    known = system.without(whole, hidden) if hidden else whole
    due = tuple(_filter_ask(e, visible, a, system, viewer) for a in asks if _is_shown(e, a, viewer))
    offer = _filter_offer(e, visible, system, viewer, offer)
    # A phase of rolls in which the viewer owes none would tell that someone unseen is rolling.
    if visible.phase == "rolls" and not due:
        visible = replace(visible, phase="turns")
    seen_rows = _filter_rows(e, known, visible, system, viewer, offer)
    if keeps_order(e, system, viewer):
        seen_rows = _without_places(visible, seen_rows)
    orders = orders_of(system, visible)
    return VisibleFight(visible, due, offer, seen_rows, _active_side(visible, offer), orders)


def redact(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> Encounter:
    """Return the encounter without unseen creatures, their turns, dice and moves, and sealed marks."""
    people, gone = (_read_as(some, system, viewer) for some in (e.combatants, e.gone))
    if people is e.combatants and gone is e.gone:
        return replace(e, decision=()) if e.decision else e
    # The state before a contest would tell of all creatures.
    shown = replace(e, combatants=people, gone=gone, decision=())
    hidden = unseen_ids(e, viewer)
    if not hidden:
        return shown
    # The system reads its notes before those of the unseen are dropped: they say where in the order it was.
    shown = system.without(shown, hidden)
    return replace(
        shown,
        turn=_turn(e.turn, shown),
        paused=tuple(t for t in (_turn(x, shown) for x in e.paused) if t),
        rolls={ask: r for ask, r in e.rolls.items() if all(members(shown, k) for k in (r.who, *r.among))},
        area=_filter_area(e.area, shown),
        shifts=tuple(s for s in e.shifts if members(shown, s.who) and members(shown, s.other)),
        orders=_drop_keys(e.orders, hidden_keys := _find_unseen(e, shown, hidden)),
        sealed=(),
        past=_drop_keys(e.past, hidden_keys),
        notes={name: _filter_note(value, hidden_keys) for name, value in shown.notes.items()},
    )


def _read_as(people: dict[str, Combatant], system: InitiativeSystem, viewer: Viewer) -> dict[str, Combatant]:
    """Return the creatures that a viewer sees, as this viewer reads them."""
    sealed = frozenset(m.name for m in system.marks if m.sealed)
    visible = {k: as_read(c, sealed) for k, c in people.items() if not c.hidden}
    others = people if visible == people else visible
    mine = {c.id: as_read(c) for c in own_creatures(people, viewer)}
    if all(others.get(k) == c for k, c in mine.items()):
        return others
    return {k: mine[k] if k in mine else others[k] for k in people if k in mine or k in others}


def _find_unseen(e: Encounter, shown: Encounter, hidden: frozenset[str]) -> frozenset[str]:
    """Return the keys of unseen creatures, and of groups and sides without a seen member."""
    keys = {SIDE + name for k in hidden if (c := e.combatants.get(k)) for name in (c.group, c.side) if name}
    return hidden | {key for key in keys if not members(shown, key)}


def _drop_keys(table: dict[str, Plain], hidden_keys: frozenset[str]) -> dict[str, Plain]:
    """Return a table without the keys in `hidden_keys`; a key of two parts (`@dark c3`) has two of them."""
    return {
        k: v
        for k, v in table.items()
        if hidden_keys.isdisjoint((k, k.partition(" ")[0], k.rpartition(" ")[2]))
    }


def _filter_note(value: Plain, hidden_keys: frozenset[str]) -> Plain:
    """Return a note of the system without the values that it stores under the keys in `hidden_keys`."""
    if isinstance(value, dict):
        return _drop_keys(value, hidden_keys)
    return [x for x in value if x not in hidden_keys] if isinstance(value, list) else value


def _filter_area(area: PendingArea | None, shown: Encounter) -> PendingArea | None:
    """Return an area with its seen creatures; None if there are none, or only unseen ones owe saves."""
    if area is None or not any(x.cause == AREA for c in shown.combatants.values() for x in c.owes):
        return None
    who, made, failed = (
        tuple(k for k in keys if k in shown.combatants) for keys in (area.who, area.made, area.failed)
    )
    return replace(area, who=who, made=made, failed=failed) if who else None


def _turn(turn: Turn | None, shown: Encounter) -> Turn | None:
    """Return a running turn with its seen members; None if there are none."""
    if turn is None:
        return None
    present = tuple(k for k in turn.members if k in shown.combatants)
    return Turn(turn.who, present) if present and members(shown, turn.who) else None


# --- what is owed and offered


def _is_shown(e: Encounter, ask: Ask, viewer: Viewer) -> bool:
    """Return whether a viewer is shown an ask: boards and locks are public, the GM's rolls are not."""
    match ask:
        case LockAsk() | AcknowledgeAsk():
            return True
        case PickAsk():
            return viewer.owns(e, ask.who)
        case RollAsk(secret=True) | EffectAsk(secret=True):
            return False
        case RollAsk(among=tied) if not all(viewer.knows(e, k) for k in tied):
            return False  # if someone unseen takes part in a roll-off, the game master rolls for everybody
        case _:
            # Others do not wait for a roll that concerns the owner alone, such as a recharge.
            rollers = (c for c in present_members(e, ask.who) if viewer.mine(c) or not ask.why.own)
            return any(viewer.sees(c) for c in rollers)


def _filter_ask(e: Encounter, visible: Encounter, ask: Ask, system: InitiativeSystem, viewer: Viewer) -> Ask:
    """Return the ask without a DC that is not the viewer's, and without unseen names.

    A reason that has one becomes `{0} rolls`, or is empty.
    """
    if isinstance(ask, RollAsk) and ask.save and not reads_dc(e, system, viewer, ask.who):
        ask = replace(ask, why=ask.why.brief, save=replace(ask.save, dc=0))
    if e is visible or all(viewer.knows(e, k) for k in ask.why.about):
        return ask
    rolls = isinstance(ask, RollAsk) and members(visible, ask.who)
    return replace(
        ask, why=say("{0} rolls", ask.who, rule=ask.why.rule) if rolls else Sentence("", rule=ask.why.rule)
    )


def _filter_offer(
    e: Encounter, visible: Encounter, system: InitiativeSystem, viewer: Viewer, offer: Offer
) -> Offer:
    """Return the seen acts that the viewer's side or creature may choose from now; NOTHING for others."""
    acts = tuple(a for a in offer.acts if not a.who or members(visible, a.who) or a.who == offer.chooser)
    turns = [a for a in acts if a.kind == "turn"]
    own = any(viewer.owns(visible, a.who) for a in turns)
    choosing = viewer.owns(visible, offer.chooser) if offer.chooser else own
    if not turns or not choosing or (len(offer.acts) == 1 and not own):
        return NOTHING
    return Offer(acts, _filter_reason(e, visible, system, offer, acts), offer.chooser)


def _filter_reason(
    e: Encounter, visible: Encounter, system: InitiativeSystem, offer: Offer, acts: tuple[Act, ...]
) -> Sentence:
    """Return the reason of an offer, counted without the unseen; only the chooser if the offers differ."""
    if e is visible:
        return offer.why
    offer_again = offer_of(visible, system)
    if {a.kind for a in offer_again.acts} >= {a.kind for a in acts} and offer_again.chooser == offer.chooser:
        return offer_again.why
    return say("{0} chooses", offer.chooser, rule=offer.why.rule) if offer.chooser else Sentence("")


def _active_side(visible: Encounter, offer: Offer) -> str:
    if visible.turn:
        return side_of(visible, visible.acting)
    return side_of(visible, offer.chooser) or next((side_of(visible, a.who) for a in offer.acts if a.who), "")


def known_offer(shown: VisibleFight, system: InitiativeSystem) -> Offer:
    """Return what is on offer to whomever, counted without the unseen, while the viewer can only wait."""
    e = shown.encounter
    return offer_of(e, system) if shown.waits and not all_owed(e, system) else NOTHING


def known_choice(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> Offer:
    """Return the turns among which another one chooses, as far as this viewer knows; NOTHING for none."""
    e, offer = shown.encounter, known_offer(shown, system)
    others = len(offer.acts) > 1 and members(e, offer.chooser) and not viewer.owns(e, offer.chooser)
    return offer if others else NOTHING


# --- the track


def _without_places(visible: Encounter, rows: tuple[TableRow, ...]) -> tuple[TableRow, ...]:
    """Return the rows in roster order, without numbers and reasons."""
    places = {k: at for at, k in enumerate(visible.combatants)}
    in_roster = sorted(rows, key=lambda row: min(places[k] for k in row.members))
    return tuple(replace(row, value=0, why="", ranked=False, face="") for row in in_roster)


def _filter_rows(
    e: Encounter, known: Encounter, visible: Encounter, system: InitiativeSystem, viewer: Viewer, offer: Offer
) -> tuple[TableRow, ...]:
    """Return the rows with a seen member in the true order; their reasons name no unseen creature."""
    if not e.running:
        return ()
    rows, own_reasons = _rows_for_all(known, visible, system, offer)
    if not own_reasons:
        return rows
    return tuple(
        replace(r, why=sentences(e, own_reasons[r.entry], viewer)) if r.entry in own_reasons else r
        for r in rows
    )


def _rows_for_all(
    e: Encounter, visible: Encounter, system: InitiativeSystem, offer: Offer
) -> tuple[tuple[TableRow, ...], dict[str, tuple[Sentence, ...]]]:
    """Return the rows with a seen member, and by entry the reasons that some viewers may not read."""
    open_to = {offer.chooser, *offer.turns} - {""}
    rows, own_reasons = list[TableRow](), dict[str, tuple[Sentence, ...]]()
    for r, reasons, _, words in _explained_rows(e, system):
        if present := tuple([k for k in r.members if k in visible.combatants]):
            state = _state(visible, r, present, open_to)
            rows.append(_row(r, present, state, words or ""))
            if words is None:
                own_reasons[r.entry] = reasons
    return tuple(rows), own_reasons


# A step drawn for the public and three owners, 200 creatures in classic: 55 ms, 380 without this cache and
# that of `offer_of`.
@remember_results
def _explained_rows(
    e: Encounter, system: InitiativeSystem
) -> tuple[tuple[TrackRow, tuple[Sentence, ...], str, str | None], ...]:
    """Return each row with its reasons: as sentences, in words, and as words that all players may read."""
    known = hide_unknown(e, system, STRANGER)
    whole = keeps_nothing(known)
    explained = [(row, row.why) for row in rows_of(e, system)]
    # All rows of a side can have the same reason.
    texts = {why: _reason_texts(e, known, why, whole=whole) for why in dict.fromkeys(y for _, y in explained)}
    return tuple([(row, why, *texts[why]) for row, why in explained])


def _reason_texts(
    e: Encounter, known: Encounter, reason: tuple[Sentence, ...], *, whole: bool
) -> tuple[str, str | None]:
    """Return a reason in words for the game master, and for all players; None if some may not read it."""
    words = "; ".join([text(e, s) for s in reason if s.text])
    if any(s.own for s in reason):
        return words, None
    if whole:
        return words, words
    is_open = all(STRANGER.may_read(known, s) for s in reason)
    return words, sentences(known, reason, STRANGER) if is_open else None


def _row(row: TrackRow, members: tuple[str, ...], state: RowState, why: str) -> TableRow:
    return TableRow(row.entry, members, state, value=row.value, face=row.face, ranked=row.ranked, why=why)


def _state(visible: Encounter, row: TrackRow, present: tuple[str, ...], open_to: Collection[str]) -> RowState:
    """Return the state of a row for this viewer, without unseen turns and choices."""
    if row.state in ("may", "waits") and row.entry in open_to:
        return "may"
    if row.state in ("done", "barred", "out") or (row.state == "now" and visible.turn is not None):
        return row.state
    in_play = [c for c in (visible.combatants[k] for k in present) if not c.out]
    return "waits" if unacted(in_play) or not in_play else "done"
