"""A limit for turns rings once when a turn is too long; without one nothing is set, and nothing is sent."""

from __future__ import annotations

from collections.abc import Callable

from tests.kit.keyboard import FIGHT, Player
from tui.ui.desk.ports import Services
from tui.ui.state.settings import Settings


class Watch:
    """Calls that were set, and what rang."""

    def __init__(self) -> None:
        self.set: dict[int, tuple[float, Callable[[], None]]] = {}
        self.bells = 0
        self._number = 0

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        self._number += 1
        number = self._number
        self.set[number] = (seconds, call)
        return lambda: self.set.pop(number, None) and None

    def bell(self) -> None:
        self.bells += 1

    def ring(self) -> None:
        number = next(iter(self.set))
        self.set.pop(number)[1]()


def player(seconds: int) -> tuple[Player, Watch]:
    watch = Watch()
    services = Services(later=watch.later, bell=watch.bell)
    return Player(lines=FIGHT, settings=Settings(turn_limit=seconds), services=services), watch


def test_without_a_limit_nothing_is_set() -> None:
    p, watch = player(0)
    p.press("n", "n", "u", "n")
    assert not watch.set


def test_each_turn_that_begins_has_all_of_its_time_and_one_that_was_found_running_has_none() -> None:
    p, watch = player(90)
    assert not watch.set
    for _ in range(3):
        p.press("n")
        assert [seconds for seconds, _ in watch.set.values()] == [90]
    before = list(watch.set)
    p.press("3", "d", "N", "'a word'", "enter")
    assert list(watch.set) == before, "what happens in a turn does not lengthen it"


def test_the_bell_rings_once_and_says_whose_turn_it_is() -> None:
    p, watch = player(90)
    p.press("n")
    name = p.store.encounter.combatants[p.store.encounter.acting].name
    watch.ring()
    assert watch.bells == 1
    assert p.message() == f"{name}: 1:30 are over, the limit of a turn"
    p.press("3", "d")
    assert not watch.set


def test_a_turn_that_is_over_rings_no_more() -> None:
    p, watch = player(90)
    p.press("n", "e")
    assert not watch.set


def test_a_limit_can_be_set_for_tonight() -> None:
    p, watch = player(0)
    p.press(":", "'limit 60'", "enter")
    assert "1:00" in p.message()
    assert [seconds for seconds, _ in watch.set.values()] == [60]
    p.press(":", "'limit 0'", "enter")
    assert "no limit" in p.message()
    assert not watch.set
    p.press(":", "'limit soon'", "enter")
    assert ":limit 90" in p.message()
    p.press("ctrl+p", "'turn limit'")
    assert "limit" in p.text()
