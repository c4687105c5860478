"""One line being typed, and where the cursor stands in it."""

from __future__ import annotations

from msgspec import Struct

from tui.core.base.text import LONGEST_LINE, clusters, cut

NEAR = 64
"""Code points beside the cursor that are cut into clusters, so that a key costs the same in any text."""


class Editor(Struct, frozen=True):
    """`text` with the cursor before its character number `at`; `0 <= at <= len(text) <= LONGEST_LINE`."""

    text: str = ""
    at: int = 0

    @classmethod
    def of(cls, text: str) -> Editor:
        """This text with the cursor behind it."""
        text = cut(text, LONGEST_LINE)
        return cls(text, len(text))

    @property
    def room(self) -> int:
        """How many more code points it holds."""
        return LONGEST_LINE - len(self.text)

    def insert(self, text: str) -> Editor:
        """Types something; what has no room is left out."""
        text = cut(text, self.room) if len(text) > self.room else text
        return Editor(self.text[: self.at] + text + self.text[self.at :], self.at + len(text))

    def press(self, key: str) -> Editor | None:
        """What an editing key does; None when it is none."""
        match key:
            case "backspace":
                return self._erase(self._left(), self.at)
            case "delete" | "ctrl+d":
                return self._erase(self.at, self._right())
            case "ctrl+w":
                return self._erase(self._word(), self.at)
            case "ctrl+u":
                return self._erase(0, self.at)
            case "ctrl+k":
                return self._erase(self.at, len(self.text))
            case _:
                return self._moved(key)

    def _moved(self, key: str) -> Editor | None:
        match key:
            case "left":
                return Editor(self.text, self._left())
            case "right":
                return Editor(self.text, self._right())
            case "home":
                return Editor(self.text, 0)
            case "end" | "ctrl+e":
                return Editor.of(self.text)
            case _:
                return None

    def _erase(self, start: int, end: int) -> Editor:
        return Editor(self.text[:start] + self.text[end:], start)

    def _left(self) -> int:
        start = max(0, self.at - NEAR)
        # A window that begins inside a run of flags would pair its letters the wrong way.
        while start and _is_half_a_flag(self.text[start]):
            start -= 1
        before = clusters(self.text[start : self.at])
        return self.at - len(before[-1]) if before else 0

    def _right(self) -> int:
        after = clusters(self.text[self.at : self.at + NEAR])
        return self.at + len(after[0]) if after else self.at

    def _word(self) -> int:
        start = self.text[: self.at].rstrip()
        return start.rfind(" ") + 1


def _is_half_a_flag(letter: str) -> bool:
    """Whether a letter is half a flag: which two of a run belong together is known only from its beginning."""
    return "\U0001f1e6" <= letter <= "\U0001f1ff"
