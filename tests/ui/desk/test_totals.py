"""The list of owed rolls: in every system it takes what the dice give, and does what the lines do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import PARTY, Player
from tests.kit.tiers import cases
from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import label
from tui.core.rules.optional import correctable_rolls
from tui.core.rules.rolling import takes_total, total_bounds
from tui.core.rules.upkeep import all_owed
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
    return [a for a in all_owed(p.store.encounter, p.store.system) if isinstance(a, RollAsk)]


def open_(p: Player) -> RollList:
    """The list, which must be open."""
    assert isinstance(p.desk.view.mode, RollList)
    return p.desk.view.mode


@pytest.mark.parametrize("system", ROLLING)
def test_now_names_the_key_and_every_row_takes_a_number_that_its_dice_give(system: str) -> None:
    p = Player(system, ROLLING[system])
    # Where single dice decide, no total would do: the key says so.
    first = rolls(p)[0]
    title = "totals" if takes_total(p.store.encounter, p.store.system, first) else "faces"
    # `n` opens a form that is asked for first.
    assert any(f"[{key}] {title}" in p.text() for key in "n#")
    p.press("#")
    while isinstance(mode := p.desk.view.mode, RollList):
        ask = mode.current(p.desk.scene)
        assert ask is not None
        fight = p.store.encounter, p.store.system
        bounds = total_bounds(*fight, ask) if takes_total(*fight, ask) else None
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
    before, first = p.store.step, rolls(p)[0]
    who = label(p.store.encounter, first.who)
    is_total = takes_total(p.store.encounter, p.store.system, first)
    p.press("'1000'", "enter")
    assert p.store.step == before
    assert open_(p).editor.text == "1000"
    range_ = f"total {who} takes -99 to 999" if is_total else f"{who} owes d6 d6"
    assert range_ in p.message()
    p.press("escape")
    assert p.desk.view.mode is None


def test_an_enter_behind_the_letter_that_closed_the_list_ends_no_turn() -> None:
    p = Player(lines=LAID).press("#", "m", "m", "m")
    acting = p.store.encounter.acting
    p.press("m")
    assert p.desk.view.mode is None
    step = p.store.step
    p.press("enter")
    assert (p.store.step, p.store.encounter.acting) == (step, acting)
    assert "the list is closed" in p.message()
    p.press("enter")
    assert p.desk.view.mode is not None, "the second one means what it says: the card of the row"


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


@pytest.mark.parametrize("system", ROLLING)
def test_where_no_roll_is_owed_the_key_offers_to_say_a_roll_again(system: str) -> None:
    p = Player(system, ROLLING[system])
    p.desk.run("roll")
    first = correctable_rolls(p.store.system, p.store.encounter)[0]
    p.press("#")
    assert isinstance(p.desk.view.mode, Menu)
    p.press("enter")
    fight = p.store.encounter, p.store.system
    most = total_bounds(*fight, first)[1] if takes_total(*fight, first) else None
    faces = " ".join("1" if p.store.encounter.rolls[first.key].faces[0] > 1 else "2" for _ in first.dice)
    said = f"total {{}} {most}" if most and len(first.dice) == 1 else f"roll {{}} {faces}"
    p.press(f"'{said.removeprefix('total {} ').removeprefix('roll {} ')}'", "enter")
    assert p.asked() == [said.format(label(p.store.encounter, first.who))]
