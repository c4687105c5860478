"""The prompt for the name of a fight: a new one, a copy, or a renamed one."""

from __future__ import annotations

from typing import ClassVar, Self

from msgspec.structs import replace

from tui.core.language.tokens import quote
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints
from tui.ui.modes.prompt import Prompt
from tui.ui.panes.keyed import key_row
from tui.ui.state.mode import Asks
from tui.ui.state.scene import Scene
from tui.ui.text.editor import Editor
from tui.ui.text.press import Press


class NamePrompt(Prompt, frozen=True):
    """A name for a fight."""

    word: str = ""
    """The verb of the line, such as `new`, to which the name is added."""
    asks: str = ""
    """The question shown by Now."""
    proposed: bool = False
    """Whether the name is a proposal, which the first character replaces."""
    parties: tuple[tuple[str, str], ...] = ()
    """Parties that a new fight can begin with: the words in the question, and the words in the line."""
    party: int = 0
    """The index of the chosen party."""
    PASTES: ClassVar[bool] = False
    FINDS: ClassVar[bool] = False
    SIGN: ClassVar[str] = "name: "
    HINTS: ClassVar[Hints] = (("Enter", "go on"), ("Esc", "back"))

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key; Tab goes through the parties."""
        if key.key in ("tab", "shift+tab"):
            by = 1 if key.key == "tab" else -1
            desk.show(mode=replace(self, party=(self.party + by) % max(1, len(self.parties))))
        else:
            Prompt.press(self, desk, key)

    def single(self, desk: BaseDesk, char: str) -> bool:
        """Replace a proposed name by the character; return whether there was a proposal."""
        if self.proposed:
            self.type(desk, Editor().insert(char))
        return self.proposed

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Insert pasted text, or replace a proposal by it."""
        return Prompt.paste(replace(self, editor=Editor()) if self.proposed else self, desk, text, typed)

    def with_editor(self, desk: BaseDesk, editor: Editor) -> Self:
        """Return the prompt with another name."""
        del desk
        return replace(self, editor=editor, proposed=False)

    def line(self, desk: BaseDesk) -> str:
        """Return the line that Enter sends: `word`, the name without ".toml", and the party."""
        del desk
        name = self.editor.text.strip()
        # A name with this ending would be read as a path relative to where the program was started.
        while name.endswith(".toml"):
            name = name.removesuffix(".toml").strip()
        party = self.parties[self.party][1] if self.parties else ""
        return f"{self.word} {quote(name)}{party}"

    def now(self, scene: Scene, act: str) -> Asks:
        """Return the question, and what Enter does."""
        del act
        name = self.editor.text.strip() or scene.glyphs.ellipsis
        party = f" {self.parties[self.party][0]}" if self.parties else ""
        others = ("typing replaces the name",) if self.proposed else ()
        more = (key_row("Tab", "another party, or none"),) if len(self.parties) > 1 else ()
        return Asks(self.asks + party, key_row("Enter", f"names it {name}"), (*others, *more))
