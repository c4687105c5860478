"""Tell a player which accepted lines of the seat were undone, and keep those lines as drafts."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tui.core.base.errors import RuleError
from tui.core.language.tokens import tokens
from tui.core.published_page import ReturnedLine, Seat
from tui.ui.settings.drafts import Drafts

KEPT = "returned"
"""The name of the draft that holds the reported lines, and the numbers of those not read yet."""

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
    redone. The notice names a line until Esc, until a line on the same subject is sent, or, for an order,
    until the order is written.
    """

    def __init__(self, drafts: Drafts) -> None:
        self._drafts = drafts
        self._told, unread = _read_kept(drafts.load().get(KEPT, ""))
        self._unread: dict[int, Mapping[str, str] | None] = dict.fromkeys(unread)
        self._undone = ""
        self._sent = set[str]()

    def sent(self, line: str) -> None:
        """Handle that a line is sent from this seat: only orders of other creatures stay unread."""
        self._sent.add(about(line))
        self._keep(n for n in self._unread if _who(self._told[n]) and about(self._told[n]) != about(line))

    def news(self, seat: Seat, orders: Mapping[str, Mapping[str, str]], undone: str) -> str:
        """Take over the page's undone lines; return a notice of redone lines, "" for none.

        `orders` are the texts of the orders that are written, `undone` says what was undone.
        """
        told = self._told
        now = {x.number: x.line for x in seat.returned}
        ended = [line for number, line in told.items() if number not in now]
        # A line that was sent again from here replaces the undone one: that is not a redo.
        resent = [line for line in ended if self._withdraw(line) or about(line) not in self._sent]
        for x in seat.returned:
            if x.number not in told:
                self._sent.discard(about(x.line))
                self._place(x)
                self._unread[x.number] = orders.get(_who(x.line))
                self._undone = undone
        self._told, self._undone = now, self._undone or undone
        # An order that is written now answers the notice, unless it is the one before the undone order.
        left = [n for n, was in self._unread.items() if n in now and orders.get(_who(now[n]), was) == was]
        if told != now or len(left) < len(self._unread):
            self._keep(left)
        return f"it counts again: {', '.join(_list_names(resent))}" if resent else ""

    def text(self, writable: Collection[str] | None) -> str:
        """Return the notice about undone lines, "" if all were read.

        `writable` are the names whose orders can be written now, None while something is being written.
        """
        if not self._unread:
            return ""
        unread = [self._told[n] for n in self._unread]
        drafts = [name for name, text in map(draft_of, unread) if text]
        names = _list_names(unread)
        many = "no longer counts" if len(names) == 1 else "no longer count"
        draft = f"; {'it' if len(names) == 1 else 'what was written'} is a draft again" if drafts else ""
        notice = f"{', '.join(names)} {many}: {self._undone}{draft}"
        if writable is None:
            return notice
        keys = ["o opens it"] if any(x.removeprefix(ORDER) in writable for x in drafts) else []
        if LINE_DRAFT in drafts and not keys:
            keys = [": opens it"]
        return f"{notice} ({', '.join([*keys, 'Esc closes this'])})"

    def drafts(self) -> set[tuple[str, str]]:
        """Return name and text of the drafts in `text`."""
        return {draft_of(self._told[n]) for n in self._unread}

    def dismiss(self) -> None:
        """Mark the undone lines as read; their drafts stay."""
        self._keep(())

    def _keep(self, unread: Iterable[int]) -> None:
        """Let only these lines be unread, and save."""
        self._unread = {n: self._unread[n] for n in unread}
        state = {"told": {str(n): line for n, line in self._told.items()}, "unread": [*self._unread]}
        self._drafts.save(KEPT, json.dumps(state, ensure_ascii=False) if self._told else "")

    def first_line(self, begun: str = "") -> str:
        """Return the first draft of a typed line that begins with `begun`, "" for none, as `LINE_DRAFT`.

        Another draft that had this name gets a further one.
        """
        lines = {x: text for x, text in self._drafts.load().items() if text and x.startswith(LINE_DRAFT)}
        found = min((x for x, text in lines.items() if text.startswith(begun)), key=_place, default="")
        if found != LINE_DRAFT:
            if first := lines.get(LINE_DRAFT):
                free = next(n for n in range(len(lines) + 1) if f"{MORE_LINES}{n}" not in lines)
                self._drafts.save(f"{MORE_LINES}{free}", first)
            self._drafts.save(LINE_DRAFT, lines.get(found, ""))
            if found:
                self._drafts.save(found, "")
        return lines.get(found, "")

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


def _place(name: str) -> tuple[int, str]:
    """Return the key that sorts drafts of lines by their numbers."""
    return len(name), name


def _read_kept(text: str) -> tuple[dict[int, str], list[int]]:
    """Return the lines in such a draft by number, and which are unread; both empty if it cannot be read."""
    try:
        state: dict[str, Any] = json.loads(text) if text else {"told": {}, "unread": []}
        told = {int(number): str(line) for number, line in state["told"].items()}
        return told, [n for n in state["unread"] if n in told]
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return {}, []


def _who(line: str) -> str:
    """Return whose order a line writes, "" for another line."""
    name, _ = draft_of(line)
    return name.removeprefix(ORDER) if name != LINE_DRAFT else ""


def named(line: str) -> str:
    """Return a line as a message names it: in quotes, an order without its words, which may be secret."""
    return f"the order of {who}" if (who := _who(line)) else f'"{line}"'


def _list_names(lines: Iterable[str]) -> list[str]:
    """Return lines as messages name them, each once."""
    return list(dict.fromkeys(map(named, lines)))


def about(line: str) -> str:
    """Return the first two words of a line in lower case, such as `order ana`."""
    return " ".join(line.lower().split(" ")[:2])
