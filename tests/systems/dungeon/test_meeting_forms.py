"""The forms of `meet` and `place`: their fields, the words beside them, and the line that they stand for."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tests.systems.dungeon.meetings import crypt, won
from tui.core.base.errors import RuleError
from tui.core.rules.on_screen import on_screen


def room() -> Table:
    """Return a room of three Orcs before it is revealed: two of one group, one hidden; Bo is acting."""
    return crypt('group "Orc 1,Orc 2" Gobs', 'set "Orc 1" distance=3', 'hide "Orc 3"', "turn Bo")


def fields(t: Table, verb: str) -> dict[str, tuple[object, ...]]:
    """Return title, default, choices and list of each field of a form."""
    return {
        f.key: (f.title, f.default, f.choices, f.row)
        for f in on_screen(t.store.system).form(t.encounter, verb)
    }


def line(t: Table, verb: str, **texts: str) -> str:
    """Return the one line that a filled form stands for."""
    (found,) = on_screen(t.store.system).lines(t.encounter, verb, texts)
    return found


def test_dun_10_the_form_of_a_meeting_ticks_who_is_seen_and_names_who_acts() -> None:
    t = room()
    assert fields(t, "meet") == {
        "hero": ("who finds them", "Bo", ("Ana", "Bo"), ""),
        "door": ("door", False, (), ""),
        "who": ("who is there", "c3,c4", ("c3", "c4", "c5"), ""),
        "rolls": ("rolls", "", ("c3", "c4", "c5"), "who"),
        "c3": ("Orc 1", 3, (), "who"),
        "c4": ("Orc 2", "", (), "who"),
        "c5": ("Orc 3", "", (), "who"),
    }
    t.do("hide @dark")
    assert fields(t, "meet")["who"] == ("who is there", "c3,c4,c5", ("c3", "c4", "c5"), "")


def test_dun_9_the_form_of_a_placement_ticks_a_single_entry_and_measures_several_heroes() -> None:
    t = room()
    assert fields(t, "place") == {
        "who": ("who appears", "", ("c3", "c4", "c5"), ""),
        "c3": ("Orc 1", 3, (), "who"),
        "c4": ("Orc 2", "", (), "who"),
        "c5": ("Orc 3", "", (), "who"),
        "vs": ("against", "", ("Ana", "Bo"), ""),
        "c1": ("squares to Ana", "", (), ""),
        "c2": ("squares to Bo", "", (), ""),
    }
    t.do("remove Bo", 'out "Orc 2"', "group @dark Gobs")
    assert fields(t, "place") == {
        "who": ("who appears", "c3,c5", ("c3", "c5"), ""),
        "c3": ("Orc 1", 3, (), "who"),
        "c5": ("Orc 3", "", (), "who"),
        "vs": ("against", "", ("Ana",), ""),
    }


@pytest.mark.parametrize(
    ("verb", "texts", "typed"),
    [
        ("meet", {"who": "c3,c4,c5", "hero": "Ana", "c3": "3"}, "meet Ana"),
        ("meet", {"who": "c3,c4,c5", "hero": "Ana", "c3": ""}, 'meet Ana distance="Orc 1:"'),
        ("meet", {"who": "c5,c4", "hero": "Bo", "c3": "3"}, 'meet Bo with="Orc 2,Orc 3"'),
        ("meet", {"who": "c3,c4", "c3": "3", "c4": "07"}, 'meet "" with=Gobs distance="Orc 2:7"'),
        (
            "meet",
            {"who": "c3", "hero": "Ana", "rolls": "c3", "door": "true", "c3": "4"},
            'meet Ana vs "Orc 1" with="Orc 1" door=broken distance="Orc 1:4"',
        ),
        ("place", {"who": "c3,c4", "c3": "3"}, "place Gobs"),
        ("place", {"who": "c4,c5", "c3": "3", "c1": "1"}, 'place "Orc 2" "Orc 3" distance=Ana:1'),
        ("place", {"who": "c3", "vs": "Bo", "c3": "2"}, 'place "Orc 1" vs Bo distance="Orc 1:2"'),
    ],
)
def test_dun_6_a_filled_form_is_one_line_with_what_has_changed(
    verb: str, texts: dict[str, str], typed: str
) -> None:
    assert line(room(), verb, **texts) == typed


@pytest.mark.parametrize("verb", ["meet", "place"])
def test_dun_9_a_form_without_a_tick_is_refused(verb: str) -> None:
    t = room()
    with pytest.raises(RuleError) as refusal:
        line(t, verb, c3="3")
    assert (refusal.value.message, refusal.value.hint) == (
        f"{verb}: no creature is ticked",
        "Space in the list ticks a creature",
    )


def test_dun_9_a_group_that_lost_a_member_is_still_named_as_a_whole() -> None:
    t = crypt('out "Orc 2"', "group @dark Gobs")
    assert line(t, "place", who="c3,c5") == "place Gobs"
    assert line(t, "place", who="c3") == 'place "Orc 1"'


def test_dun_19_beside_each_enemy_stands_what_decides_whether_it_is_caught() -> None:
    t = room()

    def beside(verb: str, **texts: str) -> list[str]:
        found = on_screen(t.store.system).beside(t.encounter, verb, texts)
        assert all(words.startswith("Perception 3") for words in found.values())
        return [words.removeprefix("Perception 3") for words in found.values()]

    far = ", beyond 6: cannot be caught"
    assert beside("meet", rolls="c4", c3="7", c4="6", c5="x") == [far, ", rolls", ", hidden"]
    assert beside("meet", c3="7", door="true") == ["", "", ", hidden"]
    assert beside("place", c3="7") == ["", "", ", hidden"]
    t = won("add 2 Wolf per=3")
    assert beside("meet", c6="7") == ["", ""]


def test_dun_10_after_a_combat_those_who_were_seen_may_be_met_again_but_not_placed() -> None:
    t = won("calm")
    assert fields(t, "meet")["who"] == ("who is there", "c3,c4,c5", ("c3", "c4", "c5"), "")
    assert fields(t, "place") == {}
    assert line(t, "meet", who="c3,c4,c5", hero="Ana") == "meet Ana"
    assert list(on_screen(t.store.system).beside(t.encounter, "meet", {})) == ["c3", "c4", "c5"]
    assert on_screen(t.store.system).beside(t.encounter, "place", {}) == {}
