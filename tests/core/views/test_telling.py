"""What an event says: every kind of event is told or is silent on purpose, and names only those it is about."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.table import Table
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Condition
from tui.core.fight.encounter import Encounter, Turn
from tui.core.fight.outcome import OrderOutcome
from tui.core.fight.viewer import text, viewer_of
from tui.core.views.telling import tell

SILENT = {
    "Unmarked",
    "Ticked",
    "RollsForgotten",
    "Noted",
    "Forgot",
    "OrdersForgotten",
    "ShiftsForgotten",
    "TurnPaused",
}
ANA = Combatant("c1", "Ana", "heroes")
SAMPLES: dict[str, ev.Event] = {
    type(x).__name__: x
    for x in (
        ev.Added(ANA), ev.Removed("c1"), ev.Changed("c1", "name", "Zed"), ev.FieldSet("c1", "mod", 3),
        ev.Damaged("c1", 3, 4), ev.Healed("c1", 3, 7), ev.Bolstered("c1", 2), ev.Afflicted("c1", Condition("prone")),
        ev.Ticked("c1", "prone", 1), ev.Cleared("c1", "prone"), ev.ConditionHid("c1", "prone", hidden=False), ev.WentOut("c1"),
        ev.Carded(("c1",), "bites"),
        ev.CameBack("c1"), ev.Hid("c1"), ev.Revealed("c1"), ev.Marked(("c1",), "ready"), ev.Unmarked(("c1",), "x"),
        ev.Rolled("a", "c1", (6,), (3,)), ev.RollsForgotten(), ev.Noted("a", 1), ev.Forgot("a"),
        ev.Ordered("c1", {"action": "run"}), ev.OrdersForgotten(), ev.Shifted("c1", "before", "c1"), ev.ShiftsForgotten(),
        ev.Decided(OrderOutcome(("c1",))), ev.PhaseEntered("orders"), ev.FightEnded(), ev.RoundBegan(1), ev.RoundEnded(1),
        ev.TurnBegan("c1", ("c1",)), ev.TurnEnded("c1", ("c1",)), ev.TurnPaused(), ev.TurnResumed(), ev.Passed("c1"),
        ev.Reacted("c1"), ev.Announced("{0} waits", ("c1",)), ev.OptionSet("x", True), ev.SystemChanged("chaos"),
        ev.DiceThrown("2d6", 7, (6, 6), (3, 4)), ev.NoteTaken("a note"),
    )
}  # fmt: skip


def kinds() -> list[str]:
    return [kind.__name__ for kind in get_args(ev.Event)]


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_event_is_told_or_silent_on_purpose(kind: str) -> None:
    t = Table("chaos")
    e = Encounter(
        system="chaos", combatants={"c1": ANA}, paused=() if kind != "TurnResumed" else (Turn("c1", ("c1",)),)
    )
    said = [text(e, s) for s in tell(e, SAMPLES[kind], t.store.system)]
    assert bool(said) == (kind not in SILENT)
    assert not any("c1" in line or "{" in line for line in said)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("condition Ana weak", "Ana: weak"),
        ("condition Ana weak rounds=1", "Ana: weak until the end of its turn"),
        ("condition Ana weak rounds=3", "Ana: weak for 3 turns"),
        ("condition Ana weak rounds=3 of=Bo", "Ana: weak for 3 of Bo's turns"),
        ("condition Ana weak until=start of=Bo", "Ana: weak until the start of Bo's turn"),
    ],
)
def test_how_long_a_condition_lasts_is_said(line: str, says: str) -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo")
    assert [x.text for x in t.do(line).lines] == [says]


def test_an_alias_is_the_game_masters_to_know() -> None:
    t = Table("classic")
    t.do("add Ana")
    assert [x.text for x in t.do("alias Ana Shade").lines] == ["Ana: players read Shade"]
    assert list(t.store.told(t.store.step, viewer_of("Mia"))) == []


def test_in_its_own_turn_it_is_the_next_turn_that_ends_it() -> None:
    t = Table("classic")
    t.do("add Ana", "begin")
    t.do("roll", dice=[9])
    t.do("next")
    assert [x.text for x in t.do("condition Ana rage rounds=1").lines] == [
        "Ana: rage until the end of its next turn"
    ]
