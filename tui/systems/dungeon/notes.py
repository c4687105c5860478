"""Hold the notes of Dungeon Universalis; find the creatures in play and the side whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from tui.core.base.cache import remember_results
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant, EntryKey, Plain
from tui.core.fight.encounter import Encounter, Entry, active, key_of, unacted
from tui.core.language.select import match_name
from tui.core.rules.draft import Draft
from tui.core.rules.system import notes
from tui.systems.dungeon.text import COMMANDERS, DARK, DEFAULTS, HEROES


class RollValues(Struct, frozen=True):
    """What dice were rolled with."""

    per: int
    """The Perception of the roller."""
    mod: int
    """The sum of the roller's bonuses and penalties."""
    mind: int
    """The Intelligence of the roller."""
    best: int
    """The Intelligence of the best member of the roller's entry."""


class Contest(Struct, frozen=True):
    """An opposed roll that is not finished."""

    kind: str
    """`meeting` (the first in a section, with surprise) or `placement`."""
    stage: str = "opposed"
    """`opposed` (dice are owed), `caught` (the GM picks victims) or `ranks` (the rest of a track rolls)."""
    heroes: str = ""
    """The id of the hero that was named or drawn to roll; "" for the nearest."""
    dark: str = ""
    """The id of the enemy that was named or drawn to roll; "" for the nearest."""
    finder: str = ""
    """The id of the creature that discovered the others, if distances may choose another roller (DUN-8)."""
    door: bool = False
    """Whether a door was broken down, which prevents surprise."""
    won: str = ""
    """The side that won; "" until the dice decide."""
    reach: tuple[str, ...] = ()
    """The ids of the losers that surprise catches if they are near enough."""
    again: bool = False
    """Whether the contest is decided again after a correction, so that numbers on the track are kept."""


class Notes(Struct, frozen=True):
    """The notes of a fight by sides."""

    side: str = HEROES
    """The side whose turn it is."""
    closed: bool = False
    """Whether the side's turn was ended by hand."""
    news: str = ""
    """The clause by which the side's turn began; "" for the usual change of turns."""
    combat: bool = False
    """Whether combat runs."""
    contest: Contest = Contest("", stage="")
    """The opposed roll that is not finished; its kind is "" if there is none."""
    faces: dict[str, list[int]] = {}
    """The dice of the contest by id."""
    made: dict[str, RollValues] = {}
    """What those dice were rolled with, by id; older saves have none."""
    winners: dict[str, int] = {}
    """The newcomers that may act at once, by id: 0 if no turn waits for them.

    If one does, the number is 1 more than the `cut_depth` of the waiting turn.
    """
    led: str = ""
    """The id of the commander that last suspended a track; "" for none."""


def dungeon_notes(e: Encounter) -> Notes:
    """Return the notes of a fight by sides."""
    return notes(e, Notes)


def option(e: Encounter, key: str) -> Plain:
    """Return the value of a house rule, or its default if it is not set."""
    return e.options.get(key, DEFAULTS[key])


def has_track(e: Encounter) -> bool:
    """Return whether a first meeting without a commander is followed by a track."""
    return e.system == "dungeon-track"


def creatures_in_play(e: Encounter) -> list[Combatant]:
    """Return the heroes, and the enemies that were met or placed."""
    return _filter_in_play(active(e))


def _filter_in_play(present: Iterable[Combatant]) -> list[Combatant]:
    return [c for c in present if c.side == HEROES or "met" in c.marks]


def team(e: Encounter, side: str) -> list[Combatant]:
    """Return the creatures of a side that take part."""
    return [c for c in creatures_in_play(e) if c.side == side]


def reserve(e: Encounter) -> list[Combatant]:
    """Return the enemies that were neither met nor placed yet."""
    return [c for c in active(e) if c.side == DARK and "met" not in c.marks]


def new_enemies(e: Encounter) -> list[Combatant]:
    """Return the enemies that the running contest is about."""
    return [c for c in creatures_in_play(e) if c.side == DARK and "new" in c.marks]


def is_fighting(e: Encounter) -> bool:
    """Return whether combat runs and an enemy is in play."""
    return dungeon_notes(e).combat and bool(team(e, DARK))


def section(e: Encounter) -> list[Combatant]:
    """Return the enemies that `meet` without `with=` means: the reserve, else those met before."""
    return reserve(e) or ([] if is_fighting(e) else team(e, DARK))


def commander(e: Encounter) -> str:
    """Return the id of a commander of the dark side in play, a visible one first; "" for none."""
    creatures = [c for c in team(e, DARK) if c.word("rank") in COMMANDERS]
    return min(creatures, key=lambda c: c.hidden).id if creatures else ""


def all_entries(e: Encounter) -> tuple[Entry, ...]:
    """Return the values of `entries_by_key`."""
    return tuple(entries_by_key(e).values())


def entries_by_key(e: Encounter) -> Mapping[str, Entry]:
    """Return the entries in roster order, by key; a companion belongs to its hero's (DUN-24)."""
    return _entries_by_key(e.combatants, e.round)


# 200 creatures: undo 18 ms, without the cache 42; a roll for all 47 ms, without it 86.
@remember_results
def _entries_by_key(people: Mapping[str, Combatant], number: int) -> dict[str, Entry]:
    groups: dict[str, list[str]] = {}
    present = _filter_in_play(c for c in people.values() if not c.out and c.arrives <= number)
    friends = {c.id: friend for c in present if c.word("acts_with") and (friend := _find_friend(c, present))}
    tied = {k: _end_of_chain(k, friends) for k in friends}
    for c in present:
        groups.setdefault(key_of(tied.get(c.id, c)), []).append(c.id)
    return {key: Entry(EntryKey(key), tuple(ids)) for key, ids in groups.items()}


def _find_friend(c: Combatant, present: Iterable[Combatant]) -> Combatant | None:
    names = {x.name: x for x in present if x.side == c.side and x.id != c.id}
    try:
        return names[match_name(c.word("acts_with"), list(names), "hero")]
    except RuleError:
        return None


def _end_of_chain(who: str, friends: dict[str, Combatant]) -> Combatant:
    """Return the end of a chain of companions; in a ring, the next creature."""
    creature, seen = friends[who], {who}
    # A ring of companions, which is easily made with `set`, would make this loop endless.
    while creature.id in friends and creature.id not in seen:
        seen.add(creature.id)
        creature = friends[creature.id]
    return creature


def core_members(e: Encounter, entry: Entry) -> list[Combatant]:
    """Return the members of an entry without companions; all members if there are only companions."""
    present = [e.combatants[k] for k in entry.members]
    return [c for c in present if key_of(c) == entry.key] or present


def best_roller(e: Encounter, entry: Entry) -> Combatant:
    """Return the member that rolls for an entry: best Perception, then Intelligence (TRK-6)."""
    # One creature and not two maxima: the Intelligence is that of the creature with the best Perception
    # (TRK-6).
    return max(core_members(e, entry), key=lambda c: (c.number("per"), c.number("int")))


def made_with(e: Encounter, c: Combatant) -> RollValues:
    """Return what a creature's opposed roll was made with; before the roll, as `made_now`."""
    kept = (dungeon_notes(state).made.get(c.id) for state in (e, *e.decision[:1]))
    return next(filter(None, kept), None) or made_now(e, c)


def made_now(e: Encounter, c: Combatant) -> RollValues:
    """Return what a roll of a creature would be made with now."""
    entry = entry_of(all_entries(e), c.id)
    best = best_roller(e, entry) if entry else c
    return RollValues(c.number("per"), c.number("mod"), c.number("int"), best.number("int"))


def entry_of(entries: Iterable[Entry], who: str) -> Entry | None:
    """Return the entry with this member, or None if there is none."""
    return next((x for x in entries if who in x.members), None)


def winners_to_act(e: Encounter) -> list[str]:
    """Return the ids of newcomers that won and may act now, before the interrupted turn goes on."""
    present = {c.id for c in unacted(creatures_in_play(e)) if "barred" not in c.marks}
    busy, depth = {k for t in e.paused for k in t.members}, cut_depth(e)
    winners = dungeon_notes(e).winners.items()
    return [k for k, level in winners if k in present and k not in busy and level > depth]


def cut_depth(e: Encounter) -> int:
    """Return the depth of newcomers' turns that are interrupted; -1 if no turn is, 0 for any other turn."""
    winners = dungeon_notes(e).winners
    return max((winners.get(k, 0) for t in e.paused for k in t.members), default=-1)


def newcomers_by_key(entries: Iterable[Entry], ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the newcomers by the key under which they act.

    This is their group if all of it is new, else each creature alone.
    """
    keys: dict[str, tuple[str, ...]] = {}
    for x in entries:
        mine = tuple(k for k in x.members if k in ids)
        if len(mine) == len(x.members):
            keys[x.key] = mine
        else:
            keys.update({k: (k,) for k in mine})
    return keys


def announce_side(d: Draft, text: str) -> None:
    """Announce the beginning or end of a side's turn.

    The sentence is hidden from viewers who do not see the commander (TRK-12).
    """
    led = dungeon_notes(d.encounter).led
    d.announce(text, *([led] if led else []), rule="DUN-24")
