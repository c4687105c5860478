"""A creature of a fight goes into the library as it is unhurt, and comes out of it alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.library.shelf import table
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import StatBlock
from tui.store.library.library_lines import keep_imported


def test_a_kept_creature_comes_out_of_the_library_alike(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.store.run(
        'add Gate Guard +2 19 ac16 attacks="Spear +4 1d6+2" saves="dex+2" cr=1/2 card=gruff resist=cold'
    )
    for line in (
        "count Gate Guard Rally 1 max=2 reset=long",
        "damage Gate Guard 4",
        "condition Gate Guard prone",
    ):
        t.store.run(line)
    before = t.store.step
    result = t.store.run("keep creature gate as=Doorman")
    assert (t.store.step, result.lines[0].text) == (before, "Doorman is kept in creatures/doorman.toml")
    other = table(tmp_path)
    assert [x.text for x in other.store.run("add 2 doormen").lines][-1] == "2 Doormen: your library"
    one, c = other.encounter.combatants["c1"], t.encounter.combatants["c1"]
    assert (one.hp, one.max_hp, one.ac, one.attacks, one.save_bonus) == (19, 19, 16, c.attacks, c.save_bonus)
    assert (one.fields, one.card, one.resist, one.conditions) == (c.fields, "gruff", "cold", ())
    assert [(x.name, x.n, x.most) for x in one.counters] == [("Rally", 2, 2)]


def test_another_of_the_name_stays_unless_it_is_written_over(tmp_path: Path) -> None:
    t = table(tmp_path)
    for line in ("add 2 Orc +2 15", 'keep creature "Orc 1"', 'set "Orc 2" max_hp=20 hp=20'):
        t.store.run(line)
    assert t.store.run('keep creature "Orc 1"').lines[0].text == "the library has Orc already, alike"
    with pytest.raises(RuleError, match="another Orc") as refused:
        t.store.run('keep creature "Orc 2"')
    assert refused.value.hint == "`over=yes` writes over it, `as=NAME` keeps both"
    for line in ('keep creature "Orc 2" over=yes', "remove Orc*"):
        t.store.run(line)
    other = table(tmp_path)
    other.store.run("add Zed as=orc")
    assert [(c.name, c.max_hp) for c in other.encounter.combatants.values()] == [("Zed", 20)]


def test_only_what_has_numbers_is_kept(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.store.run("add Fog")
    for line, says in (
        ("keep creature Fog", "has no numbers"),
        ("keep creature Orc", "no combatant is called"),
    ):
        with pytest.raises(RuleError, match=says):
            t.store.run(line)


def test_a_pasted_creature_that_joins_is_kept_and_another_of_its_name_stays(tmp_path: Path) -> None:
    t = table(tmp_path)
    library = t.store.effects.library
    blocks = [StatBlock("Ogre", hp=59, ac=11), StatBlock("Bare")]
    assert keep_imported(library, "pasted", blocks) == "Ogre kept in the library"
    assert keep_imported(library, "pasted", [StatBlock("Ogre", hp=1)]) == ""
    t.store.run("add ogre")
    assert t.encounter.combatants["c1"].hp == 59
