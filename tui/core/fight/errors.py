"""Refusals: a rule, a name or a word says no, and nothing changes."""

from __future__ import annotations


class RuleError(Exception):
    """A line is refused: what and why in `message`, what would work in `hint`, the clause in `rule`."""

    def __init__(self, message: str, hint: str = "", rule: str = "") -> None:
        super().__init__(message)
        self.message = f"{message} ({rule})" if rule else message
        self.hint = hint
        self.rule = rule

    def __str__(self) -> str:
        """One line."""
        return f"{self.message}; {self.hint}" if self.hint else self.message
