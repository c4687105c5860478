"""Cards: everybody is dealt a card in every round, and the best card acts first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, FaceNames, Lazy, Mark, Offer, RollAsk, Sentence, TrackRow, say
from tui.core.fight.combatant import Plain
from tui.core.fight.encounter import (
    GM,
    DiceRoll,
    Encounter,
    Entry,
    OrderOutcome,
    is_awaited,
    key_of,
    label,
    to_act,
)
from tui.core.fight.viewer import fill_names
from tui.core.rules.draft import Draft, members_in_play
from tui.core.rules.now import suggest_line
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Corrections, Deck, announce_correction
from tui.core.rules.system import end_turn, next_round, notes, offer_of
from tui.systems import Texts
from tui.systems.shared.numbering import BARRED_MARK
from tui.systems.shared.placing import added_in, moved_by_key, share_mark
from tui.systems.shared.unnumbered import TableCustom

HOLDS = "holds"
"""The mark of a creature that keeps its card for later."""

_RANKS = (*map(str, range(2, 11)), "J", "Q", "K", "A")
_JOKER = "joker"
_NAMES = (*(rank + suit for rank in _RANKS for suit in "♣♦♥♠"), _JOKER, _JOKER)
DECK = FaceNames("card", _NAMES, "CRD-6")
"""The cards in order, the lowest first; within a rank clubs, diamonds, hearts, spades."""

CARDS = len(DECK.names)
JOKER = DECK.meant(_JOKER)[0]
"""The first of the two faces that are jokers; both have the same rank."""


class CardNotes(Struct, frozen=True):
    """The notes of the fight; a card is its index in the deck, from 1."""

    cards: dict[str, int] = {}
    """The card of each entry, by key."""
    dealt: tuple[int, ...] = ()
    """The cards that were dealt in this round."""
    used: tuple[int, ...] = ()
    """The cards dealt since the last shuffle, a card of several decks once for each time."""
    decks: int = 1
    """The number of decks that are shuffled into one."""


class Cards(TableCustom, Corrections, Deck, OnScreen):
    """A card each in every round, ace high; jokers and held cards act at any time."""

    id = "cards"
    title = "Cards"
    delays = True
    summary = "a card each, every round; jokers act at any time"
    once_rule = "CRD-1"
    marks = (BARRED_MARK, Mark(HOLDS, "holds its card", tag=HOLDS, short="holds", delays=True, until="fight"))
    join_rule = "CRD-6"
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)

    # --- the deck

    def names(self, dice: tuple[int, ...]) -> FaceNames | None:
        """Return the names of the cards."""
        return DECK if dice == (CARDS,) else None

    def gone(self, e: Encounter, ask: RollAsk) -> Collection[int]:
        """Return the cards that are gone; none for other dice."""
        n = card_notes(e)
        times = Counter(n.used) if ask.names else Counter[int]()
        return {card for card in times if times[card] >= n.decks and card != n.cards.get(ask.who)}

    def number_of(self, e: Encounter, ask: RollAsk, faces: tuple[int, ...]) -> int:
        """Return the rank of a card; the usual number of other dice."""
        return card_rank(faces[0]) if ask.names else super().number_of(e, ask, faces)

    # --- the cards

    def _rank(self, e: Encounter) -> list[Entry]:
        """Return the entries, best card first; those without a card come last."""
        cards = card_notes(e).cards
        return sorted(self.entries(e), key=lambda x: -card_rank(cards.get(x.key, 0)))

    def _waiting(self, e: Encounter) -> list[Entry]:
        """Return the entries that act in this round, best card first, without held cards."""
        cards = card_notes(e).cards
        return [x for x in self._rank(e) if x.key in cards and _takes_turn(e, x)]

    def _collect_cards(self, d: Draft) -> None:
        """Forget all cards that are not held; shuffle if a joker was dealt."""
        e, n = d.encounter, card_notes(d.encounter)
        holding = {x.key for x in self.entries(e) if is_holding(e, x)}
        d.emit(ev.Noted("cards", {key: card for key, card in n.cards.items() if key in holding}))
        d.emit(ev.Noted("dealt", []))
        if any(card >= JOKER for card in n.dealt):
            shuffle_deck(d, 0)

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the asks for cards."""
        if not e.running:
            return ()
        cards = card_notes(e).cards
        rule = "CRD-1" if e.phase == "rolls" else "CRD-6"
        return tuple(card_ask(x.key, rule) for x in self.entries(e) if x.key not in cards and is_to_act(e, x))

    def offer(self, e: Encounter) -> Offer:
        """Return the turn of the best card, or the next round."""
        if waiting := self._waiting(e):
            first = waiting[0].key
            if card_notes(e).cards[first] >= JOKER:
                return Offer((Act("turn", first),), say("{0} has a joker", first, rule="CRD-2"))
            return Offer((Act("turn", first),), say("{0} has the best card", first, rule="CRD-1"))
        # If all creatures hold their cards, rounds without a turn would follow each other for ever.
        reason = say("Everybody has acted or holds", rule="CRD-1")
        round_ = Act("round", pauses=bool(self.entries(e)))
        return Offer((round_,), reason) if is_awaited(e) else Offer()

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the entries with their cards, best first."""
        cards = card_notes(e).cards
        idle = not (e.turn or self.due(e))
        first = offer_of(e, self).turns if idle else ()

        def row(x: Entry) -> TrackRow:
            card = cards.get(x.key, 0)
            state, face = self.state_of(e, x, first), DECK.name(card) if card else ""
            ranked = bool(card) or is_to_act(e, x)
            return TrackRow(x.key, x.members, card_rank(card), state, Lazy(self._why, (e, x)), ranked, face)

        return tuple(map(row, self._rank(e)))

    def _why(self, e: Encounter, x: Entry) -> tuple[Sentence, ...]:
        card = card_notes(e).cards.get(x.key, 0)
        if not card:
            return (say("{0} has no card yet", x.key, rule="CRD-6"),)
        rule = "CRD-4" if is_holding(e, x) else "CRD-2" if card >= JOKER else "CRD-1"
        return (say(_has_card(e, x), x.key, rule=rule),)

    # --- play

    def answer(self, d: Draft, ask: Ask, answer: tuple[Plain, ...]) -> None:
        """Take the card of an entry."""
        deal_card(d, ask.who, answer[0])

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn, or the next round with its cards."""
        if act.kind == "turn":
            d.unmark((c.id for c in members_in_play(d.encounter, act.who)), HOLDS)
            super().took(d, act)
            return
        next_round(d, self)
        self._collect_cards(d)
        d.emit(ev.RollsForgotten(), ev.PhaseEntered("rolls"))

    def settle(self, d: Draft) -> None:
        """Shuffle if too few cards are left, and enter the turns after the last card."""
        n, needed = card_notes(d.encounter), len(self.due(d.encounter))
        if needed > CARDS * n.decks - len(n.used):
            shuffle_deck(d, needed)
        if d.encounter.phase == "rolls" and not self.due(d.encounter):
            d.emit(ev.PhaseEntered("turns"))
            if card_notes(d.encounter).dealt:
                d.emit(ev.Decided(OrderOutcome(tuple(x.key for x in self._rank(d.encounter)))))

    def hold(self, d: Draft, key: str) -> None:
        """Let an entry keep its card, in its turn or before it. Raises RuleError."""
        e, name, row = d.encounter, label(d.encounter, key), self._row_to_act(d.encounter, key, "CRD-4")
        if is_holding(e, row):
            raise RuleError(fill_names(e, "{0} holds already", key), f"`act {quote(name)}`", "CRD-4")
        self._check_has_card(e, key)
        if any(key == t.who for t in e.paused):
            raise RuleError(f"the turn of {name} is interrupted", "", "CRD-4")
        d.mark((c.id for c in to_act(members_in_play(e, key))), HOLDS)
        d.announce(_has_card(d.encounter, row), key, rule="CRD-4")
        if e.acting == key:
            end_turn(d, self, was_taken=False)

    def act(self, d: Draft, key: str) -> None:
        """Let an entry with a joker or a held card act now, interrupting a turn. Raises RuleError."""
        e, row = d.encounter, self._row_to_act(d.encounter, key, self.once_rule)
        if any(key == t.who for t in e.turns):
            raise RuleError(f"the turn of {label(e, key)} has begun", "", "CRD-2")
        self._check_has_card(e, key)
        if not self._may_cut_in(e, row):
            hint = f"`hold {quote(label(e, key))}` keeps the card for later"
            message = fill_names(e, "{0} has neither a joker nor a card that it holds", key)
            raise RuleError(message, hint, "CRD-2")
        if e.turn:
            d.emit(ev.TurnPaused())
            d.announce("{0} interrupts {1}", key, e.acting, rule="CRD-4" if is_holding(e, row) else "CRD-2")
        self.took(d, Act("turn", key))

    def _row_to_act(self, e: Encounter, key: str, rule: str) -> Entry:
        """Return a row that still has a turn in this round. Raises RuleError."""
        row = next((x for x in self.entries(e) if x.key == key), None)
        if row is None or not is_to_act(e, row):
            raise RuleError(fill_names(e, "{0} has had a turn this round", key), "", rule)
        return row

    def _check_has_card(self, e: Encounter, key: str) -> None:
        """Raise RuleError for an entry without a card, and between turns while cards are due."""
        if key not in card_notes(e).cards or (self.due(e) and not e.turn):
            raise RuleError("cards are dealt first", suggest_line(e, self), "CRD-6")

    def _may_cut_in(self, e: Encounter, x: Entry) -> bool:
        card = card_notes(e).cards.get(x.key, 0)
        able = is_holding(e, x) or (card >= JOKER and is_to_act(e, x))
        return bool(card) and able and all(x.key != t.who for t in e.turns)

    def left(self, d: Draft, who: tuple[str, ...]) -> None:
        """End the holding of creatures that are out."""
        d.unmark(who, HOLDS)

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Bar newcomers to a group that has acted; in a group that holds they hold too."""
        super().joined(d, who)
        for k in (people := added_in(d, who)):
            key = key_of(d.encounter.combatants[k])
            older = [c.id for c in members_in_play(d.encounter, key) if c.id not in people]
            share_mark(d, HOLDS, (k,), older)

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Give a new row the best card of the entries in it; a new row without one will owe a card.

        Who joins a row that has a card holds it or not as that row does.
        """
        rows = {x.key for x in self.entries(d.encounter)}
        for key, ids in moved_by_key(d.encounter, before).items():
            cards = card_notes(d.encounter).cards
            orphaned_keys = [old for k in ids if (old := before[k]) in cards and old not in rows]
            first = [c.id for c in members_in_play(d.encounter, key) if c.id not in ids]
            if key not in cards and orphaned_keys:
                best = max(orphaned_keys, key=lambda old: card_rank(cards[old]))
                d.emit(ev.Noted("cards", cards[best], key), ev.Forgot("cards", best))
                first = [k for k in ids if before[k] == best]
            share_mark(d, HOLDS, ids, first)
        super().regrouped(d, before)
        d.unmark(d.encounter.busy, HOLDS)

    # --- corrections

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the cards that were dealt in this round."""
        cards = card_notes(e).cards
        found = (card_ask(x.key, "CRD-6") for x in self._rank(e) if x.key in cards)
        return tuple(ask for ask in found if ask.key in e.rolls)

    def settled(self, e: Encounter, who: str) -> str:
        """Return the reason why a card that was not dealt in this round cannot be corrected, or ""."""
        key = key_of(e.combatants[who])
        mine = any(ask.who == key for ask in self.correctable(e))
        return "its card is not of this round" if key in card_notes(e).cards and not mine else ""

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:  # noqa: ARG002
        """Give an entry the right card, and put the wrong one back into the deck."""
        wrong, right = card_notes(d.encounter).cards[ask.who], new[0][0]
        announce_correction(d, ask, wrong, right)
        deal_card(d, ask.who, right, wrong)
        d.emit(ev.PhaseEntered("rolls"))

    # --- on the screen

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return a sentence for each entry that may act at any time, with the line for it."""
        if self.due(e) and not e.turn:
            return ()
        first = () if e.turn else offer_of(e, self).turns
        able = [x for x in self._rank(e) if self._may_cut_in(e, x) and x.key not in first]
        return tuple(say(f"{_has_card(e, x)}: `act {{0}}`", x.key, rule="CRD-4") for x in able)

    def instead(self, e: Encounter, verb: str, keys: Sequence[str]) -> str:
        """Return the line `act` for an entry that may act at any time if no chosen row may; or ""."""
        able = [x.key for x in self._rank(e) if self._may_cut_in(e, x)] if verb == "act" and e.running else []
        return f"act {quote(label(e, able[0]))}" if able and not set(able).intersection(keys) else ""


def _has_card(e: Encounter, x: Entry) -> str:
    """Return the sentence on the card that an entry has or holds."""
    return f"{{0}} {'holds' if is_holding(e, x) else 'has'} {DECK.write_name(card_notes(e).cards[x.key])}"


def card_notes(e: Encounter) -> CardNotes:
    """Return the notes of the fight."""
    return notes(e, CardNotes)


def card_rank(card: int) -> int:
    """Return the rank of a card: high acts first, and jokers are equal."""
    return min(card, JOKER)


def is_to_act(e: Encounter, entry: Entry) -> bool:
    """Return whether a member of an entry has not had the turn of this round."""
    return bool(to_act(e.combatants[k] for k in entry.members))


def is_holding(e: Encounter, entry: Entry) -> bool:
    """Return whether all members of an entry that are still to act hold its card."""
    waiting = to_act(e.combatants[k] for k in entry.members)
    return bool(waiting) and all(HOLDS in c.marks for c in waiting)


def _takes_turn(e: Encounter, entry: Entry) -> bool:
    """Return whether a member of an entry is still to act and holds no card."""
    return any(HOLDS not in c.marks for c in to_act(e.combatants[k] for k in entry.members))


def card_ask(key: str, rule: str) -> RollAsk:
    """Return the ask for the card of an entry."""
    reason = say("{0} gets a card", key, rule=rule)
    return RollAsk(f"init {key}", key, (CARDS,), reason, plain=True, names=DECK)


def deal_card(d: Draft, key: str, card: int, old: int = 0) -> None:
    """Record the card that an entry was dealt; `old` is the wrong one, which goes back into the deck."""
    n = card_notes(d.encounter)
    dealt, used = (_remove_once(cards, old) for cards in (n.dealt, n.used))
    d.emit(ev.Noted("cards", card, key), ev.Noted("dealt", [*dealt, card]), ev.Noted("used", [*used, card]))


def _remove_once(cards: tuple[int, ...], one: int) -> list[int]:
    at = cards.index(one) if one in cards else len(cards)
    return [*cards[:at], *cards[at + 1 :]]


def shuffle_deck(d: Draft, needed: int) -> None:
    """Shuffle all cards that no entry has; with more decks if one is too small for `needed` cards."""
    dealt = sorted(card_notes(d.encounter).cards.values())
    d.emit(ev.Noted("used", dealt), ev.Noted("decks", max(1, -(-(len(dealt) + needed) // CARDS))))
    # Only the game master reads this: the joker of a hidden creature may be the reason.
    d.announce("The deck is shuffled", GM, rule="CRD-3", own=True)
