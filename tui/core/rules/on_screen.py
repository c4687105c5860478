"""Define the questions that a screen may ask of a system besides its rules; a system can do without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.core.fight.agenda import Choice, Field, FormAsk, Preview, Sentence
from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem


class OnScreen:
    """The questions that a screen may ask of a system besides its rules; every answer is pure.

    A system that answers them is a subclass of both: `class Chess(InitiativeSystem, OnScreen)`.
    """

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:  # noqa: ARG002
        """Return further sentences for the Now line, such as limits of the acting creature."""
        return ()

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:  # noqa: ARG002
        """Return the whole lines that one of the system's verbs could begin now, for a list on the screen."""
        return ()

    def form(self, e: Encounter, verb: str) -> tuple[Field, ...]:  # noqa: ARG002
        """Return the fields that a screen asks for before it sends a verb of the system; none: no form."""
        return ()

    def lines(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:  # noqa: ARG002
        """Return the lines that a filled form stands for, each a step. Raises RuleError."""
        return (verb,)

    def beside(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> Mapping[str, str]:  # noqa: ARG002
        """Return texts to show beside the fields and list rows of a half-filled form, by key."""
        return {}

    def instead(self, e: Encounter, verb: str, keys: Sequence[str]) -> str:  # noqa: ARG002
        """Return the line that a screen begins for `verb`; "" for the usual one.

        `{who}`, `{n}` and `{rest}` stand for what the user types.
        """
        return ""

    def preview(self, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:  # noqa: ARG002
        """Return the errors, warnings and notes for a half-filled order of an entry."""
        return Preview()

    def order_fields(self, e: Encounter, key: str) -> tuple[Field, ...]:  # noqa: ARG002
        """Return the form in which an entry's order can still be rewritten; none if it cannot."""
        return ()

    def asked_first(self, e: Encounter) -> tuple[FormAsk, ...]:  # noqa: ARG002
        """Return forms that are not owed but are shown before the owed ones."""
        return ()


_NOTHING = OnScreen()


def on_screen(system: InitiativeSystem) -> OnScreen:
    """Return the system as `OnScreen`; the defaults if it is not one."""
    return system if isinstance(system, OnScreen) else _NOTHING
