"""How odds are written, word by word: tables, bars, systems side by side, names that are too wide."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.odds.race import Chance
from tui.core.odds.spread import Standing
from tui.core.views.odds import (
    ASCII_ONLY,
    BLOCKS,
    SPOKEN,
    Compared,
    Odds,
    RowOdds,
    bars,
    compared_lines,
    first_word,
    fit,
    named,
    odds_lines,
    row_of,
    wrapped,
)

ANA = RowOdds("c1", "Ana", "heroes", ("c1",), Standing((0.75, 0.25), 0.75))
RATS = RowOdds("@Rats", "Rats", "dark", ("c2", "c3"), Standing((0.25, 0.75), 0.25))
FIGHT = Encounter(
    combatants={
        "c1": Combatant("c1", "Ana", "heroes"),
        "c2": Combatant("c2", "Rat 1", "dark", group="Rats"),
        "c3": Combatant("c3", "Rat 2", "dark", group="Rats"),
        "c4": Combatant("c4", "Cy", "heroes", out=True),
    },
    round=2,
)
EXACT = Odds(FIGHT, (ANA, RATS))


def test_the_table_of_exact_odds() -> None:
    assert odds_lines("a · Classic", "", EXACT, (), BLOCKS) == [
        "a · Classic · round 2 · exact",
        "",
        "                                  place  before foes  1 to 2",
        "Ana                  heroes         1.2        75.0%  █▃",
        "Rats                 dark           1.8        25.0%  ▃█",
    ]


def test_the_line_what_was_said_beside_it_and_what_else_the_dice_decide() -> None:
    found = replace(
        EXACT,
        lines=("begin", "out Cy", "roll"),
        beside=(Chance("a tie", 0.125),),
        given=("nobody passes", "the rest is even"),
    )
    assert odds_lines("a - Classic", "out Cy", found, (), replace(ASCII_ONLY, width=30)) == [
        "a - Classic - round 2 - exact",
        "out Cy",
        "as if: begin; roll",
        "",
        "                                  place  before foes",
        "Ana                  heroes         1.2        75.0%",
        "Rats                 dark           1.8        25.0%",
        "",
        "  12.5%  a tie",
        "",
        "taken for granted: nobody",
        "  passes",
        "taken for granted: the rest is",
        "  even",
    ]


def test_the_bars_of_those_who_are_asked_for_stand_behind_the_table() -> None:
    lines = odds_lines("a", "", EXACT, (ANA, RATS), SPOKEN)
    assert lines == [
        "a, round 2, exact",
        "",
        "                                  place  before foes",
        "Ana                  heroes         1.2        75.0%",
        "Rats                 dark           1.8        25.0%",
        "",
        *bars(ANA, SPOKEN),
        "",
        *bars(RATS, SPOKEN),
    ]
    assert bars(ANA, SPOKEN) == ["Ana: the place, 1.2 on average", "    1   75.0%", "    2   25.0%"]


def test_simulated_odds_say_of_how_many_fights_and_how_far_they_may_be_off() -> None:
    head = odds_lines("a", "", replace(EXACT, runs=1_200), (), BLOCKS)[0]
    assert head == "a · round 2 · simulated: 1,200 runs, ±1.2% at the most"
    nobody = odds_lines("a", "", Odds(FIGHT, (), runs=400), (), BLOCKS)[0]
    assert nobody == "a · round 2 · simulated: 400 runs, ±0.0% at the most"


def test_later_rounds_have_a_column_of_their_own_and_allies_alone_no_foes() -> None:
    later = replace(EXACT, rows=(replace(ANA, later=Standing((0.5, 0.5), 0.5)), RATS))
    assert odds_lines("a", "", later, (), BLOCKS)[2:] == [
        "                                  place  before foes        later  1 to 2",
        "Ana                  heroes         1.2        75.0%        50.0%  █▃",
        "Rats                 dark           1.8        25.0%               ▃█",
    ]
    alone = odds_lines("a", "", replace(EXACT, rows=(ANA,)), (), BLOCKS)
    assert alone[3] == "Ana                  heroes         1.2            -  █▃"


@pytest.mark.parametrize(
    ("places", "strip"), [((1.0, 0.0), "█ "), ((0.999, 0.001), "█▁"), ((0.0, 0.0), "  ")]
)
def test_a_place_that_is_possible_is_never_blank(places: tuple[float, ...], strip: str) -> None:
    rows = (replace(ANA, standing=Standing(places, 0.5)), RATS)
    line = odds_lines("a", "", replace(EXACT, rows=rows), (), BLOCKS)[3]
    assert line.partition("50.0%")[2] == f"  {strip}".rstrip()


@pytest.mark.parametrize(("width", "drawn"), [(55, True), (54, False)])
def test_places_are_drawn_only_where_all_of_them_fit(width: int, drawn: bool) -> None:
    lines = odds_lines("a", "", EXACT, (), replace(BLOCKS, width=width))
    assert ("1 to 2" in lines[2]) is drawn
    assert lines[3].endswith("█▃") is drawn


def test_systems_stand_side_by_side() -> None:
    kept = replace(EXACT, kept=True, beside=(Chance("a tie", 0.125),))
    rolled = Odds(FIGHT, (RATS, ANA), ("begin",), 400, kept=False, given=("nobody passes",))
    unknown = replace(EXACT, rows=(ANA,))
    some = [
        Compared("classic", kept),
        Compared("dungeon-universalis", rolled),
        Compared("unbound", unknown),
        Compared("chaos", None, "somebody must write an order, and nobody knows which it will be, or when"),
    ]
    head = "                       classic universal   unbound"
    assert compared_lines(FIGHT, some, BLOCKS) == [
        "chance to act before every foe, first round",
        head,
        "Ana                        75%       75%       75%",
        "Rat 1                      25%       25%         -",
        "Rat 2                      25%       25%         -",
        "",
        "turns of others to wait for, first round",
        head,
        "Ana                        0.2       0.2       0.2",
        "Rat 1                      0.8       0.8         -",
        "Rat 2                      0.8       0.8         -",
        "",
        "places that two rounds lie apart",
        head,
        "Ana                       kept       0.4         ?",
        "Rat 1                     kept       0.4         -",
        "Rat 2                     kept       0.4         -",
        "",
        "classic: exact; a tie 12%",
        "dungeon-universalis: simulated, 400 runs, ±2.2%; begin; nobody passes",
        "unbound: exact",
        "chaos: cannot order these: somebody must write an order, and nobody knows which",
        "  it will be, or when",
    ]


def test_whose_row_it_is_and_who_is_meant() -> None:
    assert row_of(EXACT, "@Rats") is row_of(EXACT, "c3") is RATS
    assert row_of(EXACT, "c4") is None
    assert named(FIGHT, "Rats") == ("c2", "c3")
    assert named(FIGHT, "") == named(FIGHT, "Nobody") == ()
    assert [first_word(line) for line in ("out Cy", "place x=1 Ana Bo", "begin")] == ["Cy", "Ana", ""]


def test_names_take_their_columns_and_no_more() -> None:
    assert fit("Ana", 5) == "Ana  "
    assert fit("Anastasia", 5) == "Anast"
    assert fit("忍者乱", 5) == "忍者 ", "half of a wide letter cannot be shown"
    assert fit("Zoë", 3) == "Zoë", "an accent of its own takes no column"


def test_words_that_do_not_fit_begin_another_line() -> None:
    assert wrapped("one two three", 7) == ["one two", "  three"]
    assert wrapped("one two three", 6) == ["one", "  two", "  three"]
    assert wrapped("incomprehensible", 6) == ["incomprehensible"]
    assert wrapped("", 6) == [""]
