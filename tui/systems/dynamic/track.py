"""The order of a round: low first, a row for each creature or type, later ones behind equals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Literal

from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk, Sentence, say
from tui.core.fight.encounter import Encounter, Entry
from tui.core.odds.race import Race
from tui.core.rules.draft import Draft
from tui.systems.dynamic import declarations, racing, rolls
from tui.systems.dynamic import rows as row_rules
from tui.systems.dynamic.notes import notes_of, price_paid
from tui.systems.dynamic.pool import counting, worth
from tui.systems.dynamic.rows import declares, roller, surprised, takers, valueless
from tui.systems.shared.numbering import fixed, number
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
        """The rows: a group is cut where some of it are surprised, or where a type acts one by one."""
        return row_rules.rows(e)

    def entry(self, e: Encounter, key: str) -> Entry:
        """The entry of a key, with whoever of it takes part in this round."""
        if key in e.combatants:
            return Entry(key, (key,))
        return next((x for x in takers(e) if x.key == key), None) or super().entry(e, key)

    def row_of(self, e: Encounter, key: str) -> Entry | None:
        """Return the entry of a row; a creature of a group may have one of its own, and a group be cut."""
        return next((x for x in self.entries(e) if x.key == key), None)

    def rollers(self, e: Encounter) -> tuple[Entry, ...]:
        """Those who still have a die to roll; whoever has none needs none."""
        return tuple(x for x in valueless(e) if self.dice_for(e, x))

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """The pool's dice, of the die that falls twice both."""
        return rolls.pool_of(e, entry).rolled

    def numbered(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """The sum, the others of the type, the cap, and surprise on top, for each row of the roller."""
        rolls.settle_number(d, d.scene if entry.key in d.scene.combatants else d.encounter, entry, faces)

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """The sum of a pool, before others of the type and surprise; a save with its bonus (DIS-10, DIS-17)."""
        if roll.ask.startswith("save") and roll.who in e.combatants:
            return roll.faces[0] + e.combatants[roll.who].number("con"), roll.faces
        pool = rolls.pool_of(e, self.entry(e, roll.who))
        fits = roll.ask.startswith("init ") and roll.dice == pool.rolled
        return (worth(pool, roll.faces), counting(pool, roll.faces)) if fits else None

    def number_of(self, e: Encounter, ask: RollAsk, faces: tuple[int, ...]) -> int:
        """The number on the track: with others of the type and surprise."""
        entry = self.entry(e, ask.who)
        if not ask.key.startswith("init ") or not entry.members:
            return super().number_of(e, ask, faces)
        return rolls.shown_number(e, entry, faces)

    def answer_total(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], total: int) -> None:
        """A pool that is known by its total alone."""
        super().answer_total(d, ask, faces, total)
        d.emit(ev.Noted("sums", "as called", ask.who))

    def lateness(self, e: Encounter) -> Mapping[str, int]:
        """Who switched last stands behind all of the same number."""
        return {key: found[0] for key, found in notes_of(e).later.items()}

    def tie_break(self, e: Encounter, entry: Entry, rule: str) -> int:
        """Players first, or fewest dice first, by house rule (DIS-A17)."""
        match rule:
            case "players_first":
                return int(declares(e, entry.key))
            case "fewest_dice":
                return -len(rolls.pool_of(e, self.entry(e, roller(e, entry.key))).dice)
            case _:
                return 0

    def toward(self, e: Encounter) -> str:
        """Whoever owes a declaration repeats the last one, or makes the usual one; then the turns, to the next dice."""
        return declarations.usual(e) or ("next 99" if e.phase == "turns" else super().toward(e))

    def thrown_for(self, e: Encounter) -> Race | None:
        """What the declarations roll; rows of one type go by one roll."""
        return racing.race(self, e)

    def ways(self, e: Encounter, ask: RollAsk) -> Iterable[tuple[float, tuple[int, ...]]]:
        """Of a pool the sum alone means anything."""
        return racing.ways(e, self.entry(e, ask.who), ask) or super().ways(e, ask)

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """The dice, without surprise and switches."""
        return rolls.explained(e, entry, self.entry(e, notes_of(e).kin.get(entry.key, entry.key)))

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """The dice, then surprise, switches, roll-offs and moves."""
        found = super().why(e, entry)
        place = fixed(self, e, entry)
        if place is not None:
            told = f"a fixed place at {place}; the lowest number acts first"
            return (say(told, entry.key, rule="DIS-A23"), *found[1:])
        if number(self, e, entry) is None:
            late = say("came after the dice: acts from the next round on", entry.key, rule="DIS-26")
            return (late,) if all("barred" in e.combatants[k].marks for k in entry.members) else found
        paid = price_paid(e, entry.key)
        more = [say("+10: surprised", entry.key, rule="DIS-24")] if surprised(e, entry) else []
        more += [say(f"+{paid} for switching", entry.key, rule="DIS-16")] if paid else []
        return (found[0], *more, *found[1:])
