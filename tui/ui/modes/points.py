"""Prompts of the keys for hit points and conditions: an amount or a name for the selected creatures."""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.language.select import resolve
from tui.core.language.tokens import tokens
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints
from tui.ui.modes.prompt import MEMBERS, Prompt
from tui.ui.state.scene import Scene
from tui.ui.state.view import PromptKind
from tui.ui.text.editor import Editor

DAMAGE = "damage "
POOL = " pool=yes"
_AMOUNT = re.compile(r"[0-9d+\- ]*[0-9]")


class PointsPrompt(Prompt, frozen=True):
    """An amount of damage or healing for the creatures in the line.

    After the amount, h halves and x doubles it; P lets damage run through the group, A takes the whole group.
    """

    kind: PromptKind = "points"
    PROPOSES: ClassVar[bool] = True
    PASTES: ClassVar[bool] = False
    HINTS: ClassVar[Hints] = (("h", "half"), ("x", "double"), ("Esc", "back"))

    def single(self, desk: BaseDesk, char: str) -> bool:
        """Handle h, x, P and A; return whether the character was one of them."""
        head, tail = self.editor.text[: self.editor.at], self.editor.text[self.editor.at :]
        text = head.removeprefix(self.stem)
        # Only after a whole amount: before it the character may begin a name.
        if char in "hx" and _AMOUNT.fullmatch(text.strip()):
            head = head.rstrip() + ("/2" if char == "h" else "*2")
            replace(self, editor=Editor(head + tail, len(head))).send(desk)
            return True
        if self.members and char == "P" and self.stem.startswith(DAMAGE):
            head = self.members[-1] + text
            desk.show(mode=replace(self, stem=self.members[-1], editor=Editor(f"{head}{POOL}", len(head))))
            return True
        if self.members and char == "A":
            self.instead(desk, self.members[-1])
            return True
        return False

    def beside(self, scene: Scene) -> str:
        """Return `has 14/18+5`, or `have 3 to 18` for several creatures in the line; "" if it names none."""
        try:
            parsed = tokens(self.editor.text)
            named = [scene.encounter.combatants[k] for k in resolve(scene.encounter, parsed[1].text)]
        except (RuleError, IndexError):
            return ""
        # Members of a group that are out take no damage.
        named = [c for c in named if not c.out] or named
        known = [c for c in named if c.hp is not None]
        if len(known) == 1:
            (c,) = known
            return f"has {c.hp}/{c.most_hp}" + (f"+{c.temp_hp}" if c.temp_hp else "")
        if named and not known:
            return "hit points not counted"
        points = sorted(c.hp for c in known if c.hp is not None)
        return f"have {points[0]} to {points[-1]}" if points else ""

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        del scene
        pool = (("P", "pool"),) if self.stem.startswith(DAMAGE) else ()
        return (*MEMBERS, *pool, *self.HINTS) if self.members else self.HINTS


class ConditionPrompt(Prompt, frozen=True):
    """A condition, and how long it lasts."""

    kind: PromptKind = "condition"
    PROPOSES: ClassVar[bool] = True
    PASTES: ClassVar[bool] = False
    HINTS: ClassVar[Hints] = (
        ("rounds=", "2"),
        ("save=", "DC"),
        ("of=", "WHO"),
        ("conc=", "yes"),
        ("Tab", "complete"),
        ("Enter", "send"),
        ("Esc", "back"),
    )
