"""The help as it is searched: what is explained, and which entries hold the letters."""

from __future__ import annotations

from msgspec import Struct


class Explained(Struct, frozen=True):
    """An entry of the help: the part it is in, what it explains, and how; `also` are other words for it."""

    part: str
    head: str
    text: str
    also: str = ""


class Manual(Struct, frozen=True):
    """The help: letters search keys, words and rules at once. `at` is the entry under the cursor, of those shown."""

    entries: tuple[Explained, ...]
    typed: str = ""
    at: int = 0

    @property
    def shown(self) -> tuple[Explained, ...]:
        """The entries that hold all that was typed; of each part those first whose head does."""
        words = self.typed.lower().split()
        if not words:
            return self.entries
        found = [e for e in self.entries if all(w in f"{e.head} {e.text} {e.also}".lower() for w in words)]
        places = {part: place for place, part in enumerate(dict.fromkeys(e.part for e in self.entries))}
        asked = " ".join(words)
        named = {e.part for e in found if e.head.lower() == asked}

        def order(e: Explained) -> tuple[bool, int, bool, bool]:
            head = e.head.lower()
            return e.part not in named, places[e.part], head != asked, not any(w in head for w in words)

        return tuple(sorted(found, key=order))
