"""Define what a screen may ask of a system beside its rules; a system can be played without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.core.fight.agenda import Choice, Field, FormAsk, Preview, Sentence
from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem


class OnScreen:
    """The optional part of a system that helps to read and to write lines; every answer is pure.

    A system that has it is a subclass of both: `class Chess(InitiativeSystem, OnScreen)`.
    """

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:  # noqa: ARG002
        """Return what else Now must mention: limits of who acts, a procedure that would fit."""
        return ()

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:  # noqa: ARG002
        """Return the lines that one of the system's verbs could mean now, for a screen that lists them."""
        return ()

    def form(self, e: Encounter, verb: str) -> tuple[Field, ...]:  # noqa: ARG002
        """Return what a screen asks for before it sends one of the system's own verbs; empty: nothing."""
        return ()

    def lines(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:  # noqa: ARG002
        """Return the lines that a filled form of a verb stands for, each a step. Raises RuleError."""
        return (verb,)

    def beside(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> Mapping[str, str]:  # noqa: ARG002
        """Return words for the fields of a verb's half-filled form, and for the rows of its lists, by key."""
        return {}

    def instead(self, e: Encounter, verb: str, keys: Sequence[str]) -> str:  # noqa: ARG002
        """Return the line that a screen begins for `verb`, with `{who}`, `{n}`, `{rest}`; "" for its own."""
        return ""

    def preview(self, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:  # noqa: ARG002
        """Return what a half-filled form of an entry would mean."""
        return Preview()

    def order_fields(self, e: Encounter, key: str) -> tuple[Field, ...]:  # noqa: ARG002
        """Return the form in which an entry's order can still be rewritten; empty if it cannot."""
        return ()

    def asked_first(self, e: Encounter) -> tuple[FormAsk, ...]:  # noqa: ARG002
        """Return the forms that are not owed, but come before all that is."""
        return ()


_NOTHING = OnScreen()


def on_screen(system: InitiativeSystem) -> OnScreen:
    """Return what a screen may ask of a system; the defaults for one that says nothing."""
    return system if isinstance(system, OnScreen) else _NOTHING
