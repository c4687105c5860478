"""The laws of the house: what a linter does not hold. Source: DESIGN.md, "Style" and "The house"."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

import tui
from tui.systems import Registry

ROOT = Path(tui.__file__).parent
TESTS = Path(__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
SHELL = sorted(path for pattern in ("*.py", "*.tcss") for path in (ROOT / "ui").rglob(pattern))

LONG_FUNCTIONS = {"apply"}
"""Exhaustive matches that are read as one table."""

WIDE_CLASSES = {"InitiativeSystem", "TrackSystem"}
"""What a system may be asked, with a default for every question: the width is the interface's."""

PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "fnmatch", "functools", "heapq", "itertools",
    "math", "operator", "re", "string", "types", "typing", "unicodedata",
}  # fmt: skip
"""The standard library that neither files, clocks nor chance come in by."""

REACHING_OUT = {"open", "input", "print", "eval", "exec", "compile", "__import__", "breakpoint"}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT.parent))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def imported(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or ""} if node.level == 0 else {"a relative import"}
    return found


def module(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


def arrows() -> dict[str, set[str]]:
    """Every module of ours and those that it imports: at its top, in functions, and for its types alone."""
    modules = {module(path): path for path in FILES}
    found: dict[str, set[str]] = {}
    for name, path in modules.items():
        wanted = imported(path)
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                wanted |= {f"{node.module}.{alias.name}" for alias in node.names}
        found[name] = wanted & modules.keys() - {name}
    return found


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A way from some module back to itself, if there is one."""
    done: set[str] = set()
    for start, imports in graph.items():
        way, waiting = [start], [iter(imports - done if start not in done else ())]
        while waiting:
            step = next((name for name in waiting[-1] if name not in done), None)
            if step is None:
                done.add(way.pop())
                waiting.pop()
            elif step in way:
                return [*way[way.index(step) :], step]
            else:
                way.append(step)
                waiting.append(iter(graph[step]))
    return []


def called(path: Path) -> set[str]:
    """The bare names that a file calls."""
    calls = (node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
    return {func.id for func in calls if isinstance(func, ast.Name)}


@pytest.mark.parametrize(("folder", "most"), [(ROOT, 300), (TESTS, 400)], ids=["tui", "tests"])
def test_files_are_small(folder: Path, most: int) -> None:
    sizes = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py")}
    assert {name: size for name, size in sizes.items() if size > most} == {}


def test_functions_fit_on_a_screen() -> None:
    long = {
        f"{named(path)}: {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in FILES
        for node in functions(path)
        if (node.end_lineno or 0) - node.lineno >= 40 and node.name not in LONG_FUNCTIONS
    }
    assert long == {}


def test_the_long_functions_are_still_exhaustive_matches() -> None:
    for path in FILES:
        for node in functions(path):
            if node.name in LONG_FUNCTIONS and (node.end_lineno or 0) - node.lineno >= 40:
                assert any(isinstance(part, ast.Match) for part in node.body), named(path)


def test_classes_have_few_methods() -> None:
    crowded = {
        f"{named(path)}: {node.name}": count
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
        and (count := sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body))
        > 20
        and node.name not in WIDE_CLASSES
    }
    assert crowded == {}


def test_no_import_leads_back_to_where_it_came_from() -> None:
    graph = {name: to for name, to in arrows().items() if not name.startswith("tui.systems.")}
    assert " → ".join(circle({name: to & graph.keys() for name, to in graph.items()})) == ""


def test_a_circle_is_found_wherever_it_is() -> None:
    assert circle({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert sorted(set(circle({"a": set(), "x": {"y"}, "y": {"z", "a"}, "z": {"x"}}))) == ["x", "y", "z"]


def test_every_file_with_functions_postpones_its_annotations() -> None:
    paths = [path for path in [*FILES, *sorted(TESTS.rglob("*.py"))] if functions(path)]
    assert [named(path) for path in paths if "__future__" not in imported(path)] == []


def test_a_silenced_checker_is_told_which_rule() -> None:
    bare = re.compile(r"#\s*type:\s*ignore(?!\[[a-z-]+\])|#\s*noqa(?!:\s*[A-Z]+[0-9]+)")
    paths = [*FILES, *TESTS.rglob("*.py")]
    assert [
        named(p) for p in paths if p != Path(__file__) and bare.search(p.read_text(encoding="utf-8"))
    ] == []


def test_no_test_is_skipped_and_nothing_is_left_to_do() -> None:
    words = re.compile(r"pytest\.(mark\.)?(skip|xfail)|\b(TODO|FIXME|XXX)\b")
    paths = [*FILES, *TESTS.rglob("*.py")]
    assert [
        named(p) for p in paths if p != Path(__file__) and words.search(p.read_text(encoding="utf-8"))
    ] == []


def test_colours_are_named_in_themes_only() -> None:
    literal = re.compile(
        r"""["' ]#[0-9A-Fa-f]{3}(?:[0-9A-Fa-f]{3})?\b|\brgba?\(|\bansi_(?:bright_)?(?:black|red|green|yellow|blue|magenta|cyan|white)\b"""
    )
    assert [named(path) for path in SHELL if literal.search(path.read_text(encoding="utf-8"))] == []


def test_the_shell_knows_no_system() -> None:
    names = "|".join(map(re.escape, Registry().ids()))
    said = re.compile(rf"""["'](?:{names})["']""")
    assert [named(path) for path in SHELL if said.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("folder", ["core", "systems"])
def test_the_rules_are_pure(folder: str) -> None:
    """Only `systems/__init__.py`, which looks for the systems, may look about."""
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
        assert not any(isinstance(node, ast.Global) for node in ast.walk(tree(path))), named(path)


def test_every_dependency_is_explained_to_contributors() -> None:
    checkout = ROOT.parent
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    told = (checkout / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names = [re.split(r"[=<>!~ ]", line)[0] for line in wanted]
    assert [name for name in names if f"**{name}**" not in told] == []
