"""What the rules of the dungeon say of themselves: rows, forms, the word for what comes next."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.systems.dungeon.meetings import crypt, won
from tui.core.rules.on_screen import on_screen
from tui.systems import Registry
from tui.systems.dungeon.notes import list_slots


@given(st.integers(0, 20), st.integers(1, 9))
def test_every_key_has_a_place_in_the_sentence_or_is_counted(keys: int, most: int) -> None:
    text = list_slots(["c1"] * keys, most)
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


def test_the_rules_by_sides_know_nothing_of_the_track() -> None:
    told = Registry().get("dungeon-universalis").clauses
    assert not [clause for clause in told if clause.startswith("TRK")]
