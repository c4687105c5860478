"""What an event changes, one by one and together, and that it changes nothing else."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.core.fight import events as ev
from tui.core.fight.apply import apply, fold
from tui.core.fight.combatant import HEALED_MARK, Combatant, Condition, Counted, OwedEffect, OwedSave
from tui.core.fight.dice import ANY_SOURCE
from tui.core.fight.encounter import Encounter, Turn, label
from tui.store.sources import SeededDice
from tui.systems import Registry

WHO = st.sampled_from(["c1", "c2", "c3", "c9"])
OF = st.sampled_from(["", "c1", "c2", "@Orcs"])
NAMES = st.sampled_from(["Prone", "prone", "weak"])
CONDITIONS = st.builds(
    Condition, NAMES, st.integers(0, 3), st.sampled_from(["", "start", "end"]), OF, st.booleans()
)
CREATURE_EVENTS: st.SearchStrategy[ev.Event] = st.one_of(
    st.builds(ev.Removed, WHO),
    st.builds(ev.Changed, WHO, st.just("group"), st.sampled_from(["", "Orcs"])),
    st.builds(ev.Carded, st.lists(WHO, max_size=2).map(tuple), st.sampled_from(["", "bites"]), st.booleans()),
    st.builds(ev.FieldSet, WHO, st.sampled_from(["per", "mod"]), st.integers(0, 9), st.booleans()),
    st.builds(ev.Damaged, WHO, st.integers(0, 9), st.integers(-1, 9), st.integers(0, 3)),
    st.builds(ev.Healed, WHO, st.integers(0, 9), st.integers(0, 9)),
    st.builds(ev.Bolstered, WHO, st.integers(0, 9)),
    st.builds(ev.Afflicted, WHO, CONDITIONS),
    st.builds(ev.Ticked, WHO, NAMES, st.integers(1, 3), OF | st.just(ANY_SOURCE)),
    st.builds(ev.Cleared, WHO, NAMES, st.booleans(), OF | st.just(ANY_SOURCE)),
    st.builds(ev.ConditionHid, WHO, NAMES, st.booleans()),
    st.builds(
        ev.DeathSaves, WHO, st.integers(0, 2), st.integers(0, 2), st.booleans(), st.booleans(), st.booleans()
    ),
    st.builds(
        ev.EffectOwed,
        WHO,
        st.builds(OwedEffect, st.integers(1, 2), st.just("burning"), damage=st.just("1d6")),
    ),
    st.builds(ev.EffectSettled, WHO, st.integers(1, 2), st.booleans()),
    st.builds(
        ev.SaveOwed,
        WHO,
        st.builds(OwedSave, st.integers(1, 3), st.sampled_from(["dying", "area", "condition"])),
    ),
    st.builds(ev.SaveSettled, WHO, st.integers(1, 3), st.booleans()),
    st.builds(ev.SaveDropped, WHO, st.integers(1, 3)),
    st.builds(ev.SavesKept, st.lists(WHO, max_size=2).map(tuple)),
    st.builds(ev.Died, WHO, st.booleans()),
    st.builds(ev.Rested, WHO, st.booleans(), st.just(()), st.integers(-1, 9), st.booleans()),
    st.builds(
        ev.Tallied, WHO, st.builds(Counted, NAMES, st.integers(0, 3), st.integers(0, 3)), st.booleans()
    ),
    st.builds(ev.CounterEnded, WHO, NAMES),
    st.builds(ev.WentOut, WHO),
    st.builds(ev.Armed, st.lists(WHO, max_size=2).map(tuple), st.sampled_from(["", "Bite +7 1d6"])),
    st.builds(
        ev.Attacked,
        WHO,
        WHO,
        NAMES,
        st.integers(1, 20),
        st.just(0),
        st.integers(0, 9),
        st.integers(9, 20),
        st.booleans(),
    ),
    st.builds(ev.CameBack, WHO),
    st.builds(ev.Hid, WHO),
    st.builds(ev.Revealed, WHO),
    st.builds(
        ev.Marked, st.lists(WHO, max_size=2).map(tuple), st.just("acted"), st.sampled_from(["turn", "round"])
    ),
    st.builds(ev.Unmarked, st.lists(WHO, max_size=2).map(tuple), st.just("acted")),
)


def fight() -> Encounter:
    people = (Combatant(f"c{i}", f"Orc {i}", "dark", hp=9, max_hp=9) for i in (1, 2, 3))
    return fold(Encounter(), [ev.Added(c) for c in people])


def test_every_event_of_creatures_is_tried() -> None:
    built = {str(strategy) for strategy in CREATURE_EVENTS.original_strategies}  # type: ignore[attr-defined]
    missing = [t.__name__ for t in ev.CreatureEvent.__args__ if not any(t.__name__ in text for text in built)]
    assert missing == ["Added"], (
        f"{missing}: add all but Added, with which a fight begins, to CREATURE_EVENTS"
    )


@given(st.lists(CREATURE_EVENTS, max_size=12))
def test_together_they_come_to_what_they_come_to_one_by_one(events: list[ev.Event]) -> None:
    one_by_one = fight()
    for event in events:
        one_by_one = apply(one_by_one, event)
    assert fold(fight(), events) == one_by_one


@given(CREATURE_EVENTS)
def test_an_event_about_somebody_who_is_gone_changes_nothing(event: ev.Event) -> None:
    e = apply(fight(), ev.Removed("c9"))
    who = getattr(event, "who")  # noqa: B009
    if who in ("c9", ()):
        assert apply(e, event) == e


@given(CREATURE_EVENTS)
def test_nobody_else_is_touched(event: ev.Event) -> None:
    e = fight()
    who = getattr(event, "who")  # noqa: B009
    named = set(who) if isinstance(who, tuple) else {who}
    after = apply(e, event)
    assert all(after.combatants[k] is c for k, c in e.combatants.items() if k not in named)


@given(st.lists(CREATURE_EVENTS, max_size=6))
def test_an_event_is_the_same_after_a_journal(events: list[ev.Event]) -> None:
    wire = msgspec.json.encode(events)
    assert msgspec.json.decode(wire, type=list[ev.Event]) == events


@given(st.lists(st.builds(ev.Afflicted, st.just("c1"), CONDITIONS), max_size=8))
def test_a_condition_stands_once_for_a_name_and_whose_it_is(events: list[ev.Event]) -> None:
    carried = fold(fight(), events).combatants["c1"].conditions
    assert len({(x.name.lower(), x.of) for x in carried}) == len(carried)


def test_a_journal_of_before_clears_by_name_alone() -> None:
    """An event without `of` was written when a name could stand only once."""
    e = fold(fight(), [ev.Afflicted("c1", Condition("weak", 2, "end", "c2"))])
    old = msgspec.json.decode(b'{"t":"cleared","who":"c1","name":"weak"}', type=ev.Event)
    assert apply(e, old).combatants["c1"].conditions == ()


def test_who_was_struck_from_the_roster_keeps_the_name() -> None:
    assert label(apply(fight(), ev.Removed("c2")), "c2") == "Orc 2"


@pytest.mark.parametrize("system", Registry().ids())
@given(seed=st.integers(0, 99))
def test_the_end_of_a_fight_leaves_the_people_and_nothing_of_the_fight(system: str, seed: int) -> None:
    t = Table(system, dice=SeededDice(seed))
    t.do("add Ana kind=pc hp=9", "add 2 Orc hp=5", "begin", "condition Ana cursed")
    for event in (ev.FightEnded(), ev.SystemChanged(Random(seed).choice(Registry().ids()))):
        after = apply(t.encounter, event)
        assert (after.round, after.turn, after.notes, after.rolls, after.orders, after.shifts) == (
            0,
            None,
            {},
            {},
            {},
            (),
        )
        assert not after.running
        assert all(c.marks == {} for c in after.combatants.values())
        assert [c.name for c in after.combatants.values()] == [
            c.name for c in t.encounter.combatants.values()
        ]


def test_turns_that_wait_for_another_to_end_go_on_last_in_first() -> None:
    turns = [Turn(k, (k,)) for k in ("c1", "c2", "c3")]
    e = fold(fight(), [x for t in turns for x in (ev.TurnBegan(t.who, t.members), ev.TurnPaused())])
    assert (e.turn, e.paused) == (None, tuple(turns))
    e = apply(e, ev.TurnResumed())
    assert (e.turn, e.paused) == (turns[2], tuple(turns[:2]))
    e = fold(e, [ev.TurnEnded("c3", ("c3",)), ev.TurnResumed()])
    assert (e.turn, e.paused) == (turns[1], tuple(turns[:1]))
    assert apply(fight(), ev.TurnResumed()) == fight()
    assert apply(fight(), ev.TurnPaused()) == fight()


@given(st.booleans(), st.integers(0, 9))
@example(out=True, hp=0)
@example(out=True, hp=1)
@example(out=False, hp=1)
def test_who_is_out_and_has_hit_points_again_is_marked_and_nobody_else(out: bool, hp: int) -> None:
    e = fold(fight(), [ev.WentOut("c1")] if out else [])
    c = apply(e, ev.Healed("c1", 3, hp)).combatants["c1"]
    assert (c.hp, c.marks) == (hp, {HEALED_MARK: "fight"} if out and hp else {})
