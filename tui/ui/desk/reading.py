"""Open what can be read of the fight: reasons, rules, help, palette, a step of the log."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.encounter import members
from tui.core.rules.now import now
from tui.manual import chapters
from tui.ui.desk.base import BaseDesk
from tui.ui.rows.texts import COPIES, Copy, about, copied, manual, rule_text
from tui.ui.state.clocks import span, table
from tui.ui.state.layout import Pane, content
from tui.ui.state.messages import unread
from tui.ui.state.scene import current
from tui.ui.state.search import findable
from tui.ui.state.view import Explained, Item, Manual, Menu, Page, StepPage
from tui.ui.text.press import LONGEST_TURN as MOST
from tui.ui.text.press import Press, number


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
    """Return what the conditions of a row do, in the library's words, each once."""
    library = desk.store.outlet.library
    names = dict.fromkeys(x.name for c in members(desk.store.encounter, key) for x in c.conditions)
    found = [library.condition(name) for name in names] if library else []
    return tuple(f"{known.name}: {known.text}" for known in found if known and known.text)


def rule(desk: BaseDesk, rest: str) -> None:
    """Show the clause named, or the one behind the Now line."""
    scene = desk.scene
    clause = rest or now(scene.encounter, scene.system).rule
    desk.show(mode=Page(clause or scene.system.title, rule_text(scene, clause), beside=True))


def help_(desk: BaseDesk, rest: str) -> None:
    """Open keys as they are mapped, words, rules and chapters, searched for the rest of the line."""
    words = [(word.usage, word.help) for word in desk.services.words.values()]
    entries = manual(desk.settings.commands, desk.store.system, words)
    whole = (Explained("Chapters of the manual", c.name, c.title, chapter=c.text) for c in chapters())
    desk.show(mode=Manual((*entries, *whole), rest))


def clock(desk: BaseDesk, rest: str) -> None:
    """How long turns take, by player."""
    del rest
    store = desk.store
    desk.show(mode=Page("Time", table(store, store.encounter, store.outlet.clock()), beside=True))


def times(desk: BaseDesk, rest: str) -> None:
    """Show the clocks of turn and round in the header, or hide them."""
    del rest
    desk.show(clock=not desk.view.clock)
    if not desk.view.clock:
        desk.say("the clocks are hidden", "hint")
    elif desk.store.encounter.running:
        desk.say("the clocks go on with each key; :clock for each player's share", "hint")
    else:
        desk.say("clocks of turn and round stand in the header as soon as the fight begins", "hint")


def limit(desk: BaseDesk, rest: str) -> None:
    """Set the limit of a turn in seconds; without a number show the one that holds."""
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
    """Copy the line named (now, row, log), else that of the pane, to the clipboard and into a file."""
    what = next((x for x in COPIES if x == rest), None) or _here(desk.view.focus)
    text = copied(desk.scene, desk.past, what)
    if not text:
        desk.say("there is nothing to copy", "hint")
        return
    clip(desk, text)


def clip(desk: BaseDesk, text: str) -> None:
    """Put a text into the terminal's clipboard, and into a file."""
    # The terminal never says whether it took it, so the file is written as well.
    desk.services.clip(text)
    try:
        where = desk.services.copy(text)
    except OSError as error:
        desk.say(f"sent to the clipboard; no file: {error.strerror}", "warning")
        return
    desk.say("sent to the clipboard" + (f" and written to {where}" if where else ""), "hint")


def _here(pane: Pane | None) -> Copy:
    """Return what is copied from the pane that was gone to; the Now line while none was."""
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
    """Open the palette: everything that can be typed, found by the words that people use."""
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
    """Show the theme named; `keep` behind it keeps it. Without a name open a menu of all."""
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
    """Show the user's settings: their file, and every value."""
    del rest
    lines = desk.services.settings()
    if lines:
        desk.show(mode=Page("Settings", lines))
    else:
        desk.say("there are no settings here", "hint")


PAGE = 10
MOST_ROWS = 100_000
_SCROLL = {"pagedown": PAGE, "space": PAGE, "pageup": -PAGE, "home": -MOST_ROWS, "end": MOST_ROWS}


def open_step(desk: BaseDesk, step: int) -> None:
    """Show a step whole."""
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
    """Return the local time of day of a moment in RFC 3339."""
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
