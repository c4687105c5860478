"""Who acts when, counted in small fights of systems whose answers are given to them: every number by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, repeat
from random import Random

import pytest
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import AcknowledgeAsk, Act, Ask, FormAsk, Offer, PickAsk, RollAsk, TrackRow, say
from tui.core.fight.combatant import Combatant, Counted, Dying, OwedSave, Plain
from tui.core.fight.encounter import DiceRoll, Encounter, OrderOutcome, Turn, unacted
from tui.core.odds.race import Case, Forecasting, Outcome, Race, Throw, alone
from tui.core.odds.spread import Forecast, Standing
from tui.core.rules.draft import Draft, living
from tui.core.rules.system import InitiativeSystem, next_round
from tui.core.views.lineup import NO_REASONS
from tui.core.views.odds_play import (
    LEAST,
    MOST_STEPS,
    MOST_WAYS,
    Moment,
    Played,
    TooManyWays,
    Walk,
    _by_rows,
    _key,
    _limited,
    _Watch,
    at_random,
)

ANA, BO, ORC = (
    Combatant("c1", "Ana", "heroes"),
    Combatant("c2", "Bo", "heroes"),
    Combatant("c3", "Orc", "dark"),
)
RATS = tuple(Combatant(f"c{n}", f"Rat {n - 3}", "dark", group="Rats") for n in (4, 5, 6))


def fight(*people: Combatant, turn: Turn | None = None) -> Encounter:
    return Encounter(system="given", combatants={c.id: c for c in people}, phase="turns", round=1, turn=turn)


def in_turn(e: Encounter) -> list[Act]:
    """Return the next turn in the order of the roster, or the next round."""
    waiting = [x.key for x in GIVEN.entries(e) if unacted(living(e, x.key))]
    return [Act("turn", key) for key in waiting[:1]] or [Act("round")]


def freely(e: Encounter) -> list[Act]:
    """Return the turns of all who wait, or the next round."""
    waiting = [x.key for x in GIVEN.entries(e) if unacted(living(e, x.key))]
    return [Act("turn", key) for key in waiting] or [Act("round")]


class Given(InitiativeSystem):
    """A system whose answers are given to it; what it was answered is in its notes."""

    id = title = "given"

    def __init__(
        self,
        acts: Callable[[Encounter], list[Act]] = in_turn,
        *asks: Ask,
        rows: tuple[TrackRow, ...] = (),
        then: Callable[[Draft], None] = lambda _: None,
        forgets: bool = False,
    ) -> None:
        self._acts, self._asks, self._rows, self._then = acts, asks, rows, then
        self._forgets = forgets
        self.answers = 0

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return what was not answered yet in this round."""
        return tuple(ask for ask in self._asks if f"{ask.key} {e.round}" not in e.notes)

    def offer(self, e: Encounter) -> Offer:
        """Return what was given for this encounter."""
        return Offer(tuple(self._acts(e)))

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the rows that were given."""
        del e
        return self._rows

    def answer(self, d: Draft, ask: Ask, answer: tuple[Plain, ...]) -> None:
        """Note the first of the answer, and do what was given."""
        self.answers += 1
        d.emit(
            ev.Noted(f"{ask.key} {d.encounter.round}", answer[0] if answer and not self._forgets else "read")
        )
        self._then(d)

    def took(self, d: Draft, act: Act) -> None:
        """Take the act; a pass is noted."""
        if act.kind == "round":
            next_round(d, self)
        elif act.kind == "pass":
            d.emit(ev.Noted("passed", 1))
        else:
            super().took(d, act)


class Formula(Given, Forecasting):
    """The same with a formula."""

    def __init__(self, race: Callable[[Encounter], Race | None], *asks: Ask, acts: object = in_turn) -> None:
        super().__init__(acts if callable(acts) else in_turn, *asks)
        self._race = race

    def race(self, e: Encounter) -> Race | None:
        """Return what was given for this encounter."""
        return self._race(e)


class ByRounds(Formula):
    """The same where turns last to the end of the round."""

    turn_edges = "round"


GIVEN = Given()
COIN = RollAsk("coin", "c1", (2,), say("{0} throws a coin", "c1"))


def by_coin(e: Encounter) -> list[Act]:
    """Return the next turn in the order of the roster, or in the opposite one after a 2."""
    waiting = [x.key for x in GIVEN.entries(e) if unacted(living(e, x.key))]
    return [Act("turn", key) for key in waiting[:: -1 if e.notes["coin 1"] == 2 else 1][:1]] or [Act("round")]


def standings(found: Played) -> dict[str, tuple[tuple[float, ...], float]]:
    """Return chances of all places and of acting before every foe, by row."""
    return {
        k: (tuple(round(p, 9) for p in s.places), round(s.before, 9)) for k, s in found.forecast.rows.items()
    }


def walked(system: InitiativeSystem, e: Encounter) -> Played:
    return Walk(system, Random(1).random).all([(1.0, e)])


def drawn(*numbers: float) -> Callable[[], float]:
    """Return a source of chance that gives these numbers, then zeros."""
    source: Iterator[float] = chain(numbers, repeat(0.0))
    return lambda: next(source)


# --- the count


def test_a_turn_is_counted_once_however_often_it_is_seen() -> None:
    watch, start = _Watch(), Moment(fight(ANA, ORC))
    after = watch.took(start, "c1", ("c1",), 0.5, in_round=True)
    assert after == Moment(start.encounter, ("c1",), frozenset({"c1"}))
    assert watch.took(after, "c1", ("c1",), 0.5, in_round=True) is after
    watch.took(start, "c1", ("c1",), 0.25, in_round=True)
    assert watch.turns == {(frozenset(), "c1"): 0.75}
    assert watch.began(start, 1.0, in_round=True) is start, "no turn runs"
    running = Moment(fight(ANA, ORC, turn=Turn("c3", ("c3",))))
    assert watch.began(running, 1.0, in_round=True).turns == ("c3",)
    assert watch.sides == {"c1": "heroes", "c3": "dark"}


def test_newcomers_of_a_group_that_has_acted_have_a_turn_of_their_own() -> None:
    watch, start = _Watch(), Moment(fight(*RATS))
    first = watch.took(start, "@Rats", ("c4",), 1.0, in_round=True)
    both = watch.took(first, "@Rats", ("c4", "c5", "c6"), 1.0, in_round=True)
    assert both == Moment(start.encounter, ("@Rats", "c5"), frozenset({"c4", "c5", "c6"}))
    assert watch.turns[frozenset({"@Rats"}), "c5"] == 1.0
    found = watch.played(0)
    assert found.people == {"@Rats": ("c4",), "c5": ("c4", "c5", "c6")}
    assert standings(found) == {"@Rats": ((1, 0), 1), "c5": ((0, 1), 1)}


def test_a_turn_that_is_not_listed_takes_no_place_and_is_ahead_of_nobody() -> None:
    watch, start = _Watch(), Moment(fight(ANA, ORC))
    late = watch.took(start, "c3", ("c3",), 1.0, in_round=False)
    watch.took(late, "c1", ("c1",), 1.0, in_round=True)
    assert standings(watch.played(7)) == {"c1": ((1,), 1)}
    assert watch.played(7).forecast.runs == 7
    watch.took(start, "c1", ("c1",), 0.5, in_round=True)
    watch.listed.setdefault("c3")
    assert standings(watch.played(0)) == {"c3": ((1, 0), 1), "c1": ((0.5, 1), 0.5)}


def test_a_formula_stands_behind_the_turns_that_were_taken_before_it() -> None:
    e = fight(ANA, BO, ORC, *RATS)
    watch, start = _Watch(), Moment(e)
    rest = Forecast(
        {
            "c2": Standing((0.25, 0.75), 0.5),
            "c3": Standing((0.75, 0.25), 0.5),
            "c9": Standing((0.0, 0.0), 0.0),
        }
    )
    for foe in ("c1", "@Rats"):
        after = watch.took(start, foe, ("c1",) if foe == "c1" else ("c4",), 0.5, in_round=True)
        watch.formula(after, 0.5, Race((), given=("it rains", foe)), rest, {"c3": ("c3", "c8")})
    found = watch.played(0)
    assert standings(found) == {
        "c1": ((0.5, 0, 0, 0, 0), 0.5),
        "@Rats": ((0.5, 0, 0, 0, 0), 0.5),
        "c2": ((0, 0.25, 0.75, 0, 0), 0.25),
        "c3": ((0, 0.75, 0.25, 0, 0), 0.25),
    }
    assert found.given == ("it rains", "c1", "@Rats")
    assert found.people["c2"] == ("c2",)
    assert found.people["c3"] == ("c3", "c8")
    assert not found.chosen


def test_what_a_formula_says_beyond_the_last_row_is_dropped() -> None:
    watch, start = _Watch(), Moment(fight(ANA, BO))
    after = watch.took(start, "c1", ("c1",), 1.0, in_round=True)
    rest = Forecast({"c1": Standing((0.5, 0.5), 1.0), "c2": Standing((0.25, 0.0), 1.0)})
    watch.formula(after, 1.0, Race(()), rest, {})
    assert standings(watch.played(0)) == {"c1": ((1, 0.5), 2), "c2": ((0, 0.25), 1)}


def test_rows_count_as_turns_only_where_a_running_fight_offers_none() -> None:
    rows = tuple(
        TrackRow(k, who, 0, "waits", NO_REASONS) for k, who in (("@Rats", ("c4", "c5")), ("c1", ("c1",)))
    )
    e = fight(ANA, *RATS)

    def seen(m: Moment, system: InitiativeSystem) -> dict[str, tuple[tuple[float, ...], float]]:
        watch = _Watch()
        _by_rows(m, system, watch, 0.5)
        assert {k: tuple(v) for k, v in watch.people.items()} in ({}, {"@Rats": ("c4", "c5"), "c1": ("c1",)})
        return standings(watch.played(0))

    known = Given(lambda _: [], rows=rows)
    expected = {"@Rats": ((0.5, 0), 0.5), "c1": ((0, 0.5), 0)}
    assert seen(Moment(e), known) == expected
    assert seen(Moment(e, ("c9",)), known) == {}
    assert seen(Moment(replace(e, phase="setup")), known) == {}
    assert seen(Moment(e), Given(in_turn, rows=rows)) == {}
    assert standings(walked(known, e)) == {"@Rats": ((1, 0), 1), "c1": ((0, 1), 0)}
    assert standings(at_random(lambda: e, known, drawn(), 4)) == standings(walked(known, e))


# --- every way


def test_who_may_choose_takes_each_as_often_and_passes_only_where_nothing_else_is_offered() -> None:
    e = fight(ANA, ORC)
    found = walked(Given(freely), e)
    assert standings(found) == {"c1": ((0.5, 0.5), 0.5), "c3": ((0.5, 0.5), 0.5)}
    assert found.chosen
    assert at_random(lambda: e, Given(freely), drawn(), 1).chosen
    assert found.people == {"c1": ("c1",), "c3": ("c3",)}
    passing = walked(Given(lambda e: [Act("pass", "c1"), *in_turn(e)]), e)
    assert standings(passing) == {"c1": ((1, 0), 1), "c3": ((0, 1), 0)}
    assert not passing.chosen
    only = Given(lambda e: in_turn(e) if "passed" in e.notes else [Act("pass", "c1")])
    assert standings(walked(only, e)) == standings(passing)
    at_last = at_random(lambda: e, only, drawn(), 2)
    assert (standings(at_last), at_last.chosen) == (standings(passing), False)


def test_a_coin_decides_the_order_without_a_choice() -> None:
    e = fight(ANA, BO, ORC)
    for system in (Given(by_coin, COIN), Formula(lambda _: None, COIN, acts=by_coin)):
        found = walked(system, e)
        assert standings(found) == {
            "c1": ((0.5, 0, 0.5), 0.5),
            "c2": ((0, 1, 0), 0.5),
            "c3": ((0.5, 0, 0.5), 0.5),
        }
        assert (found.chosen, found.race, found.forecast.runs) == (False, None, 0)


def test_a_choice_of_people_falls_each_way_as_often() -> None:
    e = fight(ANA, BO, ORC)

    def chosen_first(e: Encounter) -> list[Act]:
        picked = str(e.notes["pick 1"])
        return [Act("turn", picked)] if "acted" not in e.combatants[picked].marks else in_turn(e)

    pick = PickAsk("pick", "GM", ("c1", "c2", "c3"), say("who is first"), 2, 2)
    found = walked(Given(chosen_first, pick), e)
    third = round(1 / 3, 9)
    assert standings(found)["c3"] == ((third, 0, round(2 / 3, 9)), third)
    assert found.chosen
    forced = walked(Given(chosen_first, replace(pick, names=("c3",), least=1)), e)
    assert not forced.chosen
    assert standings(forced)["c3"] == ((1, 0, 0), 1)
    once = at_random(lambda: e, Given(chosen_first, pick), drawn(0.5, 0.2, 0.7), 1)
    assert standings(once)["c2"] == ((1, 0, 0), 1)


def test_what_must_be_read_is_read_and_what_must_be_written_ends_the_play() -> None:
    e = fight(ANA, ORC)
    read = Given(in_turn, AcknowledgeAsk("board", "GM", say("read")))
    write = Given(in_turn, FormAsk("form", "c1", (), say("write")))
    assert list(standings(walked(read, e))) == ["c1", "c3"]
    assert standings(at_random(lambda: e, read, drawn(), 2)) == standings(walked(read, e))
    assert walked(write, e).forecast.rows == {}
    assert at_random(lambda: e, write, drawn(), 2).forecast.rows == {}


def test_ways_beyond_the_bounds_are_too_many() -> None:
    face = (1.0, (1,))
    assert len(list(_limited(repeat(face, MOST_WAYS)))) == MOST_WAYS
    with pytest.raises(TooManyWays):
        list(_limited(repeat(face, MOST_WAYS + 1)))
    many = tuple(f"c{n}" for n in range(1, MOST_WAYS + 2))
    pick = PickAsk("pick", "GM", many[:-1], say("who"))
    e = fight(ANA, ORC)
    assert standings(walked(Given(in_turn, pick), e)) == {"c1": ((1, 0), 1), "c3": ((0, 1), 0)}
    with pytest.raises(TooManyWays):
        walked(Given(in_turn, replace(pick, names=many)), e)
    with pytest.raises(TooManyWays):
        walked(Given(in_turn, replace(pick, names=many), forgets=True), e)
    assert MOST_STEPS < 81**2
    system = Given(in_turn, *wide(81, 81), forgets=True)
    with pytest.raises(TooManyWays):
        walked(system, e)
    assert system.answers == 0, "they are counted before one is rolled"
    walk = Walk(GIVEN, drawn())
    for _ in range(MOST_STEPS):
        walk._count()
    with pytest.raises(TooManyWays):
        walk._count()


def wide(*sides: int) -> list[RollAsk]:
    return [RollAsk(str(n), "c1", (many,), say("a wide die")) for n, many in enumerate(sides)]


def test_only_dice_that_are_due_at_first_are_counted_before_they_are_rolled() -> None:
    e, forth = fight(ANA, ORC), {"c1": ((1, 0), 1), "c3": ((0, 1), 0)}
    assert MOST_STEPS == 75 * 80
    assert standings(walked(Given(in_turn, *wide(75, 80), forgets=True), e)) == forth
    pick = PickAsk("pick", "GM", tuple(f"c{n}" for n in range(MOST_WAYS)), say("who"))
    assert standings(walked(Given(in_turn, *wide(10), pick, forgets=True), e)) == forth

    class Later(Given):
        """Let the dice after the first fall due when it has fallen."""

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            asks = super().due(e)
            return asks[:1] if len(asks) == len(self._asks) else asks

    assert standings(walked(Later(in_turn, COIN, *wide(81, 81), forgets=True), e)) == forth


def test_every_answer_and_every_act_is_a_step() -> None:
    walk = Walk(Given(by_coin, COIN), drawn())
    walk.all([(1.0, fight(ANA, ORC))])
    # Two faces; in each way two turns that begin and end, and the round, which is begun but not played.
    assert walk._steps == 2 + 2 * (2 * 2 + 1)
    walk = Walk(GIVEN, drawn())
    walk.saved(fight(replace(ANA, hp=0, max_hp=9, dying=Dying(), owes=(OwedSave(1, "dying"),))))
    assert walk._steps == 20


def test_equal_states_are_one_way_and_ways_of_no_chance_are_left_out() -> None:
    walk, m = Walk(GIVEN, drawn()), Moment(fight(ANA))
    other = Moment(fight(ANA), ("c1",))
    assert walk._merged([(0.25, m), (0.5, other), (0.25, m), (LEAST, Moment(fight(BO)))]) == [
        (0.5, m), (0.5, other)
    ]  # fmt: skip


def test_old_faces_and_what_is_past_tell_no_moments_apart() -> None:
    e = replace(fight(ANA, ORC), rolls={"a": DiceRoll("c1", (6,), (1,))})
    m = Moment(e, ("c1", "c3"), frozenset({"c1"}))
    for same in (
        replace(m, encounter=replace(e, rolls={"a": DiceRoll("c1", (6,), (5,))})),
        replace(m, encounter=replace(e, outcome=OrderOutcome(("c1",)))),
        replace(m, encounter=replace(e, gone={"c2": BO})),
        replace(m, turns=("c3", "c1")),
    ):
        assert _key(same) == _key(m)
    for other in (
        replace(m, encounter=replace(e, rolls={"b": DiceRoll("c1", (6,), (1,))})),
        replace(m, encounter=replace(e, round=2)),
        replace(m, turns=("c1",)),
        replace(m, acted=frozenset({"c3"})),
    ):
        assert _key(other) != _key(m)


def test_saves_that_are_owed_before_fall_every_way() -> None:
    hurt = replace(ANA, hp=0, max_hp=9, dying=Dying(), owes=(OwedSave(1, "dying"),))
    breath = replace(ORC, counters=(Counted("Breath", 0, 1, "1d6>=5", owes=True),))
    e = fight(hurt, breath, turn=Turn("c1", ("c1", "c3")))
    ways: dict[tuple[int | None, int, int, int], float] = {}
    for chance, after in Walk(GIVEN, drawn()).saved(e):
        c, counter = after.combatants["c1"], after.combatants["c3"].counters[0]
        dying = c.dying or Dying()
        key = (c.hp, dying.good, dying.bad, counter.n)
        ways[key] = round(ways.get(key, 0.0) + chance, 9)
    saves = {(1, 0, 0): 0.05, (0, 1, 0): 0.5, (0, 0, 1): 0.4, (0, 0, 2): 0.05}
    assert ways == {
        (*save, n): round(p * q, 9) for save, p in saves.items() for n, q in ((0, 2 / 3), (1, 1 / 3))
    }
    plain = fight(ANA)
    assert Walk(GIVEN, drawn()).saved(plain) == [(1.0, plain)]


def test_who_had_no_turn_of_its_own_is_counted_with_the_next() -> None:
    e = fight(ANA, ORC)

    def taken_away(e: Encounter) -> list[Act]:
        """Ana alone has a turn after a 2, and Orc goes first in the next round."""
        if e.round == 1 and e.notes["coin 1"] == 2:
            return in_turn(e)[:1] if "acted" not in e.combatants["c1"].marks else [Act("round")]
        acts = freely(e)
        return acts[-1:] if e.round > 1 else acts[:1]

    class Once(Given):
        """Throw the coin in the first round alone."""

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            return super().due(e) if e.round == 1 else ()

    late = {"c1": ((1, 0), 1), "c3": ((0, 1), 0)}
    assert standings(walked(Once(taken_away, COIN), e)) == late
    assert standings(at_random(lambda: e, Once(taken_away, COIN), drawn(0.1, 0.0, 0.0, 0.0, 0.9), 2)) == late
    half = {"c1": ((1, 0), 1), "c3": ((0, 0.5), 0)}
    assert standings(walked(Given(taken_away, COIN), e)) == half, "dice come before its next turn"
    assert standings(at_random(lambda: e, Given(taken_away, COIN), drawn(0.1, 0.0, 0.0, 0.0, 0.9), 2)) == half

    def struck(d: Draft) -> None:
        if d.encounter.notes["coin 1"] == 2:
            d.emit(ev.WentOut("c3"))

    assert standings(walked(Once(taken_away, COIN, then=struck), e)) == half, "it is out"


def test_nothing_is_played_beyond_the_turns_that_are_still_to_be_counted() -> None:
    def then_freely(e: Encounter) -> list[Act]:
        """Orc has no turn after a 2; in the next round Bo comes, then Orc, then each who wants."""
        waiting = {act.who: act for act in freely(e)}
        if e.round == 1:
            if e.notes["coin 1"] == 2:
                waiting.pop("c3", None)
            return list(waiting.values())[:1] or [Act("round")]
        return [waiting[k] for k in ("c2", "c3") if k in waiting][:1] or list(waiting.values())

    class Once(Given):
        """Throw the coin in the first round alone."""

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            return super().due(e) if e.round == 1 else ()

    e = fight(ANA, replace(ANA, id="c4", name="Cid"), replace(BO, arrives=2), ORC)
    system = Once(then_freely, COIN)
    for found in (walked(system, e), at_random(lambda: e, system, drawn(0.1, 0, 0, 0, 0, 0.9), 2)):
        assert standings(found) == {"c1": ((1, 0, 0), 1), "c4": ((0, 1, 0), 1), "c3": ((0, 0, 1), 0)}
        assert not found.chosen, "nobody chooses until all have been counted"

    class Interrupted(Once):
        """Let dice fall due in the first turn of the second round."""

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            return wide_in_turn if e.turn and e.round > 1 else super().due(e)

    class Between(Once):
        """Let dice fall due behind the first turn of the second round."""

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            behind = e.round > 1 and not e.turn and "acted" in e.combatants["c2"].marks
            return wide_in_turn if behind else super().due(e)

    class Stopped(Once):
        """Let something be written at the end of the first round, before Orc would act."""

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            at_end = e.round == 1 and "acted" in e.combatants["c4"].marks and not e.turn
            form = FormAsk("form", "c3", (), say("write"))
            return (form,) if at_end and e.notes["coin 1"] == 2 else super().due(e)

    wide_in_turn = tuple(wide(2))
    stops = Interrupted(then_freely, COIN)
    for found in (
        walked(stops, e),
        at_random(lambda: e, stops, drawn(0.1, 0, 0, 0, 0, 0.9), 2),
        walked(Between(then_freely, COIN), e),
        at_random(lambda: e, Between(then_freely, COIN), drawn(0.1, 0, 0, 0, 0, 0.9), 2),
        walked(Stopped(then_freely, COIN), e),
        at_random(lambda: e, Stopped(then_freely, COIN), drawn(0.1, 0, 0, 0, 0, 0.9), 2),
    ):
        assert standings(found)["c3"] == ((0, 0, 0.5), 0), "something comes before it"


def test_a_save_is_rolled_before_a_turn_but_not_in_one() -> None:
    worst = replace(ANA, hp=0, max_hp=9, dying=Dying(bad=2), owes=(OwedSave(1, "dying"),))
    assert standings(walked(GIVEN, fight(worst, ORC))) == {
        "c1": ((0.55, 0), 0.55),
        "c3": ((0.45, 0.55), 0.45),
    }
    during = fight(worst, ORC, turn=Turn("c1", ("c1",)))
    assert standings(walked(GIVEN, during)) == {"c1": ((1, 0), 1), "c3": ((0, 1), 0)}


def test_rows_are_counted_for_each_fight_that_is_played() -> None:
    system = Given(lambda _: [], rows=(TrackRow("c1", ("c1",), 0, "waits", NO_REASONS),))
    starts = iter([fight(ANA), replace(fight(ANA), phase="setup")])
    assert standings(at_random(lambda: next(starts), system, drawn(), 2)) == {"c1": ((0.5,), 0.5)}


# --- formulas


def backwards(e: Encounter) -> Race:
    """Return the race of all who have not acted, the last of the roster first."""
    waiting = [c.id for c in e.combatants.values() if "acted" not in c.marks]
    return Race(
        (Case(1.0, tuple(alone(k, [((-n,), 1.0)]) for n, k in enumerate(waiting))),), given=("a formula",)
    )


def shared_roll(e: Encounter) -> Race:
    """Return the same of rows that have one roll together."""
    waiting = [c.id for c in e.combatants.values() if "acted" not in c.marks]
    ranks = tuple((-n,) for n, _ in enumerate(waiting))
    return Race((Case(1.0, (Throw(tuple(waiting), (Outcome(1.0, ranks),)),)),), given=("a formula",))


PAIR_AND_ONE = Race((
    Case(1.0, (Throw(("c1", "c2"), (Outcome(1.0, ((2,), (1,))),)), alone("c3", [((0,), 1.0)]))),
))  # fmt: skip
"""Two rows of one roll, and one of another."""

BACK = {"c1": ((0, 0, 1), 0), "c2": ((0, 1, 0), 0), "c3": ((1, 0, 0), 1)}
FORTH = {"c1": ((1, 0, 0), 1), "c2": ((0, 1, 0), 1), "c3": ((0, 0, 1), 0)}


def test_a_formula_tells_all_that_is_left_of_a_round() -> None:
    e = fight(ANA, BO, ORC)
    found = walked(Formula(backwards), e)
    assert standings(found) == BACK
    assert (found.race, found.given, found.forecast.runs) == (backwards(e), ("a formula",), 0)
    assert found.people == {"c1": ("c1",), "c2": ("c2",), "c3": ("c3",)}
    enough = iter([0.0] * 4)  # one for the case, one for each row
    at_random(lambda: e, Formula(backwards), lambda: next(enough), 1)
    again = at_random(lambda: e, Formula(backwards), drawn(), 2)
    assert (standings(again), again.given, again.people) == (BACK, ("a formula",), found.people)
    group = fight(ANA, *RATS)
    pair = Race((Case(1.0, (alone("@Rats", [((0,), 1.0)]), alone("c1", [((1,), 1.0)]))),))
    for one in (
        walked(Formula(lambda _: pair), group),
        at_random(lambda: group, Formula(lambda _: pair), drawn(), 1),
    ):
        assert one.people == {"@Rats": ("c4", "c5", "c6"), "c1": ("c1",)}


@pytest.mark.parametrize(
    ("system", "e"),
    [
        (Formula(lambda _: None), fight(ANA, BO, ORC)),
        (Formula(lambda _: Race(())), fight(ANA, BO, ORC)),
    ],
)
def test_without_a_formula_the_fight_is_played_on(system: InitiativeSystem, e: Encounter) -> None:
    found = walked(system, e)
    assert (standings(found), found.race, found.given) == (FORTH, None, ())
    assert standings(at_random(lambda: e, system, drawn(), 1)) == FORTH


def test_a_formula_of_one_way_among_several_is_counted_and_is_not_the_race_of_all() -> None:
    e = fight(ANA, BO, ORC)
    found = walked(Formula(lambda e: backwards(e) if e.notes.get("coin 1") == 2 else None, COIN), e)
    assert standings(found) == {
        "c1": ((0.5, 0, 0.5), 0.5),
        "c2": ((0, 1, 0), 0.5),
        "c3": ((0.5, 0, 0.5), 0.5),
    }
    assert (found.race, found.given) == (None, ("a formula",))


def test_who_is_not_in_a_formula_is_counted_with_the_next_turn_behind_its_round() -> None:
    """Orc loses the turn after a 2: the round is played to its end, and Orc begins the next."""

    def left(e: Encounter) -> Race | None:
        """Return the race of those who may still act in the first round, once the coin has fallen."""
        if not e.notes or e.round > 1:
            return None
        return backwards(replace(e, combatants={"c1": ANA, "c2": BO}) if e.notes["coin 1"] == 2 else e)

    def acts(e: Encounter) -> list[Act]:
        if e.round > 1:
            return in_turn(replace(e, combatants={"c3": e.combatants["c3"], **e.combatants}))
        waiting = [act for act in freely(e) if act.who != "c3" or e.notes["coin 1"] == 1]
        return waiting or [Act("round")]

    class Once(Formula):
        """Throw the coin in the first round alone."""

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            return super().due(e) if e.round == 1 else ()

    e, system = fight(ANA, BO, ORC), Once(left, COIN, acts=acts)
    for found in (walked(system, e), at_random(lambda: e, system, drawn(0.1, 0, 0, 0, 0, 0.9), 2)):
        assert standings(found) == {
            "c1": ((0, 0.5, 0.5), 0.5),
            "c2": ((0.5, 0.5, 0), 0.5),
            "c3": ((0.5, 0, 0.5), 0.5),
        }
        assert not found.chosen, "the formula says what it takes for granted"

    class Twice(Once):
        """Throw a second coin, of which a formula tells before it falls."""

        def due(self, e: Encounter) -> tuple[Ask, ...]:
            asks = super().due(e)
            return asks[:1] if COIN in asks else asks

    second = replace(COIN, key="second")
    before = Twice(lambda e: None if "second 1" in e.notes else left(e), COIN, second, acts=acts)
    assert standings(walked(before, e)) == standings(walked(system, e)), "dice of this round hold nothing up"


def tied(e: Encounter) -> Race:
    """Return a race of two rows of one roll that are level and stay together: no formula tells its places."""
    keys = [c.id for c in e.combatants.values()][::-1]
    return Race((Case(1.0, (Throw(tuple(keys), (Outcome(1.0, ((0,),) * len(keys)),), kin=True),)),))


def test_a_race_without_an_exact_answer_is_run_where_it_is_all_there_is_and_else_played_on() -> None:
    e = fight(ANA, BO, ORC)
    found = walked(Formula(tied), e)
    assert found.forecast.runs > 0
    assert found.race == tied(e)
    assert standings(found) == BACK
    mixed = walked(Formula(lambda e: tied(e) if e.notes else None, COIN), e)
    assert (standings(mixed), mixed.forecast.runs, mixed.race) == (FORTH, 0, None)


def test_a_formula_waits_for_the_turns_that_are_interrupted_and_for_saves() -> None:
    e = replace(fight(ANA, BO, ORC, turn=Turn("c1", ("c1",))), paused=(Turn("c2", ("c2",)),))
    system = Formula(lambda e: backwards(e) if e.paused else None)
    assert walked(system, e).given == ()
    assert at_random(lambda: replace(e, turn=None), system, drawn(), 1).given == ()
    hurt = fight(replace(ANA, hp=0, max_hp=9, dying=Dying(), owes=(OwedSave(1, "dying"),)), BO, ORC)
    owing = Formula(lambda e: backwards(e) if e.combatants["c1"].owes else None)
    found = walked(owing, hurt)
    assert (standings(found), found.given) == (FORTH, ()), "the save is rolled first"


def test_dice_that_are_due_in_a_running_turn_are_part_of_a_formula_only_where_turns_last_so_long() -> None:
    e = fight(ANA, BO, ORC, turn=Turn("c1", ("c1",)))

    def while_due(e: Encounter) -> Race | None:
        return None if "coin 1" in e.notes else backwards(e)

    found = walked(Formula(while_due, COIN), e)
    assert standings(found) == {"c1": ((1, 0, 0), 1), "c2": ((0, 0, 1), 0), "c3": ((0, 1, 0), 0)}
    assert found.race is not None
    assert (found.race.rows, found.given) == (("c2", "c3"), ("a formula",))
    owing = replace(ORC, hp=0, max_hp=9, dying=Dying(), owes=(OwedSave(1, "dying"),))
    beside = walked(Formula(while_due, COIN), fight(ANA, BO, owing, turn=Turn("c1", ("c1",))))
    assert (standings(beside), beside.race) == (standings(found), found.race), "the save waits for the turn"
    for system in (
        ByRounds(while_due, COIN),
        Formula(lambda e: None if "coin 1" in e.notes else shared_roll(e), COIN),
        Formula(lambda e: None if "coin 1" in e.notes else PAIR_AND_ONE, COIN),
        Formula(
            lambda e: None if "coin 1" in e.notes else replace(backwards(e), cases=backwards(e).cases[:0]),
            COIN,
        ),
    ):
        played = walked(system, e)
        assert (standings(played), played.race, played.given) == (FORTH, None, ())
