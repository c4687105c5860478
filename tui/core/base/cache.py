"""Remember the last answers of pure functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
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
    known: list[tuple[tuple[object, ...], R]] = []

    @wraps(question)
    def ask(*args: P.args, **kwargs: P.kwargs) -> R:
        # Calls by keyword are rare and would need a second way to compare.
        if kwargs:
            return question(*args, **kwargs)
        for key, answer in known:
            if len(key) == len(args) and all(map(is_, key, args)):
                return answer
        answer = question(*args, **kwargs)
        # A table by id could name objects that are gone; a list of four entries is searched fast enough.
        known.insert(0, (args, answer))
        del known[MOST_ANSWERS:]
        return answer

    return ask
