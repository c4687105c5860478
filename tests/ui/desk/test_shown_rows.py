"""A key means rows that can be seen: a filter takes the others out of every selection."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tests.kit.tiers import cases
from tui.core.fight.encounter import members
from tui.ui.state.scene import filter_rows, people, targets

PACK = ("add 2 Wolf side=pack hp=9", "add 2 Orc side=pack hp=9", "add Ana kind=pc hp=9", "begin", "roll")


def hurt(p: Player) -> list[str]:
    return [c.name for c in p.store.encounter.combatants.values() if c.hp != 9]


def test_selected_rows_mean_the_rows_that_the_filter_shows() -> None:
    p = Player(lines=PACK).press("/", "'Wolf'", "enter", "space", "j", "space", "3", "d")
    assert hurt(p) == ["Wolf 1", "Wolf 2"]


def test_a_row_selected_before_the_filter_is_not_meant_below_it() -> None:
    p = Player(lines=PACK).press(
        "/", "'Orc'", "enter", "space", "/", "ctrl+u", "'Wolf'", "enter", "space", "j", "space"
    )
    assert p.desk.view.notice is not None
    assert str(p.desk.view.notice).startswith("2 selected")
    assert hurt(p.press("3", "d")) == ["Wolf 1", "Wolf 2"]


@cases(60)
@given(
    st.lists(
        st.sampled_from(
            ["/wolf", "/orc", "/dark", "/", "A", "space", "j", "k", "g", "G", "tab", "escape", "x", "n"]
        ),
        max_size=14,
    )
)
def test_a_command_means_only_rows_that_are_shown(keys: list[str]) -> None:
    p = Player(lines=PACK)
    for key in keys:
        if key.startswith("/"):
            p.press("/", "ctrl+u", *([f"'{key[1:]}'"] if key[1:] else []), "enter")
        else:
            p.press(key)
        scene = p.desk.scene
        shown = {x.entry for x in filter_rows(scene)} | {c.id for c in people(scene)}
        of_rows = {c.id for k in shown for c in members(scene.encounter, k)}
        assert {c.id for k in targets(scene) for c in members(scene.encounter, k)} <= of_rows
