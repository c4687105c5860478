"""Write the table as lines of text, for `show` and for lines that are typed at a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from tui.core.base.text import pad
from tui.core.table import (
    ConditionView,
    Creature,
    DeathSavesView,
    Due,
    EffectDue,
    FormDue,
    LockDue,
    OrderView,
    PickDue,
    ReadDue,
    RollDue,
    Table,
)


def effect_words(damage: str, kind: str, heal: str) -> str:
    """Return an effect in words: `1d6 fire damage`, `heals 2d4`; "" for a condition without an effect."""
    if heal:
        return f"heals {heal}"
    return f"{damage} {kind} damage".replace("  ", " ") if damage else ""


def save_words(cause: str, name: str) -> str:
    """Return a save in words: `concentration save`, `save against poisoned`."""
    match cause:
        case "dying":
            return "death save"
        case "condition" | "attack":
            return f"save against {name}"
        case "area":
            return "save"
        case _:
            return f"{cause} save"


ROW_STATES: Mapping[str, str] = {
    "now": "acting",
    "may": "may act",
    "waits": "waits",
    "done": "acted",
    "barred": "sits out",
    "out": "out",
}
"""The words for the state of a row in text without a screen."""


def table_lines(table: Table) -> list[str]:
    """Return the table as lines: Now, pages to read, owed answers, the track, the orders, the creatures."""
    head = (table.save, table.system, f"round {table.round}", table.phase, f"step {table.step}")
    parts = [
        [" · ".join(head), *now_lines(table), *_difficulty_lines(table)],
        [f"    owed    {due.who}: {text}" for due in table.due if (text := _owed_text(due))],
        track_lines(table),
        [_order_line(o) for o in table.orders if o.text or o.state == "now"],
        creature_lines(table),
    ]
    return [line for part in parts if part for line in (*part, "")][:-1]


def now_lines(table: Table) -> list[str]:
    """Return Now, and below it what must be read."""
    board = [line for due in table.due if isinstance(due, ReadDue) for line in due.lines]
    return [f"Now: {table.now}", *(f"     {line}" for line in board)]


def look_at_table(table: Table, line: str) -> list[str] | None:
    """Return what `track`, `roster` and `why [NAME]` print; None for any other line."""
    word, _, name = " ".join(line.lower().split()).partition(" ")
    match word, name:
        case "track", "":
            return track_lines(table) or ["Nobody is on the track"]
        case "roster", "":
            return creature_lines(table) or ["No creatures yet"]
        case "why", _:
            rows = [row for row in table.track if row.entry.lower().startswith(name)]
            return [f"{row.entry}: {row.why}" for row in rows] or ["no row on the track has that name"]
        case _:
            return None


def _difficulty_lines(table: Table) -> list[str]:
    """Return how hard a fight that has not begun is, for the game master."""
    text = table.difficulty.text
    return [] if table.running or isinstance(text, UnsetType) else [f"Difficulty: {text}"]


def _owed_text(due: Due) -> str:
    """Return an owed answer in words: dice, a choice with its names, an order or an effect; "" for others."""
    match due:
        case RollDue():
            return due.shows or " ".join(f"d{sides}" for sides in due.dice)
        case PickDue():
            bounds = dict.fromkeys((due.least, due.most))
            return f"a choice of {' to '.join(map(str, bounds))} among {', '.join(due.names)}"
        case FormDue():
            return "an order"
        case EffectDue():
            return due.name
        case LockDue() | ReadDue():
            return ""


def track_lines(table: Table) -> list[str]:
    """Return the rows of the track; with a column of numbers if any number is not 0."""
    numbers = any(row.value for row in table.track)
    wide = max([4, *(len(row.face) for row in table.track if row.face)])
    return [
        f"{row.place:>3} {ROW_STATES[row.state]:<8} {pad(row.entry, 24)} "
        + (f"{row.face or row.value:>{wide}}  " if numbers else "")
        + row.why
        + (f"  [{', '.join(tags)}]" if (tags := [tag for tag in row.tags if tag != row.state]) else "")
        for row in table.track
    ]


def _order_line(o: OrderView) -> str:
    """Return an order or a declaration, component by component."""
    if o.sealed:
        doubts = f" [{count_doubts(o)}]" if o.warnings else ""
        return f"    {o.state:<7} {o.who}: sealed{doubts}"
    words = "; ".join(o.wording) or "nothing"
    words += "".join(f"; {key}, by default: {text}" for key, text in o.default.items())
    doubts = f"  [{', '.join(o.warnings)}]" if o.warnings else ""
    return f"    {o.state:<7} {o.who}: {words}{doubts}"


def count_doubts(o: OrderView) -> str:
    """Return how many doubts there are about an order: `1 doubt`, `2 doubts`."""
    return f"{len(o.warnings)} doubt{'s' * (len(o.warnings) != 1)}"


def creature_lines(table: Table) -> list[str]:
    """Return a line for each creature."""
    return [_creature_line(c, table.round) for c in table.combatants]


def _creature_line(c: Creature, number: int) -> str:
    """Return a creature: side, name, hit points, conditions with their remaining time, marks, presence."""
    tags = [f"group {c.group}"] if c.group else []
    tags += [_condition_text(x) for x in c.conditions]
    tags += [ROW_STATES.get(mark, mark) for mark in c.marks]
    tags += [f"{x.name} {x.n}" + (f" of {x.max}" if x.max else "") for x in c.counters]
    tags += [_saves_text(c.saves)] if c.saves and c.saves.stable is not UNSET else []
    tags += ["dead" if c.dead else "out"] if c.out else []
    tags += [f"arrives in round {c.arrives}"] if c.arrives > number else []
    points = c.health or _points_text(c)
    return f"    {pad(c.side, 10)} {pad(c.name, 24)} {points:>9}  {', '.join(tags)}".rstrip()


def _saves_text(x: DeathSavesView) -> str:
    """Return `stable`, or how many death saves were made and failed."""
    saves = f"{x.successes} save{'s' * (x.successes != 1)} made and {x.failures} failed"
    return "stable" if x.stable else f"dying, {saves}"


def _points_text(c: Creature) -> str:
    """Return `3/9+2`: hit points, the current maximum with temporary additions, temporary ones."""
    if c.hp is UNSET or c.hp is None:
        return "-"
    most = f"/{max(0, c.max_hp + (c.temp_max or 0))}" if isinstance(c.max_hp, int) else ""
    return f"{c.hp}{most}" + (f"+{c.temp_hp}" if c.temp_hp else "")


def _condition_text(x: ConditionView) -> str:
    """Return a condition in words, with the turns that are left and their creature: `marked 1 (of Ana)`."""
    rounds = f" {x.rounds}" if x.rounds else ""
    whose = f" (of {x.of})" if x.of else ""
    return f"{x.name}{rounds}{whose}"
