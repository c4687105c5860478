"""Keys on the board, where each is a command, and the words of the screen itself."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from tui.core.fight.agenda import Verb
from tui.ui.keys import choosing, moving, playing
from tui.ui.keys.base import BaseDesk
from tui.ui.keys.creatures import area
from tui.ui.state.commands import NO_SHELL, Command
from tui.ui.state.editor import Editor
from tui.ui.state.numbers import DIGITS, number
from tui.ui.state.press import Press
from tui.ui.state.targets import fill, line_of, several, targets, who
from tui.ui.state.view import Kind, Prompt

Word = Callable[[BaseDesk, str], None]
"""What a word of the screen does, given the rest of its line."""

MOST_DIGITS = 4
MOST_REPEATS = 100
TAKE = "t"
"""The key of who only looks on at a fight, and would go on with it."""


def command_of(desk: BaseDesk, name: str) -> Command | None:
    """Return the command that a key means on the board; None for a digit of the count and for all other keys."""
    if counts(desk, name) or (name == TAKE and may_take(desk)):
        return None
    return desk.keys.commands.get(name)


def verb_of(desk: BaseDesk, name: str) -> Verb | None:
    """Return the verb of the running system that a key means on the board; commands go first."""
    if counts(desk, name) or (name == TAKE and may_take(desk)) or name in desk.keys.commands:
        return None
    return next((v for v in desk.store.system.verbs if v.key == name), None)


def counts(desk: BaseDesk, name: str) -> bool:
    """Return whether a key is a digit of the count, which never begins with 0: that key stays free for a command."""
    return name in DIGITS and (name != "0" or bool(desk.view.count))


def may_take(desk: BaseDesk) -> bool:
    """Return whether the fight is only looked at, and can be taken over."""
    return bool(desk.services.watching().word) and "take" in desk.services.words


def perform(desk: BaseDesk, command: Command) -> None:
    """Run a command with the count that was typed before it."""
    play(desk, command)
    desk.show(count="")


def perform_verb(desk: BaseDesk, verb: Verb) -> None:
    """Say a verb of the system."""
    choosing.say_verb(desk, verb)
    desk.show(count="")


def press(desk: BaseDesk, key: Press) -> None:
    """Take a key that means no command and no verb: a digit of the count, taking over, or nothing."""
    name = key.name
    if key.char and counts(desk, name):
        desk.show(count=(desk.view.count + name)[:MOST_DIGITS])
        return
    if name == TAKE and may_take(desk):
        desk.open_prompt("take")
        desk.say("Enter takes this fight over, its writer is asked to leave; Esc looks on")
    elif key.char:
        desk.say(f"{name} means nothing here; ? lists the keys", "hint")
    desk.show(count="")


def play(desk: BaseDesk, command: Command) -> None:
    """Runs the line of a command."""
    scene = desk.scene
    words = line_of(command, scene)
    # Words of the screen are never asked for more, and take the count themselves.
    if words.split(" ")[0] in WORDS:
        desk.submit(words.replace("{count}", scene.view.count).strip())
        return
    keys = targets(scene)
    if command.id == "party" and not scene.view.count:
        playing.party(desk)
        return
    if scene.grouping and not scene.view.selected and choosing.grouped(desk, command.id, keys):
        return
    if "{who}" in words and not keys:
        desk.say("nobody is selected", "warning")
        return

    if area.fall(desk, words):
        return
    members = several(scene) if command.member else ()
    if members:
        _ask_member(desk, words, members, (keys, command.kind))
        return
    line, whole = fill(words, scene, who(scene.encounter, keys))
    if command.asks and choosing.choose(desk, words.split(" ")[0], line):
        return
    if not whole or command.asks:
        desk.open_prompt(line, command.kind)
        return
    _send(desk, line, (number(scene.view.count) or 1) if "{" not in words else 1)


def _send(desk: BaseDesk, line: str, times: int) -> None:
    for _ in range(min(times, MOST_REPEATS)):
        # The first refusal stops the rest: five times `next` must not run past a roll that is due.
        if not desk.submit(line):
            return


def _ask_member(
    desk: BaseDesk, words: str, members: tuple[str, ...], row: tuple[tuple[str, ...], Kind]
) -> None:
    """A row of several: the first living member is preset, `A` takes all."""
    scene = desk.scene
    whole, kind = row
    lines = [fill(words, scene, who(scene.encounter, (m,)))[0] for m in members]
    everybody = fill(words, scene, who(scene.encounter, whole))[0]
    desk.open_prompt(lines[0], kind, (*lines, everybody))


def line(desk: BaseDesk, rest: str) -> None:
    """The prompt."""
    desk.open_prompt(rest)


def find(desk: BaseDesk, rest: str) -> None:
    """The filter: at once with words, else typed."""
    if rest:
        desk.show(filter=rest)
    else:
        desk.show(mode=Prompt("filter", Editor.of(desk.view.filter)))


def quit_(desk: BaseDesk, rest: str) -> None:
    """Leaves; asks first only while a line could not be saved."""
    if desk.view.unsaved and rest != "anyway":
        desk.open_prompt("quit anyway")
        desk.say("a line is not saved: Enter leaves without it, Esc stays", "error")
        return
    desk.services.leave()


def suspend(desk: BaseDesk, rest: str) -> None:
    """Back to the shell, if there is one."""
    del rest
    if not desk.services.suspend():
        desk.say(NO_SHELL)


def named(desk: BaseDesk, rest: str) -> None:
    """The command of that id, as its key would play it."""
    command = next((c for c in desk.settings.commands if c.id == rest), None)
    if command:
        play(desk, command)


def _late(module: str, word: str) -> Word:
    """A word whose module is loaded when it is first said."""

    def said(desk: BaseDesk, rest: str) -> None:
        getattr(import_module(f"tui.ui.desk.{module}"), word)(desk, rest)

    return said


WORDS: dict[str, Word] = {
    "go": _late("tui.ui.keys.enter", "go"), "read": _late("tui.ui.keys.playing", "read"), "faces": _late("tui.ui.keys.playing", "faces"), "write": _late("tui.ui.keys.playing", "write"), "verbs": _late("tui.ui.keys.choosing", "verbs"),
    "fallen": _late("tui.ui.keys.choosing", "fallen"),
    "higher": _late("tui.ui.keys.playing", "higher"), "lower": _late("tui.ui.keys.playing", "lower"), "select": moving.select, "all": moving.everybody,
    "panes": moving.panes, "left": moving.left, "right": moving.right, "up": moving.up, "down": moving.down,
    "pageup": moving.page_up, "pagedown": moving.page_down, "top": moving.top, "bottom": moving.bottom,
    "zoom": moving.zoom, "escape": moving.escape, "mask": moving.mask, "line": line, "filter": find,
    "why": _late("tui.ui.keys.looking", "why"), "rule": _late("tui.ui.keys.looking", "rule"), "help": _late("tui.ui.keys.looking", "help_"), "palette": _late("tui.ui.keys.looking", "palette"),
    "theme": _late("tui.ui.keys.looking", "theme"), "config": _late("tui.ui.keys.looking", "config"), "clock": _late("tui.ui.keys.looking", "clock"), "odds": _late("tui.ui.keys.telling", "forecast"), "story": _late("tui.ui.keys.telling", "tale"), "times": _late("tui.ui.keys.looking", "times"), "limit": _late("tui.ui.keys.looking", "limit"), "copy": _late("tui.ui.keys.looking", "copy"), "fold": moving.fold,
    "repaint": lambda desk, _: desk.services.repaint(), "suspend": suspend, "quit": quit_, "q": quit_,
    "command": named, "import": _late("tui.ui.keys.importing", "begin"),
    "spend": _late("tui.ui.keys.creatures.counters", "spend"), "counters": _late("tui.ui.keys.creatures.counters", "counters"), "secret": _late("tui.ui.keys.creatures.sight", "secret"), "card": _late("tui.ui.keys.creatures.cards", "write"), "pin": _late("tui.ui.keys.creatures.cards", "pin"), "card-scroll": _late("tui.ui.keys.creatures.cards", "scroll"),
}  # fmt: skip
"""The screen's own words."""
