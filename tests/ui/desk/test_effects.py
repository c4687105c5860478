"""What happens at the start and end of a turn, by keys: one to apply it, one to leave it out."""

from __future__ import annotations

from tests.ui.keyboard import Player

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


def test_enter_on_the_row_applies_and_without_an_effect_the_key_says_so() -> None:
    p = Player(lines=PEOPLE).press("enter")
    assert (p.asked(), hp(p)) == (["apply Troll"], [28, 30])
    p.press("_")
    assert "no effect of a condition is due" in str(p.desk.view.notice)
