"""How a verb is written: one record that feeds grammar, wording, completion, help and the manual."""

from __future__ import annotations

from msgspec import Struct

from tui.core.language.reading import Reading
from tui.core.language.slots import Slot, Tail


class Syntax(Struct, frozen=True):
    """A verb: its word, its slots in the order of the line, and what it does in a few words."""

    verb: str
    slots: tuple[Slot, ...]
    help: str

    @property
    def usage(self) -> str:
        """How a line with this verb is written."""
        return " ".join([self.verb, *(slot.usage for slot in self.slots if slot.usage)])

    def read(self, raw: str) -> dict[str, object]:
        """The values of all slots in what stands behind the verb. Raises RuleError."""
        free = next((i for i, slot in enumerate(self.slots) if isinstance(slot, Tail)), None)
        line = Reading(self.verb, raw, self.usage, free)
        found = {slot.name: slot.read(line) for slot in self.slots}
        line.done()
        return found

    def write(self, action: object) -> str:
        """The line that reads as this action."""
        return " ".join(
            [self.verb, *(t for slot in self.slots for t in slot.write(getattr(action, slot.name)))]
        )
