"""Run a round of the Dynamic Initiative System from its surprise and declarations to its turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import GM, Encounter, SurpriseOutcome, active
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import listing, resolve
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.system import next_round
from tui.systems.dynamic import declarations
from tui.systems.dynamic.declarations import forms, picks
from tui.systems.dynamic.rows import (
    before_dice,
    declares,
    may_surprise,
    pool_of,
    roller,
    rows,
    takers,
    valueless,
)
from tui.systems.dynamic.text import OF_A_ROUND, notes_of, rule
from tui.systems.dynamic.track import DynamicTrack


def _must_be_time(e: Encounter) -> None:
    """Raise RuleError after the round's dice, or where a house rule allows no more surprise."""
    if not before_dice(e):
        raise RuleError("surprise comes before the dice of a round", "`undo` leads back", "DIS-2")
    if not may_surprise(e):
        hint = "`option dis.surprise_each_round=ask`"
        raise RuleError("surprise belongs to the first round by house rule", hint, "DIS-A2")


def surprise(d: Draft, request: OwnVerb) -> None:
    """Run `surprised WHO` or `surprised none`: the GM names who is caught, creature by creature (DIS-23)."""
    _must_be_time(d.encounter)
    present = {c.id: "surprised" in c.marks for c in active(d.encounter)}
    if request.keys or not request.words:
        fresh = [k for k, already in present.items() if not already]
        hint = f"`surprised {quote(listing(d.encounter, fresh[:1])) if fresh else 'none'}`"
        raise RuleError("surprised takes names and nothing else", hint, "DIS-2")
    if [w.lower() for w in request.words] == ["none"]:
        _caught(d, ())
        return
    named = list(dict.fromkeys(k for word in request.words for k in resolve(d.encounter, word)))
    meant = [k for k in named if k in present]
    if not meant:
        hint = f"`back {quote(listing(d.encounter, named[:1]))}` first"
        raise RuleError(f"{_they(d.encounter, named, 'takes', 'take')} no part", hint, "DIS-2")
    if all(present[k] for k in meant):
        text = _they(d.encounter, meant, "is", "are")
        raise RuleError(f"{text} surprised already", "`surprised none` clears", "DIS-2")
    # It adds to those already caught; `surprised none` is the word that clears.
    _caught(d, [*meant, *(k for k, already in present.items() if already)])


def _they(e: Encounter, keys: Sequence[str], one: str, several: str) -> str:
    return f"{listing(e, keys)} {one if len(keys) == 1 else several}"


def notice(d: Draft, request: OwnVerb) -> None:
    """Run `notice`: the Stealth of who hides against the passive Perception of every enemy."""
    _must_be_time(d.encounter)
    if request.words or request.keys:
        raise RuleError("notice takes no words", "`notice`", "DIS-22")
    people = active(d.encounter)
    caught = {c.id for c in people if _unaware(d.encounter, c, people)}
    if not any("stealth" in c.fields for c in people):
        d.announce("Nobody hides: everybody notices everybody", rule="DIS-21")
    elif not caught:
        # For the game master alone: that somebody hides is not for everybody.
        d.announce("Everybody notices an enemy: nobody is surprised", GM, own=True, rule="DIS-22")
    _caught(d, caught)


def _unaware(e: Encounter, c: Combatant, people: Iterable[Combatant]) -> bool:
    hidden = [_hidden(e, threat, c) for threat in people if threat.side != c.side]
    return bool(hidden) and (any(hidden) if rule(e, "notice") == "any" else all(hidden))


def _hidden(e: Encounter, threat: Combatant, c: Combatant) -> bool:
    """Return whether a threat is hidden from a creature; who has no Stealth is not hiding."""
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
    """Return the ids with a row of their own until the round ends: the surprised of a group (DIS-A20)."""
    groups: dict[str, list[Combatant]] = {}
    for c in active(e):
        if c.group:
            groups.setdefault(c.group, []).append(c)
    caught = {name: [c.id for c in some if "surprised" in c.marks] for name, some in groups.items()}
    return tuple(k for name, some in caught.items() if len(some) < len(groups[name]) for k in some)


def cut(d: Draft) -> None:
    """Cut a partly surprised type until the round ends: one roll, +10 for the surprised."""
    # Called after every line: without the comparison each would write a note and become a step.
    if (alone := apart(d.encounter)) != notes_of(d.encounter).apart:
        d.emit(ev.Noted("apart", list(alone)))


class Rounds(DynamicTrack):
    """The steps of a round: declarations, dice, turns."""

    def open_round(self, d: Draft) -> None:
        """Begin the next round: declarations open, and the GM is reminded of surprise and intents (DIS-9)."""
        next_round(d, self)
        asking = any(declares(d.encounter, x.key) for x in takers(d.encounter))
        d.emit(ev.PhaseEntered("orders" if asking else "rolls"))
        who = "Who is surprised? " if may_surprise(d.encounter) else ""
        d.announce(f"{who}What are the enemies about to do?", rule="DIS-2" if who else "DIS-3")

    def sweep(self, d: Draft) -> None:
        """Carry nothing over (DIS-26) but what the players declared, which the next form suggests."""
        self.forget_order(d)
        declarations.forget(d)
        kept = d.encounter.notes
        d.emit(*(ev.Forgot(key) for key in OF_A_ROUND if kept.get(key)))
        if d.encounter.orders:
            d.emit(ev.OrdersForgotten())

    def reopen(self, d: Draft) -> None:
        """Reopen a round that was ready for its turns without dice, because a declaration changes."""
        if d.encounter.phase == "turns":
            self.forget_order(d)
            d.emit(ev.PhaseEntered("orders"))

    def settle(self, d: Draft) -> None:
        """Go on to the rolls when all have declared, and to the turns when all is rolled."""
        super().settle(d)
        if before_dice(d.encounter):
            cut(d)
            # A newcomer before the dice reopens a round that had nothing to roll and was ready for its turns.
            if valueless(d.encounter) or forms(d.encounter):
                self.reopen(d)
        if d.encounter.phase == "turns":
            self._number_the_diceless(d)
            return
        owing = forms(d.encounter)
        phase = "orders" if owing else "rolls"
        if d.encounter.phase != phase:
            d.emit(ev.PhaseEntered(phase))
        if owing or picks(d.encounter):
            return
        self._number_the_diceless(d)
        if not self.due(d.encounter):
            d.emit(ev.PhaseEntered("turns"))
            self.decided(d, self.standing(d.encounter))

    def _number_the_diceless(self, d: Draft) -> None:
        """Give numbers to those who had no die to roll when the last die has fallen."""
        left = valueless(d.encounter)
        if not any(pool_of(d.encounter, x).rolled for x in left):
            for x in left:
                self.give_number(d, x, ())


def missed(e: Encounter, who: str) -> bool:
    """Return whether someone who is back has no number and cannot get one any more."""
    row = next(x for x in rows(e) if who in x.members)
    if row.key in notes_of(e).values or any(e.combatants[k].value is not None for k in row.members):
        return False
    key = roller(e, row.key)
    return e.phase == "turns" or (declares(e, key) and key not in e.orders)
