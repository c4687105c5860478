"""Remember the last answers of pure functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MOST_ANSWERS = 4
"""How many calls each decorated function remembers. A line asks about the encounter before it, the one after
it, and those of its draft in between.
"""


def remember_results(question: Callable[P, R]) -> Callable[P, R]:
    """Decorate a pure function so that a call with the same argument objects returns the remembered result.

    Arguments are compared by identity, because plain data is not hashable. The last MOST_ANSWERS calls are
    kept with their arguments; a call with keyword arguments is never kept. At most ten functions of the
    program are decorated, each because of the time that it saves in a fight of the design size.
    """
    known: dict[tuple[int, ...], tuple[tuple[object, ...], R]] = {}

    @wraps(question)
    def ask(*args: P.args, **kwargs: P.kwargs) -> R:
        # Calls by keyword are rare and would need a second way to compare.
        if kwargs:
            return question(*args, **kwargs)
        key = tuple(map(id, args))
        if found := known.get(key):
            return found[1]
        answer = question(*args, **kwargs)
        # With its arguments, whose ids are then used for nothing else.
        known[key] = args, answer
        if len(known) > MOST_ANSWERS:
            del known[next(iter(known))]
        return answer

    return ask
