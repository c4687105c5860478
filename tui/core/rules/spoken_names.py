"""Read names of several words without quotes, as the creatures, groups and sides of a fight have them."""

from __future__ import annotations

from collections.abc import Collection

from tui.core.fight.encounter import SIDE, Encounter, sides
from tui.core.language.runs import join_names
from tui.core.language.select import groups
from tui.core.language.syntax import Takes
from tui.core.rules.attacking import list_attacks
from tui.core.rules.rolling import dice_for_faces
from tui.core.rules.system import InitiativeSystem


def join_known_names(line: str, e: Encounter, system: InitiativeSystem) -> str:
    """Return the line with quotes around its names of several words. Raises RuleError for two readings."""

    def known(takes: Takes) -> Collection[str]:
        return names_of_several_words(e, takes)

    def dice_of(who: str) -> tuple[tuple[int, ...], bool]:
        return dice_for_faces(e, system, who)

    return join_names(line, known, {v.name: v for v in system.verbs}, dice_of)


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
        case "kept":
            names = [n for c in people for n in (c.name, *(x.name for x in c.conditions))]
        case "counter":
            names = [x.name for c in people for x in c.counters]
        case _:
            names = []
    return {n.lower() for n in names if " " in n}
