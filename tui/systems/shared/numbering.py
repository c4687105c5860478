"""Give every entry a number: owed rolls, values, ties, and how a tie is settled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct

from tui.core.base.text import dice_words
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, Field, Mark, PickAsk, RollAsk, Sentence, name_slots, say, say_because
from tui.core.fight.combatant import EntryKey, Plain
from tui.core.fight.encounter import GM, SIDE, DiceRoll, Encounter, Entry, members
from tui.core.rules.draft import Draft, members_in_play
from tui.core.rules.system import InitiativeSystem, notes

BY_HAND = Field(
    "tie.by_hand", "ties ordered by the GM", "bool", default=False, help="the GM puts tied rows in order"
)
TOGETHER = "simultaneous"
"""The tie rule by which tied entries act in the same moment, so that no tie is settled."""


HEROES_FIRST = "heroes"
"""The tie rule by which what is left tied keeps the order of the roster, so that no die is rolled."""


class TrackNotes(Struct, frozen=True):
    """The notes of a track, by key of the entry; the key of an entry that has gone stays."""

    values: dict[EntryKey, int] = {}
    """The number of the entry on the track."""
    ties: dict[EntryKey, list[int]] = {}
    """The results of the entry's roll-offs; 0 and below is a place that the GM gave it."""
    kin: dict[EntryKey, EntryKey] = {}
    """The entry whose number was taken over, such as a member's group; the two never roll off."""
    breaks: dict[EntryKey, dict[str, int]] = {}
    """The values with which the entry can win ties, by tie rule, as of its roll; 0 is left out."""
    rules: dict[str, str] = {}
    """The tie rule that has decided among entries with a number, by that number as text."""
    anchors: dict[EntryKey, int] = {}
    """The fixed places of entries that other rows were moved next to."""
    makings: dict[EntryKey, dict[str, Plain]] = {}
    """What the roll of an entry was made with besides its faces, such as the modifier of that moment."""


def track_notes(e: Encounter) -> TrackNotes:
    """Return the notes that every track has."""
    return notes(e, TrackNotes)


class Tie(Struct, frozen=True):
    """Entries with one number and without a decision between them."""

    rollers: tuple[Entry, ...]
    """The entries that roll off next."""
    rivals: tuple[Entry, ...]
    """All entries of the tie; some may have more roll-offs already."""


def group_ties(
    some: Sequence[Entry], ties: Mapping[EntryKey, Sequence[int]], kin: Mapping[EntryKey, EntryKey]
) -> list[Tie]:
    """Return the ties among entries of one number, in the order of the track.

    `ties`: the roll-offs of each entry so far; a newcomer rolls against the remembered results. `kin`: the
    entry whose roll each number came from; entries of one kin count as one.
    """
    same: dict[tuple[int, ...], list[Entry]] = {}
    by_roll_off: dict[tuple[int, ...], list[Entry]] = {}
    for x in some:
        rolled = tuple(ties.get(x.key, ()))
        same.setdefault(rolled, []).append(x)
        # Each beginning of the rolled numbers is a key, so that a newcomer finds all creatures that were once
        # tied there.
        for length in range(len(rolled) + 1):
            by_roll_off.setdefault(rolled[:length], []).append(x)
    result = []
    # Highest first, so that ties are asked about in the order of the track.
    for so_far in sorted(same, key=lambda rolled: [-r for r in rolled]):
        rivals = _first_of_kin(by_roll_off[so_far], kin) if len(by_roll_off[so_far]) > 1 else ()
        if len(rivals) > 1:
            result.append(Tie(_first_of_kin(same[so_far], kin), rivals))
    return result


def _first_of_kin(some: Sequence[Entry], kin: Mapping[EntryKey, EntryKey]) -> tuple[Entry, ...]:
    """Return the first entry of each kin."""
    entries: dict[EntryKey, Entry] = {}
    for x in some:
        entries.setdefault(kin.get(x.key, x.key), x)
    return tuple(entries.values())


class Numbering(InitiativeSystem, ABC):
    """The questions that a track asks its system: dice, number, direction and ties."""

    high_first: ClassVar[bool] = True
    fixed_places: ClassVar[bool] = True
    """Whether `value=` gives a row a fixed place."""
    tie_option: ClassVar[str] = ""
    """The key of the house rule for ties; "" if ties are always rolled off."""
    rolloff_die: ClassVar[int] = 20
    rolloff_rule: ClassVar[str] = ""
    tied_text: ClassVar[str] = "Tied"
    roll_word: ClassVar[str] = "init"
    """The first word of the purpose of first rolls."""
    roll_rule: ClassVar[str] = ""
    roll_text: ClassVar[str] = "{0} rolls %s for a place in the order"
    """The sentence that asks for a first roll; `%s` is the dice."""
    roll_note: ClassVar[str] = ""
    """The reason that is added to the sentence of a first roll; "" for none."""
    turn_rule: ClassVar[str] = ""
    round_rule: ClassVar[str] = ""
    join_rule: ClassVar[str] = ""
    """The clause by which a creature that joins a group late waits for the next round."""

    def track(self, e: Encounter) -> TrackNotes:
        """Return the notes of the track; a system with notes of another shape overrides it."""
        return track_notes(e)

    # --- what is owed

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the asks for the order; a system with other asks overrides it."""
        return self.roll_asks(e)

    def roll_asks(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the first rolls that are owed; after the last, roll-offs and the GM's choices.

        A newcomer owes a roll at once.
        """
        n = self.track(e)
        new = [x for x in self.entries_to_roll(e) if x.key not in n.values and self.fixed_place(e, x) is None]
        if asks := [ask for ask in (self.first_roll(e, x) for x in new) if ask.dice]:
            return tuple(asks)
        hand, rolls = list[Tie](), list[Ask]()
        for tie in self.find_ties(e):
            if self.is_tied_by_hand(e, tie):
                hand.append(tie)
            else:
                rolls += self.roll_offs(e, tie)
        # One at a time: the GM's answer to the first question may settle the others.
        return (*(self.order_ask(tie) for tie in hand[:1]), *rolls)

    def first_roll(self, e: Encounter, entry: Entry) -> RollAsk:
        """Return the ask for an entry's number."""
        dice = self.dice_for(e, entry)
        text = self.roll_text.replace("%s", dice_words(dice))
        reason = say(text, entry.key, rule=self.roll_rule)
        if self.roll_note:
            reason = say_because(text, self.roll_note, entry.key, rule=self.roll_rule)
        return RollAsk(f"{self.roll_word} {entry.key}", entry.key, dice, reason, plain=True)

    def find_ties(self, e: Encounter) -> list[Tie]:
        """Return the unsettled ties, in the order of the track."""
        n, usual = self.track(e), self.tie_rule(e)
        same: dict[tuple[int, ...], list[Entry]] = {}
        for x in self.numbered_entries(e):
            if self.fixed_place(e, x) is not None:
                continue
            kept = n.rules.get(str(n.values[x.key]))
            rule = kept or usual
            if rule != TOGETHER and (rule != HEROES_FIRST or (not kept and self._orders_by_hand(e))):
                same.setdefault(self.tie_level(e, x, n), []).append(x)
        alike = [some for _, some in sorted(same.items(), key=lambda item: item[0]) if len(some) > 1]
        return [tie for some in alike for tie in group_ties(some, n.ties, n.kin)]

    def tie_level(self, e: Encounter, entry: Entry, n: TrackNotes) -> tuple[int, ...]:
        """Return the sort key of an entry without roll-offs; entries with the same key are tied."""
        fixed = self.fixed_place(e, entry)
        value, place = (n.values.get(entry.key, 0) if fixed is None else fixed), fixed is not None
        if not entry.members:
            value, place = self.number_of_gone(e, entry.key) or (0, False)
        first = -value if self.high_first else value
        # A fixed place comes after rolled places of the same number and is in no tie: it was not rolled.
        kept = {} if place else kept_tie_breaks(entry, n)
        broken = -kept.get(n.rules.get(str(value)) or self.tie_rule(e), 0) if kept else 0
        return (first, self.late_rank(e, entry.key), place, broken)

    def is_tied_by_hand(self, e: Encounter, tie: Tie) -> bool:
        """Return whether the GM orders these tied entries, by house rule or because the GM did so before."""
        if self._orders_by_hand(e):
            return True
        ties = self.track(e).ties
        # No die overrides an order that the GM gave: a creature that joins the tie later is placed by the GM
        # too.
        return any(place <= 0 for x in tie.rivals for place in ties.get(x.key, ()))

    def _orders_by_hand(self, e: Encounter) -> bool:
        """Return whether a house rule lets the GM order tied entries."""
        declared = any(f.key == BY_HAND.key for f in self.options)
        return (declared and bool(self.option(e, BY_HAND.key))) or self.tie_rule(e) == "by_hand"

    def roll_offs(self, e: Encounter, tie: Tie) -> list[Ask]:
        """Return the rolls that are owed in a tie."""
        ties, rivals = self.track(e).ties, [x.key for x in tie.rivals]
        asks = list[Ask]()
        for key in (x.key for x in tie.rollers):
            others = [k for k in rivals if k != key]
            head = f"{{0}} is tied with {name_slots(len(others), 1)}"
            reason = say_because(head, "roll-off, high first", key, *others, rule=self.rolloff_rule)
            purpose = f"tie{len(ties.get(key, ()))} {key}"
            asks.append(RollAsk(purpose, key, (self.rolloff_die,), reason, tuple(rivals)))
        return asks

    def order_ask(self, tie: Tie) -> Ask:
        """Return the ask for the GM's order of tied entries."""
        keys = tuple(x.key for x in tie.rivals)
        reason = Sentence(f"{self.tied_text}: name them in acting order", keys, self.rolloff_rule)
        return PickAsk("hand " + " ".join(keys), GM, keys, reason, len(keys), len(keys))

    # --- how a number comes about

    @abstractmethod
    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """Return the sides of the dice that an entry rolls, in rolling order."""

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:  # noqa: ARG002
        """Return the number that these faces give."""
        return sum(faces)

    def makings(self, e: Encounter, entry: Entry) -> dict[str, Plain] | None:  # noqa: ARG002
        """Return what a roll of an entry is made with now, for its corrections; None if faces are all."""
        return None

    def made_with(self, e: Encounter, entry: Entry) -> dict[str, Plain]:
        """Return what the roll of an entry was made with; before the roll, what it would be made with now."""
        n = self.track(e)
        kept = n.makings.get(n.kin.get(entry.key, entry.key)) if entry.key in n.values else None
        # Saves of older versions kept nothing with a roll.
        return (self.makings(e, entry) or {}) if kept is None else kept

    def record_number(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """Record the number that these faces give."""
        d.emit(ev.Noted("values", self.total(d.encounter, entry, faces), entry.key))

    def overrule(self, d: Draft, ask: RollAsk, number: int) -> None:
        """Record a number that the dice of a roll for the order cannot give."""
        d.emit(ev.Noted("values", number, ask.who))

    def corrected_numbers(
        self, d: Draft, entry: Entry, new: tuple[tuple[int, ...], int], old: DiceRoll | None
    ) -> dict[EntryKey, int]:
        """Return the corrected numbers by key: of an entry, and of those that share its roll.

        `new` are the right faces and their number; `old` are the dice that they replace.
        """
        e, n = d.encounter, self.track(d.encounter)
        faces, number_ = new
        if old and old.faces:
            # Only the difference is applied: a bonus that was added at the roll still counts.
            number_ = n.values[entry.key] + self.total(e, entry, faces) - self.total(e, entry, old.faces)
        by = number_ - n.values[entry.key]
        roller = n.kin.get(entry.key, entry.key)
        return {k: value + by for k, value in n.values.items() if n.kin.get(k, k) == roller}

    @abstractmethod
    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Return the sentence that explains an entry's number."""

    def entries_to_roll(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries that need a number, with or without one."""
        return self.entries(e)

    def entries_that_roll(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries that roll in this round, before and after their roll."""
        return self.entries_to_roll(e)

    def numbered_entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries with a number, in roster order."""
        return self.filter_numbered(e, self.entries(e))

    def entry(self, e: Encounter, key: str) -> Entry:
        """Return the entry of a key with its members in play."""
        return Entry(EntryKey(key), tuple(c.id for c in members_in_play(e, key)))

    def tie_break(self, e: Encounter, entry: Entry, rule: str) -> int:  # noqa: ARG002
        """Return the present value of an entry for winning ties under a tie rule; high wins."""
        return 0

    def late_rank(self, e: Encounter, key: EntryKey) -> int:  # noqa: ARG002
        """Return how late an entry got its number: of equal entries later ones come after; usually 0."""
        return 0

    # --- numbers and tie rules

    def filter_numbered(self, e: Encounter, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return those of `entries` that have a number."""
        n = self.track(e)
        return tuple([x for x in entries if x.key in n.values or self.fixed_place(e, x) is not None])

    def fixed_place(self, e: Encounter, entry: Entry) -> int | None:
        """Return the fixed place (`value=`) of an entry, or None."""
        if self.fixed_places:
            for k in entry.members:
                if (value := e.combatants[k].value) is not None:
                    return value
        return None

    def number(self, e: Encounter, entry: Entry, n: TrackNotes | None = None) -> int | None:
        """Return an entry's number or fixed place; None while it is owed.

        `n` are the notes, if the caller has them.
        """
        place = self.fixed_place(e, entry)
        # 200 creatures in classic: looking up the notes for each of them took a third of the time of a key
        # press.
        return (n or self.track(e)).values.get(entry.key) if place is None else place

    def number_of_gone(self, e: Encounter, key: EntryKey) -> tuple[int, bool] | None:
        """Return the last number of an entry that has gone, and whether it was a fixed place; or None."""
        n = self.track(e)
        place = self.fixed_place(e, Entry(key, tuple(c.id for c in members(e, key))))
        if place is not None and not (key.startswith(SIDE) and key in n.values):
            return place, True
        if key in n.values:
            return n.values[key], False
        return (n.anchors[key], True) if key in n.anchors else None

    def tie_rule(self, e: Encounter) -> str:
        """Return the tie rule in force; "" in a system without a choice."""
        return str(self.option(e, self.tie_option)) if self.tie_option else ""

    def note_tie_breaks(self, d: Draft, entry: Entry) -> None:
        """Record the values of an entry that has just rolled for winning ties, under each tie rule."""
        if not self.tie_option:
            return
        # Stored under every rule: the table may change the rule later, and rolled numbers keep what they had
        # (CLASSIC-2).
        rules = next(f.choices for f in self.options if f.key == self.tie_option)
        numbers = {rule: n for rule in rules if (n := self.tie_break(d.encounter, entry, rule))}
        if numbers:
            d.emit(ev.Noted("breaks", numbers, entry.key))


def kept_tie_breaks(entry: Entry, n: TrackNotes) -> Mapping[str, int]:
    """Return the values that an entry had at its roll for winning ties, by tie rule; high wins."""
    return n.breaks.get(entry.key) or n.breaks.get(n.kin.get(entry.key, entry.key), {})


def common_advantage(e: Encounter, entry: Entry) -> str:
    """Return `adv` or `dis` if all members that have either have the same, else ""."""
    words = {e.combatants[k].word("adv") for k in entry.members} - {""}
    return words.pop() if len(words) == 1 else ""


SURPRISED_MARK = Mark("surprised", "is surprised", "surprised", "surprised", logged=True, alarming=True)
BARRED_MARK = Mark("barred", "sits out", tag="barred", logged=True)
"""The mark of a creature without a turn in this round; rows do not show its word, because their state does.
"""
