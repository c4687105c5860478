"""One more system is one file in a folder of the user's: nothing else is touched."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.plugins
import tui
from tests.kit.program import Program
from tests.kit.random_play import Game, Habits
from tests.kit.table import COMMON, Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.systems import Registry

LACKING = """
from tui.systems.shared.track import TrackSystem

class Lacking(TrackSystem):
    id = "lacking"
"""


@pytest.fixture(scope="module")
def systems() -> Registry:
    return tests.plugins.REGISTRY


def _fingerprint() -> dict[str, str]:
    files = sorted(Path(tui.__file__).parent.rglob("*.py"))
    return {str(f): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


def test_a_file_in_a_folder_is_a_system_and_the_program_does_not_know_its_name(systems: Registry) -> None:
    before = _fingerprint()
    assert "torch" in systems.ids()
    assert "torch" not in Registry().ids()
    assert systems.get("torch").title == "Torch"
    assert _fingerprint() == before
    known = [path for path in before if "torch" in Path(path).read_text(encoding="utf-8").lower()]
    assert known == []


def test_it_is_played_by_the_contract(systems: Registry) -> None:
    t = Table("torch", systems=systems)
    t.do("add Ana kind=pc", "add Bo kind=pc quick=yes", "add 2 Orc group=Gang", "begin")
    assert t.state()["due"] == [
        {
            "kind": "pick",
            "who": "GM",
            "names": ["Ana", "Bo", "Gang"],
            "least": 1,
            "most": 1,
            "why": "Who begins?",
            "rule": "TOR-1",
        }
    ]
    t.refuse("next", "choice")
    t.do("pick Ana", "next")
    assert t.state()["acting"] == "Ana"
    t.do("end")
    assert (t.state()["offer"]["chooser"], t.may()) == ("Ana", ["Bo", "Gang"])
    t.do("turn Gang", "end")
    assert t.order() == ["Ana", "Gang", "Bo"]
    assert t.may() == ["Bo"]
    t.do("next", "next")
    assert (t.encounter.round, t.state()["offer"]["chooser"], t.may()) == (2, "Bo", ["Ana", "Bo", "Gang"])
    t.do("seize Bo")
    assert t.may() == ["Bo"]
    assert t.refuse("seize Ana").rule == "TOR-3"
    t.do("undo", "option torch.again=false")
    assert t.may() == ["Ana", "Gang"]


def test_what_it_declares_is_all_that_the_grammar_needs(systems: Registry) -> None:
    t = Table("torch", systems=systems)
    t.do("add Bo quick=yes")
    assert [x.text for x in t.do("add Cy +3").notices] == ["+3 is left out: Torch has no modifier"]
    t.refuse("set Bo quick=perhaps")
    t.refuse("option torch.never=1")
    t.do("system classic")
    t.refuse("seize Bo", "seize")
    t.do("system torch", "begin")


def test_it_is_saved_shown_and_read_again_by_the_program(systems: Registry, tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.systems = systems
    assert program.call("new", "--system", "torch", "--option", "torch.again=false").code == 0
    assert program.do("add Ana", "add Bo", "begin", "pick Ana", "next").code == 0
    state, _ = program.state()
    assert (state["system"], state["acting"], state["options"]) == (
        "torch",
        "Ana",
        {"torch.again": False} | COMMON,
    )
    assert "torch" in program.bare("systems").out.lower()
    without = Program(tmp_path)
    ended = without.do("next")
    assert ended.code in {1, 3}
    assert "torch" in ended.err.lower()


@cases(20)
@given(seed=st.integers(0, 10**6))
def test_the_laws_hold_for_it_too(systems: Registry, seed: int) -> None:
    habits = Habits(
        keys=lambda r: r.choice(["quick=yes", ""]),
        extra=lambda r, e: [f"seize {c.name}" for c in e.combatants.values()],
    )
    Game("torch", habits, Random(seed), registry=systems).play(40)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("empty.py", "", "defines no system"),
        ("other.py", "import nothing_at_all", "nothing_at_all"),
        ("broken.py", "def", "broken"),
        ("lacking.py", LACKING, "lacks dice_for, explain"),
    ],
)
def test_a_file_that_is_no_system_is_named(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(RuleError, match=says):
        Registry([str(tmp_path)]).get(name.removesuffix(".py"))


def test_a_system_may_have_the_name_of_a_library(tmp_path: Path) -> None:
    """Its modules find each other, dataclasses find their annotations, and Python's own package stays."""
    package = tmp_path / "json"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "words.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n"
        "@dataclass(frozen=True)\nclass Words:\n    title: str\n"
    )
    (package / "system.py").write_text(
        "from tui.systems.classic import Classic\nfrom .words import Words\n\n"
        "class Json(Classic):\n    id = 'json'\n    title = Words('Json').title\n"
    )
    before = dict(sys.modules)
    assert Registry([str(tmp_path)]).get("json").title == "Json"
    assert {name: module for name, module in sys.modules.items() if name in before} == before
    assert all(name.startswith("tui.plugins.") for name in set(sys.modules) - set(before) if "json" in name)


def test_a_second_folder_with_a_system_of_the_same_name_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        (folder / "twin.py").write_text(
            "from tui.systems.classic import Classic\n\nclass Twin(Classic):\n    id = 'twin'\n"
        )
    assert Registry([str(tmp_path / "a")]).get("twin").id == "twin"
    with pytest.raises(RuleError, match="that name is taken by"):
        Registry([str(tmp_path / "b")]).get("twin")
