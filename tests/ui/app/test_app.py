"""The app: Textual's keys reach the store, its screen shows the desk's lines."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.kit.keyboard import FIGHT, Player, press_of
from tests.kit.opened import FightApp
from tests.kit.table import Table
from tui.store.sources import SeededDice
from tui.ui.settings.themes import load_themes
from tui.ui.text.palette import Palette

SIZES = [(80, 24), (20, 5), (1, 1)]


@pytest.fixture(scope="module")
def palette() -> Palette:
    return load_themes()["dark"]


def app_of(palette: Palette, *lines: str) -> FightApp:
    table = Table("classic", dice=SeededDice(4))
    for line in lines:
        table.store.run(line)
    return FightApp(table.store, palette=palette)


def screen_text(app: FightApp) -> str:
    """What the terminal would show."""
    return app.screen_text()


async def typed(pilot: Pilot[None], text: str) -> None:
    for char in text:
        await pilot.press("space" if char == " " else char)


async def test_a_fight_from_an_empty_save(palette: Palette) -> None:
    app = app_of(palette)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("5", "a")
        await typed(pilot, "Orc hp")
        await pilot.press("equals_sign", "7", "enter", "enter", "b", "r", "n")
        assert [app.desk.store.done(s).line for s in range(1, 5)] == [
            "add 5 Orc hp=7",
            "begin",
            "roll",
            "next",
        ]
        assert " acts, then " in screen_text(app)
        await pilot.press("j", "1", "d", "plus", "1", "enter", "u", "ctrl+r")
        assert app.desk.store.step == 6


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
async def test_every_size_lives_and_says_whose_turn_it_is(palette: Palette, size: tuple[int, int]) -> None:
    app = app_of(palette, *FIGHT)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        name = app.desk.store.encounter.combatants[app.desk.store.encounter.acting].name
        if size[0] >= 20:
            assert f"{name} acts" in screen_text(app)
        await pilot.press("question_mark", "escape", "d", "3", "enter", "tab", "z", "n")
        assert app.desk.store.step == len(FIGHT) + 2


async def test_a_resize_in_the_midst_of_typing_loses_nothing(palette: Palette) -> None:
    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("colon")
        await typed(pilot, "note hello")
        for size in ((20, 5), (1, 1), (120, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert ":note hello" in screen_text(app)
        await pilot.press("enter")
        assert app.desk.store.done(app.desk.store.step).line == "note hello"


async def test_the_screen_shows_all_that_has_something_to_say_and_nothing_blinks_or_ticks(
    palette: Palette,
) -> None:
    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        shown = {*app.desk.boxes(80, 24)}
        assert shown == {"header", "track", "card", "log", "now", "hints"}
        timers = [t for pump in (app, app.screen) for t in pump._timers]
        assert not [t.name for t in timers if t._active.is_set()]


async def test_the_card_follows_the_cursor_once_no_key_has_come_for_a_moment(
    palette: Palette, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.ui.app.app.REST_SECONDS", 0.02)
    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j")
        for _ in range(100):
            await pilot.pause(0.02)
            if "── Ana" in screen_text(app):
                break
        assert "── Ana" in screen_text(app)


async def test_the_cursor_follows_a_turn_that_a_seat_has_ended_without_a_key(
    palette: Palette, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("app.app", "desk.base"):
        monkeypatch.setattr(f"tui.ui.{room}.HELD_SECONDS", 0)
    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.desk.store.run("end", by="mia 1")
        assert app.desk.view.track
        await pilot.pause()
        assert not app.desk.view.track


async def test_only_changed_lines_are_drawn_again(palette: Palette, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.ui.app.app.REST_SECONDS", 60)
    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = app.grid.snapshot()
        await pilot.press("j")
        await pilot.pause()
        changed = [y for y, row in enumerate(app.grid.snapshot()) if row is not before[y]]
        assert len(changed) == 2
        track = app.desk.boxes(80, 24)["track"]
        assert all(track.y <= y < track.y + track.height for y in changed)


async def test_a_paste_is_never_keys(palette: Palette) -> None:
    from textual import events

    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(events.Paste("nnnn\nq"))
        await pilot.pause()
        assert app.desk.store.step == len(FIGHT)
        await pilot.press("colon")
        app.post_message(events.Paste("note one\x1b[2J\nnnnn\nq"))
        await pilot.pause()
        assert app.desk.store.step == len(FIGHT) + 1
        assert app.desk.store.done(app.desk.store.step).line == "note one\ufffd[2J"
        assert ":nnnn " in screen_text(app)


async def test_a_key_may_come_before_the_first_picture_of_another_fight(palette: Palette) -> None:
    app = app_of(palette, *FIGHT)
    slow, quick = (Player("classic", (*FIGHT, "add 6 Rat hp=2")).desk for _ in range(2))
    async with app.run_test(size=(80, 24)) as pilot:
        for desk, pauses in ((slow, 3), (quick, 0)):
            app.shown.turn_to(desk)
            for _ in range(pauses):
                await pilot.pause(0.02)
            for key in ("l", "j", "tab"):
                desk.press(press_of(key))
            await pilot.pause(0.02)
    assert slow.view == quick.view
    assert slow.boxes(80, 24) == quick.boxes(80, 24)


async def test_a_paste_stands_between_the_keys_around_it(palette: Palette) -> None:
    from textual import events

    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(events.Key("colon", ":"))
        app.post_message(events.Paste("note one"))
        for key in ("space", "t", "w", "o", "enter"):
            app.post_message(events.Key(key, None))
        await pilot.pause()
        assert app.desk.store.done(app.desk.store.step).line == "note one two"


async def test_what_a_paste_lacks_is_said(palette: Palette) -> None:
    from textual import events

    from tui.ui.app.wired import BoundedPaste

    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(events.Key("colon", ":"))
        app.post_message(BoundedPaste("note one", 7))
        await pilot.pause()
        await pilot.pause(0.02)
        assert ":note one" in screen_text(app)
        assert "the paste was cut: 7 characters are missing" in screen_text(app)


async def test_a_line_that_is_pasted_is_shown_and_sent_by_an_enter_of_its_own(palette: Palette) -> None:
    from textual import events

    async def paste(text: str) -> None:
        app.post_message(events.Paste(text))
        await pilot.pause()

    app = app_of(palette, *FIGHT)
    async with app.run_test(size=(80, 24)) as pilot:
        await paste("note on the board nobody types a line\n")
        await paste(":note a line with its colon\n")
        assert app.desk.store.step == len(FIGHT)
        await pilot.press("enter")
        assert app.desk.store.done(app.desk.store.step).line == "note a line with its colon"
