"""A Textual app that knows nothing of us: `python -m tests.ui.app.stock [--stock]` runs it over the wire."""

from __future__ import annotations

import os
import sys
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList

from tui.ui.app.wired import Wired
from tui.ui.terminal.environment import prepare_environment
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.wire.abilities import from_environment
from tui.ui.wire.wire import Wire


class Question(ModalScreen[bool]):
    """Is this one to go?"""

    CSS = "Question { align: center middle; } Question Label { border: round; padding: 1 2; }"
    BINDINGS: ClassVar[list[BindingType]] = [("y", "answer(True)", "Yes"), ("n", "answer(False)", "No")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self.asked = name

    def compose(self) -> ComposeResult:
        yield Label(f"Strike {self.asked}? [y/n]", markup=False)

    def action_answer(self, answer: str) -> None:
        self.dismiss(str(answer) == "True")


class Shopping(App[None]):
    """An input that adds to a list; Enter on an item asks whether it goes."""

    CSS = "OptionList { height: 1fr; } #said { height: 1; }"

    def compose(self) -> ComposeResult:
        yield Input(placeholder="What is needed?")
        yield OptionList()
        yield Label("READY", id="said")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.query_one(OptionList).add_option(event.value)
        self.say(f"{event.value} is on the list")
        event.input.clear()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        name = str(event.option.prompt)

        def strike(goes: bool | None) -> None:
            if goes:
                self.query_one(OptionList).remove_option_at_index(event.option_index)
            self.say(f"{name} is bought" if goes else f"{name} stays")

        self.push_screen(Question(name), strike)

    def say(self, text: str) -> None:
        self.query_one("#said", Label).update(text)


class WiredShopping(Wired, Shopping):
    """The same app with another output."""


def main(arguments: list[str]) -> Any:
    prepare_environment(os.environ)
    loop = AppLoop()
    terminal = Terminal(loop)
    wire = Wire(terminal, from_environment(os.environ))
    app = WiredShopping(terminal, wire, loop, stock_output="--stock" in arguments)
    try:
        app.run(mouse=False)
    finally:
        terminal.give_back()
        terminal.close()
    return app.return_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
