"""What a Textual developer finds.

Panes, bindings, actions, themes, screens, and the private names that are used.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import _compositor
from textual.app import App
from textual.screen import Screen

from tests.kit.keyboard import FIGHT
from tests.kit.opened import FightApp
from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.kit.visitor import REGISTRY, TOLD, Doors, SaveFolder
from tui.core.base.errors import RuleError
from tui.store import shelf as saves
from tui.store.opening import create_save
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.app.app import SurfaceScreen, key_names, keymap_of
from tui.ui.app.wired import key_name
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import Services
from tui.ui.desk.start_desk import Offered, StartDesk
from tui.ui.settings.themes import load_themes
from tui.ui.state.commands import COMMANDS, START_COMMANDS, start_commands, with_keys
from tui.ui.state.settings import Settings
from tui.ui.text.palette import Palette
from tui.ui.text.press import Press

PALETTES: Mapping[str, Palette] = load_themes()

PRIVATE: dict[object, tuple[str, ...]] = {
    App: (
        "_check_bindings",
        "_display",
        "_handle_exception",
        "_close_messages_no_wait",
        "_set_pointer_shape",
    ),
    _compositor: ("ChopsUpdate", "LayoutUpdate"),
}
"""Names of Textual that are no promise of its: methods that we override or call, and classes that we read."""

PRIVATE_VALUES = ("_exit", "_return_code", "_exception", "_exception_event", "_running", "_sync_available")
"""Attributes of an app of Textual's that we read or set."""


def fight(system: str = "classic", palette: str = "dark", **keys: tuple[str, ...]) -> FightApp:
    table = Table(system, dice=SeededDice(4))
    for line in FIGHT:
        table.store.run(line)
    return FightApp(table.store, palette=PALETTES[palette], keys=keys)


def test_every_private_name_of_textual_that_is_used_is_there() -> None:
    for owner, names in PRIVATE.items():
        for name in names:
            assert hasattr(owner, name), f"{owner} has no {name} in this release of Textual"
    app = fight()
    for name in PRIVATE_VALUES:
        assert hasattr(app, name), f"an app has no {name} in this release of Textual"
    assert [*inspect.signature(App._display).parameters] == ["self", "screen", "renderable"]
    assert [*inspect.signature(App._check_bindings).parameters] == ["self", "key", "priority"]


async def test_the_screen_takes_no_focus_and_draws_only_lines_that_change() -> None:
    app = fight()
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.focused is None
        before = app.screen.render_lines(app.screen.size.region)
        await pilot.press("j")
        after = app.screen.render_lines(app.screen.size.region)
        assert "Track" in after[1].text
        assert {old is new for old, new in zip(before, after, strict=True)} == {True, False}
        assert all((old is new) == (old == new) for old, new in zip(before, after, strict=True))


async def test_textual_shows_the_commands_that_mean_something_now() -> None:
    app = fight()
    async with app.run_test(size=(80, 24)) as pilot:
        active = app.screen.active_bindings
        assert active["n"].binding.description == next(c.help for c in COMMANDS if c.id == "next")
        assert "question_mark" in active
        assert "number_sign" in active
        await pilot.press("d")
        assert "n" not in app.screen.active_bindings


@pytest.mark.parametrize(
    ("key", "means"),
    [("z", "next"), ("n", "temp"), ("t", ""), ("u", "undo")],
    ids=["given", "moved to another", "taken away", "as it was"],
)
async def test_textual_binds_the_keys_of_the_user(key: str, means: str) -> None:
    app = fight(next=("z",), temp=("n",))
    async with app.run_test(size=(80, 24)):
        bound = app.screen.active_bindings.get(key)
        assert (bound.binding.id if bound else "") == means


async def test_actions_and_simulated_keys_do_what_keys_do() -> None:
    app = fight()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.run_action("screen.command('next')")
        app.simulate_key("n")
        await pilot.pause()
        store = app.desk.store
        assert [store.done(s).line for s in range(len(FIGHT) + 1, store.step + 1)] == ["next", "next"]
        app.simulate_key("colon")
        for key in "note":
            app.simulate_key(key)
        app.simulate_key("space")
        app.simulate_key("exclamation_mark")
        app.simulate_key("enter")
        await pilot.pause()
        assert store.done(store.step).line == "note !"


async def test_our_themes_are_textuals() -> None:
    app = fight()
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.theme == "dark"
        app.shown.apply_palette(PALETTES["light"])
        await pilot.pause()
        assert app.theme == "light"
        shown = app.grid.rows[0].pens[0].bg
        app.theme = "dark"
        await pilot.pause()
        assert app.grid.rows[0].pens[0].bg != shown


KEYS = sorted(
    {
        *"0123456789 abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!?:;,./$&+-=<>",
        "enter",
        "escape",
        "tab",
        "up",
        "down",
        "ctrl+r",
        "ctrl+c",
        "space",
        "f1",
        "pageup",
    }
)


@pytest.mark.parametrize("system", Registry().ids())
@given(
    pressed=st.lists(st.sampled_from(KEYS), max_size=6),
    own=st.sampled_from([{}, {"next": ("0",)}, {"temp": ("N",)}]),
    data=st.data(),
)
@cases(50)
def test_a_binding_that_means_something_does_what_its_key_does(
    system: str, pressed: list[str], own: dict[str, tuple[str, ...]], data: st.DataObject
) -> None:
    """In whatever mode the keys have led to: a command takes part exactly where its key would run it."""

    def desk() -> Desk:
        table = Table(system, dice=SeededDice(4))
        for line in ("add Ana kind=pc", "add 2 Orc", "begin"):
            table.store.run(line)
        one = Desk(table.store, Settings(keys=own), Services())
        one.boxes(80, 24)
        for key in pressed:
            one.press(Press(key, key if len(key) == 1 else ""))
        return one

    shown = desk()
    meant = [(c, key) for c in with_keys(own) if shown.takes(c.id) for key in c.keys]
    if meant:
        command, key = data.draw(st.sampled_from(meant))
        by_key, by_action = desk(), desk()
        by_key.press(Press(key, key if len(key) == 1 else ""))
        by_action.perform(command.id)
        assert by_key.view == by_action.view
        assert by_key.store.encounter == by_action.store.encounter
    verbs = [v for v in shown.store.system.verbs if v.key and shown.takes_verb(shown.store.system.id, v.name)]
    if verbs:
        verb = data.draw(st.sampled_from(verbs))
        by_key, by_action = desk(), desk()
        by_key.press(Press(verb.key, verb.key))
        by_action.say_verb(verb.name)
        assert by_key.view == by_action.view


@given(
    pressed=st.lists(st.sampled_from(KEYS), max_size=6),
    own=st.sampled_from([{}, {"down": ("x",)}, {"help": ("c",)}]),
    data=st.data(),
)
@cases(30)
def test_a_binding_of_the_start_screen_does_what_its_key_does(
    tmp_path_factory: pytest.TempPathFactory,
    pressed: list[str],
    own: dict[str, tuple[str, ...]],
    data: st.DataObject,
) -> None:
    commands = start_commands(with_keys(own))
    folder = str(tmp_path_factory.mktemp("saves"))
    for name in ("mill", "crypt"):
        create_save(name, folder, REGISTRY, "classic", {})
    shelf = SaveFolder(folder)

    def desk() -> StartDesk:
        settings, offered = Settings(keys=own), Offered(TOLD)
        one = StartDesk(shelf, Closed(folder), lambda: 0.0, settings, Services(), offered, REGISTRY)
        one.open()
        for key in pressed:
            one.press(Press(key, key if len(key) == 1 else ""))
        return one

    command = data.draw(st.sampled_from(commands))
    with pytest.MonkeyPatch.context() as files:
        for change in (saves.trash_save, saves.restore_save, saves.copy_save, saves.rename_save):
            files.setattr(saves, change.__name__, closed)
        for key in command.keys:
            by_key, by_action = desk(), desk()
            if by_action.takes(command.id):
                by_key.press(Press(key, key if len(key) == 1 else ""))
                by_action.perform(command.id)
                assert by_key.view == by_action.view


def closed(*_: object) -> str:
    raise RuleError("closed")


class Closed(Doors):
    """Doors that change no file, so that one folder does for many desks."""

    def new(self, name: str, system: str, party: str, *, fresh: bool = False) -> None:
        raise RuleError("closed")


def test_a_keymap_holds_what_the_user_has_changed() -> None:
    assert keymap_of(COMMANDS, COMMANDS) == {}
    changed = [c for c in with_keys({"next": ("z",)}) if c.keys]
    assert keymap_of(changed, COMMANDS)["next"] == "z"


def test_names_of_keys_are_textuals() -> None:
    from textual.keys import _character_to_key

    for char in map(chr, range(32, 0x3000)):
        if char.isprintable():
            assert key_name(char) == _character_to_key(char)
    assert key_names([","]) == "comma"


def test_what_a_screen_binds_is_the_table_of_commands() -> None:
    bound = {binding.id for binding in SurfaceScreen.BINDINGS if not isinstance(binding, tuple)}
    assert bound == {c.id for c in (*COMMANDS, *START_COMMANDS) if c.keys}
    assert issubclass(SurfaceScreen, Screen)
