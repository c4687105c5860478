"""The desk of a lesson: what to do stands above the log, and after every key it is checked whether that was done."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tui.store.store import Store
from tui.ui.keys.desk import Desk
from tui.ui.keys.services import Services, Settings
from tui.ui.panes.log import log
from tui.ui.panes.titles import heading
from tui.ui.state.commands import shown
from tui.ui.state.layout import PANES, PARTS, Box, Part
from tui.ui.state.press import Press
from tui.ui.state.rows import Piece, Row, clip, filled, wrapped
from tui.ui.state.scene import focus
from tui.ui.tutor.lesson import Lesson, LessonStep


class Coached(Desk):
    """A desk on which a lesson is played."""

    log_lines = 7

    def __init__(
        self, lesson: Lesson, store: Store, settings: Settings | None, services: Services | None
    ) -> None:
        super().__init__(store, settings, services)
        self.lesson = lesson
        self.at = 0
        self._base = store.step

    @property
    def step(self) -> LessonStep:
        """The step that is to be done."""
        return self.lesson.steps[self.at]

    @property
    def over(self) -> bool:
        """Whether the lesson is at its end."""
        return not self.step.keys

    def press(self, press: Press) -> None:
        """One key; then a look at what came of it."""
        super().press(press)
        if self.over:
            return
        if self._done():
            self.at += 1
            self._base = self.store.step
        # Nothing is forbidden: whoever strays is told the way back and may as well look around.
        elif astray := self.store.step - self._base:
            way = self.keys.shown.get("undo" if astray > 0 else "redo", "")
            if self.view.notice is None:
                self.say(f"{way} leads back to the lesson", "hint")

    def _done(self) -> bool:
        step, now = self.step, self.store.step
        if step.by:
            first = self.store.done(self._base + 1).line if step.by > 0 and now > self._base else ""
            return now - self._base == step.by and bool(re.fullmatch(step.line or ".*", first))
        if now != self._base:
            return False
        mode = type(self.view.mode).__name__.lower() if self.view.mode else "board"
        return (
            step.mode in ("", mode)
            and step.focus in (None, focus(self.scene))
            and step.selected == (len(self.view.selected) if step.selected else 0)
        )

    # --- what is asked

    def said(self) -> str:
        """The text of the step; `{next}` in it is the key of that command."""

        def key(m: re.Match[str]) -> str:
            return " ".join(shown(name) for name in self._named(f"@{m[1]}"))

        return re.sub(r"\{([\w-]+)\}", key, self.step.say)

    def pressed(self) -> tuple[str, ...]:
        """The keys of the step, by their names, text in quotes; remapped where the user has remapped them."""
        return tuple(name for key in self.step.keys for name in self._named(key))

    def _named(self, key: str) -> tuple[str, ...]:
        if not key.startswith("@"):
            return (key,)
        own = next((k for k, c in self.keys.commands.items() if c.id == key[1:]), "")
        if own:
            return (own,)
        verb = next(v for v in self.store.system.verbs if v.name == key[1:])
        return tuple(self.keys.of_verb(verb).split(" "))

    def draw(self, boxes: Mapping[Part, Box]) -> dict[Part, list[Row]]:
        """The desk's lines, with the lesson above the log, else at the foot of the pane that is shown.

        Where even that has no room, what to press stands in place of the hints.
        """
        found = super().draw(boxes)
        alone = next((part for part in PARTS if part in boxes and part in (*PANES, "over")), None)
        if "log" in boxes:
            found["log"] = self._panel(boxes["log"].width, boxes["log"].height)
        elif alone and len(foot := self._told(boxes[alone].width)) <= boxes[alone].height // 2:
            found[alone] = [*filled(found[alone], boxes[alone].height)[: -len(foot)], *foot]
        elif "hints" in boxes and self.view.mode is None:
            found["hints"] = [clip(self._task(), boxes["hints"].width, self.settings.glyphs.ellipsis)]
        return found

    def _panel(self, width: int, height: int) -> list[Row]:
        """The lesson, and as much of the log as there is room for."""
        head, *said = self._told(width)
        task = [] if self.over else [said.pop()]
        lines = [head, *said[: max(1, height - 2)], *task]
        rest = height - len(lines)
        return filled(
            [*lines, *(log(self.scene, self.past, width, rest + 1)[1:] if rest > 0 else [])], height
        )

    def _told(self, width: int) -> list[Row]:
        """Title, text, and what to press."""
        place = f"{self.at + 1} of {len(self.lesson.steps)}"
        head = heading(self.scene, f"Lesson: {self.lesson.title}", width, place)
        said: list[Row] = [((f" {row}", "text"),) for row in wrapped(self.said(), width - 2)]
        task = [] if self.over else [clip(self._task(), width, self.settings.glyphs.ellipsis)]
        return [head, *said, *task]

    def _task(self) -> Row:
        """The keys of the step, as people read them."""
        pieces: list[Piece] = [(f" {self.settings.glyphs.arrow}", "key")]
        for name in self.pressed():
            typed = name.startswith("'")
            pieces.append((f" {name[1:-1]}" if typed else f" [{shown(name)}]", "title" if typed else "key"))
        return tuple(pieces) if len(pieces) > 1 else ()
