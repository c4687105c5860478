"""Typed ahead is never lost: some scripts with every run, 10,000 with `python -m tests.typeahead 10000`."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.kit.terminal import Terminal
from tests.typeahead.law import SYSTEMS, Session
from tests.typeahead.scripts import BEGINS, ESCAPE, PAUSE, early, packets, script

pytestmark = pytest.mark.long


@pytest.mark.parametrize("number", range(2))
def test_in_packets_keys_do_what_they_do_one_by_one(number: int) -> None:
    for difference in Session(11, number).play(5):
        assert difference is None, str(difference)


@pytest.mark.hours
@pytest.mark.parametrize("number", range(100))
def test_two_thousand_scripts(number: int) -> None:
    for difference in Session(12, number).play(20):
        assert difference is None, str(difference)


def test_a_query_that_arrives_in_two_parts_is_answered() -> None:
    class Asking(Terminal):
        program = (
            "/bin/sh",
            "-c",
            r"stty raw -echo; printf '\033['; sleep 0.2; printf '5n'; head -c 4 | od -c",
        )

    asking = Asking([])
    assert asking.end() == 0
    assert "033   [   0   n" in asking.text


def test_packets_are_the_script_cut_up() -> None:
    chance = random.Random(3)
    assert b"".join(part.data for part in packets(chance, ())) == b""
    for _ in range(300):
        keys = script(chance)
        parts = packets(chance, keys)
        assert b"".join(part.data for part in parts) == b"".join(keys)
        for part, following in itertools.pairwise(parts):
            ambiguous = part.data.endswith(ESCAPE) and following.data[0] in BEGINS and not part.torn
            assert not ambiguous or part.delay >= PAUSE


def test_scripts_have_every_kind_of_key() -> None:
    chance = random.Random(4)
    keys = {key for _ in range(300) for key in script(chance)}
    assert {b"\r", b"\t", b"\x1b", b"\x1b[A", b"\x7f", b"\x12", b":", b"n", b"5", "龍".encode()} <= keys
    assert not set(b"".join(early(tuple(sorted(keys))))) & {0x03, 0x1A, 0x11, 0x13, 0x04}
    assert len(SYSTEMS) >= 6
