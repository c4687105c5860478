"""A change is told what it needs: one of each kind is made in a copy of the tree, in part and then whole.

In part, the type checker or a law names what is missing; whole, both are content with all of them at once.
The changes are in `changes.txt`: behind a text of a file, another is put; without such a text, a file is new.
ARCHITECTURE ("Where to start") gives for each the number of files, which is counted here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct

ROOT = Path(__file__).parents[1]
KEPT = ("tui", "tests", "themes", "saves", ".github", ".ci", "README.md", "LICENSE", "pyproject.toml")
TYPES = ("mypy", "--strict", "tui")
LAWS = ("pytest", "-n", "0", "-q", "-p", "no:cacheprovider")
QUICK = "not long and not hours"


class Edit(Struct, frozen=True):
    """A text is put behind another that stands in a file; without that other, the file is new."""

    path: str
    behind: str
    text: str


def _read_edit(text: str) -> Edit:
    head, _, rest = text.partition("\n")
    path, _, inside = head.partition(" in a ")
    behind, _, new = rest.rpartition("\n+++\n")
    end = "" if inside else "\n"
    return Edit(path, behind + end if behind else "", new + end)


def _read_changes() -> dict[str, tuple[Edit, ...]]:
    """Return the edits of each change by its name."""
    text = Path(__file__).with_name("changes.txt").read_text(encoding="utf-8").removesuffix("\n")
    parts = (part.split("\n@@@ ") for part in f"\n{text}".split("\n=== ")[1:])
    return {name: tuple(map(_read_edit, edits)) for name, *edits in parts}


CHANGES = _read_changes()
YIELDED, SYSTEM, SHOWN = (
    CHANGES.pop(name) for name in ("a turn that is given up", "a system", "what is seen")
)
"""A fight in which somebody surrenders, a package, and tests of what a game master sees of the others."""
VERB, SURRENDER, VALUE, COLUMN, PANE, MODE, BUTTON, *LAWFUL = CHANGES.values()
"""VALUE goes from the event to a player's view: what the encounter keeps of it, and what a table shows.

Each is a struct and what fills it. An encounter that kept whatever an event brings, under any name, would
need no file for the first; but then no type would say what a fight is, nor which saves still open. LAWFUL are
changes of which a law tells: the first edit of each is made at first.
"""
WANTED = ("tui/core/rules/decide.py", "tui/core/fight/apply.py", "tui/core/views/sentences.py")
"""Modules in which the types miss something when only the first edits of a verb are made."""

TELLING = (
    "tests/manual/test_chapters.py", "tests/test_documents.py", "tests/ui/settings/test_config.py",
    "tests/core/fight/test_events.py", "tests/core/views/test_seen.py", "tests/ui/rows/test_panes.py", "-k",
    "not every_command_of_a_chapter and not fits_the_terminal",
)  # fmt: skip
"""Laws that name what a change lacks."""


class Copy:
    """A copy of the tree in which changes are made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in KEPT:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name)
            else:
                shutil.copy2(ROOT / name, folder / name)
        if (ROOT / ".mypy_cache").is_dir():
            shutil.copytree(ROOT / ".mypy_cache", folder / ".mypy_cache")

    def make(self, *edits: Edit) -> None:
        """Put each text behind the other."""
        for edit in edits:
            path = self.folder / edit.path
            path.parent.mkdir(exist_ok=True)
            if edit.behind:
                old = path.read_text(encoding="utf-8")
                assert edit.behind in old, f"{edit.path} has changed: {edit.behind}"
                path.write_text(old.replace(edit.behind, edit.behind + edit.text), encoding="utf-8")
            else:
                path.write_text(edit.text, encoding="utf-8")

    def complaints(self, *words: str) -> str:
        """Return what a module prints that fails when it is run in the copy."""
        ended = self._run(*words)
        assert ended.returncode, f"{words} is content"
        return ended.stdout

    def content(self, *words: str) -> None:
        """Assert that a module finds no fault with the copy."""
        ended = self._run(*words)
        if ended.returncode:
            raise AssertionError(ended.stdout + ended.stderr)

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *words]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def files(edits: Sequence[Edit]) -> set[str]:
    return {edit.path for edit in edits if edit.path.endswith(".py")}


TYPED, LAWFUL_PARTS = VERB[:4], (*SURRENDER[:-1], VALUE[0], *VALUE[2:-1], PANE[0])
"""What is made at first: of the one the types name the rest, of the other a law."""
MODULES = (5, 5, 5, 2, 2, 1, 2, 1, 1, 1)
"""How many modules each change needs."""


def test_a_change_is_made_in_few_files() -> None:
    assert {name: len(files(edits)) for name, edits in CHANGES.items()} == dict(
        zip(CHANGES, MODULES, strict=True)
    )


@pytest.mark.long
def test_the_types_name_what_a_verb_lacks_and_take_every_change(tree: Copy) -> None:
    tree.make(*TYPED)
    said = tree.complaints(*TYPES)
    assert [path for path in WANTED if path not in said] == []
    tree.make(*SYSTEM, *(edit for edits in CHANGES.values() for edit in edits if edit not in TYPED))
    tree.content(*TYPES)


@pytest.mark.long
def test_laws_name_what_the_others_lack_and_take_every_change(tree: Copy) -> None:
    begun = (*LAWFUL_PARTS, *(edits[0] for edits in LAWFUL))
    tree.make(*begun)
    said = tree.complaints(*LAWS, *TELLING)
    lacking = (
        "plain lines", "'loud'", "lets a night go by", "Surrendered", "no text below it",
        "tui.ui.panes.weather", "whether_players_read_it",
    )  # fmt: skip
    assert [word for word in lacking if word not in said] == []
    tree.make(*SYSTEM, *(edit for edits in CHANGES.values() for edit in edits if edit not in begun))
    tree.content("tests.manual")
    assert "combatants[].taken" in (tree.folder / ".github" / "FORMAT.md").read_text(encoding="utf-8")
    tree.content(*LAWS, *TELLING)
    made = "test_house or test_tiny or queue or test_clauses or test_samples or test_package"
    tree.content(*LAWS, "tests", "-m", QUICK, "-k", made)
    tree.make(*YIELDED, *SHOWN)
    tree.content("yielded")
    tree.content(*LAWS, *(edit.path for edit in SHOWN))
