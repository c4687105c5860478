"""A seat in lines with a real fight behind it."""

from __future__ import annotations

import io
from pathlib import Path

from tests.kit.seats import Hall
from tui.core.fight.standpoint import Standpoint
from tui.core.fight.viewer import viewer_of
from tui.store.players.publisher import make_page
from tui.store.seats.inbox import Reply
from tui.ui.players.page import PlayerPage, read_page
from tui.ui.players.plain_lines import PlainSeat


class Post:
    """A post that a fight is behind; what is sent is answered only when `answer` is called."""

    stands = True

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.sent: list[str] = []

    def send(self, line: str, saw: Standpoint) -> int:
        self.sent.append(line)
        self.hall.put("Mia", self.hall.letter("Mia", line, saw))
        return self.hall.number

    def reply(self) -> Reply:
        return self.hall.reply("Mia")


def page(hall: Hall) -> PlayerPage | None:
    return read_page(make_page(hall.store, viewer_of("Mia")))


def seated(folder: Path) -> tuple[Hall, Post, PlainSeat, io.StringIO]:
    hall, out = Hall(folder), io.StringIO()
    hall.do("add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9", "begin")
    post = Post(hall)
    return hall, post, PlainSeat(post, out), out
