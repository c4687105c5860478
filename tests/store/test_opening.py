"""Saves that are made, looked at, and read as far as they go: refusals, warnings, what stays on the disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.kit.journals import append
from tui.core.base.errors import RuleError
from tui.store import opening, shelf
from tui.store.history import replay
from tui.store.journal.reader import read_header
from tui.store.lock import SaveLock
from tui.store.opening import (
    SaveExists,
    create_empty_save,
    create_save,
    load_save,
    open_as_far_as_readable,
    open_for_reading,
    open_for_retelling,
    warn_of_torn_end,
)
from tui.store.problems import DamagedSave, JournalError, NotSaved
from tui.store.saves import data_folder
from tui.store.session import open_session
from tui.store.shelf import copy_sample
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry()
HOW = "--saves DIR names another folder, and so does TOCSIN_SAVES"


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    """A save with two steps."""
    path = create_save("mill", str(tmp_path), SYSTEMS, "classic", {})
    played = open_session(path, "", SYSTEMS, SeededDice(1), how="inline")
    for line in ("add Ana hp=9", "add Bo hp=9"):
        played.store.run(line)
    played.close()
    return Path(path)


# --- making


def test_a_save_is_never_made_over_another(mill: Path) -> None:
    before = mill.read_bytes()
    with pytest.raises(SaveExists) as refused:
        create_save("mill", str(mill.parent), SYSTEMS, "chaos", {})
    assert (refused.value.message, refused.value.hint) == (
        "mill is already there",
        "open it, or choose another name",
    )
    assert refused.value.kind == "exists"
    with pytest.raises(NotSaved, match="a file of that name exists") as late:
        create_empty_save(str(mill), "chaos", {})
    assert late.value.code == errno.EEXIST
    assert mill.read_bytes() == before


def test_a_save_is_made_in_a_new_folder_or_in_the_present_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_empty_save(str(tmp_path / "a" / "b" / "mill.toml"), "classic", {"classic.tie": "mod"})
    header, _ = read_header((tmp_path / "a" / "b" / "mill.toml").read_bytes())
    assert (header.save, header.system, header.options) == ("mill", "classic", {"classic.tie": "mod"})
    monkeypatch.chdir(tmp_path)
    create_empty_save("here.toml", "classic", {})
    assert (tmp_path / "here.toml").exists()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (errno.ENOTDIR, os.strerror(errno.ENOTDIR)),
        (errno.ENOENT, "a folder on the way is missing or cannot be made"),
        (errno.EACCES, "you may not write there"),
    ],
)
def test_a_folder_that_cannot_be_is_named_with_what_would_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, why: str
) -> None:
    def refuse(_: str) -> None:
        raise OSError(code, "x")

    for module in (opening, shelf):
        monkeypatch.setattr(module, "make_folder", refuse)
    folder = str(tmp_path / "new")
    with pytest.raises(NotSaved) as refused:
        create_empty_save(f"{folder}/mill.toml", "classic", {})
    assert (refused.value.message, refused.value.hint) == (f"{why} ({folder})", HOW)
    assert refused.value.code == code
    with pytest.raises(NotSaved) as unmade:
        copy_sample(os.path.join(data_folder("examples"), "mill.toml"), folder)
    assert (unmade.value.message, unmade.value.hint) == (f"{why} ({folder})", HOW)


# --- looking


def test_who_only_looks_writes_nothing_and_rolls_nothing(mill: Path) -> None:
    before, store = mill.read_bytes(), open_for_reading("mill", str(mill.parent), SYSTEMS)
    assert (store.name, store.step, store.record) == ("mill", 2, 2)
    with pytest.raises(RuleError) as refused:
        store.run("note x")
    assert refused.value.message == "this fight is read-only here"
    assert refused.value.hint == "`quit`, open the save again and take it over to write"
    with pytest.raises(RuleError, match="this fight is read-only here"):
        store.run("add Orc hp=2d4")
    assert store.step == 2
    assert mill.read_bytes() == before


def test_an_end_that_is_torn_off_is_told_unless_somebody_may_be_writing_it(mill: Path) -> None:
    assert warn_of_torn_end(load_save(str(mill), SYSTEMS).journal) == ""
    lines = mill.read_bytes().count(b"\n")
    with mill.open("ab") as file:
        file.write(b"[[step]]\nn = 3\nat = 2026")
    journal = load_save(str(mill), SYSTEMS).journal
    assert journal.torn
    assert warn_of_torn_end(journal) == (
        f"mill, line {lines + 1}: {journal.torn.words}; "
        "the next step is written over it, and a copy is kept beside the save"
    )
    lock = SaveLock.acquire(str(mill))
    assert warn_of_torn_end(journal) == ""
    lock.release()


@pytest.mark.parametrize(
    ("spoilt", "shown"), [(b"Bo", "the fight is shown up to step 1"), (b"Ana", "no step can be shown")]
)
def test_a_damaged_save_is_shown_as_far_as_it_goes_and_says_how_far(
    mill: Path, spoilt: bytes, shown: str
) -> None:
    mill.write_bytes(mill.read_bytes().replace(spoilt, b"\x00" * len(spoilt)))
    with pytest.raises(JournalError) as raised:
        load_save(str(mill), SYSTEMS)
    error = raised.value
    store, journal = open_as_far_as_readable("mill", str(mill.parent), SYSTEMS)
    assert store.step == (1 if spoilt == b"Bo" else 0)
    assert journal.problem
    assert type(journal.problem) is type(error)
    assert (journal.problem.line, journal.problem.step, journal.problem.message) == (
        error.line,
        error.step,
        error.message,
    )
    assert journal.problem.hint == f"{shown}; {error.hint}" if error.hint else shown
    with open_for_retelling("mill", str(mill.parent), SYSTEMS, lenient=True) as (_, again):
        assert str(again.problem) == str(journal.problem)


def test_a_state_that_is_none_at_the_end_is_the_saves_fault(mill: Path) -> None:
    append(mill, '[{\tt =\t"changed",\twho =\t"c1",\tkey =\t"hp",\tvalue =\t"many"}]')

    def all_of_it() -> None:
        with open_for_retelling("mill", str(mill.parent), SYSTEMS) as (history, journal):
            replay(history, journal.steps)

    def the_end() -> None:
        load_save(str(mill), SYSTEMS)

    for reading in (the_end, all_of_it):
        with pytest.raises(DamagedSave, match=r"^mill\.toml: a step cannot have happened: .*hp") as refused:
            reading()
        assert (refused.value.line, refused.value.step) == (0, -1)
        assert refused.value.hint == f"`tocsin check {mill}` finds it"


def test_beside_a_save_that_does_not_exist_no_lock_is_left(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such file"):
        open_session("mill", str(tmp_path), SYSTEMS, SeededDice(1), how="inline")
    assert os.listdir(tmp_path) == []
