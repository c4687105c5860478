"""Describe how a verb is written: one record that feeds grammar, completion, help and the manual."""

from __future__ import annotations

import re

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.language.slots import Reading, Slot, Tail, Word
from tui.core.language.tokens import Token, quote


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
        """Return the values of all slots, read from the words behind the verb. Raises RuleError."""
        free = next((i for i, slot in enumerate(self.slots) if isinstance(slot, Tail)), None)
        line = Reading(self.verb, raw, self.usage, free)
        found = {slot.name: slot.read(line) for slot in self.slots}
        line.done()
        return found

    def write(self, action: object) -> str:
        """Return the line that reads as this action."""
        return " ".join(
            [self.verb, *(t for slot in self.slots for t in slot.write(getattr(action, slot.name)))]
        )


COUNT = re.compile(r"[0-9]+|[0-9]*d[0-9]+([+-][0-9]+)?", re.IGNORECASE)
"""A number or dice before the name: how many."""

_MOD = re.compile(r"[+-][0-9]{1,3}")
_AC = re.compile(r"ac(-?[0-9]{1,3})", re.IGNORECASE)
_HP = re.compile(r"[0-9].*|d[0-9].*", re.IGNORECASE)


class NewName(Word, frozen=True):
    """The name of somebody new: a number without quotes is none."""

    def read(self, line: Reading) -> object:
        """Return the name."""
        found = line.words()
        if found and not found[0].quoted and found[0].text[:1].isdigit() and COUNT.fullmatch(found[0].text):
            raise RuleError(f"{line.verb}: {self.label} is missing", f"`{line.verb} {found[0].text} Orc`")
        if len(found) > 1 and not found[0].quoted and _MOD.fullmatch(found[0].text):
            counted = f"{line.verb} {abs(int(found[0].text)) or 1} {quote(found[1].text)}"
            one = f"`{counted}`; a modifier stands behind the name"
            raise RuleError(f"{line.verb}: {found[0].text} is no number of creatures", one)
        return line.take(self.label)

    def write(self, value: object) -> list[str]:
        """Return the name; one that could be a number is in quotes."""
        plain = quote(str(value))
        return [f'"{plain}"' if COUNT.fullmatch(plain) or _MOD.fullmatch(plain) else plain]


class Count(Slot, frozen=True):
    """A number or dice before a name; "" when it is not there."""

    @property
    def usage(self) -> str:
        """How help shows it."""
        return f"[{self.label}]"

    def fits(self, token: Token) -> bool:
        """Return whether this token is such a number."""
        return not token.quoted and bool(COUNT.fullmatch(token.text))

    def read(self, line: Reading) -> object:
        """Return the notation as it is written."""
        found = line.words()
        first = found[0] if len(found) > 1 else None
        # A number alone is the name's place: `add 5` lacks a name and is told so.
        return line.take(self.label) if first and self.fits(first) else ""

    def write(self, value: object) -> list[str]:
        """Return the notation."""
        return [str(value)] if value else []


class Shorthand(Slot, frozen=True):
    """`+MOD`, `HP` and `acAC` behind a name: the modifier is kept, the other two become keys."""

    @property
    def usage(self) -> str:
        """How help shows it."""
        return "[+MOD] [HP] [acAC]"

    def read(self, line: Reading) -> object:
        """Return the modifier as it is written, "" for none."""
        found = ""
        for token in [t for t in line.words() if not t.quoted]:
            # It stays where it stands: dice are rolled key by key, in the order of the line.
            at = line.left.index(token)
            if _MOD.fullmatch(token.text):
                if found:
                    raise RuleError(f"{line.verb}: {found} and {token.text} are two modifiers", line.usage)
                found = token.text
                del line.left[at]
            elif m := _AC.fullmatch(token.text):
                line.left[at] = Token(m[1], "ac", token.end)
            elif _HP.fullmatch(token.text):
                line.left[at] = Token(token.text, "hp", token.end)
        return found

    def write(self, value: object) -> list[str]:
        """Return the modifier."""
        return [str(value)] if value else []
