"""A stranger's package brings marks, phases, a verb with its form, a sample and a lesson: all of it shows,
nothing of ours is touched."""

from __future__ import annotations

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
import tui.systems
from tests.kit.keyboard import Player
from tests.kit.random_play import Game, Habits
from tests.kit.table import Table
from tests.kit.terminal import tocsin
from tests.kit.tiers import cases
from tests.samples import clock, scripts
from tui.core.fight.viewer import text
from tui.core.rules.complete import complete
from tui.core.rules.now import now
from tui.store.opening import open_for_reading
from tui.store.script import play_sample, read_sample
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


def test_a_field_that_names_a_creature_is_completed_and_follows_a_new_name(table: Table) -> None:
    line = "set Crab lee_of="
    assert f"{line}Ana " in complete(line, table.encounter, table.store.system)
    assert "splash Crab " in complete("splash C", table.encounter, table.store.system)
    table.do("rename Ana Bea")
    assert table.state()["combatants"][1]["fields"]["lee_of"] == "Bea"


def test_its_sample_is_played_into_a_save(systems: Registry, tmp_path: Path) -> None:
    saved = play_sample("tides", str(tmp_path), systems, clock())
    store = open_for_reading(saved, str(tmp_path), systems)
    assert Path(saved).name == "shore.toml"
    assert read_sample("tides", systems).now in text(store.encounter, now(store.encounter, store.system))
    assert Path(play_sample("tides", str(tmp_path), systems, clock())).name == "shore-2.toml"


def test_its_lesson_is_played_to_its_end(systems: Registry) -> None:
    assert "tides" in list_lessons(systems)
    told = read_lesson("tides", systems)
    p = Player("tides", told.lines, dice=SeededDice(told.seed), systems=systems)
    coached = Coached(told, p.store, None, None)
    p.desk = coached
    for _ in told.steps[:-1]:
        p.press(*coached.pressed())
    assert coached.over


@cases(8)
@given(seed=st.integers(0, 10**6))
def test_the_laws_hold_for_it(systems: Registry, seed: int) -> None:
    habits = Habits(extra=lambda _, e: [f"splash {c.name}" for c in e.combatants.values()], waits=False)
    Game("tides", habits, Random(seed), registry=systems).play(30)


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
