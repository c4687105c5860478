"""Keys of play: go on, faces from the table, forms, choices, rows moved by hand."""

from __future__ import annotations

from tui.core.fight.agenda import FormAsk, RollAsk
from tui.core.fight.encounter import key_of, label
from tui.core.language.tokens import quote
from tui.store.effects import Roster
from tui.ui.keys import forms
from tui.ui.keys.base import BaseDesk
from tui.ui.panes.drawing import last_top
from tui.ui.state.editor import Editor
from tui.ui.state.scene import Scene, current_entry, due, must_read
from tui.ui.state.targets import targets, who
from tui.ui.state.view import Item, Menu, Prompt


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
