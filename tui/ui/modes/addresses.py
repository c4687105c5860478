"""The addresses of the pages for players, one at a time with its QR code."""

from __future__ import annotations

from itertools import zip_longest
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.state.scene import Scene
from tui.ui.text.press import STEPS, Press
from tui.ui.text.rows import Box, Row, cells, frame_title, pad_rows, span, title_row, wrap_text

TITLE = "Pages for players"


class Address(Struct, frozen=True):
    """The address of one viewer's page."""

    name: str
    url: str
    code: tuple[str, ...] = ()
    """The rows of its QR code; none if the terminal cannot show it."""


class AddressPage(KeyMode, frozen=True):
    """A list of addresses, of which one is shown with its QR code."""

    covers: ClassVar[Literal["panes", "all"]] = "all"
    HINTS: ClassVar[Hints] = (("j/k", "another player"), ("Esc", "back"))

    addresses: tuple[Address, ...]
    facts: tuple[str, ...] = ()
    at: int = 0

    @property
    def current(self) -> Address:
        """The address that is shown."""
        return self.addresses[self.at]

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key: arrows, j and k show another address."""
        if by := STEPS.get(key.name):
            at = max(0, min(len(self.addresses) - 1, self.at + by))
            desk.show(mode=replace(self, at=at))
        elif key.key in ("escape", "enter", "ctrl+c") or key.name == "q":
            desk.dismiss()
        else:
            self.press_unused(desk, key, "Esc goes back")

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the page can use."""
        del scene, width
        return len(self.current.code) + 1

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title, and below it the QR code beside names, address and remarks."""
        code = self.current.code if len(self.current.code) < box.height else ()
        wide = max(map(cells, code), default=0) + 1
        beside = self._beside(max(20, box.width - wide - 2))
        room = box.height - 1
        # The current name stays in sight, and so does what comes after the names.
        first = max(0, min(self.at - 2, len(beside) - room))
        lines = zip_longest(code, beside[first : first + room])
        title = frame_title(scene.glyphs, TITLE)
        place = span(self.at, 1, len(self.addresses), scene.glyphs)
        head = title_row(scene.glyphs, (title, "focus"), box.width, place)
        body = [((f" {mark or ''}".ljust(wide + 1), "text"), *(row or ())) for mark, row in lines]
        return pad_rows([head, *body], box.height)

    def _beside(self, width: int) -> list[Row]:
        """Return the names, the current one with its address, and the facts."""
        rows: list[Row] = []
        for address in self.addresses:
            if address is not self.current:
                rows.append(((f"  {address.name}", "text"),))
                continue
            starts = range(0, len(address.url), width - 2)
            url = [address.url[start : start + width - 2] for start in starts]
            rows += [(("> ", "key"), (address.name, "title")), *(((f"  {part}", "key"),) for part in url)]
        for fact in self.facts:
            rows += [(), *(((part, "hint"),) for part in wrap_text(fact, width))]
        return rows
