"""How many moments a step shows to all players alike, and where the log cuts a step into moments."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, OwedSave
from tui.core.fight.encounter import Encounter, Turn
from tui.core.fight.viewer import GAME_MASTER, viewer_of
from tui.core.views.log import moments, story

ANA, BO = Combatant("c1", "Ana", "heroes", owner="Mia"), Combatant("c2", "Bo", "dark")
E = Encounter(
    system="classic", combatants={"c1": ANA, "c2": BO}, phase="turns", round=1, turn=Turn("c1", ("c1",))
)
TURN = (ev.TurnEnded("c1", ("c1",)), ev.TurnBegan("c2", ("c2",)))
BLOW = (ev.Damaged("c2", 1, 3), ev.Damaged("c1", 1, 3))


@pytest.mark.parametrize(
    ("events", "count"),
    [
        ((), 0),
        (BLOW, 1),
        (TURN, 2),
        ((*BLOW, *TURN), 2),
        ((*TURN, *BLOW), 2),
        ((*BLOW, *TURN, *BLOW, ev.TurnEnded("c2", ("c2",)), *BLOW), 3),
        ((ev.OptionSet("view.health", "none"), *TURN, ev.RoundEnded(1)), 3),
        ((ev.NoteTaken("for the game master"),), 0),
        ((ev.NoteTaken("for the game master"), *BLOW, ev.NoteTaken("again"), *BLOW), 1),
    ],
)
def test_a_step_of_these_facts_has_so_many_moments(events: tuple[ev.Event, ...], count: int) -> None:
    system = Table("classic").store.system
    for name in ("", "Mia", "Jon"):
        assert len(moments(story(E, events, viewer_of(name), system))) == count


def saves(first: int, who: list[str]) -> list[ev.Event]:
    """Return the rolls and results of saves, all of which are made."""
    rolled = [ev.Rolled(f"save {who} {n}", k, (20,), (15,)) for n, k in enumerate(who, first)]
    return [*rolled, *(ev.SaveSettled(k, n, made=True) for n, k in enumerate(who, first))]


@pytest.mark.parametrize(("many", "lines"), [(2, 4), (3, 2), (4, 2)])
def test_the_dice_of_three_saves_and_more_are_one_line_and_stand_there_once(many: int, lines: int) -> None:
    keys = [f"c{n}" for n in range(1, many + 1)]
    owed = tuple(OwedSave(n, "area", 12, "dex") for n in range(1, 10))
    people = {k: Combatant(k, f"Orc {k[1:]}", "dark", hp=9, max_hp=9, owes=owed) for k in keys}
    e = Encounter(system="classic", combatants=people, phase="turns", round=1)
    system = Table("classic").store.system
    events = [*saves(1, keys), *TURN[1:], ev.TurnEnded("c2", ("c2",)), ev.RoundEnded(1)]
    texts = [x.text for x in story(e, events, GAME_MASTER, system)]
    assert len([x for x in texts if x.startswith("Rolled: ")]) == (many >= 3)
    assert len([x for x in texts if "15" in x]) == (many if many < 3 else 1)
    assert len(texts) - len(events[2 * many :]) == lines, texts
