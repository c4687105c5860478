"""The secret addresses of the pages for browsers."""

from __future__ import annotations

import os
import re
import shutil
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.store.players.addresses import Addresses, keep_addresses, read_addresses
from tui.store.players.folder import TableFolder, players_folder, require_players_folder
from tui.store.problems import BadFile


@pytest.fixture
def table(tmp_path: Path) -> TableFolder:
    return players_folder(str(tmp_path / "mill.toml"))


def test_what_was_kept_is_read_and_others_cannot_read_it(table: TableFolder) -> None:
    made = Addresses(8080)
    keys = {name: made.key(name) for name in ("", "Mia", "José", "a b")}
    assert made.key("MIA") == keys["Mia"]
    assert len(set(keys.values())) == len(keys)
    assert all(re.fullmatch("[a-z2-7]{26}", key) for key in keys.values())
    keep_addresses(table, made)
    assert read_addresses(table) == made
    assert stat.S_IMODE(os.stat(f"{table.path}/addresses").st_mode) == 0o600


def test_a_file_that_others_could_read_is_not_trusted(table: TableFolder) -> None:
    made = Addresses(8080)
    made.key("")
    keep_addresses(table, made)
    os.chmod(f"{table.path}/addresses", 0o644)
    assert read_addresses(table) == Addresses()


def test_addresses_that_came_with_a_folder_are_not_taken(table: TableFolder, tmp_path: Path) -> None:
    made = Addresses(8080)
    made.key("")
    keep_addresses(table, made)
    sent = players_folder(str(tmp_path / "sent.toml"))
    shutil.copytree(table.path, sent.path)
    assert read_addresses(sent) == Addresses()
    os.rename(table.path, str(tmp_path / "renamed.table"))
    assert read_addresses(players_folder(str(tmp_path / "renamed.toml"))) == made


@cases(100)
@given(
    st.binary(max_size=100)
    | st.sampled_from(
        [b'{"keys":{"":"../../etc"}}', b'{"port":70000}', b'{"keys":{"":"' + b"a" * 27 + b'"}}']
    )
)
def test_a_file_of_anything_else_gives_new_ones(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    table = players_folder(str(tmp_path_factory.mktemp("t") / "mill.toml"))
    keep_addresses(table, Addresses())
    Path(table.path, "addresses").write_bytes(data)
    found = read_addresses(table)
    assert all(re.fullmatch("[a-z2-7]{26}", key) for key in found.keys.values())
    assert 0 <= found.port < 65_536


def test_a_link_in_its_place_is_refused(table: TableFolder, tmp_path: Path) -> None:
    table.make()
    (tmp_path / "other").write_text("mine")
    os.symlink(tmp_path / "other", f"{table.path}/addresses")
    with pytest.raises(BadFile):
        require_players_folder(str(tmp_path / "mill.toml"))
    assert read_addresses(table) == Addresses()
    assert (tmp_path / "other").read_text() == "mine"
