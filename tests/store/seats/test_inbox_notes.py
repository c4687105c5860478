"""What is noted beside the seats is told to whoever writes, once.

A seat that is closed leaves nothing waiting.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.seats import SYSTEMS, Hall
from tui.cli.show import plain_log, tell_journal, write_log_lines
from tui.core.fight.viewer import GAME_MASTER, Viewer
from tui.store.history import History
from tui.store.opening import open_for_retelling
from tui.store.seats.inbox import note


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    found = Hall(tmp_path)
    found.do("add Ana owner=Mia hp=9", "begin")
    found.seat("Mia")
    yield found
    found.close()


def test_what_others_have_noted_is_told_once_and_our_own_is_not_told_again(hall: Hall) -> None:
    note(hall.table, "Mia", "asked for more")
    hall.intake.look()
    hall.intake.look()
    assert hall.said == ["Mia's seat: asked for more"]
    hall.put("Mia", b"no answer", 5)
    hall.intake.look()
    hall.intake.look()
    assert len(hall.said) == 2


def test_a_list_that_was_begun_anew_meanwhile_is_read_on(hall: Hall) -> None:
    for count in range(900):
        note(hall.table, "Mia", f"{count} " + "x" * 100)
        if count % 40 == 0:
            hall.intake.look()
    hall.intake.look()
    assert any("899 x" in said for said in hall.said)


def test_what_was_noted_before_we_wrote_is_not_told_now(hall: Hall) -> None:
    note(hall.table, "Mia", "long ago")
    hall.taker().look()
    assert hall.said == []


def test_the_log_says_from_whose_seat_a_line_came(hall: Hall) -> None:
    hall.do('add Bo owner="Jürgen B." hp=9')
    hall.send("Mia", "order Ana action=x")
    hall.send("Jürgen B.", "order Bo action=y")
    hall.do("lock")
    hall.session.writer.wait()
    start = hall.session.store.at(0)
    with open_for_retelling(hall.path, "", SYSTEMS) as (history, journal):
        steps = journal.steps
        found = tell_journal(history, steps, GAME_MASTER, SYSTEMS)
    assert [c["by"] for c in plain_log(found)] == ["", "", "", "Mia", "Jürgen B.", ""]
    assert any(line.endswith("order Ana action=x (from Mia's seat)") for line in write_log_lines(found))
    told = tell_journal(History(start), steps, Viewer("Mia", gm=False), SYSTEMS)
    assert {c["by"] for c in plain_log(told)} == {""}


def test_a_key_that_cannot_be_read_is_told_once_and_keeps_what_lies_at_the_seat(hall: Hall) -> None:
    seat = hall.seat("Mia")
    hall.seat("Jon")
    key = Path(hall.table.seats, "mia.key")
    good = key.read_bytes()
    key.write_bytes(b"spoilt")
    taker = hall.taker()
    for _ in range(3):
        taker.look()
        hall.now += 100
    assert len(hall.said) == 1
    assert "mia.key's seat" in hall.said[0]
    assert Path(seat.inbox).is_dir()
    key.write_bytes(good)
    rubbish = Path(seat.inbox).with_name("0123456789abcdef" * 2)
    rubbish.mkdir()
    hall.taker().look()
    assert (Path(seat.inbox).is_dir(), rubbish.exists()) == (True, False)
