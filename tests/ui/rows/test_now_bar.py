"""Now: who, the key in its column, why; no order that a pane shows anyway, and no half of a remark."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import PARTY, Player
from tests.rendering import desk_of
from tests.samples import NAMES
from tui.core.rules.optional import orders_of
from tui.systems import Registry
from tui.ui.panes.keyed import keyed_text
from tui.ui.text.rows import words


def rows(p: Player) -> list[str]:
    return p.picture()["now"]


def test_the_key_stands_in_the_same_column_whoever_acts() -> None:
    p = Player(lines=[*PARTY, "begin", "roll", "next"])
    places = set()
    for _ in range(12):
        places.add(rows(p)[0].index("[n] next when done"))
        p.press("n")
    assert len(places) == 1


@pytest.mark.parametrize("name", NAMES)
def test_now_does_not_repeat_the_order_that_a_pane_shows(name: str) -> None:
    desk = desk_of(name)
    drawn = desk.draw(desk.boxes(80, 24))
    told = " ".join(text for row in drawn["now"] for text, _ in row)
    for order in orders_of(desk.store.system, desk.store.encounter):
        assert not any(text and text in told for text in order.text.values() if len(text) > 3)


@pytest.mark.parametrize("width", [80, 90, 100, 120])
def test_a_remark_that_has_no_room_is_left_out_whole(width: int) -> None:
    desk = desk_of("cellar")
    second = words(desk.draw(desk.boxes(width, 30))["now"][1])
    assert "Cultist 3 may be moved one square ([s] moved)" in second
    assert second.rstrip().endswith(("; …", ")", "all pass"))
    assert second.count("[") == second.count("]")
    assert second.count("(") == second.count(")")


def test_a_backtick_in_a_name_of_an_older_save_is_shown_as_it_is() -> None:
    remark = 'a card: `place "`; 1"`'
    assert keyed_text(remark, {"place": "M"}) == 'a card: :place "; 1"`'


@pytest.mark.parametrize("system", Registry().ids())
def test_a_new_name_has_no_backtick(system: str) -> None:
    p = Player(system, ("add Ana owner=Mia hp=9", "add 3 `! hp=5", "rename Ana a`b", "begin"))
    assert "`" not in p.text()
    assert [c.name for c in p.store.encounter.combatants.values()] == ["a'b", "'! 1", "'! 2", "'! 3"]


def test_what_a_creature_bears_has_no_backtick() -> None:
    p = Player("classic", ("add Ana hp=9", "condition Ana a`b", "count Ana c`d 1 max=3"))
    (ana,) = p.store.encounter.combatants.values()
    assert [x.name for x in ana.conditions] == ["a'b"]
    assert [x.name for x in ana.counters] == ["c'd"]
