"""Two prompts about rows: aiming at the row of a character, and filtering them by a text."""

from __future__ import annotations

from typing import ClassVar

from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints
from tui.ui.modes.prompt import Prompt
from tui.ui.state.layout import content
from tui.ui.state.scene import Scene, assign_letters, current, rows_pane
from tui.ui.state.view import PromptKind
from tui.ui.text.editor import Editor
from tui.ui.text.press import Press


class AimPrompt(Prompt, frozen=True):
    """Moves the cursor to the row of a typed character; a count typed before becomes damage to that row."""

    kind: PromptKind = "aim"
    FINDS: ClassVar[bool] = False
    SIGN: ClassVar[str] = "-"

    @property
    def aims(self) -> bool:
        """Whether every row shows its character."""
        return True

    def is_empty(self) -> bool:
        """Return True, because Enter only closes the prompt."""
        return True

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if key.char:
            self._aim_at(desk, key.char)
        else:
            Prompt.press(self, desk, key)

    def _aim_at(self, desk: BaseDesk, char: str) -> None:
        """Go to the row of this character; if an amount was typed, deal it as damage to that row."""
        scene = desk.scene
        rows = {letter: key for key, letter in assign_letters(scene).items()}
        key = rows.get(char)
        if key is None:
            desk.say(f"no row has the letter {char}; Esc goes back", "warning")
            return
        pane = rows_pane(scene)
        desk.show(mode=None, focus=pane, roster="" if content(pane) == "entries" else key)
        if content(pane) == "entries":
            desk.show(track=key)
        if self.editor.text:
            desk.show(count=self.editor.text)
            desk.submit("command damage")
            desk.show(count="")

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Ignore pasted text, and return False."""
        del desk, text, typed
        return False

    def hints(self, scene: Scene) -> Hints:
        """Return the hints, which say what a typed character does."""
        del scene
        does = f"take {self.editor.text} off their row" if self.editor.text else "go to their row"
        return (("letters", does), ("Esc", "back"))


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
        """Apply the edited text as a filter at once, and go to the row that it finds."""
        before = current(desk.scene)
        Prompt.type(self, desk, editor)
        desk.show(filter=editor.text)
        if (at := current(desk.scene)) not in ("", before):
            desk.go_to_row(at)

    def close(self, desk: BaseDesk) -> None:
        """Close the filter and show all rows again; the cursor stays on the row that was found."""
        desk.show(mode=None, filter="")

    def send(self, desk: BaseDesk) -> None:
        """Close the filter and keep it; on the start screen, open the row in focus."""
        desk.show(mode=None, filter=self.editor.text.strip())
        if desk.scene.home:
            desk.submit("go")
