"""A broken file of a system or format of the user's is named in a line, and everything else goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import pytest

from tests.kit.own_modules import forget_own_modules, own_modules_apart
from tests.kit.program import Program
from tui.core.fight.encounter import Encounter
from tui.core.rules.system import explain_absence
from tui.core.views.table_for import say_now
from tui.exchange import own
from tui.store.opening import open_for_reading
from tui.store.shelf import summarize_save
from tui.systems import Registry

TESTS = Path(__file__).parent
GOOD = """from tui.systems.classic import Classic


class Good(Classic):
    id = "{0}"
    title = "Good"
    summary = "is read"
"""
SPOILT: Mapping[str, tuple[str, str]] = {
    "broken.py": ("x = 1\ndef", r"broken\.py, line 2: SyntaxError"),
    "needy.py": ("import nothing_at_all", r"needy\.py, line 1: ModuleNotFoundError: .*nothing_at_all"),
    "leaver.py": ("\n\nraise SystemExit(7)", r"leaver\.py, line 3: SystemExit: 7"),
    "zero.py": ("x\0", r"zero\.py.*: SyntaxError"),
    "empty.py": ("", r"empty\.py: it defines no system with the id empty"),
    "misnamed.py": (GOOD.format("other"), r"misnamed\.py: it defines no system with the id misnamed"),
    "my-own.py": (GOOD.format("my-own"), r"my-own\.py: rename it"),
    "classic.py": (GOOD.format("classic"), r"classic\.py: the program has a system classic already"),
    "untitled.py": (GOOD.format("untitled") + "    title = ''", r"untitled\.py: it lacks a title"),
    "comma.py": (GOOD.format("comma") + "    sides = 'us'", r"comma\.py: sides must be a tuple of str"),
    "fails.py": (
        GOOD.format("fails") + "    def __init__(self):\n        self.x",
        r"fails\.py, line 9: AttributeError",
    ),
    "wordy.py": (
        "from tui.systems import Texts\n" + GOOD.format("wordy") + "    clauses = Texts('clauses', __file__)",
        r"wordy\.py: ValueError: .*wordy\.texts\.toml: Object contains unknown field `clause`",
    ),
    "wordless.py": (
        "from tui.systems import Texts\n"
        + GOOD.format("wordless")
        + "    glossary = Texts('glossary', __file__)",
        r"wordless\.py: FileNotFoundError: .*wordless\.texts\.toml",
    ),
    "pack/__init__.py": ("SYSTEMS = {'pack': 'inside'}", r"pack/inside\.py.*: ModuleNotFoundError"),
}
FORMAT = """from tui.exchange.mapping import To, take
from tui.exchange.registry import Format

TABLE = (To("name", "title"),)
FORMAT = Format("tool", ("json",), {0}, {1})
"""


@pytest.fixture(autouse=True)
def _apart() -> Iterator[None]:
    with own_modules_apart():
        yield


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Return the program with a folder of systems of which one can be read."""
    folder = tmp_path / "systems"
    (folder / "pack").mkdir(parents=True)
    (folder / "good.py").write_text(GOOD.format("good"))
    program = Program(tmp_path)
    program.systems = Registry([str(folder)])
    assert program.call("new", "--system", "good").code == 0
    for name, (text, _) in SPOILT.items():
        (folder / name).write_text(text)
    (folder / "wordy.texts.toml").write_text("[clause]\nWOR-1 = 'The table is misspelt.'\n")
    program.systems = Registry([str(folder)])
    return program


def test_each_broken_file_is_named_in_a_line_and_every_other_system_is_known(program: Program) -> None:
    ids = [system.id for system in program.systems.known()]
    assert ids == sorted({*Registry().ids(), "good"}, key=lambda name: (name != "classic", name))
    problems = program.systems.problems()
    assert len(problems) == len(SPOILT)
    assert [
        name for name, (_, says) in SPOILT.items() if sum(bool(re.search(says, x)) for x in problems) != 1
    ] == []
    assert all(x.isprintable() for x in problems)


def test_every_command_that_lists_systems_goes_on(program: Program) -> None:
    listed = program.bare("systems")
    assert (listed.code, listed.err.count("\n")) == (0, len(SPOILT))
    assert "Good: is read" in listed.out
    assert program.bare("systems", "--json").code == program.bare("keys", "--man").code == 0
    assert program.bare("completion", "bash").code == 0
    refused = program.bare("new", "x", "--system", "broken", "--saves", str(program.folder))
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "broken.py, line 2: SyntaxError" in refused.err
    assert program.bare("new", "x", "--saves", str(program.folder)).code == 0
    for line in ("add Ana", "begin", "system popcorn"):
        assert program.do(line).code == 0


def test_a_save_whose_system_broke_opens_says_why_and_is_checked(program: Program, tmp_path: Path) -> None:
    assert program.do("add Ana", "begin").code == 0
    (tmp_path / "systems" / "good.py").write_text("def")
    forget_own_modules()
    program.systems = systems = Registry([str(tmp_path / "systems")])
    for name in ("show", "check"):
        ended = program.call(name)
        assert (ended.code, ended.err.count("\n")) == (0, 1)
        assert "good.py, line 1: SyntaxError" in ended.err
    assert "good.py, line 1: SyntaxError" in program.do("next").err
    path = str(tmp_path / "fight.toml")
    assert "good.py, line 1: SyntaxError" in explain_absence(systems, Encounter(system="good"))
    assert "cannot be loaded" in summarize_save(path, systems).now
    store = open_for_reading(path, str(tmp_path), systems)
    assert str(tmp_path) not in say_now(store.encounter, store.system)


def test_a_fight_whose_system_fails_is_listed_with_its_fault(program: Program, tmp_path: Path) -> None:
    assert program.do("add Ana", "begin", "roll").code == 0
    failing = GOOD.format("good") + "\n    def offer(self, e):\n        return self.nothing\n"
    (tmp_path / "systems" / "good.py").write_text(failing)
    forget_own_modules()
    brief = summarize_save(str(tmp_path / "fight.toml"), Registry([str(tmp_path / "systems")]))
    assert brief.problem == "good.py, line 10: AttributeError"


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("broken.py", "def", r"broken\.py, line 1: Syntax"),
        ("empty.py", "", r"empty\.py: it defines no Format"),
        ("fits.py", FORMAT.format("lambda x: x['life'] > 1", "iter"), r"fits\.py, line 5: [TK]"),
        ("take.py", FORMAT.format("lambda x: True", "lambda x: [x['life']]"), r"take\.py, line 5: [TK]"),
        ("none.py", FORMAT.format("lambda x: True", "lambda x: [None]"), r"format tool: take yields None"),
    ],
)
def test_a_broken_format_is_named_and_other_files_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, says: str
) -> None:
    monkeypatch.setattr(own, "__path__", [str(tmp_path / "formats")])
    (tmp_path / "formats").mkdir()
    (tmp_path / "formats" / file).write_text(text)
    (sample,) = (TESTS / "exchange" / "formats" / "improved-initiative").glob("*.json")
    ended = Program(tmp_path).bare("import", str(sample), "--look", "--saves", str(tmp_path))
    assert ended.code == 0
    assert re.search(says, ended.err)
    assert ended.err.count("\n") == 1
    (tmp_path / "odd.json").write_text('{"odd": 1}')
    refused = Program(tmp_path).bare("import", str(tmp_path / "odd.json"), "--look")
    assert (refused.code, refused.err.count("\n")) == (3, 1)
    assert re.search(says, refused.err)


@pytest.mark.parametrize("group", ["tocsin.systems", "tocsin.formats"])
def test_an_entry_point_that_leads_nowhere_is_named(
    group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parent raises, it is not there, or it is a module and no package."""
    (tmp_path / "parent_fails").mkdir()
    (tmp_path / "parent_fails" / "__init__.py").write_text("raise SystemExit(3)")
    info = tmp_path / "three-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: three\nVersion: 1.0\n")
    values = ("parent_fails.inside", "is_not_there", "json.decoder")
    lines = "".join(f"e{n} = {value}\n" for n, value in enumerate(values))
    (info / "entry_points.txt").write_text(f"[{group}]\n{lines}")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert {x.value for x in metadata.entry_points(group=group)} >= set(values)
    monkeypatch.setattr(own, "__path__", [])
    if group == "tocsin.systems":
        listed = Program(tmp_path).bare("systems")
    else:
        (sample,) = (TESTS / "exchange" / "formats" / "improved-initiative").glob("*.json")
        listed = Program(tmp_path).bare("import", str(sample), "--look", "--saves", str(tmp_path))
    assert listed.code == 0
    for value in values:
        assert sum(f"= {value} of {group}" in line for line in listed.err.splitlines()) == 1
