"""Hostile and broken input, in a real pty: the app lives, and nothing that is no key acts as one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.ui.wire.ptyrun import SAMPLE, Pty

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def one() -> Iterator[Pty]:
    with Pty(SAMPLE) as one:
        one.sees("READY")
        yield one


def handled(one: Pty) -> int:
    """How many commands the app has carried out: the last word on its screen."""
    return int(one.terminal.lines_of_text()[-1].split()[-1])


def alive(one: Pty) -> None:
    """A key still does what it does, once."""
    one.quiet(0.1)
    before = handled(one)
    one.press("n")
    one.until(lambda: handled(one) == before + 1)


def test_invalid_utf8(one: Pty) -> None:
    one.send(b"\xff\xc3\xe2\x82\xf0\x9f")
    one.pump(0.2)
    alive(one)


def test_an_escape_in_a_paste_presses_no_key(one: Pty) -> None:
    one.send("\x1b[200~hello \x1b[A\x1bq and\rq\r more\x1b[201~")
    one.sees("paste: ")
    assert not one.gone()
    assert one.shows("READY") or one.shows("pasted")


def test_an_unfinished_paste_frees_the_keyboard(one: Pty) -> None:
    one.send("\x1b[200~abc")
    one.sees("pasted 3+0 False")
    alive(one)


def test_ten_megabytes_of_paste(one: Pty) -> None:
    before = memory(one)
    one.send(b"\x1b[200~" + b"q\x1b" * 5_000_000 + b"\x1b[201~")
    one.sees("pasted 65536+")
    assert memory(one) - before < 20_000
    alive(one)


def memory(one: Pty) -> int:
    """Resident memory in kB."""
    status = Path(f"/proc/{one.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def test_a_burst_without_brackets_is_no_typing(one: Pty) -> None:
    one.send("quit the fight now, quickly, q and q and q\r")
    one.sees("burst 42+0")
    alive(one)


def test_garbage(one: Pty) -> None:
    before = memory(one)
    chance = random.Random(1)
    for _ in range(20):
        one.send(bytes(chance.choices([b for b in range(256) if b not in b"qx\x11\x03\x1a"], k=20_000)))
        one.pump(0.01)
    one.quiet(1.5)
    assert not one.gone()
    assert memory(one) - before < 20_000


def test_answers_never_reach_the_app_as_keys(one: Pty) -> None:
    one.send("\x1b[0n\x1b[?2026;2$y\x1bP>|XTerm(388)\x1b\\\x1b[0n")
    one.pump(0.3)
    alive(one)


def test_modes_are_few(one: Pty) -> None:
    assert one.terminal.modes == {"1049", "2004"}
