"""The sample fights: made by one command, sound, and in the midst of something."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.samples import EXAMPLES, NAMES, script
from tests.samples import make as played
from tui.cli.inspection import check
from tui.core.fight.viewer import text
from tui.core.rules.now import now
from tui.store.loading import look
from tui.store.making import sample
from tui.store.store import Store
from tui.systems import Registry

SAYS = {
    "mill": "Archers act",
    "cellar": "The newcomers won: they may act at once, or pass",
    "crypt": "The newcomers won: they may act at once, or pass",
    "gate": "`else Thane action`",
    "station": "1 left against 2 + 5 = 7: passing is allowed",
    "bridge": "`switch` for another action",
}
"""What Now says where each of them stands."""


def opened(name: str) -> Store:
    return look(str(EXAMPLES / f"{name}.toml"), "", Registry())


def test_there_is_a_sample_for_every_system() -> None:
    assert sorted(script(name).system for name in NAMES) == sorted(Registry().ids())
    assert sorted(SAYS) == sorted(NAMES) == sorted(path.stem for path in EXAMPLES.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_the_saves_are_what_the_scripts_make(name: str, tmp_path: Path) -> None:
    """After a change of rules or of the journal: `python -m tests.samples`, then read the difference."""
    assert played(name, tmp_path).read_bytes() == (EXAMPLES / f"{name}.toml").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_sound(name: str) -> None:
    found, sound = check(str(EXAMPLES / f"{name}.toml"), "", Registry())
    assert sound, found


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_stands_in_the_midst_of_a_fight(name: str) -> None:
    store = opened(name)
    everybody = list(store.encounter.combatants.values())
    assert len([c for c in everybody if c.owner or c.fields.get("kind") == "pc"]) == 4
    assert 6 <= len(everybody) - 4 <= 12
    assert SAYS[name] in text(store.encounter, now(store.encounter, store.system))
    assert any(c.hidden and not c.out for c in everybody)
    assert any(c.out for c in everybody)
    assert any(c.hp < (c.max_hp or 0) for c in everybody if c.hp and not c.out)
    assert any(c.conditions for c in everybody if not c.out)
    assert store.system.grouped <= any(c.group for c in everybody)


def test_opening_a_sample_starts_a_save_of_ones_own(tmp_path: Path) -> None:
    of_mine = sample(str(EXAMPLES / "gate.toml"), str(tmp_path))
    assert Path(of_mine) == tmp_path / "gate.toml"
    assert Path(of_mine).read_bytes() == (EXAMPLES / "gate.toml").read_bytes()
