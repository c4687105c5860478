"""Now: who and the key are never cut; no order that a pane shows anyway."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.keyboard import Player
from tests.kit.random_fights import fight
from tests.kit.tiers import cases, third_of
from tests.rendering import desk_of
from tests.samples import NAMES
from tui.core.rules.optional import orders_of
from tui.systems import Registry
from tui.ui.panes.keyed import keyed_text
from tui.ui.panes.now import now_texts
from tui.ui.panes.screen import boxes, draw
from tui.ui.state.moment import moment
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Row, words


def said(rows: Sequence[Row]) -> str:
    """The words of rows, as if they were one row."""
    return " ".join(" ".join(map(words, rows)).split())


@pytest.mark.parametrize("system", third_of(Registry().ids(), 0))
@cases(10)
@given(seed=st.integers(0, 10**9), steps=st.integers(1, 30), notice=st.booleans())
def test_who_acts_what_is_owed_and_the_key_are_never_cut(
    system: str, seed: int, steps: int, notice: bool
) -> None:
    p = Player(system)
    if notice:
        p.desk.notify("no creature here is called Zoe", "error")
    for e in fight(system, seed, steps).met:
        scene = replace(p.desk.scene, encounter=e)
        (what, answer, *_), whose = (*now_texts(scene), ()), keyed_text(moment(scene).whose, scene.verbs)
        wide, narrow = (now_rows(scene, width) for width in (80, 60))
        assert all(part in said(wide) for part in (said([what]), said([answer]))), (what, answer, wide)
        assert notice or whose in said(wide), (whose, wide)
        assert "\N{HORIZONTAL ELLIPSIS}" not in words(narrow[0]), narrow


def now_rows(scene: Scene, width: int) -> list[Row]:
    """The rows of Now on a screen of 24 lines."""
    return draw(scene, {"now": boxes(scene, width, 24)["now"]})["now"]


@pytest.mark.parametrize("name", NAMES)
def test_now_does_not_repeat_the_order_that_a_pane_shows(name: str) -> None:
    desk = desk_of(name)
    drawn = desk.draw(desk.boxes(80, 24))
    told = " ".join(text for row in drawn["now"] for text, _ in row)
    for order in orders_of(desk.store.system, desk.store.encounter):
        assert not any(text and text in told for text in order.text.values() if len(text) > 3)


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
