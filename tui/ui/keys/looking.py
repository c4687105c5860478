"""What can be read about the fight: why a row stands where it stands, the rule behind Now, help, the palette."""

from __future__ import annotations

from typing import assert_never

from tui.core.base.errors import RuleError
from tui.core.fight.encounter import members
from tui.core.rules.now import now
from tui.ui.keys.base import BaseDesk
from tui.ui.panes.about import about, rule_text
from tui.ui.panes.copying import COPIES, Copy, copied
from tui.ui.panes.over.help import manual
from tui.ui.state.clocks import span, table
from tui.ui.state.finder.items import findable
from tui.ui.state.finder.manual import Manual
from tui.ui.state.layout import Pane, content
from tui.ui.state.numbers import LONGEST_TURN as MOST
from tui.ui.state.numbers import number
from tui.ui.state.scene import current
from tui.ui.state.view import Item, Menu, Page


def why(desk: BaseDesk, rest: str) -> None:
    """Why the current row stands where it stands, and all that is known of it."""
    del rest
    scene = desk.scene
    key = current(scene)
    if key:
        title, lines = about(scene, key, _conditions(desk, key))
        desk.show(mode=Page(title, lines, beside=True))
    else:
        desk.say("nobody is selected", "warning")


def _conditions(desk: BaseDesk, key: str) -> tuple[str, ...]:
    """What the conditions of a row do, in the library's words, each once."""
    library = desk.store.outlet.library
    names = dict.fromkeys(x.name for c in members(desk.store.encounter, key) for x in c.conditions)
    found = [library.condition(name) for name in names] if library else []
    return tuple(f"{known.name}: {known.text}" for known in found if known and known.text)


def rule(desk: BaseDesk, rest: str) -> None:
    """The clause named, or the one behind the Now line."""
    scene = desk.scene
    clause = rest or now(scene.encounter, scene.system).rule
    desk.show(mode=Page(clause or scene.system.title, rule_text(scene, clause), beside=True))


def help_(desk: BaseDesk, rest: str) -> None:
    """Keys as they are mapped, words, rules; searched for the rest of the line at once."""
    words = [(word.usage, word.help) for word in desk.services.words.values()]
    desk.show(mode=Manual(manual(desk.settings.commands, desk.store.system, words), rest))


def clock(desk: BaseDesk, rest: str) -> None:
    """How long turns take, by player."""
    del rest
    store = desk.store
    desk.show(mode=Page("Time", table(store, store.encounter, store.outlet.clock()), beside=True))


def times(desk: BaseDesk, rest: str) -> None:
    """Shows the clocks of turn and round in the header, or hides them."""
    del rest
    desk.show(clock=not desk.view.clock)
    if not desk.view.clock:
        desk.say("the clocks are hidden", "hint")
    elif desk.store.encounter.running:
        desk.say("the clocks go on with each key; :clock for each player's share", "hint")
    else:
        desk.say("clocks of turn and round stand in the header as soon as the fight begins", "hint")


def limit(desk: BaseDesk, rest: str) -> None:
    """Sets the limit of a turn in seconds; without a number it says which holds."""
    seconds = number(rest)
    if rest and (seconds is None or seconds > MOST):
        desk.say(f"a limit is in seconds, up to {MOST}: :limit 90; :limit 0 for none", "warning")
        return
    if seconds is not None:
        desk.limit.set(seconds, desk.store.encounter)
    now = desk.limit.seconds
    told = f"a bell rings when a turn takes longer than {span(now)}" if now else "turns have no limit"
    desk.say(f"{told}; :limit {0 if now else 90} {'ends that' if now else 'sets one, in seconds'}", "hint")


def copy(desk: BaseDesk, rest: str) -> None:
    """The line named (now, row, log), else that of the pane that was gone to, to the clipboard and into a file."""
    what = next((x for x in COPIES if x == rest), None) or _here(desk.view.focus)
    text = copied(desk.scene, desk.past, what)
    if not text:
        desk.say("there is nothing to copy", "hint")
        return
    clip(desk, text)


def clip(desk: BaseDesk, text: str) -> None:
    """Puts a text into the terminal's clipboard, and into a file."""
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
    """Everything that can be typed, found by the words that people use; the rest of the line is searched at once."""
    desk.show(
        mode=Menu(
            "Commands",
            findable(desk.scene, desk.store, desk.settings.commands, _more(desk)),
            typed=rest,
            narrow=True,
        )
    )


def _more(desk: BaseDesk) -> tuple[tuple[str, str], ...]:
    return tuple((word.usage, word.help) for word in desk.services.words.values())


def theme(desk: BaseDesk, rest: str) -> None:
    """The theme named; `keep` behind it keeps it. Without a name all of them, shown as the cursor comes by."""
    wardrobe = desk.services.wardrobe
    name, _, how = rest.partition(" ")
    try:
        if how == "keep":
            desk.say(f"{name} is kept in {wardrobe.keep(name)}", "ok")
        elif name:
            wardrobe.wear(name)
            desk.say(f":theme {name} keep keeps it", "hint")
        else:
            _themes(desk)
    except RuleError as error:
        desk.refused(error)


def _themes(desk: BaseDesk) -> None:
    wardrobe = desk.services.wardrobe
    now = wardrobe.worn()
    items = tuple(
        Item(
            title,
            f"theme {name} keep",
            label=name,
            peek=f"theme {name}",
            note="this one" if name == now else "",
        )
        for name, title in wardrobe.themes()
    )
    if not items:
        raise RuleError("there are no themes to choose from")
    at = next((i for i, item in enumerate(items) if item.label == now), 0)
    desk.show(mode=Menu("Themes", items, at, narrow=True, back=f"theme {now}"))


def config(desk: BaseDesk, rest: str) -> None:
    """The user's settings: their file, and every value."""
    del rest
    lines = desk.services.settings()
    if lines:
        desk.show(mode=Page("Settings", lines))
    else:
        desk.say("there are no settings here", "hint")
