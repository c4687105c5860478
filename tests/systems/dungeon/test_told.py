"""What the rules of the dungeon say of themselves: rows, forms, the word for what comes next."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.systems.dungeon.test_gaps import pair
from tests.systems.dungeon.test_track_clauses import tracked
from tests.systems.dungeon.test_universalis_clauses import crypt, lost, said, won
from tests.table import Table
from tui.core.rules.on_screen import on_screen
from tui.systems import Registry
from tui.systems.dungeon.notes import several


@given(st.integers(0, 20), st.integers(1, 9))
def test_every_key_has_a_place_in_the_sentence_or_is_counted(keys: int, most: int) -> None:
    text = several(["c1"] * keys, most)
    places = [int(x) for x in re.findall(r"\{(\d+)\}", text)]
    assert places == list(range(min(keys, most)))
    more = re.search(r" and (\d+) more$", text)
    assert len(places) + (int(more[1]) if more else 0) == keys


def fields(t: Table, verb: str) -> dict[str, object]:
    return {f.key: f.default for f in on_screen(t.store.system).form(t.encounter, verb)}


def test_dun_9_and_dun_10_a_form_is_there_when_two_sides_are_and_the_fight_runs() -> None:
    assert fields(crypt(), "meet") == {
        "hero": "Ana",
        "door": False,
        "who": "c3,c4,c5",
        "rolls": "",
        "c3": "",
        "c4": "",
        "c5": "",
    }
    assert fields(crypt("out Ana", "out Bo"), "meet") == {}
    assert fields(crypt("out @dark"), "meet") == {}
    assert fields(won("add Rat"), "place") == {"who": "c6", "c6": "", "vs": "", "c1": "", "c2": ""}
    assert fields(crypt(), "calm") == {}
    waiting = Table("dungeon-universalis")
    waiting.do("add Ana kind=pc", "add Orc")
    assert fields(waiting, "meet") == {}


def test_dun_9_before_a_meeting_the_words_for_one_are_said() -> None:
    words = 'enemies in sight: `meet Ana`; a card: `place "Orc 1"`'
    assert words in crypt().state()["now"]
    assert words not in won().state()["now"]


def test_dun_9_a_meeting_needs_enemies_in_reserve() -> None:
    t = crypt('remove "Orc *"')
    assert "no enemy waits in reserve: `add 3 Orc`" in t.state()["now"]
    t.do("add 3 Orc")
    assert "`meet Ana`" in t.state()["now"]


def test_dun_25_a_line_that_brings_a_hero_back_can_be_typed() -> None:
    t = crypt("out Ana", "out Bo")
    assert "no hero is left: `back Ana`" in t.state()["now"]
    t.do("remove Ana,Bo")
    assert "`add Ana side=heroes`" in t.state()["now"]


def test_dun_10_a_creature_discovers_the_heroes() -> None:
    assert "Orc 1 discovers the heroes: an opposed roll" in said(crypt(), 'meet "Orc 1"')
    assert "Ana discovers enemies: an opposed roll" in said(crypt(), "meet Ana")


def test_dun_15_only_the_row_that_waits_says_that_it_goes_on() -> None:
    t = pair("turn Bo", "add Wolf", "place Wolf vs Ana", "roll Ana 1 2", "roll Wolf 6 6", "turn Wolf")
    assert [r["entry"] for r in t.state()["track"] if "goes on after the newcomers" in r["why"]] == ["Bo"]


def test_dun_24_the_dark_players_turn_is_the_moment_for_a_card_until_it_is_over() -> None:
    t = lost("out @dark")
    assert "moment to play a card" in t.state()["offer"]["why"]
    t = lost()
    t.do("end")
    assert t.state()["offer"]["why"] == "The Dark Player's turn is over"


def test_trk_8_only_the_row_that_was_moved_says_so() -> None:
    t = tracked("move Rat before Orcs")
    assert [r["entry"] for r in t.state()["track"] if "by hand" in r["why"]] == ["Rat"]


def test_the_rules_by_sides_know_nothing_of_the_track() -> None:
    told = Registry().get("dungeon-universalis").clauses
    assert not [clause for clause in told if clause.startswith("TRK")]
