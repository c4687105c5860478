"""Lines of seats at the game master's desk: what is typed is what is done, whoever's step comes meanwhile."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player, press_of
from tests.kit.table import Memory
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.store.dependencies import StoreEffects
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.state.moment import line_of_enter
from tui.ui.state.scene import targets

LONG = "Bartholomew of the Long Marches"
PEOPLE = ("Mia", "Jon", "Pat")


@pytest.fixture
def written() -> Player:
    p = Player(
        "chaos", [*(f'add "{LONG} {who}" owner={who} hp=9' for who in PEOPLE), "add Orc hp=9", "begin"]
    )
    for number, who in enumerate(PEOPLE, 1):
        for order in ("action=strike", "action=run"):
            p.store.run(f'order "{LONG} {who}" {order}', by=f"{who.lower()} {number}")
    return p


def clock_of(p: Player, time: Callable[[], str]) -> None:
    p.store.effects = StoreEffects(Memory(), SeededDice(1), time)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 18)])
def test_every_player_whose_line_went_is_named_before_any_text_is_cut(
    written: Player, size: tuple[int, int]
) -> None:
    written.size = size
    written.press("u", "y")
    said = " ".join(written.picture()["now"])
    assert "took back: begin; lines of Mia, Jon and Pat no longer" in said


def test_the_log_says_who_rewrote_an_order(written: Player) -> None:
    told = [x.text for x in written.store.messages(written.store.step)]
    assert told == [f"Pat rewrote {LONG} Pat's order"]


def test_undo_as_a_line_asks_with_the_name_of_the_step_and_its_player() -> None:
    p = Player("chaos", ["add Ana owner=Mia hp=9", "add Orc hp=9", "begin"])
    p.store.run("order Ana action=wait", by="mia 1")
    p.store.run("damage Orc 1")
    p.press(":", "'undo 2'", "enter")
    asked = "Undo damage Orc, Mia's order Ana? [y] undoes it, [Esc] goes back"
    assert asked in " ".join(p.press("ctrl+r", "k").picture()["now"])
    assert asked not in p.press("escape").text()


def test_a_notice_goes_with_a_step_of_a_seat_once_it_has_been_there_to_read() -> None:
    p = Player("chaos", ["add Ana owner=Mia hp=9", "add Orc hp=9", "begin"])
    now = ["12:00:00"]
    clock_of(p, lambda: f"2026-01-01T{now[0]}Z")
    p.press("r")
    refused = p.message()
    assert refused
    now[0] = "12:00:02"
    p.store.run("order Ana action=wait", by="mia 1")
    assert p.message() == refused
    now[0] = "12:00:09"
    p.store.run("order Ana action=run", by="mia 2")
    assert p.message() == ""
    # What is being typed keeps the reason with it.
    p.press(":", "'damage Foo 3'", "enter")
    refused = p.message()
    now[0] = "12:00:30"
    p.store.run("order Ana action=hide", by="mia 3")
    assert p.message() == refused != ""


def test_a_reaction_from_a_seat_is_read_until_the_next_key() -> None:
    p = Player(
        "chaos",
        [
            *("add Ana owner=Mia hp=9", "add Cay owner=Jon hp=9", "add Orc hp=9", "begin"),
            'order Ana reaction="the orc comes near => stab it"',
            *("order Cay", "order Orc", "lock", "roll Ana 9", "roll Cay 5", "roll Orc 20", "ok", "next"),
        ],
    )
    now = ["12:00:00"]
    clock_of(p, lambda: f"2026-01-01T{now[0]}Z")
    p.press("j")
    leads = p.picture()["now"][0]
    p.store.run("react Ana", by="mia 1")
    assert "Ana reacts" in p.message()
    assert "the orc comes near => stab it" in p.message()
    now[0] = "12:00:30"
    p.store.run("react Cay", by="jon 1")
    assert "Ana reacts" in p.message()
    assert "Cay reacts" in p.message()
    assert p.picture()["now"][0] == leads
    p.press("j")
    assert p.message() == ""


def test_a_notice_of_lines_that_no_longer_count_goes_when_one_of_them_is_sent_again() -> None:
    p = Player(lines=TURN)
    p.store.run("end", by="jon 1")
    p.press(":", "'undo'", "enter", "y")
    assert "took back Jon's end: it no longer counts" in p.message()
    p.store.run("end", by="jon 2")
    assert p.message() == ""


TURN = ["add Bram owner=Jon hp=9", "add Ghoul hp=9", "begin", "total Bram 9 Ghoul 8", "next"]
CHOOSING = [
    *("add Ana owner=Mia", "add Bo owner=Jon", "add Orc side=foes"),
    "begin",
    "total heroes 12 foes 3",
]
SEATS = [
    (line.format(who), f"{player} 1")
    for who, player in (("Ana", "mia"), ("Bo", "jon"))
    for line in ("roll {0}", "order {0}", "turn {0}", "end", "pass")
]
KEYS = ["enter", "enter", "n", "j", "k", "tab", "G", "r", "#", "5", "d", "escape", "p"]


def send(p: Player, line: str, by: str) -> bool:
    """Send a line of a seat; return whether it was accepted."""
    try:
        p.store.run(line, by=by)
    except RuleError:
        return False
    return True


@cases(60)
@given(st.sampled_from(Registry().ids()), st.randoms(use_true_random=False))
def test_a_step_of_a_seat_changes_neither_the_row_of_the_next_key_nor_what_enter_does(
    system: str, chance: random.Random
) -> None:
    """Law: right after a seat's step a key means the row as before, and Enter that line or none."""
    p = Player(system, ["add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9", "add 2 Orc hp=7", "begin"])
    clock = [0]
    clock_of(p, lambda: f"2026-01-01T12:{clock[0] // 60:02}:{clock[0] % 60:02}Z")
    for _ in range(40):
        clock[0] += 5  # what came before could be read
        before, board = p.desk.scene, p.desk.view.mode is None
        lines = chance.sample(SEATS, len(SEATS))
        if not any(send(p, *line) for line in lines):
            p.desk.press(press_of(chance.choice(KEYS)))
            continue
        assert targets(p.desk.scene) == targets(before)
        step = p.store.step
        p.desk.press(press_of("enter"))
        if board and p.store.step > step:
            assert p.asked() == [line_of_enter(before)]
        p.desk.press(press_of("escape"))


def test_a_half_typed_die_goes_with_the_row_of_a_creature_that_has_rolled() -> None:
    p = Player(lines=["add Ana owner=Mia", "add Bram owner=Jon", "add Orc", "begin"]).press("#", "#", "1")
    p.store.run("roll Ana 9", by="mia 1")
    assert p.message() == "Ana has rolled: 1 is not sent; Enter continues"
    step = p.store.step
    p.press("7", "enter")
    assert (p.store.step, p.message()) == (step, "Ana has rolled: 1 is not sent")
    p.press("'12'", "enter")
    assert p.asked() == ["roll Bram 12"]
    p.store.run("roll Orc 3", by="jon 1")
    assert p.desk.view.mode is None, "nothing is left to type"
    p.press("1", "7", "enter")
    assert p.asked() == ["roll Orc 3"]
    assert not p.desk.view.count


def test_the_cursor_follows_the_turn_once_a_step_of_a_seat_could_be_read() -> None:
    p, now = Player(lines=TURN), ["12:00:00"]
    clock_of(p, lambda: f"2026-01-01T{now[0]}Z")
    p.press("5")
    p.store.run("end", by="jon 1")
    now[0] = "12:00:05"
    assert p.press("d").asked() == ["damage Bram 5"]
    p.store.run("undo 2")
    p.store.run("end", by="jon 2")
    p.press("x")
    assert p.asked() == ["out Bram"]
    now[0] = "12:00:09"
    p.desk.rest()
    assert p.press("x").asked() == ["out Ghoul"]


def test_a_key_ends_no_turn_that_a_seat_has_just_begun() -> None:
    p = Player("unbound", CHOOSING)
    p.store.run("turn Ana", by="mia 1")
    p.press("n")
    assert p.asked() == ["turn Ana"]
    assert "press it again" in p.message()
    assert p.press("n").asked() == ["next"]


def test_a_list_of_who_goes_closes_with_the_choice_of_a_seat() -> None:
    p = Player("unbound", CHOOSING)
    p.press("G", "enter")
    assert p.desk.view.mode is not None
    p.store.run("turn Bo", by="jon 1")
    assert p.press("enter").asked() == ["turn Bo"]
    assert p.message() == "the choice has been made"


def test_a_list_of_what_is_chosen_closes_with_the_choice_of_a_seat() -> None:
    creature, order = "add Sela kind=pc owner=Lia bonus=1,1", "order Sela weapon=1d8 move=yes"
    p = Player("dynamic", ["option dis.resize=ask", creature, "begin", order]).press("n")
    assert p.desk.view.mode is not None
    p.store.run("pick d8", by="lia 1")
    assert p.press("enter").asked() == ["pick d8"]
    assert p.message() == "the choice has been made"
