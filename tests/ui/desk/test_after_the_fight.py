"""The rule for 0 hit points, offered when a hero first falls; finish and rest; the missing party first."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.kit.keyboard import Player
from tui.store.library.service import Library

FALLEN = (
    "add Ana owner=Mia hp=18",
    "add 2 Orc hp=7",
    "count Ana focus 4 max=4 reset=short",
    "count Ana focus -3",
    "begin",
    "roll",
    "next",
    "damage Ana 18",
)


def test_now_offers_the_rule_when_a_hero_first_falls_and_enter_takes_dying() -> None:
    p = Player(lines=FALLEN)
    assert "[0] what 0 hit points mean for Ana" in p.text()
    p.press("0", "enter")
    assert p.asked() == ["option zero.pc=dying"]
    assert p.store.encounter.combatants["c1"].dying
    assert "[0]" not in p.text()


def test_esc_asks_no_more_and_the_key_still_opens_it() -> None:
    p = Player(lines=FALLEN).press("0", "escape")
    assert "[0]" not in p.text()
    p.press("0", "down", "enter")
    assert p.asked() == ["option zero.pc=out"]
    assert p.store.encounter.combatants["c1"].out


def test_who_is_dying_can_be_stabilised_from_the_same_key_and_from_the_palette() -> None:
    lines = ("option zero.pc=dying", *FALLEN)
    p = Player(lines=lines).press("0")
    assert "Ana: stable" in p.text()
    assert p.press("enter").asked() == ["stable Ana"]
    dying = p.store.encounter.combatants["c1"].dying
    assert dying is not None
    assert dying.stable
    assert "Ana: stable" not in p.press("0").text()
    assert Player(lines=lines).press("g", "ctrl+p", "'stabil'").text().count("first aid") == 1


def test_a_fallen_monster_asks_nothing() -> None:
    assert "[0]" not in Player(lines=(*FALLEN[:-1], 'damage "Orc 1" 7')).text()


def test_finish_and_a_long_rest_are_two_steps_and_say_before_what_they_give() -> None:
    p = Player(lines=("option zero.pc=dying", *FALLEN, "out orc*"))
    assert "[Q] finish ends the fight" in p.text()
    p.press("Q", "down", "down")
    assert "Ana rests: 18 hit points, focus 4 of 4" in p.text()
    p.press("enter")
    assert p.asked(2) == ["finish", "rest long"]
    c = p.store.encounter.combatants["c1"]
    assert (c.hp, c.counters[0].n, p.store.encounter.running) == (18, 4, False)


def test_after_the_fight_a_rest_is_one_step() -> None:
    p = Player(lines=(*FALLEN, "finish")).press("Q", "enter")
    assert p.asked() == ["rest short"]
    assert p.store.encounter.combatants["c1"].counters[0].n == 4


def test_nobody_rests_while_the_fight_goes_on() -> None:
    p = Player(lines=FALLEN).press("Q", "escape")
    assert p.store.encounter.running
    p.press(":", "'rest long'", "enter")
    assert "nobody rests while the fight runs" in p.message()


def test_the_missing_party_comes_first_and_may_come_fresh(tmp_path: Path) -> None:
    (tmp_path / "parties").mkdir()
    for name in ("a", "b"):
        text = f'[[combatant]]\nname = "{name.upper()}"\nkind = "pc"\nmax_hp = 20\nhp = 5\n'
        (tmp_path / "parties" / f"{name}.toml").write_text(text)
    p = Player()
    store = p.store
    store.effects = replace(store.effects, library=Library(str(tmp_path), store.systems))
    p.press("P", "enter", "P", "r", "enter")
    assert p.asked(2) == ["party a", "party b fresh=yes"]
    assert [c.hp for c in store.encounter.combatants.values()] == [5, 20]


def test_what_0_hit_points_mean_is_read_whole_on_a_narrow_screen() -> None:
    p = Player(lines=FALLEN)
    p.size = (60, 18)
    told = " ".join(" ".join(p.press("0").picture()["now"]).split())
    assert "Then: players' characters: a death save each turn, until stable or dead" in told


def test_in_exploration_a_rest_needs_no_end_of_the_fight() -> None:
    p = Player("dungeon-universalis", ("add Ana kind=pc hp=9", "begin", "damage Ana 3")).press("Q")
    assert "Finish and rest" in p.text()
    p.press("j", "enter")
    assert p.asked() == ["rest long"]
    assert p.store.encounter.running
    assert "[Rest]" in p.press("Q", "escape", ":", "'finish'", "enter", "Q").text()
