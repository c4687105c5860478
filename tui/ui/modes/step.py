"""A step of the log whole, and the question whether the fight goes back to it."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from msgspec.structs import replace

from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.state.messages import unread
from tui.ui.state.scene import Scene, sealed
from tui.ui.text.press import PAGE, Press
from tui.ui.text.rows import Box, Row, scrolled, wrapped

MOST_ROWS = 100_000
_SCROLL = {"pagedown": PAGE, "space": PAGE, "pageup": -PAGE, "home": -MOST_ROWS, "end": MOST_ROWS}
MOST_LISTED = 50
"""Lines that are listed of those which going back would undo."""


class StepPage(KeyMode, frozen=True):
    """A step of the log with its messages, and the lines `after` that going there would undo or bring back.

    `asking`: whether to go there is being asked.
    """

    step: int
    title: str
    texts: tuple[str, ...]
    after: tuple[str, ...] = ()
    top: int = 0
    asking: bool = False
    covers: ClassVar[Literal["panes", "log", "all"]] = "all"
    HINTS: ClassVar[Hints] = (
        ("j/k", "step after, before"),
        ("g", "go back to it"),
        ("Y", "copy"),
        ("Esc", "back"),
    )

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Take one key."""
        if self.asking:
            self._answered(desk, key)
        elif key.name in ("down", "j", "up", "k"):
            step = self.step + (1 if key.name in ("down", "j") else -1)
            open_step(desk, max(1, min(desk.store.steps, step)))
        elif key.name in _SCROLL:
            top = max(0, min(len(self.texts) * 4 + len(self.after), self.top + _SCROLL[key.name]))
            desk.show(mode=replace(self, top=top))
        elif key.name == "Y":
            desk.clip(f"{self.title}: {'; '.join(self.texts)}")
        elif key.name == "g" and self.step == desk.store.step:
            desk.say("the fight stands at this step", "hint")
        elif key.name == "g":
            desk.show(mode=replace(self, asking=True))
        elif key.key in ("enter", "escape", "ctrl+c") or key.name == "q":
            desk.show(mode=None)
        else:
            desk.say("j and k read on, [g] goes back to this step, [Esc] closes it", "hint")

    def _answered(self, desk: BaseDesk, key: Press) -> None:
        """Go there with `y` alone: it throws steps away, or brings them back."""
        if key.name == "y" and not desk.may_answer():
            return
        desk.show(mode=replace(self, asking=False))
        if key.name == "y" and desk.run(f"goto {self.step}"):
            desk.show(mode=None, log=0)

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title, the messages, and the lines that travelling there would undo or bring back."""
        rows: list[Row] = [
            ((f" {row}", "text"),) for row in (x for text in self.texts for x in wrapped(text, box.width - 2))
        ]
        if self.after:
            rows += [(), ((f" {self._price(scene)}:", "warning"),)]
            rows += [((f"  {line}", "muted"),) for line in self.after]
        return scrolled(scene.glyphs, self.title, rows, self.top, box.width, box.height)

    def hints(self, scene: Scene) -> Hints:
        """Return the keys that mean something."""
        del scene
        return (("y", "go there"), ("Enter", "stay"), ("Esc", "stay")) if self.asking else self.HINTS

    def question(self, scene: Scene) -> str:
        """Return the question about travelling."""
        words = self._price(scene)
        return f"{words[0].upper()}{words[1:]}: [y] does it, any other key stays" if self.asking else ""

    def _price(self, scene: Scene) -> str:
        """Return what travelling to the step costs: `going back here undoes 6 steps`."""
        steps = abs(scene.step - self.step)
        words = f"{steps} step{'s' * (steps != 1)}"
        back = self.step < scene.step
        return f"going back here undoes {words}" if back else f"going on to here brings back {words}"


def open_step(desk: BaseDesk, step: int) -> None:
    """Show a step whole."""
    store = desk.store
    if not 0 < step <= store.steps:
        desk.say("nothing has happened yet", "hint")
        return
    done = store.done(step)
    asked = unread(done.line) if sealed(desk.scene) else done.line
    texts = tuple(message.text.replace("`", "") for message in store.messages(step))
    first, last = (step + 1, store.step) if step < store.step else (store.step + 1, step)
    after = tuple(
        f"{number} {_line(desk, number)}" for number in range(first, min(last, first + MOST_LISTED - 1) + 1)
    )
    title = f"step {step} of {store.steps}, whole: {asked} ({_time(done.at)})"
    desk.show(
        mode=StepPage(
            step, title, texts or ("Nothing more is told of it.",), after if step != store.step else ()
        ),
        log=step,
    )


def _line(desk: BaseDesk, step: int) -> str:
    line = desk.store.done(step).line
    return unread(line) if sealed(desk.scene) else line


def _time(at: str) -> str:
    """Return the local time of day of a moment in RFC 3339."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M:%S")
