"""Who is tied with whom, who still has a turn, and rows that were moved by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, takewhile

from msgspec import Struct

from tui.core.fight.agenda import Ask, PickAsk, RollAsk, Sentence, reasoned
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import GM, Encounter, Entry, Shift
from tui.core.rules.draft import Draft


class Tie(Struct, frozen=True):
    """Entries that nothing sets apart: `owing` roll next, against `rivals`, who may be ahead in dice."""

    owing: tuple[Entry, ...]
    rivals: tuple[Entry, ...]


def unsettled(some: Sequence[Entry], ties: Mapping[str, Sequence[int]], kin: Mapping[str, str]) -> list[Tie]:
    """The ties among entries of one number, front to back.

    `ties`: what each has rolled so far; a newcomer rolls against what is remembered. `kin`: whose number came
    from whose roll; they are as one here.
    """
    same: dict[tuple[int, ...], list[Entry]] = {}
    ahead: dict[tuple[int, ...], list[Entry]] = {}
    for x in some:
        rolled = tuple(ties.get(x.key, ()))
        same.setdefault(rolled, []).append(x)
        # Under every beginning of what it threw, so that a newcomer finds all who were once level there.
        for length in range(len(rolled) + 1):
            ahead.setdefault(rolled[:length], []).append(x)
    found = []
    # Highest first, so that ties are asked for in the order of the track.
    for so_far in sorted(same, key=lambda rolled: [-r for r in rolled]):
        rivals = _heads(ahead[so_far], kin) if len(ahead[so_far]) > 1 else ()
        if len(rivals) > 1:
            found.append(Tie(_heads(same[so_far], kin), rivals))
    return found


def _heads(some: Sequence[Entry], kin: Mapping[str, str]) -> tuple[Entry, ...]:
    """The first of each kin."""
    found: dict[str, Entry] = {}
    for x in some:
        found.setdefault(kin.get(x.key, x.key), x)
    return tuple(found.values())


def fresh(e: Encounter, entry: Entry) -> list[Combatant]:
    """The members of an entry who still have a turn in this round."""
    people = e.combatants
    return [c for k in entry.members if not ("acted" in (c := people[k]).marks or "barred" in c.marks)]


def shifted(moves: Iterable[Shift], found: list[Entry]) -> list[Entry]:
    """The order after the moves, one after the other."""
    for s in moves:
        keys = [x.key for x in found]
        if s.who in keys and s.other in keys:
            moving = found.pop(keys.index(s.who))
            at = next(i for i, x in enumerate(found) if x.key == s.other)
            found.insert(at if s.where == "before" else at + 1, moving)
    return found


# --- what settles ties


def roll_offs(tie: Tie, ties: Mapping[str, Sequence[int]], die: int, rule: str) -> list[Ask]:
    """The rolls that are owed in a tie; the sentence is made once for all who have as many rivals."""
    rivals = [x.key for x in tie.rivals]
    text, asks = "", list[Ask]()
    for key in (x.key for x in tie.owing):
        others = [k for k in rivals if k != key]
        # The wording depends only on how many they are: a tie of hundreds words it once.
        if text.count("{") != len(others) + 1:
            text = ", ".join(f"{{{i}}}" for i in range(1, len(others) + 1))
            text = f"{{0}} is tied with {text}"
        why = reasoned(text, "roll-off", key, *others, rule=rule)
        asks.append(RollAsk(f"tie{len(ties.get(key, ()))} {key}", key, (die,), why, tuple(rivals)))
    return asks


def thrown(e: Encounter, key: str, rule: str) -> list[Sentence]:
    """What an entry threw in roll-offs; who does not see all of the tied may not read it."""
    if f"tie0 {key}" not in e.rolls:
        return []
    found = list(takewhile(bool, (e.rolls.get(f"tie{i} {key}") for i in count())))
    faces = ", ".join(str(roll.faces[0]) for roll in found if roll)
    among = dict.fromkeys(k for roll in found if roll for k in roll.among if k != key)
    return [Sentence(f"roll-off {faces}", (key, *among), rule)]


def by_hand(tie: Tie, rule: str) -> Ask:
    """The GM's order of the tied."""
    keys = tuple(x.key for x in tie.rivals)
    why = Sentence("Tied: name them in the order in which they act", keys, rule)
    return PickAsk("hand " + " ".join(keys), GM, keys, why, len(keys), len(keys))


def fallen(d: Draft, ask: RollAsk) -> bool:
    """Whether a number or a roll-off that was asked for is noted by now."""
    word, _, key = ask.key.partition(" ")
    if word == "init":
        return d.noted("values", key) is not None
    return len(d.noted("ties", key) or ()) > int(word.removeprefix("tie"))
