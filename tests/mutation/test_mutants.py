"""The mutation tester itself: its mutants are mistakes, and it tells a test that notices from one that does not."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.__main__ import ROOT, equivalents, sampled
from tests.mutation.mutants import mutants_of
from tests.mutation.rooms import ROOMS, answering, files
from tests.mutation.runner import KILLED, SURVIVED, TIMED_OUT

PRODUCT = """
def most(a: int, b: int) -> int:
    \"\"\"The larger.\"\"\"
    if a > b:
        return a
    return b


def count(up: int) -> int:
    found = 0
    while found < up:
        found += 1
    return found
"""


def made(folder: Path, text: str) -> list[tuple[int, str, str]]:
    path = folder / "some.py"
    path.write_text(text)
    found = mutants_of(folder, path)
    assert len({m.name for m in found}) == len(found)
    for m in found:
        assert ast.dump(ast.parse(m.source)) != ast.dump(ast.parse(text))
    return [(m.line, m.was, m.now) for m in found]


def test_every_kind_of_mistake_is_made_once(tmp_path: Path) -> None:
    assert made(tmp_path, PRODUCT) == [
        (4, "a > b", "a >= b"), (4, "a > b", "True"), (4, "a > b", "False"), (5, "return a", "return None"),
        (6, "return b", "return None"), (10, "0", "1"), (11, "found < up", "found <= up"),
        (11, "found < up", "False"), (12, "found += 1", "pass"), (12, "1", "0"), (13, "return found", "return None"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("x = a and not b", {"a or not b", "b"}),
        ("x = [a - 1 for a in b if a is c]", {"a + 1", "0", "a is not c", "True"}),
        ("x = -7 if a in b else True", {"7", "8", "a not in b", "True", "False"}),
        ("def f() -> None:\n    f()\n    raise E\n    return", {"pass"}),
        ("class C(Struct, frozen=True):\n    x: int = 0\n    '''Words.'''", {"1"}),
        ("if TYPE_CHECKING:\n    x = 1", set()),
        ("match x:\n    case _:\n        assert_never(x)", set()),
    ],
)
def test_what_becomes_of_a_line(text: str, changes: set[str], tmp_path: Path) -> None:
    assert {now for _, _, now in made(tmp_path, text)} == changes


def test_every_room_has_files_mutants_and_tests() -> None:
    for room in ROOMS:
        assert files(ROOT, room), room
        assert len(answering(ROOT, room)) == len(ROOMS[room]), room
    assert answering(ROOT, "tui/systems/dynamic/pool.py") == ["tests/systems/dynamic"]
    with pytest.raises(KeyError):
        answering(ROOT, "tui/ui")


def test_a_sample_is_the_same_for_the_same_seed_and_spread_over_the_room() -> None:
    one = [m.name for m in sampled("tui/systems/dynamic", 40, 7)]
    assert one == [m.name for m in sampled("tui/systems/dynamic", 40, 7)]
    assert one != [m.name for m in sampled("tui/systems/dynamic", 40, 8)]
    assert len(one) == 40
    assert len({name[0] for name in one}) > 4


def test_every_mutant_that_is_named_as_equivalent_exists() -> None:
    known = equivalents()
    there = {m.name for path in {name[0] for name in known} for m in mutants_of(ROOT, ROOT / path)}
    assert [name for name in known if name not in there] == []
    assert all(len(why.split()) > 3 for why in known.values())


COMMAND = """
import sys
from pathlib import Path
from tests.mutation.mutants import mutants_of
from tests.mutation.runner import Bench

root, folder = map(Path, sys.argv[1:])
bench = Bench(root, folder, 4, 5)
assert bench.baseline(["tests"]) < bench.limit
bench.limit = 10
for v in bench.verdicts(mutants_of(root, root / "tui" / "some.py"), ["tests"]):
    print(v.fate, v.mutant.was, v.mutant.now, sep="|")
"""


def fates(root: Path, folder: Path) -> tuple[dict[tuple[str, str], str], str]:
    """What became of every mutant of a small program, and the complaint, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(root), str(folder)],
        check=False, capture_output=True, text=True, timeout=120, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    rows = [line.split("|") for line in done.stdout.splitlines()]
    return {(was, now): fate for fate, was, now in rows}, done.stderr


def test_a_mistake_is_noticed_by_a_test_that_looks_and_survives_one_that_does_not(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name in ("tui", "tests"):
        (root / name).mkdir(parents=True)
        (root / name / "__init__.py").touch()
    (root / "tui" / "some.py").write_text(PRODUCT)
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["long: x"]\n')
    (root / "tests" / "test_some.py").write_text(
        "from tui.some import count, most\n\ndef test_it():\n    assert count(2) == 2\n    assert most(1, 1) == 1\n"
        "    assert most(2, 1) == 2 and most(1, 2) == 2\n"
    )
    found, complaint = fates(root, tmp_path / "bench")
    assert complaint == ""
    assert len(found) == len(mutants_of(root, root / "tui" / "some.py"))
    told = {fate: {change for change, got in found.items() if got == fate} for fate in (SURVIVED, TIMED_OUT)}
    assert told[SURVIVED] == {("a > b", "a >= b"), ("0", "1")}, "no test counts to nothing"
    assert told[TIMED_OUT] == {("found += 1", "pass"), ("1", "0")}
    assert found["return b", "return None"] == KILLED


def test_tests_that_fail_by_themselves_are_no_measure(tmp_path: Path) -> None:
    (tmp_path / "root" / "tests").mkdir(parents=True)
    (tmp_path / "root" / "tests" / "test_some.py").write_text("def test_it():\n    assert False\n")
    found, complaint = fates(tmp_path / "root", tmp_path / "bench")
    assert found == {}
    assert "the tests fail without a mutant" in complaint
