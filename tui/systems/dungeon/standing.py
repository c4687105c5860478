"""The odds of a fight in a dungeon in which no dice are due: who acts when, as it stands."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry
from tui.core.odds.race import Case, Race, Throw, alone
from tui.systems.dungeon.notes import DARK, HEROES, TwoSides, gather, notes_of, pending, playing
from tui.systems.dungeon.odds import ANY_ORDER
from tui.systems.dungeon.track_order import by_track, standing, track_of
from tui.systems.dungeon.turns import ready_of, side_of_entry
from tui.systems.shared.placing import fresh


def as_it_stands(e: Encounter, system: TwoSides) -> Race | None:
    """Return the race for the rest of the round, or None where newcomers may cut in or a side waits."""
    if notes_of(e).contest or pending(e) or system.option(e, "dun.second_activation"):
        return None
    if any(c.marks.get("barred", "fight") != "fight" for c in playing(e)):
        # Newcomers who lost may wait for the next round; the fight is played on to see that.
        return None
    return _by_track(e, system) if by_track(e) else _by_sides(e)


def _by_track(e: Encounter, system: TwoSides) -> Race | None:
    """Return the race in which heroes with a first turn act in any order, then the track (TRK-9, TRK-10)."""
    free = ready_of(e, HEROES) if track_of(e).free else []
    first = {x.key for x in free}
    return _race(free, [[x] for x in standing(e, system) if fresh(e, x) and x.key not in first])


def _by_sides(e: Encounter) -> Race | None:
    """Whoever of the side may still act, then the Dark Player's (DUN-24)."""
    n = notes_of(e)
    heroes = ready_of(e, HEROES)
    if n.side == DARK or n.closed:
        # Heroes whose turn was taken away act in the next round; the fight is played on to see that.
        if heroes or (n.side == DARK and n.closed):
            return None
        heroes = []
    dark = ready_of(e, DARK) if n.side == DARK else _of_dark(e)
    return _race(heroes, [dark])


def _of_dark(e: Encounter) -> list[Entry]:
    """Return the entries of the coming Dark Player's turn; bars of the heroes' turn end with it (DUN-14)."""
    return [
        x for x in gather(e) if side_of_entry(e, x) == DARK and any(_will(e.combatants[k]) for k in x.members)
    ]


def _will(c: Combatant) -> bool:
    return "acted" not in c.marks and c.marks.get("barred", "fight") == "fight"


def _race(first: Iterable[Entry], then: Iterable[Iterable[Entry]]) -> Race:
    ranks = [list(first), *map(list, then)]
    throws: list[Throw] = [alone(x.key, [((place,), 1.0)]) for place, some in enumerate(ranks) for x in some]
    given = (ANY_ORDER,) if any(len(some) > 1 for some in ranks) else ()
    return Race((Case(1.0, tuple(throws)),), kept=True, given=given)
