"""Key presses of a terminal without Textual have the names that they have with it."""

from __future__ import annotations

import pytest

from tui.ui.table.keys import key_names


@pytest.mark.parametrize(
    ("sequence", "names"),
    [("a", ("a",)), ("ab", ("a", "b")), ("é", ("é",)), ("\r", ("enter",)), ("\x1b", ("escape",)), ("\x03", ("ctrl+c",)),
     ("\x1b[A", ("up",)), ("\x1bOB", ("down",)), ("\x1b[1;5C", ("right",)), ("\x1b[5~", ("pageup",)), ("\x1b[3~", ("delete",)),
     ("\x1b[Z", ("shift+tab",)), ("\x7f", ("backspace",)), (" ", ("space",)), ("\x1b[99~", ()), ("\x1b[<0;1;1M", ()),
     ("\x00", ()), ("\x1bx", ())],
)  # fmt: skip
def test_a_sequence_is_a_key_by_name(sequence: str, names: tuple[str, ...]) -> None:
    assert key_names(sequence) == names
