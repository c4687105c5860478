"""FORMAT and PROMISES say what is true: every key of the JSON, a journal that opens, tests that are there."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.kit.program import Program
from tui.core.fight.events import Event
from tui.store.journal.reader import parse_journal
from tui.store.library.service import Library
from tui.systems import Registry
from tui.ui.state.commands import COMMANDS, START_COMMANDS

TOP = Path(__file__).parents[1]
FORMAT = (TOP / ".github" / "FORMAT.md").read_text(encoding="utf-8")
PROMISES = (TOP / ".github" / "PROMISES.md").read_text(encoding="utf-8")
GIVEN = ("options", "fields", "marks", "text", "totals", "save_bonus", "steps")
"""Tables whose keys are names that a fight or a system gives."""

FIGHTS = {
    "classic": (
        *("add Ana owner=Mia hp=9", "add 2 Orc group=Orcs hp=3", "condition Ana prone rounds=2"),
        *("begin", "roll", "next"),
    ),
    "chaos": (
        *("add Ana owner=Mia", "add Orc", "begin", 'order Ana reaction="x => y"'),
        *("lock missing=empty", "roll"),
    ),
    "dungeon-track": ("add Ana side=heroes per=4", "add Orc per=2 int=3", "begin", "meet Ana", "roll"),
    "unbound": ("add Ana side=heroes", "add Orc", "begin", "surprise heroes by=dark"),
    "dynamic": ("add Ana kind=pc", "add Orc", "begin"),
}


def keys(plain: Any) -> set[str]:
    """All keys of an object that are not names of the fight's own."""
    if isinstance(plain, list):
        return {key for item in plain for key in keys(item)}
    if not isinstance(plain, dict):
        return set()
    return set(plain) | {
        key
        for name, value in plain.items()
        if name not in GIVEN or isinstance(value, list)
        for key in keys(value)
    }


@pytest.mark.parametrize("system", FIGHTS)
@pytest.mark.parametrize("viewer", ["", "Mia"])
def test_every_key_is_described(tmp_path: Path, system: str, viewer: str) -> None:
    program = Program(tmp_path)
    assert program.call("new", "--system", system).code == 0
    looks = ["--as", viewer] if viewer else []
    for line in FIGHTS[system]:
        assert program.call("do", "--seed", "4", line).code == 0
        for words in (
            ["show", "--json", *looks],
            ["log", "--json", *looks],
            ["log", "--dice", "--json"],
            ["check", "--json"],
        ):
            found = keys(json.loads(program.call(*words).out))
            assert {key for key in found if not re.search(rf"[`.]{key}`", FORMAT)} == set()


def test_the_journal_opens() -> None:
    data = examples()[0]
    journal = parse_journal(data.encode(), Event)
    assert [(step.line, step.to) for step in journal.steps] == [("add Ana hp=5", None), ("undo", 0)]


def test_the_examples_of_the_library_are_read(tmp_path: Path) -> None:
    _, party, creature = examples()
    for shelf, text in (("parties", party), ("creatures", creature)):
        (tmp_path / shelf).mkdir()
        (tmp_path / shelf / "mine.toml").write_text(text, encoding="utf-8")
    library = Library(str(tmp_path), Registry())
    assert [s.names for s in library.parties()] == [("Ana", "6 Goblin")]
    goblin = library.creature("goblin")
    assert goblin is not None
    assert (goblin.hp, goblin.hp_dice, goblin.initiative, goblin.fields["stealth"]) == (7, "2d6", 2, 6)


def examples() -> list[str]:
    """The blocks of TOML that FORMAT shows."""
    found: list[str] = re.findall(r"```toml\n(.*?)```", FORMAT, re.DOTALL)
    return found


def test_every_test_that_holds_a_promise_is_there() -> None:
    folder = ""
    named = re.findall(r"`((?:tests/[a-z/]*/?)?test_[a-z_]+\.py)`", PROMISES)
    assert len(named) > 25
    for name in named:
        folder = name.rpartition("/")[0] or folder
        assert (TOP / folder / name.rpartition("/")[2]).is_file(), name


def test_promises_are_cited_by_their_number() -> None:
    numbers = [int(n) for n in re.findall(r"(?m)^(\d+)\. \*\*", PROMISES)]
    assert numbers
    assert numbers == [*range(1, len(numbers) + 1)]
    for path in (TOP / "tui").rglob("*.py"):
        for cited in re.findall(r"PROMISES\.md, (\d+)", path.read_text(encoding="utf-8")):
            assert int(cited) in numbers, path


MODES = {"y", "h", "n", "m", "f", "r"}
"""Keys of questions and lists, which stand in their own texts."""


def test_a_text_names_only_keys_that_are_bound() -> None:
    """A key that has become a word is named in no text of the screen, no lesson and no chapter."""
    systems = Registry()
    verbs = (verb.key for name in systems.ids() for verb in systems.get(name).verbs)
    bound = {*MODES, *verbs, *(key for c in (*COMMANDS, *START_COMMANDS) for key in c.keys)}
    named = set[tuple[str, str]]()
    for path in (TOP / "tui" / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\\" not in node.value:
                named |= {(path.name, key) for key in re.findall(r"\[(\S)\]", node.value)}
    for path in (TOP / "tui").rglob("*.md"):
        lines = [x for x in path.read_text(encoding="utf-8").splitlines() if not x.startswith("|")]
        named |= {(path.name, key) for key in re.findall(r"`([A-Za-z!#&'*+,.?/-])`", "\n".join(lines))}
    assert len(named) > 30
    assert {(place, key) for place, key in named if key not in bound} == set()
