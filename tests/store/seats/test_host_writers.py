"""Whoever writes the save takes in what seats send: the app, plain mode, `tocsin host`.

And nobody else can meanwhile.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kit.seats import Hall
from tests.kit.terminal import tocsin
from tests.store.seats.waiting import until


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    found = Hall(tmp_path)
    found.do("add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9", "begin")
    found.seat("Mia")
    found.session.writer.wait()
    return found


@pytest.mark.long
def test_the_app_takes_in_and_shows_what_came(hall: Hall, tmp_path: Path) -> None:
    hall.close()
    terminal = tocsin(tmp_path, "duel")
    try:
        terminal.wait("duel", "Ana")
        hall.put("Mia", hall.letter("Mia", "order Ana action=zqrunx"))
        terminal.wait("Ana has written")
        assert until(hall, "Mia", 1) == "taken"
        # A file that nobody who sits there can have sent is told to the game master, and does nothing.
        hall.put("Mia", b"junk", 2)
        terminal.wait("Mia's seat: ignored a file that is not an answer")
        # A refused line is between the seat and the writer.
        hall.put("Mia", hall.letter("Mia", "order Bo action=zqsecretx"))
        assert until(hall, "Mia", 2) == "refused"
        terminal.type("q")
        assert terminal.end() == 0
        assert b"zqsecretx" not in terminal.raw
    finally:
        terminal.kill()


@pytest.mark.long
def test_a_seat_that_comes_while_the_app_is_open_is_served(hall: Hall, tmp_path: Path) -> None:
    hall.close()
    terminal = tocsin(tmp_path, "duel")
    try:
        terminal.wait("duel", "Ana")
        hall.seat("Jon")
        hall.put("Jon", hall.letter("Jon", "order Bo action=b"))
        assert until(hall, "Jon", 1) == "taken"
    finally:
        terminal.kill()


def test_plain_mode_takes_in_and_tells_what_came(hall: Hall) -> None:
    hall.close()
    words = [sys.executable, "-m", "tui", hall.path, "--plain"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdin
        assert process.stdout
        assert "duel" in process.stdout.readline()
        process.stdout.readline()
        hall.put("Mia", hall.letter("Mia", "order Ana action=a"))
        assert "Ana has written" in process.stdout.readline()
        assert until(hall, "Mia", 1) == "taken"
        process.stdin.write("note x\nquit\n")
        process.stdin.flush()
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.long
def test_what_comes_while_the_app_closes_is_not_lost(hall: Hall, tmp_path: Path) -> None:
    """Killed at any moment: a line that was sent is in the journal once, or waits in its inbox."""
    hall.close()
    for count in range(1, 4):
        terminal = tocsin(tmp_path, "duel")
        try:
            terminal.wait("duel", "Ana")
            hall.put("Mia", hall.letter("Mia", f"order Ana action=x{count}"), count)
            time.sleep(0.01 * count)
        finally:
            terminal.kill()
    hall.open()
    hall.intake.look()
    assert hall.lying("Mia") == []
    assert hall.store.encounter.orders["c1"] == {"action": "x3"}
    hall.session.writer.wait()
    assert Path(hall.path).read_text().count('by = "mia 3"') == 1
    hall.close()
