"""Read names of several words without quotes, as the creatures, groups and sides of a fight have them."""

from __future__ import annotations

from collections.abc import Collection

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import SIDE, Encounter, key_of, sides
from tui.core.language.runs import join_names
from tui.core.language.select import groups, resolve
from tui.core.language.syntax import Takes
from tui.core.rules.attacking import list_attacks
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import all_owed


def join_known_names(line: str, e: Encounter, system: InitiativeSystem) -> str:
    """Return the line with quotes around its names of several words. Raises RuleError for two readings."""

    def known(takes: Takes) -> Collection[str]:
        return names_of_several_words(e, takes)

    def owes_face(who: str, face: str) -> bool:
        return _owes_face(e, system, who, int(face))

    return join_names(line, known, {v.name: v for v in system.verbs}, owes_face)


def names_of_several_words(e: Encounter, takes: Takes) -> Collection[str]:
    """Return the whole names, in lower case, that a word of this kind may mean; only those with a space."""
    people = e.combatants.values()
    match takes:
        case "who" | "roller" | "saver" | "writer" | "picked" | "actor" | "bearer" | "group" | "side":
            bunches = [*groups(e), *sides(e)]
            names = [n for c in people for n in (c.name, c.alias)] + bunches + [SIDE + n for n in bunches]
        case "attack":
            names = [x.name for _, x in list_attacks(tuple(people))]
        case "carried" | "effect":
            names = [x.name for c in people for x in c.conditions]
        case "endable":
            names = [n for c in people for some in (c.conditions, c.counters) for n in (x.name for x in some)]
        case "counter":
            names = [x.name for c in people for x in c.counters]
        case _:
            names = []
    return {n.lower() for n in names if " " in n}


def _owes_face(e: Encounter, system: InitiativeSystem, who: str, face: int) -> bool:
    """Return whether a name means creatures that owe a die with this face."""
    try:
        ids = resolve(e, who)
    except RuleError:
        return False
    keys = {*ids, *(key_of(e.combatants[k]) for k in ids)}
    owed = (ask for ask in all_owed(e, system) if isinstance(ask, RollAsk) and ask.who in keys)
    return any(1 <= face <= sides_ for ask in owed for sides_ in ask.dice)
