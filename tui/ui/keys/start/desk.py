"""The start screen: keys go in, fights open, pictures come out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from tui.core.base.text import clean
from tui.store.saves import NAME_CAP
from tui.ui.keys.start import asking, home
from tui.ui.keys.start.base import StartBase
from tui.ui.panes.start import screen
from tui.ui.state.layout import Box, Part
from tui.ui.state.press import Press
from tui.ui.state.rows import Row
from tui.ui.state.start.scene import Asked, Refusal
from tui.ui.state.view import Page


class StartDesk(StartBase):
    """The start screen."""

    def press(self, press: Press) -> None:
        """One key."""
        press = press.settled
        self.show(notice=None)
        match self.view.mode:
            case None:
                home.press(self, press)
            case Asked() as asked:
                asking.typing(self, asked, press)
            case Refusal() as refusal:
                asking.answer(self, refusal, press)
            case Page() as reading:
                asking.read(self, reading, press)
            case never:
                assert_never(never)

    def rest(self) -> bool:
        """Nothing waits for the keys to rest."""
        return False

    def paste(self, text: str) -> None:
        """Pasted text goes into a name or a filter; elsewhere it is not taken for keys."""
        if isinstance(self.view.mode, Asked):
            # A name is short: what is beyond it is not even cleaned, so that the next key need not wait.
            asking.insert(self, self.view.mode, clean(text[: 4 * NAME_CAP], NAME_CAP + 1))
        else:
            self.say("pasted text is not taken for keys", "hint")

    def boxes(self, width: int, height: int) -> dict[Part, Box]:
        """Where everything stands."""
        return screen.boxes(width, height)

    def draw(self, boxes: Mapping[Part, Box]) -> dict[Part, list[Row]]:
        """The rows of every part that has a box."""
        return screen.draw(self.scene, boxes)

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        """The column and line at which something is typed or chosen."""
        return screen.place(self.scene, boxes, drawn)
