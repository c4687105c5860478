"""A menu: items to choose one from, in the order pane, or over all panes and narrowed by typing."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import force_setattr, replace

from tui.core.fight.agenda import Act
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.panes.keyed import key_row
from tui.ui.panes.now import GOES_BACK
from tui.ui.panes.orders import USUAL_WIDTH, Listing, list_rows
from tui.ui.state.layout import right_of
from tui.ui.state.mode import Asks, Where
from tui.ui.state.moment import choices
from tui.ui.state.scene import Scene
from tui.ui.text.menu import ITEM_WIDTH, Choices, Item, choice_rows
from tui.ui.text.palette import Role
from tui.ui.text.press import DIGITS, Press
from tui.ui.text.rows import Box, Row, cells, clip, column, limit_rows, wrap_text

MOST_LETTERS = 100
"""The most characters that narrow a menu."""
SEARCH_HINTS: Hints = (
    ("letters", "narrow"),
    ("Up/Down", "choose"),
    ("Enter", "take"),
    ("ctrl+u", "all of it"),
    ("Esc", "back"),
)


class Menu(Choices, KeyMode, frozen=True):
    """A menu of items, in the order pane."""

    narrow: bool = False
    """Whether the menu covers the panes and is narrowed by typing."""
    is_wide: bool = False
    """Whether a row is too long for the order pane; known from the items."""
    is_modal: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Measure the rows once: 200 of them, measured by each of a frame's panes, took a quarter of it."""
        force_setattr(self, "is_wide", _row_width(self) > right_of(USUAL_WIDTH))

    @property
    def where(self) -> Where:
        """The place on the screen: menus with long rows take the whole width."""
        if self.narrow:
            return "over"
        return "sheet" if self.is_wide else "beside"

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        shown = self.visible_items
        # In a menu that is narrowed by typing every character is text.
        by_key = next((i for i in shown if i.key and i.key == key.name and not self.narrow), None)
        match key.key:
            case "escape" | "ctrl+c":
                desk.dismiss()
            case "enter":
                if shown:
                    _take(desk, shown[self.highlighted])
            case "backspace":
                desk.show(mode=replace(self, search=self.search[:-1], at=0))
            case "ctrl+u" if self.narrow:
                desk.show(mode=replace(self, search="", at=0))
            case _ if self.typed and key.char and key.char in DIGITS and (named := self.named(key.char)):
                desk.show(mode=named)
            case _ if self.typed not in ("", *"jkgG") and key.char and key.char in DIGITS:
                # After letters a digit belongs to a name, and must not take a row.
                desk.notify(f"no name begins with {self.typed}{key.char}", "hint")
            case _ if by_key:
                _take(desk, by_key)
            case _ if self.narrow and key.char:
                desk.show(mode=replace(self, search=(self.search + key.char)[:MOST_LETTERS], at=0))
            case _ if menu := self.press_key(key):
                desk.show(mode=menu)
            case _:
                desk.notify("Enter takes, Esc goes back", "hint")

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the menu can use."""
        del scene, width
        return len(self.rows_of_kin) + 1

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the items around the one in focus."""
        if self.narrow:
            return _draw_finder(scene, self, box)
        gives = f"gives up: {self.current_price}" if len(self.prices) > 1 else ""
        # A menu of full width has room for longer titles.
        most = ITEM_WIDTH if self.where == "beside" else 2 * ITEM_WIDTH
        items = choice_rows(self, scene.glyphs, most)
        return list_rows(scene, Listing(self.title, items, self.at, more=self.search or gives), box)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        del scene
        if self.narrow:
            return SEARCH_HINTS
        turns = (("Left/Right", "changes it"),) if any(i.kin for i in self.items) else ()
        gives = (("Tab", "gives up"),) if len(self.prices) > 1 else ()
        return (("j/k", "choose"), ("Enter", "take"), *turns, *gives, ("Esc", "back"))

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return the title and what Enter takes; None in a fight, whose turn stays in sight."""
        del act
        if scene.encounter.running or not self.visible_items:
            return None
        item = self.visible_items[self.highlighted]
        return Asks(self.title, key_row("Enter", item.label or item.text), (key_row("Esc", GOES_BACK),))

    def outcome(self, scene: Scene) -> tuple[str, str]:
        """Return the preview of the item in focus, and what Esc does; "" twice in a menu over the panes."""
        del scene
        if self.narrow or not self.visible_items:
            return "", ""
        item = self.visible_items[self.highlighted]
        return item.preview, item.left or GOES_BACK


class OfferMenu(Menu, frozen=True):
    """A menu of the acts on offer."""

    acts: tuple[Act, ...] = ()

    def overtaken(self, desk: BaseDesk) -> str:
        """Close if somebody else has taken an act."""
        if choices(desk.scene) == self.acts:
            return ""
        desk.dismiss()
        return "the choice has been made"


def _take(desk: BaseDesk, item: Item) -> None:
    desk.dismiss()
    if item.opens:
        desk.open_prompt(item.line)
    elif item.line:
        desk.submit(item.line)


def _row_width(menu: Menu) -> int:
    """Return the width of the longest row of a menu in columns."""
    keyed = max((len(item.key) for item in menu.items), default=0)
    wide = min(ITEM_WIDTH, max((cells(item.text) for item in menu.items if item.note), default=0))
    rows = (max(wide, cells(item.text)) + (cells(item.note) + 2 if item.note else 0) for item in menu.items)
    return 3 + keyed + max(rows, default=0)


PREVIEW_ROWS = 3
"""The most rows for the preview of the item in focus, below an empty row."""

PREVIEW_HEIGHT = 6
"""The height in rows from which the preview is shown."""

LINE_WIDTH = 26
"""The most columns for command lines."""


def _draw_finder(scene: Scene, menu: Menu, box: Box) -> list[Row]:
    """Return a menu over the panes: the title, the items around the one in focus, and its preview."""
    shown, ellipsis = menu.visible_items, scene.glyphs.ellipsis
    at = min(menu.at, len(shown) - 1)
    beneath = _finder_preview(shown[at], box, ellipsis) if shown else []
    wide = min(LINE_WIDTH, max((cells(i.label or i.line) for i in shown), default=0), box.width // 3)
    keyed = max((cells(i.key) for i in shown), default=0)
    rows = [
        ((scene.glyphs.cursor if n == at else " ", "focus"), *_item(i, keyed, wide, ellipsis, on=n == at))
        for n, i in enumerate(shown)
    ]
    more = ("best first" if menu.search else "") if shown else "nothing matches"
    listing = Listing(f"{menu.title}: {menu.search}_", rows, max(0, at), more=more)
    return [*list_rows(scene, listing, replace(box, height=box.height - len(beneath))), *beneath]


def _item(item: Item, keyed: int, wide: int, ellipsis: str, *, on: bool) -> Row:
    role: Role = "muted" if item.why_not else "title" if on else "text"
    return (
        (" ", "text"),
        column(item.key, keyed, "key", ellipsis),
        column(item.label or item.line, wide, role, ellipsis),
        (f" now {item.note} " if item.note else "", "hint"),
        (f" {item.text}", "muted" if item.why_not else "text"),
        (f"  not now: {item.why_not}" if item.why_not else "", "warning"),
    )


def _finder_preview(item: Item, box: Box, ellipsis: str) -> list[Row]:
    """Return why an item cannot be picked, else its preview, after an empty row; [] if room is short."""
    text = f"Not now: {item.why_not}" if item.why_not else item.preview
    if not text or box.height < PREVIEW_HEIGHT:
        return []
    role: Role = "warning" if item.why_not else "hint"
    rows = limit_rows(wrap_text(text, box.width - 4), PREVIEW_ROWS)
    return [(), *(clip(((f"   {row}", role),), box.width, ellipsis) for row in rows)]
