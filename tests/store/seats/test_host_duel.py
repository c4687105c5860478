"""A whole fight without a GM, at two terminals of this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.duel import Duel, three_rounds

pytestmark = pytest.mark.long


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Duel]:
    found = Duel(tmp_path)
    yield found
    found.close()


def test_three_rounds_are_played_from_two_terminals(table: Duel) -> None:
    three_rounds(table)
    # The bell rings when something waits for a player.
    assert b"".join(seat.foreign() for seat in table.seats.values()).strip(b"\a") == b""


def test_a_half_written_order_survives_a_dropped_line_and_a_refused_line_comes_back(table: Duel) -> None:
    mia = table.seats["Mia"]
    mia.wait("[o] write the order of Ana")
    mia.press("o", "Order of Ana")
    mia.press("over the wall", "over the wall")
    mia.kill()
    kept = list((table.folder / "state-Mia" / "tocsin" / "seats").glob("*.drafts"))
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o600]
    mia = table.seats["Mia"] = table.sit("Mia")
    mia.wait("[o] go on with the order of Ana")
    mia.press("o", "over the wall")
    mia.press("\x1b", "[o] go on")
    mia.press(":", "Enter send")
    mia.type("damage Bo 3")
    shown = mia.press("\r", "refused: no turn is being resolved")
    assert re.search(r":damage Bo 3", shown)
