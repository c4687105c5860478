"""Which states a history keeps, how far it folds to any other, and which lines it copies."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import pytest

from tests.store.test_history import START, written
from tests.table import Table
from tui.core.fight.apply import fold
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event, Noted
from tui.store import checkpoint, history
from tui.store.checkpoint import Snapshot
from tui.store.history import History, Step, between_saves
from tui.store.store import replay


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


def test_the_states_just_before_are_at_hand_and_those_that_are_passed_on_the_way_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    h, folds = pushed(100), Folds(monkeypatch)
    assert [folds.to(h, 100 - n) for n in range(33)] == [0] * 33
    assert folds.to(h, 60) == 60
    assert [folds.to(h, 60 - n) for n in range(32)] == [0] * 32
    assert folds.to(h, 62) == 2
    assert folds.to(h, 0) == 0


def test_a_state_that_is_asked_for_again_stays_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    h, folds = pushed(40), Folds(monkeypatch)
    assert len(h._near) == 32
    h.goto(10)
    h.goto(40)
    assert folds.to(h, 10) == 0
    for number in range(41, 41 + 30):
        h.push(step(number))
    assert folds.to(h, 10) == 0
    h.push(step(71))
    h.push(step(72))
    assert folds.to(h, 10) == 10


def test_lines_that_are_loaded_leave_the_states_before_the_end_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folds, h = Folds(monkeypatch), History(START)
    h.load((step(n), 0, 0) for n in range(1, 101))
    assert (folds.count, h.position) == (100, 100)
    assert [folds.to(h, 100 - n) for n in range(32)] == [0] * 32
    assert folds.to(h, 30) == 30


@pytest.mark.parametrize(("facts", "kept"), [(1, [10, 20, 30]), (3, [4, 8, 12]), (10, [1, 2, 3])])
def test_a_state_is_kept_for_good_every_so_many_facts(
    monkeypatch: pytest.MonkeyPatch, facts: int, kept: list[int]
) -> None:
    monkeypatch.setattr(history, "_SPACING", 10)
    h = pushed(kept[-1], facts)
    assert list(h._kept) == kept


def test_more_creatures_keep_states_farther_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_SPACING", 10)
    table = Table("classic")
    table.do("add 5 Orc hp=7")
    h = History(table.encounter)
    for number in range(1, 45):
        h.push(step(number))
    assert list(h._kept) == [20, 40]


def test_a_far_state_is_folded_from_the_nearest_that_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_SPACING", 10)
    h, folds = pushed(100), Folds(monkeypatch)
    assert folds.to(h, 57) == 7
    assert folds.to(h, 50) == 0
    h = pushed(100)
    assert folds.to(h, 60) == 0
    assert folds.to(h, 19) == 9
    h._kept[30] = b"no state"
    assert folds.to(h, 37) == 17
    h._kept = dict.fromkeys(h._kept, b"no state")
    h._near.clear()
    assert folds.to(h, 37) == 37
    h.goto(40)
    h._near.clear()
    assert folds.to(h, 45) == 5, "from where it stands"


def test_what_is_dropped_is_forgotten_with_its_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_SPACING", 10)
    h = pushed(50)
    h.goto(40)
    assert h.push(step(-1)) == 10
    assert list(h._kept) == [10, 20, 30, 40]
    assert max(h._near) == 40
    assert (len(h), h.position, h.step(41), h.step(40)) == (41, 41, step(-1), step(40))
    for number in range(42, 51):
        assert h.push(step(-number)) == 0
    assert [h.at(n).notes["n"] for n in (39, 40, 41, 42, 50)] == [39, 40, -1, -42, -50]
    h.goto(20)
    h.push(step(21))
    assert list(h._kept) == [10, 20]


def test_a_state_is_the_rules_own_from_the_first_line_that_they_made() -> None:
    h = pushed(2)
    assert [h.ruled(n) for n in range(4)] == [False] * 4
    given = fold(h.encounter, step(9).events)
    h.push(step(3), given)
    assert h.encounter is given, "what the rules have made is not made again"
    assert [h.ruled(n) for n in range(5)] == [False] * 3 + [True] * 2
    h.push(step(4), fold(given, step(4).events))
    assert [h.ruled(n) for n in range(5)] == [False] * 3 + [True] * 2
    h.goto(1)
    h.push(step(2), h.encounter)
    assert [h.ruled(n) for n in range(4)] == [False] * 2 + [True] * 2
    h.load([(None, 1, 0), (None, 2, 0)])
    assert h.ruled(2), "a mark loads no line"
    h.push(step(3))
    assert h.encounter.notes["n"] == 3
    assert h._ruled == inf


# --- lines


def test_lines_stay_in_the_journal_until_one_comes_that_is_in_none() -> None:
    table = Table("classic")
    table.do("add Ana hp=9", "note a", "note b", "note c")
    found = written(table)
    h = replay(History(START, found.data), found.steps, found.places)
    assert h._lines._packed == []
    lines = [h.step(n).line for n in range(1, 5)]
    assert lines == ["add Ana hp=9", "note a", "note b", "note c"]
    h.push(step(5))
    h.push(step(6), place=found.places[0])
    assert len(h._lines._packed) == 2
    assert [h.step(n) for n in (5, 6)] == [step(5), step(6)]
    assert h.step(4).line == "note c"
    h.goto(5)
    assert h.push(step(7)) == 1
    assert [h.step(n).line for n in (4, 5, 6)] == ["note c", "line 5", "line 7"]
    h.goto(3)
    assert h.push(step(8)) == 3
    assert [h.step(n).line for n in (3, 4)] == ["note b", "line 8"]
    assert len(h) == 4
    beyond = History(START, found.data)
    beyond.push(step(1), place=beyond._lines.blocks.size)
    assert beyond.step(1) == step(1)


def test_several_lines_that_are_in_no_journal_are_dropped_from_their_end() -> None:
    h = pushed(6)
    h.goto(4)
    assert h.push(step(9)) == 2
    assert [h.step(n) for n in range(1, 6)] == [step(n) for n in (1, 2, 3, 4, 9)]
    assert h.pack() is None, "a line that is in no journal"


def test_marks_among_lines_that_are_loaded_are_followed_and_a_place_that_is_none_is_refused() -> None:
    h = pushed(3)
    h.load([(step(4), 0, 0), (None, 2, 0), (step(5), 0, 0), (None, 1, 0), (None, 3, 0)])
    assert ([h.step(n) for n in range(1, 4)], len(h), h.position) == ([step(1), step(2), step(5)], 3, 3)
    h.load([(step(6), 0, 0), (None, 4, 0), (step(7), 0, 0), (None, 4, 0)])
    assert (h.position, len(h), h.at(5).notes["n"]) == (4, 5, 7)
    h.load([(None, 5, 0)])
    assert h.position == 5
    h.load([(step(8), 0, 0), (step(9), 0, 0), (None, 6, 0), (step(10), 0, 0)])
    assert ([h.step(n) for n in (5, 6, 7)], len(h)) == ([step(7), step(8), step(10)], 7)
    h.goto(4)
    h.load([(step(5), 0, 0)])
    assert len(h) == h.position == 5
    with pytest.raises(IndexError, match="there is no step 6"):
        h.load([(None, 6, 0)])
    h.load([])
    assert (h.position, len(h)) == (5, 5)


def test_a_packed_history_has_the_nearest_state_before_where_it_stands() -> None:
    table = Table("classic")
    table.do("add Ana hp=9", "note a", "note b", "note c")
    found = written(table)
    h = replay(History(START, found.data), found.steps, found.places)

    def read(moved: int = 0) -> Snapshot:
        payload = h.pack(moved)
        assert payload
        snapshot = checkpoint.read(payload)
        assert snapshot
        return snapshot

    assert (read().position, read().encounter) == (4, h.encounter)
    assert list(read().near) == [0]
    h.goto(2)
    h._near = {n: h.at(n) for n in (1, 2, 3)}
    assert list(read().near) == [1]
    h._near = {3: h.at(3), 2: h.at(2)}
    assert read().near == {}
    table.do(*(f"note {n}" for n in range(40)))
    found = written(table)
    h = replay(History(START, found.data), found.steps, found.places)
    for place, near in ((h.position - 32, [h.position - 32]), (h.position - 33, [])):
        h._near = {place: h.at(place)}
        assert list(read().near) == near
    h.goto(4)
    same, later = (History.unpacked(read(n), START, found.data) for n in (0, 7))
    assert [b - a for a, b in zip(same._lines.places, later._lines.places, strict=True)] == [7] * 44
    assert [same.step(n).line for n in range(1, 5)] == [h.step(n).line for n in range(1, 5)]


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
