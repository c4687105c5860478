"""Surprise in the Dynamic Initiative System: the GM's word, or Stealth against passive Perception."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Outcome
from tui.core.fight.errors import RuleError
from tui.core.language.actions import OwnVerb
from tui.core.language.select import resolve
from tui.core.rules.draft import Draft
from tui.core.rules.system import names
from tui.systems.dynamic.open import is_open, may_surprise, reopen

if TYPE_CHECKING:
    from tui.systems.dynamic.track import DynamicTrack


def _must_be_time(s: DynamicTrack, e: Encounter) -> None:
    if not is_open(s, e):
        raise RuleError("the dice of the round have fallen", "the next round asks again", "DIS-2")
    if not may_surprise(s, e):
        raise RuleError(
            "surprise belongs to the first round", "`option dis.surprise_each_round=ask`", "DIS-2"
        )


def surprise(s: DynamicTrack, d: Draft, request: OwnVerb) -> None:
    """`surprised WHO`, `surprised none`: the GM says who is caught, creature by creature."""
    _must_be_time(s, d.encounter)
    if request.keys or not request.words:
        raise RuleError("surprised: WHO is missing", "`surprised WHO` or `surprised none`", "DIS-2")
    if [w.lower() for w in request.words] == ["none"]:
        _caught(d, ())
        return
    here = {c.id for c in s.in_play(d.encounter)}
    named = [k for word in request.words for k in resolve(d.encounter, word)]
    if not here.intersection(named):
        raise RuleError(f"{names(d.encounter, named)} takes no part", "`back` first", "DIS-2")
    already = {c.id for c in s.in_play(d.encounter) if "surprised" in c.marks}
    if already.issuperset(here.intersection(named)):
        raise RuleError(
            f"{names(d.encounter, named)} is surprised already", "`surprised none` clears", "DIS-2"
        )
    _caught(d, already | here.intersection(named))


def notice(s: DynamicTrack, d: Draft, request: OwnVerb) -> None:
    """`notice`: the Stealth of who hides against the passive Perception of every enemy."""
    _must_be_time(s, d.encounter)
    if request.words or request.keys:
        raise RuleError("notice takes no words", "`notice`", "DIS-22")
    people = s.in_play(d.encounter)
    if not any("stealth" in c.fields for c in people):
        d.announce("Nobody hides: everybody notices everybody", rule="DIS-21")
    _caught(d, {c.id for c in people if _unaware(s, d.encounter, c, people)})


def _unaware(s: DynamicTrack, e: Encounter, c: Combatant, people: Iterable[Combatant]) -> bool:
    hidden = [_hidden(s, e, threat, c) for threat in people if threat.side != c.side]
    return bool(hidden) and (any(hidden) if s.option(e, "dis.notice") == "any" else all(hidden))


def _hidden(s: DynamicTrack, e: Encounter, threat: Combatant, c: Combatant) -> bool:
    """Whether a threat is hidden from a creature; who has no Stealth is not hiding."""
    if "stealth" not in threat.fields:
        return False
    over = threat.number("stealth") - c.number("passive", 10)
    return over > 0 or (over == 0 and s.option(e, "dis.stealth_tie") == "hidden")


def _caught(d: Draft, who: Iterable[str]) -> None:
    caught = tuple(k for k in d.encounter.combatants if k in set(who))
    d.unmark((k for k in d.encounter.combatants if k not in caught), "surprised")
    d.mark((k for k in caught if "surprised" not in d.encounter.combatants[k].marks), "surprised", "round")
    d.emit(ev.Decided(Outcome("surprise", caught=caught)))
    reopen(d)


def cut(s: DynamicTrack, d: Draft) -> None:
    """A type of which only some are surprised is cut until the round's end: one roll, +10 for those."""
    groups: dict[str, list[Combatant]] = {}
    for c in s.in_play(d.encounter):
        if c.group:
            groups.setdefault(c.group, []).append(c)
    apart = [
        c.id
        for some in groups.values()
        for c in some
        if "surprised" in c.marks and not all("surprised" in x.marks for x in some)
    ]
    if tuple(apart) != s.track_notes(d.encounter).apart:
        d.emit(ev.Noted("apart", apart))
