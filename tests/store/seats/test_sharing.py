"""A table for a group, a seat that is revoked, and a rate: refusals in words, and what is given to whom."""

from __future__ import annotations

import grp
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tui.core.base.errors import RuleError
from tui.store.players.folder import table_of
from tui.store.seats import invitation
from tui.store.seats.intake import LINES, SIZE, Brake
from tui.store.seats.invitation import entered, invite, revoke
from tui.store.seats.seat import make_seat

GID = 4_242


class Folders:
    """A table's folder whose group and rights, and those of the folder above, are as a test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.mode, self.gid = 0o40711, 0
        self.path = folder / "mill.table"
        self.path.mkdir()
        self.owners: list[tuple[str, int, int]] = []
        self._above, self._stat = str(folder), os.stat
        monkeypatch.setattr(grp, "getgrnam", lambda _: SimpleNamespace(gr_gid=GID))
        monkeypatch.setattr(os, "chown", lambda *given: self.owners.append(given))
        monkeypatch.setattr(os, "stat", self.stat)

    def stat(self, path: Any, **given: Any) -> Any:
        """The folder above as a test says, those above it open to all."""
        if path == self._above:
            return SimpleNamespace(st_mode=self.mode, st_gid=self.gid)
        if self._above.startswith(str(path)):
            return SimpleNamespace(st_mode=0o41777, st_gid=0)
        return self._stat(path, **given)

    def share(self) -> None:
        """Give it to the group."""
        invitation._share(str(self.path), "players")


@pytest.mark.parametrize(
    ("mode", "gid", "refused"),
    [
        (0o40711, 0, False),
        (0o40710, GID, False),
        (0o40710, GID + 1, True),
        (0o40700, GID, True),
        (0o41777, 0, False),
    ],
)
def test_a_group_must_be_able_to_enter_every_folder_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, gid: int, refused: bool
) -> None:
    folders = Folders(monkeypatch, tmp_path)
    folders.mode, folders.gid = mode, gid
    if not refused:
        folders.share()
        assert folders.owners == [(str(folders.path), -1, GID)]
        monkeypatch.undo()
        assert folders.path.stat().st_mode & 0o7777 == 0o2750
        return
    with pytest.raises(RuleError) as error:
        folders.share()
    shown = str(tmp_path) if len(str(tmp_path)) <= 100 else f"{str(tmp_path)[:100]}…"
    assert error.value.message == f"the group players may not enter {shown}"
    assert error.value.hint == f"`chmod o+x {tmp_path}`, or another folder"
    assert folders.owners == []


def test_a_long_folder_is_named_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("x" * 101)
    deep.mkdir()
    shown = f"{str(deep)[:100]}…"
    deep.chmod(0o711)
    assert entered(str(deep / "mill.toml")).startswith(f"others may enter {shown}: ")
    deep.chmod(0o700)
    assert entered(str(deep / "mill.toml")) == ""
    folders = Folders(monkeypatch, deep)
    folders.mode = 0o40700
    with pytest.raises(RuleError) as refused:
        folders.share()
    assert refused.value.message == f"the group players may not enter {shown}"
    folders.mode = 0o40777
    with pytest.raises(RuleError) as refused:
        folders.share()
    assert refused.value.message == f"anybody may exchange what lies in {shown}"


def test_who_is_not_in_a_group_gives_it_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    folders = Folders(monkeypatch, tmp_path)
    monkeypatch.setattr(os, "chown", refuse)
    with pytest.raises(RuleError) as refused:
        folders.share()
    assert refused.value.message == "you are not in the group players"
    assert refused.value.hint == "a group that you are in yourself"


def test_a_group_is_known_by_its_name_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert invitation._group_of(str(tmp_path)) == grp.getgrgid(tmp_path.stat().st_gid).gr_name

    def unknown(_: object) -> None:
        raise KeyError

    monkeypatch.setattr(grp, "getgrgid", unknown)
    monkeypatch.setattr(grp, "getgrnam", unknown)
    with pytest.raises(RuleError) as refused:
        invitation._group_of(str(tmp_path))
    assert refused.value.message == f"the group {tmp_path.stat().st_gid} of the folder has no name"
    assert refused.value.hint == "`--group NAME` names another"
    with pytest.raises(RuleError) as refused:
        invitation._share(str(tmp_path), "x" * 41)
    assert refused.value.message == f"there is no group {'x' * 40}…"
    assert refused.value.hint == "`getent group` lists them"


def test_a_program_is_open_to_all_where_everybody_may_enter_all_folders_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = Folders(monkeypatch, tmp_path)
    assert invitation._open_to_all(str(tmp_path / "tocsin"), "/bin/sh")
    folders.mode = 0o40750
    assert not invitation._open_to_all("/bin/sh", str(tmp_path / "tocsin"))


def test_a_seat_is_revoked_once(tmp_path: Path) -> None:
    save = tmp_path / "mill.toml"
    save.touch()
    seat = invite(str(save), "Mia").seat
    assert revoke(str(save), "mia") == seat
    assert not seat.stands
    for name, shown in (("Mia", "Mia"), ("x" * 41, "x" * 40 + "…"), ("x" * 40, "x" * 40)):
        with pytest.raises(RuleError) as refused:
            revoke(str(save), name)
        assert refused.value.message == f"{shown} was not invited to mill.toml"
        assert refused.value.hint == f"`ls {table_of(str(save)).seats}` lists who was"


# --- the rate of a seat


def test_a_seat_waits_until_its_line_has_room() -> None:
    now = [100.0]
    brake = Brake(lambda: now[0])
    assert [brake.wait("mia", 1) for _ in range(LINES)] == [0.0] * LINES
    assert brake.wait("mia", 1) == 0.5
    assert brake.wait("jon", 1) == 0.0
    now[0] += 0.25
    assert brake.wait("mia", 1) == 0.25
    now[0] += 0.25
    assert brake.wait("mia", 1) == 0.0
    now[0] -= 50
    assert brake.wait("mia", 1) == 0.5, "a clock that is put back gives nothing"
    now[0] += 1_000
    assert [brake.wait("mia", 1) for _ in range(LINES + 1)] == [0.0] * LINES + [0.5]


def test_a_seat_waits_until_its_bytes_have_room() -> None:
    now = [100.0]
    brake = Brake(lambda: now[0])
    assert brake.wait("mia", SIZE - 600) == 0.0
    assert brake.wait("mia", 1_200) == 1.0
    assert brake.wait("mia", 600) == 0.0
    assert brake.wait("mia", 6) == 0.01
    now[0] += 10
    assert brake.wait("mia", 6_000) == 0.0


def test_a_seat_that_never_sent_may_send_as_much_as_any(tmp_path: Path) -> None:
    brake = Brake(lambda: 7.0)
    assert brake.wait("mia", SIZE) == 0.0
    assert brake.wait("jon", SIZE + 600) == 1.0
    assert make_seat(table_of(str(tmp_path / "mill.toml")), "Mia").file == "mia"
