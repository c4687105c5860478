"""The track in words: where a number comes from, and why a row stands where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.agenda import Sentence, say
from tui.core.fight.encounter import Encounter, Entry
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon.notes import homes
from tui.systems.dungeon.track_order import TrackPlace, fixed, tie_rule, track_of, value_of
from tui.systems.dungeon.turns import marks_of
from tui.systems.shared.track import behind_rolled


def why(e: Encounter, system: InitiativeSystem, entry: Entry, beside: Sequence[str]) -> tuple[Sentence, ...]:
    """Why a row stands where it stands, and what holds its newcomers back."""
    return (*_placed(e, system, entry, beside), *marks_of(e, entry, "TRK-16", "TRK-15"))


def _placed(
    e: Encounter, system: InitiativeSystem, entry: Entry, beside: Sequence[str]
) -> tuple[Sentence, ...]:
    """Where a number comes from, what settled ties with the neighbours of one value, who moved the row."""
    key, n = entry.key, track_of(e)
    if fixed(e, entry) is not None:
        same = [k for k in beside if (x := homes(e).get(k)) and fixed(e, x) is None]
        return (say("a fixed place", key), *behind_rolled(key, same))
    place = n.places.get(key)
    if place is None:
        return (say("no roll yet", key, rule="TRK-7"),)
    said = [_sum(key, place)]
    if beside:
        names = " and ".join(f"{{{i}}}" for i in range(1, len(beside) + 1))
        settled = _settled(place, tie_rule(e, system))
        said += [Sentence(f"level with {names}: {settled}", (key, *beside), "TRK-7")]
        said += [Sentence(f"Intelligence {place.mind}", (key, *beside), own=True)]
    moved = [push[1] for push in n.pushes.values() if push[0] == key]
    said += [say(f"one place {'back' if w == 'after' else 'forward'}", key, rule="TRK-18") for w in moved]
    said += [say(f"put {s.where} {{1}} by hand", s.who, s.other) for s in e.shifts if s.who == key]
    return tuple(said)


def level(e: Encounter, order: Sequence[Entry]) -> list[list[str]]:
    """For each row the rows just before and behind it that have the same value."""
    values = [value_of(e, x) for x in order]
    return [
        [order[j].key for j in (i - 1, i + 1) if 0 <= j < len(order) and values[j] == values[i]]
        for i in range(len(order))
    ]


def _sum(key: str, place: TrackPlace) -> Sentence:
    total = sum(place.faces) + place.per + place.mod
    bonus = f" {place.mod:+d}".replace("+", "+ ").replace("-", "- ") if place.mod else ""
    faces = ", ".join(map(str, place.faces))
    text = f"2d6 ({faces}) + {place.per} Perception{bonus} = {total}"
    now = f", {place.value} after hits and kills" if place.value != total else ""
    return say(text + now, key, rule="TRK-7" if not now else "TRK-18")


def _settled(place: TrackPlace, how: str) -> str:
    if how == "by_hand":
        return "ordered by hand"
    first = {"heroes_first": "heroes first, then ", "creatures_first": "creatures first, then "}.get(how, "")
    rolled = f", roll-off {', '.join(map(str, place.ties))}" if place.ties else ""
    return f"{first}higher Intelligence{rolled}"
