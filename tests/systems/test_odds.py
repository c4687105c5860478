"""The odds that a system tells before its dice, against its own rules played with every face, or with
many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.table import Table
from tests.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, Lazy, PickAsk, RollAsk, TrackRow, say
from tui.core.fight.encounter import Encounter, label
from tui.core.language.actions import Roll
from tui.core.odds.spread import error
from tui.core.rules.decide import Rules, draft
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, next_round
from tui.core.views.odds import (
    BLOCKS,
    PLAYED,
    SPOKEN,
    Odds,
    RowOdds,
    after_line,
    compared,
    first_word,
    odds,
    odds_lines,
    played,
    ready,
    row_of,
)
from tui.systems import Registry

REGISTRY = Registry()
NOBODY = Rules(REGISTRY, Table("classic").dice)


def table(system: str, *lines: str, **options: object) -> Table:
    found = Table(system, options={k.replace("__", "."): v for k, v in options.items()})
    found.do(*lines)
    return found


def told(t: Table, line: str = "", seed: int = 1) -> Odds:
    return odds(t.encounter, REGISTRY, Random(seed).random, line)


def all_faces(e: Encounter, depth: int = 1) -> Counter[tuple[str, ...]]:
    """The chance of every order, all faces being given to the real rules; `("",)`: ties left after so many
    roll-offs."""
    system = REGISTRY.get(e.system)
    asks = [ask for ask in system.due(e) if isinstance(ask, RollAsk)]
    assert not any(isinstance(ask, PickAsk) for ask in system.due(e)), "only dice"
    if not asks:
        return Counter({tuple(row.entry for row in system.rows(e)): 1.0})
    ask = asks[0]
    if ask.among and int(ask.key.removeprefix("tie").split()[0]) >= depth:
        return Counter({("",): 1.0})
    found: Counter[tuple[str, ...]] = Counter()
    ways = list(product(*(range(1, sides + 1) for sides in ask.dice)))
    for faces in ways:
        after = draft(e, Roll(label(e, ask.who), faces), NOBODY).encounter
        for order, chance in all_faces(after, depth).items():
            found[order] += chance / len(ways)  # type: ignore[assignment]
    return found


def agree(found: Odds, orders: Counter[tuple[str, ...]], *, firsts: bool = True) -> None:
    """The odds are those of all orders, but for what is left over by ties that were not played to their
    end."""
    left = orders.pop(("",), 0) + 1e-9
    assert left < 0.13
    sides = {row.key: row.side for row in found.rows}
    for row in found.rows:
        for place, chance in enumerate(row.standing.places):
            gone = sum(p for order, p in orders.items() if order[place] == row.key)
            assert gone <= chance + 1e-9, (row.name, place)
            assert chance <= gone + left, (row.name, place)
        before = sum(p for order, p in orders.items() if _first(order, row.key, sides))
        assert before - 1e-9 <= row.standing.before <= before + left or not firsts


def _first(order: Sequence[str], key: str, sides: dict[str, str]) -> bool:
    return all(sides[k] == sides[key] for k in order[: list(order).index(key)])


SMALL = {
    "classic": (("add Ana +3", "add Orc -1"), {}),
    "classic, the better die": (("add Ana +2 adv=adv", "add Orc +9"), {"classic__tie": "mod"}),
    "chaos": (("add Ana +2", "add Orc"), {}),
    "chaos, the bonus first": (("add Ana +2", "add Orc +4"), {"cha__tie": "bonus"}),
    "chaos, the same moment": (("add Ana +2", "add Orc +1"), {"cha__tie": "simultaneous"}),
    "unbound": (("add Ana side=a", "add Bo side=b", "add 2 Orc side=a"), {}),
    "dynamic": (("add Ana kind=pc", "add 2 Rat size=tiny group=Rats", "add Orc die=1d2", "begin",
        "order Ana move=yes"), {"dis__tie": "players_first"}),
    "dynamic, players first": (("add Ana kind=pc bonus=1", "add Orc adv=dis"), {"dis__tie": "players_first"}),
    "dynamic, a roll-off": (("add Rat size=tiny", "add Cat die=1d3"), {}),
    "dynamic, fewest dice": (("add Ana kind=pc", "add Cat die=1d3 value=4"), {"dis__tie": "fewest_dice"}),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_small_fights_have_the_odds_of_all_faces_played_by_the_rules(name: str) -> None:
    lines, options = SMALL[name]
    t = table(name.partition(",")[0], *lines, **options)
    found = told(t)
    assert found.runs == 0, "exact"
    orders = all_faces(found.encounter, depth=int("roll-off" in name))
    if name != "unbound":
        agree(found, orders)
        return
    orders.pop(("",))
    # Its rows are sides; each creature of a side has the first of its turns as often as another.
    assert abs(sum(p for o, p in orders.items() if o[0] == "@a") - 11 / 24) < 1e-9
    assert [round(x, 6) for x in _named(found, "Bo").standing.places] == [0.5, 0.5, 0, 0][: len(found.rows)]


def _named(found: Odds, name: str) -> RowOdds:
    return next(row for row in found.rows if row.name == name)


def test_the_side_that_wins_the_opposed_roll_goes_first() -> None:
    t = table(
        "dungeon-universalis", "add Ana side=heroes per=2 int=3", "add Orc side=dark per=1 int=2 distance=3"
    )
    found = told(t)
    assert found.runs == 0
    assert found.lines == ("begin", "meet Ana")
    orders = all_faces(found.encounter)
    agree(found, orders)
    assert {x.text for x in found.beside} >= {"the heroes win the opposed roll"}
    won = next(x.chance for x in found.beside if x.text == "the heroes win the opposed roll")
    assert won == pytest.approx(sum(p for o, p in orders.items() if label(t.encounter, o[0]) == "Ana"))


def test_on_the_track_the_two_who_met_keep_their_totals() -> None:
    lines = ("add Ana side=heroes per=2 int=3", "add 2 Orc side=dark per=1 int=2 distance=3 group=Orcs")
    found = told(table("dungeon-track", *lines))
    assert found.runs == 0
    orders = all_faces(found.encounter)
    # Rows stand by number, and a hero who won goes first by the exception of the first turn (TRK-9): with one
    # on each side that is the same, but for a double 1 that loses against a lower total.
    for row in found.rows:
        gone = sum(p for order, p in orders.items() if order[0] == row.key)
        assert row.later is not None
        assert row.later.places[0] == pytest.approx(gone)
    hero = next(row for row in found.rows if row.side == "heroes")
    won = next(x.chance for x in found.beside if x.text == "the heroes win the opposed roll")
    assert hero.later is not None
    assert won <= hero.standing.before <= hero.later.before + won


# --- larger fights, played again and again


def creature(draw: st.DrawFn, name: str, side: str) -> str:
    kind = " kind=pc" if side == "heroes" else ""
    return (
        f"add {name} side={side} per={draw(st.integers(0, 5))} int={draw(st.integers(1, 9))}"
        f" mod={draw(st.integers(-1, 3))} size={draw(st.sampled_from(['tiny', 'medium', 'huge']))}{kind}"
    )


@st.composite
def parties(draw: st.DrawFn) -> list[str]:
    lines = [creature(draw, f"Hero{i}", "heroes") for i in range(draw(st.integers(1, 3)))]
    lines += [creature(draw, f"Foe{i}", "dark") for i in range(draw(st.integers(1, 3)))]
    return lines + draw(st.sampled_from([[], ["add 3 Rat side=dark per=1 int=1 group=Rats"]]))


@cases(10)
@given(lines=parties())
def test_chances_of_every_system_sum_to_one(lines: list[str]) -> None:
    t = table("classic", *lines)
    for found in compared(t.encounter, REGISTRY, Random(1).random):
        assert found.odds is not None, found.why
        for row in found.odds.rows:
            assert sum(row.standing.places) == pytest.approx(1)
            assert not row.total or sum(row.total.values()) == pytest.approx(1)
        for place in range(len(found.odds.rows)):
            assert sum(row.standing.places[place] for row in found.odds.rows) == pytest.approx(1)
        for c in t.encounter.combatants.values():
            assert row_of(found.odds, c.id), f"{c.name} has no row in {found.system}"


# --- what is said on the way


def test_a_declaration_is_tried_where_it_is_accepted_and_the_others_make_the_usual_one() -> None:
    t = table("dynamic", "add Fay kind=pc", "add Bo kind=pc", "add Orc")
    found = told(t, "order Fay weapon=1d8 spell=3")
    assert found.lines == ("begin", "order Fay weapon=1d8 spell=3", "order Bo weapon=1d8 move=yes")
    fay = next(row for row in found.rows if row.name == "Fay")
    assert (min(fay.total), max(fay.total)) == (5, 19)
    assert t.encounter.round == 0, "nothing of it happens"


def test_who_declared_last_round_is_taken_to_repeat_it() -> None:
    t = table("dynamic", "add Fay kind=pc", "add Orc", "begin", "order Fay spell=2")
    t.do("roll", "next", "next", dice=(1, 2))
    assert "order Fay spell=2" in told(t).lines


def test_a_surprised_part_of_a_group_goes_by_the_same_roll() -> None:
    t = table("dynamic", "add 2 Orc group=Orcs", "add Cat die=1d4", "begin", 'surprised "Orc 1"')
    found = told(t)
    late, early = (next(r for r in found.rows if r.name == name) for name in ("Orc 1", "Orcs"))
    assert late.standing.mean > early.standing.mean
    assert min(late.total) == min(early.total) + 10
    agree(found, all_faces(found.encounter))


def test_ways_that_are_too_many_are_played_at_random_and_say_so() -> None:
    t = table("classic", "add Ana +2 side=heroes", "add Orc", "begin", "roll Orc 10", "roll Ana 12")
    t.do("move Orc before Ana", "add 4 Imp +1")
    found = told(t)
    assert 0 < found.runs <= PLAYED
    assert found.kept is None
    assert all(row.standing.acts == pytest.approx(1) for row in found.rows)


def test_where_no_dice_are_due_the_order_that_stands_is_told() -> None:
    t = table(
        "dungeon-universalis",
        "add Ana side=heroes per=9 int=9",
        "add Orc side=dark int=3 distance=9",
        "begin",
        "meet Ana",
    )
    t.do("roll", dice=(6, 6, 2, 1))
    assert not ready(t.encounter, REGISTRY.get("dungeon-universalis"))
    found = told(t)
    assert (found.runs, found.kept, found.given) == (0, True, ("no dice are due: this order stands",))
    assert [row.name for row in found.rows] == ["Ana", "Orc"]
    assert [row.standing.before for row in found.rows] == [1, 0]


def test_what_must_be_decided_before_the_dice_is_said() -> None:
    t = table("dynamic", "add Ana kind=pc bonus=1", "add Orc", dis__resize="ask")
    with pytest.raises(RuleError, match="Ana must decide"):
        told(t)


def test_a_line_that_is_refused_everywhere_is_refused_with_its_own_words() -> None:
    t = table("classic", "add Ana", "add Orc")
    with pytest.raises(RuleError, match="Foo"):
        told(t, "damage Foo 3")


def test_passing_in_unbound_gives_the_next_turn_to_another() -> None:
    lines = ("add Boss side=b", "add 3 Orc side=a", "add 2 Elf side=c")
    t = table("unbound", *lines, "begin", "roll b 12", "roll a 6", "roll c 3")
    stays, passes = told(t), told(t, "pass")
    assert next(r for r in stays.rows if r.name == "Boss").standing.places[0] == 1
    assert next(r for r in passes.rows if r.name == "Boss").standing.places[2] == 1
    assert next(x.chance for x in stays.beside if x.text == "b may pass") == 1


class Stranger(InitiativeSystem):
    """One die for a coin: heads, and the second in the roster goes first."""

    id = "stranger"
    title = "Stranger"

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        who = next(iter(e.combatants), "")
        return (
            () if not e.running or e.notes else (RollAsk("coin", who, (2,), say("{0} throws a coin", who)),)
        )

    def answer(self, d: Draft, ask: Ask, answer: tuple[int, ...]) -> None:
        d.emit(ev.Noted("coin", answer[0]))

    def begin(self, d: Draft) -> None:
        next_round(d, self)
        d.emit(ev.PhaseEntered("turns"))

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        order = self.entries(e)[:: -1 if e.notes.get("coin") == 2 else 1]
        return tuple(TrackRow(x.key, x.members, 0, "waits", Lazy(tuple, ())) for x in order)


class Strangers:
    """A registry with that one in it."""

    def ids(self) -> tuple[str, ...]:
        return ("stranger",)

    def get(self, name: str) -> InitiativeSystem:
        return Stranger()

    def beside(self, name: str, kind: str) -> str:
        return ""


def test_a_strangers_system_that_tells_no_odds_is_played_through_all_its_faces() -> None:
    e = Encounter(system="stranger")
    for line in ("add Ana side=heroes", "add Orc"):
        e = after_line(e, line, Strangers(), Random(1).random)
    found = odds(e, Strangers(), Random(1).random)
    assert (found.runs, found.lines, found.kept) == (0, ("begin",), None)
    assert [row.standing.before for row in found.rows] == [0.5, 0.5]


def test_a_strangers_system_without_dice_stands_as_it_is() -> None:
    e = Encounter(system="stranger")
    for line in ("add Ana", "add Orc", "begin", "roll"):
        e = after_line(e, line, Strangers(), lambda: 0.9)
    found = odds(e, Strangers(), Random(1).random)
    assert (found.runs, found.kept) == (0, True)
    assert [(row.name, row.standing.places) for row in found.rows] == [("Orc", (1, 0)), ("Ana", (0, 1))]


def test_where_nobody_rolls_any_more_the_fight_is_not_played_on() -> None:
    t = table("dynamic", "add Ana value=5", "begin", "next")
    found = told(t)
    assert found.given == ("no dice are due: this order stands",)
    assert found.encounter.round <= 100, "one `next 99`, and no more"


def test_a_group_that_is_made_in_the_turn_of_its_only_member_has_no_other_turn() -> None:
    """The new group owes a roll, but whoever is in it acts already."""
    lines = ["add Ana", "add Bo", "add Orc side=dark", "begin", "roll Bo 20", "roll Ana 15", "roll Orc 2"]
    t = table("classic", *lines, "next", "next", "group Ana,Bo Band")
    found = told(t, "out Bo")
    assert "reroll" in found.lines
    places = {x.name: x.standing.places for x in found.rows}
    assert places == {"Ana": pytest.approx((1, 0)), "Orc": pytest.approx((0, 1))}


def test_a_turn_that_is_put_off_to_the_next_round_is_counted_in_fights_at_random_too() -> None:
    """Cy loses the opposed roll in a quarter of the fights, and acts behind the Imp, a round later."""
    t = table(
        "dungeon-track", "option trk.commander_when=immediate", "add Cy side=heroes kind=pc per=4 int=1"
    )
    t.do("add Imp side=dark per=1 int=2 rank=leader", "begin", *["next"] * 7)
    exactly = told(t)
    at_random = played(exactly.encounter, REGISTRY, Random(1).random, exactly.lines)
    assert not exactly.runs
    assert at_random.runs
    assert 0.2 < _named(exactly, "Cy").standing.places[1] < 0.3
    for row in exactly.rows:
        assert _named(at_random, row.name).standing.places == pytest.approx(row.standing.places, abs=0.1)


def test_a_turn_that_is_put_off_by_a_second_meeting_is_counted_in_the_next_round() -> None:
    """Bo loses a third of the opposed rolls; a formula tells the dark side's turns alone where he does."""
    t = table(
        "dungeon-universalis", "add Bo side=heroes kind=pc per=4 int=2", "add Ana side=dark per=2 int=4"
    )
    t.do("add Orc side=dark per=3", "begin", "next", "meet Bo", "roll Bo 1 2", "roll Orc 6 5")
    t.do("pick none", "calm", "turn Orc")
    found = told(t, "meet Ana")
    assert not found.runs
    assert not found.given, "nobody has a choice that would change it"
    places = {x.name: x.standing.places for x in found.rows}
    assert places == {
        "Bo": pytest.approx((0.6628, 0.3372), abs=1e-4),
        "Ana": pytest.approx((0.3372, 0.6628), abs=1e-4),
    }


def test_where_a_die_chooses_who_rolls_all_of_them_have_the_same_odds() -> None:
    lines = (
        "add Ana side=heroes per=2 int=3",
        "add 3 Orc side=dark per=1 int=2",
        "add Ogre side=dark per=1 int=4",
    )
    found = told(table("dungeon-track", *lines))
    assert found.runs == 0
    orcs = [row.standing for row in found.rows if row.name.startswith("Orc")]
    assert len(set(orcs)) == 1
    ogre = next(row.standing for row in found.rows if row.name == "Ogre")
    assert ogre != orcs[0]
    often = played(found.encounter, REGISTRY, Random(3).random, (), 400)
    for row in found.rows:
        seen = next(x.standing for x in often.rows if x.key == row.key)
        for chance, run in zip(row.standing.places, seen.places, strict=True):
            assert abs(chance - run) <= 5 * error(chance, 400) + 3 / 400


def test_death_saves_that_hold_the_lock_are_rolled_before_the_dice_of_the_order() -> None:
    """Chaos owes them when the round begins, before the orders are locked: of 20 faces 9 are a third
    failure."""
    lines = ("option zero.pc=dying", "add Ana kind=pc hp=5", "add Bo kind=pc", "add Orc")
    t = table("chaos", *lines, "damage Ana 5", "damage Ana 1", "damage Ana 1", "begin")
    found = told(t)
    assert (found.runs, found.lines) == (0, ("roll", "lock missing=empty"))
    assert {row.name: row.standing.acts for row in found.rows} == pytest.approx(
        {"Ana": 0.55, "Bo": 1, "Orc": 1}
    )
    orc = next(row for row in found.rows if row.name == "Orc")
    # Against one hero 1/2, against two 1/3.
    assert orc.standing.before == pytest.approx(0.45 / 2 + 0.55 / 3)


@pytest.mark.parametrize("system", REGISTRY.ids())
def test_saves_that_hold_the_begin_are_rolled_before_it(system: str) -> None:
    t = table(system, "add Ana kind=pc", "add Orc hp=5", "condition Orc concentration", "damage Orc 1")
    found = told(t)
    assert found.lines[:2] == ("roll", "begin")
    without = told(table(system, "add Ana kind=pc", "add Orc hp=5"))
    assert {row.key: row.standing.before for row in found.rows} == pytest.approx(
        {row.key: row.standing.before for row in without.rows}
    )
    with pytest.raises(RuleError, match="Bo"):
        told(t, "out Bo")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("damage Orc 3", "Orc"),
        ("damage hp=3 Orc", "Orc"),
        ('out "Orc 1"', "Orc 1"),
        ("next", ""),
        ("set a=b", ""),
    ],
)
def test_a_line_is_about_its_first_word_without_a_key(line: str, word: str) -> None:
    assert first_word(line) == word


@pytest.mark.parametrize(("system", "wide", "later"), [("classic", 52, False), ("dungeon-track", 65, True)])
def test_places_are_drawn_beside_the_table_where_all_of_them_fit(system: str, wide: int, later: bool) -> None:
    found = told(table(system, "add Ana side=heroes per=2 int=3", "add Orc side=dark per=1 int=2"))
    assert any(row.later for row in found.rows) is later
    heads = [
        next(line for line in odds_lines("", "", found, (), pen) if "before foes" in line)
        for pen in (*(replace(BLOCKS, width=wide + extra) for extra in (2, 3, 4)), SPOKEN)
    ]
    assert ["1 to 2" in head for head in heads] == [False, True, True, False]
    assert ["later" in head for head in heads] == [later] * 4
