"""How many moments a step shows to all players alike, and where the log cuts a step into moments."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.kit.table import Table
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Condition, Counted, OwedEffect, OwedSave
from tui.core.fight.encounter import Encounter, OrderOutcome, PendingArea, Turn
from tui.core.fight.viewer import GAME_MASTER, text, viewer_of
from tui.core.views.log import moments, story
from tui.core.views.sentences import tell

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
    for edge in TURN:
        shown = [x.kind for x in story(e, [*saves(1, keys), edge], GAME_MASTER, system)]
        assert shown.index("rolled") < shown.index(type(edge).__name__.lower()), "dice are of their turn"


SILENT = {
    "EffectOwed", "SaveDropped", "SavesKept", "Died", "Unmarked", "Ticked", "DeathSaves", "RollsForgotten",
    "DecisionMarked", "DecisionReversed", "Noted", "Forgot", "OrdersForgotten", "ShiftsForgotten",
    "TurnPaused", "TurnsMissed",
}  # fmt: skip
LADY = Combatant(
    "c1",
    "Ana",
    "heroes",
    owes=(OwedSave(1, "concentration", 10, "con"),),
    effects=(OwedEffect(1, "burning"),),
)
SAMPLES: dict[str, ev.Event] = {
    type(x).__name__: x
    for x in (
        ev.Added(LADY), ev.Removed("c1"), ev.Changed("c1", "name", "Zed"), ev.FieldSet("c1", "mod", 3),
        ev.Damaged("c1", 3, 4), ev.Healed("c1", 3, 7), ev.Bolstered("c1", 2), ev.Afflicted("c1",
        Condition("prone")),
        ev.Ticked("c1", "prone", 1), ev.Cleared("c1", "prone"), ev.ConditionHid("c1", "prone", hidden=False),
        ev.WentOut("c1"),
        ev.Carded(("c1",), "bites"), ev.Armed(("c1",), "Bite +1 1"),
        ev.Attacked("c1", "c1", "Bite", 14, 0, 1, 12, hit=True, damage=((3, "fire"),)),
        ev.CameBack("c1"), ev.Hid("c1"), ev.Revealed("c1"), ev.Marked(("c1",), "ready"), ev.Unmarked(("c1",),
        "x"),
        ev.Rolled("a", "c1", (6,), (3,)), ev.RollsForgotten(),
        ev.DecisionMarked("start"), ev.DecisionReversed(), ev.Noted("a", 1), ev.Forgot("a"),
        ev.Ordered("c1", {"action": "run"}), ev.OrdersForgotten(), ev.Shifted("c1", "before", "c1"),
        ev.ShiftsForgotten(),
        ev.Decided(OrderOutcome(("c1",))), ev.PhaseEntered("orders"), ev.FightEnded(), ev.RoundBegan(1),
        ev.RoundEnded(1),
        ev.TurnBegan("c1", ("c1",)), ev.TurnEnded("c1", ("c1",)), ev.TurnPaused(), ev.TurnResumed(),
        ev.TurnHandedOn("c1", "c1", ("c1",)), ev.TurnsMissed(("c1",)),
        ev.Passed("c1"),
        ev.Reacted("c1"), ev.Announced("{0} waits", ("c1",)), ev.OptionSet("x", True),
        ev.SystemChanged("chaos"),
        ev.SaveOwed("c1", OwedSave(2, "condition", 12, "wis", "prone")), ev.SaveSettled("c1", 1, made=True),
        ev.SaveDropped("c1", 1), ev.EffectOwed("c1", OwedEffect(2, "burning", damage="1d6")),
        ev.EffectSettled("c1", 1),
        ev.SavesKept(("c1",)), ev.Died("c1"), ev.Rested("c1", long=True, hp=9), ev.AreaLaid(PendingArea(9,
        ("c1",))), ev.AreaOver(dropped=True),
        ev.DeathSaves("c1", good=1, bad=2), ev.Tallied("c1", Counted("rage", 2, 3)), ev.CounterEnded("c1",
        "rage"),
        ev.DiceThrown("2d6", 7, (6, 6), (3, 4)), ev.NoteTaken("a note"),
    )
}  # fmt: skip


def kinds() -> list[str]:
    return [kind.__name__ for kind in get_args(ev.Event)]


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_event_is_told_or_silent_on_purpose(kind: str) -> None:
    t = Table("chaos")
    e = Encounter(
        system="chaos",
        combatants={"c1": LADY},
        paused=() if kind != "TurnResumed" else (Turn("c1", ("c1",)),),
    )
    said = [text(e, s) for s in tell(e, SAMPLES[kind], t.store.system)]
    assert bool(said) == (kind not in SILENT)
    assert not any("c1" in line or "{" in line for line in said)


@pytest.mark.parametrize(
    ("arrives", "now", "says"), [(0, 0, ""), (3, 2, " in round 3"), (3, 3, ""), (2, 3, "")]
)
def test_who_comes_later_is_told_with_the_round(arrives: int, now: int, says: str) -> None:
    late = Combatant("c2", "Bo", "heroes", arrives=arrives)
    e = Encounter(system="classic", combatants={"c2": late}, round=now)
    [joins] = tell(e, ev.Added(late), Table("classic").store.system)[:1]
    assert text(e, joins) == f"Bo joins the heroes{says}"
