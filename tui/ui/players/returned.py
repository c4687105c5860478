"""Tell a player which accepted lines of the seat were undone, and keep those lines as drafts."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

from tui.core.base.errors import RuleError
from tui.core.language.tokens import tokens
from tui.core.published_page import ReturnedLine, Seat
from tui.ui.settings.drafts import Drafts

KEPT = "returned"
"""The name of the draft that holds the reported lines, and up to which number they were read."""

LINE_DRAFT = "line"
MORE_LINES = LINE_DRAFT + " "
"""The beginning of the names of further line drafts, before a number; `:` opens these one by one."""
ORDER = "order "
"""The beginning of the name of an order's draft, before the creature's name."""


def draft_of(line: str) -> tuple[str, str]:
    """Return name and text of the draft of a sent line: of an order the form's texts, else the whole line.

    The text of a single word such as `next` is "".
    """
    verb, _, rest = line.partition(" ")
    if not rest:
        return LINE_DRAFT, ""
    try:
        parts = tokens(rest)
    except RuleError:
        parts = []
    texts = {x.key: x.text for x in parts if x.key}
    if verb.lower() != ORDER.strip() or not parts or parts[0].key or "again" in texts:
        return LINE_DRAFT, line
    return ORDER + parts[0].text, json.dumps(texts, ensure_ascii=False) if texts else ""


class ReturnedDrafts:
    """The undone lines that were reported to this player; kept in the seat's drafts for the next start.

    Each line becomes a draft if nothing else is written there, and the draft is removed if the line is
    redone.
    """

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts
        self._told, self._read = _kept(drafts.load().get(KEPT, ""))
        self._seat = Seat()
        self._sent = set[str]()

    def sent(self, line: str) -> None:
        """Handle that a line is sent from this seat: the lines reported so far count as read."""
        self._sent.add(about(line))
        self.dismiss()

    def news(self, seat: Seat) -> str:
        """Take over the page's undone lines; return a notice of redone lines, "" for none."""
        told, self._seat = self._told, seat
        now = {x.number: x.line for x in seat.returned}
        ended = [line for number, line in told.items() if number not in now]
        # A line that was sent again from here replaces the undone one: that is not a redo.
        resent = [line for line in ended if self._withdraw(line) or about(line) not in self._sent]
        for x in seat.returned:
            if x.number not in told:
                self._sent.discard(about(x.line))
                self._place(x)
        if told != now:
            self._told = now
            self._save()
        return f"it counts again: {', '.join(_names(resent))}" if resent else ""

    def text(self, writable: Collection[str]) -> str:
        """Return the notice about undone lines, "" if all were dismissed.

        `writable` are the names whose orders can be written now.
        """
        unread = self._unread()
        if not unread:
            return ""
        who = "a step was undone" if self._seat.gmless else "the game master undid a step"
        drafts = [name for name, text in map(draft_of, unread) if text]
        names = _names(unread)
        many = "no longer counts" if len(names) == 1 else "no longer count"
        if drafts:
            many += ", and is a draft again" if len(names) == 1 else "; what was written is a draft again"
        keys = ["o opens it"] if any(x.removeprefix(ORDER) in writable for x in drafts) else []
        if LINE_DRAFT in drafts and not keys:
            keys = [": opens it"]
        told = ", ".join([*keys, "Esc keeps it for later" if drafts else "Esc closes this"])
        return f"{who}: {', '.join(names)} {many} ({told})"

    def drafts(self) -> set[str]:
        """Return the names of the drafts in `text`."""
        return {draft_of(line)[0] for line in self._unread()}

    def _unread(self) -> list[str]:
        return [x.line for x in self._seat.returned if x.number > self._read]

    def dismiss(self) -> None:
        """Mark the undone lines as read; their drafts stay."""
        if (last := max(self._told, default=0)) > self._read:
            self._read = last
            self._save()

    def first_line(self) -> str:
        """Return the draft of a typed line; if there is none, the next further one moves to its place."""
        drafts = self._drafts.load()
        more = sorted((x for x in drafts if x.startswith(MORE_LINES)), key=lambda x: (len(x), x))
        if not drafts.get(LINE_DRAFT) and more:
            self._drafts.save(LINE_DRAFT, drafts[more[0]])
            self._drafts.save(more[0], "")
        return self._drafts.load().get(LINE_DRAFT, "")

    def _place(self, x: ReturnedLine) -> None:
        name, text = draft_of(x.line)
        drafts = self._drafts.load()
        # Newer text is not overwritten: the whole line then waits as a typed one.
        if drafts.get(name) and drafts[name] != text:
            name, text = LINE_DRAFT, x.line
        if name == LINE_DRAFT and drafts.get(name) not in (None, "", text):
            name = f"{MORE_LINES}{x.number}"
        if text and not drafts.get(name):
            self._drafts.save(name, text)

    def _withdraw(self, line: str) -> bool:
        """Delete the drafts that still hold this line; return whether there was one."""
        drafts, found = self._drafts.load(), False
        more = [(name, line) for name in drafts if name.startswith(MORE_LINES)]
        for name, text in (draft_of(line), (LINE_DRAFT, line), *more):
            if text and drafts.get(name) == text:
                self._drafts.save(name, "")
                found = True
        return found

    def _save(self) -> None:
        state = {"read": self._read, "told": {str(number): line for number, line in self._told.items()}}
        self._drafts.save(KEPT, json.dumps(state, ensure_ascii=False))


def _kept(text: str) -> tuple[dict[int, str], int]:
    try:
        state: dict[str, Any] = json.loads(text) if text else {"told": {}, "read": 0}
        return {int(number): str(line) for number, line in state["told"].items()}, int(state["read"])
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return {}, 0


def named(line: str) -> str:
    """Return a line as a message names it: an order without its words, which may be secret."""
    name, _ = draft_of(line)
    return f"the order of {name.removeprefix(ORDER)}" if name != LINE_DRAFT else line


def _names(lines: Iterable[str]) -> list[str]:
    """Return lines as messages name them, each once."""
    return list(dict.fromkeys(map(named, lines)))


def about(line: str) -> str:
    """Return the first two words of a line in lower case, such as `order ana`."""
    return " ".join(line.lower().split(" ")[:2])
