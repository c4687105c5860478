"""Groups as one row of the roster; who comes later; who stands at a fixed place."""

from __future__ import annotations

from tests.kit.keyboard import Player
from tui.ui.text.rows import short

PARTY = ("add Ana owner=Mia hp=18", "add 5 Orc hp=7 group=Orcs", "add Ogre hp=30")


def rows(p: Player) -> list[str]:
    return [r for r in p.picture()["roster"][1:] if r.strip()]


def folded(*lines: str) -> Player:
    return Player(lines=[*PARTY, *lines]).press("down", "=")


def test_one_key_makes_one_row_of_a_group_and_its_rows_again() -> None:
    p = folded('damage "Orc 1,Orc 3" 5', "condition @Orcs prone", 'out "Orc 5"')
    assert len(rows(p)) == 3
    assert "Orcs \N{MULTIPLICATION SIGN}4" in rows(p)[1]
    assert "18/28" in rows(p)[1]
    assert "prone" in rows(p)[1]
    assert "1 out" in rows(p)[1]
    assert p.store.step == len(PARTY) + 3
    p.press("=")
    assert len(rows(p)) == 7


def test_the_cursor_goes_over_the_row_and_the_group_is_meant() -> None:
    p = folded()
    assert rows(p)[1].startswith(">")
    p.press("down")
    assert rows(p)[2].startswith(">")
    p.press("up", "d", "'3'", "A", "enter")
    assert p.asked() == ["damage Orcs 3"]
    p.press("d", "'2'", "enter")
    assert p.asked() == ['damage "Orc 1" 2']


def test_a_folded_group_is_marked_as_one() -> None:
    p = folded().press("space", "j", "space", "4", "d")
    assert p.asked() == ["damage Orcs,Ogre 4"]


def test_folding_from_any_member_keeps_the_cursor_on_the_group() -> None:
    p = Player(lines=PARTY).press("down", "down", "down", "=")
    assert rows(p)[1].startswith(">")
    p.press("w")
    assert "Orc 5" in "\n".join(p.picture()["orders"])


def test_all_groups_at_once() -> None:
    p = Player(lines=[*PARTY, "add 3 Wolf group=Pack"]).press(":", "'fold all'", "enter")
    assert len(rows(p)) == 4
    p.press(":", "'fold all'", "enter")
    assert len(p.desk.view.folded) == 0


def test_a_group_is_split_by_a_key() -> None:
    p = folded().press("B")
    assert p.asked() == ["ungroup Orcs"]
    assert len(rows(p)) == 7


def test_who_is_in_no_group_cannot_be_folded() -> None:
    p = Player(lines=PARTY).press("=")
    assert "no group" in p.message()
    assert len(rows(p)) == 7


def test_a_folded_group_that_is_gone_or_regrouped_does_no_harm() -> None:
    p = folded("remove Ana")
    p.store.run("remove @Orcs")
    assert len(rows(p)) == 1
    p.store.run("undo")
    p.store.run("ungroup Orcs")
    assert len(rows(p)) == 6


def test_on_the_track_the_key_folds_the_group_in_the_roster() -> None:
    p = Player(lines=[*PARTY, "begin", "roll"]).press("/", "'orcs'", "enter", "=")
    assert len(rows(p)) == 1
    p.press("escape", "escape")
    assert len(rows(p)) == 3


def test_reinforcements_stand_in_the_roster_with_their_round() -> None:
    p = Player(lines=[*PARTY, "add 2 Wolf round=3 hp=4 group=Pack"])
    p.press("G")
    assert sum("round 3" in r for r in rows(p)) == 2
    p.press(":", "'fold all'", "enter")
    assert sum("round 3" in r for r in rows(p)) == 1


def test_a_fixed_row_says_so_in_roster_and_track() -> None:
    p = Player(lines=[*PARTY, "add Lair value=20"])
    assert any("Lair" in r and "fixed" in r for r in rows(p))
    p.press("b", "r")
    p.size = (120, 30)
    assert any("Lair" in r and "fixed" in r for r in p.picture()["track"])


def test_a_wide_letter_is_not_given_up_for_the_number_behind_it() -> None:
    assert short("龍の子 4", 4, "…") == "龍… "
    assert short("龍の子 4", 5, "…") == "龍… 4"
    assert short("Goblin 12", 6, "…") == "Go… 12"
