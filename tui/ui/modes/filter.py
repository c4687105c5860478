"""The filter: while a text is typed, only rows that contain it are shown."""

from __future__ import annotations

from typing import ClassVar

from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints
from tui.ui.modes.prompt import Prompt
from tui.ui.state.scene import Scene
from tui.ui.state.view import PromptKind
from tui.ui.text.editor import Editor
from tui.ui.text.press import Press

CHOOSE = ("Up/Down", "choose")


class FilterPrompt(Prompt, frozen=True):
    """The text by which rows are filtered."""

    kind: PromptKind = "filter"
    PASTES: ClassVar[bool] = False
    FINDS: ClassVar[bool] = False
    SIGN: ClassVar[str] = "/"

    def hints(self, scene: Scene) -> Hints:
        """Return the hints; on the start screen Enter also opens the row."""
        return (CHOOSE, ("Enter", "take" if scene.home else "keep"), ("Esc", "clear"))

    def now(self, scene: Scene, act: str) -> None:
        """Return None, because the Now line stays useful: it is about the rows that are still shown."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if key.key in ("up", "down"):
            desk.submit(key.key)
            desk.show(mode=self)
        elif key.key not in ("tab", "shift+tab", "ctrl+x"):
            Prompt.press(self, desk, key)

    def type(self, desk: BaseDesk, editor: Editor) -> None:
        """Apply the edited text as a filter at once."""
        Prompt.type(self, desk, editor)
        desk.show(filter=editor.text)

    def close(self, desk: BaseDesk) -> None:
        """Close the filter and show all rows again."""
        desk.show(mode=None, filter="")

    def send(self, desk: BaseDesk) -> None:
        """Close the filter and keep it; on the start screen, open the row in focus."""
        desk.show(mode=None, filter=self.editor.text.strip())
        if desk.scene.home:
            desk.submit("go")
