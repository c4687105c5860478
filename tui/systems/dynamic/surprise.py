"""Surprise in the Dynamic Initiative System: the GM's word, or Stealth against passive Perception."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, SurpriseOutcome, active
from tui.core.language.actions import OwnVerb
from tui.core.language.select import resolve
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.system import names
from tui.systems.dynamic.notes import notes_of, rule
from tui.systems.dynamic.timing import before_dice, may_surprise


def _must_be_time(e: Encounter) -> None:
    """Raises RuleError once the dice of the round have fallen, or where a house rule allows no more surprise."""
    if not before_dice(e):
        hint = "it stands in front of the dice of a round: `undo` leads back"
        raise RuleError("the dice of the round have fallen", hint, "DIS-2")
    if not may_surprise(e):
        hint = "`option dis.surprise_each_round=ask`"
        raise RuleError("surprise belongs to the first round by house rule", hint, "DIS-A2")


def surprise(d: Draft, request: OwnVerb) -> None:
    """`surprised WHO`, `surprised none`: the GM says who is caught, creature by creature (DIS-23)."""
    _must_be_time(d.encounter)
    here = {c.id: "surprised" in c.marks for c in active(d.encounter)}
    if request.keys or not request.words:
        fresh = [k for k, already in here.items() if not already]
        hint = f"`surprised {quote(names(d.encounter, fresh[:1])) if fresh else 'none'}`"
        raise RuleError("surprised takes names and nothing else", hint, "DIS-2")
    if [w.lower() for w in request.words] == ["none"]:
        _caught(d, ())
        return
    named = list(dict.fromkeys(k for word in request.words for k in resolve(d.encounter, word)))
    meant = [k for k in named if k in here]
    if not meant:
        hint = f"`back {quote(names(d.encounter, named[:1]))}` first"
        raise RuleError(f"{_they(d.encounter, named, 'takes', 'take')} no part", hint, "DIS-2")
    if all(here[k] for k in meant):
        told = _they(d.encounter, meant, "is", "are")
        raise RuleError(f"{told} surprised already", "`surprised none` clears", "DIS-2")
    # It adds to those already caught; `surprised none` is the word that clears.
    _caught(d, [*meant, *(k for k, already in here.items() if already)])


def _they(e: Encounter, keys: Sequence[str], one: str, several: str) -> str:
    return f"{names(e, keys)} {one if len(keys) == 1 else several}"


def notice(d: Draft, request: OwnVerb) -> None:
    """`notice`: the Stealth of who hides against the passive Perception of every enemy."""
    _must_be_time(d.encounter)
    if request.words or request.keys:
        raise RuleError("notice takes no words", "`notice`", "DIS-22")
    people = active(d.encounter)
    if not any("stealth" in c.fields for c in people):
        d.announce("Nobody hides: everybody notices everybody", rule="DIS-21")
    _caught(d, {c.id for c in people if _unaware(d.encounter, c, people)})


def _unaware(e: Encounter, c: Combatant, people: Iterable[Combatant]) -> bool:
    hidden = [_hidden(e, threat, c) for threat in people if threat.side != c.side]
    return bool(hidden) and (any(hidden) if rule(e, "notice") == "any" else all(hidden))


def _hidden(e: Encounter, threat: Combatant, c: Combatant) -> bool:
    """Whether a threat is hidden from a creature; who has no Stealth is not hiding."""
    if "stealth" not in threat.fields:
        return False
    over = threat.number("stealth") - c.number("passive", 10)
    return over > 0 or (over == 0 and rule(e, "stealth_tie") == "hidden")


def _caught(d: Draft, who: Iterable[str]) -> None:
    caught = tuple(k for k in d.encounter.combatants if k in set(who))
    d.unmark((k for k in d.encounter.combatants if k not in caught), "surprised")
    d.mark((k for k in caught if "surprised" not in d.encounter.combatants[k].marks), "surprised", "round")
    d.emit(ev.Decided(SurpriseOutcome(caught)))


def apart(e: Encounter) -> tuple[str, ...]:
    """The ids with a row of their own until the round's end: the surprised of a partly surprised group (DIS-A20)."""
    groups: dict[str, list[Combatant]] = {}
    for c in active(e):
        if c.group:
            groups.setdefault(c.group, []).append(c)
    caught = {name: [c.id for c in some if "surprised" in c.marks] for name, some in groups.items()}
    return tuple(k for name, some in caught.items() if len(some) < len(groups[name]) for k in some)


def cut(d: Draft) -> None:
    """A type of which only some are surprised is cut until the round's end: one roll, +10 for those."""
    # Called after every line: without the comparison each would write a note and become a step.
    if (found := apart(d.encounter)) != notes_of(d.encounter).apart:
        d.emit(ev.Noted("apart", list(found)))
