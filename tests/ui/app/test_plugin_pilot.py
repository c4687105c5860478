"""A sixth system, one file in a folder of the user's, played on the real screen by keys alone."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.plugins import REGISTRY
from tests.table import Table
from tests.ui.app.opened import FightApp
from tests.ui.app.test_app import screen_text, typed
from tui.store.sources import SeededDice
from tui.ui.settings.themes import load_themes, shipped_folder


@pytest.fixture
def app() -> FightApp:
    """An empty fight of a system that the program does not know."""
    table = Table("popcorn", dice=SeededDice(4), systems=REGISTRY)
    return FightApp(table.store, palette=load_themes([shipped_folder()]).loaded["dark"])


async def say(pilot: Pilot[None], line: str) -> None:
    await pilot.press("colon")
    await typed(pilot, line)
    await pilot.press("enter")


def lines(app: FightApp, count: int) -> list[str]:
    store = app.desk.store
    return [store.done(s).line for s in range(store.step - count + 1, store.step + 1)]


async def test_a_round_of_it_by_keys_and_two_into_the_next(app: FightApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        for line in ("add Ana kind=pc hp=9", "add Bo kind=pc quick=yes", "add 2 Orc hp=4"):
            await say(pilot, line)
        await pilot.press("b")
        assert "Who begins?" in screen_text(app)
        await pilot.press("enter", "space", "enter")  # the choice: Ana begins
        assert lines(app, 1) == ["pick Ana"]
        await pilot.press("n")
        assert "Ana acts" in screen_text(app)
        await pilot.press("e")
        assert "names who is next" in screen_text(app)
        await pilot.press("S")  # its own key, its own word
        assert ":seize" in screen_text(app)
        await pilot.press("ctrl+u")
        await typed(pilot, "seize Bo")
        await pilot.press("enter", "n")
        assert lines(app, 2) == ["seize Bo", "next"]
        await pilot.press("1", "d", "escape", "e", "G", "enter")
        assert app.desk.store.encounter.acting == "c4"
        await pilot.press("n", "n", "n")
        assert app.desk.store.encounter.round == 2


async def test_its_fields_rules_and_refusals_are_on_the_screen(app: FightApp) -> None:
    async with app.run_test(size=(120, 50)) as pilot:
        await say(pilot, "add Ana quick=yes")
        await say(pilot, "add Bo")
        await pilot.press("question_mark")
        await typed(pilot, "seize")
        assert "may seize the baton" in screen_text(app)
        await pilot.press("ctrl+u", "escape", "b", "enter", "enter")
        assert app.desk.store.encounter.running
        await pilot.press("W")
        assert "names somebody who has not" in screen_text(app)
        await pilot.press("escape", "v")
        assert "takes the baton out of turn" in screen_text(app)
        await pilot.press("escape")
        await say(pilot, "seize Bo")
        assert "cannot seize the baton now" in screen_text(app)


async def test_undo_by_key_restores_its_baton(app: FightApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await say(pilot, "add Ana")
        await say(pilot, "add Bo")
        await pilot.press("b", "enter", "space", "enter")
        before = app.desk.store.encounter
        await pilot.press("n", "n", "3", "u", "3", "ctrl+r", "2", "u")
        assert app.desk.store.encounter == before
