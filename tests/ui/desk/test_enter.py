"""Enter is safe: it acts on the row it stands on, or says what would; it never throws steps away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import FIGHT, Player, press_of
from tui.systems import Registry

LOG = (":", "'panes log'", "enter")


def test_a_row_that_may_act_takes_its_turn_and_another_asks_who_goes() -> None:
    lines = ["add 2 Ana side=heroes", "add 2 Imp side=cult", "begin", "roll"]
    p = Player("unbound", lines).press("n")
    p.press("tab")
    before = p.store.step
    p.press("G", "enter")
    chose = p.store.step > before
    assert chose == (p.asked()[0].startswith("turn"))
    assert chose or p.desk.view.mode is not None or p.message()


class TestLog:
    """Enter in the log reads the step whole."""

    def opened(self) -> Player:
        """Three steps back from the last."""
        return Player(lines=FIGHT).press(*LOG, "k", "k", "k", "enter")

    @pytest.mark.parametrize(
        "keys", [("enter",), ("escape",), ("g", "enter"), ("g", "escape"), ("g", "g"), ("g", "n")]
    )
    def test_no_key_but_y_goes_back(self, keys: tuple[str, ...]) -> None:
        p = self.opened().press(*keys)
        assert p.store.step == len(FIGHT)

    def test_a_long_step_is_read_to_its_end(self) -> None:
        lines = ["add 60 Orc", "begin", "roll"]
        p = Player(lines=lines).press(*LOG, "enter")
        first = p.picture()["over"]
        assert "of" in first[0]
        p.press("end")
        assert p.picture()["over"] != first

    def test_orders_that_are_masked_stay_so(self) -> None:
        p = Player("chaos", ["add Ana", "begin", 'order Ana action="SECRET"']).press("ctrl+t")
        p.press(*LOG, "enter")
        assert "SECRET" not in "\n".join(p.picture()["over"][:1])


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


def test_going_back_to_an_order_reads_none_out_on_a_screen_that_the_players_see() -> None:
    lines = ["add Ana kind=pc", "add Bo kind=pc", "begin", 'order Ana action="SECRET"', "order Bo"]
    p = Player("chaos", lines).press("ctrl+t", "u")
    assert p.message() == "took back: Bo has written"
    assert p.press("u", "ctrl+r").message() == "did again: Ana has written"
    assert "SECRET" not in p.press("ctrl+p", "'undo'").text()
    assert "SECRET" not in p.press("escape", "u", "ctrl+p", "'redo'").text()
