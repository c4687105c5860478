"""The mutants of a file: the same program with one small mistake in it, made on the syntax tree."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path

from msgspec import Struct

COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
"""An order becomes its neighbour at the boundary, an equality its opposite."""


class Mutant(Struct, frozen=True):
    """One mistake: in which file (from the root, with slashes), on which line, in which function, and what it is.

    `number` counts equal mistakes in one function from 1. `source` is the whole mutated file.
    """

    path: str
    line: int
    function: str
    was: str
    now: str
    number: int
    source: str = ""

    @property
    def name(self) -> tuple[str, str, str, str, int]:
        """What stays the same when lines are added above."""
        return (self.path, self.function, self.was, self.now, self.number)

    def told(self) -> str:
        """A line for the report."""
        again = f" ({self.number}.)" if self.number > 1 else ""
        return f"{self.path}:{self.line} in {self.function or 'the module'}: `{self.was}` became `{self.now}`{again}"


class Place(Struct):
    """A node that can be mutated: the way to it through the tree, the function it stands in, what it becomes."""

    way: tuple[tuple[str, int], ...]
    function: str
    node: ast.AST
    becomes: list[ast.AST]


def mutants_of(root: Path, path: Path) -> list[Mutant]:
    """Every mutant of a file, in the order of its text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[Mutant] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for place in _places(tree, (), ""):
        was = _words(place.node)
        for other in place.becomes:
            now = _words(other)
            seen[place.function, was, now] += 1
            found.append(
                Mutant(
                    path.relative_to(root).as_posix(),
                    getattr(place.node, "lineno", 0),
                    place.function,
                    was,
                    now,
                    seen[place.function, was, now],
                    _with(tree, place.way, other),
                )
            )
    return found


def _words(node: ast.AST) -> str:
    """A node on one line, not longer than a line."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else text[:87] + "…"


def _with(tree: ast.Module, way: Sequence[tuple[str, int]], other: ast.AST) -> str:
    """The file with another node at the end of a way."""
    copy = deepcopy(tree)
    at: ast.AST = copy
    for name, i in way[:-1]:
        value = getattr(at, name)
        at = value[i] if isinstance(value, list) else value
    name, i = way[-1]
    if isinstance(getattr(at, name), list):
        getattr(at, name)[i] = other
    else:
        setattr(at, name, other)
    return ast.unparse(ast.fix_missing_locations(copy)) + "\n"


# --- where


SILENT = {"annotation", "returns", "decorator_list", "bases", "keywords of a class", "type_params"}
"""What is no behaviour: types, and how classes are made."""


def _places(node: ast.AST, way: tuple[tuple[str, int], ...], function: str) -> Iterator[Place]:
    """The nodes below one that can be mutated, in the order of the text."""
    for name, value in ast.iter_fields(node):
        if name in SILENT or (isinstance(node, ast.ClassDef) and name == "keywords"):
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or _is_silent(child):
                continue
            here = (*way, (name, i))
            if becomes := _becomes(node, name, child):
                yield Place(here, function, child, becomes)
            yield from _places(child, here, _inside(child, function))


def _inside(node: ast.AST, function: str) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return f"{function}.{node.name}".lstrip(".")
    return function


def _is_silent(node: ast.AST) -> bool:
    """Docstrings, `if TYPE_CHECKING:`, `assert_never(…)`, and the case that ends in it: nothing runs there."""
    match node:
        case ast.Expr(ast.Constant()) | ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case ast.Expr(ast.Call(ast.Name("assert_never"))):
            return True
        case ast.Subscript() | ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return isinstance(node, ast.Import | ast.ImportFrom)
        case _:
            return False


# --- what


def _becomes(parent: ast.AST, name: str, node: ast.AST) -> list[ast.AST]:
    """What a node can become; nothing for most."""
    found: list[ast.AST] = []
    for mistake in MISTAKES:
        found += mistake(node)
    if name == "test" and isinstance(parent, ast.If | ast.IfExp | ast.While):
        found += (
            [ast.Constant(value=False)]
            if isinstance(parent, ast.While)
            else [_constant(True), _constant(False)]
        )
    if name == "ifs" and isinstance(parent, ast.comprehension):
        found.append(_constant(True))
    return found


def _constant(value: bool | int) -> ast.Constant:
    return ast.Constant(value=value)


def _compare(node: ast.AST) -> list[ast.AST]:
    if not isinstance(node, ast.Compare):
        return []
    found: list[ast.AST] = []
    for i, op in enumerate(node.ops):
        ops = [*node.ops[:i], COMPARE[type(op)](), *node.ops[i + 1 :]]
        found.append(ast.Compare(node.left, ops, node.comparators))
    return found


def _boolean(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.BoolOp(ast.And(), values):
            return [ast.BoolOp(ast.Or(), values)]
        case ast.BoolOp(ast.Or(), values):
            return [ast.BoolOp(ast.And(), values)]
        case ast.UnaryOp(ast.Not(), operand):
            return [operand]
        case _:
            return []


def _arithmetic(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.BinOp(left, ast.Add(), right):
            return [ast.BinOp(left, ast.Sub(), right)]
        case ast.BinOp(left, ast.Sub(), right):
            return [ast.BinOp(left, ast.Add(), right)]
        case ast.UnaryOp(ast.USub(), operand):
            return [operand]
        case _:
            return []


def _number(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.Constant(bool() as value):
            return [_constant(not value)]
        case ast.Constant(int() as value):
            return [_constant(1 if value == 0 else 0 if value == 1 else value + 1)]
        case _:
            return []


def _statement(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.Return(ast.AST() as value) if not isinstance(value, ast.Constant) or value.value is not None:
            return [ast.Return(ast.Constant(value=None))]
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            return [ast.Pass()]
        case _:
            return []


MISTAKES: tuple[Callable[[ast.AST], list[ast.AST]], ...] = (
    _compare, _boolean, _arithmetic, _number, _statement,
)  # fmt: skip
