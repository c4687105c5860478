"""An inbox, a reply and the list of what was refused, whoever else may write beside them."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from tests.store.seats.kit import DUEL, Hall
from tui.core.fight.standpoint import Standpoint
from tui.store.disk import Disk
from tui.store.seats import inbox
from tui.store.seats.inbox import (
    CAP,
    MOST,
    MOST_NUMBER,
    STALE,
    Letter,
    Link,
    RejectionLog,
    Reply,
    Unfit,
    drop,
    letters,
    note,
    read_letter,
    read_reply,
    rejections_path,
    throw_away,
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
    old = time.time() - STALE - 5
    os.utime(tmp_path / f".tmp-{GOOD}", (old, old))
    assert (f".tmp-{GOOD}", 0) in lying(tmp_path)
    assert letters(str(tmp_path / "nowhere")) == []


def test_no_more_letters_are_looked_at_than_the_bound(tmp_path: Path) -> None:
    for number in range(1, MOST + 9):
        (tmp_path / f"{number}-{'b' * 16}.json").touch()
    assert len(letters(str(tmp_path))) == MOST


def test_a_letter_is_there_whole_and_a_failed_one_leaves_nothing(
    tmp_path: Path,
) -> None:
    drop(str(tmp_path), 3, b"one")
    drop(str(tmp_path), 4, b"two")
    found = letters(str(tmp_path))
    assert [x.number for x in found] == [3, 4]
    assert [read_letter(x) for x in found] == [b"one", b"two"]
    assert [stat.S_IMODE(os.stat(x.path).st_mode) for x in found] == [0o600, 0o600]
    with pytest.raises(OSError, match="No such file"):
        drop(str(tmp_path / "nowhere"), 5, b"three")


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("folder", "not a plain file"),
        ("link", "cannot be opened"),
        ("second", "a second name"),
        ("large", "too large"),
        ("fifo", "not a plain file"),
        ("gone", "cannot be opened"),
    ],
)
def test_what_is_no_letter_is_unfit_and_can_be_thrown_away(tmp_path: Path, what: str, says: str) -> None:
    path = tmp_path / GOOD
    match what:
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to("/etc/passwd")
        case "second":
            (tmp_path / "other").write_bytes(b"x")
            os.link(tmp_path / "other", path)
        case "large":
            path.write_bytes(b"x" * (CAP + 1))
        case "fifo":
            os.mkfifo(path)
        case _:
            pass
    letter = Letter(str(path), 7)
    with pytest.raises(Unfit, match=says):
        read_letter(letter)
    assert throw_away(letter)
    assert not os.path.lexists(path)


def test_the_largest_letter_is_read_and_a_full_folder_stays(tmp_path: Path) -> None:
    path = tmp_path / GOOD
    path.write_bytes(b"x" * CAP)
    assert len(read_letter(Letter(str(path), 7))) == CAP
    with pytest.raises(Unfit, match="under a name that no answer has"):
        read_letter(Letter(str(path), 0))
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "kept").touch()
    assert not throw_away(Letter(str(folder), 0))
    assert (folder / "kept").exists()


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


# --- the letters of one seat


def test_each_line_has_a_number_above_all_that_were_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(tmp_path, options=DUEL)
    seat = hall.seat("Mia")
    link, saw = Link(seat, hall.store.name), Standpoint()
    assert link.sent == 0
    monkeypatch.setattr("tui.store.seats.inbox.time.time", lambda: 5.0)
    assert [link.send("ok", saw) for _ in range(2)] == [5_000, 5_001]
    assert link.sent == 5_001
    write_reply(seat.reply, Reply(9_000, "taken"))
    assert link.reply().number == 9_000
    assert Link(seat, hall.store.name).send("ok", saw) == 9_001
    write_reply(seat.reply, Reply(MOST_NUMBER, "taken"))
    assert link.send("ok", saw) == MOST_NUMBER
    with pytest.raises(OSError, match="are the most"):
        link.send("x" * (CAP + 1), saw)
    assert link.stands
    assert len(hall.lying("Mia")) == 4
    hall.close()


# --- what was refused


def test_the_list_tells_what_others_added_and_begins_again_when_it_is_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(tmp_path, options=DUEL)
    hall.table.make()
    note(hall.table, "Mia", "before")
    log = RejectionLog(hall.table)
    assert log.news() == []
    log.note("Mia", "our own")
    assert log.news() == []
    note(hall.table, "Jon", "forged: a line")
    note(hall.table, "Mia\nBo", "two\nlines")
    assert log.news() == [("Jon", "forged: a line"), ("Mia\ufffdBo", "two\ufffdlines")]
    assert log.news() == []
    path = Path(rejections_path(hall.table))
    written = path.read_bytes()
    monkeypatch.setattr(inbox, "_LIST_CAP", len(written))
    note(hall.table, "Jon", "the last of the old")
    assert not path.exists()
    assert Path(f"{path}.1").read_bytes().startswith(written)
    note(hall.table, "Jon", "new")
    assert log.news() == [("Jon", "new")]
    path.unlink()
    assert log.news() == []
    hall.close()


def test_what_was_refused_since_a_moment_is_news_and_later_the_clock_counts_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(tmp_path, options=DUEL)
    hall.table.make()
    for moment, why in (("2026-01-01T00:00:09Z", "before"), ("2026-01-01T00:00:10Z", "at the opening")):
        monkeypatch.setattr(inbox, "utc_now", lambda moment=moment: moment)
        note(hall.table, "Mia", why)
    log = RejectionLog(hall.table, "2026-01-01T00:00:10Z")
    assert log.news() == [("Mia", "at the opening")]
    monkeypatch.setattr(inbox, "utc_now", lambda: "2025-12-31T00:00:00Z")
    note(hall.table, "Mia", "the clock was put back")
    assert log.news() == [("Mia", "the clock was put back")]
    hall.close()


# --- one by one


def test_a_reply_is_on_the_disk_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = list[bool]()
    monkeypatch.setattr(Disk, "fsync", lambda _, fd: synced.append(stat.S_ISDIR(os.fstat(fd).st_mode)))
    write_reply(str(tmp_path / "reply"), Reply(1, "taken"))
    assert synced == [False, True]


def test_an_unfinished_file_is_litter_after_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f".tmp-{GOOD}").touch()
    os.utime(tmp_path / f".tmp-{GOOD}", (1_000, 1_000))
    for now, found in ((1_059.5, []), (1_060.0, [(f".tmp-{GOOD}", 0)])):
        monkeypatch.setattr("tui.store.seats.inbox.time.time", lambda now=now: now)
        assert lying(tmp_path) == found


def test_a_letter_that_was_read_is_closed(tmp_path: Path) -> None:
    (tmp_path / GOOD).write_bytes(b"x")
    before = len(os.listdir("/proc/self/fd"))
    assert read_letter(Letter(str(tmp_path / GOOD), 7)) == b"x"
    os.link(tmp_path / GOOD, tmp_path / "other")
    with pytest.raises(Unfit):
        read_letter(Letter(str(tmp_path / GOOD), 7))
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_foreign_line_of_the_list_is_cut_to_a_name(tmp_path: Path) -> None:
    hall = Hall(tmp_path, options=DUEL)
    hall.table.make()
    log = RejectionLog(hall.table)
    Path(rejections_path(hall.table)).write_text(
        f"2026 {'x' * 65}: a\n2026 {'y' * 66}: b\n2026 z: {'w' * 301}\n"
    )
    assert log.news() == [("x" * 64 + "…", "a"), ("z", "w" * 300 + "…")]
    hall.close()
