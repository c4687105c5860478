"""Save the party: ask for its name, and propose the last one."""

from __future__ import annotations

from typing import ClassVar

from tui.core.language.tokens import quote, tokens
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints
from tui.ui.modes.prompt import Prompt
from tui.ui.panes.keyed import key_row
from tui.ui.state.mode import Asks
from tui.ui.state.scene import Scene
from tui.ui.state.view import PromptKind

OVER_KEY = " over=yes"
"""The key that is typed after the name of an existing party, to overwrite it."""
MOST_LOOKED_BACK = 500
"""How many steps back the last added party is searched for."""


class PartyPrompt(Prompt, frozen=True):
    """The name under which the party is saved."""

    kind: PromptKind = "party"
    PASTES: ClassVar[bool] = False
    FINDS: ClassVar[bool] = False
    SIGN: ClassVar[str] = ">"
    HINTS: ClassVar[Hints] = (("Enter", "keep"), ("Esc", "back"))

    def line(self, desk: BaseDesk) -> str:
        """Return the `save party` line; the name used last overwrites without typing `over=yes`."""
        name = self.editor.text.strip()
        bare = name.removesuffix(OVER_KEY).strip()
        replaces = bare != name or (name == last_name(desk) and name in _party_names(desk))
        return f"save party {quote(bare)}{OVER_KEY if replaces else ''}"

    def sent(self, desk: BaseDesk) -> None:
        """Propose this name next time, and close."""
        desk.show(mode=None)
        desk.kept = self.editor.text.strip().removesuffix(OVER_KEY)

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return the question and what is saved."""
        del scene, act
        contents = "with hit points, counters and conditions as they are now"
        return Asks("Under which name is the party kept?", key_row("Enter", "keeps it"), (contents,))


def ask(desk: BaseDesk) -> None:
    """Open the prompt with the party's last name; warn if Enter would replace a saved party."""
    name = last_name(desk)
    desk.open_prompt(name, "party")
    if name in _party_names(desk):
        desk.say(f"Enter replaces the party that is kept as {name}; another name keeps both", "hint")


def last_name(desk: BaseDesk) -> str:
    """Return the name under which the party was kept or loaded last; "" for none."""
    if desk.kept:
        return desk.kept
    store = desk.store
    for step in range(store.step, max(0, store.step - MOST_LOOKED_BACK), -1):
        words = [t.text for t in tokens(line) if not t.key] if (line := store.done(step).line) else []
        if words[:1] == ["party"] and len(words) > 1 and words[1] in _party_names(desk):
            return words[1]
    return ""


def _party_names(desk: BaseDesk) -> set[str]:
    library = desk.store.effects.library
    return {file.name for file in library.parties()} if library else set()
