"""The mutants of a file: the same program with one small mistake in it, made on the syntax tree."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType

from msgspec import Struct

COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
"""An order becomes its neighbour at the boundary, an equality its opposite."""


Name = tuple[str, str, str, str, int]
"""The file, the function, what stood there, what it became, and which of equal ones it is."""


class Mutant:
    """One mistake: in which file (from the root, with slashes), on which line, in which function, and what it
    is.

    `number` counts equal mistakes in one function from 1. The tree is the file's, shared by all its mutants.
    """

    def __init__(self, path: str, tree: ast.Module, place: Place, other: ast.AST, number: int) -> None:
        self.path, self.function, self.number = path, place.function, number
        self.line: int = getattr(place.node, "lineno", 0)
        self.was, self.now = _words(place.node), _words(other)
        self._tree, self._place, self._other = tree, place, other

    @property
    def name(self) -> Name:
        """What stays the same when lines are added above."""
        return (self.path, self.function, self.was, self.now, self.number)

    @property
    def source(self) -> str:
        """The whole mutated file."""
        with self._made():
            return ast.unparse(self._tree) + "\n"

    def codes(self, filename: str) -> tuple[CodeType, CodeType]:
        """The file's code without the mistake and with it, line for line where it was."""
        was = compile(self._tree, filename, "exec", dont_inherit=True)
        with self._made():
            return was, compile(self._tree, filename, "exec", dont_inherit=True)

    @contextmanager
    def _made(self) -> Iterator[None]:
        """The tree has the mistake in it, for a while."""
        if not hasattr(self._other, "lineno"):  # else it is a part of what stood there
            ast.copy_location(self._other, self._place.node)
        self._put(self._other)
        try:
            ast.fix_missing_locations(self._tree)
            yield
        finally:
            self._put(self._place.node)

    def _put(self, node: ast.AST) -> None:
        """Another node stands at the place."""
        value = getattr(self._place.parent, self._place.field)
        if isinstance(value, list):
            value[self._place.index] = node
        else:
            setattr(self._place.parent, self._place.field, node)

    def told(self) -> str:
        """A line for the report."""
        again = f" ({self.number}.)" if self.number > 1 else ""
        place = f"{self.path}:{self.line} in {self.function or 'the module'}"
        return f"{place}: `{self.was}` became `{self.now}`{again}"


class Place(Struct):
    """A node that can be mutated: `parent.field[index]`, the function it stands in, what it can become."""

    parent: ast.AST
    field: str
    index: int
    function: str
    node: ast.AST
    becomes: list[ast.AST]


def mutants_of(root: Path, path: Path) -> list[Mutant]:
    """Every mutant of a file, in the order of its text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[Mutant] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for place in _places(tree, ""):
        for other in place.becomes:
            alike = (place.function, _words(place.node), _words(other))
            seen[alike] += 1
            found.append(Mutant(path.relative_to(root).as_posix(), tree, place, other, seen[alike]))
    return found


def _words(node: ast.AST) -> str:
    """A node on one line, not longer than a line."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else text[:87] + "…"


# --- where


SILENT = {"annotation", "returns", "decorator_list", "bases", "type_params"}
"""What is no behaviour: types, and how classes are made."""


def _places(node: ast.AST, function: str) -> Iterator[Place]:
    """The nodes below one that can be mutated, in the order of the text."""
    for name, value in ast.iter_fields(node):
        if name in SILENT or (isinstance(node, ast.ClassDef) and name == "keywords"):
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or _is_silent(child):
                continue
            if becomes := _becomes(node, name, child):
                yield Place(node, name, i, function, child, becomes)
            yield from _places(child, _inside(child, function))


def _inside(node: ast.AST, function: str) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return f"{function}.{node.name}".lstrip(".")
    return function


def _is_silent(node: ast.AST) -> bool:
    """Return True for code that never runs: docstrings, `if TYPE_CHECKING:`, `assert_never(…)`, its case."""
    match node:
        case ast.Expr(ast.Constant()) | ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case ast.Expr(ast.Call(ast.Name("assert_never"))):
            return True
        case _:
            return isinstance(node, ast.Import | ast.ImportFrom)


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
        case ast.Return(ast.Constant(value=None | False)):  # None is as false: what tells is True
            return []
        case ast.Return(ast.AST()):
            return [ast.Return(ast.Constant(value=None))]
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            return [ast.Pass()]
        case _:
            return []


MISTAKES: tuple[Callable[[ast.AST], list[ast.AST]], ...] = (
    _compare, _boolean, _arithmetic, _number, _statement,
)  # fmt: skip
