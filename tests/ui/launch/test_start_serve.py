"""`tocsin serve`: the addresses of a fight that is served, and what is refused."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from tui.core.base.errors import RuleError
from tui.store.addresses import Addresses
from tui.store.opening import create_save
from tui.systems import Registry
from tui.ui.launch.start import serve


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    create_save("mill", str(tmp_path), Registry(), "classic", {})
    return tmp_path


def called(folder: Path, **words: object) -> int:
    usual = {"save": "mill", "saves": str(folder), "addresses": False, "new": False, "listen": None}
    return serve(Namespace(**{**usual, "viewers": [], **words}), Registry())


def test_addresses_are_printed_one_a_line_while_the_fight_is_served(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RuleError, match="nobody serves mill"):
        called(folder, addresses=True)
    addresses = Addresses(str(folder / "mill.toml"))
    addresses.admit(("", "Mia"))
    addresses.announce("http://192.168.1.20:8080/", 8080)
    assert called(folder, addresses=True) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    base = "http://192.168.1.20:8080/"
    assert lines == [["everybody", base + addresses.keys[""]], ["Mia", base + addresses.keys["mia"]]]
    with pytest.raises(RuleError, match="mill is served already") as refused:
        called(folder, new=True)
    assert ":serve new" in refused.value.hint
    addresses.withdraw()
    with pytest.raises(RuleError, match="nobody serves mill"):
        called(folder, addresses=True)


def test_without_a_terminal_the_way_without_a_screen_is_named(folder: Path) -> None:
    with pytest.raises(RuleError) as refused:
        called(folder)
    assert refused.value.hint.startswith("`tocsin do mill")
    assert refused.value.hint.endswith("- --serve ADDRESS:PORT` serves without a screen")
