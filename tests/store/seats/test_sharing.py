"""A folder that others may enter, a seat that is revoked, and a rate: refusals in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.core.base.errors import RuleError
from tui.store.players.folder import table_of
from tui.store.seats.intake import LINES, SIZE, Brake
from tui.store.seats.invitation import entered, invite, revoke
from tui.store.seats.seat import make_seat


def test_a_long_folder_is_named_short(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 101)
    deep.mkdir()
    shown = f"{str(deep)[:100]}…"
    deep.chmod(0o711)
    assert entered(str(deep / "mill.toml")).startswith(f"others may enter {shown}: ")
    deep.chmod(0o700)
    assert entered(str(deep / "mill.toml")) == ""


def test_a_seat_is_revoked_once(tmp_path: Path) -> None:
    save = tmp_path / "mill.toml"
    save.touch()
    seat = invite(str(save), "Mia").seat
    assert revoke(str(save), "mia") == seat
    assert not seat.stands
    for name, shown in (("Mia", "Mia"), ("x" * 41, "x" * 40 + "…"), ("x" * 40, "x" * 40)):
        with pytest.raises(RuleError) as refused:
            revoke(str(save), name)
        assert refused.value.message == f"{shown} was not invited to mill.toml"
        assert refused.value.hint == f"`ls {table_of(str(save)).seats}` lists who was"


# --- the rate of a seat


def test_a_seat_waits_until_its_line_has_room() -> None:
    now = [100.0]
    brake = Brake(lambda: now[0])
    assert [brake.wait("mia", 1) for _ in range(LINES)] == [0.0] * LINES
    assert brake.wait("mia", 1) == 0.5
    assert brake.wait("jon", 1) == 0.0
    now[0] += 0.25
    assert brake.wait("mia", 1) == 0.25
    now[0] += 0.25
    assert brake.wait("mia", 1) == 0.0
    now[0] -= 50
    assert brake.wait("mia", 1) == 0.5, "a clock that is put back gives nothing"
    now[0] += 1_000
    assert [brake.wait("mia", 1) for _ in range(LINES + 1)] == [0.0] * LINES + [0.5]


def test_a_seat_waits_until_its_bytes_have_room() -> None:
    now = [100.0]
    brake = Brake(lambda: now[0])
    assert brake.wait("mia", SIZE - 600) == 0.0
    assert brake.wait("mia", 1_200) == 1.0
    assert brake.wait("mia", 600) == 0.0
    assert brake.wait("mia", 6) == 0.01
    now[0] += 10
    assert brake.wait("mia", 6_000) == 0.0


def test_a_seat_that_never_sent_may_send_as_much_as_any(tmp_path: Path) -> None:
    brake = Brake(lambda: 7.0)
    assert brake.wait("mia", SIZE) == 0.0
    assert brake.wait("jon", SIZE + 600) == 1.0
    assert make_seat(table_of(str(tmp_path / "mill.toml")), "Mia").file == "mia"
