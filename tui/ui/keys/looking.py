"""What can be read about the fight: why a row stands where it stands, the rule behind Now, help, the palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.core.now import now
from tui.ui.model.about import about, rule_text
from tui.ui.model.help import help_text
from tui.ui.model.scene import selected
from tui.ui.model.view import Item, Menu, Reader

if TYPE_CHECKING:
    from tui.ui.desk import Desk


def why(desk: Desk, rest: str) -> None:
    """Why the selected row stands where it stands, and all that is known of it."""
    del rest
    scene = desk.scene
    key = selected(scene)
    if key:
        title, lines = about(scene, key)
        desk.show(mode=Reader(title, lines, beside=True))
    else:
        desk.say("nobody is selected", "warning")


def rule(desk: Desk, rest: str) -> None:
    """The clause named, or the one behind the Now line."""
    scene = desk.scene
    clause = rest or now(scene.e, scene.rules).rule
    desk.show(mode=Reader(clause or scene.rules.title, rule_text(scene, clause), beside=True))


def help_(desk: Desk, rest: str) -> None:
    """The keys as they are mapped, the words, and the running system."""
    del rest
    lines = help_text(desk.settings.commands, desk.store.system)
    desk.show(mode=Reader("Help", lines))


def palette(desk: Desk, rest: str) -> None:
    """Every command, found by its words."""
    del rest
    items = [
        Item(c.help, f"command {c.id}", desk.keys.shown.get(c.id, ""))
        for c in desk.settings.commands
        if c.id not in ("palette", "go")
    ]
    desk.show(mode=Menu("Commands", tuple(items), narrow=True))
