"""Put a mutant into a running process: exchange the function's code and keep all references to it."""

from __future__ import annotations

import gc
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType

Change = tuple[CodeType, CodeType]
"""The code of an outermost function without the mistake and with it."""


def functions(code: CodeType) -> list[CodeType]:
    """The outermost functions of a module and of its classes, in the order of the text."""
    found: list[CodeType] = []
    for one in code.co_consts:
        if isinstance(one, CodeType):
            found += [one] if one.co_flags & CO_OPTIMIZED else functions(one)
    return found


def change_of(was: CodeType, now: CodeType) -> Change | None:
    """Return the only function of a module that differs; None if the module must be loaded again."""
    before, after = functions(was), functions(now)
    differing = [(a, b) for a, b in zip(before, after, strict=False) if a != b]
    if len(before) != len(after) or len(differing) != 1 or _hollow(was) != _hollow(now):
        return None
    [(old, new)] = differing
    return (old, new) if old.co_freevars == new.co_freevars else None


def _hollow(code: CodeType) -> CodeType:
    """A module's or a class's code without its functions."""
    kept = [
        one if not isinstance(one, CodeType) else None if one.co_flags & CO_OPTIMIZED else _hollow(one)
        for one in code.co_consts
    ]
    return code.replace(co_consts=tuple(kept))


class Living:
    """All functions that a process has loaded, by their code."""

    def __init__(self) -> None:
        self._by_code: dict[tuple[str, CodeType], list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                self._by_code.setdefault((one.__code__.co_filename, one.__code__), []).append(one)

    def exchange(self, change: Change) -> None:
        """Make the mistake, also in the file, from which a test may load modules while it runs."""
        was, now = change
        for one in self._by_code.get((was.co_filename, was), ()):
            one.__code__ = now
