"""Fights of Chaos Initiative and questions about them."""

from __future__ import annotations

from typing import Any

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import AcknowledgeAsk, Preview
from tui.core.fight.viewer import Viewer, text
from tui.core.language.select import resolve_entry
from tui.core.rules.on_screen import on_screen


def fight(*lines: str, **options: Any) -> Table:
    """An open fight: Ana (Lia's), Bo (Max's) and an Orc owe their orders; options without their `cha.`."""
    table = Table("chaos", {f"cha.{key}": value for key, value in options.items()})
    # Without a GM all players cannot be on one side.
    max_ = "green" if options.get("mode") == "head-to-head" else "red"
    table.do("add Ana side=red owner=Lia", f"add Bo side={max_} owner=Max", "add Orc side=blue", "begin")
    if lines:
        table.do(*lines)
    return table


def turns(*lines: str, dice: tuple[int, ...] = (18, 12, 6), **options: Any) -> Table:
    """The same fight at its first slot: Ana before Bo before the Orc; the lines come before the lock."""
    table = fight(*lines, **options)
    table.do("lock missing=empty")
    table.do("roll", dice=dice)
    table.do("ok")
    return table


def again(table: Table, *lines: str, dice: tuple[int, ...] = (18, 12, 6)) -> None:
    """Play to the end of the round, and to the first slot of the next one; the lines come before the lock."""
    here = table.encounter.round
    while table.encounter.round == here:
        table.do("next")
    if lines:
        table.do(*lines)
    table.do("lock missing=empty")
    table.do("roll", dice=dice)
    table.do("ok")


def states(table: Table) -> dict[str, str]:
    """The states of all orders."""
    return {o["who"]: o["state"] for o in table.state()["orders"]}


def marks(table: Table, name: str) -> set[str]:
    """The marks of a creature."""
    found = next(c for c in table.state()["combatants"] if c["name"] == name)
    return set(found["marks"]) - {"acted"}


def fields(table: Table, name: str) -> dict[str, Any]:
    """The lines of a row's form with their defaults."""
    form = next(d for d in table.state()["due"] if d["kind"] == "form" and d["who"] == name)
    return {f["key"]: f["default"] for f in form["fields"]}


def said(table: Table) -> list[str]:
    """What the last line did, in words for the GM."""
    return [x.text for x in table.store.messages(table.store.step, Viewer())]


def preview(table: Table, name: str, **order: str) -> Preview:
    """What a half-filled form would mean."""
    return on_screen(table.store.system).preview(table.encounter, resolve_entry(table.encounter, name), order)


def accepts(table: Table, line: str, *, dice: tuple[int, ...] | None = None) -> bool:
    """Whether a line is accepted."""
    try:
        table.do(line, dice=dice)
    except RuleError:
        return False
    return True


def board_texts(table: Table) -> list[str]:
    """All lines of the board, whoever may read them."""
    ask = next(a for a in table.due() if isinstance(a, AcknowledgeAsk))
    return [text(table.encounter, x) for x in ask.board]


def duel(**options: object) -> Table:
    """Lia's Ana and Max's Bo of two sides; Pia's Cat and Lia's Dog are further pieces."""
    t = Table("chaos", {"cha.mode": "head-to-head", **{f"cha.{k}": v for k, v in options.items()}})
    t.do("add Ana side=red owner=Lia hp=9 bonus=2", "add Bo side=blue owner=Max hp=8", "begin")
    return t
