"""What can be read about the fight: why a row stands where it stands, the rule behind Now, help, the palette."""

from __future__ import annotations

from typing import assert_never

from tui.core.rules.now import now
from tui.ui.keys.base import BaseDesk
from tui.ui.panes.about import about, rule_text
from tui.ui.panes.copying import COPIES, Copy, copied
from tui.ui.panes.help import help_text
from tui.ui.state.clocks import table
from tui.ui.state.layout import Pane, content
from tui.ui.state.scene import current
from tui.ui.state.view import Item, Menu, Page


def why(desk: BaseDesk, rest: str) -> None:
    """Why the current row stands where it stands, and all that is known of it."""
    del rest
    scene = desk.scene
    key = current(scene)
    if key:
        title, lines = about(scene, key)
        desk.show(mode=Page(title, lines, beside=True))
    else:
        desk.say("nobody is selected", "warning")


def rule(desk: BaseDesk, rest: str) -> None:
    """The clause named, or the one behind the Now line."""
    scene = desk.scene
    clause = rest or now(scene.encounter, scene.system).rule
    desk.show(mode=Page(clause or scene.system.title, rule_text(scene, clause), beside=True))


def help_(desk: BaseDesk, rest: str) -> None:
    """The keys as they are mapped, the words, and the running system."""
    del rest
    words = [(word.usage, word.help) for word in desk.services.words.values()]
    lines = help_text(desk.settings.commands, desk.store.system, words)
    desk.show(mode=Page("Help", lines))


def clock(desk: BaseDesk, rest: str) -> None:
    """How long turns take, by player."""
    del rest
    store = desk.store
    desk.show(mode=Page("Time", table(store, store.encounter, store.outlet.clock()), beside=True))


def times(desk: BaseDesk, rest: str) -> None:
    """Shows the clocks of turn and round in the header, or hides them."""
    del rest
    desk.show(clock=not desk.view.clock)
    if desk.view.clock:
        desk.say("the clocks go on with each key; :clock for each player's share", "hint")


def copy(desk: BaseDesk, rest: str) -> None:
    """The line named (now, row, log), else that of the pane that was gone to, to the clipboard and into a file."""
    what = next((x for x in COPIES if x == rest), None) or _here(desk.view.focus)
    text = copied(desk.scene, desk.past, what)
    if not text:
        desk.say("there is nothing to copy", "hint")
        return
    # The terminal never says whether it took it, so the file is written as well.
    desk.services.clip(text)
    try:
        where = desk.services.copy(text)
    except OSError as error:
        desk.say(f"sent to the clipboard; no file: {error.strerror}", "warning")
        return
    desk.say("sent to the clipboard" + (f" and written to {where}" if where else ""), "hint")


def _here(pane: Pane | None) -> Copy:
    """What is copied from the pane that was gone to; the Now line while none was."""
    if pane is None:
        return "now"
    match content(pane):
        case "entries" | "creatures":
            return "row"
        case "steps":
            return "log"
        case "text":
            return "now"
        case never:
            assert_never(never)


def palette(desk: BaseDesk, rest: str) -> None:
    """Every command and every word of the system's own, found by their words."""
    del rest
    own = [
        Item(f"{v.name}: {v.help}", f"verbs {v.name}", desk.keys.of_verb(v)) for v in desk.store.system.verbs
    ]
    items = [
        Item(c.help, f"command {c.id}", desk.keys.shown.get(c.id, ""))
        for c in desk.settings.commands
        if c.id not in ("palette", "go")
    ]
    program = [Item(f"{name}: {word.help}", f"line {name}") for name, word in desk.services.words.items()]
    desk.show(mode=Menu("Commands", (*items, *own, *program), narrow=True))
