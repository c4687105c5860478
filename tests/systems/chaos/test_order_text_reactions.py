"""Which reaction is spent, how it may be written, and the board of all reactions (CHA-7, CHA-15)."""

from __future__ import annotations

import pytest

from tests.systems.chaos.fights import duel, fight, said, turns
from tui.core.fight.viewer import viewer_of
from tui.core.rules.on_screen import on_screen
from tui.core.table_lines import table_lines
from tui.systems.chaos.order_text import read_reaction

TWO = 'order Ana reaction="hit => Shield" reaction2="enemy casts => Counterspell"'


@pytest.mark.parametrize(
    ("text", "trigger", "what"),
    [
        ("Counterspell if an enemy casts", "an enemy casts", "Counterspell"),
        ("Protection from Elements when hurt, by fire", "hurt, by fire", "Protection from Elements"),
        (
            "when an enemy comes adjacent, step back, then hide",
            "an enemy comes adjacent",
            "step back, then hide",
        ),
        ("If hit, then Shield", "hit", "Shield"),
        ("whenever seen, hide", "seen", "hide"),
        ("shoot as soon as it moves", "it moves", "shoot"),
        ("once it moves, shoot", "it moves", "shoot"),
        ("if seen => hide if possible", "if seen", "hide if possible"),
        ("a jiffy iffy whenever", "", "a jiffy iffy whenever"),
        ("when hit", "", "when hit"),
        ("Shield", "", "Shield"),
    ],
)
def test_cha_7_a_trigger_may_be_written_in_plain_words(text: str, trigger: str, what: str) -> None:
    assert (read_reaction(text).trigger, read_reaction(text).what) == (trigger, what)


def test_cha_7_a_reaction_without_a_trigger_is_refused_with_a_line_that_works() -> None:
    error = fight().refuse("order Ana reaction=Shield", "no trigger")
    assert (error.rule, error.hint) == ("CHA-7", 'reaction="an enemy comes adjacent => step back"')


@pytest.mark.parametrize("order", ["", 'order Bo reaction="hit => Shield"'])
def test_cha_7_who_reacts_before_the_own_slot_breaks_no_seal(order: str) -> None:
    t = turns(*([order] if order else []))
    t.do("next", "react Bo")
    words = "hit => Shield" if order else "the first opportunity attack"
    assert said(t) == ["Bo reacts", f"Bo: {words}"]
    assert [x.text for x in t.store.messages(t.store.step, viewer_of("Max"))] == said(t)
    assert [x.text for x in t.store.messages(t.store.step, viewer_of("Lia"))] == ["Bo reacts"]


def test_the_reactions_that_may_be_spent_are_listed_as_lines() -> None:
    t = turns(TWO, 'order Bo ready=shoot reaction="hit => Shield"', 'add "Old Rat"', dice=(18, 12, 6, 3))
    t.do("next")

    def lines() -> list[str]:
        return [x.line for x in on_screen(t.store.system).choices(t.encounter, "react")]

    assert lines() == [
        "react Ana with hit => Shield",
        "react Ana with enemy casts => Counterspell",
        "react Bo with hit => Shield",
        "react Orc",
        'react "Old Rat"',
    ]
    t.do(lines()[1], lines()[-1])
    assert lines() == ["react Bo with hit => Shield", "react Orc"]
    assert on_screen(fight().store.system).choices(fight().encounter, "react") == ()


# --- the board


def test_cha_15_without_a_gm_nobody_reads_the_board_before_the_first_slot() -> None:
    t = duel()
    t.do('order Ana reaction="hit => Shield"', "lock missing=empty")
    t.do("roll", dice=[15, 5])
    for viewer in (None, "Lia", "Max"):
        (ask,) = t.state(viewer)["due"]
        assert (ask["kind"], ask["lines"]) == ("acknowledge", [])
    t.do("ok")
    before = said(t)
    t.do("next")
    assert not any("Shield" in line for line in before)
    lines = [x.text for x in t.store.messages(t.store.step, viewer_of("Max"))]
    assert lines[:3] == [
        "All reactions are shown",
        "Ana: hit => Shield",
        "Bo takes the first opportunity attack",
    ]
    t.do("next")
    assert not any("Shield" in line for line in said(t))


def test_cha_15_show_prints_the_board_and_the_orders_for_who_has_no_screen() -> None:
    t = fight(TWO, 'order Bo action="shoot or else hide"', "lock missing=empty")
    t.do("roll", dice=[18, 12, 6])
    lines = table_lines(t.store.table())
    assert "     Bo takes the first opportunity attack" in lines
    assert "     Ana: hit => Shield (the first that is triggered)" in lines
    t.do("ok", "next")
    assert table_lines(t.store.table())[1].startswith("Now: Ana acts")
    assert "    now     Ana: reaction hit => Shield; reaction2 enemy casts => Counterspell" in table_lines(
        t.store.table()
    )
    assert (
        "    locked  Bo: action shoot or else hide; reaction, by default: the first opportunity attack"
        in table_lines(t.store.table())
    )
    assert not any("shoot" in line for line in table_lines(t.store.table(viewer_of("Lia"))))
    t.do("next", "next")
    assert (
        "    now     Orc: nothing; reaction, by default: the first opportunity attack  [not written]"
        in table_lines(t.store.table())
    )


def test_cha_21_an_order_without_a_reaction_says_what_holds_instead() -> None:
    t = fight(TWO, "order Bo ready=shoot", "lock missing=empty")
    found = {o["who"]: o["default"] for o in t.state()["orders"]}
    assert found == {
        "Ana": {},
        "Bo": {"reaction": "the first opportunity attack, giving up the readied action"},
        "Orc": {"reaction": "the first opportunity attack"},
    }
    assert any(
        "reaction, by default: the first opportunity attack" in line for line in table_lines(t.store.table())
    )
    assert [o["who"] for o in t.state("Lia")["orders"]] == [
        o["who"] for o in t.state("Lia")["orders"] if o["who"] == "Ana"
    ]
    t.do("roll", dice=[18, 12, 6])
    t.do("ok", "next", "react Orc")
    assert {o["who"]: o["default"] for o in t.state()["orders"]}["Orc"] == {}
