"""What is said of spoilt and edited saves: `tests.store.damaged`."""

from __future__ import annotations

from tests.store.damaged import CASES, answered


def test_what_is_said_of_spoilt_saves_is_as_it_was_written_down() -> None:
    text = CASES.read_text(encoding="utf-8")
    assert answered(text) == text
