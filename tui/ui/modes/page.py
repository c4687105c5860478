"""A page to read, over the panes or in the order pane; it may ask a question."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from msgspec.structs import replace

from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.panes.orders import Listing, list_rows
from tui.ui.state.mode import Where
from tui.ui.state.scene import Scene, shown_line
from tui.ui.text.press import STEPS, Press
from tui.ui.text.rows import Box, Row, paragraphs, scroll_rows


class Page(KeyMode, frozen=True):
    """A text to read."""

    title: str
    text: tuple[str, ...]
    top: int = 0
    """The index of the first row shown."""
    beside: bool = False
    """Whether the page is in the order pane instead of over the panes."""
    back: KeyMode | None = None
    """The mode that Esc returns to, None for the board."""
    asks: str = ""
    """A question for the Now line, "" for none; only `y` means yes."""
    line: str = ""
    """The line that runs after yes; if "", the `confirm` of `back` is called."""

    def scroll(self, by: int) -> Page:
        """Return the page scrolled by some rows, at most to about its end.

        The exact end is unknown here, because the number of rows depends on the width.
        """
        return replace(self, top=max(0, min(len(self.text) * 4, self.top + by)))

    @property
    def where(self) -> Where:
        """The place on the screen."""
        return "beside" if self.beside else "over"

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if self.asks and key.key == "y":
            if desk.may_answer():
                self._confirm(desk)
        elif by := STEPS.get(key.name):
            desk.show(mode=self.scroll(by))
        elif key.key in ("escape", "enter", "ctrl+c") or key.name in ("q", "?", "w"):
            # A second Enter out of habit is neither yes nor no.
            if not (self.asks and key.key == "enter"):
                desk.show(mode=self.back)
        elif self.asks and key.name == "n":
            desk.show(mode=self.back)
        else:
            self.press_unused(desk, key, "[y] yes, Esc goes back" if self.asks else "Esc goes back")

    def _confirm(self, desk: BaseDesk) -> None:
        desk.show(mode=self.back)
        if self.back is not None:
            self.back.confirm(desk)
        else:
            desk.run(self.line)

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the page can use."""
        del scene
        return len(self._text(width)) + 1

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title and the lines from `top` on, wrapped."""
        text = self._text(box.width)
        if self.beside:
            return list_rows(scene, Listing(self.title, text, top=self.top), box)
        return scroll_rows(scene.glyphs, self.title, text, self.top, box.width, box.height)

    def _text(self, width: int) -> list[Row]:
        return [((f" {row}", "text"),) for row in paragraphs(self.text, width - 2)]

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        del scene
        return (*((("y", "yes"),) if self.asks else ()), ("j/k", "scroll"), ("Esc", "back"))

    def question(self, scene: Scene) -> str:
        """Return the question, "" for none."""
        del scene
        return self.asks


MOST_LISTED = 50
"""The most undone lines that are listed."""


class StepPage(Page, frozen=True):
    """A step of the log with its messages, and the lines that going there would undo or redo."""

    step: int = 0
    covers: ClassVar[Literal["panes", "all"]] = "all"
    HINTS: ClassVar[Hints] = (
        ("j/k", "step after, before"),
        ("g", "go to it"),
        ("Esc", "back"),
    )

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key: arrows, j and k open other steps, g asks to go back.

        While the question is asked, the keys are those of a page.
        """
        match key.name:
            case "down" | "j" | "up" | "k" if not self.asks:
                step = self.step + (1 if key.name in ("down", "j") else -1)
                open_step(desk, max(1, min(desk.store.steps, step)))
            case "g" if self.step == desk.store.step:
                desk.notify("the fight is at this step", "hint")
            case "g" if not self.asks:
                price = _describe_jump(desk.scene, self.step)
                asks = f"{price[0].upper()}{price[1:]}: [y] does it, Esc stays"
                desk.show(mode=replace(self, asks=asks, back=self))
            case _:
                Page.press(self, desk, key)

    def confirm(self, desk: BaseDesk) -> None:
        """Go to the step, which undoes or redoes the steps between."""
        if desk.run(f"goto {self.step}"):
            desk.dismiss(log=0)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        return Page.hints(self, scene) if self.asks else self.HINTS


def _describe_jump(scene: Scene, step: int) -> str:
    """Return how many steps going to a step undoes or redoes, such as `going back here undoes 6 steps`."""
    steps = abs(scene.step - step)
    words = f"{steps} step{'s' * (steps != 1)}"
    return f"going back here undoes {words}" if step < scene.step else f"going on to here brings back {words}"


def open_step(desk: BaseDesk, step: int) -> None:
    """Open the page of a step: its messages, and the lines between it and the present."""
    store = desk.store
    if not 0 < step <= store.steps:
        desk.notify("nothing has happened yet", "hint")
        return
    done = store.done(step)
    texts = [message.cited.replace("`", "") for message in store.messages(step)]
    first, last = sorted((step, store.step))
    after = [f"  {number} {_line(desk, number)}" for number in range(first + 1, last + 1)][:MOST_LISTED]
    if after:
        after = ["", f"{_describe_jump(desk.scene, step)}:", *after]
    at = datetime.fromisoformat(done.at).astimezone()
    title = f"step {step} of {store.steps}, whole: {_line(desk, step)} ({at:%H:%M:%S})"
    page = StepPage(title, (*(texts or ["It has no messages."]), *after), step=step)
    desk.show(mode=page, log=step)


def _line(desk: BaseDesk, step: int) -> str:
    done = desk.store.done(step)
    return shown_line(desk.scene, done.line, done.by)
