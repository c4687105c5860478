"""An inbox, a reply and the list of what was refused, whoever else may write beside them."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from tui.store.seats.inbox import (
    STALE_SECONDS,
    Reply,
    letters,
    put_sealed,
    read_letter,
    read_reply,
    write_reply,
)

GOOD = "7-0123456789abcdef.json"


def lying(folder: Path) -> list[tuple[str, int]]:
    return [(os.path.basename(x.path), x.number) for x in letters(str(folder))]


def test_letters_come_by_number_with_litter_first_and_what_is_being_written_is_left(tmp_path: Path) -> None:
    for name in (GOOD, "10-" + "a" * 16 + ".json", "07-" + "a" * 16 + ".json", "7-ABC.json", "note"):
        (tmp_path / name).touch()
    (tmp_path / f".tmp-{GOOD}").touch()
    assert lying(tmp_path) == [
        ("07-" + "a" * 16 + ".json", 0),
        ("7-ABC.json", 0),
        ("note", 0),
        (GOOD, 7),
        ("10-" + "a" * 16 + ".json", 10),
    ]
    old = time.time() - STALE_SECONDS - 5
    os.utime(tmp_path / f".tmp-{GOOD}", (old, old))
    assert (f".tmp-{GOOD}", 0) in lying(tmp_path)
    assert letters(str(tmp_path / "nowhere")) == []


def test_a_letter_is_there_whole_and_a_failed_one_leaves_nothing(tmp_path: Path) -> None:
    put_sealed(str(tmp_path), 3, b"one")
    put_sealed(str(tmp_path), 4, b"two")
    found = letters(str(tmp_path))
    assert [x.number for x in found] == [3, 4]
    assert [read_letter(x) for x in found] == [b"one", b"two"]
    assert [stat.S_IMODE(os.stat(x.path).st_mode) for x in found] == [0o600, 0o600]
    with pytest.raises(OSError, match="No such file"):
        put_sealed(str(tmp_path / "nowhere"), 5, b"three")


def test_a_reply_comes_back_and_what_is_none_is_an_empty_one(tmp_path: Path) -> None:
    path, reply = tmp_path / "reply", Reply(3, "refused", "why", "hint", "word")
    assert read_reply(str(path)) == Reply()
    write_reply(str(path), reply)
    assert read_reply(str(path)) == reply
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for data in (b"", b"[" * 100_000, b'{"number": "x"}', b"\xff"):
        path.write_bytes(data)
        assert read_reply(str(path)) == Reply()
    path.unlink()
    path.symlink_to("nowhere")
    assert read_reply(str(path)) == Reply()


# --- what was refused


def test_a_letter_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()

    def noted(name: str) -> None:
        real = getattr(os, name)

        def call(*words: object, **keys: object) -> object:
            done.append(name)
            return real(*words, **keys)

        monkeypatch.setattr(os, name, call)

    for name in ("fsync", "replace", "rename"):
        noted(name)
    put_sealed(str(tmp_path), 7, b"{}")
    assert done[0] == "fsync"
    assert done[1] in ("replace", "rename")
    assert [number for _, number in lying(tmp_path)] == [7]
