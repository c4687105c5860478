"""What stands behind a verb: its words and keys, taken one after the other."""

from __future__ import annotations

from itertools import islice

from tui.core.fight.errors import RuleError
from tui.core.language.tokens import Token, quote, scan, table


class Reading:
    """The words and keys behind a verb, taken one after the other.

    `most`: how many tokens there are before a free text; None for none. Raises RuleError for an open quote.
    """

    def __init__(self, verb: str, raw: str, usage: str, most: int | None = None) -> None:
        self.verb, self.usage = verb, usage
        # No further than needed: a free text behind may hold quotes that never close.
        self.left: list[Token] = list(islice(scan(raw), most))
        self.tail = raw[self.left[-1].end if self.left else 0 :].strip() if most is not None else ""

    def words(self) -> list[Token]:
        """The words that nobody has taken yet."""
        return [t for t in self.left if not t.key]

    def take(self, label: str) -> str:
        """The next word. Raises RuleError when none is left, or nothing stands between its quotes."""
        found = self.words()
        if not found or not found[0].text:
            raise RuleError(f"{self.verb}: {label} is missing", self.usage)
        self.left.remove(found[0])
        return found[0].text

    def rest(self) -> list[str]:
        """All words that are left."""
        found = self.words()
        self.left = [t for t in self.left if t.key]
        return [t.text for t in found]

    def keys(self) -> dict[str, str]:
        """All `key=value` that are left, in the order of the line. Raises RuleError for one that stands twice."""
        found = table(self.left, self.verb)
        self.left = self.words()
        return found

    def key(self, name: str) -> str:
        """One key's value; "" when it is not there."""
        found = table(self.left, self.verb).get(name, "")
        self.left = [t for t in self.left if t.key != name]
        return found

    def done(self) -> None:
        """Raises RuleError when anything is left over."""
        if not self.left:
            return
        first = self.left[0]
        if first.key:
            raise RuleError(f"{self.verb} has no key {first.key}=", self.usage)
        hint = f'{self.usage}; a name of two words takes quotes, "Orc 1"' if " " in self.usage else self.usage
        raise RuleError(f"{self.verb}: one word too many, {quote(first.text)}", hint)
