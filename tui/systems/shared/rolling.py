"""The dice that make an order: who owes which, what settles ties, and what an answer brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tui.core.base.cache import remembered
from tui.core.base.text import dice_words
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, PickAsk, RollAsk, reasoned, say
from tui.core.fight.encounter import SIDE, Encounter, Entry
from tui.core.rules.draft import Draft
from tui.systems.shared.declarations import (
    TOGETHER,
    Numbering,
    TrackNotes,
    fixed,
    note_breaks,
    number,
    tie_rule,
    track_notes,
    with_number,
)
from tui.systems.shared.placing import Tie, by_hand, fallen, level, rank, roll_offs, unsettled


@remembered  # 200 creatures in classic: 0.8 of 2.1 ms a key
def roll_asks(s: Numbering, e: Encounter) -> list[Ask]:
    """Return the rolls that are owed for the order: first rolls, then the tied, front to back."""
    n, asked = track_notes(e), s.rollers(e)
    known = with_number(s, e, asked)
    owing = [x for x in asked if number(s, e, x, n) is None] if len(known) < len(asked) else []
    return [_first_roll(s, e, x) for x in owing] if owing else tie_asks(s, e)


def _first_roll(s: Numbering, e: Encounter, entry: Entry) -> Ask:
    dice = s.dice_for(e, entry)
    text = s.roll_text.replace("%s", dice_words(dice))
    told = reasoned(text, s.roll_note, entry.key, rule=s.roll_rule) if s.roll_note else None
    why = told or say(text, entry.key, rule=s.roll_rule)
    return RollAsk(f"init {entry.key}", entry.key, dice, why)


def tie_asks(s: Numbering, e: Encounter) -> list[Ask]:
    """Return what settles ties: roll-offs, or the GM's choice."""
    found = tied(s, e)
    if s.option(e, "tie.by_hand") or tie_rule(s, e) == "by_hand":
        # One at a time: the GM's answer to the first may settle what the others look like.
        return [by_hand(tie, s.rolloff_rule) for tie in found[:1]]
    ties = track_notes(e).ties
    return [ask for tie in found for ask in roll_offs(tie, ties, s.rolloff_die, s.rolloff_rule)]


def tied(s: Numbering, e: Encounter) -> list[Tie]:
    """Return the unsettled ties, front to back, each in roster order."""
    n = track_notes(e)
    ranked = s.ranked(e)
    if not _may_be_tied(ranked, n):
        return []
    same: dict[tuple[int, ...], list[Entry]] = {}
    for x in ranked:
        rule = n.rules.get(str(number(s, e, x, n))) or tie_rule(s, e)
        if fixed(s, e, x) is None and rule != TOGETHER:
            same.setdefault(level(s, e, x, n), []).append(x)
    alike = [some for _, some in sorted(same.items(), key=lambda item: item[0]) if len(some) > 1]
    return [tie for some in alike for tie in unsettled(some, n.ties, n.kin)]


@remembered  # 200 creatures in classic: 1.5 of 2.8 ms a key
def _may_be_tied(ranked: tuple[Entry, ...], n: TrackNotes) -> bool:
    """Return whether numbers and roll-offs alone leave a tie; other reasons can only separate entries."""
    same: dict[int | None, list[Entry]] = {}
    for x in ranked:
        same.setdefault(n.values.get(x.key), []).append(x)
    return any(unsettled(some, n.ties, n.kin) for some in same.values() if len(some) > 1)


# --- answers


def answered(s: Numbering, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
    """Take an answer: a number, a roll-off, or the GM's order."""
    if isinstance(ask, PickAsk):
        _by_hand(s, d, answer)
    elif ask.key.startswith("tie"):
        _rolled_off(s, d, ask.who, [*(d.noted("ties", ask.who) or ()), answer[0]])
    else:
        entry = s.entry(d.encounter if ask.who.startswith(SIDE) else d.scene, ask.who)
        give_number(s, d, entry, answer)


def give_number(s: Numbering, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
    """Record an entry's number and what it has at this moment to win ties with."""
    note_breaks(s, d, entry)
    s.numbered(d, entry, faces)


def still_rolling(s: Numbering, d: Draft) -> bool:
    """Return whether a roll that was due before this line still is, without computing all that is due."""
    asks = reversed(roll_asks(s, d.scene))  # they fall from the front
    return any(isinstance(ask, RollAsk) and not fallen(d, ask) for ask in asks)


def _by_hand(s: Numbering, d: Draft, keys: Sequence[str]) -> None:
    """Order tied entries as named, whatever dice some of them won before."""
    ties = track_notes(d.encounter).ties
    # From the shortest, or an earlier roll-off would outweigh what the GM now says.
    settled = min((ties.get(key, []) for key in keys), key=len)
    for place, key in enumerate(keys):
        _rolled_off(s, d, key, [*settled, -place])


def _rolled_off(s: Numbering, d: Draft, key: str, results: list[int]) -> None:
    """Record a roll-off; entries of one roll that stand equal share it."""
    shared = d.scene.notes.get("kin", {})  # no roll-off makes kin: what came last need not be waited for
    if shared.get(key, key) == key and key not in shared.values():
        d.emit(ev.Noted("ties", results, key))
        return
    e, n = d.encounter, track_notes(d.encounter)
    roller = n.kin.get(key, key)
    here = {x.key: x for x in s.ranked(e)}
    same = [
        here.get(k, Entry(k, ())) for k in n.values if n.kin.get(k, k) == roller
    ]  # places of the gone too
    ranks = {x.key: rank(s, e, x, n) for x in same}
    d.emit(*(ev.Noted("ties", results, k) for k, found in ranks.items() if found == ranks[key]))
