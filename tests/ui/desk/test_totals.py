"""The list of owed rolls: totals and faces as called, saves made and failed, the app's dice for the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import PARTY, Player
from tests.kit.tiers import cases
from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import label
from tui.core.rules.optional import correctable
from tui.core.rules.rolling import reach
from tui.core.rules.upkeep import owed
from tui.systems import Registry
from tui.ui.modes.menu import Menu
from tui.ui.modes.rolls import RollList

ROLLING = {
    "classic": (*PARTY, "begin"),
    "chaos": ("add Ana owner=Mia bonus=2", "add Orc bonus=-1", "begin", "order Ana", "order Orc", "lock"),
    "unbound": ("add Ana owner=Mia per=2", "add 2 Orc", "begin"),
    "dynamic": ("add Ana owner=Mia", "add 2 Orc", "begin", "order Ana weapon=1d8 move=yes"),
    "dungeon-track": ("add Ana owner=Mia per=3 int=2", "add Orc per=2 int=1 distance=4", "begin", "meet Ana"),
    "dungeon-universalis": (
        "add Ana owner=Mia per=3 int=2",
        "add Orc per=2 int=1 distance=4",
        "begin",
        "meet Ana",
    ),
}
FIRE = ("add Ana owner=Mia hp=18 saves=dex+2", "add 3 Orc hp=7", "begin", "roll", "next")
LAID = (*FIRE, "area Ana,orc* damage=8 dc=12 save=dex")


def rolls(p: Player) -> list[RollAsk]:
    """What is still to roll."""
    return [a for a in owed(p.store.encounter, p.store.system) if isinstance(a, RollAsk)]


def open_(p: Player) -> RollList:
    """The list, which must be open."""
    assert isinstance(p.desk.view.mode, RollList)
    return p.desk.view.mode


@pytest.mark.parametrize("system", ROLLING)
def test_now_names_the_key_and_every_row_takes_a_number_that_its_dice_give(system: str) -> None:
    p = Player(system, ROLLING[system])
    # Where single dice decide, no total would do: the key says so.
    first = rolls(p)[0]
    single = reach(p.store.encounter, p.store.system, first) is None
    assert (("[R] faces" in p.text()), ("[#] totals" in p.text())) == (single, not single)
    p.press("#")
    while isinstance(mode := p.desk.view.mode, RollList):
        ask = mode.current(p.desk.scene)
        assert ask is not None
        bounds = reach(p.store.encounter, p.store.system, ask)
        assert mode.takes_faces(p.desk.scene, ask) == (bounds is None)
        # Another number for each, so that nobody ties for ever.
        number = (
            " ".join("1" for _ in ask.dice) if bounds is None else str(bounds[1] - p.store.step % bounds[1])
        )
        who = label(p.store.encounter, ask.who)
        p.press(f"'{number}'", "enter")
        verb = "roll" if bounds is None else "total"
        assert p.asked()[0].replace('"', "") == f"{verb} {who} {number}"
    assert not rolls(p)


@pytest.mark.parametrize("system", [s for s in Registry().ids() if s in ROLLING])
def test_a_number_that_cannot_be_is_refused_with_its_range_and_stays(system: str) -> None:
    p = Player(system, ROLLING[system]).press("#")
    before = p.store.step
    p.press("'99'", "enter")
    assert p.store.step == before
    assert open_(p).editor.text == "99"
    assert " to " in p.message() or "is not on a" in p.message() or "give 2 faces" in p.message()
    p.press("escape")
    assert p.desk.view.mode is None


def test_totals_are_typed_in_table_order_and_the_app_rolls_the_rest_in_one_step() -> None:
    p = Player(lines=(*PARTY, "begin")).press("#", "'14'", "enter", "'9'", "tab")
    assert p.asked(2) == ["total Ana 14", "total Bo 9"]
    before = p.store.step
    p.press("r")
    assert (p.store.step, p.desk.view.mode) == (before + 1, None)
    assert not rolls(p)


def test_an_enter_behind_the_letter_that_closed_the_list_ends_no_turn() -> None:
    p = Player(lines=LAID).press("#", "m", "m", "m")
    acting = p.store.encounter.acting
    p.press("m")
    assert p.desk.view.mode is None
    step = p.store.step
    p.press("enter")
    assert (p.store.step, p.store.encounter.acting) == (step, acting)
    assert "another Enter goes on" in p.message()
    p.press("enter")
    assert p.store.encounter.acting != acting or p.message() != "", "the second one means what it says"


def test_enter_without_a_number_goes_on_and_arrows_choose_the_row() -> None:
    p = Player(lines=(*PARTY, "begin")).press("#", "enter", "down", "up", "'9'", "enter")
    assert p.asked() == ["total Bo 9"]


def test_r_types_faces_and_an_arrow_changes_the_column() -> None:
    p = Player(lines=(*PARTY, "begin")).press("R", "'14'", "enter")
    assert p.asked() == ["roll Ana 14"]
    p.press("left", "'9'", "enter")
    assert p.asked() == ["total Bo 9"]


def test_u_takes_back_the_last_answer_and_nothing_before_the_list() -> None:
    p = Player(lines=(*PARTY, "begin")).press("#", "'14'", "enter", "u")
    assert rolls(p)[0].who == p.store.encounter.combatants["c1"].id
    step = p.store.step
    p.press("u")
    assert p.store.step == step
    p.press("'15'", "enter")
    assert p.asked() == ["total Ana 15"]


def test_a_selected_row_comes_first() -> None:
    p = Player(lines=(*PARTY, "begin")).press("j", "space", "#", "'9'", "enter")
    assert p.asked() == ["total Bo 9"]


def test_a_tie_leaves_the_list_open_for_the_roll_off() -> None:
    p = Player(lines=("add Ana mod=1", "add Bo mod=1", "begin")).press("#", "'9'", "enter", "'9'", "enter")
    assert len(rolls(p)) == 2
    p.press("'4'", "enter", "'2'", "enter")
    assert p.desk.view.mode is None
    assert [r.entry for r in p.store.system.rows(p.store.encounter)] == ["c1", "c2"]


def test_saves_of_an_area_are_ticked_or_typed_and_say_what_they_cost() -> None:
    p = Player(lines=LAID).press("#", "'15'", "enter")
    assert "made takes 4: 14/18" in p.text()
    p.press("m", "f")
    assert p.asked(2) == ['made "Orc 1"', 'failed "Orc 2"']
    assert "takes 8: 0/7" in p.text()
    p.press("'11'", "enter")
    assert [c.hp for c in p.store.encounter.combatants.values()] == [14, 3, 0, 0]
    assert p.desk.view.mode is None


def test_a_death_save_and_concentration_are_answered_in_it() -> None:
    lines = (
        "option zero.pc=dying",
        "add Bo kind=pc hp=9",
        "add Cay kind=pc hp=15",
        "add Orc hp=7",
        "begin",
        "roll",
    )
    p = Player(lines=(*lines, "condition Cay concentration", "damage Cay 4"))
    p.press("#")
    assert "concentration" in p.text()
    p.press("f")
    assert not p.store.encounter.combatants["c2"].conditions
    p = Player(lines=(*lines, "damage Bo 9"))
    while not rolls(p):
        p.press("n")
    p.press("#", "m")
    assert p.asked() == ["made Bo"]


@pytest.mark.parametrize("even", ["true", "false"])
def test_a_check_of_a_system_says_which_number_makes_it_and_what_it_came_to(even: str) -> None:
    lines = (
        "add Ana side=heroes stealth=2 per=1",
        "add Orc side=dark per=1",
        "add Ogre side=dark",
        f"option unb.tie_notices={even}",
        "begin",
        "surprise dark by=heroes",
    )
    p = Player("unbound", (*lines, "roll heroes 3", "roll dark 9")).press("#")
    least = 12 if even == "true" else 13
    assert f"{least} or more makes it" in p.text()
    p.press("left")
    assert f"{least - 1} or more makes it" in p.text()
    p.press("right", "'1'", f"'{least - 10}'", "enter")
    assert "made" in next(row for row in p.text().split("\n") if "Orc" in row and f" {least} " in row)
    p.press("'1'", "'1'", "enter")
    assert ["surprised" in c.marks for c in p.store.encounter.combatants.values()] == [False, False, True]


def test_without_a_roll_that_is_due_it_says_so() -> None:
    assert Player(lines=PARTY).press("#").message() == "no roll is due"


@cases(25)
@given(st.data())
def test_the_list_does_what_the_lines_do(data: st.DataObject) -> None:
    """Law: answers in the list leave the same encounter as the lines that they stand for."""
    p, twin = Player(lines=LAID), Player(lines=LAID)
    p.press("#")
    while isinstance(p.desk.view.mode, RollList):
        who = label(p.store.encounter, rolls(p)[0].who)
        answer = data.draw(st.sampled_from(["m", "f", "number"]))
        number = str(data.draw(st.integers(3, 20)))
        p.press(*((f"'{number}'", "enter") if answer == "number" else (answer,)))
        word = {"m": f'made "{who}"', "f": f'failed "{who}"'}.get(answer, f'total "{who}" {number}')
        assert twin.desk.submit(word)
    ours, theirs = p.store.encounter.combatants, twin.store.encounter.combatants
    assert [c.hp for c in ours.values()] == [c.hp for c in theirs.values()]


@pytest.mark.parametrize("size", [(80, 24), (60, 18)], ids=str)
def test_the_list_says_what_a_number_may_be_and_how_to_type_faces_and_nothing_of_it_is_cut(
    size: tuple[int, int],
) -> None:
    lines = ("add Ana mod=3", "add 2 Goblin", "add Shaman hidden=yes", "begin")
    p = Player(lines=lines).press("#")
    p.size = size
    rows = p.picture()["over"]
    assert "may be 4 to 23" in rows[1]
    assert "Shaman" in rows[4]
    # In columns: who is hidden moves no number.
    assert rows[1].index("may be") == rows[4].index("may be") > rows[4].index("HIDDEN")
    assert "Left faces" in p.picture()["hints"][0]
    now = p.picture()["now"]
    assert "[r] rolls all 4" in " ".join(now)
    p.press("'17'", "enter")
    assert not any("…" in row for row in p.picture()["now"])


def test_a_key_is_not_torn_from_what_it_does_at_60_columns() -> None:
    sides = ("add Iris side=Crew", "add 3 Raider side=Raiders", "begin", "roll Crew 3", "roll Raiders 9")
    p = Player("unbound", sides)
    p.size = (60, 18)
    first, second = p.picture()["now"]
    assert first.rstrip().endswith("Raider 3")
    assert "[Enter] Raider 1 acts" in second


def test_what_was_refused_is_typed_over() -> None:
    p = Player(lines=("add Ana +3", "add Bo", "begin")).press("#", "'99'", "enter")
    assert "99 is no total" in p.message()
    p.press("'1'", "'2'", "enter")
    assert p.asked() == ["total Ana 12"]


def test_where_single_dice_decide_the_list_names_no_key_for_totals() -> None:
    p = Player("dungeon-universalis", ROLLING["dungeon-universalis"]).press("R")
    assert open_(p).faces
    assert "totals" not in p.picture()["hints"][0]
    p.press("left")
    assert open_(p).faces


def test_the_key_of_the_other_list_changes_to_it() -> None:
    p = Player("classic", ROLLING["classic"]).press("#")
    assert not open_(p).faces
    assert open_(p.press("R")).faces
    assert not open_(p.press("#")).faces
    p = Player("dungeon-universalis", ROLLING["dungeon-universalis"]).press("R", "#")
    assert "faces" in p.text()


def test_one_owes_and_a_save_is_called_a_save() -> None:
    p = Player(lines=("add Ana hp=9", "condition Ana concentration", "damage Ana 2")).press("#")
    assert "1 of 1 owes a save" in p.text()


@pytest.mark.parametrize("system", ROLLING)
def test_where_no_roll_is_owed_the_key_offers_to_say_a_roll_again(system: str) -> None:
    p = Player(system, ROLLING[system])
    p.desk.run("roll")
    first = correctable(p.store.system, p.store.encounter)[0]
    p.press("R")
    assert isinstance(p.desk.view.mode, Menu)
    p.press("enter")
    faces = " ".join("1" if p.store.encounter.rolls[first.key].faces[0] > 1 else "2" for _ in first.dice)
    p.press(f"'{faces}'", "enter")
    assert p.asked() == [f"roll {label(p.store.encounter, first.who)} {faces}"]


def test_nothing_can_be_said_again_where_nothing_was_rolled() -> None:
    p = Player(lines=PARTY).press("R")
    assert p.desk.view.mode is None
    assert p.message() == "no roll is due"


CARDS = ("add Ana owner=Mia hp=9", "add Bo hp=9", "add Cay hp=9", "begin")


def test_cards_are_typed_by_name_though_their_letters_are_commands() -> None:
    p = Player("cards", CARDS).press("R")
    assert "Ana: type the card" in p.text()
    p.press("'ks'", "enter", "'joker'", "enter")
    assert p.asked(2) == ["roll Ana ks", "roll Bo joker"]
    p.press("'10h'", "enter")
    assert p.asked() == ["roll Cay 10h"]
    assert not rolls(p)
    shown = p.text()
    assert "K♠ " in shown
    assert "joker " in shown
    assert "10♥ " in shown


def test_a_card_that_is_gone_or_none_is_refused_and_typed_over() -> None:
    p = Player("cards", CARDS).press("R", "'ks'", "enter", "'ks'", "enter")
    assert "K♠ is gone" in p.message()
    p.press("'10'", "enter")
    assert "10 is not a card" in p.message()
    before = p.store.step
    p.press("k", "r")
    assert p.store.step == before, "no letter is a command behind the beginning of a card"
    p.press("s", "backspace", "d", "enter", "r")
    assert p.asked(2) == ["roll Bo kd", "roll"]
    assert p.desk.view.mode is None


def test_a_card_that_was_heard_wrongly_is_listed_by_its_name() -> None:
    p = Player("cards", (*CARDS, "roll Ana ks", "roll Bo joker", "roll Cay 3c")).press("#")
    assert isinstance(p.desk.view.mode, Menu)
    assert [(x.note, x.line) for x in p.desk.view.mode.items] == [
        ("joker", "roll Bo "), ("K♠", "roll Ana "), ("3♣", "roll Cay "),
    ]  # fmt: skip
