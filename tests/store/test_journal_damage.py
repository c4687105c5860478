"""No damage is taken for something else: a bit or a byte of a real save is changed, and that is always
noticed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.journals import marks
from tests.kit.program import Program
from tests.kit.terminal import logged, tocsin
from tests.store.damaged import CASES, answered
from tui.core.fight.events import Event
from tui.store.journal.reader import parse_journal
from tui.store.journal.recovery import SECTOR
from tui.store.opening import create_save, load_save
from tui.store.problems import JournalError
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry

FEW = 150
"""Damages of each kind of save with every run; as a long test every byte is tried."""

START = ("add 4 Orc hp=9 mod=1", "add Ünà owner=Mia hp=20 mod=3", "begin", "roll", "next")
MOVES = (
    "damage Orc* 1", "undo", "redo", "note the mill 🜲 burns", "undo 2", "goto 7", "next",
    "condition Ünà Prone rounds=2",
)  # fmt: skip
KINDS = {
    "single steps": (False, START),
    "a batch": (True, START),
    "undo and redo": (False, START + MOVES),
    "undo and redo in a batch": (True, START + MOVES),
    "house rules": (True, ("option classic.tie=mod", *START)),
    "nothing yet": (False, ()),
}


def save(folder: Path, kind: str) -> Path:
    """A save of this kind; the lines of a batch are brought to the disk together."""
    batch, lines = KINDS[kind]
    path = create_save(
        "mill", str(folder), Registry(), "classic", {"classic.tie": "mod"} if "house" in kind else {}
    )
    played = open_session(path, "", Registry(), SeededDice(5), how="inline")
    for line in lines:
        played.store.run(line)
        if not batch:
            played.writer.wait()
    played.close()
    return Path(path)


def became(path: Path, data: bytes, whole: bytes) -> str:
    """What is made of the save with these bytes: "same", "damaged" or "torn", and never another state."""
    path.write_bytes(data)
    try:
        found = load_save(str(path), Registry()).journal
    except JournalError as error:
        return "damaged" if error.hint or error.step < 0 else "not named"
    told = parse_journal(whole, Event).steps
    assert found.steps == told[: len(found.steps)]
    assert bool(found.torn) == (len(found.steps) < len(told))
    return "torn" if found.torn else "same"


def piece_of_an_append(whole: bytes, place: int) -> bool:
    """Whether this one byte is all of an append that lies in its sector: losing it is what a power cut may
    do."""
    ends = {mark.offset for mark in marks(whole)}
    begins = place % SECTOR == 0 or place in ends
    return begins and ((place + 1) % SECTOR == 0 or place + 1 in ends)


def damages(whole: bytes, count: int, seed: int) -> Iterator[tuple[int, bytes]]:
    """So many places in turn, each with the save as a flipped bit or a lost byte leaves it.

    0: all of them.
    """
    rng = random.Random(seed)
    for place in rng.sample(range(len(whole)), count) if count else range(len(whole)):
        bits = range(8) if not count else (rng.randrange(8),)
        for now in (0, *(whole[place] ^ 1 << bit for bit in bits)):
            yield place, whole[:place] + bytes([now]) + whole[place + 1 :]


def noticed(folder: Path, kind: str, count: int) -> None:
    """Every damage of a save of this kind is said."""
    path = save(folder, kind)
    whole = path.read_bytes()
    for place, data in damages(whole, min(count, len(whole)), len(kind)):
        said = became(path, data, whole)
        assert said == "damaged" or (said == "torn" and piece_of_an_append(whole, place)), (
            place,
            data[place],
        )


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_bit_and_a_lost_byte_are_damage_wherever_they_are(tmp_path: Path, kind: str) -> None:
    noticed(tmp_path, kind, FEW)


@pytest.mark.hours
@pytest.mark.parametrize("kind", KINDS)
def test_every_bit_and_every_byte(tmp_path: Path, kind: str) -> None:
    noticed(tmp_path, kind, 0)


def test_every_reader_says_it_and_shows_what_can_be_read(tmp_path: Path) -> None:
    path = save(tmp_path, "a batch")
    whole = path.read_bytes()
    place = whole.index(b"\nn = 4\n") + 40
    program = Program(tmp_path, "mill")
    for byte in (0, whole[place] ^ 4):
        path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
        for word, sign in (("show", "Orc 4"), ("log", "Round 1 begins"), ("check", "step 4")):
            ended = program.call(word)
            assert ended.code == 3
            assert sign in ended.out
            assert word == "check" or ("step 4" in ended.err and "up to step 3" in ended.err)
        for words in (("show", "--json"), ("log", "--json"), ("do", "next")):
            ended = program.call(*words)
            assert (ended.code, ended.out) == (3, "")
            assert "step 4" in ended.err
        assert path.read_bytes() == whole[:place] + bytes([byte]) + whole[place + 1 :]
        assert sorted(one.name for one in tmp_path.iterdir()) == ["mill.toml", "mill.toml.lock"]
        assert program.call("check", "--repair").code == 0
        assert Program(tmp_path, "mill-repaired").call("show").code == 0
        (tmp_path / "mill-repaired.toml").unlink()


@pytest.mark.parametrize("from_list", [False, True], ids=["by name", "from the start screen"])
@pytest.mark.long
def test_the_screen_shows_what_can_be_read_and_writes_nothing(tmp_path: Path, from_list: bool) -> None:
    path = save(tmp_path, "a batch")
    whole = path.read_bytes()
    place = whole.index(b"\nn = 4\n") + 40
    damaged = whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]
    path.write_bytes(damaged)
    before = sorted(one.name for one in tmp_path.iterdir())
    screen = tocsin(tmp_path, *([] if from_list else ["mill"]))
    if from_list:
        screen.press("\r", "save damaged")
    shown = " ".join(screen.wait("save damaged", "Orc 4", logged(3)).split())
    assert "step 4" in shown
    assert "tocsin check --repair" in shown
    assert "mill-repaired.toml" in shown
    screen.press("r", "read-only here", silent=("NOT SAVED",))
    screen.press("t", "takes this fight over")
    screen.press("\r", "a repaired copy")
    screen.press("\x1b", silent=(":take",))
    assert path.read_bytes() == damaged
    assert sorted(one.name for one in tmp_path.iterdir() if one.name != "config") == before
    # Once a sound file is in its place, that is what is shown.
    assert Program(tmp_path, "mill").call("check", "--repair").code == 0
    (tmp_path / "mill-repaired.toml").replace(path)
    screen.wait("not running", silent=("save damaged",))
    screen.type("q")
    assert screen.end() == 0


@pytest.mark.long
def test_of_a_header_that_cannot_be_used_nothing_is_shown(tmp_path: Path) -> None:
    path = save(tmp_path, "single steps")
    path.write_bytes(path.read_bytes().replace(b"classic", b"chaotic", 1))
    screen = tocsin(tmp_path, "mill")
    assert screen.end() == 3
    assert "tocsin check --repair" in " ".join(screen.text.split())


def test_an_unfinished_end_is_said_by_who_only_reads(tmp_path: Path) -> None:
    path = save(tmp_path, "a batch")
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    program = Program(tmp_path, "mill")
    for word in ("show", "log", "check"):
        ended = program.call(word)
        assert ended.code == 0
        assert "the end is unfinished" in ended.err + ended.out
    assert path.read_bytes() == whole[:-30]


def test_whole_steps_behind_a_lost_sector_are_told_of(tmp_path: Path) -> None:
    path = save(tmp_path, "a batch")
    whole = path.read_bytes()
    third, fourth = marks(whole)[2].offset, marks(whole)[3].offset
    path.write_bytes(whole[:third] + bytes(fourth - third) + whole[fourth:])
    program = Program(tmp_path, "mill")
    assert "whole step" in program.call("show").err
    assert program.call("check").code == 3


def test_what_is_said_of_spoilt_saves_is_as_it_was_written_down() -> None:
    text = CASES.read_text(encoding="utf-8")
    assert answered(text) == text
