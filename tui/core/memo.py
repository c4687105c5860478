"""Answers remembered by the identity of what was asked, because plain payloads are not hashable."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import Any, TypeVar

R = TypeVar("R")


def remember(question: Callable[..., R], slots: int = 4) -> Callable[..., R]:
    """The same pure question, answered from memory while the very same objects are asked about.

    Holds the last few arguments alive, and nothing else.
    """
    known: list[tuple[tuple[Any, ...], R]] = []

    @wraps(question)
    def ask(*args: Any) -> R:
        for asked, answer in known:
            if len(asked) == len(args) and all(map(is_, asked, args)):
                return answer
        answer = question(*args)
        known.insert(0, (args, answer))
        del known[slots:]
        return answer

    return ask
