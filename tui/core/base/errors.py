"""Refusals: a line is refused, and nothing changes."""

from __future__ import annotations

from typing import Literal

ErrorKind = Literal[
    "unknown_name", "ambiguous", "unknown_word", "bad_value", "not_due", "exists", "not_allowed", "faulty",
    "elsewhere", "busy", "bad_name",
]  # fmt: skip
"""The reason why a line is refused, for code that must not depend on the message."""


class RuleError(Exception):
    """The error that refuses a line, and with it every change.

    `reason` says what is wrong; `message` does too, and ends with the clause `rule` in parentheses if there
    is one; `hint` says what would work, "" for nothing.
    """

    def __init__(self, message: str, hint: str = "", rule: str = "", kind: ErrorKind = "not_allowed") -> None:
        super().__init__(message)
        self.reason = message
        self.hint = hint
        self.rule = rule
        self.kind: ErrorKind = kind

    @property
    def message(self) -> str:
        """The reason, and behind it the clause in parentheses if there is one."""
        return f"{self.reason} ({self.rule})" if self.rule else self.reason

    def __str__(self) -> str:
        """Return the message on one line, followed by `; ` and the hint if there is one."""
        return f"{self.message}; {self.hint}" if self.hint else self.message
