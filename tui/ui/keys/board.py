"""Keys on the board, where each is a command, and the words of the screen itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.core.fight.errors import RuleError
from tui.store.problems import NotSaved
from tui.ui.keys import looking, moving, playing
from tui.ui.state.commands import Command
from tui.ui.state.editor import Editor
from tui.ui.state.press import Press
from tui.ui.state.targets import fill, line_of, several, targets, who
from tui.ui.state.view import Kind, Prompt

if TYPE_CHECKING:
    from tui.ui.keys.desk import Desk

MOST_DIGITS = 4
MOST_REPEATS = 100
_KINDS: dict[str, Kind] = {"damage": "points", "heal": "points", "temp": "points", "condition": "condition"}


def press(desk: Desk, key: Press) -> None:
    """One key: a digit of the count, a command, or a word of the system's own."""
    name = key.name
    if name.isdigit() and (name != "0" or desk.view.count):
        desk.show(count=(desk.view.count + name)[:MOST_DIGITS])
        return
    command = desk.keys.commands.get(name)
    verb = next((v for v in desk.store.system.verbs if v.key == name), None)
    if command:
        play(desk, command)
    elif verb:
        playing.say_verb(desk, verb)
    elif key.char:
        desk.say(f"{name} means nothing here; ? lists the keys", "hint")
    desk.show(count="")


def play(desk: Desk, command: Command) -> None:
    """What a command's line does."""
    scene = desk.scene
    words = line_of(command, scene)
    if words.split(" ")[0] in WORDS:
        submit(desk, words.replace("{count}", scene.view.count).strip())
        return
    keys = targets(scene)
    if command.id == "group" and scene.grouping and not scene.view.selected:
        submit(desk, scene.grouping)
        return
    if "{who}" in words and not keys:
        desk.say("nobody is selected", "warning")
        return
    kind = _KINDS.get(command.id, "line")
    members = several(scene) if command.member else ()
    if members:
        _ask_member(desk, words, members, (keys, kind))
        return
    line, whole = fill(words, scene, who(scene.encounter, keys))
    if not whole or command.asks:
        open_prompt(desk, line, kind)
        return
    _send(desk, line, int(scene.view.count or 1) if "{" not in words else 1)


def _send(desk: Desk, line: str, times: int) -> None:
    for _ in range(min(times, MOST_REPEATS)):
        if not submit(desk, line):
            return
    desk.show(selected=())


def _ask_member(desk: Desk, words: str, members: tuple[str, ...], row: tuple[tuple[str, ...], Kind]) -> None:
    """A row of several: the first living member is preset, `A` takes all."""
    scene = desk.scene
    whole, kind = row
    lines = [fill(words, scene, who(scene.encounter, (m,)))[0] for m in members]
    everybody = fill(words, scene, who(scene.encounter, whole))[0]
    open_prompt(desk, lines[0], kind, (*lines, everybody))


def open_prompt(desk: Desk, line: str, kind: Kind = "line", members: tuple[str, ...] = ()) -> None:
    """The prompt, with a line begun."""
    desk.show(mode=Prompt(kind, Editor.of(line), line, members))


def submit(desk: Desk, line: str) -> bool:
    """A line of the screen's own words, of the program's, or of the fight's; whether it was accepted."""
    word, _, rest = line.strip().partition(" ")
    if word in WORDS:
        desk.show(mode=None)
        WORDS[word](desk, rest.strip())
        return True
    if word in desk.services.words:
        return _program(desk, word, rest.strip())
    return desk.run(line)


def _program(desk: Desk, word: str, rest: str) -> bool:
    try:
        desk.say(desk.services.words[word].does(rest), "ok")
        desk.show(fault="", mode=None)
    except RuleError as error:
        desk.refused(error)
        return False
    except NotSaved as error:
        desk.say(f"{error}; {error.hint}", "error")
        return False
    return True


def line(desk: Desk, rest: str) -> None:
    """The prompt."""
    open_prompt(desk, rest)


def find(desk: Desk, rest: str) -> None:
    """The filter: at once with words, else typed."""
    if rest:
        desk.show(filter=rest)
    else:
        desk.show(mode=Prompt("filter", Editor.of(desk.view.filter)))


def quit_(desk: Desk, rest: str) -> None:
    """Leave; asks only while a line could not be saved."""
    if desk.view.unsaved and rest != "anyway":
        open_prompt(desk, "quit anyway")
        desk.say("a line is not saved: Enter leaves without it, Esc stays", "error")
        return
    desk.services.leave()


def named(desk: Desk, rest: str) -> None:
    """The command of that id, as its key would play it."""
    command = next((c for c in desk.settings.commands if c.id == rest), None)
    if command:
        play(desk, command)


WORDS: dict[str, Callable[[Desk, str], None]] = {
    "go": playing.go, "faces": playing.faces, "write": playing.write, "verbs": playing.verbs,
    "fallen": playing.fallen,
    "higher": playing.higher, "lower": playing.lower, "mark": moving.mark, "all": moving.everybody,
    "panes": moving.panes, "left": moving.left, "right": moving.right, "up": moving.up, "down": moving.down,
    "pageup": moving.page_up, "pagedown": moving.page_down, "top": moving.top, "bottom": moving.bottom,
    "zoom": moving.zoom, "escape": moving.escape, "mask": moving.mask, "line": line, "filter": find,
    "why": looking.why, "rule": looking.rule, "help": looking.help_, "palette": looking.palette,
    "clock": looking.clock, "times": looking.times, "copy": looking.copy, "fold": moving.fold,
    "repaint": lambda desk, _: desk.services.repaint(), "suspend": lambda desk, _: desk.services.suspend(), "quit": quit_, "q": quit_,
    "command": named,
}  # fmt: skip
"""Words of the screen itself."""
