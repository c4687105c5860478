"""Enter is safe: it acts on the row it stands on, or says what would; it never throws steps away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player, press_of
from tui.systems import Registry


@given(
    st.lists(st.sampled_from(["enter", "escape", "tab", "j", "k", "G", "g"]), max_size=25),
    st.sampled_from(Registry().ids()),
)
def test_moving_enter_and_escape_never_undo_a_step(keys: list[str], system: str) -> None:
    p = Player(system, ["add Ana owner=Mia hp=9", "add 2 Orc hp=7", "begin"])
    most = p.store.step
    for key in keys:
        p.desk.press(press_of(key))
        assert p.store.step >= most
        assert p.store.steps == p.store.step
        most = p.store.step
