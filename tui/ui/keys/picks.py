"""Keys in a due choice."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.fight.agenda import PickAsk
from tui.core.fight.encounter import label
from tui.core.language.tokens import quote
from tui.ui.keys.base import BaseDesk
from tui.ui.state.press import Press
from tui.ui.state.scene import Scene, due
from tui.ui.state.view import PickList


def press(desk: BaseDesk, pick: PickList, key: Press) -> None:
    """One key."""
    ask = next((a for a in due(desk.scene) if isinstance(a, PickAsk)), None)
    if ask is None or not ask.names:
        desk.show(mode=None)
        return
    match key.name:
        case "escape" | "ctrl+c":
            desk.show(mode=None)
        case "enter":
            _send(desk, pick, ask)
        case "space":
            _toggle(desk, pick, ask)
        case "A":
            desk.show(mode=replace(pick, chosen=ask.names[: ask.most]))
        case "up" | "k" | "shift+tab":
            desk.show(mode=replace(pick, at=(pick.at - 1) % len(ask.names)))
        case "down" | "j" | "tab":
            desk.show(mode=replace(pick, at=(pick.at + 1) % len(ask.names)))
        case _:
            desk.say("Space chooses, Enter sends, Esc goes back", "hint")


def _toggle(desk: BaseDesk, pick: PickList, ask: PickAsk) -> None:
    key = ask.names[pick.at % len(ask.names)]
    chosen = tuple(k for k in pick.chosen if k != key) if key in pick.chosen else (*pick.chosen, key)
    desk.show(
        mode=replace(
            pick,
            # Of a choice of one the new replaces the old; too many are refused by the rules, in words.
            chosen=chosen[-ask.most :] if ask.most == 1 else chosen,
            at=min(pick.at + 1, len(ask.names) - 1),
        )
    )


def _send(desk: BaseDesk, pick: PickList, ask: PickAsk) -> None:
    """What was chosen; of a choice of one, the row of the cursor; of all, those left out last."""
    chosen = tuple(k for k in pick.chosen if k in ask.names)
    if not chosen and ask.least == ask.most == 1:
        chosen = (ask.names[pick.at % len(ask.names)],)
    left = [k for k in ask.names if k not in chosen]
    # Where all must be put in order, the last place is nobody's choice.
    if ask.least == ask.most == len(ask.names) and len(left) == 1:
        chosen += (left[0],)
    if desk.run("pick " + (_names(desk.scene, chosen) or "none")):
        desk.show(mode=None)


def _names(scene: Scene, keys: tuple[str, ...]) -> str:
    return " ".join(quote(label(scene.encounter, k)) for k in keys)
