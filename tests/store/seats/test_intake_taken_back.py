"""Undo at a table with seats: the game master's own step goes, and no line that a seat was told is taken
goes with it in silence."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.seats import SYSTEMS, Hall
from tests.kit.table import NOON, Memory
from tests.kit.tiers import cases
from tests.store.seats.evening import SETUP, Evening
from tui.core.base.errors import RuleError
from tui.core.fight.events import Rolled
from tui.core.fight.standpoint import Standpoint
from tui.core.fight.viewer import Viewer
from tui.store.dependencies import StoreEffects
from tui.store.history import History, Step, subject_of_line
from tui.store.seats.inbox import SeatAnswer
from tui.store.seats.intake import Judge
from tui.store.store import MOST_NAMED, Store
from tui.ui.players.panel import standpoint
from tui.ui.players.returned import ReturnedDrafts, draft_of, named
from tui.ui.settings.drafts import Drafts

OWN = (
    "damage Orc 1", "damage Ana 1", "note the wind turns", "condition Bo prone", "set Ana owner=Jon",
    "rename Bo Bert", "out Bo", "option view.health=numbers", "system classic", "finish", "hide Wolf",
    "set Ana hp=1", "alias Alf Shade", "remove Alf", "lock missing=empty", "next", "add Rat side=dark hp=3",
)  # fmt: skip
"""Steps that a game master takes back."""


class Faces:
    """The faces of a step, once more."""

    def __init__(self, step: Step) -> None:
        rolls = [event for event in step.events if isinstance(event, Rolled)]
        self.left_over = [face for roll in rolls for face in roll.faces]

    def roll(self, sides: int) -> int:
        """Return the next face."""
        return self.left_over.pop(0) if self.left_over else sides


class Recorded(Evening):
    """An evening that knows what each line of a seat was sent for."""

    def __init__(self, folder: Path, system: str, seed: int) -> None:
        super().__init__(folder, system, {})
        self.chance = Random(seed)
        self.letters: dict[int, tuple[str, str, Standpoint]] = {}

    def send(self, player: str, line: str, *, surely: bool = True) -> bool:
        """Send a line, and keep it."""
        page = self.page(player)
        saw = standpoint(page, line.strip())
        self.letters[self.hall.number + 1] = (player, line.strip(), saw)
        try:
            return super().send(player, line, surely=False)
        except StopIteration:
            return surely

    def step(self) -> None:
        """Somebody does something."""
        try:
            if not self.players_act():
                self.leads()
        except (RuleError, AssertionError, IndexError):
            self.own()

    def own(self) -> None:
        """The game master says something."""
        try:
            self.hall.do(self.chance.choice(OWN))
        except RuleError:
            return


def without_it(evening: Recorded, store: Store, taken: int, now: int) -> tuple[Any, list[str]]:
    """Return the fight in which step `taken` was never sent, and which lines of seats it refuses."""
    history = History(store.at(0))
    for number in range(1, taken):
        history.push(store.done(number))
    twin = Store("duel", history, SYSTEMS, StoreEffects(Memory(), Faces(store.done(taken)), lambda: NOON))
    judge, refused = Judge(twin), []
    for number in range(taken + 1, now + 1):
        step = store.done(number)
        player, line, saw = evening.letters[int(step.by.split(" ")[1])]
        saw = replace(saw, due="") if line.startswith("order ") else saw
        twin.effects = StoreEffects(Memory(), Faces(step), lambda: NOON)
        ruling = judge.hear(SeatAnswer("duel", player, 1, saw, line, "0" * 64, 1), step.by)
        assert ruling.reply.became in ("taken", "refused"), ruling
        refused += [step.by] if ruling.reply.became == "refused" else []
    return twin.encounter, refused


def in_force(store: Store) -> set[str]:
    """Return the lines of seats in force."""
    return {by for n in range(1, store.step + 1) if (by := store.done(n).by)}


def told(store: Store) -> dict[str, list[str]]:
    """Return what each player is told is no longer in force."""
    return {p: [x.line for x in store.returned_lines(Viewer(p, gm=False))] for p in ("Mia", "Jon")}


class Slips(Drafts):
    """The drafts of a seat, in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def load(self) -> dict[str, str]:
        """Return the drafts."""
        return self.texts

    def save(self, name: str, text: str) -> None:
        """Keep a draft."""
        self.texts[name] = text


def at_the_seat(evening: Recorded, player: str) -> None:
    """The seat names each line that went, and has a draft of each order and of the first other line."""
    seat, slips = evening.page(player).seat, Slips()
    returned = ReturnedDrafts(slips)
    assert returned.news(seat, {}, "undone") == ""
    lines = [x.line for x in seat.returned]
    assert all(named(line) in returned.text(()) for line in lines)
    placed = {name for name, text in map(draft_of, lines) if text}
    assert placed <= {name for name, text in slips.texts.items() if text}
    assert all(
        any(draft_of(x) == (name, text) for x in lines)
        for name, text in slips.texts.items()
        if name in placed
    )
    returned.dismiss()
    assert returned.text(()) == ""


def reopened(hall: Hall) -> None:
    """The journal alone says the same."""
    before = hall.store.encounter, hall.store.step, hall.store.redoable, told(hall.store)
    hall.close()
    hall.open()
    after = hall.store.encounter, hall.store.step, hall.store.redoable, told(hall.store)
    assert before == after


@pytest.mark.law
@pytest.mark.parametrize("system", SYSTEMS.ids())
@cases(6)
@given(seed=st.integers(0, 2**32))
def test_after_it_the_fight_is_the_one_in_which_the_step_was_never_sent(system: str, seed: int) -> None:
    with TemporaryDirectory() as folder:
        evening = Recorded(Path(folder), system, seed)
        try:
            _evening(evening, system)
        finally:
            evening.hall.close()


def _evening(evening: Recorded, system: str) -> None:
    chance, hall = evening.chance, evening.hall
    hall.do("begin", *SETUP.get(system, ()))
    for _ in range(chance.randint(2, 40)):
        evening.step()
    for _ in range(3):
        if chance.random() < 0.7:
            evening.own()
        for _ in range(chance.randint(0, 6)):
            evening.players_act()
        _take_back(evening)
        for _ in range(chance.randint(0, 3)):
            evening.step()


def _take_back(evening: Recorded) -> None:
    hall, store = evening.hall, evening.hall.store
    now, before, sent = store.step, store.encounter, in_force(store)
    taken = next(n for n in range(now, 0, -1) if not store.done(n).by)
    steps = {store.done(n).by: store.done(n) for n in range(taken + 1, now + 1)}
    already = told(store)
    expected, refused = without_it(evening, store, taken, now)
    notices = hall.store.run("undo mine=yes").notices
    assert notices[0].text.startswith("took back: ")
    words = notices[1].text if refused else ""
    assert store.encounter == expected
    assert store.step == now - 1 - len(refused)
    # No line goes in silence: it is in force, or its player has it back and the game master reads of it.
    assert sent - in_force(store) == set(refused)
    assert all(subject_of_line(steps[by].line) in words for by in refused[:MOST_NAMED])
    assert all(evening.letters[int(by.split(" ")[1])][0] in words for by in refused)
    assert sum(map(len, told(store).values())) == sum(map(len, already.values())) + len(refused)
    for player in ("Mia", "Jon"):
        at_the_seat(evening, player)
        mine = {line for who, line, _ in evening.letters.values() if who == player}
        assert set(told(store)[player]) <= mine
    reopened(hall)
    store = hall.store
    hall.do("redo")
    assert (store.encounter, store.step, in_force(store)) == (before, now, sent)
    assert told(store) == already
    reopened(hall)
    if evening.chance.random() < 0.7:
        hall.do("undo mine=yes")
        assert hall.store.encounter == expected
