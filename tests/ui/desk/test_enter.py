"""Enter is safe: it acts on the row it stands on, or says what would; it never throws steps away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import FIGHT, PARTY, Player, press_of
from tui.core.fight.encounter import label
from tui.systems import Registry
from tui.ui.state.scene import current

LOG = (":", "'panes log'", "enter")


def test_the_row_that_acts_ends_its_turn() -> None:
    p = Player(lines=FIGHT).press("enter")
    assert p.asked() == ["next"]


def test_on_another_row_it_says_who_acts_and_which_key_goes_on() -> None:
    p = Player(lines=FIGHT).press("j")
    acting = label(p.store.encounter, p.store.encounter.acting)
    here = label(p.store.encounter, current(p.desk.scene))
    p.press("enter")
    assert p.store.step == len(FIGHT)
    assert p.message() == f"{acting} acts, not {here}: [n] next"


def test_a_row_that_owes_a_roll_rolls_its_own() -> None:
    p = Player(lines=[*PARTY, "begin", "roll Ana 17"]).press("tab", "g", "j", "enter")
    assert p.asked() == ["roll Bo"]
    p.press("k", "enter")
    assert p.asked() == ["roll Bo"]
    assert "Orc 1 owes a roll, not Ana: [r] roll" in p.message()


def test_before_the_fight_it_names_the_key_that_begins() -> None:
    p = Player(lines=PARTY).press("enter")
    assert p.store.step == len(PARTY)
    assert "[b] begin" in p.message()


def test_a_row_that_may_act_takes_its_turn_and_another_asks_who_goes() -> None:
    lines = ["add 2 Ana side=heroes", "add 2 Imp side=cult", "begin", "roll"]
    p = Player("unbound", lines).press("n")
    p.press("tab")
    before = p.store.step
    p.press("G", "enter")
    chose = p.store.step > before
    assert chose == (p.asked()[0].startswith("turn"))
    assert chose or p.desk.view.mode is not None or p.message()


def test_in_a_pane_without_rows_no_row_is_meant() -> None:
    p = Player(lines=FIGHT).press(":", "'panes orders'", "enter", "enter")
    assert p.store.step == len(FIGHT)
    assert p.message().endswith("acts: [n] next")


class TestLog:
    """Enter in the log reads the step whole."""

    def opened(self) -> Player:
        """Three steps back from the last."""
        return Player(lines=FIGHT).press(*LOG, "k", "k", "k", "enter")

    def test_every_message_of_the_step_is_shown(self) -> None:
        p = self.opened()
        assert p.store.step == len(FIGHT)
        over = "\n".join(p.picture()["over"])
        assert "step 3 of 6, whole: add 3 Orc hp=7 mod=1" in over
        assert "Orc 1 to 3 join the dark" in over
        assert "going back here undoes 3 steps" in over
        assert all(f"{n} {line}" in over for n, line in enumerate(FIGHT, 1) if n > 3)

    def test_j_and_k_read_on_and_y_copies(self) -> None:
        p = self.opened().press("j")
        assert "step 4 of 6" in p.picture()["over"][0]
        p.press("k", "k")
        assert "step 2 of 6" in p.picture()["over"][0]
        p.press("Y")
        assert "sent to the clipboard" in p.message()

    @pytest.mark.parametrize(
        "keys", [("enter",), ("escape",), ("g", "enter"), ("g", "escape"), ("g", "g"), ("g", "n")]
    )
    def test_no_key_but_y_goes_back(self, keys: tuple[str, ...]) -> None:
        p = self.opened().press(*keys)
        assert p.store.step == len(FIGHT)

    def test_going_back_is_a_question_with_its_price(self) -> None:
        p = self.opened().press("g")
        assert "Going back here undoes 3 steps: [y] does it" in p.picture()["now"][0]
        p.press("y")
        assert p.store.step == 3
        assert p.asked() == [FIGHT[2]]
        p.press(*LOG, "G", "enter", "g")
        assert "Going on to here brings back 3 steps" in p.picture()["now"][0]
        p.press("y")
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


class TestSelection:
    """Space selects and stays; the selection ends with the line that names all of it."""

    def test_space_stays_and_says_what_the_selection_means(self) -> None:
        p = Player(lines=FIGHT).press("tab", "g", "space")
        assert current(p.desk.scene) == "c1"
        assert p.message() == "1 selected: the next command means this row"
        p.press("j", "space")
        assert p.message() == "2 selected: the next command means all of them"
        p.press("space")
        assert p.message() == "2 selected: the next command means all of them; half of any damage for 1"
        p.press("space")
        assert p.desk.view.selected == ("c1",)

    @pytest.mark.parametrize(
        ("keys", "line"),
        [
            (("3", "d"), "damage Ana,Bo 3"),
            (("x",), "out Ana,Bo"),
            (("c", "'prone'", "enter"), "condition Ana,Bo prone"),
            (("&", "'Duo'", "enter"), "group Ana,Bo Duo"),
        ],
    )
    def test_it_ends_with_the_command_that_used_it(self, keys: tuple[str, ...], line: str) -> None:
        p = Player(lines=FIGHT).press("tab", "g", "space", "j", "space", *keys)
        assert p.asked() == [line]
        assert p.desk.view.selected == ()

    def test_after_any_other_command_it_stays_and_says_so(self) -> None:
        p = Player(lines=FIGHT).press("tab", "g", "space", "j", "space", "n")
        assert p.asked() == ["next"]
        assert len(p.desk.view.selected) == 2
        assert "2 selected" in p.message()
        p.press(":", "'damage Ana 1'", "enter")
        assert "2 selected" in p.message()


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
