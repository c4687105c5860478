"""The standard fight by keys: four heroes and six orcs, twenty turns, every key counted."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.kit.keyboard import Player
from tests.kit.tiers import share
from tests.kit.visitor import Visitor
from tui.store.library.service import Library
from tui.store.sources import SeededDice
from tui.ui.state.scene import assign_letters, current_entry, filter_rows

HEROES = {"Ana": "+3 18", "Bo": "+1 24", "Cay": "+2 15", "Dov": "+1 21"}
ORCS = [f"Orc {n}" for n in range(1, 7)]
SEEDS = 6
"""Fights that are counted: other dice, another order, other ways to a row."""
AIMED = 1
"""Keys that a hit costs more on any row than on the current one."""
WOUNDS = (15, 7, 4, 9, 6)
PARTY = "".join(
    f'[[combatant]]\nname = "{name}"\nkind = "pc"\nmod = {words.split()[0][1:]}\nhp = {words.split()[1]}\n'
    for name, words in HEROES.items()
)


class Counter:
    """A player who counts what is pressed, step by step."""

    def __init__(self, seed: int) -> None:
        self.p = Player(dice=SeededDice(seed))
        self.steps: dict[str, list[str]] = {}

    def press(self, step: str, *keys: str) -> None:
        """Keys of a step; a text in quotes is as many keys as it has letters."""
        self.steps.setdefault(step, []).extend(letter for key in keys for letter in _letters(key))
        self.p.press(*keys)

    def count(self, *steps: str) -> int:
        """The keys of these steps; of all without any."""
        return sum(len(keys) for step, keys in self.steps.items() if not steps or step in steps)

    def hit(self, step: str, name: str, points: int) -> None:
        """So much damage to the row of that name, by the shortest way there is."""
        rows, here, there = self._rows(), self._here(), self._rows().index(name)
        by_letter = [*str(points), "-", self._letter(name)]
        self.press(step, *min([*_way(here, there, len(rows)), *str(points), "d"], by_letter, key=len))

    def aim(self, step: str, name: str) -> None:
        """To the row of that name, the shortest way there is."""
        rows, here, there = self._rows(), self._here(), self._rows().index(name)
        self.press(step, *min(_way(here, there, len(rows)), ["-", self._letter(name)], key=len))
        assert self._rows()[self._here()] == name

    def _letter(self, name: str) -> str:
        key = next(c.id for c in self.p.store.encounter.combatants.values() if c.name == name)
        return assign_letters(self.p.desk.scene)[key]

    def route(self, names: list[str], many: int) -> tuple[str, ...]:
        """So many of these in the order that takes the fewest keys: what an eye on the track sees."""
        rows, size = self._rows(), len(self._rows())

        def cost(some: tuple[str, ...]) -> int:
            places = [self._here(), *(rows.index(name) for name in some)]
            return sum(min(AIMED, len(_way(here, there, size))) for here, there in pairwise(places))

        return min(permutations(names, many), key=cost)

    def _rows(self) -> list[str]:
        people = self.p.store.encounter.combatants
        return [people[row.entry].name for row in filter_rows(self.p.desk.scene)]

    def _here(self) -> int:
        return self._rows().index(self.p.store.encounter.combatants[current_entry(self.p.desk.scene)].name)

    def hp(self, name: str) -> int | None:
        """The hit points that somebody has."""
        return next(c.hp for c in self.p.store.encounter.combatants.values() if c.name == name)


def _way(here: int, there: int, size: int) -> list[str]:
    """The keys from a row to another: one by one, counted, or from an end."""
    by, key = abs(there - here), "j" if there > here else "k"
    ends = (["g", *["j"] * there], ["G", *["k"] * (size - 1 - there)])
    return min(([key] * by, [*str(by), key], *ends), key=len) if by else []


def _letters(key: str) -> list[str]:
    return [*key[1:-1]] if key.startswith("'") else [key]


def opened(folder: Path, count: Counter, party: str = "") -> None:
    """A number chooses the system, with a name and the party that is kept; Enter makes the fight."""
    visitor = Visitor(folder)
    keys = ["1", "enter"]
    visitor.press(*keys)
    assert visitor.doors.gone == [("new", "fight", "classic", party)]
    count.steps["0 open"] = keys


def heroes(count: Counter) -> None:
    (first, words), *others = HEROES.items()
    count.press("1 four heroes", "a", f"'{first} {words}'", "enter")
    for name, more in others:
        count.press("1 four heroes", f"'{name} {more}'", "enter")


def played(count: Counter) -> None:
    """From the first turn to the end."""
    count.press("3 initiative", "b", "n", "r")
    count.press("4 first turn", "n")
    count.press("5 next", *["n"] * 20)
    hit = count.route(ORCS, len(WOUNDS))
    for name, points in zip(hit, WOUNDS, strict=True):
        count.hit("6 damage to orcs", name, points)
        assert count.p.asked() == [f'damage "{name}" {points}']
    (somebody,) = count.route([name for name in ORCS if count.hp(name)], 1)
    count.aim("8 stunned for two rounds", somebody)
    count.press("8 stunned for two rounds", "2", "c", "s", "tab", "enter")
    assert count.p.asked() == [f'condition "{somebody}" stunned rounds=2']
    (hero,) = count.route([*HEROES], 1)
    count.hit("7 damage to a hero", hero, 8)
    assert count.p.asked() == [f"damage {hero} 8"]
    count.press("9 heal", "5", "+")
    assert count.p.asked() == [f"heal {hero} 5"]
    count.press("10 out", "!")
    assert count.p.asked() == [f'out "{hit[0]}"']
    count.press("11 undo two", "2", "u")
    assert not any(c.out for c in count.p.store.encounter.combatants.values())


def over(count: Counter) -> None:
    count.press("12 end", "q")


PLAY = (
    "4 first turn", "5 next", "6 damage to orcs", "7 damage to a hero", "8 stunned for two rounds",
    "9 heal", "10 out", "11 undo two", "12 end",
)  # fmt: skip


@pytest.mark.law
@pytest.mark.parametrize("seed", range(share(SEEDS)))
def test_it_costs_no_more_than_115_keys_and_52_in_play(tmp_path: Path, seed: int) -> None:
    count = Counter(seed)
    opened(tmp_path, count)
    heroes(count)
    count.press("2 six orcs", "'6 Orc +1 15 ac13'", "enter", "enter")
    played(count)
    over(count)
    assert [c.side for c in count.p.store.encounter.combatants.values()] == ["heroes"] * 4 + ["dark"] * 6
    assert count.count(*PLAY) <= 52, count.steps
    assert count.count() <= 115, count.steps


ORC = '[[creature]]\nname = "Orc"\nhp = 15\nac = 13\ninitiative = 1\n'
GATE = '[[combatant]]\nname = "Orc"\ncount = 6\n'


def kept(folder: Path, seed: int) -> Counter:
    """A fight with a kept party, in a folder whose library knows orcs and a prepared encounter."""
    for kind, name, text in (
        ("parties", "p", PARTY),
        ("creatures", "orc", ORC),
        ("encounters", "gate", GATE),
    ):
        (folder / kind).mkdir()
        (folder / kind / f"{name}.toml").write_text(text)
    count = Counter(seed)
    opened(folder, count, "p.toml")
    store = count.p.store
    store.name = "fight"  # as the door has called it
    store.effects = replace(store.effects, library=Library(str(folder), store.systems))
    store.run("party p")  # what the door does with the party that was chosen
    return count


@pytest.mark.law
@pytest.mark.parametrize("seed", range(share(SEEDS)))
def test_with_a_kept_encounter_it_costs_no_more_than_60_keys(tmp_path: Path, seed: int) -> None:
    count = kept(tmp_path, seed)
    count.press("2 six orcs", "P", "enter")
    assert count.p.asked() == ["load gate"]
    played(count)
    over(count)
    orcs = [c for c in count.p.store.encounter.combatants.values() if c.side == "dark"]
    assert [(c.name, c.max_hp, c.ac, c.fields) for c in orcs] == [(n, 15, 13, {"mod": 1}) for n in ORCS]
    assert count.count() <= 60, count.steps
