"""What is said of bodies: hit points, conditions, counters."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Sentence, literal, own, say
from tui.core.fight.combatant import AREA, CONCENTRATION, CONDITION, Condition, OwedSave
from tui.core.fight.encounter import GM, Encounter, PendingArea
from tui.core.rules.upkeep import saves

Told = tuple[Sentence, ...]


def secret(words: str, *about: str) -> Sentence:
    """A sentence for the game master alone; `{1}`, `{2}` … stand for the keys in `about`."""
    return Sentence(words, (GM, *about), own=True)


def points(event: ev.Damaged | ev.Healed | ev.Bolstered) -> Told:
    """Hit points lost and gained; how many are left is the owner's to read."""
    match event:
        case ev.Damaged(who, amount, hp, temp):
            left = "" if hp < 0 else f"{hp} left" + (f" and {temp} temporary" if temp else "")
            return (say(f"{{0}} takes {amount} damage", who), own(left, who))
        case ev.Healed(who, amount, hp):
            return (say(f"{{0}} heals {amount}", who), own(f"{hp} now", who))
        case ev.Bolstered(who, temp):
            return (own(f"{{0}} has {temp} temporary hit points", who),)
        case _:
            assert_never(event)


def counter(event: ev.Tallied | ev.CounterEnded) -> Told:
    """A counter as it stands, for the owner alone."""
    match event:
        case ev.Tallied(who, x, quiet):
            words = f"{x.name} {x.n}" + (f" of {x.most}" if x.most else "")
            return () if quiet else (own("{0}: " + literal(words), who),)
        case ev.CounterEnded(who, name):
            return (own("{0}: " + literal(name) + " is no longer counted", who),)
        case _:
            assert_never(event)


def saving(e: Encounter, event: ev.SaveOwed | ev.SaveSettled) -> Told:
    """A saving throw that falls due, or is made or failed; those of the dying and of a system are told by the rules."""
    c = e.combatants.get(event.who)
    if isinstance(event, ev.SaveOwed):
        save: OwedSave | None = event.save
        verb = "owes"
    else:
        save = next((x for x in c.owes if x.number == event.number), None) if c else None
        verb = "makes" if event.made else "fails"
    if c is None or save is None or save.cause not in (CONCENTRATION, CONDITION, AREA):
        return ()
    text = f"{{0}} {verb} " + literal(saves.words(save))
    if isinstance(event, ev.SaveOwed):
        against = f"DC {save.dc}" + (f" {save.key}" if save.key else "")
        if save.cause == AREA and e.area:
            against = f"{against}, {damage_words(e.area)}"
        text += f": {literal(against)}"
    return (_hidden_or(saves.hides(c, save), text, c.id),)


def damage_words(found: PendingArea) -> str:
    """Return the damage of an area in words: `21 fire damage`."""
    return " ".join([str(found.points), *([found.kind] if found.kind else []), "damage"])


def area(event: ev.AreaLaid | ev.AreaOver) -> Told:
    """An area, as the game master is told of it; of those in it each line that follows tells."""
    match event:
        case ev.AreaLaid(found):
            return (secret(f"An area of {literal(damage_words(found))}"),)
        case ev.AreaOver(dropped):
            return (secret("The damage of the area is given up"),) if dropped else ()
        case _:
            assert_never(event)


def rested(e: Encounter, event: ev.Rested) -> Told:
    """A rest: what a creature got back is its owner's to read."""
    c = e.combatants.get(event.who)
    found = [f"{x.name} {x.n} of {x.most}" for x in event.counters]
    if event.hp >= 0 and (c is None or c.hp != event.hp):
        found.insert(0, f"{event.hp} hit points")
    if event.long and c and c.temp_hp:
        found.append("no temporary points any more")
    up = " and is up again" if event.up else ""
    return (
        say(f"{{0}} rests{up}", event.who),
        *([own(literal(", ".join(found)), event.who)] if found else []),
    )


def condition(e: Encounter, event: ev.Afflicted | ev.Cleared | ev.ConditionHid) -> Told:
    """A condition that takes hold, ends, or is hidden."""
    match event:
        case ev.Afflicted(who, x):
            words, about = "{0}: " + literal(x.name) + _lasting(x), (who, *([x.of] if x.of else []))
            return (_hidden_or(x.hidden, words, *about),)
        case ev.Cleared(who, name, over, of):
            words = "{0}: " + literal(name) + (" has ended" if over else " is cleared")
            carried = e.combatants[who].conditions if who in e.combatants else ()
            same = [x for x in carried if x.name.lower() == name.lower() and of in (x.of, ev.ANY)]
            return (_hidden_or(bool(same) and all(x.hidden for x in same), words, who),)
        case ev.ConditionHid(who, name, hidden):
            if hidden:
                return (secret("{1}: " + literal(name) + " is hidden", who),)
            return (say("{0}: " + literal(name), who),)
        case _:
            assert_never(event)


def _hidden_or(hidden: bool, words: str, *about: str) -> Sentence:
    """A sentence for everybody, or, about a hidden condition, for the game master alone."""
    if not hidden:
        return Sentence(words, about)
    return secret(words.replace("{1}", "{2}").replace("{0}", "{1}"), *about)


def _lasting(x: Condition) -> str:
    """How long a condition lasts, in words; "" for one that somebody clears."""
    whose = "{1}'s" if x.of else "their"
    if x.dc:
        ends = f" until a save ends it (DC {x.dc}{f' {literal(x.key)}' if x.key else ''})"
        return ends if not x.until else f"{_lasting(replace(x, dc=0))} or{ends[6:]}"
    if not x.until:
        return ""
    if x.rounds <= 1:
        return f" until the {x.until} of {whose} {'next ' if x.fresh else ''}turn"
    if x.until == "start":
        return f" until the start of {whose} {_ordinal(x.rounds)} turn from now"
    return f" for {x.rounds} of {whose} turns" if x.of else f" for {x.rounds} turns"


def _ordinal(n: int) -> str:
    last = 0 if n % 100 in (11, 12, 13) else n % 10
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"
