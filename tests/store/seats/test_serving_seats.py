"""How seats are served, step by step: what is waited for, what ends it, what is left as it was."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.store.seats.kit import Hall
from tui.core.base.errors import RuleError
from tui.store.seats import host
from tui.store.seats.host import AGAIN


class Taking:
    """A collector that counts its looks."""

    def __init__(self, error: OSError | None = None) -> None:
        self.looks, self.error = 0, error

    def look(self) -> None:
        """Look, and fail where that is wanted."""
        self.looks += 1
        if self.error:
            raise self.error


def served(
    monkeypatch: pytest.MonkeyPatch, taking: Taking, *, looks: int, rest: float = 0.0
) -> tuple[list[float], int]:
    """Serve for so many looks; how long each rest was, and how often what follows a look was called."""
    pauses, rests, after = list[list[int]](), list[float](), list[int]()

    def pause(others: list[int]) -> list[int]:
        pauses.append(others)
        return others if len(pauses) > looks else []

    def select(
        reading: list[int], _: list[int], __: list[int], most: float
    ) -> tuple[list[int], list[int], list[int]]:
        assert reading == [77]
        rests.append(most)
        return [], [], []

    monkeypatch.setattr(host, "pause", pause)
    monkeypatch.setattr(host, "select", SimpleNamespace(select=select))
    host.serve(taking, 77, lambda: after.append(1), rest)  # type: ignore[arg-type]
    return rests, len(after)


def test_it_is_over_when_it_is_asked_to_end_and_nothing_more_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taking = Taking()
    assert served(monkeypatch, taking, looks=0) == ([0.0], 0)
    assert taking.looks == 0


def test_a_folder_that_cannot_be_read_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    taking = Taking(OSError(5, "x"))
    assert served(monkeypatch, taking, looks=2)[1] == taking.looks == 2


def test_beside_a_screen_it_rests_for_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([10.0, 11.5, 12.0, 12.25])
    monkeypatch.setattr(host, "time", SimpleNamespace(thread_time=lambda: next(times)))
    assert served(monkeypatch, Taking(), looks=2, rest=4.0)[0] == [0.0, 6.0, 1.0]


def test_serving_leaves_no_descriptor_open(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    hall.seat("Mia")
    reading, writing = os.pipe()
    os.write(writing, b"x")
    before = len(os.listdir("/proc/self/fd"))
    host.serve(hall.intake, reading)
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
