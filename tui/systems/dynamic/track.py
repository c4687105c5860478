"""Put a round in order, low first, later rows behind equals; give the race for its odds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Literal

from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk, Sentence, say
from tui.core.fight.encounter import Encounter, Entry
from tui.core.odds.race import Case, Race, Throw
from tui.core.odds.spread import Spread, added, always, best_of_two, changed, die
from tui.core.rules.draft import Draft
from tui.systems.dynamic import declarations
from tui.systems.dynamic import rows as row_rules
from tui.systems.dynamic.pool import Pool, counting, worth
from tui.systems.dynamic.rows import (
    declares,
    number_of,
    pool_of,
    roller,
    rows,
    shifts_of,
    surprised,
    takers,
    valueless,
)
from tui.systems.dynamic.text import notes_of, price_paid
from tui.systems.shared.declarations import Numbering, fixed, number, track_notes
from tui.systems.shared.placing import fresh
from tui.systems.shared.track import TrackSystem, given, throw, throw_of


def race(s: Numbering, e: Encounter) -> Race | None:
    """Return the race of a round, or None where earlier dice or the game master's moves count."""
    if e.shifts or s.lateness(e):
        return None
    all_ = [x for x in rows(e) if fresh(e, x)]
    throws, totals = list[Throw](), dict[str, Spread]()
    for x in all_:
        if (place := fixed(s, e, x)) is not None:
            throws.append(throw(s, e, x, always(place)))
    for taker in takers(e):
        mine = [x for x in all_ if roller(e, x.key) == taker.key and fixed(s, e, x) is None]
        spread, worth = _worth(e, taker, mine)
        if len(mine) > 1 and track_notes(e).ties:
            return None
        throws.append(
            throw_of(s, e, mine, spread, worth)
            if len(mine) > 1
            else throw(s, e, mine[0], changed(spread, worth[mine[0].key].__getitem__))
        )
        totals |= {x.key: changed(spread, worth[x.key].__getitem__) for x in mine}
    return Race((Case(1.0, tuple(throws)),), totals=totals, given=given(s, e))


def _worth(e: Encounter, taker: Entry, mine: Sequence[Entry]) -> tuple[Spread, dict[str, dict[int, int]]]:
    """Return what a taker may roll, and the numbers that each of its rows makes of a sum."""
    values = track_notes(e).values
    if all(x.key in values for x in mine):
        return always(0), {x.key: {0: values[x.key]} for x in mine}
    pool = pool_of(e, taker)
    spread, shifts = spread_of(pool), shifts_of(e, taker, mine)
    return spread, {x.key: {n: number_of(e, x, n, shifts[x.key], pool) for n in spread} for x in mine}


def spread_of(pool: Pool) -> Spread:
    """Return the distribution of a pool; of the die that is rolled twice one face counts."""
    dice = [
        best_of_two(sides, low=pool.low) if place == pool.twice else die(sides)
        for place, sides in enumerate(pool.dice)
    ]
    return added([*dice, always(pool.flat)])


def possible_faces(e: Encounter, taker: Entry, ask: RollAsk) -> list[tuple[float, tuple[int, ...]]]:
    """Return one set of faces for each sum of a pool, with the chance of that sum; empty for other dice."""
    pool = pool_of(e, taker)
    if not ask.key.startswith("init ") or ask.dice != pool.rolled:
        return []
    pairs: dict[int, tuple[float, tuple[int, ...]]] = {0: (1.0, ())}
    for place, sides in enumerate(pool.dice):
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for so_far, (p, faces) in pairs.items():
            for face, q, more in _falls(pool, place, sides):
                chance, _ = after.get(so_far + face, (0.0, ()))
                after[so_far + face] = (chance + p * q, (*faces, *more))
        pairs = after
    return list(pairs.values())


def _falls(pool: Pool, place: int, sides: int) -> list[tuple[int, float, tuple[int, ...]]]:
    """Return the values that a die of a pool counts, each with its chance and faces that give it."""
    if sides == 1:
        return [(1, 1.0, ())]
    if place != pool.twice:
        return [(face, p, (face,)) for face, p in die(sides).items()]
    other = sides if pool.low else 1
    return [(face, p, (face, other)) for face, p in best_of_two(sides, low=pool.low).items()]


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

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """Return the dice of a pool, both of the die that is rolled twice."""
        return row_rules.pool_of(e, entry).rolled

    def numbered(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """Record sum, type, cap and then surprise for each row of the roller."""
        row_rules.settle_number(d, d.scene if entry.key in d.scene.combatants else d.encounter, entry, faces)

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """Return the sum of a pool before type and surprise, or a save with its bonus (DIS-10, DIS-17)."""
        if roll.ask.startswith("save") and roll.who in e.combatants:
            return roll.faces[0] + e.combatants[roll.who].number("con"), roll.faces
        pool = row_rules.pool_of(e, self.entry(e, roll.who))
        fits = roll.ask.startswith("init ") and roll.dice == pool.rolled
        return (worth(pool, roll.faces), counting(pool, roll.faces)) if fits else None

    def number_of(self, e: Encounter, ask: RollAsk, faces: tuple[int, ...]) -> int:
        """Return the number on the track, with type and surprise."""
        entry = self.entry(e, ask.who)
        if not ask.key.startswith("init ") or not entry.members:
            return super().number_of(e, ask, faces)
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

    def toward(self, e: Encounter) -> str:
        """Return the line that leads to the next dice: an owed declaration, or the turns."""
        return declarations.usual(e) or ("next 99" if e.phase == "turns" else super().toward(e))

    def thrown_for(self, e: Encounter) -> Race | None:
        """Return the race that the declarations roll; rows of one type share a roll."""
        return race(self, e)

    def possible_faces(self, e: Encounter, ask: RollAsk) -> Iterable[tuple[float, tuple[int, ...]]]:
        """Yield faces; of a pool the sum alone means anything."""
        return possible_faces(e, self.entry(e, ask.who), ask) or super().possible_faces(e, ask)

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Explain the dice, without surprise and switches."""
        return row_rules.explained(e, entry, self.entry(e, notes_of(e).kin.get(entry.key, entry.key)))

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """Explain a row: dice, surprise, switches, roll-offs and moves."""
        sentences = super().why(e, entry)
        place = fixed(self, e, entry)
        if place is not None:
            text = f"a fixed place at {place}; the lowest number acts first"
            return (say(text, entry.key, rule="DIS-A23"), *sentences[1:])
        if number(self, e, entry) is None:
            late = say("came after the dice: acts from the next round on", entry.key, rule="DIS-26")
            return (late,) if all("barred" in e.combatants[k].marks for k in entry.members) else sentences
        paid = price_paid(e, entry.key)
        more = [say("+10: surprised", entry.key, rule="DIS-24")] if surprised(e, entry) else []
        more += [say(f"+{paid} for switching", entry.key, rule="DIS-16")] if paid else []
        return (sentences[0], *more, *sentences[1:])
