"""Which states a history keeps, and how far it folds to any other."""

from __future__ import annotations

import pytest

from tui.store.history import warn_of_other_saves

# --- what a journey means for another save


@pytest.mark.parametrize(
    ("line", "back", "says"),
    [
        ("split Ana mill", True, "in both saves now, until the other has its undo"),
        ("split Ana mill", False, "in neither save now, until the other has its redo"),
        ("JOIN mill Ana", True, "in neither save now, until the other has its undo"),
        ("  join mill Ana ", False, "in both saves now, until the other has its redo"),
    ],
)
def test_a_journey_over_a_split_says_where_its_creatures_stand(line: str, back: bool, says: str) -> None:
    verb, _, rest = line.strip().partition(" ")
    lines = [(3, "add Ana"), (4, line), (5, "splitting hairs"), (6, "")]
    assert list(warn_of_other_saves(lines, back=back)) == [
        f"step 4 was `{verb.lower()} {rest}`: these creatures stand {says}"
    ]
