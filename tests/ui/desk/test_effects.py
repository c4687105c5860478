"""What happens at the start and end of a turn, by keys: one to apply it, one to leave it out."""

from __future__ import annotations

from tests.kit.keyboard import Player

PEOPLE = (
    "add Troll value=20 hp=30",
    "add Ana kind=pc value=10 hp=30",
    "damage Troll 12",
    'condition Troll regeneration at=start heal=10 note="not after fire"',
    "condition Ana burning at=end damage=4 type=fire",
    "begin",
    "next",
)


def hp(p: Player) -> list[int | None]:
    """Return the hit points of both."""
    return [c.hp for c in p.store.encounter.combatants.values()]


def test_one_key_applies_what_is_due_and_one_leaves_it_out() -> None:
    p = Player(lines=PEOPLE)
    assert "Troll: regeneration, heals 10" in p.text()
    p.press("escape")
    assert hp(p) == [18, 30]
    p.press("r")
    assert (p.asked(), hp(p)) == (["roll"], [28, 30])
    p.press("u", "_")
    assert (p.asked(), hp(p)) == (["skip Troll regeneration"], [18, 30])
    p.press("j")
    assert "regeneration: not after fire" in p.text()
    p.press("n", "n")
    assert "Ana: burning, 4 fire damage" in p.text()
    p.press("r", "n")
    assert hp(p) == [18, 26]


def test_the_number_of_an_effect_is_typed_as_it_fell_at_the_table_or_halved() -> None:
    lines = (*PEOPLE[:4], "condition Troll guardians at=start damage=3d8", "begin", "next")
    p = Player(lines=lines).press("#", "'9'", "enter")
    assert (p.asked(), hp(p)) == (["apply Troll guardians 9"], [9, 30])
    p.press("r")
    assert hp(p) == [19, 30]
    p = Player(lines=(*lines[:-3], "condition Troll guardians at=start damage=9d1", *lines[-2:]))
    p.press("#", "'/2'", "enter")
    assert hp(p) == [14, 30]
    two = Player(lines=(*lines[:-2], "condition Troll burning at=start damage=1d6", *lines[-2:]))
    two.press("R", "down", "enter", "'8/2'", "enter")
    assert (two.asked(), hp(two)) == (["apply Troll burning 8/2"], [14, 30])


def test_enter_on_the_row_applies_and_without_an_effect_the_key_says_so() -> None:
    p = Player(lines=PEOPLE).press("enter")
    assert (p.asked(), hp(p)) == (["apply Troll"], [28, 30])
    p.press("_")
    assert "no effect of a condition is due" in str(p.desk.view.notice)
