"""The one table of commands: whole, without clashes, and everything else is made from it."""

from __future__ import annotations

import re

from msgspec.structs import replace

from tests.kit.keyboard import FIGHT, Player
from tui.core.language.grammar import verbs
from tui.systems import Registry
from tui.ui.desk.board import WORDS
from tui.ui.modes.menu import Menu
from tui.ui.modes.texts import manual
from tui.ui.state.commands import COMMANDS, GROUPS, KEYED_WORDS, keys_of, list_idle, with_keys
from tui.ui.state.settings import Settings

CONTRACT = {
    "n": "next",
    "r": "roll",
    "o": "order",
    "a": "add",
    "d": "damage",
    "+": "heal",
    "c": "condition",
    "space": "select",
    "enter": "go",
    "u": "undo",
    "ctrl+r": "redo",
    "/": "filter",
    ":": "line",
    "?": "help",
    "f1": "help",
    "tab": "panes",
    "shift+tab": "panes-back",
    "up": "up",
    "down": "down",
    "left": "left",
    "right": "right",
    "h": "left",
    "j": "down",
    "k": "up",
    "l": "right",
    "z": "zoom",
    "q": "quit",
    "p": "pass",
}
FORBIDDEN = {"ctrl+a", "ctrl+b", "ctrl+h", "ctrl+i", "ctrl+m", "ctrl+s", "ctrl+q", "ctrl+left_square_bracket"}


def test_the_keys_that_the_outside_counts_on() -> None:
    commands = keys_of().commands
    assert {key: commands[key].id for key in CONTRACT} == CONTRACT


def test_no_key_and_no_id_stands_twice() -> None:
    keys = [k for c in COMMANDS for k in c.keys]
    assert len(keys) == len(set(keys))
    assert len({c.id for c in COMMANDS}) == len(COMMANDS)


def test_no_key_that_multiplexers_swallow_or_that_some_keyboards_lack() -> None:
    for key in (k for c in COMMANDS for k in c.keys):
        assert key not in FORBIDDEN
        assert not key.startswith("alt+")
        assert not re.fullmatch(r"f\d+", key) or key == "f1"
        assert not key.isdigit() or key == "0", "a count never begins with 0"


def test_every_command_is_a_line_that_somebody_understands() -> None:
    for c in COMMANDS:
        for line in filter(None, (c.words, c.back)):
            assert line.split(" ")[0] in {*verbs(), *WORDS}, c.id
        assert c.group in GROUPS
        assert c.help
        assert c.hint


def test_no_word_of_the_screen_hides_a_word_of_the_fight() -> None:
    assert not set(WORDS) & set(verbs())


def test_remapped_keys_are_shown_and_leave_their_old_place() -> None:
    own = with_keys({"damage": ("r",), "next": ("space",), "higher": ("D",)})
    keys = keys_of(own)
    assert keys.commands["r"].id == "damage"
    assert keys.commands["D"].id == "higher", "any word can have a key"
    assert keys.commands["space"].id == "next"
    assert "d" not in keys.commands
    assert keys.shown["next"] == "Space"
    assert not next(c for c in own if c.id == "roll").keys
    table = "\n".join(f"{e.part} {e.head} {e.text}" for e in manual(own, Player().store.system))
    assert re.search(r" Space does what Now says", table)
    assert re.search(r" r deals damage", table)


def test_any_word_can_be_given_a_key() -> None:
    ids = [c.id for c in COMMANDS]
    for word in KEYED_WORDS:
        own = with_keys({word: ("ctrl+g",)})
        assert [c.id for c in own if c.keys == ("ctrl+g",)] == [word]
        assert len(own) == len(COMMANDS) + (word not in ids)
    p = Player(lines=FIGHT, settings=Settings(keys={"rename": ("ctrl+g",), "finish": ("Y",)})).press("Y")
    assert p.asked() == ["finish"]
    p.press("ctrl+g", "'Ana Anna'", "enter")
    assert p.asked() == ["rename Ana Anna"]


def test_every_command_can_be_found_in_the_palette_by_its_help() -> None:
    menu = Player(lines=FIGHT).press("ctrl+p").desk.view.mode
    assert isinstance(menu, Menu)
    lost = [
        c.id for c in COMMANDS if c.help not in {x.text for x in replace(menu, search=c.help).visible_items}
    ]
    assert sorted(lost) == sorted(
        ["go", "palette", *({*list_idle(Registry().get("classic"))} & {c.id for c in COMMANDS})]
    )


def test_a_command_from_the_palette_does_what_its_key_does() -> None:
    p = Player(lines=FIGHT).press("ctrl+p", "'ends the turn and goes'", "enter")
    assert p.asked() == ["next"]


def test_no_key_of_a_command_is_taken_from_a_system() -> None:
    """With two keys for its word, Now would send the GM through a menu for what a system does every turn."""
    systems = Registry()
    own = {
        verb.key: f"{name} {verb.name}"
        for name in systems.ids()
        for verb in systems.get(name).verbs
        if verb.key
    }
    assert {key: (own[key], c.id) for c in COMMANDS for key in c.keys if key in own} == {}
