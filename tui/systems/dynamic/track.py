"""Numbers of the Dynamic Initiative System: who rolls what, what it gives, where it puts a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from msgspec import field

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.combatant import Combatant, is_pc
from tui.core.fight.dice import Constant, DiceError, DiceTerm, parse
from tui.core.fight.encounter import SIDE, Encounter, Entry, key_of, members
from tui.core.rules.draft import Draft
from tui.core.rules.system import notes
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Pool
from tui.systems.dynamic.text import SIZES
from tui.systems.shared.numbering import TrackNotes, fixed, number
from tui.systems.shared.track import TrackSystem


class DynamicNotes(TrackNotes, frozen=True):
    """What the round knows beside the numbers. Keys are entries unless it says ids.

    `apart`: ids with a row of their own though they roll with a group; `later`:
    for each switch its number in the round and the price so far; `resize`: dice chosen for effects, as sides;
    `saves`: by id, saves asked and answered; `sums`: by roller, how its sum came about.
    """

    apart: tuple[str, ...] = ()
    later: dict[str, list[int]] = field(default_factory=dict)
    resize: dict[str, list[int]] = field(default_factory=dict)
    saves: dict[str, list[int]] = field(default_factory=dict)
    sums: dict[str, str] = field(default_factory=dict)


class DynamicTrack(TrackSystem):
    """The order of a round: pools, types of creatures, surprise; low first."""

    high_first = False
    turn_edges: ClassVar[Literal["turn", "round"]] = "round"
    roll_rule = "DIS-5"
    rolloff_rule = "DIS-6"
    tie_option = "dis.tie"
    turn_rule = "DIS-6"
    round_rule = "DIS-9"

    def track_notes(self, e: Encounter) -> DynamicNotes:
        """The notes of the round."""
        return notes(e, DynamicNotes)

    # --- who rolls

    def declares(self, e: Encounter, key: str) -> bool:
        """Whether an entry is a players' character's, which declares (DIS-18)."""
        return any(is_pc(c) for c in members(e, key))

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """The rows: a group is cut where some of it are surprised, or where a type acts one by one."""
        n = self.track_notes(e)
        apart = set(n.apart)
        playing = self.in_play(e)
        one_by_one = self.option(e, "dis.group") == "staggered"
        declaring = {key_of(c) for c in playing if is_pc(c)} if one_by_one else set()
        found: dict[str, list[str]] = {}
        for c in playing:
            key = key_of(c)
            cut = n.kin.get(c.id) == key or (key not in declaring and key not in n.values)
            single = one_by_one and cut
            found.setdefault(c.id if single or c.id in apart else key, []).append(c.id)
        return tuple(Entry(key, tuple(ids)) for key, ids in found.items())

    def takers(self, e: Encounter) -> tuple[Entry, ...]:
        """Who gets a number in this round by its own roll: creatures and groups without a fixed place."""
        found: dict[str, list[str]] = {}
        for x in self.entries(e):
            ids = [k for k in x.members if "barred" not in e.combatants[k].marks]
            if ids and fixed(self, e, x) is None:
                found.setdefault(self.roller(e, x.key), []).extend(ids)
        return tuple(Entry(key, tuple(ids)) for key, ids in found.items())

    def entry(self, e: Encounter, key: str) -> Entry:
        """The entry of a key, with whoever of it takes part in this round."""
        if key in e.combatants:
            return Entry(key, (key,))
        return next((x for x in self.takers(e) if x.key == key), None) or super().entry(e, key)

    def rollers(self, e: Encounter) -> tuple[Entry, ...]:
        """Those who still have a die to roll; whoever has none needs none."""
        known = self.track_notes(e).values
        return tuple(x for x in self.takers(e) if x.key not in known and self.hand(e, x).rolled)

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """The pool's dice, of the die that falls twice both."""
        return self.hand(e, entry).rolled

    # --- pools

    def hand(self, e: Encounter, entry: Entry, text: Mapping[str, str] | None = None) -> Pool:
        """What an entry rolls: resized, then its largest die twice if something says so (DIS-A24).

        With `text` as if it had declared that.
        """
        people = [e.combatants[k] for k in entry.members]
        advs = {c.word("adv") for c in people} - {""}
        return pools.lucky(self.resizing(e, entry, text)[0], advs.pop() if len(advs) == 1 else "")

    def resizing(
        self, e: Encounter, entry: Entry, text: Mapping[str, str] | None = None
    ) -> tuple[Pool, tuple[int, ...]]:
        """The pool after bonuses and penalties, and the dice among which the next one must choose."""
        people = [e.combatants[k] for k in entry.members]
        picks = self.track_notes(e).resize.get(entry.key, ())
        ask = self.option(e, "dis.resize") == "ask"
        return pools.resized(
            self._base(e, entry, text), _effects(people), self.option(e, "dis.floor"), picks, ask=ask
        )

    def _base(self, e: Encounter, entry: Entry, text: Mapping[str, str] | None) -> Pool:
        if self.declares(e, entry.key):
            said = self.declared(e, entry.key) if text is None else text
            return pools.hand(pools.read(said), one=self.single(e))
        return Pool(max((_die(e.combatants[k]) for k in entry.members), key=sum, default=()))

    def declared(self, e: Encounter, key: str) -> dict[str, str]:
        """The declaration that a row goes by in this round: its own, or its group's."""
        for k in (key, self.roller(e, key)):
            if k in e.orders:
                return e.orders[k]
        return {}

    def single(self, e: Encounter) -> bool:
        """Whether only one of a weapon's dice counts (DIS-A8)."""
        return bool(self.option(e, "dis.multi_dice") == "one")

    def roller(self, e: Encounter, key: str) -> str:
        """The key under which a row rolled."""
        return key if key.startswith(SIDE) or key not in e.combatants else key_of(e.combatants[key])

    # --- numbers

    def numbered(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """The sum, the others of the type, the cap, and surprise on top, for each row of the roller."""
        alone = entry.key in d.scene.combatants
        e = d.scene if alone else d.encounter
        pool = self.hand(e, entry)
        base, told = pools.worth(pool, faces), pools.told(pool, faces)
        rows = [entry] if alone else [x for x in self.entries(e) if self.roller(e, x.key) == entry.key]
        shifts = self._shifts(e, entry, rows)
        if added := min(shifts.get(entry.key, 0), pool.most - base):
            told += f" + {added} for the others of the type"
            d.announce(f"{{0}}: {base} + {added} for the others", *_seen(e, entry), rule="DIS-20")
        d.emit(ev.Noted("sums", told, entry.key))
        if entry.key not in {x.key for x in rows}:
            d.emit(ev.Noted("values", base, entry.key))
        for x in rows:
            number = min(base + shifts[x.key], pool.most) + (10 if surprised(e, x) else 0)
            d.emit(ev.Noted("values", number, x.key))
            if x.key != entry.key:
                d.emit(ev.Noted("kin", entry.key, x.key))

    def _shifts(self, e: Encounter, entry: Entry, rows: Sequence[Entry]) -> dict[str, int]:
        """What the number of creatures adds to each row (DIS-20)."""
        how = self.option(e, "dis.group")
        if how == "off" or self.declares(e, entry.key):
            return {x.key: 0 for x in rows}
        counts = {k: max(1, e.combatants[k].number("count", 1)) for k in entry.members}
        if how == "shared":
            return {x.key: sum(counts.values()) - 1 for x in rows}
        so_far, found = 0, {}
        for x in rows:
            so_far += sum(counts.get(k, 0) for k in x.members)
            found[x.key] = so_far - 1
        return found

    def lateness(self, e: Encounter, key: str) -> int:
        """Who switched last stands behind all of the same number."""
        return self.track_notes(e).later.get(key, [0])[0]

    def tie_break(self, e: Encounter, entry: Entry, rule: str) -> int:
        """Players first, or fewest dice first, by house rule."""
        match rule:
            case "players_first":
                return int(self.declares(e, entry.key))
            case "fewest_dice":
                return -len(self.hand(e, self.entry(e, self.roller(e, entry.key))).dice)
            case _:
                return 0

    # --- why

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """The dice, without surprise and switches."""
        n = self.track_notes(e)
        roller = n.kin.get(entry.key, entry.key)
        own = n.values.get(entry.key, 0) - n.later.get(entry.key, [0, 0])[1] - 10 * surprised(e, entry)
        behind = own - n.values.get(roller, own) if roller != entry.key else 0
        more = f" + {behind} in line" if behind > 0 else ""
        rule = "DIS-10" if self.declares(e, entry.key) else "DIS-19"
        about = (entry.key,) if rule == "DIS-10" else _seen(e, self.entry(e, roller), entry.key)
        return say(f"{n.sums.get(roller, 'as before')}{more} = {own}", *about, rule=rule)

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """The dice, then surprise, switches, roll-offs and moves."""
        found = super().why(e, entry)
        if fixed(self, e, entry) is not None or number(self, e, entry) is None:
            late = say("came after the dice: acts from the next round", entry.key, rule="DIS-26")
            return (late,) if all("barred" in e.combatants[k].marks for k in entry.members) else found
        paid = self.track_notes(e).later.get(entry.key, [0, 0])[1]
        more = [say("+10: surprised", entry.key, rule="DIS-24")] if surprised(e, entry) else []
        more += [say(f"+{paid} for switching", entry.key, rule="DIS-16")] if paid else []
        return (found[0], *more, *found[1:])


def surprised(e: Encounter, entry: Entry) -> bool:
    """Whether everybody in a row is surprised."""
    return all("surprised" in e.combatants[k].marks for k in entry.members)


def _seen(e: Encounter, roller: Entry, key: str = "") -> tuple[str, ...]:
    """A row and the hidden of its type: who does not see those may not read how many they are."""
    return (key or roller.key, *(k for k in roller.members if e.combatants[k].hidden))


def _effects(people: Sequence[Combatant]) -> int:
    """Sizes that the effects on the first creature with any come to; positive grows."""
    given: Any = next((b for c in people if (b := c.fields.get("bonus"))), ())
    return pools.effects([given] if isinstance(given, int) else list(given))


def _die(c: Combatant) -> tuple[int, ...]:
    """A creature's initiative dice: its own, else its size's (DIS-19)."""
    try:
        terms = parse(str(c.fields.get("die", ""))).terms if c.fields.get("die") else ()
    except DiceError:
        terms = ()
    own = [t.sides for t in terms if isinstance(t, DiceTerm) for _ in range(t.count)]
    own += [t.value for t in terms if isinstance(t, Constant) and t.value]
    return tuple(own[: pools.MOST_DICE]) or (SIZES.get(c.word("size"), SIZES["medium"]),)
