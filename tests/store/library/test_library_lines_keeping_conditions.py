"""Conditions of the library carry all keys of a line; `keep condition` writes one of the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.store.library.creatures import read_conditions
from tui.store.library.service import Library
from tui.store.sources import SeededDice
from tui.systems import Registry

BURNING = "condition Ana burning at=start damage=1d6 type=fire save=dex dc=12 rounds=1d4 note=hot"


def table(folder: Path) -> Table:
    """Return a table with this folder as its library, and Ana at it."""
    t = Table("classic", dice=SeededDice(1))
    t.store.effects = replace(t.store.effects, library=Library(str(folder), Registry()))
    run(t, "add Ana hp=20")
    return t


def run(t: Table, *lines: str) -> None:
    """Run lines with the library at hand."""
    for line in lines:
        t.store.run(line)


@pytest.mark.parametrize("text", ['name = "singed', 'name = "singed"\ndamge = "1d4"'])
def test_a_condition_that_no_file_could_give_names_the_mistake_in_the_files(
    tmp_path: Path, text: str
) -> None:
    t = table(tmp_path)
    (tmp_path / "conditions").mkdir()
    (tmp_path / "conditions" / "mine.toml").write_text(f"[[condition]]\n{text}\n")
    (notice,) = t.store.run("condition Ana singed").notices
    assert "mine.toml, line" in notice.text
    assert t.store.run("condition Ana prone").notices == ()


def test_a_condition_made_at_the_table_is_kept_as_it_was_written(tmp_path: Path) -> None:
    t = table(tmp_path)
    run(t, BURNING, "condition Ana prone")
    before = t.store.step
    kept = t.store.run("keep condition burn")
    assert (t.store.step, kept.lines[0].text) == (before, "burning is kept in conditions/burning.toml")
    assert read_conditions(str(tmp_path))["burning"].rounds == "1d4"
    (first,) = t.encounter.combatants["c1"].conditions[:1]
    run(t, "clear Ana burning", "condition Ana burning")
    again = t.encounter.combatants["c1"].conditions[-1]
    assert (again.at, again.damage, again.type, again.dc, again.key) == ("start", "1d6", "fire", 12, "dex")
    assert (first.name, again.until, again.note) == (again.name, "end", "hot")
    run(t, "condition Ana burning at=end heal=3 rounds=2")
    mine = t.encounter.combatants["c1"].conditions[-1]
    assert (mine.at, mine.damage, mine.heal, mine.rounds, mine.dc) == ("end", "", "3", 2, 12)


def test_a_file_is_written_over_only_when_that_is_said(tmp_path: Path) -> None:
    t = table(tmp_path)
    run(t, "condition Ana burning at=start damage=2")
    run(t, "keep condition burning")
    run(t, "condition Ana burning at=start damage=3")
    with pytest.raises(RuleError, match="already a file"):
        t.store.run("keep condition burning")
    (tmp_path / "conditions" / "burning.toml").write_text('[[condition]]\nname = "burning"\ntext = "Hot."\n')
    run(t, "keep condition burning over=yes")
    kept = read_conditions(str(tmp_path))["burning"]
    assert (kept.damage, kept.text) == ("3", "Hot.")
    with pytest.raises(RuleError, match='no condition here is called "hexed"'):
        t.store.run("keep condition hexed")
    with pytest.raises(RuleError, match="under its own name"):
        t.store.run("keep condition burning as=fire")
