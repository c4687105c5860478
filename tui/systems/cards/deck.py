"""Know the deck: the names of its cards, who has which, and which are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.agenda import FaceNames, RollAsk, say
from tui.core.fight.encounter import GM, Encounter, Entry, unacted
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, notes

HOLDS = "holds"
"""The mark of a creature that keeps its card for later."""

_RANKS = (*map(str, range(2, 11)), "J", "Q", "K", "A")
_JOKER = "joker"
_NAMES = (*(rank + suit for rank in _RANKS for suit in "♣♦♥♠"), _JOKER, _JOKER)
DECK = FaceNames("card", _NAMES, "CRD-6")
"""The cards from the lowest to the highest: of one rank clubs, diamonds, hearts, spades."""

CARDS = len(DECK.names)
JOKER = DECK.meant(_JOKER)[0]
"""The first face that is a joker; both are worth as much."""


class CardNotes(Struct, frozen=True):
    """Notes of the fight. A card is its place in the deck, from 1 on.

    `cards`: the card of each entry (key); `dealt`: the cards dealt in this round; `used`: those that have
    left the deck since it was shuffled, once for each time; `decks`: how many are shuffled into one.
    """

    cards: dict[str, int] = {}
    dealt: tuple[int, ...] = ()
    used: tuple[int, ...] = ()
    decks: int = 1


def card_notes(e: Encounter) -> CardNotes:
    """Return the notes of the fight."""
    return notes(e, CardNotes)


def rank(card: int) -> int:
    """Return what a card is worth: high acts first, and jokers are equal."""
    return min(card, JOKER)


def to_act(e: Encounter, entry: Entry) -> bool:
    """Return whether somebody of an entry has not had the turn of this round."""
    return bool(unacted(e.combatants[k] for k in entry.members))


def holding(e: Encounter, entry: Entry) -> bool:
    """Return whether all of an entry who are still to act keep its card for later."""
    left = unacted(e.combatants[k] for k in entry.members)
    return bool(left) and all(HOLDS in c.marks for c in left)


def asks(s: InitiativeSystem, e: Encounter) -> tuple[RollAsk, ...]:
    """Return the cards that entries are still to get."""
    if not e.running:
        return ()
    cards = card_notes(e).cards
    rule = "CRD-1" if e.phase == "rolls" else "CRD-6"
    return tuple(ask_for(x.key, rule) for x in s.entries(e) if x.key not in cards and to_act(e, x))


def ask_for(key: str, rule: str) -> RollAsk:
    """Return the ask for the card of an entry."""
    why = say("{0} gets a card", key, rule=rule)
    return RollAsk(f"init {key}", key, (CARDS,), why, plain=True, names=DECK)


def gone_for(e: Encounter, key: str) -> Collection[int]:
    """Return the cards that an entry cannot get; its own it has, and could get again."""
    n = card_notes(e)
    times = Counter(n.used)
    return {card for card in times if times[card] >= n.decks and card != n.cards.get(key)}


def ordered(s: InitiativeSystem, e: Encounter) -> list[Entry]:
    """Return the entries, best card first; who has none comes last."""
    cards = card_notes(e).cards
    return sorted(s.entries(e), key=lambda x: -rank(cards.get(x.key, 0)))


def waiting(s: InitiativeSystem, e: Encounter) -> list[Entry]:
    """Return who acts in this round by the card, best card first: not those who hold theirs."""
    cards = card_notes(e).cards
    return [x for x in ordered(s, e) if x.key in cards and to_act(e, x) and not holding(e, x)]


def deal(d: Draft, key: str, card: int) -> None:
    """Note the card that an entry was dealt."""
    n = card_notes(d.encounter)
    d.emit(
        ev.Noted("cards", card, key), ev.Noted("dealt", [*n.dealt, card]), ev.Noted("used", [*n.used, card])
    )


def exchange(d: Draft, key: str, card: int) -> None:
    """Put the card of an entry back into the deck, and note the right one."""
    n = card_notes(d.encounter)
    old = n.cards[key]
    d.emit(
        ev.Noted("cards", card, key),
        ev.Noted("dealt", [*_without(n.dealt, old), card]),
        ev.Noted("used", [*_without(n.used, old), card]),
    )


def _without(cards: tuple[int, ...], one: int) -> list[int]:
    at = cards.index(one) if one in cards else len(cards)
    return [*cards[:at], *cards[at + 1 :]]


def collect(s: InitiativeSystem, d: Draft) -> None:
    """Take the cards of the round that is over from all who do not hold theirs; shuffle after a joker."""
    e, n = d.encounter, card_notes(d.encounter)
    held = {x.key for x in s.entries(e) if holding(e, x)}
    d.emit(ev.Noted("cards", {key: card for key, card in n.cards.items() if key in held}))
    d.emit(ev.Noted("dealt", []))
    if any(card >= JOKER for card in n.dealt):
        shuffle(d, 0)


def enough(s: InitiativeSystem, d: Draft) -> None:
    """Shuffle when too few cards are left for all that are due."""
    n, needed = card_notes(d.encounter), len(asks(s, d.encounter))
    if needed > CARDS * n.decks - len(n.used):
        shuffle(d, needed)


def shuffle(d: Draft, needed: int) -> None:
    """Shuffle all cards but those that lie with somebody; more decks, where one is too small for all."""
    out = sorted(card_notes(d.encounter).cards.values())
    d.emit(ev.Noted("used", out), ev.Noted("decks", max(1, -(-(len(out) + needed) // CARDS))))
    # For the game master alone: a joker of somebody hidden may be the reason.
    d.announce("The deck is shuffled", GM, rule="CRD-3", own=True)
