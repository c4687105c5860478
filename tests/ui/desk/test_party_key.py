"""`P` chooses among the parties of the library, or says how one is made."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.kit.keyboard import Player, lines
from tui.store.library.service import Library
from tui.systems import Registry
from tui.ui.desk.play import offer_party
from tui.ui.desk.ports import ProgramWord


def with_library(folder: Path) -> Player:
    p = Player()
    p.store.effects = replace(p.store.effects, library=Library(str(folder), Registry()))
    return p


def test_a_letter_goes_to_the_next_that_begins_with_it(tmp_path: Path) -> None:
    (tmp_path / "parties").mkdir()
    for name in ("four", "heroes", "hirelings"):
        (tmp_path / "parties" / f"{name}.toml").write_text('[[combatant]]\nname = "Ana"\n')
    p = with_library(tmp_path).press(*lines("command party"))
    for letter, name in (("h", "heroes"), ("h", "hirelings"), ("f", "four"), ("H", "heroes")):
        assert f"> {name}" in p.press(letter).text()
    assert p.press("x").message() == "Enter takes, Esc goes back"
    assert p.press("enter").asked() == ["party heroes"]


def test_without_a_party_it_says_how_one_is_kept(tmp_path: Path) -> None:
    p = with_library(tmp_path).press(*lines("command party"))
    assert ":save party NAME" in p.message()
    assert ":party " in p.picture()["hints"][0]


def test_heroes_who_are_here_are_kept_from_the_same_list(tmp_path: Path) -> None:
    p = with_library(tmp_path)
    for line in ("add Ana hp=9 owner=Mia", "add Bo hp=7 owner=Tom"):
        p.desk.run(line)
    assert "[P] party keeps them" in p.text()
    p.press("P")
    assert "keep Ana, Bo" in p.text()
    p.press("enter", "enter")
    assert [x.stem for x in tmp_path.glob("parties/*")] == ["party"]
    p.press("P", "end", "enter", "enter")
    assert "party" in p.message(), "kept again under the same name"
    for line in ("remove Ana", "remove Bo", "add 2 Orc hp=3"):
        p.desk.run(line)
    assert "left now, it is a prepared fight" in p.press("down").text()


def test_enter_does_not_rest_a_hero_who_was_dying(tmp_path: Path) -> None:
    p = with_library(tmp_path)
    for line in (
        "option zero.pc=dying", "add Ana hp=9 owner=Mia", "damage Ana 9", "save party us", "remove Ana",
        "add Orc hp=3",
    ):  # fmt: skip
        p.desk.run(line)
    offer_party(p.desk)
    assert "dying: Ana" in p.text()
    p.press("enter")
    assert p.asked() == ["party us"]


def test_q_ends_the_fight_in_one_key_and_keeps_the_party(tmp_path: Path) -> None:
    p = with_library(tmp_path)
    for line in (
        "add Ana hp=9 owner=Mia",
        "add Bo hp=9 owner=Tom",
        "add 2 Orc hp=3",
        "begin",
        "damage Ana 4",
    ):
        p.desk.run(line)
    p.press("Q", "enter")
    assert p.asked() == ["finish rest=none foes=go"], "a short rest restores nothing"
    assert [c.name for c in p.store.encounter.combatants.values()] == ["Ana", "Bo"]
    assert "hp = 5" in (tmp_path / "parties" / "party.toml").read_text()
    p.press("Q", "k", "enter")
    assert "Under which name is the party kept?" in p.text()
    p.press("'the Five'", "enter", "Q")
    assert "kept as the Five" in p.text()
    p.press("k", "k", "r", "r", "enter")
    assert p.asked() == ["rest long"], "not kept a second time"
    assert sorted(x.stem for x in tmp_path.glob("parties/*")) == ["party", "the Five"]
    assert "hp = 5" in (tmp_path / "parties" / "the Five.toml").read_text()


def test_after_q_the_next_prepared_fight_is_one_key_away(tmp_path: Path) -> None:
    p, opened = with_library(tmp_path), list[str]()

    def open_(rest: str) -> str:
        opened.append(rest)
        return ""

    words = {"open": ProgramWord(open_, "open NAME", "another fight")}
    p.desk.services = replace(
        p.desk.services, words=words, prepared=lambda: (("old mill", "hard: Orc 1, 2"), ("gate", "Ogre"))
    )
    for line in ("add Ana hp=9 owner=Mia", "add Orc hp=3", "begin"):
        p.desk.run(line)
    assert "hard: Orc 1, 2" in p.press("Q", "enter").text()
    p.press("1")
    assert opened == ['"old mill"']


def test_a_prepared_fight_asks_once_who_comes(tmp_path: Path) -> None:
    p = with_library(tmp_path)
    down = ("option zero.pc=dying", "add Ana hp=9 owner=Mia", "damage Ana 9", "save party we")
    for line in (*down, "heal Ana 5", "save party us", "remove Ana"):
        p.desk.run(line)
    offer_party(p.desk)
    assert p.desk.view.mode is None, "without foes it is not prepared"
    p.desk.run("add 2 Orc hp=3")
    offer_party(p.desk)
    assert "[Enter] rested: us" in p.text(), "Now says what the list wants"
    assert 0 < p.text().find("rested: we") < p.text().find("dying: Ana"), "a rest comes first"
    assert p.press("n").desk.view.mode is None
    offer_party(p.desk)
    p.press("r")
    assert p.asked() == ["party us fresh=yes"]
    assert [c.hp for c in p.store.encounter.combatants.values()] == [3, 3, 9]
    offer_party(p.desk)
    assert p.desk.view.mode is None, "a hero is here"
    for line in ("remove Ana", "begin", "finish"):
        p.desk.run(line)
    offer_party(p.desk)
    assert p.desk.view.mode is None, "it has begun"


def test_q_keeps_over_the_party_whose_heroes_are_here(tmp_path: Path) -> None:
    p = with_library(tmp_path)
    for line in ("add Bo hp=9 owner=Tom", "save party strangers", "remove Bo"):
        p.desk.run(line)
    for line in ("add Ana hp=9 owner=Mia", "begin"):
        p.desk.run(line)
    p.press("Q", "enter")
    assert p.asked() == ["finish rest=none foes=stay"], "there are no foes to go"
    assert sorted(x.stem for x in tmp_path.glob("parties/*")) == ["party", "strangers"]
    p.desk.kept = ""
    p.desk.run("damage Ana 2")
    p.press("Q", "enter")
    assert sorted(x.stem for x in tmp_path.glob("parties/*")) == ["party", "strangers"]
    assert "hp = 7" in (tmp_path / "parties" / "party.toml").read_text()
    p.press("Q", "k", "enter", "ctrl+u", "'strangers'", "enter")
    assert "there is already a file" in p.message(), "nobody was asked"
    assert '"Bo"' in (tmp_path / "parties" / "strangers.toml").read_text()
