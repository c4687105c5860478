"""Promise 13: whatever folder a stranger sends, nothing outside the save's own names is touched."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.store.library.service import Library
from tui.store.opening import create_save
from tui.store.own_files import explain_unfit_folder, write_settings
from tui.store.problems import BadFile, BadName, NotSaved
from tui.store.session import open_session
from tui.store.shelf import copy_save, rename_save, restore_save, trash_save
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.settings.drafts import DraftFile

SYSTEMS = Registry()
TABLE = ("", "inbox", "addresses", "views/public", "views/public/page.json", "refused.log")
BESIDE = (
    "mill.toml.drafts", "mill.toml.cache", "mill.toml.lock", "mill.copy.txt", "mill.torn-1", "trash",
    "parties", "encounters", "creatures", "conditions", ".mill.toml.tmp-1",
)  # fmt: skip
TARGETS = (
    "{home}", "{home}/Documents", "{home}/Documents/letter.txt", "../..", "../../..", "../../../Documents",
    "../../Documents/page.json", "loop", "nowhere", "{home}/new", ".",
)  # fmt: skip
names = st.sampled_from([f"mill.table/{n}".rstrip("/") for n in TABLE] + list(BESIDE))
kinds = st.sampled_from(["link"] * 6 + ["hard link"] * 3 + ["file", "folder", "pipe", "foreign", "device"])
plants = st.lists(st.tuples(names, kinds, st.sampled_from(TARGETS)), min_size=1, max_size=6)


def kept(top: Path, but: Path) -> dict[str, tuple[object, ...]]:
    """Everything below a home but one folder: kind, rights, owner, bytes and target."""
    found: dict[str, tuple[object, ...]] = {}
    for above, folders, files in os.walk(top):
        folders[:] = [f for f in folders if Path(above, f) != but]
        for name in (*folders, *files):
            path = os.path.join(above, name)
            status = os.lstat(path)
            data = Path(path).read_bytes() if stat.S_ISREG(status.st_mode) else b""
            found[path] = (status.st_mode, status.st_uid, status.st_mtime_ns, data)
    return found


def table_in(sent: Path) -> dict[str, tuple[object, ...]]:
    """The table of 1.x in the stranger's folder, with everything below it."""
    name = str(sent / "mill.table")
    return {path: x for path, x in kept(sent, sent).items() if path == name or path.startswith(f"{name}/")}


@contextmanager
def home() -> Iterator[tuple[Path, Path]]:
    """A home with documents, and deep in it the stranger's folder with a save."""
    with tempfile.TemporaryDirectory() as top:
        base = Path(top)
        for name in ("Documents/deep", "Music"):
            (base / name).mkdir(parents=True)
        for name in ("letter.txt", "page.json", "deep/reply.json"):
            (base / "Documents" / name).write_text("precious")
        sent = base / "downloads" / "sent"
        sent.mkdir(parents=True, mode=0o700)
        create_save(str(sent / "mill.toml"), "", SYSTEMS, "classic", {})
        yield base, sent


def plant(sent: Path, base: Path, where: str, kind: str, target: str) -> None:
    """Put one thing of the stranger's there, unless something stands in the way."""
    path = sent / where
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        match kind:
            case "link":
                path.symlink_to(target.format(home=base))
            case "hard link":
                path.hardlink_to(base / "Documents" / "letter.txt")
            case "file":
                path.write_text("nonsense")
            case "folder":
                path.mkdir()
                (path / "thesis.txt").write_text("precious")
            case "pipe":
                os.mkfifo(path)
            case "foreign" if os.geteuid() == 0:
                path.mkdir()
                os.chown(path, 12345, 12345)
            case "device" if os.geteuid() == 0:
                os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
            case _:
                path.mkdir()


def commands(sent: Path) -> list[Callable[[], object]]:
    """What every command does with the folder, in this process."""
    save = str(sent / "mill.toml")

    def written() -> None:
        session = open_session(save, "", SYSTEMS, SeededDice(1), how="inline")
        try:
            session.store.run("add Ana +1 9 owner=Ana")
            assert session.remarks is not None
        finally:
            session.close()

    def drafted() -> None:
        drafts = DraftFile(save)
        drafts.save("line", "damage Orc 3")
        drafts.save("line", "")

    def library() -> None:
        shelves = Library(str(sent), SYSTEMS)
        shelves.names("party")
        shelves.names("creature", "O")
        shelves.keep_party("ours", [{"name": "Ana"}], system="classic", overwrite=True)

    def moved() -> None:
        copy_save(save, str(sent), "copied")
        restore_save(trash_save(str(sent / "copied.toml"), str(sent)), str(sent))
        rename_save(save, str(sent), "other")
        rename_save(str(sent / "other.toml"), str(sent), "mill")

    return [written, drafted, library, moved, written]


@cases(150)
@given(plants)
def test_nothing_outside_the_saves_own_names_is_touched(planted: list[tuple[str, str, str]]) -> None:
    with home() as (base, sent):
        for where, kind, target in planted:
            plant(sent, base, where, kind, target)
        mine = [Path(above, "thesis.txt") for above, _, files in os.walk(sent) if "thesis.txt" in files]
        before, table = kept(base, sent), table_in(sent)
        with chdir(base):
            for command in commands(sent):
                with suppress(RuleError, BadFile, BadName, NotSaved, OSError):
                    command()
        assert kept(base, sent) == before
        assert table_in(sent) == table, "the table of 1.x is left alone"
        assert [path for path in mine if not path.exists()] == []


def test_a_folder_or_file_that_is_not_ours_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "dotfile").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    write_settings(str(tmp_path / "a" / "ours" / "config.toml"), b"new", "")
    assert (tmp_path / "a" / "ours").stat().st_mode & 0o777 == 0o700
    for name, why in (
        ("link", "is a link, and links are not"),
        ("file", "is not a folder"),
        ("\0", "cannot be"),
    ):
        assert f"the trash {why}" in str(explain_unfit_folder(str(tmp_path / name), "the trash"))
    assert [explain_unfit_folder(str(tmp_path / name), "") for name in ("a", "none", "file/x")] == [None] * 3
    for name, why in (("dotfile", "are a link, which"), ("pipe", "not a regular file")):
        with pytest.raises((BadFile, OSError), match=why):
            write_settings(str(tmp_path / name), b"new", "write it there")
