"""Every word that stands on a row is explained, each in one sentence."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.rules.system import InitiativeSystem
from tui.core.table_lines import ROW_STATES, table_lines
from tui.manual.glossary import COMMON_WORDS, glossary
from tui.systems import Registry
from tui.ui.modes.texts import manual
from tui.ui.state.commands import COMMANDS
from tui.ui.text.glyphs import STATES

SYSTEMS = [Registry().get(name) for name in Registry().ids()]


@pytest.fixture(params=SYSTEMS, ids=lambda s: s.id)
def rules(request: pytest.FixtureRequest) -> InitiativeSystem:
    found: InitiativeSystem = request.param
    return found


def test_every_word_on_a_row_is_explained(rules: InitiativeSystem) -> None:
    """States of rows, and the marks that the running system gives."""
    shown = {state.word for state in STATES.values() if state.word}
    shown |= {mark.short.removeprefix("!") for mark in rules.all_marks.values() if mark.short}
    assert shown - set(glossary(rules)) == set()


def test_a_meaning_is_one_sentence_that_fits_two_lines(rules: InitiativeSystem) -> None:
    for word, means in glossary(rules).items():
        assert means[0].isupper(), word
        assert means.endswith("."), word
        assert ". " not in means, word
        assert len(means) <= 110, (word, len(means))


def test_words_stand_in_alphabetical_order_and_a_systems_own_meaning_wins(rules: InitiativeSystem) -> None:
    found = glossary(rules)
    assert list(found) == sorted(found, key=str.lower)
    assert list(COMMON_WORDS) == sorted(COMMON_WORDS, key=str.lower)
    assert found == {**COMMON_WORDS, **rules.glossary}
    assert 30 <= len(found) <= 70


def test_the_help_has_every_word(rules: InitiativeSystem) -> None:
    told = {(e.head, e.text) for e in manual(COMMANDS, rules)}
    assert [w for w, means in glossary(rules).items() if (w, means) not in told] == []


def test_text_without_a_screen_says_states_in_the_same_words() -> None:
    assert {word for word in ROW_STATES.values() if word != "waits"} <= {s.word for s in STATES.values()}
    t = Table("chaos")
    t.do("add Ana", "begin", "order Ana action=run", "lock")
    t.do("roll", dice=[9])
    t.do("ok", "add Bo")
    told = "\n".join(table_lines(t.store.table()))
    assert "sits out Bo" in told
    assert "barred" not in told
