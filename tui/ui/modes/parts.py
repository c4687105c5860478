"""A question whose answer has parts, each with a letter that changes it."""

from __future__ import annotations

from typing import ClassVar

from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.panes.orders import Listing, list_rows
from tui.ui.state.mode import Where
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row, cells, pad


class PartsQuestion(KeyMode, frozen=True):
    """A question over the whole width: a row for each part, with its letter, its value and a note."""

    is_modal: ClassVar[bool] = True

    @property
    def where(self) -> Where:
        """The place on the screen: the whole width."""
        return "sheet"

    def title(self, scene: Scene) -> str:
        """Return the title."""
        raise NotImplementedError

    def parts(self, scene: Scene) -> list[tuple[str, str, str, str]]:
        """Return the key, the part, its value and a note for each row."""
        raise NotImplementedError

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the question can use."""
        del width
        return len(self.parts(scene)) + 1

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title and a row for each part."""
        parts = self.parts(scene)
        wide = max(cells(value) for _, _, value, _ in parts)
        rows: list[Row] = [
            (
                (f" {key:<2} ", "key"),
                (f"{part:<10}", "text"),
                (pad(value, wide), "title"),
                (f"  {note}", "hint"),
            )
            for key, part, value, note in parts
        ]
        return list_rows(scene, Listing(self.title(scene), rows), box)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        letters = [(key, part) for key, part, *_ in self.parts(scene) if key]
        return (("Enter", "take"), *letters, ("Esc", "back"))
