from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import actions
from tui.core.fight.errors import RuleError
from tui.core.fight.text import clean
from tui.core.language import actions as a
from tui.core.language.grammar import parse, usage, verbs
from tui.core.language.wording import words

OWN = {"meet"}


@given(actions)
def test_an_action_reads_as_the_line_it_writes(action: a.Action) -> None:
    assert parse(words(action), OWN) == action


@given(st.text(max_size=200))
def test_any_text_is_an_action_or_one_clear_line(text: str) -> None:
    line = clean(text)
    try:
        action = parse(line, OWN)
    except RuleError as error:
        told = str(error)
    else:
        assert parse(words(action), OWN) == action
        return
    assert told
    assert told.isprintable()


def test_every_verb_says_how_it_is_written() -> None:
    for verb in verbs():
        assert usage(verb).split()[0].rstrip("|") == verb


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("frobnicate", "unknown word"),
        ("damge Orc 3", "did you mean damage?"),
        ('damage "Orc 1', "never closed"),
        ("damage Orc", "N is missing"),
        ("damage Orc 3 4", "one word too many"),
        ("roll Orc five", "whole number"),
        ("next now", "one word too many"),
        ("lock missing=all", "empty"),
        ("order Bo weapon=1 weapon=2", "stands twice"),
        ("goto -1", "from 0"),
        ("undo 0", "at least 1"),
        ("move A beside B", "before or after"),
        ("condition A B until=noon", "start or end"),
        ("pick", "a name is missing"),
        ("", "empty line"),
    ],
)
def test_wrong_words_are_refused_in_one_line(line: str, says: str) -> None:
    with pytest.raises(RuleError) as refused:
        parse(line)
    assert says in str(refused.value)
