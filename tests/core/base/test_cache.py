"""What is remembered is asked once for the very same objects, for a few of them, and never wrongly."""

from __future__ import annotations

from collections.abc import Callable

from tui.core.base.cache import remember_results

Question = Callable[..., list[object]]


def counting() -> tuple[Question, list[tuple[object, ...]]]:
    """A question that answers with a new list, and the list of what it was asked."""
    asked: list[tuple[object, ...]] = []

    def question(*args: object, **kwargs: object) -> list[object]:
        asked.append((*args, *kwargs.values()))
        return [*args]

    return question, asked


def test_the_very_same_objects_are_answered_from_memory_and_equal_ones_are_not() -> None:
    question, asked = counting()
    ask, one = remember_results(question), [1]
    first = ask(one)
    assert ask(one) is first
    assert ask([1]) is not first
    assert ask(one, one) == [one, one]
    assert ask(one) is first
    assert len(asked) == 3
