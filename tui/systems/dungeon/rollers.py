"""Who rolls in a contest, and the opposed dice that are owed."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.agenda import Ask, RollAsk, Sentence, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import GM, Encounter
from tui.systems.dungeon.contest import keenest, nearest
from tui.systems.dungeon.notes import DARK, HEROES, Contest, batch, notes_of, several, team
from tui.systems.dungeon.two_sides import TwoSides


def rollers(e: Encounter, system: TwoSides, side: str) -> list[Combatant]:
    """Who rolls for a side; several when a fair die must choose first (DUN-6 to 8)."""
    found = _candidates(e, system, side)
    # Who cannot be told apart needs no die: whoever of them it chose, nothing would be different.
    return found[:1] if _alike(found) else found


def _candidates(e: Encounter, system: TwoSides, side: str) -> list[Combatant]:
    """Who would be right to roll, as the rules and the game master say."""
    n = notes_of(e)
    contest = n.contest or Contest("")
    pool = batch(e) if side == DARK else team(e, HEROES)
    named = getattr(contest, side)
    # Whoever has rolled stays the roller, even if a nearer one appears before the other side has rolled.
    chosen = [c for c in pool if c.id == named] or [c for c in pool if c.id in n.faces][:1]
    if chosen or not pool:
        return chosen
    if side == DARK:
        return keenest(pool) if system.by_perception(e) else nearest(pool)
    finder = [c for c in pool if c.id == contest.finder]
    if not finder or system.finder_rolls(e):
        return finder or nearest(pool)
    return nearest([c for c in pool if "distance" in c.fields] or finder)


def _alike(found: Sequence[Combatant]) -> bool:
    """Whether these are one group's creatures with the same numbers, in the same place, seen alike."""
    return (
        len({c.group for c in found}) == 1
        and bool(found[0].group)
        and all(c.fields == found[0].fields and c.hidden == found[0].hidden for c in found)
    )


def opposed_asks(e: Encounter, system: TwoSides) -> tuple[Ask, ...]:
    """The fair die that chooses who rolls, then the opposed dice."""
    both = {side: rollers(e, system, side) for side in (HEROES, DARK)}
    drawn = [_draw(side, found) for side, found in both.items() if len(found) > 1]
    return tuple(drawn) or _opposed(e, system, [c for found in both.values() for c in found])


def _draw(side: str, found: Sequence[Combatant]) -> Ask:
    keys = tuple(c.id for c in found)
    why = Sentence(f"A fair die chooses who rolls: {several(keys)}", keys, "DUN-7")
    return RollAsk(f"draw {side}", GM, (len(keys),), why)


def _opposed(e: Encounter, system: TwoSides, both: Sequence[Combatant]) -> tuple[Ask, ...]:
    faces = notes_of(e).faces
    rule = system.contest_rule(e)
    asks = []
    for c in both:
        others = [x for x in both if x.id != c.id]
        text = "{0}" + _reason(e, system, c) + " rolls 2d6 + Perception"
        text += "".join(" against {1}" + _reason(e, system, x) for x in others)
        why = say(text, c.id, *(x.id for x in others), rule=rule)
        asks.append(RollAsk(f"opposed {c.id}", c.id, (6, 6), why))
    # In roster order, whichever side it is, so that given dice always fall to the same creature.
    places = {k: i for i, k in enumerate(e.combatants)}
    return tuple(sorted((a for a in asks if a.who not in faces), key=lambda a: places[a.who]))


def _reason(e: Encounter, system: TwoSides, c: Combatant) -> str:
    """Why it is this one who rolls, in brackets; nothing when the GM or a die said so."""
    contest = notes_of(e).contest or Contest("")
    if contest.kind == "meeting" and c.id == (contest.finder or contest.heroes):
        return " (who discovers them)"
    if c.id in (contest.heroes, contest.dark):
        return ""
    if c.side == DARK and system.by_perception(e):
        return " (the most perceptive)"
    return " (the nearest)" if "distance" in c.fields else ""
