"""Files, locks and processes, one by one: what is refused in which words, and that nothing is left behind."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.disks import FaultyDisk
from tui.store.disk import Disk, complete_path, create_file, give_name, replace_file, write_temporary


def test_a_name_that_is_taken_is_left_alone_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mill.toml").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        create_file(Disk(), str(tmp_path / "mill.toml"), b"x")
    assert {x.name: x.read_bytes() for x in tmp_path.iterdir()} == {"mill.toml": b"mine"}


def test_a_new_file_has_its_rights_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        fd, temporary, _ = write_temporary(Disk(), str(tmp_path / "page"), b"x", 0o640)
        os.close(fd)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(temporary).st_mode) == 0o640


def test_a_path_is_completed_as_it_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "monsters").mkdir()
    for name in ("monk.md", "orc.md", ".hidden"):
        (tmp_path / name).touch()
    assert complete_path(f"{tmp_path}/mon") == [f"{tmp_path}/monk.md", f"{tmp_path}/monsters/"]
    assert len(complete_path(f"{tmp_path}/")) == 3
    assert complete_path(f"{tmp_path}/.h") == [f"{tmp_path}/.hidden"]
    assert complete_path(f"{tmp_path}/none/x") == []
    monkeypatch.setenv("HOME", str(tmp_path))
    assert complete_path("~/or") == ["~/orc.md"]
    monkeypatch.chdir(tmp_path)
    assert complete_path("or") == ["orc.md"]


# --- reading


def opened() -> int:
    """How many descriptors this process has."""
    return len(os.listdir("/proc/self/fd"))


# --- writing


MAKING: dict[str, Callable[[Disk, str], object]] = {
    "put": lambda disk, path: replace_file(disk, path, b"new"),
    "wide": lambda disk, path: replace_file(disk, path, b"new", 0o640),
    "durable": lambda disk, path: replace_file(disk, path, b"new", durable=True),
    "publish": lambda disk, path: os.close(create_file(disk, path, b"new")[0]),
}
"""Each way to write a whole file."""


@pytest.mark.parametrize("how", MAKING)
def test_a_file_is_written_whole_or_not_at_all_whichever_call_fails(tmp_path: Path, how: str) -> None:
    path, before, failed = tmp_path / "page", opened(), 0
    whole = FaultyDisk()
    MAKING[how](whole, str(path))
    for failing, call in enumerate(whole.log, 1):
        if call == "unlink":  # a name that cannot be deleted is litter, and no error
            continue
        path.unlink(missing_ok=True)
        if how in ("put", "wide", "durable"):
            path.write_bytes(b"old")
        disk = FaultyDisk(lambda _, count, failing=failing: errno.EIO * (count == failing))  # type: ignore[misc]
        try:
            MAKING[how](disk, str(path))
        except OSError:
            failed += 1
            left = {x.name: x.read_bytes() for x in tmp_path.iterdir()}
            old_or_new = [{"page": b"old"}, {"page": b"new"}]
            after: list[dict[str, bytes]] = [{}] if how in ("passing", "publish") else old_or_new
            assert left in after, (call, left)
        assert opened() == before, call
    assert failed >= len([x for x in whole.log if x not in ("unlink", "link")])


def test_a_name_is_given_without_hard_links_as_well_and_never_over_a_file(tmp_path: Path) -> None:
    new, path = tmp_path / "new", tmp_path / "page"
    for name in ("new", "page"):
        (tmp_path / name).write_text(name)
    disk = FaultyDisk(lambda *_: errno.EPERM, ("link",))
    with pytest.raises(FileExistsError) as refused:
        give_name(disk, str(new), str(path))
    assert (refused.value.errno, refused.value.filename) == (errno.EEXIST, str(path))
    assert (new.read_text(), path.read_text()) == ("new", "page")
    path.unlink()
    with pytest.raises(PermissionError):
        give_name(FaultyDisk(lambda *_: errno.EPERM, ("link", "lstat")), str(new), str(path))
    give_name(disk, str(new), str(path))
    assert {x.name: x.read_text() for x in tmp_path.iterdir()} == {"page": "new"}
