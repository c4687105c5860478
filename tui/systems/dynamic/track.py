"""Put a round in order, low first, later rows behind equals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk, Sentence, say
from tui.core.fight.encounter import DiceRoll, Encounter, Entry
from tui.core.rules.draft import Draft
from tui.systems.dynamic import rows as row_rules
from tui.systems.dynamic.pool import counting, worth
from tui.systems.dynamic.rows import (
    declares,
    roller,
    surprised,
    takers,
    valueless,
)
from tui.systems.dynamic.text import notes_of, price_paid
from tui.systems.shared.track import TrackSystem


class DynamicTrack(TrackSystem):
    """The order of a round, by the rules of rows and rolls."""

    high_first = False
    turn_edges: ClassVar[Literal["turn", "round"]] = "round"
    roll_rule = "DIS-5"
    rolloff_rule = "DIS-6"
    tie_option = "dis.tie"
    turn_rule = "DIS-6"
    round_rule = "DIS-9"
    join_rule = "DIS-26"

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the rows: groups are cut where members are surprised or a type acts one by one."""
        return row_rules.rows(e)

    def entry(self, e: Encounter, key: str) -> Entry:
        """Return the entry of a key with the members that take part in this round."""
        if key in e.combatants:
            return Entry(key, (key,))
        return next((x for x in takers(e) if x.key == key), None) or super().entry(e, key)

    def row_of(self, e: Encounter, key: str) -> Entry | None:
        """Return the entry of a row; a creature of a group may have one of its own, and a group be cut."""
        return next((x for x in self.entries(e) if x.key == key), None)

    def rollers(self, e: Encounter) -> tuple[Entry, ...]:
        """Return those who still have a die to roll; those without one need none."""
        return tuple(x for x in valueless(e) if self.dice_for(e, x))

    def who_rolled(self, e: Encounter) -> tuple[Entry, ...]:
        """Return those who had a die to roll in this round."""
        return takers(e)

    def corrected(
        self, d: Draft, entry: Entry, new: tuple[tuple[int, ...], int], old: DiceRoll | None
    ) -> dict[str, int]:
        """Return the right numbers of a roller's rows, with type, cap and surprise; prices stay (DIS-16)."""
        return row_rules.right_numbers(d.encounter, entry, new, old)

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Put a pool right, and the sum that its row explains."""
        entry = self.entry(d.encounter, ask.who)
        fits = d.encounter.rolls[ask.key].faces and ask.dice == self.dice_for(d.encounter, entry)
        formula = row_rules.formula(d.encounter, entry, new[0]) if fits else "as called"
        d.emit(ev.Noted("sums", formula, ask.who))
        super().correct(d, ask, new, old)

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """Return the dice of a pool, both of the die that is rolled twice."""
        return row_rules.pool_of(e, entry).rolled

    def record_number(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """Record sum, type, cap and then surprise for each row of the roller."""
        row_rules.settle_number(d, d.encounter, entry, faces)

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """Return the sum of a pool before type and surprise (DIS-10)."""
        pool = row_rules.pool_of(e, self.entry(e, roll.who))
        fits = roll.ask.startswith("init ") and roll.dice == pool.rolled
        return (worth(pool, roll.faces), counting(pool, roll.faces)) if fits else None

    def number_of(self, e: Encounter, ask: RollAsk, faces: tuple[int, ...]) -> int:
        """Return the number on the track, with type and surprise."""
        entry = self.entry(e, ask.who)
        if not ask.key.startswith("init ") or not entry.members:
            return super().number_of(e, ask, faces)
        if row_rules.has_switched(e, entry) and (old := e.rolls.get(ask.key)):
            return row_rules.before_switch(e, entry, faces, old)
        return row_rules.shown_number(e, entry, faces)

    def answer_total(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], total: int) -> None:
        """Take a pool by its total alone."""
        super().answer_total(d, ask, faces, total)
        d.emit(ev.Noted("sums", "as called", ask.who))

    def lateness(self, e: Encounter) -> Mapping[str, int]:
        """Return who switched last, who stands behind all of the same number."""
        return {key: numbers[0] for key, numbers in notes_of(e).later.items()}

    def tie_break(self, e: Encounter, entry: Entry, rule: str) -> int:
        """Return what breaks ties by house rule: players first, or fewest dice first (DIS-A17)."""
        match rule:
            case "players_first":
                return int(declares(e, entry.key))
            case "fewest_dice":
                return -len(row_rules.pool_of(e, self.entry(e, roller(e, entry.key))).dice)
            case _:
                return 0

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Explain the dice, without surprise and switches."""
        return row_rules.explained(e, entry, self.entry(e, notes_of(e).kin.get(entry.key, entry.key)))

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """Explain a row: dice, surprise, switches, roll-offs and moves."""
        sentences = super().why(e, entry)
        place = self.fixed(e, entry)
        if place is not None:
            text = f"a fixed place at {place}; the lowest number acts first"
            return (say(text, entry.key, rule="DIS-A23"), *sentences[1:])
        if self.number(e, entry) is None:
            late = say("came after the dice: acts from the next round on", entry.key, rule="DIS-26")
            return (late,) if all("barred" in e.combatants[k].marks for k in entry.members) else sentences
        paid = price_paid(e, entry.key)
        more = [say("+10: surprised", entry.key, rule="DIS-24")] if surprised(e, entry) else []
        more += [say(f"+{paid} for switching", entry.key, rule="DIS-16")] if paid else []
        return (sentences[0], *more, *sentences[1:])
