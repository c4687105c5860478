"""What is remembered is asked once for the very same objects, for a few of them, and never wrongly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tui.core.base import cache
from tui.core.base.cache import SLOTS, canonical, remembered, remembered_each, remembered_once

Question = Callable[..., list[object]]


def counting() -> tuple[Question, list[tuple[object, ...]]]:
    """A question that answers with a new list, and the list of what it was asked."""
    asked: list[tuple[object, ...]] = []

    def question(*args: object, **kwargs: object) -> list[object]:
        asked.append((*args, *kwargs.values()))
        return [*args]

    return question, asked


def things(many: int) -> list[list[int]]:
    return [[n] for n in range(many)]


def test_the_very_same_objects_are_answered_from_memory_and_equal_ones_are_not() -> None:
    question, asked = counting()
    ask, one = remembered(question), [1]
    first = ask(one)
    assert ask(one) is first
    assert ask([1]) is not first
    assert ask(one, one) == [one, one]
    assert ask(one) is first
    assert len(asked) == 3


@pytest.mark.parametrize(("decorator", "slots"), [(remembered, SLOTS), (remembered_once, 1)])
def test_the_last_few_are_remembered_and_no_more(
    decorator: Callable[[Question], Question], slots: int
) -> None:
    question, asked = counting()
    ask, some = decorator(question), things(slots + 1)
    for x in some[:slots]:
        ask(x)
    for x in some[:slots]:
        ask(x)
    assert len(asked) == slots
    ask(some[slots])
    ask(some[0])
    assert len(asked) == slots + 2, "the first has made room for the last"


def test_what_is_asked_by_keyword_is_asked_every_time() -> None:
    question, asked = counting()
    for decorated in (remembered(question), remembered_once(question), remembered_each(question)):
        asked.clear()
        one = "x"
        assert decorated(one, key=2) == [one]
        assert decorated(one, key=2) == [one]
        assert asked == [("x", 2)] * 2


def test_the_last_answer_for_each_name_is_kept_while_its_arguments_are_equal() -> None:
    question, asked = counting()
    ask = remembered_each(question)
    first = ask("c1", [1])
    assert ask("c2", [1]) == ["c2", [1]]
    assert ask("c1", [1]) is first
    assert len(asked) == 2
    assert ask("c1", [2]) == ["c1", [2]]
    assert ask("c1", [1]) is not first
    assert len(asked) == 4


def test_names_beyond_the_most_begin_a_new_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_NAMES", 3)
    question, asked = counting()
    ask = remembered_each(question)
    for name in ("a", "b", "c", "a", "b", "c"):
        ask(name)
    assert len(asked) == 3
    for name in ("d", "d", "a"):
        ask(name)
    assert len(asked) == 5


def test_an_answer_that_is_equal_to_one_of_the_last_few_is_that_very_object() -> None:
    made = canonical(lambda n: [n])
    firsts = [made(n) for n in range(SLOTS)]
    assert all(made(n) is first for n, first in enumerate(firsts))
    made(SLOTS)
    assert made(1) is firsts[1]
    assert made(0) is not firsts[0]
    assert made(0) == [0]
