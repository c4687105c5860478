"""Where a seat's lines go, and where what is half-written is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from tui.core.fight.standpoint import Standpoint
from tui.store.seats.letters import Reply
from tui.ui.table.seat.modes import Mode


class Post(Protocol):
    """Where lines go, and what is answered."""

    def send(self, line: str, saw: Standpoint) -> int:
        """Sends a line; the number under which it is answered. Raises OSError."""

    def reply(self) -> Reply:
        """The latest reply."""

    @property
    def stands(self) -> bool:
        """Whether the seat is still there."""


class DraftBox(Protocol):
    """What is half-written, kept where it survives a dropped line."""

    def load(self) -> Mapping[str, str]:
        """The texts by name."""

    def save(self, name: str, text: str) -> None:
        """Keeps a text; "" forgets it."""


class Outgoing(Struct, frozen=True):
    """A line that is to be sent, with what its player saw; where it was written, and the name of its draft."""

    line: str
    saw: Standpoint
    mode: Mode = None
    draft: str = ""


class Sent(Struct, frozen=True):
    """A line on its way, under its number."""

    number: int
    going: Outgoing
