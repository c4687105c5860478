"""The mutation tester itself: its mutants are mistakes, and it tells a test that notices from one that does
not.
"""

from __future__ import annotations

import ast
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.mutation.__main__ import ROOT, Results, equivalents, sampled
from tests.mutation.children import answer, ended_when_asked, forked, stop
from tests.mutation.job import KILLED, SURVIVED, TIMED_OUT
from tests.mutation.living import Living, change_of
from tests.mutation.mutants import mutants_of
from tests.mutation.rooms import ROOMS, answering, files

pytestmark = pytest.mark.long

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
        (4, "a > b", "a >= b"),
        (4, "a > b", "True"),
        (4, "a > b", "False"),
        (5, "return a", "return None"),
        (6, "return b", "return None"),
        (10, "0", "1"),
        (11, "found < up", "found <= up"),
        (11, "found < up", "False"),
        (12, "found += 1", "pass"),
        (12, "1", "0"),
        (13, "return found", "return None"),
    ]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("x = a and not b", {"a or not b", "b"}),
        ("x = [a - 1 for a in b if a is c]", {"a + 1", "0", "a is not c", "True"}),
        ("x = -7 if a in b else True", {"7", "8", "a not in b", "True", "False"}),
        ("def f() -> None:\n    f()\n    raise E\n    return", {"pass"}),
        ("class C(Struct, frozen=True):\n    x: int = 0\n    '''Words.'''", {"1"}),
        ("def f() -> bool:\n    return False", {"True"}),
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
    assert answering(ROOT, "tui/systems/shared/track.py") == ["tests/systems"]
    assert answering(ROOT, "tui/store/journal/file.py") == ["tests/store"]
    every = [path for room in ROOMS for path in files(ROOT, room)]
    assert len(every) == len(set(every)), "a room inside another is not part of it"
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


def test_a_mutant_in_a_running_process_is_the_one_function_that_differs(tmp_path: Path) -> None:
    """Defaults, tables and classes are made while loading: there is no function to exchange."""
    path = tmp_path / "some.py"
    path.write_text(
        "TABLE = 1\n\nclass C:\n    x = 2\n\n    def f(self, n=3):\n"
        "        return [n for n in self if n]\n\nL = lambda: 4\n"
    )
    found = [(m.was, change_of(*m.codes(str(path)))) for m in mutants_of(tmp_path, path)]
    names = [(was, change[0].co_qualname if change else "") for was, change in found]
    assert names == [
        ("1", ""),
        ("2", ""),
        ("3", ""),
        ("return [n for n in self if n]", "C.f"),
        ("n", "C.f"),
        ("4", "<lambda>"),
    ]
    assert all(change[0].co_firstlineno == change[1].co_firstlineno for _, change in found if change)


def test_a_file_without_its_mistakes_is_the_file_that_python_loads() -> None:
    path = ROOT / "tui" / "systems" / "unbound" / "surprise.py"
    loaded = compile(path.read_text(), str(path), "exec", dont_inherit=True)
    assert [m.told() for m in mutants_of(ROOT, path) if m.codes(str(path))[0] != loaded] == []
    assert loaded not in [m.codes(str(path))[1] for m in mutants_of(ROOT, path)]


def test_every_reference_to_a_function_gets_the_mistake() -> None:
    def product(up: int) -> int:
        return up + 1

    kept, other = product, compile("def product(up): return up - 1", "x", "exec")
    Living().exchange((product.__code__, next(c for c in other.co_consts if hasattr(c, "co_name"))))
    assert kept(3) == 2


def test_a_run_that_was_ended_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "results"
    one, two = sampled("tui/systems/dynamic", 2, 1)
    Results(path).add(one, KILLED, 1.0, "test_x")
    again = Results(path)
    assert again.fates == {one.name: KILLED}
    again.add(two, SURVIVED, 2.0, "test_y")
    assert "1 of 2 noticed, 50.0 % (1 killed, 1 survived)" in Results(path).told("room", [one, two])


COMMAND = """
import sys
from pathlib import Path
from tests.mutation.job import Task
from tests.mutation.mutants import mutants_of
from tests.mutation.runner import Bench

root, folder = map(Path, sys.argv[1:])
folder.mkdir()
bench = Bench(root, folder, 2, 5, 60)
assert bench.baseline(["tests"]) > 0
tasks = [Task(m, ["tests"]) for m in mutants_of(root, root / "tui" / "some.py")]
for v in bench.verdicts(tasks):
    m = tasks[v.number].mutant
    print(v.fate, m.was, m.now, v.by.split("::")[-1], sep="|")
"""

LOADED = """
START = 5
TABLE = [most(4, 2), START]


def unseen() -> int:
    return 7
"""

LOOKING = """
import time
from tui.some import TABLE, count, most

def test_slow():
    time.sleep(0.5)
    assert count(3) == 3

def test_it():
    assert count(2) == 2
    assert most(1, 1) == 1
    assert most(2, 1) == 2 and most(1, 2) == 2

def test_table():
    assert TABLE == [4, 5]
"""


def fates(root: Path, folder: Path) -> tuple[dict[tuple[str, str], tuple[str, str]], str]:
    """What became of every mutant of a small program, with the last test, and the complaint: of its own
    process.
    """
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(root), str(folder)],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    rows = [line.split("|") for line in done.stdout.splitlines()]
    return {(was, now): (fate, by) for fate, was, now, by in rows}, done.stderr


def test_a_mistake_is_noticed_by_a_test_that_looks_and_survives_one_that_does_not(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for name in ("tui", "tests"):
        (root / name).mkdir(parents=True)
        (root / name / "__init__.py").touch()
    (root / "tui" / "some.py").write_text(PRODUCT + LOADED)
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["long: x", "hours: x"]\n')
    (root / "tests" / "test_some.py").write_text(LOOKING)
    found, complaint = fates(root, tmp_path / "bench")
    assert complaint == ""
    assert len(found) == len({(m.was, m.now) for m in mutants_of(root, root / "tui" / "some.py")})
    told = {
        fate: {change for change, (got, _) in found.items() if got == fate} for fate in (SURVIVED, TIMED_OUT)
    }
    assert told[SURVIVED] == {
        ("a > b", "a >= b"),
        ("0", "1"),
        ("return 7", "return None"),
        ("7", "8"),
        ("2", "3"),
    }
    assert told[TIMED_OUT] == {("found += 1", "pass"), ("1", "0")}
    assert found["return found", "return None"] == (KILLED, "test_it"), (
        "the quick test is asked before the slow one"
    )
    assert found["return b", "return None"][0] == KILLED, "what is called while loading is loaded anew"
    assert found["5", "6"] == (KILLED, "test_table")


def test_tests_that_fail_by_themselves_are_no_measure(tmp_path: Path) -> None:
    (tmp_path / "root" / "tests").mkdir(parents=True)
    (tmp_path / "root" / "tests" / "test_some.py").write_text("def test_it():\n    assert False\n")
    found, complaint = fates(tmp_path / "root", tmp_path / "bench")
    assert found == {}
    assert "the tests fail without a mutant" in complaint


@pytest.mark.parametrize("apart", [True, False])
def test_a_runner_that_is_asked_to_end_leaves_no_process_behind(tmp_path: Path, apart: bool) -> None:
    started = tmp_path / "started"

    def deep() -> int:
        started.write_text(str(os.getpid()))
        time.sleep(60)
        return 0

    def work() -> int:
        ended_when_asked()
        return answer(forked(deep, tmp_path / "deep", apart=True), math.inf) or 0

    def job() -> int:
        ended_when_asked()
        return answer(forked(work, tmp_path / "work", apart=False), math.inf) or 0

    begun = forked(job, tmp_path / "job", apart=apart)
    while not (started.exists() and started.read_text()):
        time.sleep(0.01)
    stop(begun)
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)


def test_what_was_tested_before_the_end_is_told() -> None:
    results = Results(None)
    first, second = sampled("tui/store/history.py", 2, 1)
    results.fates[first.name] = "killed"
    assert (
        results.told("room", [first, second]) == "room: 1 of 1 noticed, 100.0 % (1 killed); 1 were not tested"
    )
