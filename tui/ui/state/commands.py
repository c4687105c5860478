"""The table of commands: id, keys, the line of each, help.

Bindings, hints, palette, help and the key tables of README and manual are made from it. In a line `{who}`
stands for the selected rows or the current one, `{n}` for an amount and `{rest}` for more words, which are
asked for if they are missing; `{count}` and `{selected}` may be empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.agenda import Verb
from tui.core.language import grammar
from tui.core.language.spoken import SYNONYMS
from tui.core.rules.optional import Orders
from tui.core.rules.system import InitiativeSystem
from tui.ui.state.view import PromptKind

Group = Literal["play", "creatures", "time", "looking"]

GROUPS: dict[Group, str] = {
    "play": "Playing", "creatures": "Creatures", "time": "Back and forth", "looking": "Looking and moving",
}  # fmt: skip


class Command(Struct, frozen=True):
    """A key and the command line that it stands for."""

    id: str
    keys: tuple[str, ...]
    words: str
    """The command line."""
    help: str
    """What the command does; in the table "" for what the language says of the verb."""
    hint: str
    """The word in the hint row."""
    group: Group
    toggle: str = ""
    """The attribute of a creature that the command sets; if all targets have it, `back` is sent instead."""
    back: str = ""
    member: bool = False
    """Whether the command asks for one member if the current row has several creatures."""
    asks: bool = False
    """Whether the line is put into the prompt, and sent only by Enter."""
    kind: PromptKind = "line"
    """The kind of the prompt that `asks` opens."""
    answers: tuple[str, ...] = ()
    """Further verbs: if the Now line shows one of them, it shows this command's key."""

    @property
    def also(self) -> str:
        """Further words by which a search finds the command."""
        return SYNONYMS.get(self.id, "")


_TABLE: tuple[Command, ...] = (
    Command("go", ("enter",), "go",
        "does what the row needs: its turn, roll or order; the acting row lists its attacks and acts, any "
        "other shows its card; in the log it shows the whole step",
        "act", "play",
        answers=("turn", "pick")),
    Command("next", ("n",), "go-on {count}",
        "does what Now says: begins, ends the turn and starts the next, opens the choice of turns, the dice, "
        "the next form",
        "next", "play",
        answers=("next", "lock", "ok")),
    Command("begin", ("b",), "begin", "", "begin", "play"),
    Command("roll", ("r",), "roll {selected}",
        "rolls for creatures that are not PCs, then asks for the PCs; or rolls for the selected rows",
        "roll", "play",
        answers=("apply",)),
    Command("totals", ("#",), "totals",
        "lists all owed rolls: type totals that players call (the same key switches to faces), saves made or "
        "failed, the number of an effect; if none is owed, lists what was rolled, to correct it",
        "totals", "play"),
    Command("leave-out", (), "leave-out", grammar.summary("skip"), "skip", "play", answers=("skip",)),
    Command("order", ("o",), "write", "opens the order form", "order", "play", answers=("order",)),
    Command("ok", (), "read",
        "confirms that all have read the page: shows the next, or goes on with the fight", "read", "play",
        answers=("ok",)),
    Command("pass", ("p",), "pass", "", "pass", "play"),
    Command("done", ("N",), "all-done", grammar.summary("done"), "all done", "play", answers=("done",)),
    Command("hold", (",",), "hold {who}",
        "delays the turn until later in the round", "hold", "play"),
    Command("act", (".",), "act-when", "acts after delaying: now, or after the running turn", "act", "play",
        answers=("act",)),
    Command("fallen", ("!",), "fallen",
        "takes out the creatures at 0 hit points that Now names", "out at 0", "play", answers=("out",)),
    Command("over", ("Q",), "over",
        "ends the fight: Enter lets the foes go and keeps the party, letters change each part",
        "finish, rest", "play",
        answers=("finish", "rest")),
    Command("react", ("f",), "react {who} with {rest}", "", "react", "play", asks=True),
    Command("verbs", (), "verbs", "lists the other lines of this system", "more", "play"),
    Command("add", ("a",), "add {count} {rest}",
        "adds combatants, a line each", "add", "creatures", kind="add"),
    Command("party", ("P",), "party {rest}", "", "party", "creatures"),
    Command("import", (), "import",
        "imports creatures from files of other tools and shows them before they are kept",
        "import", "creatures"),
    Command("damage", ("d",), "damage {who} {n}",
        "deals damage", "damage", "creatures", member=True, kind="points"),
    Command("heal", ("+",), "heal {who} {n}", "", "heal", "creatures", member=True, kind="points"),
    Command("attack", ("'",), "attacks",
        "lists the attacks of the creature that acts, or of the row: "
        "a digit, a digit for the target (Enter: the last one), Enter; 14 9 before it: the dice of the table",
        "attack", "creatures", answers=("attack",)),
    Command("area", ("*",), "blast",
        "deals damage to many, with a save each: targets, damage, DC; then the list of saves",
        "area", "creatures", answers=("area",)),
    Command("stable", (), "stable {who}", "", "stable", "creatures", member=True),
    Command("temp", ("t",), "temp {who} {n}", "", "temporary", "creatures", member=True, kind="points"),
    Command("condition", ("c",), "condition {who} {rest}",
        "gives a condition; 2c for two rounds", "condition", "creatures", member=True, kind="condition"),
    Command("clear", (), "clear {who} {rest}", "", "clear", "creatures", member=True),
    Command("counters", (), "counters",
        "lists the row's counters: spend, restore, add", "counters", "creatures"),
    Command("card", (), "card",
        "writes the row's card", "card", "creatures"),
    Command(
        "out", ("x",), "out {who}", "takes the row out of the fight (down, fled, dead), or brings it back",
        "out", "creatures",
        toggle="out", back="back {who}", member=True),
    Command(
        "hide", (), "hide {who}", "hides the row from the players, or shows it", "hide", "creatures",
        toggle="hidden", back="reveal {who}"),
    Command("edit", ("i",), "set {who} {rest}", "", "edit", "creatures"),
    Command("group", ("&",), "group {who} {rest}", "", "group", "creatures"),
    Command("ungroup", (), "ungroup {who}", "", "ungroup", "creatures"),
    Command("remove", (), "remove {who}", "", "remove", "creatures", asks=True),
    Command("higher", (), "higher", "moves the row one place up", "row up", "creatures"),
    Command("lower", (), "lower", "moves the row one place down", "row down", "creatures"),
    Command("undo", ("u",), "undo {count} mine=yes",
        "undoes your last step; 3u undoes three", "undo", "time"),
    Command("redo", ("ctrl+r",), "redo {count}", "redoes what was undone, with the same dice",
        "redo", "time"),
    Command("line", (":",), "line", "takes any line, in words", "line", "looking"),
    Command("aim", ("-",), "aim {count}",
        "shows a letter for each row, and that letter goes there; 15-s takes 15 hit points from row s",
        "row", "looking"),
    Command("select", ("space",), "select",
        "selects the row for the next command", "select", "looking"),
    Command("filter", ("/",), "filter",
        "goes to the row that matches what you type, and shows only such rows until Esc", "find", "looking"),
    Command("why", ("w",), "why",
        "shows why the row has its place", "why", "looking"),
    Command("rule", (), "rule", "shows the rule behind the Now line", "rule", "looking"),
    Command("help", ("?", "f1"), "help", "opens this help", "help", "looking"),
    Command("palette", ("ctrl+p",), "palette",
        "finds a command by its words", "commands", "looking"),
    Command("panes", ("tab",), "panes", "the next pane", "panes", "looking"),
    Command("panes-back", ("shift+tab",), "panes back", "the pane before", "panes", "looking"),
    Command("left", ("left", "h"), "left", "the pane to the left", "left", "looking"),
    Command("right", ("right", "l"), "right", "the pane to the right", "right", "looking"),
    Command("up", ("up", "k"), "up {count}", "a row up", "up", "looking"),
    Command("down", ("down", "j"), "down {count}", "a row down", "down", "looking"),
    Command("page-up", ("pageup",), "pageup", "a page up", "page up", "looking"),
    Command("page-down", ("pagedown",), "pagedown", "a page down", "page down", "looking"),
    Command("top", ("g", "home"), "top", "the first row", "top", "looking"),
    Command("bottom", ("G", "end"), "bottom {count}", "the last row; 10G: row ten", "bottom", "looking"),
    Command("zoom", ("z",), "zoom", "shows the pane alone, or all again", "zoom", "looking"),
    Command("mask", ("ctrl+t",), "mask", "hides all orders on the screen, or shows them", "mask", "looking"),
    Command("repaint", ("ctrl+l",), "repaint", "draws the whole screen again", "repaint", "looking"),
    Command("theme", (), "theme", "lists the themes", "theme", "looking"),
    Command("suspend", ("ctrl+z",), "suspend", "suspends the program; fg in the shell returns", "suspend",
        "looking"),
    Command("escape", ("escape", "ctrl+c"), "escape",
        "goes one step back: count, selection, filter, zoom", "back", "looking"),
    Command("quit", ("q",), "quit",
        "quits, or returns to the start screen as your settings say; every step is saved",
        "quit", "looking"),
)  # fmt: skip
COMMANDS = tuple(c if c.help else replace(c, help=grammar.summary(c.words.split(" ")[0])) for c in _TABLE)

_AT_START = {"go": "opens the fight, or does what Now says", "escape": "shows all rows", "quit": "leaves"}
"""The help of commands that do something else on the start screen."""
_START_TOO = ("filter", "line", "panes", "panes-back", "left", "right", "up", "down", "page-up", "page-down",
              "top", "bottom", "help", "palette", "repaint", "suspend")  # fmt: skip
"""Ids of the commands that do the same in a fight and on the start screen."""
START_ALONE: tuple[Command, ...] = (
    Command("copy-fight", ("c",), "copy", "copies the fight under another name", "copy", "creatures"),
    Command("rename", ("R",), "rename", "gives the fight another name", "rename", "creatures"),
    Command("trash", ("x", "delete"), "trash",
        "moves the fight to the trash, where it can be restored", "trash", "creatures"),
)  # fmt: skip
"""Commands of the start screen only."""
START_COMMANDS: tuple[Command, ...] = (
    *START_ALONE,
    *(replace(c, help=_AT_START.get(c.id, c.help)) for c in COMMANDS if c.id in (*_AT_START, *_START_TOO)),
)
"""All commands of the start screen."""


def start_commands(commands: Iterable[Command] = COMMANDS) -> tuple[Command, ...]:
    """Return the commands of the start screen with the keys of a fight; no key has two commands."""
    keys = {c.id: c.keys for c in commands}
    keys_in_use = {key for c in START_COMMANDS for key in keys.get(c.id, ())}
    return tuple(
        replace(c, keys=keys.get(c.id, tuple(k for k in c.keys if k not in keys_in_use)))
        for c in START_COMMANDS
    )


NO_SHELL = "there is no shell to return to: nothing would continue a stopped program here"

TAKE_OVER_KEY = "t"
"""The key that takes over a read-only fight."""

KEY_WORDS = {"enter": "Enter", "space": "Space", "escape": "Esc", "tab": "Tab", "shift+tab": "shift+Tab",
         "f1": "F1",
         "up": "Up", "down": "Down", "left": "Left", "right": "Right", "pageup": "PgUp", "pagedown": "PgDn",
         "home": "Home", "end": "End"}  # fmt: skip


class Keys(Struct, frozen=True):
    """The commands by key and by id."""

    commands: Mapping[str, Command]
    by_id: Mapping[str, Command]
    shown: Mapping[str, str]
    """The first key of each command, by id."""
    verbs: Mapping[str, str]
    """The key of each verb in the Now line."""
    labels: Mapping[str, str]
    """The short word of each command, by id."""
    asking: Mapping[str, Command]
    """The command that asks for the rest of a line, by the line's first word."""

    def of_verb(self, verb: Verb) -> str:
        """Return the key of a system's verb, after what opens the menu if a command has the same key."""
        return f"{self.shown.get('verbs', ':verbs')} {verb.key}" if verb.key in self.commands else verb.key


def show_key(key: str) -> str:
    """Return a key as it is shown."""
    return KEY_WORDS.get(key, key)


KEYED_WORDS: tuple[str, ...] = tuple(dict.fromkeys((*(c.id for c in COMMANDS), *grammar.verbs())))
"""What a key can be given to: the ids of commands, and the first words of lines."""


def with_keys(own: Mapping[str, tuple[str, ...]]) -> tuple[Command, ...]:
    """Return the table with the user's keys, by the names of `KEYED_WORDS`; they must have been checked.

    A word that no command stands for becomes one, which asks for the rest of its line.
    """
    keys_in_use = {key for keys in own.values() for key in keys}
    # A key that the user has changed is removed from its old command, so that no key has two.
    table = tuple(
        replace(c, keys=own.get(c.id, tuple(k for k in c.keys if k not in keys_in_use))) for c in COMMANDS
    )
    return (*table, *(_make_command(x, keys) for x, keys in own.items() if x not in {c.id for c in table}))


def _make_command(verb: str, keys: tuple[str, ...]) -> Command:
    line = f"{verb} {{rest}}" if grammar.needs_words(verb) else verb
    return Command(verb, keys, line, grammar.summary(verb), verb, "play")


def list_idle(system: InitiativeSystem) -> Collection[str]:
    """Return the ids of the commands that a system can never use."""
    idle: set[str] = set()
    if not isinstance(system, Orders):
        idle |= {"order", "lock", "unlock", "ok", "mask"}
    if not system.delays:
        idle |= {"hold", "act"}
    if not system.passes:
        idle.add("pass")
    if type(system).side_acts_whole is InitiativeSystem.side_acts_whole:
        idle.add("done")
    return idle


def usable(commands: Iterable[Command], system: InitiativeSystem) -> tuple[Command, ...]:
    """Return the table without the keys of commands that a system can never use."""
    idle = list_idle(system)
    return tuple(replace(c, keys=()) if c.id in idle else c for c in commands)


def keys_of(commands: Iterable[Command] = COMMANDS) -> Keys:
    """Return the table as a lookup by key."""
    by_key: dict[str, Command] = {}
    by_id: dict[str, Command] = {}
    first: dict[str, str] = {}
    verbs: dict[str, str] = {}
    labels: dict[str, str] = {}
    answered: dict[str, str] = {}
    asking: dict[str, Command] = {}
    for c in commands:
        word = c.words.split(" ")[0]
        if any(part in c.words for part in ("{who}", "{n}", "{rest}")):
            asking[word] = c
        elif c.id != "go" and word not in grammar.verbs():
            asking.update((verb, c) for verb in c.answers if grammar.needs_words(verb))
        by_id[c.id] = c
        labels[c.id] = c.hint
        by_key.update(dict.fromkeys(c.keys, c))
        if c.keys:
            first[c.id] = show_key(c.keys[0])
            verbs.setdefault(word, first[c.id])
            answered.update(dict.fromkeys(c.answers, first[c.id]))
    # Last: the key for a word of Now goes before one that merely begins with it.
    verbs |= answered
    return Keys(by_key, by_id, first, verbs, labels, asking)


def key_table(commands: Iterable[Command] = COMMANDS) -> Iterable[tuple[str, str, str]]:
    """Yield keys, command line and help, for `tocsin keys`, the README and the manual."""
    for c in commands:
        yield " ".join(show_key(k) for k in c.keys), c.words, c.help
