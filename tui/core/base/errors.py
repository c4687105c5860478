"""Refusals: a rule, a name or a word says no, and nothing changes."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "unknown_name", "ambiguous", "unknown_word", "bad_value", "not_due", "exists", "not_allowed", "faulty"
]
"""Why a line is refused: nobody is called so, or several are; no such word; a value that cannot be; nothing of the kind
is owed; there is another of that name; the rules say no; the system's own code has a fault. Code asks for this, never for words of the message."""


class RuleError(Exception):
    """A line is refused: what and why in `message`, what would work in `hint`, the clause in `rule`."""

    def __init__(self, message: str, hint: str = "", rule: str = "", kind: Kind = "not_allowed") -> None:
        super().__init__(message)
        self.message = f"{message} ({rule})" if rule else message
        self.hint = hint
        self.rule = rule
        self.kind: Kind = kind

    def __str__(self) -> str:
        """One line."""
        return f"{self.message}; {self.hint}" if self.hint else self.message
