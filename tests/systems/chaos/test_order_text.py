"""Orders as text, forms, the lock, late comers and rows that change (CHA-4, CHA-5, CHA-8, rulings)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.systems.chaos.order_text import check_order, read_reaction, split_alternative


@pytest.mark.parametrize(
    ("order", "errors", "warnings"),
    [
        (dict.fromkeys(("movement", "action", "bonus", "object"), "a or else b"), [], []),
        ({"action": "a OR  ELSE b or else c"}, ["action: more than one 'or else'"], []),
        ({"action": "attack or else readies: shoot or else Dodge"}, [], []),
        ({"action": "readies: shoot or else Dodge or else hide"}, ["action: more than one 'or else'"], []),
        ({"ready": "if it comes, bite or else Dodge"}, [], []),
        ({"action": "strike or else."}, [], ["action: 'or else' needs an instruction before and after it"]),
        ({"ready": "or else run"}, [], ["ready: 'or else' needs an instruction before and after it"]),
        ({"action": "strike, or else ready an arrow"}, [], []),
        ({"ready": "a or else b or else c"}, ["ready: more than one 'or else'"], []),
        ({"action": "ready an attack when it comes"}, [], []),
        ({"action": "whenever hurt, drink or else readies: bite if it "
        "comes"}, [], ["action: reads like a condition"]),
        ({"movement": "unless blocked, west"}, [], ["movement: reads like a condition"]),
        ({"action": "Divine Smite on a hit, triggered by none"}, [], []),
        ({"action": "a different whentower, iffy"}, [], []),
        ({"reaction": "hit => Shield or else Dodge"}, [], [("reaction: takes no 'or else'; use it "
        "in another part")]),
        ({"reaction": "if hit => Shield", "reaction2": "when seen -> hide"}, [], []),
        ({"reaction2": "Shield"}, ["reaction2: no trigger"], []),
        ({"reaction": "hit =>"}, ["reaction: nothing to do"], []),
        ({"maintain": "yes"}, ["maintain: no readied action from last round"], []),
        ({"maintain": "yes", "ready": "bite"}, ["maintain: no readied action from last round"],
            ["maintain: takes the reaction that the new readied action needs in this round"]),
        ({}, [], ["nothing is ordered"]),
    ],
)  # fmt: skip
def test_cha_4_cha_5_cha_a3_cha_a4_and_cha_a6_what_is_refused_and_what_the_gm_looks_at(
    order: dict[str, str], errors: list[str], warnings: list[str]
) -> None:
    found = check_order(order, has_readied=False)
    assert [fault.text for fault in found.errors] == errors
    assert list(found.warnings) == warnings


@given(
    st.lists(st.sampled_from(["move", "attack it", "or else", "Or Else,", ";", "west"]), max_size=9).map(
        " ".join
    )
)
def test_cha_5_an_order_is_refused_exactly_for_a_second_alternative(text: str) -> None:
    assert bool(check_order({"action": text}, has_readied=False).errors) is (
        text.lower().count("or else") > 1
    )
    primary, other = split_alternative(text)
    assert "or else" not in primary.lower()
    assert ("or else" in text.lower()) or not other


@pytest.mark.parametrize("arrow", ["=>", "->", "\N{RIGHTWARDS ARROW}", "\N{RIGHTWARDS DOUBLE ARROW}"])
def test_cha_7_a_reaction_is_taken_apart_at_its_arrow(arrow: str) -> None:
    assert read_reaction(f" hit {arrow} Shield ").trigger == "hit"
    assert read_reaction(f" hit {arrow} Shield ").what == "Shield"


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
