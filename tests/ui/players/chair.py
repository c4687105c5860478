"""A seat at the keyboard with a real fight and no terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from tests.kit.seats import Hall
from tui.core.fight.standpoint import Standpoint
from tui.core.fight.viewer import viewer_of
from tui.store.players.page_reader import PageReader, PageStatus
from tui.store.players.publisher import make_page
from tui.store.seats.inbox import Reply
from tui.systems import Registry
from tui.ui.players.page import FrameState
from tui.ui.players.player_loop import Loop
from tui.ui.players.seating import Seating
from tui.ui.players.viewer import Taste
from tui.ui.settings.drafts import Drafts
from tui.ui.text.glyphs import UNICODE, glyphs_for_screen_reader
from tui.ui.text.palette import Palette
from tui.ui.text.rows import words

WIDTH, HEIGHT = 60, 20


class Chair(Drafts):
    """Mia's seat at a fight: its eye, its post, its drafts and its loop in one."""

    def __init__(self, hall: Hall, drafts: dict[str, str] | None = None) -> None:
        self.hall, self.drafts, self.stands, self.loop = hall, {} if drafts is None else drafts, True, _Loop()
        self.full = self.deaf = False
        self.sent: list[str] = []
        look = FrameState(save="duel", viewer="Mia", glyphs=glyphs_for_screen_reader(UNICODE))
        taste = Taste((cast("Palette", None),))
        self.seating = Seating(
            cast("PageReader", _Eye(hall)),
            cast("Loop", self.loop),
            look,
            taste,
            self,
            self,
            Registry().reader,
        )
        self.seating.news()

    def send(self, line: str, saw: Standpoint) -> int:
        self.sent.append(line)
        if self.full:
            raise OSError(28, "No space left on device")
        if self.deaf:
            return 10**14
        self.hall.put("Mia", self.hall.letter("Mia", line, saw))
        self.hall.intake.look()
        return self.hall.number

    def reply(self) -> Reply:
        return self.hall.reply("Mia")

    def load(self) -> dict[str, str]:
        return self.drafts

    def save(self, name: str, text: str) -> None:
        self.drafts[name] = text

    def press(self, *keys: str) -> list[str]:
        """Presses keys; what is shown then."""
        for key in keys:
            self.seating.press(key)
            self.seating.news()
        self.seating.news()
        return [words(row) for row in self.seating.rows(WIDTH, HEIGHT)]

    def type(self, text: str) -> list[str]:
        return self.press(*("space" if letter == " " else letter for letter in text))

    def send_order(self, text: str) -> list[str]:
        """Writes a movement and sends it."""
        self.press("o")
        self.type(text)
        return self.press("enter")

    @property
    def pointed(self) -> str:
        """What stands at the terminal's cursor, and behind it in its row."""
        rows = [words(row) for row in self.seating.rows(WIDTH, HEIGHT)]
        x, y = self.seating.point() or (-1, -1)
        return rows[y][x:]


class _Eye:
    def __init__(self, hall: Hall) -> None:
        self.hall, self.seen = hall, b""

    def look(self) -> PageStatus:
        before, self.seen = self.seen, make_page(self.hall.store, viewer_of("Mia"))
        return PageStatus("written", None if before == self.seen else self.seen)


class _Loop:
    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []
        self.asked: list[str] = []

    def later(self, _delay: float, call: Callable[[], None]) -> None:
        self.calls.append(call)

    def __getattr__(self, name: str) -> object:
        return lambda *_: self.asked.append(name)
