"""Hit points, conditions, death and rest by value: the events of one line, and what the system hears."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.core.rules.listener import Listener
from tests.table import NoDice
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.combatant import Combatant, Condition, Counted, Dying, OwedSave
from tui.core.fight.dice import GivenDice
from tui.core.fight.encounter import GM, Encounter, Turn
from tui.core.language.creature_actions import EffectAction, HealthAction, Rest
from tui.core.language.grammar import parse
from tui.core.rules import health
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller


class HealthListener(Listener):
    """A system that also notes damage, and whose heroes alone are in combat."""

    def damaged(self, d: Draft, who: str, amount: int) -> None:
        """Note the damage."""
        del d
        self.heard.append(("damaged", who, amount))

    def in_combat(self, e: Encounter, side: str) -> bool:
        """Return whether these are the heroes of a fight that runs."""
        return e.running and side == "heroes"


RUNS: dict[str, Any] = {"phase": "turns", "round": 1}
FOCUS = Condition("Concentration")
OWES_10, OWES_11 = (ev.SaveOwed("c1", OwedSave(1, "concentration", dc, "con")) for dc in (10, 11))


def ana(**how: Any) -> Combatant:
    """Return Ana with 9 of 9 hit points, unless it says otherwise."""
    return Combatant("c1", "Ana", **{"side": "heroes", "hp": 9, "max_hp": 9, **how})


def fight(*people: Combatant, **how: Any) -> Encounter:
    """Return an encounter of these."""
    return Encounter(combatants={c.id: c for c in people}, **how)


def drafted(e: Encounter, line: str, faces: tuple[int, ...] = ()) -> tuple[Draft, list[tuple[object, ...]]]:
    """Return what a line writes, and what the system hears."""
    d, system, action = Draft(e), HealthListener(), parse(line)
    if isinstance(action, Rest):
        health.rest(d, system, action)
    else:
        assert isinstance(action, HealthAction)
        assert not isinstance(action, EffectAction)
        health.perform(d, system, action, Roller(GivenDice(faces) if faces else NoDice()))
    return d, system.heard


def said(text: str, who: str = "c1", *, own: bool = False) -> ev.Announced:
    """Return what the rules say of somebody."""
    return ev.Announced(text, (who,), "", own)


# --- damage


@pytest.mark.parametrize(
    ("points", "how", "options", "events"),
    [
        (5, {"hp": None, "max_hp": None}, {}, [ev.Damaged("c1", 5, -1, 0)]),
        (5, {}, {}, [ev.Damaged("c1", 5, 4, 0)]),
        (9, {}, {}, [ev.Damaged("c1", 9, 0, 0)]),
        (5, {"temp_hp": 3}, {}, [ev.Damaged("c1", 5, 7, 0)]),
        (5, {"temp_hp": 5}, {}, [ev.Damaged("c1", 5, 9, 0)]),
        (5, {"temp_hp": 7}, {}, [ev.Damaged("c1", 5, 9, 2)]),
        (0, {"conditions": (FOCUS,)}, {}, [ev.Damaged("c1", 0, 9, 0)]),
        (1, {"conditions": (FOCUS,)}, {}, [ev.Damaged("c1", 1, 8, 0), OWES_10]),
        (9, {"conditions": (FOCUS,)}, {}, [ev.Damaged("c1", 9, 0, 0)]),
        (22, {"hp": None, "conditions": (FOCUS,)}, {}, [ev.Damaged("c1", 22, -1, 0), OWES_11]),
        (21, {"hp": 30, "conditions": (FOCUS,)}, {}, [ev.Damaged("c1", 21, 9, 0), OWES_10]),
        (
            1,
            {"conditions": (FOCUS,)},
            {"concentration.dc": "none"},
            [ev.Damaged("c1", 1, 8, 0), said("{0} is concentrating: the damage may break it")],
        ),
        (9, {}, {"zero.monster": "out"}, [ev.Damaged("c1", 9, 0, 0), ev.WentOut("c1")]),
        (9, {"out": True}, {"zero.monster": "out"}, [ev.Damaged("c1", 9, 0, 0)]),
        (0, {"hp": 0}, {"zero.monster": "out"}, [ev.Damaged("c1", 0, 0, 0)]),
        (8, {}, {"zero.monster": "out"}, [ev.Damaged("c1", 8, 1, 0)]),
        (9, {}, {"zero.pc": "out", "zero.npc": "dying"}, [ev.Damaged("c1", 9, 0, 0)]),
        (
            9,
            {"owner": "Mia"},
            {"zero.pc": "dying"},
            [ev.Damaged("c1", 9, 0, 0), ev.DeathSaves("c1"), said("{0} is dying")],
        ),
        (
            9,
            {"fields": {"kind": "npc"}},
            {"zero.npc": "dying"},
            [ev.Damaged("c1", 9, 0, 0), ev.DeathSaves("c1"), said("{0} is dying")],
        ),
        (18, {}, {}, [ev.Damaged("c1", 18, 0, 0)]),
        (17, {}, {"zero.massive": "dead"}, [ev.Damaged("c1", 17, 0, 0)]),
        (19, {"temp_hp": 2}, {"zero.massive": "dead"}, [ev.Damaged("c1", 19, 0, 0)]),
        (99, {"max_hp": None}, {"zero.massive": "dead"}, [ev.Damaged("c1", 99, 0, 0)]),
        (
            18,
            {},
            {"zero.massive": "dead", "zero.monster": "dying"},
            [
                ev.Damaged("c1", 18, 0, 0),
                said("{0} dies of massive damage"),
                ev.Died("c1"),
                ev.WentOut("c1"),
            ],
        ),
        (
            9,
            {"hp": 0, "dying": Dying(1, 1)},
            {"zero.massive": "dead"},
            [
                ev.Damaged("c1", 9, 0, 0),
                ev.DeathSaves("c1", over=True),
                said("{0} dies of massive damage"),
                ev.Died("c1"),
                ev.WentOut("c1"),
            ],
        ),
        (
            8,
            {"hp": 0, "dying": Dying(1, 1)},
            {"zero.massive": "dead", "zero.monster": "out"},
            [
                ev.Damaged("c1", 8, 0, 0),
                ev.DeathSaves("c1", 1, 2),
                said("{0}: 1 of 3 successes, 2 of 3 failures"),
            ],
        ),
        (
            1,
            {"hp": 0, "dying": Dying(stable=True)},
            {},
            [
                ev.Damaged("c1", 1, 0, 0),
                ev.DeathSaves("c1", 0, 1),
                said("{0}: 0 of 3 successes, 1 of 3 failures"),
            ],
        ),
        (
            1,
            {"hp": 0, "dying": Dying(1, 1, owes=True)},
            {},
            [
                ev.Damaged("c1", 1, 0, 0),
                ev.DeathSaves("c1", 1, 2, owes=True),
                said("{0}: 1 of 3 successes, 2 of 3 failures"),
            ],
        ),
        (
            1,
            {"hp": 0, "dying": Dying(2, 2)},
            {},
            [
                ev.Damaged("c1", 1, 0, 0),
                ev.DeathSaves("c1", over=True),
                said("{0} has failed three death saves and dies"),
                ev.Died("c1"),
                ev.WentOut("c1"),
            ],
        ),
    ],
)
def test_what_damage_does(
    points: int, how: dict[str, Any], options: dict[str, str], events: list[ev.Event]
) -> None:
    bo = Combatant("c2", "Bo", "heroes")
    for running in ({}, RUNS):
        d, system = Draft(fight(ana(**how), bo, options=options, **running)), HealthListener()
        health.damage(d, system, "c1", points)
        assert d.events == events
        left = [("left", ("c1",))] if ev.WentOut("c1") in events else []
        assert system.heard == ([("damaged", "c1", points)] * (points > 0) + left if running else [])


BEHIND = ": `type=KIND` after the damage counts it"


@pytest.mark.parametrize(
    ("resist", "vulnerable", "immune", "points", "kind", "taken", "says"),
    [
        ("", "", "", 5, "", 5, ""),
        ("", "", "", 5, "fire", 5, ""),
        ("fire", "", "", 5, "fire", 2, "{0} resists: half of it"),
        ("fire", "", "", 7, " FIRE ", 3, "{0} resists: half of it"),
        ("Cold , fire", "", "", 5, "fire", 2, "{0} resists: half of it"),
        ("fire", "", "", 5, "cold", 5, ""),
        ("fire", "", "", 5, "", 5, f"{{0}} resists fire{BEHIND}"),
        ("", "fire", "", 5, "", 5, f"{{0}} is vulnerable to fire{BEHIND}"),
        ("", "", "fire", 5, "", 5, f"{{0}} is immune to fire{BEHIND}"),
        (
            "cold",
            "wax",
            "fire",
            5,
            "",
            5,
            f"{{0}} is immune to fire and resists cold and is vulnerable to wax{BEHIND}",
        ),
        ("fire", "", "", 0, "", 0, ""),
        ("fire", "fire", "fire", 0, "fire", 0, ""),
        ("", "fire", "", 5, "fire", 10, "{0} is vulnerable: twice as much"),
        ("fire", "fire", "", 5, "fire", 5, ""),
        ("all", "fire", "", 5, "fire", 5, ""),
        ("cold", "fire", "", 5, "fire", 10, "{0} is vulnerable: twice as much"),
        ("", "", "fire", 5, "fire", 0, "{0} is immune: nothing of it"),
        ("fire", "fire", "fire", 5, "fire", 0, "{0} is immune: nothing of it"),
        ("all", "", "", 5, "", 2, "{0} resists: half of it"),
        ("", "all", "", 5, "", 10, "{0} is vulnerable: twice as much"),
        ("", "", "all", 5, "", 0, "{0} is immune: nothing of it"),
        (",", "", "", 5, "", 5, ""),
        (", fire", "", "", 5, "", 5, f"{{0}} resists , fire{BEHIND}"),
    ],
)
def test_what_is_left_of_damage_of_a_kind(
    resist: str, vulnerable: str, immune: str, points: int, kind: str, taken: int, says: str
) -> None:
    d = Draft(fight(ana(resist=resist, vulnerable=vulnerable, immune=immune)))
    assert health.taken(d, "c1", points, kind) == taken
    assert d.events == ([said(says, own=True)] if says else [])


@pytest.mark.parametrize(
    ("line", "amounts"),
    [
        ("damage Ana 7", {"c1": 7}),
        ("damage Ana,Bo 7 half=Bo", {"c1": 7, "c2": 3}),
        ("damage Ana 7 half=Bo", {"c1": 7, "c2": 3}),
        ("damage @heroes 7 none=Bo", {"c1": 7}),
        ("damage @heroes 7 half=Ana none=Ana", {"c2": 7}),
        ("damage Cy 7", {}),
    ],
)
def test_an_area_leaves_out_those_of_none_and_whoever_is_out(line: str, amounts: dict[str, int]) -> None:
    bo, cy = (Combatant(k, name, "heroes", hp=50, out=k == "c3") for k, name in (("c2", "Bo"), ("c3", "Cy")))
    found = drafted(fight(ana(hp=20, max_hp=20), bo, cy), line)[0].events
    assert {x.who: x.amount for x in found if isinstance(x, ev.Damaged)} == amounts


# --- healing, temporary points, out and back


@pytest.mark.parametrize(
    ("how", "line", "events"),
    [
        ({"hp": 3}, "heal Ana 4", [ev.Healed("c1", 4, 7)]),
        ({"hp": 3}, "heal Ana 40", [ev.Healed("c1", 40, 9)]),
        ({"hp": 3, "max_hp": None}, "heal Ana 40", [ev.Healed("c1", 40, 43)]),
        ({"hp": 12}, "heal Ana 1", [ev.Healed("c1", 1, 12)]),
        ({"hp": 3, "temp_max": 2}, "heal Ana 40", [ev.Healed("c1", 40, 11)]),
        ({}, "temp Ana 4", [ev.Bolstered("c1", 4)]),
        ({"temp_hp": 6}, "temp Ana 4", [ev.Bolstered("c1", 6)]),
        ({"temp_hp": 6}, "temp Ana 0", [ev.Bolstered("c1", 0)]),
        ({}, "temp Ana 0", []),
        ({}, "out Ana", [ev.WentOut("c1")]),
        ({"out": True}, "back Ana", [ev.CameBack("c1")]),
        ({"out": True}, "back Ana,Bo", [ev.CameBack("c1")]),
        ({"out": True}, "out Ana,Bo", [ev.WentOut("c2")]),
        (
            {"hp": 0, "dying": Dying(1, 2)},
            "stable Ana,Bo",
            [ev.DeathSaves("c1", stable=True), said("{0} is stable")],
        ),
    ],
)
def test_what_healing_and_leaving_write(how: dict[str, Any], line: str, events: list[ev.Event]) -> None:
    bo = Combatant("c2", "Bo", "heroes")
    d, heard = drafted(fight(ana(**how), bo), line)
    assert (d.events, heard) == (events, [])
    hears = {"out": "left", "back": "joined"}.get(line.split(maxsplit=1)[0])
    whom = tuple(x.who for x in events if isinstance(x, ev.WentOut | ev.CameBack))
    d, heard = drafted(fight(ana(**how), bo, **RUNS), line)
    assert (d.events, heard) == (events, [(hears, whom)] if hears else [])


def test_dice_that_come_to_nothing_take_no_temporary_points_away() -> None:
    d = drafted(fight(ana(temp_hp=6)), "temp Ana d4-4", (1,))[0]
    assert [x for x in d.events if isinstance(x, ev.Bolstered)] == [ev.Bolstered("c1", 6)]
    d = drafted(fight(ana(temp_hp=6)), "temp Ana d4", (2,))[0]
    assert [x for x in d.events if isinstance(x, ev.Bolstered)] == [ev.Bolstered("c1", 6)]


@pytest.mark.parametrize(
    ("how", "line", "says", "hint"),
    [
        ({"hp": None}, "heal Ana 4", "Ana has no hit points to heal", "`set Ana hp=10` gives some"),
        ({"out": True}, "out Ana", "Ana is already out", ""),
        ({}, "back Ana", "Ana is already in the fight", ""),
        ({"hp": 0, "dying": Dying(stable=True)}, "stable Ana", "Ana is stable already", ""),
        ({}, "stable Ana", "Ana is not dying", "`option zero.pc=dying` gives heroes at 0 death saves"),
        ({}, "clear Ana slow", "Ana has no conditions", ""),
        ({}, 'condition Ana " "', "a condition needs a name", ""),
        ({"out": True}, "condition Ana concentration", "Ana is out and cannot concentrate", ""),
        ({"hp": 0}, "condition Ana concentration", "Ana is at 0 and cannot concentrate", ""),
        (
            {"out": True, "hp": 0},
            "condition Bo held of=Ana conc=yes",
            "Ana is out and cannot concentrate",
            "",
        ),
        ({"hp": 0}, "condition Bo held of=Ana conc=yes", "Ana is at 0 and cannot concentrate", ""),
        ({"hp": 0}, "condition Ana held of=Ana conc=yes", "Ana is at 0 and cannot concentrate", ""),
        (
            {},
            "condition Ana held of=Imp,Rat",
            "of=Imp,Rat names 2 creatures",
            "name one creature, or a group",
        ),
        ({}, "condition Ana held of=Rat,Bo", "of=Rat,Bo names 2 creatures", "name one creature, or a group"),
        (
            {},
            "condition Ana held of=Gang conc=yes",
            "of=Gang names a group, and only a creature concentrates",
            "",
        ),
        ({}, "condition Ana held rounds=10000", "rounds= takes 0 to 9999, not 10000", ""),
        ({"conditions": (Condition("slow"),)}, "clear Ana slow of=Bo", "no slow there is of Bo", ""),
        (
            {"conditions": (Condition("slow"),)},
            "clear Ana held",
            'no condition of Ana is called "held"',
            "there are: slow",
        ),
        (
            {"conditions": (Condition("slow"),), "counters": (Counted("ki", 1),)},
            "clear Ana,Rat held",
            'no condition is called "held"',
            "there are: slow, bane, ki",
        ),
        (
            {"counters": (Counted("ki", 1),)},
            "clear Ana ki of=Bo",
            "no ki there is of Bo",
            "",
        ),
        ({}, "rest long", "there is no player's character", "`rest long WHO` names who rests"),
    ],
)
def test_what_cannot_be_is_refused_with_what_would_work(
    how: dict[str, Any], line: str, says: str, hint: str
) -> None:
    gang = [
        Combatant("c2", "Bo", "heroes"),
        Combatant("c3", "Imp", "dark", group="Gang"),
        Combatant("c4", "Rat", "dark", group="Gang", conditions=(Condition("bane"),)),
        Combatant("c5", "Orc", "dark", group="Gang"),
    ]
    e = fight(ana(**how), *gang)
    with pytest.raises(RuleError) as refused:
        drafted(e, line)
    assert (refused.value.message, refused.value.hint) == (says, hint)


# --- conditions


@pytest.mark.parametrize(
    ("line", "conditions"),
    [
        ("condition Ana slow", {"c1": Condition("slow")}),
        ("condition Ana slow rounds=2", {"c1": Condition("slow", 2, "end", fresh=True)}),
        ("condition Ana slow rounds=2 until=start", {"c1": Condition("slow", 2, "start")}),
        ("condition Ana slow until=end", {"c1": Condition("slow", 1, "end")}),
        ("condition Ana slow until=start of=Bo", {"c1": Condition("slow", 1, "start", "c2")}),
        ("condition Ana slow rounds=0", {"c1": Condition("slow")}),
        ("condition Ana slow rounds=0 until=end", {"c1": Condition("slow")}),
        ("condition Ana slow of=Bo", {"c1": Condition("slow", of="c2")}),
        ("condition Ana slow rounds=1 of=Bo", {"c1": Condition("slow", 1, "end", "c2")}),
        ("condition Orc slow", {"c5": Condition("slow")}),
        ("condition Orc slow of=Bo", {"c5": Condition("slow", of="c2")}),
        ("condition Bo slow rounds=1", {"c2": Condition("slow", 1, "end")}),
        ("condition Bo slow rounds=1 of=Ana", {"c2": Condition("slow", 1, "end", "c1", fresh=True)}),
        ("condition Ana slow of=Gang", {"c1": Condition("slow", of="@Gang")}),
        ("condition Ana slow of=Imp,Rat", {"c1": Condition("slow", of="@Gang")}),
        ("condition Ana slow save=dex dc=13", {"c1": Condition("slow", dc=13, key="dex")}),
        ("condition Ana concentrating", {"c1": Condition("concentration")}),
        ("condition Ana Concentrating", {"c1": Condition("concentration")}),
        ("condition Ana Concentration of=Bo", {"c1": Condition("Concentration", of="c2")}),
        ("condition Bo SLOW of=Imp", {"c2": Condition("SLOW", of="c3", hidden=True)}),
        ("condition Bo slow of=Rat", {"c2": Condition("slow", of="c4")}),
        ("condition Bo slow2 of=Imp", {"c2": Condition("slow2", of="c3")}),
        (
            "condition Bo held of=Ana conc=yes",
            {"c2": Condition("held", of="c1", conc=True), "c1": Condition("concentration")},
        ),
        (
            "condition Bo,Imp held of=Ana conc=yes",
            {
                "c2": Condition("held", of="c1", conc=True),
                "c3": Condition("held", of="c1", conc=True),
                "c1": Condition("concentration"),
            },
        ),
        ("condition Bo held of=Rat conc=yes", {"c2": Condition("held", of="c4", conc=True)}),
    ],
)
def test_what_a_condition_is(line: str, conditions: dict[str, Condition]) -> None:
    people = [
        ana(),
        Combatant("c2", "Bo", "heroes", conditions=(Condition("slow", of="c3", hidden=True), Condition("x"))),
        Combatant("c3", "Imp", "dark", group="Gang"),
        Combatant("c4", "Rat", "dark", group="Gang", conditions=(FOCUS,)),
        Combatant("c5", "Orc", "dark", hp=0, out=True),
    ]
    events = drafted(fight(*people, turn=Turn("c1", ("c1",)), **RUNS), line)[0].events
    assert events == [ev.Afflicted(k, x) for k, x in conditions.items()]


def test_who_concentrates_by_itself_is_its_own_mind() -> None:
    events = drafted(fight(ana()), "condition Ana shield of=Ana conc=yes")[0].events
    assert events == [
        ev.Afflicted("c1", Condition("shield", of="c1", conc=True)),
        ev.Afflicted("c1", Condition("concentration")),
    ]


def test_a_creature_carries_32_conditions_and_one_of_them_may_be_renewed() -> None:
    borne = tuple(Condition(f"n{i}", of="c9" if i == 1 else "") for i in range(32))
    full = fight(ana(conditions=borne), gone={"c9": Combatant("c9", "Rat", "dark")})
    for line in ("condition Ana new", "condition Ana n1"):
        with pytest.raises(RuleError, match="Ana carries 32 conditions already"):
            drafted(full, line)
    assert drafted(full, "condition Ana N5")[0].events == [ev.Afflicted("c1", Condition("N5"))]
    room = fight(ana(conditions=borne[1:]))
    assert drafted(room, "condition Ana new")[0].events == [ev.Afflicted("c1", Condition("new"))]


SLOW, OF_BO, BANE = Condition("Slow"), Condition("slow", of="c2"), Condition("bane")


@pytest.mark.parametrize(
    ("line", "events"),
    [
        ("clear Ana slow", [ev.Cleared("c1", "Slow", of=""), ev.Cleared("c1", "slow", of="c2")]),
        ("clear Ana sl of=Bo", [ev.Cleared("c1", "slow", of="c2")]),
        ("clear Ana bane", [ev.Cleared("c1", "bane", of="")]),
        (
            "clear Ana,Bo,Imp bane",
            [ev.Cleared("c1", "bane", of=""), ev.Cleared("c2", "bane", of="")],
        ),
        ("clear Ana,Bo,Imp ki", [ev.CounterEnded("c2", "ki")]),
        ("clear Bo KI", [ev.CounterEnded("c2", "ki")]),
        ("clear Bo both", [ev.CounterEnded("c2", "both"), ev.Cleared("c2", "Both", of="")]),
        ("clear Bo concentrating", [ev.Cleared("c2", "Concentration", of="")]),
    ],
)
def test_what_is_cleared(line: str, events: list[ev.Event]) -> None:
    bo = Combatant(
        "c2",
        "Bo",
        "heroes",
        conditions=(BANE, Condition("Both"), FOCUS),
        counters=(Counted("Ki", 2), Counted("both", 1)),
    )
    imp = Combatant("c3", "Imp", "dark")
    assert drafted(fight(ana(conditions=(SLOW, OF_BO, BANE)), bo, imp), line)[0].events == events


HELD, OTHER, FREE = (
    Condition("held", of="c1", conc=True),
    Condition("bane", of="c9", conc=True),
    Condition("slow", of="c1"),
)
ENDS = ev.Cleared("c2", "held", over=True, of="c1")
LOSES = ev.Cleared("c1", "concentration", over=True)


@pytest.mark.parametrize(
    ("how", "facts", "ends"),
    [
        ({"conditions": (FOCUS,)}, [ev.WentOut("c1")], [LOSES, ENDS]),
        ({"conditions": (FOCUS,)}, [ev.Damaged("c1", 9, 0, 0)], [LOSES, ENDS]),
        ({"conditions": (FOCUS,)}, [ev.Damaged("c1", 8, 1, 0)], []),
        ({"conditions": (FOCUS,)}, [ev.Changed("c1", "hp", 0)], [LOSES, ENDS]),
        ({"conditions": (FOCUS,)}, [ev.Changed("c1", "hp", 1)], []),
        ({"conditions": (FOCUS,)}, [ev.Changed("c1", "max_hp", 3)], []),
        ({"conditions": (FOCUS,)}, [ev.Removed("c1")], [ENDS]),
        ({"conditions": (FOCUS,)}, [ev.Cleared("c1", "CONCENTRATION")], [ENDS]),
        ({"conditions": (FOCUS, SLOW)}, [ev.Cleared("c1", "slow")], []),
        ({}, [ev.WentOut("c2")], [ENDS]),
        ({}, [ev.Damaged("c1", 9, 0, 0)], [ENDS]),
        ({"conditions": (FOCUS,)}, [ev.WentOut("c1"), ev.Damaged("c1", 9, 0, 0)], [LOSES, ENDS]),
    ],
)
def test_what_ends_with_a_concentration(
    how: dict[str, Any], facts: list[ev.Event], ends: list[ev.Event]
) -> None:
    d = Draft(fight(ana(**how), Combatant("c2", "Bo", "dark", conditions=(HELD, OTHER, FREE))))
    d.emit(*facts)
    health.broken(d)
    assert d.events == [*facts, *ends]


# --- rest


KI = Counted("ki", 1, 3, "short")
LONG = Counted("spells", 1, 3, "long")
NEVER = Counted("arrows", 1, 3)
OWING = Counted("breath", 0, 1, "1d6>=5", owes=True)
ROUND, TURN = Counted("fury", 0, 2, "round"), Counted("acts", 0, 2, "turn")
OPEN, FULL = Counted("kills", 7, 0, "short"), Counted("luck", 3, 3, "short")


def full(*counters: Counted) -> tuple[Counted, ...]:
    """Return these counters when they are back."""
    return tuple(replace(x, n=x.most, owes=False) for x in counters)


STAYS = said("{0} stays out: `back {0}` brings back", own=True)
DEAD = said("{0} is dead and does not rest: `rest long {0}` brings back", own=True)


@pytest.mark.parametrize(
    ("how", "long", "named", "events"),
    [
        ({}, True, True, []),
        ({"counters": (OPEN, FULL, NEVER)}, True, True, []),
        ({"hp": 3}, False, True, []),
        ({"hp": 3}, True, True, [ev.Rested("c1", long=True, hp=9)]),
        ({"hp": 3, "temp_max": 2}, True, True, [ev.Rested("c1", long=True, hp=11)]),
        ({"hp": 3, "max_hp": None}, True, True, []),
        ({"hp": 12}, True, True, []),
        ({"hp": None, "max_hp": None}, True, True, []),
        ({"hp": None, "temp_hp": 1}, True, True, [ev.Rested("c1", long=True, hp=-1)]),
        ({"temp_hp": 1}, True, True, [ev.Rested("c1", long=True, hp=9)]),
        ({"temp_hp": 1}, False, True, []),
        ({"hp": 0, "max_hp": 0, "dying": Dying()}, True, True, [ev.Rested("c1", long=True, hp=0)]),
        (
            {"hp": 3, "counters": (KI, LONG, NEVER, OWING, ROUND, TURN, FULL)},
            False,
            True,
            [ev.Rested("c1", counters=full(KI, OWING, ROUND, TURN))],
        ),
        (
            {"hp": 3, "counters": (KI, LONG, NEVER, OWING)},
            True,
            False,
            [ev.Rested("c1", long=True, counters=full(KI, LONG, OWING), hp=9)],
        ),
        ({"counters": (LONG,)}, False, True, []),
        ({"out": True, "hp": 3}, False, True, [STAYS]),
        ({"out": True, "hp": 0}, False, True, [STAYS]),
        ({"out": True, "hp": 3}, True, True, [STAYS, ev.Rested("c1", long=True, hp=9)]),
        ({"out": True, "hp": 0}, True, True, [ev.Rested("c1", long=True, hp=9, up=True)]),
        ({"out": True, "hp": 0, "max_hp": 0}, True, True, []),
        ({"out": True, "hp": 0, "max_hp": 1}, True, True, [ev.Rested("c1", long=True, hp=1, up=True)]),
        ({"out": True, "dead": True, "hp": 0}, True, False, [DEAD]),
        ({"out": True, "dead": True, "hp": 0}, False, False, []),
        ({"out": True, "dead": True, "hp": 0}, False, True, []),
        ({"out": True, "dead": True, "hp": 0}, True, True, [ev.Rested("c1", long=True, hp=9, up=True)]),
        ({"out": True, "dead": True, "hp": 4}, True, True, [ev.Rested("c1", long=True, hp=9, up=True)]),
        ({"out": True, "dead": True, "hp": 9}, True, True, [ev.Rested("c1", long=True, hp=9, up=True)]),
        ({"out": True, "dead": True, "hp": None, "max_hp": None}, True, True, []),
    ],
)
def test_what_a_rest_gives(
    how: dict[str, Any], long: bool, named: bool, events: list[ev.Event]
) -> None:  # of a table
    for running in ({}, RUNS):
        d, system = Draft(fight(ana(**how), **running)), HealthListener()
        gave = any(isinstance(x, ev.Rested) for x in events)
        assert health.rests(d, system, "c1", long=long, named=named) is gave
        assert d.events == events
        up = any(x.up for x in events if isinstance(x, ev.Rested))
        assert system.heard == [("joined", ("c1",))] * (up and bool(running))


NOTHING = "nobody needed anything"
NO_COUNTERS = "no counters to restore; hit points need a long rest"


@pytest.mark.parametrize(
    ("line", "how", "says"),
    [
        ("rest short", {}, f"A short rest: {NOTHING}"),
        ("rest long", {}, f"A long rest: {NOTHING}"),
        ("rest short", {"hp": 8}, f"A short rest: {NO_COUNTERS}"),
        ("rest short Ana", {"hp": 0}, f"A short rest: {NO_COUNTERS}"),
        ("rest short", {"hp": 8, "max_hp": None}, f"A short rest: {NOTHING}"),
        ("rest short", {"hp": 0, "max_hp": None}, f"A short rest: {NOTHING}"),
        ("rest short", {"hp": None}, f"A short rest: {NOTHING}"),
        ("rest short", {"hp": 12}, f"A short rest: {NOTHING}"),
        ("rest short", {"hp": 0, "max_hp": 1}, f"A short rest: {NO_COUNTERS}"),
        ("rest short", {"hp": 1, "max_hp": 1}, f"A short rest: {NOTHING}"),
        ("rest long", {"hp": 8}, ""),
        ("rest short", {"counters": (KI,)}, ""),
        ("rest long", {"out": True, "dead": True}, ""),
        ("rest short", {"out": True, "dead": True}, f"A short rest: {NOTHING}"),
        ("rest short Rat", {}, f"A short rest: {NO_COUNTERS}"),
        ("rest long Rat", {}, ""),
    ],
)
def test_a_rest_that_gave_nobody_anything_is_said_to_the_game_master(
    line: str, how: dict[str, Any], says: str
) -> None:
    rat = Combatant("c2", "Rat", "dark", hp=1, max_hp=3)
    events = drafted(fight(ana(owner="Mia", **how), rat), line)[0].events
    found = [x for x in events if isinstance(x, ev.Announced) and x.about == (GM,)]
    assert found == ([said(says, GM, own=True)] if says else [])
    assert "c2" not in [x.who for x in events if isinstance(x, ev.Rested)] or "Rat" in line


def test_all_of_the_sides_with_a_players_character_rest() -> None:
    people = [
        ana(owner="Mia", hp=1),
        Combatant("c2", "Bo", "heroes", hp=1, max_hp=2),
        Combatant("c3", "Rat", "dark", hp=1, max_hp=2),
        Combatant("c4", "Cy", "pets", hp=1, max_hp=2, fields={"kind": "pc"}),
    ]
    events = drafted(fight(*people), "rest long")[0].events
    assert [x.who for x in events if isinstance(x, ev.Rested)] == ["c1", "c2", "c4"]


def test_nobody_rests_while_a_side_is_in_combat_or_order_is_rolled() -> None:
    hurt, dark = ana(owner="Mia", hp=1), ana(owner="Mia", hp=1, side="dark")
    for e in (fight(hurt, **RUNS), fight(hurt, phase="rolls", round=1), fight(dark, phase="rolls", round=1)):
        with pytest.raises(RuleError, match="nobody rests while the fight runs") as refused:
            drafted(e, "rest long")
        assert refused.value.hint == "`finish` ends it"
    for e in (fight(hurt), fight(dark, **RUNS)):
        assert drafted(e, "rest long")[0].events == [ev.Rested("c1", long=True, hp=9)]
