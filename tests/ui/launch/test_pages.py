"""The word `serve` of the screen: pages start, are listed, are renewed and end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest

from tests.kit.scripted_play import until
from tui.core.base.errors import RuleError
from tui.serve.service import Wanted
from tui.store.opening import create_save
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.ports import Services
from tui.ui.launch.fights import Written
from tui.ui.launch.pages import PageScreen
from tui.ui.modes.addresses import AddressPage
from tui.ui.state.settings import Settings
from tui.ui.terminal.loop import AppLoop
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, words


def opened(folder: Path, settings: Settings | None = None, loop: AppLoop | None = None) -> Written:
    """Open the save in this folder on a screen; without a loop, on one that does not run."""
    session = open_session(str(folder / "mill.toml"), str(folder), Registry(), SeededDice(5))
    screen = PageScreen(loop or AppLoop())
    return Written(session, str(folder), settings or Settings(), Services(), screen)


@pytest.fixture
def fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Written]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    create_save("mill", str(tmp_path), Registry(), "classic", {})
    found = opened(tmp_path)
    found.session.store.run("add Ana owner=Mia")
    yield found
    found.close()


def serve(fight: Written, rest: str = "") -> dict[str, str]:
    """Type the word; return the addresses that are shown."""
    fight.desk.services.words["serve"].does(rest)
    mode = fight.desk.view.mode
    assert isinstance(mode, AddressPage)
    return {x.name: x.url for x in mode.addresses}


def status(url: str) -> int:
    try:
        with urlopen(url, timeout=20) as answer:
            return int(answer.status)
    except HTTPError as error:
        error.close()
        return error.code


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(RuleError) as error:
        call()
    return str(error.value)


def test_pages_are_opened_listed_renewed_and_closed_by_one_word(fight: Written) -> None:
    assert fight.desk.scene.served == ""
    first = serve(fight)
    assert list(first) == ["everybody", "Mia"]
    assert fight.desk.scene.served == "0 looking"
    assert {status(url) for url in first.values()} == {200}
    assert serve(fight) == first, "listed, not opened again"
    second = serve(fight, "new Mia")
    assert second["everybody"] == first["everybody"]
    assert status(first["Mia"]) == 404
    assert status(second["Mia"]) == 200
    assert "nobody called Kim" in refused(lambda: serve(fight, "new Kim"))
    fight.session.store.run("add Bo owner=Jon")
    assert list(serve(fight)) == ["everybody", "Mia", "Jon"], "who joins has an address"
    fight.desk.services.words["serve"].does("off")
    with pytest.raises(URLError):
        status(second["Mia"])
    assert "not served" in refused(lambda: fight.desk.services.words["serve"].does("off"))
    assert serve(fight)["Mia"] == second["Mia"], "addresses and port stay"


def test_the_forms_know_which_players_write_on_their_pages(fight: Written, tmp_path: Path) -> None:
    fight.close()
    events, loop = asyncio.new_event_loop(), AppLoop()
    loop.run_on(events)

    def two_look() -> bool:
        events.run_until_complete(asyncio.sleep(0))
        return again.desk.scene.served == "2 looking"

    with closing(events), closing(opened(tmp_path, loop=loop)) as again:
        pages = serve(again)
        assert again.desk.services.present() == frozenset()
        with urlopen(f"{pages['Mia']}/events"), urlopen(f"{pages['everybody']}/events"):
            until(two_look)
            assert again.desk.services.present() == {"mia"}


def test_the_page_of_addresses_fits_into_a_small_screen(fight: Written) -> None:
    serve(fight)
    mode = fight.desk.view.mode
    assert isinstance(mode, AddressPage)
    rows = [words(row) for row in mode.rows(fight.desk.scene, Box(0, 1, 80, 20))]
    assert len(rows) == 20
    assert sum("\u2588" in row for row in rows) == len(mode.current.code) == 17
    assert any("everybody" in row for row in rows)
    assert "".join(row[36:].strip() for row in rows[1:4]).endswith(mode.current.url)


@pytest.mark.parametrize("typed", [":", "a", "1"])
def test_addresses_of_the_call_take_no_keys_from_what_is_being_typed(fight: Written, typed: str) -> None:
    fight.pages.start(Wanted())
    fight.desk.press(Press("colon" if typed == ":" else typed, typed))
    before = fight.desk.view
    fight.pages.offer()
    assert (fight.desk.view.mode, fight.desk.view.count) == (before.mode, before.count)
    assert ":serve" in str(fight.desk.view.notice)
    fight.desk.press(Press("escape"))
    fight.pages.offer()
    assert isinstance(fight.desk.view.mode, AddressPage)
    fight.desk.press(Press("escape"))
    fight.pages.start(Wanted())
    fight.pages.offer()
    assert fight.desk.view.mode is None, "the players have these addresses already"
    fight.pages.start(Wanted(new=True))
    fight.pages.offer()
    assert isinstance(fight.desk.view.mode, AddressPage)


def test_a_setting_opens_fights_that_were_served_before_and_names_the_word_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    create_save("mill", str(tmp_path), Registry(), "classic", {})
    settings = Settings(serve="127.0.0.1:0")
    first = opened(tmp_path, settings)
    first.pages.start_by_setting()
    assert not first.pages.running
    assert ":serve" in str(first.desk.view.notice)
    before = serve(first)
    first.close()
    second = opened(tmp_path, settings)
    second.pages.start_by_setting()
    assert second.pages.running
    keys = [[url.rpartition("/")[2] for url in urls.values()] for urls in (before, serve(second))]
    assert keys[0] == keys[1]
    second.close()


def test_saveas_takes_the_addresses_along(fight: Written, tmp_path: Path) -> None:
    before = serve(fight)
    fight.desk.services.words["saveas"].does("other")
    assert serve(fight) == before
    assert {status(url) for url in before.values()} == {200}
    fight.close()
    old = opened(tmp_path)
    try:
        assert not {*serve(old).values()} & {*before.values()}
    finally:
        old.close()
