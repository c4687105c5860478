"""What browsers are shown, from what lies in the table's folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tui.store.players.folder import players_folder
from tui.ui.serve.pages import Pages

PAGE = {
    "format": 1,
    "viewer": "",
    "state": {"combatants": [{"owner": "Mia"}, {}]},
    "now": {},
    "sides": [],
    "rows": [],
    "words": {},
    "seat": {},
}


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "mill.toml"
    path.write_text("")
    players_folder(str(path)).make()
    return path


def put(save: Path, data: bytes) -> None:
    page = Path(players_folder(str(save)).view(""))
    page.parent.mkdir(exist_ok=True)
    page.write_bytes(data)


def shown(pages: Pages) -> dict[str, Any]:
    pages.look()
    pages.look()
    found: dict[str, Any] = json.loads(pages.wait("", b"", 0.0))
    return found


def test_a_page_of_another_version_is_said_to_be_one(save: Path) -> None:
    pages = Pages(str(save))
    pages.add("")
    put(save, json.dumps(PAGE | {"format": 2}).encode())
    assert shown(pages) == {"standing": "newer", "page": None}
    assert not pages.owners
    put(save, json.dumps(PAGE).encode())
    assert shown(pages)["page"]["state"] == PAGE["state"]
    assert pages.owners == ("Mia",)
    put(save, b"\xff{rubbish")
    assert shown(pages)["standing"] == "unwritten"
    assert shown(pages)["page"]["state"] == PAGE["state"]
    pages.close()


def test_an_event_is_one_line_whatever_lies_in_the_folder(save: Path) -> None:
    pages = Pages(str(save))
    pages.add("")
    put(save, json.dumps(PAGE, indent=1).replace("\n", "\r\n").encode())
    assert shown(pages)["page"]["viewer"] == ""
    data = pages.wait("", b"", 0.0)
    assert not {*data} & {*b"\r\n"}
    pages.close()


def test_a_save_that_is_gone_is_said_to_be(save: Path) -> None:
    pages = Pages(str(save))
    pages.add("")
    put(save, json.dumps(PAGE).encode())
    assert shown(pages)["standing"] == "unwritten"
    assert pages.unwritten
    save.unlink()
    assert shown(pages)["standing"] == "gone"
    pages.close()
    assert not list((save.parent / "mill.table" / "watching").iterdir())
    pages.look()
    assert not list((save.parent / "mill.table" / "watching").iterdir())
