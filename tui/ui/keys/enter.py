"""Enter: it acts on the row under the cursor, or says which key does what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tui.core.fight.agenda import AcknowledgeAsk, Act, Ask, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import label, members
from tui.ui.keys import forms, past, playing
from tui.ui.keys.base import BaseDesk
from tui.ui.state.layout import content, lists_creatures
from tui.ui.state.scene import Scene, current, due, focus, offer
from tui.ui.state.targets import meant, who
from tui.ui.state.view import Item, Menu, PickList


def go(desk: BaseDesk, rest: str) -> None:
    """Acts on the row under the cursor if it acts, may act or owes something; else says which key does what."""
    del rest
    scene = desk.scene
    if content(focus(scene)) == "steps":
        past.open_step(desk, scene.view.log or scene.step)
    elif not scene.encounter.running:
        _say(desk, "no fight runs yet", "begin")
    # What is owed comes before any turn, as the rules refuse a turn until then.
    elif owed := due(scene):
        _answer(desk, owed)
    elif scene.encounter.turn:
        if scene.encounter.acting in meant(scene):
            desk.run("next")
        else:
            _say(desk, f"{label(scene.encounter, scene.encounter.acting)} acts{_not(scene)}", "next")
    else:
        _offered(desk, offer(scene).acts)


def _not(scene: Scene) -> str:
    """`, not Bo`: whose row the cursor is on."""
    here = current(scene) if lists_creatures(focus(scene)) else ""
    return f", not {label(scene.encounter, here)}" if here else ""


def _say(desk: BaseDesk, what: str, command: str) -> None:
    """What is the case, and the key that goes on."""
    keys = desk.keys
    desk.say(
        f"{what}: [{keys.shown.get(command, ':' + command)}] {keys.labels.get(command, command)}", "hint"
    )


def _offered(desk: BaseDesk, acts: tuple[Act, ...]) -> None:
    scene = desk.scene
    act = next((a for a in acts if a.kind == "turn" and a.who in meant(scene)), None)
    if act:
        desk.run(f"turn {_who(scene, act.who)}" if len(acts) > 1 else "next")
    elif len(acts) > 1:
        desk.show(mode=Menu("Who goes", tuple(_item(scene, a) for a in acts)))
    elif acts and acts[0].kind == "turn":
        _say(desk, f"{label(scene.encounter, acts[0].who)} is next{_not(scene)}", "next")
    else:
        _say(desk, "nobody is left to act here", "next")


def _answer(desk: BaseDesk, owed: tuple[Ask, ...]) -> None:
    """What the row owes; else the key for what is owed first."""
    scene, standing = desk.scene, meant(desk.scene)
    mine = next((a for a in owed if a.kind in ("roll", "form") and a.who in standing), None)
    match ask := mine or owed[0]:
        case PickAsk(key, names=names):
            here = next((i for i, name in enumerate(names) if name in standing), 0)
            desk.show(mode=PickList(key, here, _preset(desk, names)[: ask.most]))
        case AcknowledgeAsk():
            playing.read(desk, "")
        case LockAsk():
            _say(desk, "all orders are written", "lock")
        case RollAsk(who=key) if mine:
            desk.run(f"roll {_who(scene, key)}")
        case FormAsk(who=key) if mine:
            forms.open_form(desk, key)
        case RollAsk() | FormAsk():
            what = "a roll" if ask.kind == "roll" else "an order"
            _say(
                desk,
                f"{label(scene.encounter, ask.who)} owes {what}{_not(scene)}",
                "roll" if ask.kind == "roll" else "order",
            )
        case _:
            assert_never(ask)


def _item(scene: Scene, act: Act) -> Item:
    match act.kind:
        case "turn":
            return Item(label(scene.encounter, act.who), f"turn {_who(scene, act.who)}")
        case "pass":
            return Item("pass", "pass", key="p")
        case _:
            return Item(f"the next {act.kind}", "next", key="n")


def _who(scene: Scene, key: str) -> str:
    return who(scene.encounter, (key,))


def _preset(desk: BaseDesk, names: Sequence[str]) -> tuple[str, ...]:
    """Those of a choice whose rows were selected before."""
    selected = {c.id for k in desk.view.selected for c in members(desk.store.encounter, k)}
    return tuple(k for k in names if k in selected or k in desk.view.selected)
