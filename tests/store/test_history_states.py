"""Which states a history keeps, and how far it folds to any other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.store.test_history import START
from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event, Noted
from tui.store import history
from tui.store.history import MOST_STATES, History, Step, between_saves


def step(number: int, facts: int = 1) -> Step:
    """A line whose last fact is its number."""
    return Step("", f"line {number}", tuple(Noted("n", number) for _ in range(facts)))


class Folds:
    """How many lines were folded since this was last asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        monkeypatch.setattr(history, "fold", self.fold)

    def fold(self, e: Encounter, events: Sequence[Event]) -> Encounter:
        """Fold and count."""
        self.count += 1
        return fold(e, events)

    def to(self, h: History, position: int) -> int:
        """Return the number of folds that a state took, which is the right one."""
        self.count = 0
        assert h.at(position) == (fold(START, step(position).events) if position else START)
        return self.count


def pushed(count: int, facts: int = 1) -> History:
    h = History(START)
    for number in range(1, count + 1):
        assert h.push(step(number, facts)) == 0
    return h


# --- states


@pytest.mark.parametrize(("lines", "spacing"), [(255, 1), (256, 2), (5_000, 32)])
def test_states_are_kept_evenly_and_any_other_is_counted_from_the_one_before(
    monkeypatch: pytest.MonkeyPatch, lines: int, spacing: int
) -> None:
    h, folds = pushed(lines), Folds(monkeypatch)
    kept = [n for n in range(lines + 1) if folds.to(h, n) == 0]
    assert MOST_STATES / 2 < len(kept) <= MOST_STATES + 2, "with where it stands and the one before"
    assert {*range(0, lines + 1, spacing), lines - 1, lines} == {*kept}
    assert max(folds.to(h, n) for n in range(lines + 1)) <= spacing - 1


def test_what_is_dropped_is_forgotten_with_its_states() -> None:
    h = pushed(50)
    h.goto(40)
    assert h.push(step(-1)) == 10
    assert (len(h), h.position, h.step(41), h.step(40)) == (41, 41, step(-1), step(40))
    for number in range(42, 51):
        assert h.push(step(-number)) == 0
    assert [h.at(n).notes["n"] for n in (39, 40, 41, 42, 50)] == [39, 40, -1, -42, -50]


def test_what_the_rules_have_made_is_not_made_again() -> None:
    h = pushed(2)
    given = fold(h.encounter, step(9).events)
    h.push(step(3), given)
    assert h.encounter is given


# --- lines


def test_marks_among_lines_that_are_loaded_are_followed_and_a_place_that_is_none_is_refused() -> None:
    h = pushed(3)
    h.load([(step(4), 0), (None, 2), (step(5), 0), (None, 1), (None, 3)])
    assert ([h.step(n) for n in range(1, 4)], len(h), h.position) == ([step(1), step(2), step(5)], 3, 3)
    h.load([(step(6), 0), (None, 4), (step(7), 0), (None, 4)])
    assert (h.position, len(h), h.at(5).notes["n"]) == (4, 5, 7)
    h.load([(None, 5)])
    assert h.position == 5
    h.load([(step(8), 0), (step(9), 0), (None, 6), (step(10), 0)])
    assert ([h.step(n) for n in (5, 6, 7)], len(h)) == ([step(7), step(8), step(10)], 7)
    h.goto(4)
    h.load([(step(5), 0)])
    assert len(h) == h.position == 5
    with pytest.raises(IndexError, match="there is no step 6"):
        h.load([(None, 6)])
    h.load([])
    assert (h.position, len(h)) == (5, 5)


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
    assert list(between_saves(lines, back=back)) == [
        f"step 4 was `{verb.lower()} {rest}`: these creatures stand {says}"
    ]
