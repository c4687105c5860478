"""The laws of the house: what a linter does not hold. The rooms and their arrows: .github/ARCHITECTURE.md."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import tui
from tests.figures import circles, graph, nodes, tree
from tui.core.fight.agenda import COMMON_MARKS, COMMON_PHASES
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.systems import Registry

ROOT = Path(tui.__file__).parent
TESTS = Path(__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
SHELL = sorted(path for pattern in ("*.py", "*.tcss") for path in (ROOT / "ui").rglob(pattern))

PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "difflib", "enum", "fnmatch", "functools",
    "heapq", "itertools",
    "math", "operator", "re", "string", "textwrap", "types", "typing", "unicodedata",
}  # fmt: skip
"""The standard library that neither files, clocks nor chance come in by."""

REACHING_OUT = {"open", "input", "print", "eval", "exec", "compile", "__import__", "breakpoint"}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT.parent))


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def imported(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or ""} if node.level == 0 else {"a relative import"}
    return found


def called(path: Path) -> set[str]:
    """The bare names that a file calls."""
    calls = (node.func for node in nodes(path) if isinstance(node, ast.Call))
    return {func.id for func in calls if isinstance(func, ast.Name)}


def test_no_import_leads_back_to_where_it_came_from() -> None:
    """Counting imports inside of functions, and those for the type checker alone."""
    assert circles(graph(ROOT)) == []


def test_a_circle_is_found_wherever_it_is() -> None:
    assert circles({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["b", "c"]]
    assert circles({"a": set(), "x": {"y"}, "y": {"z", "a"}, "z": {"x"}}) == [["x", "y", "z"]]


def test_no_public_class_has_the_name_of_another() -> None:
    found = Counter(
        node.name
        for path in FILES
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in found.items() if count > 1] == []


def test_every_file_with_functions_postpones_its_annotations() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in [*FILES, *TESTS.rglob("*.py")]}
    functions = re.compile(r"^\s*(async )?def ", re.MULTILINE)
    bare = [path for path, text in texts.items() if "from __future__ import annotations" not in text]
    assert [named(path) for path in bare if functions.search(texts[path])] == []


@pytest.mark.parametrize(
    "words",
    [
        r"#\s*type:\s*ignore(?!\[[a-z-]+\])|#\s*noqa(?!:\s*[A-Z]+[0-9]+)",
        r"pytest\.(mark\.)?(skip|xfail)|\b(TODO|FIXME|XXX)\b",
    ],
)
def test_a_silenced_checker_is_told_its_rule_and_nothing_is_skipped_or_left_to_do(words: str) -> None:
    paths = [p for p in (*FILES, *TESTS.rglob("*.py")) if p != Path(__file__)]
    assert [named(p) for p in paths if re.search(words, p.read_text(encoding="utf-8"))] == []


def test_colours_are_named_in_themes_only() -> None:
    literal = re.compile(
        r"""["' ]#[0-9A-Fa-f]{3}(?:[0-9A-Fa-f]{3})?\b|\brgba?\("""
        r"|\bansi_(?:bright_)?(?:black|red|green|yellow|blue|magenta|cyan|white)\b"
    )
    assert [named(path) for path in SHELL if literal.search(path.read_text(encoding="utf-8"))] == []


CORE_WORDS = {
    "acted": "a mark of the core", "reaction": "a mark of the core",
    "setup": "a phase of the core", "rolls": "a phase of the core", "turns": "a phase of the core",
    "barred": "a state of a row", "locked": "a state of an order", "delays": "what the verb hold does",
    "orders": "a pane, and a key of the JSON", "board": "a mode of the screen", "place": "a key of the JSON",
    "surprise": "a kind of outcome", "target": "a kind of outcome", "kind": "a field of every creature",
    "int": "a kind of field", "adv": "a word of dice notation", "count": "a part of dice notation",
    "con": "the key of a saving throw", "bonus": "a key of the JSON", "mod": "the +MOD of add",
    "classic": "the system of an encounter that names none", "again": "a draft's name",
    "die": "a verb of a sentence", "hit": "a key of the verb area", "new": "a tag of the start screen",
    "cr": "a field of d20 creatures", "level": "a field of d20 creatures",
    "per": "a label in a game master's notes", "passive": "a label in a game master's notes",
}  # fmt: skip
"""Words that systems declare too, and what they are in the core and on the screen."""

COMMON = {*(m.name for m in COMMON_MARKS), *(p.name for p in COMMON_PHASES)}


def declared(system: InitiativeSystem) -> set[str]:
    """Every word that is the system's own: ids, marks, phases, verbs, and the keys of fields and options."""
    marks = {word for m in system.marks for word in (m.name, m.tag, m.short)}
    keys = {f.key for f in (*system.fields, *system.options)}
    return {system.id, *marks, *keys, *(p.name for p in system.phases), *(v.name for v in system.verbs)} - {
        ""
    }


def test_core_and_screen_know_no_word_of_a_system() -> None:
    systems = Registry()
    words = set().union(*(declared(systems.get(name)) for name in systems.ids()))
    said = {
        f"{named(path)}:{node.lineno}": node.value
        for path in FILES
        if path.is_relative_to(ROOT / "core") or path.is_relative_to(ROOT / "ui")
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in words
    }
    assert {place: word for place, word in said.items() if word not in CORE_WORDS} == {}


def test_a_word_of_the_core_is_one_that_a_system_declares_too() -> None:
    systems = Registry()
    words = {*COMMON, *set().union(*(declared(systems.get(name)) for name in systems.ids()))}
    assert sorted(set(CORE_WORDS) - words) == []


def test_a_house_rule_says_what_each_of_its_values_means() -> None:
    systems = Registry()
    rules = {f.key: f for name in systems.ids() for f in (*systems.get(name).options, *COMMON_OPTIONS)}
    silent = {
        key: sorted(value for value in rule.choices if not re.search(rf"\b{value}[:,]", rule.help))
        for key, rule in rules.items()
        if rule.kind == "choice"
    }
    assert {key: values for key, values in silent.items() if values} == {}


@pytest.mark.parametrize("folder", ["core", "systems"])
def test_the_rules_are_pure(folder: str) -> None:
    """Only `systems/__init__.py`, which looks for the systems and their texts, may look about."""
    strange = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        outside = {name for name in imported(path) if not name.startswith(("tui.core", "tui.systems"))}
        foreign = {name for name in outside if name.split(".")[0] not in {*PURE, "msgspec"}}
        if (foreign | called(path) & REACHING_OUT) and path != ROOT / "systems" / "__init__.py":
            strange[named(path)] = foreign | called(path) & REACHING_OUT
    assert strange == {}


def test_the_pure_modules_are_the_standard_librarys() -> None:
    assert sys.stdlib_module_names >= PURE


def test_nothing_is_configured_at_import() -> None:
    for path in FILES:
        calls = [
            node
            for node in tree(path).body
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ]
        assert calls == [], named(path)
        assert not any(isinstance(node, ast.Global) for node in nodes(path)), named(path)


def test_every_dependency_is_explained_to_contributors() -> None:
    checkout = ROOT.parent
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    told = (checkout / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names = [re.split(r"[=<>!~ ]", line)[0] for line in wanted]
    assert [name for name in names if f"**{name}**" not in told] == []


def test_an_upper_bound_of_a_dependency_has_its_reason_beside_it() -> None:
    text = (ROOT.parent / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    wanted = project["dependencies"]
    bounded = [line for line in wanted if re.search("<|==", line)]
    reasons = [
        line.partition("#")[2].strip() for line in text.splitlines() if any(f'"{x}"' in line for x in bounded)
    ]
    assert len(reasons) == len(bounded) > 0
    assert "" not in reasons


CLOCKS = {"perf_counter", "perf_counter_ns", "process_time", "thread_time", "monotonic", "time"}
STOPWATCHES = {"perf_counter", "process_time"}


def reads_clock(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in CLOCKS


def test_no_test_asserts_how_long_something_took() -> None:
    """Figures are of `tests.benchmarks`; a deadline (`assert monotonic() < end`) only ends what hangs."""
    timed = [
        f"{named(path)}:{claim.lineno}"
        for path in TESTS.rglob("*.py")
        for claim in nodes(path)
        if isinstance(claim, ast.Assert)
        for node in ast.walk(claim)
        if isinstance(node, ast.BinOp) and (reads_clock(node.left) or reads_clock(node.right))
    ]
    stopwatches = {
        named(path)
        for path in TESTS.rglob("test_*.py")
        for node in nodes(path)
        if (isinstance(node, ast.Attribute) and node.attr in STOPWATCHES)
        or (isinstance(node, ast.Name) and node.id in STOPWATCHES)
    }
    assert (timed, sorted(stopwatches)) == ([], [])


def private_names() -> set[str]:
    """The functions, methods and attributes of the program that begin with an underscore."""
    names = set()
    for path in FILES:
        for node in nodes(path):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    names.add(name)
                case ast.Attribute(attr=name) | ast.Name(id=name, ctx=ast.Store()):
                    names.add(name)
                case _:
                    pass
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


def test_no_test_imports_calls_or_patches_a_private_name_of_the_program() -> None:
    """What begins with an underscore may change at any time; the names of Textual are in test_textual."""
    ours, found = private_names(), set()
    theirs = {"_replace", "_exit"} | {
        name.attr for path in TESTS.rglob("*.py") for node in nodes(path)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for name in ast.walk(node)
        if isinstance(name, ast.Attribute) and isinstance(name.ctx, ast.Store)
        and isinstance(name.value, ast.Name) and name.value.id == "self"
    }  # fmt: skip
    theirs |= {node.name for path in TESTS.rglob("*.py") for node in functions(path)}
    for path in TESTS.rglob("*.py"):
        if path == TESTS / "ui" / "app" / "test_textual.py":
            continue
        for node in nodes(path):
            match node:
                case ast.ImportFrom(module=str(module), names=names) if module.startswith("tui"):
                    used = {x.name for x in names if x.name.startswith("_")}
                case ast.Attribute(attr=name, value=ast.Name(id="self" | "cls") | ast.Call()):
                    used = set()
                case ast.Attribute(attr=name):
                    used = {name} & (ours - theirs)
                case ast.Call(
                    func=ast.Attribute(attr="setattr"), args=[*_, ast.Constant(value=str(name)), _]
                ):
                    used = {str(name).rpartition(".")[2]} & ours
                case _:
                    used = set()
            found |= {f"{named(path)}: {name}" for name in used}
    assert sorted(found) == []


BY_SUBJECT = {
    "": "the whole house",
    "benchmarks": "figures", "typeahead": "packets of keys",
    "reliability": "promises", "ssh": "promises over SSH",
    "manual": "chapters are Markdown",
    "ui/app": "the whole app", "ui/desk": "keys", "ui/rows": "pictures", "ui/start": "keys",
}  # fmt: skip
"""Rooms whose tests are named by subject, and what these subjects are."""

WHOLE_ROOM = {"clauses", "laws", "oracle", "transcripts", "vectors", "house"}
"""What is about all modules of a room."""


def test_a_test_module_is_named_after_the_module_that_it_is_about() -> None:
    strange = []
    for path in TESTS.rglob("test_*.py"):
        room = path.parent.relative_to(TESTS)
        names = {x.stem for x in (ROOT / room).iterdir()} if (ROOT / room).is_dir() else set()
        about = path.stem.removeprefix("test_")
        told = any(
            f"{about}_".startswith(f"{name}_") or about.endswith("_oracle") for name in names | WHOLE_ROOM
        )
        if not told and str(room).replace(".", "") not in BY_SUBJECT:
            strange.append(str(path.relative_to(TESTS)))
    assert strange == []


def test_no_test_module_takes_anything_from_another() -> None:
    taken = {
        f"{path.relative_to(TESTS)}: {module}"
        for path in TESTS.rglob("*.py")
        for module in imported(path)
        if module.startswith("tests.") and ".test_" in module
    }
    # It asks the tests of samples and lessons about a system that is dropped in.
    package = "systems/test_laws_package.py"
    assert {x for x in taken if not x.startswith(package)} == set()


CHANGES_NAMES = {
    "remove", "unlink", "rmdir", "removedirs", "rename", "renames", "replace", "chmod", "fchmod", "lchmod",
    "chown", "fchown", "lchown", "truncate", "symlink", "link", "mkfifo", "mknod", "mkdir", "makedirs",
}  # fmt: skip
"""The calls of `os` that delete, rename, make or change modes."""

MAY_CHANGE_NAMES = {
    "tui/store/own_files.py": {"makedirs", "mkdir", "unlink"},
    "tui/store/disk.py": {"fchmod", "link", "replace", "unlink"},  # the journal's own calls
    "tui/store/saves.py": {"makedirs"},  # the folder of saves that the user has named
    "tui/crash.py": {"makedirs", "unlink"},  # works when nothing else does; the folder is the account's own
}


def test_one_module_deletes_and_changes_modes_below_a_folder_that_may_be_a_strangers() -> None:
    """A path is followed through a link; `tui.store.own_files` works by descriptors that follow none."""
    found = set[str]()
    for path in FILES:
        for node in nodes(path):
            match node:
                case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in CHANGES_NAMES:
                    if name not in MAY_CHANGE_NAMES.get(named(path), set()):
                        found.add(f"{named(path)}: os.{name}")
                case ast.Attribute(value=ast.Name(id="shutil"), attr=name) if name != "get_terminal_size":
                    found.add(f"{named(path)}: shutil.{name}")
                case ast.ImportFrom(module="os" | "shutil", names=names):
                    changing = {x.name for x in names} & (CHANGES_NAMES | {"rmtree"})
                    found |= {f"{named(path)}: {name}" for name in changing}
                case _:
                    pass
    assert sorted(found) == []


STARTING = {"subprocess", "multiprocessing", "runpy", "pty"}
"""The modules that start a process or a module by its name."""

MAY_START = {
    "tui/ui/terminal/terminal.py": {"os.posix_spawn"},  # /bin/sh, on words of our own
}


def test_nothing_starts_python_and_few_files_start_anything() -> None:
    """An interpreter without `-P` runs what a stranger has put into the present folder."""
    found = dict[str, set[str]]()
    for path in FILES:
        starts = imported(path) & STARTING
        for node in nodes(path):
            match node:
                case ast.Attribute(value=ast.Name(id="sys"), attr="executable" | "_base_executable"):
                    starts.add(f"sys.{node.attr}")
                case ast.Attribute(value=ast.Name(id="os"), attr=name) if re.match(
                    "(posix_)?spawn|exec|fork|system|popen", name
                ):
                    starts.add(f"os.{name}")
                case ast.ImportFrom(module="os" | "sys"):
                    starts.add(f"from {node.module}")
                case _:
                    pass
        if starts:
            found[named(path)] = starts
    assert found == MAY_START


CACHES = {"remember_results", "cache", "lru_cache", "cached_property"}


def caches(path: Path) -> int:
    """How many functions of a file answer from memory."""
    found = [ast.unparse(x).split("(")[0] for node in functions(path) for x in node.decorator_list]
    return sum(name.rpartition(".")[2] in CACHES for name in found)


def test_at_most_ten_questions_are_answered_from_memory() -> None:
    counted = {named(path): count for path in FILES if (count := caches(path))}
    assert 0 < sum(counted.values()) <= 10, counted


def test_a_pane_draws_the_table_and_reads_no_encounter() -> None:
    reading = {
        f"{named(path)}:{node.lineno}"
        for path in FILES
        if "/ui/panes/" in f"{path}"
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr == "encounter"
    }
    assert sorted(reading) == []
