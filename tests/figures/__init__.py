"""Count lines, files, functions, classes, comments and imports between rooms."""

from __future__ import annotations

import ast
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from statistics import median

from msgspec import Struct


class Figures(Struct, frozen=True):
    """`files` and `functions` are lengths in lines, `classes` numbers of methods, by where they stand."""

    files: dict[str, int]
    folders: dict[str, int]
    functions: dict[str, int]
    classes: dict[str, int]
    comments: int
    circles: list[list[str]]

    def lines(self) -> list[str]:
        """The figures as a table."""
        total = sum(self.files.values())
        middle = median(self.functions.values())
        rows = [
            ("lines of the product", f"{total:,}"),
            ("files", f"{len(self.files)}, median {median(self.files.values()):.0f}, {_most(self.files)}"),
            ("files in a folder", _most(self.folders)),
            ("functions", f"{len(self.functions)}, median {middle:.0f}, {_most(self.functions)}"),
            ("methods of a class", _most(self.classes)),
            ("comments", f"{self.comments}, {100 * self.comments / total:.1f} % of lines"),
            ("circles of imports", str(len(self.circles))),
        ]
        return [f"{name:<24} {value}" for name, value in rows]


def _most(sizes: dict[str, int]) -> str:
    where = max(sizes, key=lambda name: sizes[name])
    return f"at most {sizes[where]} ({where})"


def figures(root: Path) -> Figures:
    """The figures of the package at `root`."""
    paths = sorted(root.rglob("*.py"))
    names = {p: str(p.relative_to(root.parent)) for p in paths}
    functions = {f"{names[p]}: {name}": size for p in paths for name, size in _functions(p)}
    classes = {
        f"{names[p]}: {node.name}": sum(
            isinstance(x, ast.FunctionDef | ast.AsyncFunctionDef) for x in node.body
        )
        for p in paths
        for node in nodes(p)
        if isinstance(node, ast.ClassDef)
    }
    return Figures(
        {names[p]: len(p.read_text(encoding="utf-8").splitlines()) for p in paths},
        Counter(str(p.parent.relative_to(root.parent)) for p in paths),
        functions,
        classes,
        sum(map(_comments, paths)),
        circles(graph(root)),
    )


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{node.name}:{node.lineno}", (node.end_lineno or node.lineno) - node.lineno + 1


def _comments(path: Path) -> int:
    """Comments that say something: not those that steer a tool."""
    with path.open("rb") as file:
        found = [t.string for t in tokenize.tokenize(file.readline) if t.type == tokenize.COMMENT]
    return sum(not text.lstrip("#! ").startswith(("noqa", "type:", "fmt:")) for text in found)


@cache
def tree(path: Path) -> ast.Module:
    """Return a file's syntax."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return everything in a file's syntax but whether a name is read or written, which the name says too."""
    return [node for node in ast.walk(tree(path)) if not isinstance(node, ast.expr_context)]


def graph(root: Path) -> dict[str, set[str]]:
    """Return what each module imports of the package, also for the type checker alone."""
    modules = {_module(root, p): p for p in root.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in modules.items():
        wanted: set[str] = set()
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module:
                # `from package import module` runs the package as well.
                wanted |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
            elif isinstance(node, ast.Import):
                wanted |= {a.name for a in node.names}
        found[name] = {m for m in wanted if m in modules and m != name}
    return found


def _module(root: Path, path: Path) -> str:
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other, by whatever way round."""
    reach = {name: _reached(arrows, name) for name in arrows}
    groups = {
        tuple(sorted(m for m in reach[name] if name in reach[m])) for name in arrows if name in reach[name]
    }
    return [list(group) for group in sorted(groups)]


def _reached(arrows: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting: list[str] = [*arrows[start]]
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += arrows.get(name, ())
    return found


def rooms(arrows: dict[str, set[str]], under: str, depth: int) -> Iterable[str]:
    """The arrows between the rooms below a package, `depth` names deep: `core.rules -> core.fight`."""

    def room(name: str) -> str:
        return ".".join(name.split(".")[: under.count(".") + 1 + depth])

    inside = {name: to for name, to in arrows.items() if name.startswith(under + ".")}
    pairs = {(room(a), room(b)) for a, to in inside.items() for b in to if b.startswith(under + ".")}
    return sorted(f"{a} -> {b}" for a, b in pairs if a != b)
