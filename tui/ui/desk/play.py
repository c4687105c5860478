"""Run the keys of play: Enter, typed faces, choices, rows moved by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tui.core.fight.agenda import AcknowledgeAsk, Act, Ask, FormAsk, LockAsk, PickAsk, RollAsk, Verb
from tui.core.fight.encounter import key_of, label, members
from tui.core.language.tokens import quote
from tui.core.rules import now as now_line
from tui.store.effects import Roster
from tui.ui.desk import forms, reading
from tui.ui.desk.base import BaseDesk
from tui.ui.rows.screen import last_top
from tui.ui.state.layout import content, lists_creatures
from tui.ui.state.scene import (
    Scene,
    current,
    current_entry,
    due,
    fill,
    focus,
    meant,
    must_read,
    offer,
    targets,
    who,
)
from tui.ui.state.view import Item, Menu, PickList, Prompt
from tui.ui.text.editor import Editor


def read(desk: BaseDesk, rest: str) -> None:
    """Turns the page of what must be read before play goes on; behind the last one play goes on."""
    del rest
    scene, box = desk.scene, desk.placed.get("orders")
    if not must_read(scene) or not desk.placed:  # nothing was drawn: there is no page to turn
        desk.run("ok")
    elif box is None:
        desk.show(focus="orders")
        desk.say("this is to be read first", "hint")
    elif (top := scene.view.tops.get("orders", 0)) < (last := last_top(scene, "orders", box)):
        desk.show(tops={**scene.view.tops, "orders": min(last, top + max(1, box.height - 2))})
        desk.say("it goes on here; once more when it has been read", "hint")
    else:
        desk.run("ok")


def _who(scene: Scene, key: str) -> str:
    return who(scene.encounter, (key,))


def faces(desk: BaseDesk, rest: str) -> None:
    """The prompt for the faces of the next roll that is owed: first of the selected rows."""
    scene = desk.scene
    asks = [a for a in due(scene) if isinstance(a, RollAsk)]
    if not asks:
        desk.say("no roll is due", "warning")
        return
    wanted = {rest} if rest else {label(scene.encounter, k) for k in scene.view.selected}
    ask = next((a for a in asks if label(scene.encounter, a.who) in wanted), asks[0])
    stem = f"roll {quote(label(scene.encounter, ask.who))} "
    owes = " ".join(f"d{s}" for s in ask.dice)
    desk.show(mode=Prompt("faces", Editor.of(stem), stem, who=owes))


def write(desk: BaseDesk, rest: str) -> None:
    """The order form: of the row meant if it owes one or may write anew, else of the next that owes; else a line."""
    scene = desk.scene
    owing = [a.who for a in due(scene) if isinstance(a, FormAsk)]
    meant = _named(scene, rest) if rest else [_entry(scene, k) for k in targets(scene)]
    anew = [k for k in meant if scene.encounter.running and scene.system.order_fields(scene.encounter, k)]
    # A row nobody chose is only where the cursor happens to be: those who owe come before it.
    chosen = rest or scene.view.selected or scene.view.track or scene.view.roster
    first = [*(k for k in meant if k in owing), *(anew if chosen else []), *([] if rest else owing), *anew]
    if first:
        forms.open_form(desk, first[0])
    elif meant:
        desk.open_prompt(_written(scene, meant[0]))
    else:
        desk.say("nobody is selected", "warning")


def _named(scene: Scene, name: str) -> list[str]:
    """The entry of that name."""
    keys = dict.fromkeys(_entry(scene, k) for k in scene.encounter.combatants)
    return [k for k in keys if label(scene.encounter, k).lower() == name.strip('"').lower()]


def _entry(scene: Scene, key: str) -> str:
    """A creature's row: its group's, if it is in one."""
    return key_of(scene.encounter.combatants[key]) if key in scene.encounter.combatants else key


def _written(scene: Scene, key: str) -> str:
    """The line that writes an entry's order again."""
    rows = {o.who: o for o in scene.system.orders(scene.encounter)} if scene.encounter.running else {}
    text = rows[key].text if key in rows else {}
    keys = "".join(f" {k}={quote(v)}" for k, v in text.items() if v)
    return f"order {_who(scene, key)}{keys} "


def party(desk: BaseDesk) -> None:
    """The parties and prepared encounters of the library, each with who is in it; without one, how one is made."""
    library = desk.store.outlet.library
    items = tuple(
        Item(file.name, f"{verb} {quote(file.name)}", note=f"{before}{file.told}")
        for kind, verb, before in _ROSTERS
        for file in (library.rosters(kind) if library else ())
    )
    if items:
        desk.show(mode=Menu("Party, or encounter", items))
    else:
        desk.open_prompt("party ")
        desk.say(
            "no party is kept yet: :save party NAME keeps who is here, or name a file that ends in .toml",
            "hint",
        )


_ROSTERS: tuple[tuple[Roster, str, str], ...] = (("party", "party", ""), ("encounter", "load", "encounter: "))
"""The kinds of files that add several, the verb of each, and what stands before who is in it."""


def higher(desk: BaseDesk, rest: str) -> None:
    """Moves the row one place up."""
    del rest
    _shift(desk, -1, "before")


def lower(desk: BaseDesk, rest: str) -> None:
    """Moves the row one place down."""
    del rest
    _shift(desk, 1, "after")


def _shift(desk: BaseDesk, by: int, where: str) -> None:
    scene = desk.scene
    # The system's own rows: a row passes neither the members below another one nor those who are out.
    keys = [r.entry for r in scene.system.rows(scene.encounter)] if scene.encounter.running else []
    at = current_entry(scene)
    place = keys.index(at) + by if at in keys else -1
    if not 0 <= place < len(keys):
        desk.say("there is no row to pass", "hint")
    elif desk.run(f"move {_who(scene, at)} {where} {_who(scene, keys[place])}"):
        desk.show(track=at)


def go(desk: BaseDesk, rest: str) -> None:
    """Acts on the row under the cursor if it acts, may act or owes something; else says which key does what."""
    del rest
    scene = desk.scene
    if content(focus(scene)) == "steps":
        reading.open_step(desk, scene.view.log or scene.step)
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
        desk.run(f"turn {_enter_who(scene, act.who)}" if len(acts) > 1 else "next")
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
            read(desk, "")
        case LockAsk():
            _say(desk, "all orders are written", "lock")
        case RollAsk(who=key) if mine:
            desk.run(f"roll {_enter_who(scene, key)}")
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
            return Item(label(scene.encounter, act.who), f"turn {_enter_who(scene, act.who)}")
        case "pass":
            return Item("pass", "pass", key="p")
        case _:
            return Item(f"the next {act.kind}", "next", key="n")


def _enter_who(scene: Scene, key: str) -> str:
    return who(scene.encounter, (key,))


def _preset(desk: BaseDesk, names: Sequence[str]) -> tuple[str, ...]:
    """Those of a choice whose rows were selected before."""
    selected = {c.id for k in desk.view.selected for c in members(desk.store.encounter, k)}
    return tuple(k for k in names if k in selected or k in desk.view.selected)


def fallen(desk: BaseDesk, rest: str) -> None:
    """Take out exactly those at 0 hit points whom Now names, so nobody who is dying; where the system must know more, a menu asks."""
    del rest
    scene = desk.scene
    down = now_line.fallen(scene.encounter)
    if not down:
        desk.say("nobody is at 0 hit points who is not dying", "hint")
        return
    words = scene.system.instead(scene.encounter, "out", down) or "out {who}"
    line, whole = fill(words, scene, who(scene.encounter, down))
    if whole:
        desk.run(line)
    elif not choose(desk, words.split(" ")[0], line):
        desk.open_prompt(line)


def grouped(desk: BaseDesk, command: str, keys: tuple[str, ...]) -> bool:
    """The answer to the offer of one row for several, if the key is one: yes, or each stays for itself."""
    line = desk.scene.grouping
    if command == "group":
        desk.submit(line)
        return True
    if command != "ungroup" or any(c.group for k in keys for c in members(desk.store.encounter, k)):
        return False
    desk.show(declined=(*desk.view.declined, line))
    desk.say(f"they stay single; :{line} still makes them one row", "hint")
    return True


def choose(desk: BaseDesk, verb: str, line: str) -> bool:
    """A menu of the lines that a verb could mean now, those that begin as this one first; False where there are none."""
    scene = desk.scene
    found = scene.system.choices(scene.encounter, verb) if scene.encounter.running else ()
    if not found:
        return False
    # The row that is meant comes first, so that Enter takes what the row was chosen for.
    first = sorted(found, key=lambda choice: not f"{choice.line} ".startswith(line))
    items = tuple(Item(c.title, c.line, note=c.note, told=c.told, left=c.left) for c in first)
    desk.show(mode=Menu(verb, (*items, Item("another line", line, opens=True))))
    return True


def verbs(desk: BaseDesk, rest: str) -> None:
    """A menu of the system's own words, each by its key; or the word named."""
    scene = desk.scene
    verb = next((v for v in scene.system.verbs if v.name == rest), None)
    if verb:
        say_verb(desk, verb)
        return
    found = scene.system.verbs
    if not found:
        desk.say(f"{scene.system.title} has no words of its own", "hint")
        return
    items = tuple(Item(v.name, f"verbs {v.name}", v.key, note=v.help, told=f":{v.usage}") for v in found)
    desk.show(mode=Menu(scene.system.title, items))


def say_verb(desk: BaseDesk, verb: Verb) -> None:
    """A verb of the system is played: in its form, from a menu of its choices, at once if it is whole, else in the prompt."""
    if forms.open_verb(desk, verb.name):
        return
    scene = desk.scene
    line = _begun(scene, verb)
    if choose(desk, verb.name, line):
        return
    if verb.whole:
        desk.submit(line)
    else:
        desk.open_prompt(line)


def _begun(scene: Scene, verb: Verb) -> str:
    """The verb, and the rows that are meant where it takes a creature first."""
    if verb.whole:
        return verb.name
    keys = targets(scene)
    takes_who = verb.takes[:1] in (("who",), ("several",))
    return f"{verb.name} {who(scene.encounter, keys)} " if takes_who and keys else f"{verb.name} "
