"""How seats are served, step by step: what is waited for, what ends it, what is left as it was."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.store.seats.kit import Hall
from tui.core.base.errors import RuleError
from tui.store.follower import RECHECK
from tui.store.inotify import Place
from tui.store.seats import host
from tui.store.seats.host import AGAIN
from tui.store.seats.seat import all_seats, make_seat

Woken = tuple[set[int], list[int]]


class Waking:
    """A waker that answers as a test says, and the seconds that each wait was given."""

    def __init__(self, *answers: Woken) -> None:
        self.answers, self.waits, self.closed = list(answers), list[float | None](), 0

    def wait(self, others: Sequence[int], most: float | None) -> Woken:
        """Answer at once."""
        assert list(others) == [77]
        self.waits.append(most)
        return self.answers.pop(0)

    def close(self) -> None:
        """Count."""
        self.closed += 1


class Taking:
    """A collector that counts its looks."""

    def __init__(self, error: OSError | None = None, *, unsettled: bool = False) -> None:
        self.looks, self.error, self.unsettled = 0, error, unsettled

    def look(self) -> None:
        """Look, and fail where that is wanted."""
        self.looks += 1
        if self.error:
            raise self.error


NOTHING: Woken = (set(), [])
STOP: Woken = (set(), [77])


def served(waker: Waking, taking: Taking, *, guests: bool = True, complete: bool = True) -> tuple[bool, int]:
    """Whether it is over, and how often what follows a look was called."""
    after = list[int]()
    over = host._served(
        waker,  # type: ignore[arg-type]
        taking,  # type: ignore[arg-type]
        77,
        lambda: after.append(1),
        0.0,
        lambda: complete,
        guests=guests,
    )
    return over, len(after)


@pytest.mark.parametrize(
    ("guests", "unsettled", "waits"),
    [
        (True, False, [0.0, RECHECK]),
        (False, False, [None, None]),
        (True, True, [0.0, AGAIN]),
        (False, True, [None, AGAIN]),
    ],
)
def test_it_waits_by_who_is_there_and_what_is_owed(
    guests: bool, unsettled: bool, waits: list[float | None]
) -> None:
    waker, taking = Waking(NOTHING, STOP), Taking(unsettled=unsettled)
    assert served(waker, taking, guests=guests) == (True, 1)
    assert (waker.waits, taking.looks) == (waits, 1)


def test_it_is_over_when_it_is_asked_to_end_and_nothing_more_is_taken() -> None:
    for complete in (True, False):
        taking = Taking()
        assert served(Waking(STOP), taking, complete=complete) == (True, 0)
        assert taking.looks == 0


def test_seats_that_came_or_went_are_watched_again_before_anything_is_taken() -> None:
    taking = Taking()
    assert served(Waking(NOTHING), taking, complete=False) == (False, 0)
    assert taking.looks == 0
    waker = Waking(({0, 1, 2}, []), ({1}, []), ({2}, []), ({0}, []))
    assert served(waker, taking) == (False, 3), "at first all places are named"
    assert taking.looks == 3


def test_a_folder_that_cannot_be_read_is_looked_at_again() -> None:
    taking = Taking(OSError(5, "x"))
    assert served(Waking(NOTHING, NOTHING, STOP), taking) == (True, 2)
    assert taking.looks == 2


def test_beside_a_screen_it_rests_for_its_work_and_may_be_ended_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times, rests = iter([10.0, 10.0, 10.5, 12.0, 12.25, 12.5]), list[float]()

    def select(
        reading: list[int], _: list[int], __: list[int], most: float
    ) -> tuple[list[int], list[int], list[int]]:
        assert reading == [77]
        rests.append(most)
        return (reading if len(rests) == 2 else [], [], [])

    monkeypatch.setattr(host, "time", SimpleNamespace(thread_time=lambda: next(times)))
    monkeypatch.setattr(host, "select", SimpleNamespace(select=select))
    waker, taking, given = Waking(NOTHING, NOTHING), Taking(), list[Any]()
    given += [waker, taking, 77, lambda: None, 4.0, lambda: True]
    assert host._served(*given, guests=True)
    assert rests == [6.0, 1.0]
    assert taking.looks == 2


def test_all_seats_and_the_list_of_refusals_are_watched_and_watched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(tmp_path)
    watched, made = list[tuple[Place, ...]](), list[Waking]()

    def waker(*places: Place, polled: bool) -> Waking:
        assert not polled
        watched.append(places)
        made.append(Waking())
        return made[-1]

    def round_of(*given: Any, guests: bool) -> bool:
        assert guests == (len(watched) > 1)
        assert given[1:5] == (hall.intake, 77, print, 0.5)
        assert given[5]()
        make_seat(hall.table, f"Mia {len(watched)}")
        assert not given[5]()
        return len(watched) == 2

    monkeypatch.setattr(host, "Waker", waker)
    monkeypatch.setattr(host, "_served", round_of)
    host.serve(hall.path, hall.intake, 77, print, 0.5)
    noted = Place(hall.table.path, frozenset({"refused.log"}))
    first = next(x for x in all_seats(hall.table)[0] if x.name == "Mia 1")
    assert watched == [(Place(hall.table.seats), noted), (Place(hall.table.seats), noted, Place(first.inbox))]
    assert [x.closed for x in made] == [1, 1]
    hall.close()


def test_serving_leaves_no_descriptor_open(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat("Mia")
    reading, writing = os.pipe()
    os.write(writing, b"x")
    before = len(os.listdir("/proc/self/fd"))
    host.serve(hall.path, hall.intake, reading)
    assert len(os.listdir("/proc/self/fd")) == before
    os.close(reading)
    os.close(writing)
    hall.close()


def test_the_collector_of_a_session_never_waits_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, waited = Hall(tmp_path), list[Any]()
    monkeypatch.setattr(type(hall.session.writer), "wait", lambda _, most=None: waited.append(most))
    host.intake(hall.session, hall.judge.hear, hall.said.append)._ledger.wait()
    own = host.intake(hall.session, hall.judge.hear, hall.said.append, lambda: waited.append("own"))
    own._ledger.wait()
    assert waited == [AGAIN, "own"]
    assert own._ledger.path() == hall.path
    assert own._save() == "duel"
    monkeypatch.undo()
    hall.close()


# --- a fight without a game master


def test_what_is_played_on_without_a_player_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = list[str]()
    store: Any = SimpleNamespace(encounter=None, system=None, run=ran.append)
    monkeypatch.setattr(host, "forced", lambda *_: "roll Imp" if len(ran) < 3 else "")
    assert host.auto_play(store) == 3
    assert ran == ["roll Imp"] * 3
    monkeypatch.setattr(host, "_MOST", 2)
    ran.clear()
    assert host.auto_play(store) == 2
    assert len(ran) == 2


def test_a_line_that_the_rules_refuse_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise RuleError("no")

    monkeypatch.setattr(host, "auto_play", refuse)
    store: Any = None
    host._played_on(store)


# --- signals


@pytest.fixture
def handlers() -> Iterator[list[Callable[..., object]]]:
    """What was called by a handler that stood before."""
    heard: list[Any] = []
    before = {n: signal.signal(n, lambda n, _: heard.append(n)) for n in host._ENDS}
    yield heard
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_wakes_and_is_kept_and_afterwards_all_is_as_it_was(handlers: list[Any], number: int) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with host._ended() as (woken, numbers):
        assert len(os.listdir("/proc/self/fd")) == before + 2
        signal.raise_signal(number)
        assert os.read(woken, 9) == bytes([number])
        assert (numbers, handlers) == ([number], [])
    assert len(os.listdir("/proc/self/fd")) == before
    waking = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(waking)
    assert waking == -1
    signal.raise_signal(number)
    assert handlers == [number]
