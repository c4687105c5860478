"""Run the lines of a paste one after the other, as if each had been typed."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.base.text import LONGEST_LINE, clean
from tui.ui.desk import prompts
from tui.ui.desk.base import BaseDesk
from tui.ui.state.view import Mode, Notice, Prompt

MOST = 100
"""The most lines of one paste."""
ENDS = ("quit", "q", "suspend")
"""Words after which nobody types on."""


def lines(prompt: Prompt, text: str) -> list[str]:
    """Return the lines of a pasted text that hold anything, without what the prompt has written already."""
    begun = "add " if prompt.kind == "add" else ":"
    cleaned = [clean(line, LONGEST_LINE) for line in text.splitlines()[: MOST * 10]]
    return [x for line in cleaned if (x := line.removeprefix(":").strip().removeprefix(begun))]


def run(desk: BaseDesk, prompt: Prompt, pasted: list[str]) -> None:
    """Run each line; the first that is refused stays in the prompt, and Up brings those after it."""
    if len(pasted) > MOST:
        name = desk.store.name
        desk.show(
            notice=Notice(
                f"a paste holds {MOST} lines at the most, not {len(pasted)}",
                "error",
                f"`tocsin do {name}` takes a file",
            )
        )
        return
    stem = "add " if prompt.kind == "add" else ""
    for number, line in enumerate(pasted, 1):
        _type(desk, line)
        left = [stem + x for x in pasted[number:]]
        if not _taken(desk.view.mode, stem) or line.split(" ")[0] in ENDS:
            desk.show(pasted=(*left, *desk.view.pasted)[:MOST])
            _say_rest(desk, number, len(pasted))
            return
    if desk.view.notice is None:
        desk.say(f"all {len(pasted)} lines are done", "hint")


def _type(desk: BaseDesk, line: str) -> None:
    """Type a line into the prompt, which opens for it, and send it."""
    if desk.view.mode is None:
        desk.open_prompt("")
    mode = desk.view.mode
    if isinstance(mode, Prompt):
        prompts.typed(desk, mode, desk.typed_into(mode.editor, line))
    desk.show(notice=None)
    if isinstance(typed := desk.view.mode, Prompt):
        prompts.send(desk, typed)


def _taken(mode: Mode, stem: str) -> bool:
    """Return whether a line was accepted: the prompt has closed, or waits for the next."""
    if not stem:
        return mode is None
    # What is proposed behind the cursor was not typed.
    return isinstance(mode, Prompt) and mode.editor.text[: mode.editor.at] == stem


def _say_rest(desk: BaseDesk, number: int, most: int) -> None:
    """Say at which line the paste stopped, and how the rest is reached."""
    before, left = desk.view.notice, most - number
    rest = f"[Up] brings the {left} after it" if left > 1 else "[Up] brings the one after it" if left else ""
    text = before.text if before else "it waits for an answer"
    helps = "; ".join(x for x in (before.help if before else "", rest) if x)
    text = f"line {number} of {most}: {text}"
    desk.show(notice=replace(before or Notice("", "hint"), text=text, help=helps))
