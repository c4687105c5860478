"""A folder of saves with a library, and a fight beside it."""

from __future__ import annotations

from pathlib import Path

from tests.kit.table import Table
from tui.core.fight.combatant import Combatant
from tui.store.library.service import Library
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry()


GOBLIN = """\
[[creature]]
name = "Goblin"
hp = 7
hp_dice = "2d6"
ac = 15
initiative = 2
per = 9
int = 10
size = "small"
stealth = 6
card = \"\"\"
Scimitar. +4 to hit.
Nimble Escape.\"\"\"
"""


def table(folder: Path, system: str = "classic", **options: object) -> Table:
    found = Table(system, dict(options), dice=SeededDice(1))
    found.library = Library(str(folder), SYSTEMS)
    found.throw_with(found.dice)
    return found


def shelve(folder: Path, kind: str, name: str, text: str) -> Path:
    path = folder / kind / f"{name}.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def only(t: Table) -> Combatant:
    (found,) = t.encounter.combatants.values()
    return found
