"""Keys in a step of the log that is read whole. Going back to it is a question with its price."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from tui.ui.keys.base import BaseDesk
from tui.ui.keys.looking import clip
from tui.ui.state.messages import unread
from tui.ui.state.press import Press
from tui.ui.state.view import StepPage

PAGE = 10
MOST_ROWS = 100_000
_SCROLL = {"pagedown": PAGE, "space": PAGE, "pageup": -PAGE, "home": -MOST_ROWS, "end": MOST_ROWS}


def open_step(desk: BaseDesk, step: int) -> None:
    """Shows a step whole."""
    store = desk.store
    if not 0 < step <= store.steps:
        desk.say("nothing has happened yet", "hint")
        return
    done = store.done(step)
    asked = unread(done.line) if desk.view.masked else done.line
    texts = tuple(message.text.replace("`", "") for message in store.told(step))
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


MOST_LISTED = 50
"""Lines that are listed of those which going back would undo."""


def _line(desk: BaseDesk, step: int) -> str:
    line = desk.store.done(step).line
    return unread(line) if desk.view.masked else line


def _time(at: str) -> str:
    """The time of day where the user is, of a moment in RFC 3339."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M:%S")


def press(desk: BaseDesk, reading: StepPage, key: Press) -> None:
    """One key."""
    if reading.asking:
        _answer(desk, reading, key)
    elif key.name in ("down", "j", "up", "k"):
        step = reading.step + (1 if key.name in ("down", "j") else -1)
        open_step(desk, max(1, min(desk.store.steps, step)))
    elif key.name in _SCROLL:
        top = max(0, min(len(reading.texts) * 4 + len(reading.after), reading.top + _SCROLL[key.name]))
        desk.show(mode=replace(reading, top=top))
    elif key.name == "Y":
        clip(desk, f"{reading.title}: {'; '.join(reading.texts)}")
    elif key.name == "g" and reading.step == desk.store.step:
        desk.say("the fight stands at this step", "hint")
    elif key.name == "g":
        desk.show(mode=replace(reading, asking=True))
    elif key.key in ("enter", "escape", "ctrl+c") or key.name == "q":
        desk.show(mode=None)
    else:
        desk.say("j and k read on, [g] goes back to this step, [Esc] closes it", "hint")


def _answer(desk: BaseDesk, reading: StepPage, key: Press) -> None:
    """Only `y` goes there: it throws steps away, or brings them back."""
    desk.show(mode=replace(reading, asking=False))
    if key.name == "y" and desk.run(f"goto {reading.step}"):
        desk.show(mode=None, log=0)
