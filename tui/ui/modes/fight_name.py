"""The name of a fight, while it is typed: of a new one, of a copy, or another one."""

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
    """A name, with the words of the line that it ends (`word`), and what Now asks (`asks`).

    `proposed`: the name is a proposal, which the first letter replaces. `parties` are the parties that a new
    fight may begin with, each with what the line says of it and with its words; `party` is the place of one.
    """

    word: str = ""
    asks: str = ""
    proposed: bool = False
    parties: tuple[tuple[str, str], ...] = ()
    party: int = 0
    PASTES: ClassVar[bool] = False
    FINDS: ClassVar[bool] = False
    SIGN: ClassVar[str] = "name: "
    HINTS: ClassVar[Hints] = (("Enter", "go on"), ("Esc", "back"))

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Take one key: Tab goes through the parties."""
        if key.key in ("tab", "shift+tab"):
            by = 1 if key.key == "tab" else -1
            desk.show(mode=replace(self, party=(self.party + by) % max(1, len(self.parties))))
        else:
            Prompt.press(self, desk, key)

    def single(self, desk: BaseDesk, char: str) -> bool:
        """Replace a name that was proposed."""
        if self.proposed:
            self.type(desk, Editor().insert(char))
        return self.proposed

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Put pasted text into the name, or in place of a proposed one."""
        return Prompt.paste(replace(self, editor=Editor()) if self.proposed else self, desk, text, typed)

    def edited(self, desk: BaseDesk, editor: Editor) -> Self:
        """Return the prompt with another name."""
        del desk
        return replace(self, editor=editor, proposed=False)

    def line(self, desk: BaseDesk) -> str:
        """Return the line that Enter sends."""
        del desk
        name = self.editor.text.strip()
        # A name that ends so would be taken for a path from where the program was started.
        while name.endswith(".toml"):
            name = name.removesuffix(".toml").strip()
        party = self.parties[self.party][1] if self.parties else ""
        return f"{self.word} {quote(name)}{party}"

    def now(self, scene: Scene, act: str) -> Asks:
        """Return what is asked, and what Enter does."""
        del act
        called = self.editor.text.strip() or scene.glyphs.ellipsis
        party = f" {self.parties[self.party][0]}" if self.parties else ""
        others = ("letters give another name",) if self.proposed else ()
        more = (key_row("Tab", "another party, or none"),) if len(self.parties) > 1 else ()
        return Asks((self.asks + party,), key_row("Enter", f"names it {called}"), (*others, *more))
