"""Fights copied, renamed and thrown away: nothing is lost, nothing written over, nothing moved under a
writer."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.kit.disks import FaultyDisk
from tests.kit.program import Program
from tui.core.base.errors import RuleError
from tui.core.fight.events import Event
from tui.store import shelf
from tui.store import shelf as briefs
from tui.store.journal.reader import read_journal
from tui.store.library.service import Library
from tui.store.lock import Busy, SaveLock
from tui.store.opening import SaveExists, create_empty_save
from tui.store.problems import BadName, NotSaved
from tui.store.saves import data_folder
from tui.store.session import open_session
from tui.store.shelf import copy_sample, summarize_save
from tui.store.sources import SeededDice
from tui.systems import Registry


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    program = Program(tmp_path, "mill")
    assert program.call("new").code == 0
    assert program.do("add Ana hp=9", "add Bo hp=9", "undo").code == 0
    return tmp_path / "mill.toml"


def test_a_rename_takes_along_what_lies_beside_and_leaves_nothing(mill: Path) -> None:
    (mill.parent / "mill.toml.drafts").write_text("[drafts]\n")
    content = mill.read_bytes()
    path = shelf.rename_save(str(mill), str(mill.parent), "hall")
    assert sorted(os.listdir(mill.parent)) == ["hall.toml", "hall.toml.drafts"]
    assert Path(path).read_bytes() == content


def test_the_trash_keeps_fights_of_one_name_apart(mill: Path) -> None:
    folder = str(mill.parent)
    copies = [shelf.copy_save(str(mill), folder, f"m{n}") for n in range(2)]
    for path in copies:
        shelf.trash_save(shelf.rename_save(path, folder, "twin"), folder)
    assert sorted(os.listdir(mill.parent / "trash")) == ["twin-2.toml", "twin.toml"]
    shelf.copy_save(str(mill), folder, "twin")
    back = shelf.restore_save(str(mill.parent / "trash" / "twin.toml"), folder)
    assert os.path.basename(back) == "twin-2.toml"


def test_who_is_written_is_not_moved(mill: Path) -> None:
    lock = SaveLock.acquire(str(mill))
    try:
        for move in (shelf.trash_save, shelf.restore_save):
            with pytest.raises(Busy):
                move(str(mill), str(mill.parent))
        with pytest.raises(Busy):
            shelf.rename_save(str(mill), str(mill.parent), "hall")
    finally:
        lock.release()
    assert mill.exists()


@pytest.mark.parametrize("name", ["mill", "../hall", "", ".x", "a/b"])
def test_no_name_leads_out_or_over_another(mill: Path, name: str) -> None:
    before = mill.read_bytes()
    for move in (shelf.copy_save, shelf.rename_save):
        with pytest.raises((SaveExists, BadName)):
            move(str(mill), str(mill.parent), name)
    assert mill.read_bytes() == before


def test_a_name_that_ends_like_a_path_stays_in_the_folder(mill: Path) -> None:
    assert shelf.copy_save(str(mill), str(mill.parent), "x.toml") == str(mill.parent / "x.toml.toml")


def test_a_brief_counts_lines_in_force_and_says_what_is_wrong(mill: Path) -> None:
    told = summarize_save(str(mill), Registry())
    assert (told.system, told.steps, told.people) == ("Classic", 1, "Ana")
    assert len(read_journal(str(mill), Event).steps) == 3
    mill.write_bytes(mill.read_bytes().replace(b"Ana", b"Eva"))
    assert summarize_save(str(mill), Registry()).problem
    assert summarize_save(str(mill.parent / "none.toml"), Registry()).problem


def test_of_the_parties_that_fit_the_one_that_was_written_last_is_offered_first(mill: Path) -> None:
    Program(mill.parent, "mill").do("set Ana owner=Mia", *(f"save party {name}" for name in "abc"))
    for name, text in (("plain", ""), ("other", 'system = "chaos"\n'), ("wrong", "x = 1\n")):
        (mill.parent / "parties" / f"{name}.toml").write_text(f'{text}[[combatant]]\nname = "Eva"\n')
    for place, name in enumerate(("b", "plain", "c", "a", "other", "wrong")):
        os.utime(mill.parent / "parties" / f"{name}.toml", (place, place))
    found = shelf.parties_for(Library(str(mill.parent), Registry()), "classic")
    assert [party.name for party in found] == ["a", "c", "plain", "b"]


def test_a_fight_that_was_moved_is_let_go_of(mill: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    shelf.rename_save(str(mill), str(mill.parent), "hall")
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_table_of_1_x_is_left_alone(mill: Path) -> None:
    table = mill.parent / "mill.table"
    (table / "seats").mkdir(parents=True)
    hall = shelf.rename_save(str(mill), str(mill.parent), "hall")
    shelf.trash_save(hall, str(mill.parent))
    assert [path.name for path in table.iterdir()] == ["seats"]


EXAMPLE = Path(data_folder("examples"), "mill.toml")


def test_a_sample_is_played_in_a_copy_and_each_time_in_another(tmp_path: Path) -> None:
    for name in ("mill.toml", "mill-2.toml", "mill-3.toml"):
        path = copy_sample(str(EXAMPLE), str(tmp_path))
        assert path == str(tmp_path / name)
        assert Path(path).read_bytes() == EXAMPLE.read_bytes()
        assert Path(path).stat().st_mode & 0o777 == 0o600
    assert copy_sample(str(tmp_path / "mill.toml"), str(tmp_path)) == str(tmp_path / "mill.toml")


def test_a_sample_that_cannot_be_copied_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotSaved):
        copy_sample(str(EXAMPLE), str(tmp_path / "file"))
    monkeypatch.setattr(shelf, "Disk", lambda: FaultyDisk(lambda *_: errno.ENOSPC, only=("open",)))
    with pytest.raises(NotSaved, match="full"):
        copy_sample(str(EXAMPLE), str(tmp_path))
    monkeypatch.undo()
    monkeypatch.setattr(shelf, "MOST_COPIES", 2)
    assert [Path(copy_sample(str(EXAMPLE), str(tmp_path))).name for _ in range(2)] == [
        "mill.toml",
        "mill-2.toml",
    ]
    with pytest.raises(RuleError, match="there are 2 copies of mill already"):
        copy_sample(str(EXAMPLE), str(tmp_path))


def test_those_of_a_kind_who_are_in_the_same_way_are_named_together(tmp_path: Path) -> None:
    path = str(tmp_path / "mill.toml")
    create_empty_save(path, "classic", {})
    session = open_session(path, str(tmp_path), Registry(), SeededDice(1), how="inline")
    for line in (
        "add Ana owner=Mia hp=9",
        "add 6 Orc hp=7",
        "add Rat hp=4 temp_max=2",
        "damage Orc* 2",
        'damage "Orc 6" 1',
        'out "Orc 1"',
    ):
        session.store.run(line)
    session.close()
    foes, now = "Orc 1 to 5 5/7, Orc 6 4/7, Rat 4/6", "Ready: begin starts the next fight"
    assert briefs.summarize_save(path, Registry()) == briefs.Brief(
        "Classic", 0, "no fight runs", now, 6, "Ana, Orc 2 to 5 5/7, Orc 6 4/7, Rat 4/6", 7, 1, foes
    )


def test_how_a_fight_stands_is_said_by_who_acts_or_what_must_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "mill.toml")
    create_empty_save(path, "classic", {})
    session = open_session(path, str(tmp_path), Registry(), SeededDice(1), how="inline")
    told = []
    for line in (
        "add Ana hp=9 +20",
        "begin",
        "roll",
        "next",
        "remove Ana",
        "add 2 Orc group=Orcs",
        "roll",
        "next",
        "finish",
    ):
        session.store.run(line)
        session.writer.wait()
        brief = briefs.summarize_save(path, Registry())
        told.append((brief.round, brief.stands))
    session.close()
    now = "Ready: begin starts the fight"
    assert brief == briefs.Brief("Classic", 0, "no fight runs", now, 9, "Orc 1, 2", 2)
    assert (told[0], told[-2]) == ((0, "no fight runs"), (1, "Orcs act"))
    assert told[2:4] == [(1, "Ana is next in the order"), (1, "Ana acts")]
    size = Path(path).stat().st_size
    for unaided, long in ((size, False), (size - 1, True)):
        monkeypatch.setattr(briefs, "MOST_SUMMARY_BYTES", unaided)
        assert (briefs.summarize_save(path, Registry()).stands == "too long to preview: open it") == long
