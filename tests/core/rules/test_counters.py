"""Counters, recharges and death saves by value: the events of one line or one die."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.core.rules.listener import Listener
from tests.table import NoDice
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk, Sentence
from tui.core.fight.combatant import Combatant, Counted, Dying, OwedSave
from tui.core.fight.dice import MOST_SIDES, GivenDice
from tui.core.fight.encounter import Encounter, Turn
from tui.core.language.creature_actions import Tally
from tui.core.language.grammar import parse
from tui.core.rules import upkeep
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller
from tui.core.rules.system import InitiativeSystem

KI, LUCK, LUCKY, LUNCH = (
    Counted("Ki", 2, 3),
    Counted("luck", 4),
    Counted("lucky", 1),
    Counted("lunch", 1, 1, "turn"),
)
BREATH = Counted("Breath", 0, 2, "2d6>=9", owes=True)


def fight(*counters: Counted, **how: Any) -> Encounter:
    """Return Ana with these counters, and Bo."""
    ana = Combatant("c1", "Ana", "heroes", counters=counters)
    return Encounter(combatants={"c1": ana, "c2": Combatant("c2", "Bo", "heroes")}, **how)


def tallied(e: Encounter, line: str, faces: tuple[int, ...] = (), *, quiet: bool = False) -> list[ev.Event]:
    """Return what a line about a counter writes."""
    d, action = Draft(e), parse(line)
    assert isinstance(action, Tally)
    upkeep.count(d, action, Roller(GivenDice(faces) if faces else NoDice()), quiet=quiet)
    return d.events


@pytest.mark.parametrize(
    ("line", "counter"),
    [
        ("count Ana new 5", Counted("new", 5)),
        ("count Ana new +5", Counted("new", 5)),
        ("count Ana new 0", Counted("new", 0)),
        ("count Ana new max=5", Counted("new", 5, 5)),
        ("count Ana new 2 max=5", Counted("new", 2, 5)),
        ("count Ana new 0 max=1", Counted("new", 0, 1)),
        ("count Ana new 5 max=5", Counted("new", 5, 5)),
        ("count Ana new 5 reset=never", Counted("new", 5)),
        ("count Ana new 5 reset=turn", Counted("new", 5, 5, "turn")),
        ("count Ana new 1 reset=ROUND", Counted("new", 1, 1, "round")),
        ("count Ana new 5 reset=short", Counted("new", 5, 5, "short")),
        ("count Ana new 5 max=6 reset=long", Counted("new", 5, 6, "long")),
        ("count Ana new max=2 reset=never", Counted("new", 2, 2)),
        ("count Ana new 1 reset=d6>=5", Counted("new", 1, 1, "1d6>=5")),
        ('count Ana new 1 reset="2D6 >= 12"', Counted("new", 1, 1, "2d6>=12")),
        ("count Ana new max=9999", Counted("new", 9999, 9999)),
        ("count Ana lu 1", Counted("lu", 1)),
        ("count Ana ki 3", Counted("Ki", 3, 3)),
        ("count Ana KI -2", Counted("Ki", 0, 3)),
        ("count Ana k -1", Counted("Ki", 1, 3)),
        ("count Ana ki +1", Counted("Ki", 3, 3)),
        ("count Ana ki +9", Counted("Ki", 3, 3)),
        ("count Ana luck +9", Counted("luck", 13)),
        ("count Ana luck +9999", Counted("luck", 9999)),
        ("count Ana luck 9999", Counted("luck", 9999)),
        ("count Ana ki max=1", Counted("Ki", 1, 1)),
        ("count Ana ki max=5", Counted("Ki", 2, 5)),
        ("count Ana ki 5 max=5", Counted("Ki", 5, 5)),
        ("count Ana ki reset=turn", Counted("Ki", 2, 3, "turn")),
        ("count Ana luck max=4 reset=turn", Counted("luck", 4, 4, "turn")),
        ("count Ana breath reset=turn", Counted("Breath", 0, 2, "turn")),
        ("count Ana breath +1", replace(BREATH, n=1)),
        ("count Ana breath max=3", replace(BREATH, most=3)),
        ("count Ana lunch reset=never", Counted("lunch", 1, 1)),
        ("count Ana ki +0", None),
        ("count Ana ki 2", None),
        ("count Ana ki max=3", None),
    ],
)
def test_what_becomes_of_a_counter(line: str, counter: Counted | None) -> None:
    e = fight(KI, LUCKY, LUCK, LUNCH, BREATH)
    for quiet in (False, True):
        events = tallied(e, line, quiet=quiet)
        assert events == ([ev.Tallied("c1", counter, quiet=quiet)] if counter else [])


def test_dice_of_a_counter_are_rolled_once_for_all() -> None:
    events = tallied(fight(), "count Ana,Bo new d4 max=d6", (6, 3))
    assert [x.faces for x in events if isinstance(x, ev.Rolled)] == [(6,), (3,)]
    found = [(x.who, x.counter) for x in events if isinstance(x, ev.Tallied)]
    assert found == [("c1", Counted("new", 3, 6)), ("c2", Counted("new", 3, 6))]
    assert all(x.ask == "number" for x in events if isinstance(x, ev.Rolled))


@pytest.mark.parametrize(
    ("line", "says", "hint"),
    [
        ("count Ana new", "Ana has no counter new", "`count Ana new 3 reset=turn`"),
        ("count Ana new -1", "Ana has no counter new", "`count Ana new 3 reset=turn`"),
        ("count Ana new -1 max=3", "Ana has no counter new", "`count Ana new 3 reset=turn`"),
        ("count Ana new reset=turn", "Ana has no counter new", "`count Ana new 3 reset=turn`"),
        ("count Ana new 4 max=3", "4 new are more than the 3 of Ana", "max=4 raises it"),
        ("count Ana new 0 reset=turn", "reset=turn needs max=, the number that is restored", "max=N"),
        ("count Ana new 0 reset=1d6>=5", "reset=1d6>=5 needs max=, the number that is restored", "max=N"),
        ("count Ana luck reset=turn", "reset=turn needs max=, the number that is restored", "Ana: max=N"),
        ("count Ana ki", "count: Ana has 2 of 3 Ki left", "`count Ana Ki -1`"),
        ("count Ana luck", "count: Ana has 4 luck", "`count Ana luck -1`"),
        ("count Ana ki 4", "4 Ki are more than the 3 of Ana", "max=4 raises it"),
        ("count Ana ki -3", "Ana has 2 of 3 Ki left", "`count Ana Ki +1` restores one"),
        ("count Ana luck -5", "Ana has 4 luck", "`count Ana luck +1` restores one"),
        ("count Ana ki +-1", "count: +-1 has two signs", "one of them, such as -1"),
        ("count Ana ki --1", "count: --1 has two signs", "one of them, such as -1"),
        (
            "count Ana ki +-1111111111111111111111111",
            "count: +-1111111111111111111111 has two signs",
            "one of them, such as -1",
        ),
        ("count Ana ki 10000", "count takes 0 to 9999, not 10000", ""),
        ("count Ana ki max=0", "max= takes 1 to 9999, not 0", ""),
        ("count Ana ki max=10000", "max= takes 1 to 9999, not 10000", ""),
        ("count Ana ki reset=1d6>=7", "reset=1d6>=7 never comes: 6 is the most", "`reset=1d6>=6`"),
        ("count Ana ki reset=2d6>=13", "reset=2d6>=13 never comes: 12 is the most", "`reset=2d6>=12`"),
        (
            "count Ana ki reset=often",
            "reset= takes turn, round, short, long, never or a die, not often",
            "`reset=1d6>=5`",
        ),
    ],
)
def test_what_a_counter_cannot_be_is_refused_with_what_would_work(line: str, says: str, hint: str) -> None:
    with pytest.raises(RuleError) as refused:
        tallied(fight(KI, LUCKY, LUCK, LUNCH), line)
    assert refused.value.message == says
    assert refused.value.hint == hint or not hint


def test_a_creature_has_20_counters_and_one_of_them_may_change() -> None:
    many = [Counted(f"n{i:02}", 1) for i in range(20)]
    with pytest.raises(RuleError, match="Ana has 20 counters already"):
        tallied(fight(*many), "count Ana new 1")
    assert tallied(fight(*many), "count Ana n05 +1") == [ev.Tallied("c1", Counted("n05", 2))]
    assert tallied(fight(*many[1:]), "count Ana new 1") == [ev.Tallied("c1", Counted("new", 1))]


@pytest.mark.parametrize(
    ("reset", "dice"),
    [
        ("d6>=5", ((6,), 5)),
        ("2d8>=10", ((8, 8), 10)),
        ("turn", None),
        ("0d6>=5", None),
        ("d0>=5", None),
        ("d6>=0", None),
        ("d6>5", None),
        ("1d6>=5 ", None),
        ("99d9999>=99999", None),
    ],
)
def test_which_dice_bring_a_counter_back(reset: str, dice: object) -> None:
    assert upkeep.recharge(reset) == dice


def test_a_recharge_has_no_more_sides_than_a_die_of_a_line() -> None:
    assert upkeep.recharge(f"99d{MOST_SIDES}>=1") == ((MOST_SIDES,) * 99, 1)
    assert upkeep.recharge(f"1d{MOST_SIDES + 1}>=1") is None


@pytest.mark.parametrize(
    ("name", "faces", "events"),
    [
        ("breath", (4, 5), [ev.Tallied("c1", replace(BREATH, n=2, owes=False))]),
        (
            "Breath",
            (4, 4),
            [
                ev.Tallied("c1", replace(BREATH, owes=False), quiet=True),
                ev.Announced("{0}: Breath is not restored", ("c1",), "", own=True),
            ],
        ),
        ("ki", (6, 6), []),
        ("gone", (6, 6), []),
    ],
)
def test_what_the_dice_of_a_recharge_do(name: str, faces: tuple[int, ...], events: list[ev.Event]) -> None:
    d = Draft(fight(KI, BREATH))
    upkeep.fallen(d, "c1", name, faces)
    assert d.events == events


class Together(InitiativeSystem):
    """A system in which upkeep falls due with the round."""

    upkeep_edges = "round"


def test_whose_recharges_are_due() -> None:
    bo = Combatant("c2", "Bo", "heroes", counters=(KI, BREATH, replace(BREATH, name="Roar", owes=False)))
    gone = Combatant("c3", "Cy", "heroes", counters=(BREATH,), out=True)
    people = {"c1": fight(BREATH).combatants["c1"], "c2": bo, "c3": gone}
    e = Encounter(combatants=people, phase="turns", round=1, turn=Turn("c2", ("c2",)))
    [ask] = upkeep.upkeep(e, InitiativeSystem())
    assert (ask.key, ask.who, ask.dice) == ("recharge c2 Breath", "c2", (6, 6))
    assert ask.why == Sentence("{0}: Breath is restored with 9 or more", ("c2",), own=True)
    assert [x.who for x in upkeep.upkeep(e, Together())] == ["c1", "c2"]
    assert upkeep.upkeep(replace(e, turn=None), InitiativeSystem()) == ()
    assert upkeep.upkeep(replace(e, phase="setup", round=0, turn=None), Together()) == ()


def test_a_save_is_owed_outside_a_fight_as_well() -> None:
    save = OwedSave(1, "area", 13, "dex")
    ana = Combatant("c1", "Ana", "heroes", save_bonus="dex+2", owes=(save,))
    [ask] = upkeep.owed(Encounter(combatants={"c1": ana}), InitiativeSystem())
    assert (ask.key, ask.who) == ("save c1 1", "c1")
    assert isinstance(ask, RollAsk)
    assert (ask.dice, ask.ticks, ask.secret) == ((20,), True, False)
    assert ask.save is not None
    assert ask.save.bonus == 2


# --- death saves


def dying(good: int = 0, bad: int = 0, **how: bool) -> Encounter:
    """Return Ana, who is dying."""
    ana = Combatant("c1", "Ana", "heroes", hp=0, max_hp=9, dying=Dying(good, bad, **how))
    return Encounter(combatants={"c1": ana})


def now(good: int, bad: int, **how: bool) -> list[ev.Event]:
    """Return what a death save writes after which it stands so."""
    text = "{0} is stable" if how.get("stable") else f"{{0}}: {good} of 3 successes, {bad} of 3 failures"
    return [ev.DeathSaves("c1", good, bad, **how), ev.Announced(text, ("c1",))]


UP: list[ev.Event] = [ev.Healed("c1", 1, 1), ev.Announced("{0} is up again", ("c1",))]
DIES: list[ev.Event] = [
    ev.DeathSaves("c1", over=True),
    ev.Announced("{0} has failed three death saves and dies", ("c1",)),
    ev.Died("c1"),
]


@pytest.mark.parametrize(
    ("e", "face", "events"),
    [
        (dying(1, 1), 20, UP),
        (dying(1, 1), 19, now(2, 1)),
        (dying(1, 1), 10, now(2, 1)),
        (dying(1, 1), 9, now(1, 2)),
        (dying(1, 0), 2, now(1, 1)),
        (dying(1, 0), 1, now(1, 2)),
        (dying(1, 1), 1, DIES),
        (dying(1, 2), 9, DIES),
        (dying(2, 2), 10, now(0, 0, stable=True)),
        (dying(owes=True), 10, now(1, 0)),
    ],
)
def test_what_the_die_of_a_death_save_does(e: Encounter, face: int, events: list[ev.Event]) -> None:
    d = Draft(e)
    assert upkeep.saved(d, "c1", face) is (events == DIES)
    assert d.events == events


@pytest.mark.parametrize(
    ("e", "made", "events"),
    [
        (dying(1, 1), True, now(2, 1)),
        (dying(2, 1), True, now(0, 0, stable=True)),
        (dying(1, 1), False, now(1, 2)),
        (dying(1, 2), False, DIES),
        (fight(), True, now(1, 0)),
        (fight(), False, now(0, 1)),
    ],
)
def test_what_a_death_save_that_is_ticked_does(
    e: Encounter, made: bool, events: list[ev.Event]
) -> None:  # of a table
    d = Draft(e)
    assert upkeep.ticked(d, "c1", made=made) is (events == DIES)
    assert d.events == events


@pytest.mark.parametrize(
    ("state", "events"),
    [
        (Dying(1, 1), now(1, 2)),
        (Dying(2, 0, stable=True), now(0, 1)),
        (Dying(1, 1, owes=True), now(1, 2, owes=True)),
        (Dying(1, 2), DIES),
    ],
)
def test_what_damage_does_to_the_dying(state: Dying, events: list[ev.Event]) -> None:
    e = dying(state.good, state.bad, stable=state.stable, owes=state.owes)
    d = Draft(e)
    assert upkeep.hurt(d, e.combatants["c1"], state) is (events == DIES)
    assert d.events == events


class TurnListener(Listener):
    """A system that also notes whose turn ended."""

    def ended(self, d: Draft, turn: Turn) -> None:
        """Note whose turn ended."""
        del d
        self.heard.append(("ended", turn.who))


@pytest.mark.parametrize(
    ("turn", "who", "heard"),
    [
        (None, ("c1",), [("left", ("c1",))]),
        (Turn("c1", ("c1",)), ("c1",), [("ended", "c1"), ("left", ("c1",))]),
        (Turn("c1", ("c1",)), ("c2",), [("left", ("c2",))]),
        (Turn("@Gang", ("c1", "c2")), ("c1",), [("left", ("c1",))]),
        (Turn("@Gang", ("c1", "c2")), ("c1", "c2"), [("ended", "@Gang"), ("left", ("c1", "c2"))]),
    ],
)
def test_a_turn_ends_when_no_one_is_left_in_it(
    turn: Turn | None, who: tuple[str, ...], heard: list[tuple[object, ...]]
) -> None:
    d, system = Draft(fight(phase="turns", round=1, turn=turn)), TurnListener()
    upkeep.leave(d, system, who)
    assert system.heard == heard
    assert d.events[: len(who)] == [ev.WentOut(k) for k in who]
    d, system = Draft(fight()), TurnListener()
    upkeep.leave(d, system, who)
    assert (d.events, system.heard) == ([ev.WentOut(k) for k in who], [])
