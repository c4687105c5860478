"""A creature's card: kept with it, in lines, once a step in the journal, the game master's alone."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT, clean_page
from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.language.creature_actions import Add
from tui.core.rules.decide import Rules, draft
from tui.systems import Registry

CARD = "Goblin\n\nScimitar. +4 to hit.\nNimble Escape."


@given(st.text(max_size=300))
def test_a_page_that_was_cleaned_is_clean(text: str) -> None:
    page = clean_page(text)
    assert clean_page(page) == page
    assert all(c == "\n" or c.isprintable() for c in page)
    assert "\n\n\n" not in page
    assert page == page.strip()


@given(st.text(max_size=300), st.integers(1, 40))
def test_a_page_is_cut_where_it_is_too_long(text: str, limit: int) -> None:
    assert len(clean_page(text, limit)) <= limit


@given(st.lists(st.sampled_from(["", "  ", "a", "b  c"])))
def test_of_blank_lines_between_lines_one_is_kept(lines: list[str]) -> None:
    page = clean_page("\n".join(lines))
    assert [x for x in page.split("\n") if x] == [" ".join(x.split()) for x in lines if x.strip()]
    assert "\n\n\n" not in page


def test_a_long_line_of_a_page_is_not_cut_before_the_page_is() -> None:
    assert clean_page("a" * PAGE_LIMIT) == "a" * PAGE_LIMIT


def test_a_card_keeps_its_lines_and_stands_once_in_the_journal() -> None:
    add = Add("Goblin", "6", keys={"hp": "7", "card": CARD})
    d = draft(Encounter(), add, Rules(Registry(), Table("classic").dice))
    people = d.encounter.combatants.values()
    assert [c.card for c in people] == [CARD] * 6
    assert msgspec.json.encode(d.events).count(b"Scimitar") == 1


def test_a_card_too_long_is_refused_and_nothing_is_cut_in_silence() -> None:
    add = Add("Orc", "", keys={"card": "x" * (PAGE_LIMIT + 1)})
    table = Table("classic")
    with pytest.raises(RuleError) as refused:
        draft(table.encounter, add, Rules(Registry(), table.dice))
    assert str(PAGE_LIMIT) in refused.value.hint


def test_a_journal_of_cards_reads_back() -> None:
    event = ev.Carded(("c1", "c2"), CARD, quiet=True)
    assert msgspec.json.decode(msgspec.json.encode(event), type=ev.Event) == event
