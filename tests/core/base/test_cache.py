"""What is remembered is asked once for the very same objects, for a few of them, and never wrongly."""

from __future__ import annotations

from collections.abc import Callable

from tui.core.base.cache import SLOTS, canonical, remembered

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


def test_an_answer_that_is_equal_to_one_of_the_last_few_is_that_very_object() -> None:
    made = canonical(lambda n: [n])
    firsts = [made(n) for n in range(SLOTS)]
    assert all(made(n) is first for n, first in enumerate(firsts))
    made(SLOTS)
    assert made(1) is firsts[1]
    assert made(0) is not firsts[0]
    assert made(0) == [0]
