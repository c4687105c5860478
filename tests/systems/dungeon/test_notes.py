"""What the rules of the dungeon say of themselves: rows, forms, the word for what comes next."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tui.core.fight.agenda import list_slots
from tui.systems import Registry


@given(st.integers(0, 20), st.integers(1, 9))
def test_every_key_has_a_place_in_the_sentence_or_is_counted(keys: int, most: int) -> None:
    text = list_slots(["c1"] * keys, most)
    places = [int(x) for x in re.findall(r"\{(\d+)\}", text)]
    assert places == list(range(min(keys, most)))
    more = re.search(r" and (\d+) more$", text)
    assert len(places) + (int(more[1]) if more else 0) == keys


def test_the_rules_by_sides_know_nothing_of_the_track() -> None:
    told = Registry().get("dungeon-universalis").clauses
    assert not [clause for clause in told if clause.startswith("TRK")]
