"""A stranger's package brings marks, phases, a verb with its form, a sample and a lesson: all of it shows,
nothing of ours is touched."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.plugins
import tests.test_samples as of_samples
import tests.ui.test_tutor_lessons as of_lessons
import tui
import tui.systems
from tests.kit.keyboard import Player
from tests.kit.program import Program
from tests.kit.random_play import Game, Habits
from tests.kit.table import COMMON, Table
from tests.kit.terminal import tocsin
from tests.kit.tiers import cases
from tests.samples import scripts
from tui.core.base.errors import RuleError
from tui.core.rules.complete import complete
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.modes.texts import manual
from tui.ui.state.commands import COMMANDS
from tui.ui.tutor import Coached, list_lessons, read_lesson

FOLDER = Path(tests.plugins.__file__).parent


@pytest.fixture(scope="module")
def systems() -> Registry:
    return tests.plugins.REGISTRY


@pytest.fixture
def table(systems: Registry) -> Table:
    t = Table("tides", systems=systems)
    t.do("add Ana owner=Mia", "add Crab lee_of=Ana", "begin", "splash Crab")
    return t


def test_its_mark_and_its_phase_are_in_the_json(table: Table) -> None:
    state = table.state()
    assert state["phase"] == "ebb"
    assert [c["marks"] for c in state["combatants"]] == [{}, {"drenched": True}]
    assert [r["tags"] for r in state["track"]] == [[], ["drenched"]]


def test_the_log_says_them_in_words_of_its_own(table: Table) -> None:
    told = [m.text for step in (3, 4) for m in table.store.messages(step)]
    assert told == ["Round 1 begins", "The tide goes out", "Crab is drenched"]


def test_the_screen_shows_the_mark_and_asks_by_the_form(systems: Registry) -> None:
    p = Player("tides", ["add Ana owner=Mia", "add Crab", "begin"], systems=systems).press("S")
    assert "whom" in p.text()
    p.press("down", "enter")
    assert p.asked() in (["splash Crab"], ["splash Ana"])
    track = "\n".join(p.picture()["track"])
    assert "wet" in track


def test_the_help_names_verb_field_and_key(systems: Registry) -> None:
    told = "\n".join(f"{e.head}: {e.text}" for e in manual(COMMANDS, systems.get("tides")))
    assert "S splash: splash WHO" in told
    assert "lee_of" in told
    assert "wet: is drenched" in told
    assert "in the order of wading in" in told
    assert (
        "TIDE-2: All act in the order in which they waded in; whoever is in the lee of somebody follows"
        in told
    )


def test_a_field_that_names_a_creature_is_completed_and_follows_a_new_name(table: Table) -> None:
    line = "set Crab lee_of="
    assert f"{line}Ana " in complete(line, table.encounter, table.store.system)
    assert "splash Crab " in complete("splash C", table.encounter, table.store.system)
    table.do("rename Ana Bea")
    assert table.state()["combatants"][1]["fields"]["lee_of"] == "Bea"


def test_its_lesson_is_played_to_its_end(systems: Registry) -> None:
    assert "tides" in list_lessons(systems)
    told = read_lesson("tides", systems)
    p = Player("tides", told.lines, dice=SeededDice(told.seed), systems=systems)
    coached = Coached(told, p.store, None, None)
    p.desk = coached
    for _ in told.steps[:-1]:
        p.press(*coached.pressed())
    assert coached.over


def test_no_test_of_ours_asks_more_of_a_system_that_is_dropped_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the package lay in `tui/systems`: whatever collects systems is content with it as it is."""
    (tmp_path / "bare.py").write_text(
        "from tui.systems.classic import Classic\n\n\nclass Bare(Classic):\n    id = 'bare'\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(tui.systems, "__path__", [*tui.systems.__path__, str(FOLDER), str(tmp_path)])
    assert {"tides", "bare"} <= set(Registry().ids())
    assert "shore" in scripts(Registry())
    of_samples.test_every_example_is_the_sample_of_a_system_and_says_where_it_stands()
    of_lessons.test_every_lesson_that_lies_beside_a_system_is_found()


def test_the_program_opens_its_sample(tmp_path: Path) -> None:
    t = tocsin(tmp_path, "--sample", "tides", TOCSIN_SYSTEMS=str(FOLDER))
    t.wait("shore")
    t.type("q")
    assert t.end() == 0
    assert (tmp_path / "shore.toml").exists()
    unknown = tocsin(tmp_path, "--sample", "zzz")
    unknown.wait("there is no sample for zzz")
    assert unknown.end() == 1


def test_an_installed_package_brings_systems_and_formats(tmp_path: Path) -> None:
    info = tmp_path / "tidal-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tidal\nVersion: 1.0\n", encoding="utf-8")
    points = "[tocsin.systems]\na = tidal\n[tocsin.formats]\na = tidal_files\nb = not_there\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    shutil.copytree(FOLDER, tmp_path / "tidal")
    files = tmp_path / "tidal_files"
    files.mkdir()
    (files / "__init__.py").touch()
    (files / "bare.py").write_text(
        "from tui.exchange.mapping import To, take\nfrom tui.exchange.registry import Format\n\n"
        "TABLE = (To('hp', 'bare'),)\n"
        "BARE = Format('Bare', ('json',), lambda x: 'bare' in x, lambda x: iter([take(x, TABLE)]))\n",
        encoding="utf-8",
    )
    (tmp_path / "it.json").write_text('{"name": "Gull", "bare": 4}', encoding="utf-8")
    env = {"PYTHONPATH": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    def said(*words: str) -> str:
        asked = [sys.executable, "-m", "tui", *words]
        return subprocess.run(
            asked, env=env, capture_output=True, text=True, check=True, cwd=Path.cwd()
        ).stdout

    assert "tides" in said("systems")
    assert "Bare: 1 creature" in said("import", str(tmp_path / "it.json"), "--look")


LACKING = """
from tui.systems.shared.track import TrackSystem

class Lacking(TrackSystem):
    id = "lacking"
"""


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
