"""What an event says: every kind is told or silent on purpose, and names only those it is about."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.table import Table
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Condition, Counted, OwedEffect, OwedSave
from tui.core.fight.encounter import Encounter, OrderOutcome, PendingArea, Turn
from tui.core.fight.viewer import text, viewer_of
from tui.core.views.sentences import tell

SILENT = {
    "EffectOwed",
    "SaveDropped",
    "SavesKept",
    "Died",
    "Unmarked",
    "Ticked",
    "DeathSaves",
    "RollsForgotten",
    "DecisionMarked",
    "DecisionReversed",
    "Noted",
    "Forgot",
    "OrdersForgotten",
    "ShiftsForgotten",
    "TurnPaused",
}
ANA = Combatant(
    "c1",
    "Ana",
    "heroes",
    owes=(OwedSave(1, "concentration", 10, "con"),),
    effects=(OwedEffect(1, "burning"),),
)
SAMPLES: dict[str, ev.Event] = {
    type(x).__name__: x
    for x in (
        ev.Added(ANA), ev.Removed("c1"), ev.Changed("c1", "name", "Zed"), ev.FieldSet("c1", "mod", 3),
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
        system="chaos", combatants={"c1": ANA}, paused=() if kind != "TurnResumed" else (Turn("c1", ("c1",)),)
    )
    said = [text(e, s) for s in tell(e, SAMPLES[kind], t.store.system)]
    assert bool(said) == (kind not in SILENT)
    assert not any("c1" in line or "{" in line for line in said)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("condition Ana weak", "Ana: weak"),
        ("condition Ana weak rounds=1", "Ana: weak until the end of their turn"),
        ("condition Ana weak rounds=3", "Ana: weak for 3 turns"),
        ("condition Ana weak rounds=3 of=Bo", "Ana: weak for 3 of Bo's turns"),
        ("condition Ana weak rounds=3 until=start", "Ana: weak until the start of their 3rd turn from now"),
        ("condition Ana weak until=start of=Bo", "Ana: weak until the start of Bo's turn"),
    ],
)
def test_how_long_a_condition_lasts_is_said(line: str, says: str) -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo")
    assert [x.text for x in t.do(line).lines] == [says]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("condition Ana weak rounds=1", "Ana: weak until the end of the next round"),
        ("condition Ana weak rounds=3 of=Bo", "Ana: weak for 3 rounds"),
        ("condition Ana weak rounds=3 until=start", "Ana: weak until the start of the 3rd round from now"),
        ("condition Ana weak until=start of=Bo", "Ana: weak until the start of the next round"),
        (
            "condition Ana weak rounds=2 save=wis dc=12",
            "Ana: weak for 2 rounds or a save ends it (DC 12 wis)",
        ),
    ],
)
def test_where_turns_last_the_round_a_condition_ends_with_a_round(line: str, says: str) -> None:
    t = Table("chaos")
    t.do("add Ana", "add Bo", "begin")
    assert [x.text for x in t.do(line).lines] == [says]


def test_an_alias_is_the_game_masters_to_know() -> None:
    t = Table("classic")
    t.do("add Ana")
    assert [x.text for x in t.do("alias Ana Shade").lines] == ["Ana: players read Shade"]
    assert list(t.store.messages(t.store.step, viewer_of("Mia"))) == []


def test_in_its_own_turn_it_is_the_next_turn_that_ends_it() -> None:
    t = Table("classic")
    t.do("add Ana", "begin")
    t.do("roll", dice=[9])
    t.do("next")
    assert [x.text for x in t.do("condition Ana rage rounds=1").lines] == [
        "Ana: rage until the end of their next turn"
    ]


def said(t: Table, line: str, dice: list[int] | None = None, viewer: str | None = None) -> list[str]:
    """What a line brings into the log."""
    t.do(line, dice=dice)
    return [m.text.removesuffix(" (given)") for m in t.store.messages(t.store.step, viewer_of(viewer))]


@pytest.mark.parametrize(
    ("system", "fields", "dice", "says"),
    [
        ("classic", "mod=3", [12], "Ana rolls 15 (12+3)"),
        ("classic", "mod=-1", [19], "Ana rolls 18 (19-1)"),
        ("classic", "", [9], "Ana rolls 9"),
        ("classic", "mod=2 adv=adv", [4, 11], "Ana rolls 13 (11+2, not 4)"),
        ("classic", "adv=dis", [4, 11], "Ana rolls 4 (not 11)"),
        ("dynamic", "size=large", [7], "Ana rolls 7"),
        ("dynamic", "die=2d6 adv=adv", [5, 3, 2], "Ana rolls 5 (3+2, not 5)"),
    ],
)
def test_a_roll_is_told_with_its_total_first(system: str, fields: str, dice: list[int], says: str) -> None:
    t = Table(system)
    t.do(f"add Ana {fields}", "begin")
    assert says in said(t, "roll", dice)


def test_an_opposed_roll_has_its_perception_and_a_check_in_unbound_too() -> None:
    t = Table("dungeon-universalis")
    t.do("add Ana kind=pc per=4 int=2", "add Orc per=1 int=2 distance=3", "begin", "meet Ana")
    assert said(t, "roll", [5, 4, 2, 3])[:2] == ["Ana rolls 13 (5+4+4)", "Orc rolls 6 (2+3+1)"]
    t = Table("unbound")
    t.do("add Ana side=heroes per=3", "add Orc", "begin", "surprise heroes by=dark")
    assert "Ana rolls 12 (4+5+3)" in said(t, "roll", [2, 1, 4, 5])


def test_a_roll_off_is_told_as_one() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo mod=1", "begin")
    told = said(t, "roll", [10, 9, 3, 17])
    assert told[:4] == [
        "Ana rolls 10",
        "Bo rolls 10 (9+1)",
        "Ana rolls 3 in the roll-off",
        "Bo rolls 17 in the roll-off",
    ]


def test_what_happens_to_many_says_first_what_happened() -> None:
    t = Table("classic")
    t.do("add 4 Orc hp=9", "add Ana owner=Mia hp=9")
    assert said(t, "damage Orc* 5") == ["5 damage each: Orc 1 to 4 (4 left)"]
    assert said(t, "condition Orc* prone rounds=2") == ["Prone for 2 turns: Orc 1 to 4"]
    assert said(t, "out Orc*") == ["Out: Orc 1 to 4"]


def test_an_area_is_told_by_what_came_of_it_with_names_folded_and_the_dice_last() -> None:
    t = Table("classic")
    t.do("add Ana owner=Mia hp=20", "add 6 Orc hp=7", "add Ogre hp=30")
    assert said(t, "area * damage=9 type=fire dc=12 save=dex")[-1] == (
        "Save owed, DC 12 dex, 9 fire damage: Ana, Orc 1 to 6, Ogre"
    )
    told = said(t, "roll", dice=[14, 3, 13, 4, 5, 6, 17, 2])
    assert [text.replace(" (given)", "") for text in told] == [
        "Save made: Ana, Orc 2, 6",
        "Save failed: Orc 1, 3 to 5, Ogre",
        "4 damage each: Ana (16 left); Orc 2, 6 (3 left)",
        "9 damage each: Orc 1, 3 to 5 (0 left); Ogre (21 left)",
        "Rolled: Ana: 14, Orc 1: 3, Orc 2: 13, Orc 3: 4, Orc 4: 5, Orc 5: 6, Orc 6: 17, Ogre: 2",
    ]


def test_a_hit_on_the_dying_and_a_save_that_is_owed_do_not_tear_the_damage_of_an_area_apart() -> None:
    t = Table("classic")
    t.do("option zero.pc=dying", "add 3 Ana kind=pc hp=9", "add Bo kind=pc hp=20")
    t.do("begin", "roll", dice=[4, 3, 2, 1])
    t.do('damage "Ana 2" 9', "condition Bo bless conc=yes of=Bo")
    assert said(t, "damage Ana*,Bo 4") == [
        "4 damage each: Ana 1 (5 left), Ana 2 (0 left), Ana 3 (5 left), Bo (16 left)",
        "Bo owes the concentration save: DC 10 con",
        "Ana 2: 0 of 3 successes, 1 of 3 failures",
    ]


def test_a_death_save_among_the_saves_of_an_area_does_not_tear_them_apart() -> None:
    t = Table("classic")
    t.do("option zero.pc=dying", "add 3 Ana kind=pc hp=9", "add Bo kind=pc hp=20", "begin")
    t.do("roll", dice=[4, 13, 2, 1])
    t.do('damage "Ana 2" 9', "next", "area * damage=4 dc=12 save=dex")
    told = said(t, "roll", dice=[3, 14, 15, 4, 5])
    assert [text.replace(" (given)", "") for text in told] == [
        "Save failed: Ana 1, 3, Bo",
        "Ana 2 makes the save",
        "Ana 2: 1 of 3 successes, 0 of 3 failures",
        "4 damage each: Ana 1, 3 (5 left); Bo (16 left)",
        "Ana 2 takes 2 damage: 0 left",
        "Ana 2: 1 of 3 successes, 1 of 3 failures",
        "Rolled: Ana 1: 3, Ana 2: 14, Ana 2: 15, Ana 3: 4, Bo: 5",
    ]


def test_who_is_healed_in_full_has_the_maximum() -> None:
    t = Table("classic")
    t.do("add Ana hp=20", "add Bo hp=5 max_hp=20", "damage Ana 2")
    assert said(t, "heal Ana 4") == ["Ana heals 4: 20 now, the maximum"]
    assert said(t, "heal Bo 4") == ["Bo heals 4: 9 now"]


def test_whose_a_condition_is_that_no_turn_ends_is_said() -> None:
    t = Table("classic")
    t.do("add Ana", "add Orc")
    assert t.do("condition Ana grappled of=Orc").lines[-1].text == "Ana: grappled by Orc"
    assert t.do("condition Ana held of=Orc save=str dc=12").lines[-1].text == (
        "Ana: held by Orc until a save ends it (DC 12 str)"
    )
    assert t.do("condition Ana wary of=Ana").lines[-1].text == "Ana: wary"


def test_what_many_have_left_stays_their_owners() -> None:
    t = Table("classic")
    t.do("add 2 Orc hp=9", "add Ana owner=Mia hp=9")
    assert said(t, "damage * 1", viewer="Mia") == ["1 damage each: Orc 1, 2, Ana (8 left)"]


def test_two_are_told_one_by_one() -> None:
    t = Table("classic")
    t.do("add 2 Orc hp=9")
    assert said(t, "out Orc*") == ["Orc 1 is out", "Orc 2 is out"]


def test_sides_are_told_as_people_speak_of_them() -> None:
    t = Table("unbound")
    t.do("add Ana kind=pc", "add Orc", "add Imp side=cult", "begin")
    told = said(t, "roll", [9, 5, 2])
    assert told[:3] == ["The heroes roll 9", "The dark side rolls 5", "cult rolls 2"]
    assert t.state()["now"].startswith("The heroes choose")


def test_what_a_whole_formation_holds_is_one_line() -> None:
    t = Table("chaos")
    t.do("add 4 Archer group=Archers", "begin", "order Archers ready=shoot", "lock")
    t.do("roll", dice=[9])
    t.do("ok")
    said = [m.text for m in t.do("next").lines]
    assert said == [
        "Archers act: ready shoot",
        "Holds a readied action: Archer 1 to 4",
    ]


def test_many_without_an_order_share_a_message() -> None:
    t = Table("chaos")
    t.do("add 6 Orc", "begin")
    assert next(x.text for x in t.do("lock missing=empty").lines) == "Nothing this round: Orc 1 to 6"


def test_what_is_announced_of_many_is_told_once() -> None:
    t = Table("chaos", {"cha.mode": "head-to-head"})
    t.do("add Ana owner=Mia side=red", "add 3 Orc owner=Max side=blue", "begin", "lock missing=empty")
    t.do("roll", dice=[19, 15, 10, 5])
    t.do("ok")
    assert "The first opportunity attack (CHA-21): Ana, Orc 1 to 3" in said(t, "next")


def test_a_condition_that_a_concentration_holds_is_told_of_many_at_once() -> None:
    t = Table("classic")
    t.do("add 3 Orc hp=9", "add Mira hp=9")
    assert said(t, "condition Orc* Slowed of=Mira conc=yes save=wis dc=13") == [
        "Slowed while Mira concentrates, or a save ends it (DC 13 wis): Orc 1 to 3",
        "Mira: concentration",
    ]


def test_saves_that_many_owe_against_a_condition_are_headed_like_other_saves() -> None:
    t = Table("classic")
    t.do("add 3 Orc hp=9 group=Orcs", "begin")
    t.do("roll", dice=[4])
    t.do("next", "condition Orcs Slowed save=wis dc=13")
    assert "Save against Slowed owed, DC 13 wis: Orc 1 to 3" in said(t, "end")


def test_a_name_without_a_number_begins_no_series() -> None:
    t = Table("classic")
    t.do("add Orc hp=9", "add 3 Orc hp=9")
    assert said(t, "damage orc* 2") == ["2 damage each: Orc, Orc 1 to 3 (7 left)"]


@pytest.mark.parametrize(
    ("rounds", "ordinal"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"), (13, "13th"),
    (14, "14th"), (21, "21st"), (22, "22nd"), (23, "23rd"), (99, "99th")],
)  # fmt: skip
def test_turns_are_counted_in_ordinals(rounds: int, ordinal: str) -> None:
    t = Table("classic")
    t.do("add Ana")
    [line] = t.do(f"condition Ana weak rounds={rounds} until=start").lines
    says = "the start of their turn" if rounds == 1 else f"the start of their {ordinal} turn from now"
    assert line.text == f"Ana: weak until {says}"


@pytest.mark.parametrize(
    ("arrives", "now", "says"), [(0, 0, ""), (3, 2, " in round 3"), (3, 3, ""), (2, 3, "")]
)
def test_who_comes_later_is_told_with_the_round(arrives: int, now: int, says: str) -> None:
    late = Combatant("c2", "Bo", "heroes", arrives=arrives)
    e = Encounter(system="classic", combatants={"c2": late}, round=now)
    [joins] = tell(e, ev.Added(late), Table("classic").store.system)[:1]
    assert text(e, joins) == f"Bo joins the heroes{says}"
