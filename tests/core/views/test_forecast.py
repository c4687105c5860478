"""Odds by playing on: three small fights of each system counted by hand, and what a play can answer."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, FormAsk, Offer, RollAsk, TrackRow, say
from tui.core.fight.encounter import Encounter
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, next_round
from tui.core.views.forecast import LEAST_RUNS, MOST_RUNS, Odds, after_line, odds, seed_of
from tui.store.sources import SeededDice
from tui.systems import Registry

REGISTRY = Registry()
F = Fraction
A, B = "add Ana side=heroes kind=pc", "add Orc side=dark"
MET = f"{A} per=0 int=3; {B} per=0 int=2 distance=3; begin; meet Ana"
DECLARE = "order Ana move=yes"
# Of 1,296 throws of two times 2d6, 146 are level; 575 are higher for Ana, 575 lower. The double 1, which
# loses, loses anyway but against another: 2 is the lowest there is.
CASES: list[tuple[str, str, str, str, Fraction]] = [
    # Level in 20 of 400 throws of two d20, and a roll-off then: half.
    ("classic", f"{A}; {B}", "", "Ana", F(1, 2)),
    # 11 to 20 are above 10; a 10 is level, and half of that.
    ("classic", f"{A}; {B}; begin; roll Orc 10", "", "Ana", F(10, 20) + F(1, 40)),
    # With advantage against a 20: one of two dice is a 20 in 39 of 400, then half.
    ("classic", f"{A} adv=adv; {B}; begin; roll Orc 20", "", "Ana", F(39, 800)),
    # 210 of 400 pairs are above with +1, and 19 level: half of them.
    ("chaos", f"{A} bonus=1; {B}", "", "Ana", F(210, 400) + F(19, 800)),
    # By the house rule all 19 ties go to the bonus.
    ("chaos", f"option cha.tie=bonus; {A} bonus=1; {B}", "", "Ana", F(229, 400)),
    # A fixed place of 10: Orc is before it with 11 to 20, and with a 10, for nobody threw for the place.
    ("chaos", f"{A} value=10; {B}", "", "Orc", F(11, 20)),
    # Low first: d4 against d8 is lower in 7 + 6 + 5 + 4 of 32, level in 4: half of them.
    ("dynamic", f"{A}; {B} size=medium; begin", DECLARE, "Ana", F(22, 32) + F(4, 64)),
    # Nothing declared is 0, below all dice.
    ("dynamic", f"{A}; {B} size=tiny", "", "Ana", F(1)),
    # The lower of two d4 against a 1: level in 7 of 16, then half.
    ("dynamic", f"{A} adv=adv; {B} die=1d4; begin; {DECLARE}; roll Orc 1", "", "Ana", F(7, 32)),
    # Three factions alike.
    ("unbound", "add Ana side=red; add Orc side=blue; add Elf side=green", "", "red", F(1, 3)),
    # 9 to 12 of twelve, and half of an 8.
    ("unbound", "add Ana side=red; add Orc side=blue; begin; roll blue 8", "", "red", F(4, 12) + F(1, 24)),
    # Level at 8, and blue has rolled off 11: a 12, and half of an 11.
    ("unbound", "add Ana side=red; add Orc side=blue; begin; roll blue 8; roll red 8; roll blue 11", "",
     "red", F(1, 12) + F(1, 24)),
    # The better mind wins the 146 ties too.
    ("dungeon-universalis", MET, "", "Ana", F(575 + 146, 1296)),
    # 7 has fallen: the foe is above it with 8 or more, 15 of 36.
    ("dungeon-universalis", f"{MET}; roll Ana 3 4", "", "Ana", 1 - F(15, 36)),
    # Her double 1 loses but against his, where the mind decides.
    ("dungeon-universalis", f"{MET}; roll Ana 1 1", "", "Ana", F(1, 36)),
    # The same, and the track keeps the totals of the two who met.
    ("dungeon-track", MET, "", "Ana", F(575 + 146, 1296)),
    # 12 has fallen for the foe: she needs a 12.
    ("dungeon-track", f"{MET}; roll Orc 6 6", "", "Ana", F(1, 36)),
    # With 9 for the creatures, 8 for Ana: Bo is before Orc with 10 or more, 6 of 36; with 9 his 1 loses to 2.
    ("dungeon-track", (f"{A} per=0 int=3; "
     f"{B} per=0 int=2 distance=3; add Bo side=heroes kind=pc per=0 int=1"
     "; begin; meet Ana door=broken; roll Ana 3 5; roll Orc 4 5"), "", "Bo", F(6, 36)),
]  # fmt: skip


def fight(system: str, lines: str) -> Encounter:
    e = Encounter(system=system)
    for line in lines.split("; "):
        e = after_line(e, line, REGISTRY, SeededDice(1))
    return e


def told(e: Encounter, line: str = "", seed: int = 1) -> Odds:
    return odds(e, REGISTRY, SeededDice(seed), lambda: 0.0, line)


@pytest.mark.parametrize(("system", "lines", "line", "who", "chance"), CASES)
def test_odds_are_those_counted_by_hand(
    system: str, lines: str, line: str, who: str, chance: Fraction
) -> None:
    found = told(fight(system, lines), line)
    row = next(x for x in found.rows if x.name == who)
    assert found.runs == MOST_RUNS
    assert abs(row.before - chance) <= 3 * sqrt(chance * (1 - chance) / MOST_RUNS)
    assert found.error() <= 0.02


def test_the_winner_of_a_contest_and_who_is_caught_are_told() -> None:
    found = dict(told(fight("dungeon-universalis", MET)).beside)
    won = F(575 + 146, 1296)
    assert abs(found["heroes win the opposed roll"] - won) <= 3 * sqrt(won * (1 - won) / MOST_RUNS)
    assert found["heroes win the opposed roll"] + found["dark win the opposed roll"] == pytest.approx(1)
    assert 0 < found["Orc is caught"] <= found["heroes win the opposed roll"]


def test_where_nothing_is_left_to_roll_the_order_is_told() -> None:
    e = fight("classic", f"{A}; {B}; begin; roll Ana 3; roll Orc 15")
    for now in (e, after_line(e, "next", REGISTRY, SeededDice(1))):
        found = told(now)
        assert (found.runs, [x.name for x in found.rows]) == (0, ["Orc", "Ana"])


def test_the_same_fight_has_the_same_odds_and_time_ends_the_plays() -> None:
    e = fight("classic", f"{A}; {B}")
    assert seed_of(e) == seed_of(fight("classic", f"{A}; {B}")) != seed_of(e, "add Orc")
    assert told(e) == told(e) != told(e, seed=2)
    ticks = iter(range(0, 10_000, 9))
    assert odds(e, REGISTRY, SeededDice(1), lambda: float(next(ticks))).runs == LEAST_RUNS


def test_a_line_that_is_never_accepted_is_refused() -> None:
    with pytest.raises(RuleError, match="Foo"):
        told(fight("classic", f"{A}; {B}"), "damage Foo 3")


class Whims(InitiativeSystem):
    """A stranger's system, without a word of odds: each throws a coin, and then `asked` is due."""

    id = "whims"
    title = "Whims"
    asked: tuple[Ask, ...] = ()

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the coins, then what is asked."""
        coins = [RollAsk(f"coin {k}", k, (2,), say("{0} throws a coin", k)) for k in e.combatants]
        return (*(x for x in coins if x.who not in e.notes.get("coins", {})), *self.asked)

    def offer(self, e: Encounter) -> Offer:
        """Offer the first row."""
        return Offer((Act("turn", self.rows(e)[0].entry),))

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the highest coin first."""
        coins: Mapping[str, Any] = e.notes.get("coins", {})
        keys = sorted(e.combatants, key=lambda k: -coins.get(k, 0))
        return tuple(TrackRow(k, (k,), coins.get(k, 0), "waits", None) for k in keys)  # type: ignore[arg-type]

    def begin(self, d: Draft) -> None:
        """Begin round 1."""
        next_round(d, self)
        d.emit(ev.PhaseEntered("turns"))

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Keep a coin."""
        d.emit(ev.Noted("coins", answer[0], ask.who))


class Strangers(Registry):
    """One system that this program does not know."""

    def __init__(self, *asked: Ask) -> None:
        super().__init__()
        self.whims = Whims()
        self.whims.asked = asked

    def get(self, name: str) -> InitiativeSystem:
        """Return it, whatever is asked for."""
        return self.whims


FORM = FormAsk("whim", "c1", (), say("{0} has a whim", "c1"))


@pytest.mark.parametrize("asked", [(), (FORM,)])
def test_a_strangers_system_is_played_up_to_what_only_people_can_answer(asked: tuple[Ask, ...]) -> None:
    e = fight("classic", f"{A}; {B}")
    found = odds(e, Strangers(*asked), SeededDice(1), lambda: 0.0)
    # Heads beats tails in a quarter, and equals stand in the order of the roster.
    chance = {x.name: x.before for x in found.rows}
    assert abs(chance["Ana"] - 0.75) <= 3 * sqrt(0.75 * 0.25 / MOST_RUNS)


def test_what_people_must_decide_before_any_dice_is_refused() -> None:
    e = fight("classic", f"{A}; {B}; begin")
    done = replace(e, notes={"coins": dict.fromkeys(e.combatants, 1)})
    with pytest.raises(RuleError, match="Ana must decide something before the dice"):
        odds(done, Strangers(FORM), SeededDice(1), lambda: 0.0)
