"""Send a seat's lines one after the other, each answered before the next, and keep drafts."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from tui.core.fight.standpoint import Standpoint
from tui.store.seats.inbox import Reply
from tui.ui.players.modes import Mode
from tui.ui.players.panel import SeatNotice


class Post(Protocol):
    """Sends lines and reads the replies."""

    def send(self, line: str, saw: Standpoint) -> int:
        """Send a line; return the number of its reply. Raises OSError."""

    def reply(self) -> Reply:
        """Return the reply with the highest number so far."""

    @property
    def stands(self) -> bool:
        """Whether the seat still exists."""


class Outgoing(Struct, frozen=True):
    """A line to be sent."""

    line: str
    saw: Standpoint
    """The state of the fight that the player saw when writing the line."""
    mode: Mode = None
    """The mode in which the line was written, for a refused line to return to."""
    draft: str = ""
    """The name of the line's draft, "" for none."""


class Sent(Struct, frozen=True):
    """A line that was sent, and the number of its reply."""

    number: int
    going: Outgoing


class LineResult(Struct, frozen=True):
    """The result of a line."""

    notice: SeatNotice
    """The notice to show."""
    mode: Mode = None
    """The mode to return to, None after an accepted line."""
    taken: str = ""
    """The name of the accepted line's draft, which can be deleted; "" for none."""


class Outbox:
    """Lines that wait, the line that was sent last, and the draft of the line that was accepted last."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._sent: Sent | None = None
        self._waiting: list[Outgoing] = []
        self._lately = ""

    @property
    def drafts(self) -> set[str]:
        """The names of the drafts of lines that are not answered, or not yet shown by a page."""
        sent = [self._sent.going] if self._sent else []
        return {self._lately, *(going.draft for going in (*self._waiting, *sent))}

    def new_page(self) -> None:
        """Forget the draft of the accepted line, because a new page shows that line."""
        self._lately = ""

    def empty(self) -> None:
        """Forget all lines that wait or were sent."""
        self._sent, self._waiting = None, []

    def put(self, going: Outgoing) -> LineResult:
        """Send a line, or let it wait for the reply to the line before; return the notice."""
        self._waiting.append(going)
        return self._dispatch() or LineResult(
            SeatNotice("sent as soon as the line before it is answered", "muted")
        )

    def answered(self, reply: Reply) -> LineResult | None:
        """Return the result of the line that was sent last, None if `reply` does not answer it.

        After an accepted line the next one is sent; after a refused line the waiting ones are dropped.
        """
        if not (sent := self._sent) or reply.number < sent.number:
            return None
        self._sent = None
        if reply.number > sent.number:
            return LineResult(SeatNotice("a later line from this seat replaced that one", "warning"))
        match reply.became:
            case "taken":
                self._lately = sent.going.draft
                following = self._dispatch()
                notice = following.notice if following else SeatNotice("taken", "ok")
                return LineResult(notice, following.mode if following else None, sent.going.draft)
            case "waits":
                return self._dispatch() or LineResult(SeatNotice(reply.why, "hint"))
            case _:
                reason = f"{reply.why}; {reply.hint}" if reply.hint else reply.why
                more = "; what you sent after it was left out" if self._waiting else ""
                self._waiting = []
                return LineResult(SeatNotice(f"refused: {reason}{more}", "error"), sent.going.mode)

    def _dispatch(self) -> LineResult | None:
        if self._sent or not self._waiting:
            return None
        going = self._waiting.pop(0)
        try:
            number = self._post.send(going.line, going.saw)
        except OSError as error:
            # Nothing of it is lost: the text returns to where it was written.
            self._waiting = []
            return LineResult(
                SeatNotice(f"not sent: {error.strerror or 'the folder cannot be written'}", "error"),
                going.mode,
            )
        self._sent = Sent(number, going)
        return LineResult(SeatNotice("sent, not answered yet", "muted"))
