"""The sample fights: made by one command, sound, and in the midst of something."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.samples import EXAMPLES, NAMES, PREPARED, scripts, told
from tests.samples import make as played
from tui.cli.show import check_save
from tui.core.fight.viewer import GAME_MASTER
from tui.core.views.table_for import table_for
from tui.store.opening import open_for_reading
from tui.store.store import Store
from tui.systems import Registry


def opened(name: str) -> Store:
    return open_for_reading(str(EXAMPLES / f"{name}.toml"), "", Registry())


def test_every_example_is_the_sample_of_a_system_and_says_where_it_stands() -> None:
    """A stranger's system needs neither a sample nor an example."""
    found = scripts(Registry())
    assert [name for name in NAMES if name not in found] == []
    assert [name for name in NAMES if not told(name).now] == []


@pytest.mark.parametrize("name", [*NAMES, PREPARED.name])
def test_the_saves_are_what_the_scripts_make(name: str, tmp_path: Path) -> None:
    """After a change of rules or of the journal: `python -m tests.samples`, then read the difference."""
    assert played(name, tmp_path).read_bytes() == (EXAMPLES / f"{name}.toml").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_sound(name: str) -> None:
    found, sound = check_save(str(EXAMPLES / f"{name}.toml"), "", Registry())
    assert sound, found


def test_one_fight_is_prepared() -> None:
    store = opened(PREPARED.name)
    assert store.encounter.round == 0
    assert all(c.hp and c.attacks for c in store.encounter.combatants.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_stands_in_the_midst_of_a_fight(name: str) -> None:
    store = opened(name)
    everybody = list(store.encounter.combatants.values())
    assert len([c for c in everybody if c.owner or c.fields.get("kind") == "pc"]) == 4
    assert 6 <= len(everybody) - 4 <= 12
    assert told(name).now in table_for(store.encounter, store.system, GAME_MASTER).now
    assert any(c.hidden and not c.out for c in everybody)
    assert any(c.out for c in everybody)
    assert any(c.hp < (c.max_hp or 0) for c in everybody if c.hp and not c.out)
    assert any(c.conditions for c in everybody if not c.out)
    assert store.system.grouped <= any(c.group for c in everybody)
