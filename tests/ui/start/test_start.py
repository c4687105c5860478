"""The start screen: everything that can be opened is reached by keys, and nothing on it is lost by a slip."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.kit.visitor import REGISTRY, TOLD, Visitor
from tui.store.opening import create_save
from tui.store.saves import data_folder
from tui.store.session import open_inline
from tui.store.shelf import list_prepared
from tui.store.sources import SeededDice
from tui.ui.desk.ports import Imports
from tui.ui.modes.importing import ImportPreview
from tui.ui.state.commands import Command, start_commands
from tui.ui.state.home import describe_time, entries
from tui.ui.state.scene import Incoming
from tui.ui.state.settings import Settings
from tui.ui.state.view import View

FIGHTS = ("gate", "mill", "station")
PLAYED = tuple(x.id for x in TOLD)
"""The systems by their numbers, which do not depend on the fights."""
PARTY = '[[combatant]]\nname = "Ana"\nowner = "Mia"\n[[combatant]]\nname = "Bo"\nowner = "Jon"\n'

TIRED = (
    'system = "chaos"\n[[combatant]]\nname = "Ana"\nowner = "Mia"\nhp = 4\nmax_hp = 18\n'
    'counters = ["surge 0 max=1 reset=short", "luck 0 max=2"]\n'
)


class Read(Imports):
    """An import that is read whole."""

    def now(self) -> Incoming:
        """It waits to be kept."""
        return Incoming("read")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three fights, the gate's the latest."""
    for age, name in enumerate(FIGHTS):
        path = tmp_path / f"{name}.toml"
        shutil.copy(Path(data_folder("examples")) / path.name, path)
        os.utime(path, (1_767_294_000 - age * 86_400, 1_767_294_000 - age * 86_400))
    return tmp_path


def test_on_a_narrow_screen_the_day_gives_way_to_how_a_fight_stands(folder: Path) -> None:
    visitor = Visitor(folder)
    visitor.size = (60, 18)
    (gate,) = (row for row in visitor.picture()["saves"] if row.startswith("> gate"))
    assert "today" not in gate
    assert "Thane acts" in gate


def test_a_day_is_named_as_people_name_it() -> None:
    days = [
        (2026, 3, 2, 7),
        (2026, 3, 1, 23),
        (2026, 3, 1, 0),
        (2026, 2, 28, 23),
        (2026, 1, 2, 0),
        (2025, 3, 2, 9),
    ]
    today, *others = (time.mktime((*then, 5, 0, 0, 0, -1)) for then in days)
    shown = ["today 07:05", "yesterday", "yesterday", "28 Feb", "2 Jan", "2 Mar 2025"]
    assert [describe_time(then, today) for then in (today, *others)] == shown


def test_a_fight_that_is_not_read_yet_claims_no_steps(folder: Path) -> None:
    home = Visitor(folder).desk.home
    unread = replace(home, briefs={})
    fights = [row.about for row in entries(unread, View()) if row.kind == "fight"]
    assert fights == ["being read"] * len(FIGHTS)
    read = [row.about for row in entries(home, View()) if row.kind == "fight"]
    assert all("being read" not in about for about in read), read


def test_what_is_no_fight_is_listed_with_what_is_wrong(folder: Path) -> None:
    (folder / "empty.toml").write_bytes(b"")
    (folder / "stranger.toml").write_text("a = 1\n")
    (folder / "damaged.toml").write_text((folder / "mill.toml").read_text().replace("Cay", "Kay", 1))
    visitor = Visitor(folder)
    shown = {s.name: visitor.desk.home.briefs[s.path].problem for s in visitor.desk.home.contents.fights}
    assert {name for name, problem in shown.items() if problem} == {"empty", "stranger", "damaged"}
    visitor.press("/", "'stranger'", "enter")
    assert visitor.doors.gone == []
    assert visitor.message()
    visitor.press("escape").press("x")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20), (40, 12), (20, 5), (1, 1)])
def test_the_arrows_walk_through_everything_and_back(folder: Path, size: tuple[int, int]) -> None:
    (folder / "parties").mkdir()
    (folder / "parties" / "Mill.toml").write_text(PARTY)
    visitor = Visitor(folder)
    visitor.size = size
    seen = [visitor.here]
    for _ in range(20):
        visitor.press("down")
        seen.append(visitor.here)
        row = re.findall(r"^> | {2}> ", visitor.text(), re.MULTILINE)
        assert len(row) == 1 or size[1] <= 5, visitor.text()
    systems = (s.title for s in visitor.desk.home.systems)
    assert [*dict.fromkeys(seen)] == [*FIGHTS, *systems, "lessons", "samples", "parties"]
    visitor.press(*["k"] * 20)
    assert visitor.here == "gate"


def test_enter_opens_what_the_cursor_stands_on(folder: Path) -> None:
    visitor = Visitor(folder)
    visitor.press("j", "enter")
    visitor.press("/", "'crypt'", "enter")
    assert "Samples: crypt" in visitor.text()
    visitor.press("enter", "escape")
    visitor.press("tab", "tab", "enter", "down", "enter")
    assert visitor.doors.gone == [("open", "mill", "write"), ("sample", "crypt.toml"), ("lesson", TOLD[1].id)]


@pytest.mark.parametrize("name", ["hollow", "hollow.toml.toml"])
def test_a_fight_is_made_from_system_and_name(folder: Path, name: str) -> None:
    visitor = Visitor(folder).press("tab", "j", "enter", f"'{name}'", "enter")
    assert visitor.doors.gone == [("new", "hollow", PLAYED[1], "")]
    assert (folder / "hollow.toml").exists()


def test_what_has_not_begun_is_prepared_and_weighed_for_the_kept_party(folder: Path) -> None:
    (folder / "parties").mkdir()
    hero = 'kind = "pc"\nlevel = 1\n'
    (folder / "parties" / "Mill.toml").write_text(f'[[combatant]]\nname = "Ana"\n{hero}')
    for name, lines in (
        ("ford", ["add Ogre cr=2 hp=9", "add 2 Rat"]),
        ("empty", ["add Bo kind=pc"]),
        ("again", ["add Orc", "begin", "undo"]),
        ("brook", ["add Rat cr=1/2", "add Bo kind=pc level=1"]),
        ("over", ["add Orc", "begin", "finish"]),
    ):
        path = create_save(name, str(folder), REGISTRY, "classic", {})
        with open_inline(path, str(folder), REGISTRY, SeededDice(1), print) as session:
            for line in lines:
                session.store.run(line)
    visitor = Visitor(folder)
    rows = visitor.picture()["prepared"]
    assert [row.split()[0] for row in rows[1:]] == ["brook", "again", "ford"]
    assert "high: Rat" in rows[1]
    assert "deadly: Ogre, Rat 1, 2" in rows[3]
    listed = list_prepared(str(folder), REGISTRY, str(folder / "ford.toml"))
    assert [name for name, _ in listed] == ["again", "brook"]
    visitor.press("/", "'ford'", "enter", "c", "ctrl+u", "'inn'", "enter")
    assert visitor.here == "inn"
    assert "inn" in "".join(visitor.press("escape").picture()["prepared"])


def test_only_a_party_of_the_same_system_is_proposed_and_tab_offers_the_others(folder: Path) -> None:
    (folder / "parties").mkdir()
    (folder / "parties" / "Mill.toml").write_text(f'system = "{PLAYED[1]}"\n' + PARTY)
    visitor = Visitor(folder).press("1")
    assert "without a party" in visitor.text()
    visitor.press("tab")
    assert "with Mill as it is" in visitor.text()
    visitor.press("escape", "2")
    assert "with Mill as it is" in visitor.text()


@pytest.mark.parametrize(("keys", "word"), [((), "x trash"), (("G",), "? help"), (("tab",), "1-9,0 new")])
def test_the_hints_are_those_of_the_entry_under_the_cursor(
    folder: Path, keys: tuple[str, ...], word: str
) -> None:
    (folder / "parties").mkdir()
    (folder / "parties" / "Mill.toml").write_text(TIRED)
    hints = " ".join(Visitor(folder).press(*keys).picture()["hints"])
    assert word in hints
    assert ("x trash" in hints) == (word == "x trash")


def test_a_key_that_has_another_command_leaves_the_one_of_the_start_screen(folder: Path) -> None:
    visitor = Visitor(folder, settings=Settings(keys={"filter": ("x",)}))
    assert "delete trash" in visitor.picture()["hints"][0]


def test_a_fight_that_was_named_first_gets_its_system(folder: Path) -> None:
    visitor = Visitor(folder)
    visitor.desk.open(new_name="three")
    assert "Which system for three?" in visitor.text()
    visitor.press("down", "enter")
    assert visitor.doors.gone == [("new", "three", PLAYED[1], "")]


def test_a_line_is_typed_and_its_letters_are_no_keys(folder: Path) -> None:
    visitor = Visitor(folder).press(":", "'xq'", "enter")
    assert visitor.doors.gone == []
    assert (folder / "gate.toml").exists()
    assert "xq works only while a fight is open" in visitor.message()
    visitor.press("ctrl+u", "'open mill'", "enter", ":", "'make 2'", "enter", "enter", ":", "'help'", "enter")
    visitor.press("'make'")
    assert "a new fight; the system by its number" in visitor.text()
    visitor.press("escape", ":", "'quit'", "enter")
    assert visitor.doors.gone == [("open", "mill", "write"), ("new", "fight", PLAYED[1], ""), ("leave",)]


@pytest.mark.parametrize("command", start_commands(), ids=lambda c: c.id)
def test_every_key_is_an_alias_of_its_line(folder: Path, command: Command) -> None:
    (folder / "parties").mkdir()
    (folder / "parties" / "Mill.toml").write_text(PARTY)
    other = shutil.copytree(folder, folder / "other")
    by_key, by_line = (
        Visitor(folder).press(command.keys[0]),
        Visitor(other).press(":", f"'{command.words}'", "enter"),
    )
    assert by_key.doors.gone == by_line.doors.gone
    assert type(by_key.desk.view.mode) is type(by_line.desk.view.mode)
    assert by_key.here == by_line.here
    assert sorted(p.name for p in folder.glob("*.toml")) == sorted(p.name for p in other.glob("*.toml"))


@pytest.mark.parametrize("name", ["gate", "../out", "-x", ".hidden", "a/b"])
def test_a_name_that_cannot_be_is_said_and_stays_typed(folder: Path, name: str) -> None:
    visitor = Visitor(folder)
    visitor.press("tab", "enter", f"'{name}'", "enter")
    assert visitor.message()
    assert name in visitor.picture()["hints"][0]
    assert visitor.doors.gone == []
    visitor.press("escape")
    assert visitor.here == TOLD[0].title


def test_a_copy_a_new_name_and_the_trash(folder: Path) -> None:
    before = (folder / "gate.toml").read_bytes()
    visitor = Visitor(folder)
    visitor.press("c", "enter")
    assert (folder / "gate-2.toml").read_bytes() == before
    assert visitor.here == "gate-2"
    visitor.press("R", "ctrl+u", "'hall'", "enter")
    assert visitor.here == "hall"
    assert not (folder / "gate-2.toml").exists()
    visitor.press("x")
    assert (folder / "trash" / "hall.toml").read_bytes() == before
    assert not (folder / "hall.toml").exists()
    visitor.press("G", "enter")
    assert "Trash" in visitor.text()
    assert ">  hall" in visitor.text()
    visitor.press("enter")
    assert (folder / "hall.toml").read_bytes() == before
    assert visitor.here == "hall"


def test_a_fight_that_somebody_writes_is_looked_at_taken_over_or_left(folder: Path) -> None:
    visitor = Visitor(folder)
    visitor.doors.busy = {"gate"}
    visitor.press("enter")
    assert "being written by ana on mill-pc" in visitor.text()
    visitor.press("n", "escape")
    assert visitor.doors.gone == []
    visitor.press("enter", "l")
    visitor.press("enter", "t")
    assert visitor.doors.gone == [("open", "gate", "look"), ("open", "gate", "take")]


def test_the_first_visit_offers_a_lesson(tmp_path: Path) -> None:
    visitor = Visitor(tmp_path, welcome=True)
    assert "New here?" in visitor.text()
    visitor.press("enter")
    assert visitor.doors.gone == [("lesson", "classic")]


def test_help_escape_and_q(folder: Path) -> None:
    visitor = Visitor(folder)
    visitor.press("?")
    assert "Help" in visitor.text()
    visitor.press("j", "q")
    assert visitor.doors.gone == []
    visitor.press("escape", "q")
    assert visitor.doors.gone == [("leave",)]


def test_pasted_text_is_no_key_and_too_long_a_name_is_refused(folder: Path) -> None:
    visitor = Visitor(folder)
    visitor.desk.paste("q\nx\n")
    assert visitor.doors.gone == []
    visitor.press("tab", "enter")
    visitor.desk.paste("x" * 100_000)
    visitor.press("enter")
    assert "longer than 64" in visitor.message()
    assert visitor.doors.gone == []


def test_a_long_list_says_which_part_of_it_is_shown(folder: Path) -> None:
    for number in range(30):
        shutil.copy(folder / "mill.toml", folder / f"mill-{number}.toml")
    visitor = Visitor(folder, settings=Settings(ascii=True))
    first = re.search(r"1-(\d+) of 33", visitor.text())
    assert first
    room = int(first[1])
    assert room >= 2
    visitor.press(*["j"] * room)
    assert f"{room + 1}-{2 * room} of 33" in visitor.text()
    assert f"> {visitor.here}" in visitor.text()
    assert all(f" {n % 10} {s.title[:20]}" in visitor.text() for n, s in enumerate(TOLD, 1)), "every number"


def test_what_a_system_is_stands_whole_beside_its_name_at_80_columns(tmp_path: Path) -> None:
    shown = [line.rstrip() for line in Visitor(tmp_path).text().splitlines()]
    assert [s.id for s in TOLD if not any(row.endswith(f"  {s.summary}") for row in shown)] == []


def test_what_a_system_is_ends_with_a_word_on_a_narrow_screen(tmp_path: Path) -> None:
    visitor = Visitor(tmp_path)
    visitor.size = (60, 24)
    cut = [row.rstrip() for row in visitor.picture()["systems"] if row.strip()[:1].isdigit() and "…" in row]
    words = {word.strip(",;:") for summary in TOLD for word in summary.summary.split()}
    assert cut
    assert [row for row in cut if row.removesuffix("…").split()[-1] not in words] == []


def test_the_words_of_a_fight_are_neither_offered_nor_run(folder: Path) -> None:
    visitor = Visitor(folder).press(":", "'re'", "tab")
    assert "1 of 3: rename repaint restore" in visitor.message()
    visitor.press("ctrl+u", "'undo 3'", "enter")
    assert "undo works only while a fight is open" in visitor.message()


def test_while_a_fight_is_not_open_what_was_imported_joins_none(folder: Path) -> None:
    visitor = Visitor(folder)
    visitor.desk.show(mode=ImportPreview())
    visitor.desk.services = replace(visitor.desk.services, imports=Read())
    assert "add to the fight" not in visitor.text()
    assert "Esc goes back" in visitor.press("a").message()
