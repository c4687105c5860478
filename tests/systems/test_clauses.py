"""Every clause of the systems is named in a test or an example, and told in our own words."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

import tui.systems
from tests.kit.transcript import PLACES
from tui.systems import Registry

TESTS = Path(__file__).parents[1]
SYSTEMS = Path(tui.systems.__file__).parent
CLAUSES = {
    "dungeon-universalis": ("DUN", 27),
    "dungeon-track": ("TRK", 23),
    "chaos": ("CHA", 29),
    "unbound": ("UNB", 23),
    "dynamic": ("DIS", 31),
    "side-initiative": ("SID", 4),
    "popcorn": ("POP", 5),
    "alternate": ("ALT", 5),
    "cards": ("CRD", 7),
}
NOT_USED = {"CRD-5"}
"""Numbers between others that no clause has."""
IN_TEXT = re.compile(r"\b(DUN|TRK|CHA|UNB|DIS|SID|POP|ALT|CRD|CLASSIC)-(\d+)\b")
TITLE = re.compile(r"^# .*$", re.MULTILINE)
IN_NAME = re.compile(r"(?:^|_)(dun|trk|cha|unb|dis)_(\d+)(?=_|$)")


def clauses(system: str) -> list[str]:
    prefix, count = CLAUSES[system]
    return [f"{prefix}-{n}" for n in range(1, count + 1) if f"{prefix}-{n}" not in NOT_USED]


def _docstrings(tree: ast.Module) -> set[int]:
    """Where the docstrings of a file stand, by the identity of their nodes."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add(id(first.value))
    return found


def _cited(path: Path, *, names: bool) -> set[str]:
    """The clauses in a Python file's strings, but docstrings, and in the names of its tests."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = _docstrings(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            found |= {f"{m[1]}-{m[2]}" for m in IN_TEXT.finditer(node.value)}
        elif names and isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            found |= {f"{m[1].upper()}-{m[2]}" for m in IN_NAME.finditer(node.name)}
    return found


@cache
def covered() -> frozenset[str]:
    """The clauses that a test or an example names."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        if path != Path(__file__):
            found |= _cited(path, names=True)
    for path in [*(TESTS / "vectors").glob("*.toml"), *(TESTS / "scenarios").glob("*.toml")]:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        for example in data.get("vector", [data]):
            found |= set(example["rules"])
    for path in PLACES:
        titles = " ".join(TITLE.findall(path.read_text(encoding="utf-8")))
        found |= {f"{m[1]}-{m[2]}" for m in IN_TEXT.finditer(titles)}
    return frozenset(found)


@pytest.mark.parametrize("system", CLAUSES)
def test_every_clause_is_named_in_a_test_or_an_example(system: str) -> None:
    assert [clause for clause in clauses(system) if clause not in covered()] == []


@pytest.mark.parametrize("system", CLAUSES)
def test_every_clause_is_told_in_our_own_words(system: str) -> None:
    told = Registry().get(system).clauses
    assert [clause for clause in clauses(system) if len(told.get(clause, "").split()) < 4] == []
    assert all(text.isprintable() and not text.endswith(" ") for text in told.values())


def test_every_house_rule_says_its_default_first() -> None:
    for name in Registry().ids():
        for field in Registry().get(name).options:
            assert not field.choices or field.default == field.choices[0], field.key


def test_every_clause_that_the_code_cites_is_told() -> None:
    """Also the rulings on what a document leaves open (TRK-A9): whoever reads the code finds them in the
    tables."""
    cite = re.compile(r"\b(?:DUN|TRK|CHA|UNB|DIS|SID|POP|ALT|CRD|CLASSIC)-A?\d+\b")
    told = {clause for name in Registry().ids() for clause in Registry().get(name).clauses}
    files = sorted(SYSTEMS.parent.rglob("*.py"))
    cited = {
        (path.name, clause) for path in files for clause in cite.findall(path.read_text(encoding="utf-8"))
    }
    assert {found for found in cited if found[1] not in told} == set()
