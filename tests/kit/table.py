"""A fight without files: lines in, state out, through the real grammar, core and store."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import json, to_builtins

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Ask
from tui.core.fight.dice import Dice, GivenDice
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import viewer_of
from tui.core.language.values import read_value
from tui.core.rules.upkeep import COMMON_OPTIONS, all_owed
from tui.store.dependencies import Result, Stock, StoreEffects
from tui.store.history import History
from tui.store.journal.format import Record, require_plain
from tui.store.library.service import Library
from tui.store.store import Store
from tui.systems import Registry

COMMON = {
    "zero.pc": "nothing", "zero.npc": "nothing", "zero.monster": "nothing", "zero.massive": "none",
    "concentration.dc": "damage",
    "view.health": "word", "view.order": "all", "view.ac": False, "view.dc": True, "group.same": False,
    "players.points": "none",
    "library.hp": "average", "library.box": "none", "xp": "2024",
}  # fmt: skip
"""The house rules of every system, with their default values."""

NOON = "2026-01-01T12:00:00Z"


class Memory:
    """A journal that keeps its records in a list."""

    def __init__(self) -> None:
        self.steps: list[Record[Any]] = []

    def append(self, step: Record[Any]) -> None:
        """Keep a record. Raises ValueError for one that no journal can hold."""
        require_plain(to_builtins(step.events))
        self.steps.append(step)


class NoDice:
    """Dice for a fight in which the app must not roll."""

    def roll(self, sides: int) -> int:
        """Fail: no faces were given."""
        raise AssertionError(f"nobody gave a d{sides}")


class TableEffects(StoreEffects, frozen=True):
    """Effects without a library that know the conditions which every library has."""

    def stock(self, kind: Stock, begun: str) -> Sequence[str]:
        """Return the names of conditions that begin so."""
        return shipped_conditions(begun) if kind == "condition" else ()


@cache
def shipped_conditions(begun: str) -> Sequence[str]:
    """Return the names that begin so of the conditions which every library has."""
    return Library("/nowhere", Registry()).names("condition", begun)


class Table:
    """A fight of one system, with house rules."""

    library: Library | None = None
    """The library at hand, None for the shipped conditions alone; known from the next line on."""

    def __init__(
        self,
        system: str,
        options: dict[str, Any] | None = None,
        dice: Dice | None = None,
        systems: Registry | None = None,
    ) -> None:
        systems = systems or Registry()
        fields = {f.key: f for f in (*systems.get(system).options, *COMMON_OPTIONS)}
        chosen = {
            k: read_value(fields[k], str(v).lower() if isinstance(v, bool) else str(v))
            for k, v in (options or {}).items()
        }
        self.ledger = Memory()
        self.dice: Dice = dice or NoDice()
        effects = self._effects(self.dice)
        self.store = Store("test", History(Encounter(system=system, options=chosen)), systems, effects)

    def _effects(self, dice: Dice) -> StoreEffects:
        kind = StoreEffects if self.library else TableEffects
        return kind(self.ledger, dice, lambda: NOON, self.library)

    @property
    def encounter(self) -> Encounter:
        """The present encounter."""
        return self.store.encounter

    def throw_with(self, dice: Dice) -> None:
        """Use these dice for the app's rolls from now on."""
        self.dice = dice
        self.store.effects = self._effects(dice)

    def do(self, *lines: str, dice: Sequence[int] | None = None) -> Result:
        """Run lines and return the last result; `dice` are the app's faces in them, all of which must be
        used.
        """
        if dice is not None:
            self.store.effects = self._effects(GivenDice(tuple(dice)))
        result = None
        for i, line in enumerate(lines):
            result = self.store.run(line, last=i == len(lines) - 1)
        self.store.effects = self._effects(self.dice)
        assert result is not None
        return result

    def refuse(self, line: str, *says: str, dice: Sequence[int] | None = None) -> RuleError:
        """Assert that a line is refused, changes nothing, and that the refusal contains `says`; return it."""
        before, step = self.encounter, self.store.step
        try:
            self.do(line, dice=dice)
        except RuleError as error:
            told = f"{error.message} {error.hint}".lower()
            missing = [s for s in says if s.lower() not in told]
            assert not missing, f"{line!r} was refused with {told!r}, without {missing}"
            assert self.encounter is before
            assert self.store.step == step
            return error
        raise AssertionError(f"{line!r} was not refused")

    def state(self, viewer: str | None = None) -> dict[str, Any]:
        """Return the state as `show --json` prints it, for a viewer."""
        state: dict[str, Any] = plain(self.store.table(viewer_of(viewer)))
        return state

    def due(self) -> tuple[Ask, ...]:
        """Return everything that is owed."""
        return all_owed(self.encounter, self.store.system)

    def order(self) -> list[str]:
        """Return the names on the track, the first to act first."""
        return [row["entry"] for row in self.state()["track"]]

    def may(self) -> list[str]:
        """Return the names that may take a turn now."""
        acts = self.state()["offer"].get("acts", [])
        return [x["who"] for x in acts if x["kind"] == "turn"]


def plain(value: object) -> Any:
    """Return a value after encoding to JSON and decoding."""
    return json.decode(json.encode(value))


def acting(t: Table) -> str:
    """Return the name of the acting row, "" between turns."""
    return str(t.state()["acting"])


def who(t: Table, name: str, viewer: str | None = None) -> dict[str, Any]:
    """Return a creature as a viewer sees it."""
    found: dict[str, Any] = next(c for c in t.state(viewer)["combatants"] if c["name"] == name)
    return found


def marks(t: Table, name: str) -> dict[str, bool]:
    """Return the marks of a creature."""
    found: dict[str, bool] = who(t, name)["marks"]
    return found


def carried(t: Table, name: str) -> list[str]:
    """Return the names of the conditions of a creature."""
    return [x["name"] for x in who(t, name)["conditions"]]


def row(t: Table, name: str) -> dict[str, Any]:
    """Return a row of the track by name."""
    found: dict[str, Any] = next(r for r in t.state()["track"] if r["entry"] == name)
    return found


def order_of(t: Table, name: str, viewer: str | None = None) -> dict[str, Any] | None:
    """Return the order of a row as a viewer sees it, None if the viewer sees none."""
    return next((o for o in t.state(viewer)["orders"] if o["who"] == name), None)
