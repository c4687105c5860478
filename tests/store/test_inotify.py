"""What wakes a process that looks: each change of a file that matters, and nothing else."""

from __future__ import annotations

import ctypes
import os
import select
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tui.store import inotify
from tui.store.inotify import TIMER, Change, Inotify, Place, Waker


@pytest.fixture
def queue() -> Iterator[Inotify]:
    made = Inotify()
    yield made
    made.close()


@pytest.fixture
def armed(tmp_path: Path) -> Iterator[Waker]:
    """A waker for `mill.toml` that has seen what there was."""
    (tmp_path / "mill.toml").touch()
    made = waking(Place(str(tmp_path), frozenset({"mill.toml"})))
    yield made
    made.close()


def waking(*places: Place) -> Waker:
    made = Waker(*places)
    assert made.wait() == (set(range(len(places))), [])
    assert now(made) == set()
    return made


def now(waker: Waker) -> set[int]:
    """What has changed by now."""
    return waker.wait(most=0)[0]


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


# --- the kernel's queue


def test_each_change_is_read_with_its_watch_and_its_name(queue: Inotify, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    first, second = queue.add(str(one)), queue.add(str(two))
    assert (first, second) == (1, 2)
    (one / "a").mkdir()
    (two / "a name that is longer").mkdir()
    os.chmod(one, 0o711)
    assert queue.read() == [
        Change(1, b"a", lost=False),
        Change(2, b"a name that is longer", lost=False),
        Change(1, b"", lost=False),
    ]
    two.rename(tmp_path / "three")
    assert queue.read() == [Change(2, b"", lost=True)]
    with pytest.raises(BlockingIOError):
        queue.read()
    assert not os.get_inheritable(queue.fd)


def test_what_is_no_folder_is_not_watched(queue: Inotify, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert queue.add(str(tmp_path / "file")) == -1
    assert queue.add(str(tmp_path / "none")) == -1


@pytest.mark.parametrize(("answer", "code"), [(-1, 24), (0, 0)])
def test_a_queue_that_the_kernel_refuses_is_an_error_with_its_number(
    monkeypatch: pytest.MonkeyPatch, answer: int, code: int
) -> None:
    class Library:
        """A C library with one function."""

        def __init__(self, name: None, *, use_errno: bool) -> None:
            assert (name, use_errno) == (None, True)

        def inotify_init1(self, flags: int) -> int:
            """Refuse."""
            assert flags == os.O_CLOEXEC | os.O_NONBLOCK
            ctypes.set_errno(code)
            return answer

    monkeypatch.setattr(ctypes, "CDLL", Library)
    if answer == 0:
        assert Inotify().fd == 0
        return
    with pytest.raises(OSError, match="inotify") as refused:
        Inotify()
    assert refused.value.errno == code


# --- what wakes


CHANGES: list[tuple[str, Callable[[Path], object]]] = [
    ("written", lambda path: path.write_text("b")),
    ("touched", os.utime),
    ("renamed away", lambda path: path.rename(path.with_name("away"))),
    ("deleted", lambda path: path.unlink()),
    ("exchanged", lambda path: path.with_name("other.toml").rename(path)),
    ("linked", lambda path: path.with_name("mill.toml").hardlink_to(path.with_name("other.toml"))),
]


@pytest.mark.parametrize(("what", "change"), CHANGES, ids=[what for what, _ in CHANGES])
def test_each_change_of_a_file_that_matters_wakes_once(
    tmp_path: Path, what: str, change: Callable[[Path], object]
) -> None:
    path = tmp_path / "mill.toml"
    (tmp_path / "other.toml").touch()
    if what != "linked":
        path.touch()
    waker = waking(Place(str(tmp_path), frozenset({"mill.toml"})))
    change(path)
    assert now(waker) == {0}
    assert now(waker) == set()
    waker.close()


def test_a_file_that_is_written_wakes_with_each_write_and_when_it_is_closed(
    armed: Waker, tmp_path: Path
) -> None:
    with (tmp_path / "mill.toml").open("ab", buffering=0) as file:
        assert now(armed) == set()
        for _ in range(2):
            file.write(b"x")
            assert now(armed) == {0}
    assert now(armed) == {0}


def test_who_only_reads_wakes_nobody_nor_does_another_file(armed: Waker, tmp_path: Path) -> None:
    (tmp_path / "mill.toml").read_bytes()
    os.listdir(tmp_path)
    (tmp_path / "other.toml").write_text("x")
    assert armed._queue
    assert select.select([armed._queue.fd], [], [], 0)[0], "of the other file"
    assert {x.name for x in armed._queue.read()} == {b"other.toml"}
    assert now(armed) == set()


def test_a_place_without_names_is_changed_by_all_of_them(tmp_path: Path) -> None:
    for name in ("all", "some"):
        (tmp_path / name).mkdir()
    places = [Place(str(tmp_path / "all")), Place(str(tmp_path / "some"), frozenset({"x", "é"}))]
    waker = waking(*places, Place(str(tmp_path / "some"), frozenset({"y"})))
    for folder, name, woken in (
        ("all", "any", {0}),
        ("some", "é", {1}),
        ("some", "y", {2}),
        ("some", "z", set()),
    ):
        (tmp_path / folder / name).touch()
        assert now(waker) == woken
    for name in ("x", "y"):
        (tmp_path / "some" / name).unlink(missing_ok=True)
        (tmp_path / "some" / name).touch()
    assert now(waker) == {1, 2}
    waker.close()


# --- folders that come and go


def test_a_folder_that_is_not_there_yet_is_waited_for_by_its_name(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    waker = waking(Place(str(tmp_path / "a" / "b")), Place(str(there)))
    (tmp_path / "other").mkdir()
    (there / "x").touch()
    assert now(waker) == {1}
    (tmp_path / "a").mkdir()
    assert now(waker) == {0, 1}, "all of them, for whatever came meanwhile"
    assert now(waker) == {0, 1}, "watched again"
    assert now(waker) == set()
    (tmp_path / "a" / "b").mkdir()
    assert [now(waker), now(waker), now(waker)] == [{0, 1}, {0, 1}, set()]
    (tmp_path / "a" / "b" / "x").touch()
    assert now(waker) == {0}
    waker.close()


def test_above_a_folder_that_is_missing_only_names_that_come_are_told(tmp_path: Path) -> None:
    waker = waking(Place(str(tmp_path / "a")))
    (tmp_path / "busy").touch()
    assert now(waker) == set()
    (tmp_path / "busy").write_text("x")
    os.utime(tmp_path / "busy")
    os.unlink(tmp_path / "busy")
    assert waker._queue
    assert select.select([waker._queue.fd], [], [], 0)[0] == []
    (tmp_path / "busy").mkdir()
    (tmp_path / "busy").rename(tmp_path / "a")
    assert now(waker) == {0}
    waker.close()


@pytest.mark.parametrize("how", ["renamed", "deleted"])
def test_a_folder_that_goes_wakes_all_and_is_watched_again(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "saves"
    folder.mkdir()
    waker = waking(Place(str(tmp_path), frozenset({"x"})), Place(str(folder), frozenset({"mill.toml"})))
    before = descriptors()
    if how == "renamed":
        folder.rename(tmp_path / "away")
    else:
        folder.rmdir()
    assert now(waker) == {0, 1}
    assert descriptors() == before - 1
    assert [now(waker), now(waker)] == [{0, 1}, set()]
    folder.mkdir()
    assert [now(waker), now(waker), now(waker)] == [{0, 1}, {0, 1}, set()]
    waker.close()
    waker.close()
    assert descriptors() == before - 1


def test_a_folder_that_comes_while_it_is_looked_for_is_looked_for_again_and_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, real = list[str](), Inotify.add

    def late(self: Inotify, folder: str, mask: int = inotify._MASK) -> int:
        asked.append(os.path.basename(folder))
        if folder == str(tmp_path / "a") and len(asked) < last:
            return -1
        return real(self, folder, mask)

    monkeypatch.setattr(Inotify, "add", late)
    (tmp_path / "a").mkdir()
    last = 3
    waker = waking(Place(str(tmp_path / "a")))
    assert asked == ["a", tmp_path.name, "a"]
    waker.close()
    asked.clear()
    last = 1_000
    waker, before = Waker(Place(str(tmp_path / "a"))), descriptors()
    assert waker.wait(most=0) == ({0}, [])
    assert asked == ["a", tmp_path.name] * 8
    assert descriptors() == before
    waker.close()


def test_where_nothing_may_be_watched_a_timer_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    def never(_: Inotify, folder: str, _mask: int = 0) -> int:
        asked.append(folder)
        return -1

    calls = Selected()
    monkeypatch.setattr(Inotify, "add", never)
    monkeypatch.setattr(inotify, "select", calls)
    assert Waker(Place("/a/b")).wait() == ({0}, [])
    assert asked == ["/a/b", "/a", "/"]

    def no_queue(_: Inotify) -> None:
        raise OSError

    monkeypatch.setattr(Inotify, "__init__", no_queue)
    assert Waker(Place("/a/b")).wait() == ({0}, [])
    assert calls.asked == [TIMER, TIMER]


# --- how long it waits


class Selected:
    """The calls of select, each with what happens meanwhile; the clock goes on by a second with each."""

    def __init__(self, *meanwhile: Callable[[], object]) -> None:
        self.meanwhile = list(meanwhile)
        self.asked: list[float | None] = []

    def select(
        self, reading: list[int], _: list[int], __: list[int], most: float | None = None
    ) -> tuple[list[int], list[int], list[int]]:
        """Answer at once."""
        self.asked.append(most)
        if self.meanwhile:
            self.meanwhile.pop(0)()
        return select.select(reading, [], [], 0)

    def monotonic(self) -> float:
        """Return the seconds by now."""
        return float(len(self.asked))


def test_a_timer_looks_after_a_short_while_and_no_later_than_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Selected()
    monkeypatch.setattr(inotify, "select", calls)
    waker = Waker(Place(str(tmp_path)), polled=True)
    for most in (None, 0.1, 5.0):
        assert waker.wait(most=most) == ({0}, [])
    assert calls.asked == [TIMER, 0.1, TIMER]
    waker.close()
    waker = Waker(Place(str(tmp_path)))
    assert waker.wait(most=5.0) == ({0}, [])
    assert calls.asked[3:] == [0.0]
    waker.close()


def test_it_waits_until_something_that_matters_has_changed(
    armed: Waker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Selected(lambda: None, (tmp_path / "other").touch, lambda: None, (tmp_path / "mill.toml").touch)
    monkeypatch.setattr(inotify, "select", calls)
    assert armed.wait() == ({0}, [])
    assert calls.asked == [None] * 4


def test_it_waits_no_longer_than_wanted(armed: Waker, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Selected()
    monkeypatch.setattr(inotify, "select", calls)
    monkeypatch.setattr(inotify, "time", calls)
    assert armed.wait(most=3.0) == (set(), [])
    assert calls.asked == [3.0, 2.0, 1.0]
    assert armed.wait(most=0.5) == (set(), [])
    assert calls.asked[3:] == [0.5]


def test_a_descriptor_that_can_be_read_ends_the_waiting_and_is_named(armed: Waker, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    assert armed.wait([reading], 0) == (set(), [])
    os.write(writing, b"x")
    assert armed.wait([reading]) == (set(), [reading])
    (tmp_path / "mill.toml").touch()
    assert armed.wait([reading]) == ({0}, [reading])
    fresh = Waker(Place(str(tmp_path)))
    assert fresh.wait([reading]) == ({0}, [reading])
    fresh.close()
    os.close(reading)
    os.close(writing)
