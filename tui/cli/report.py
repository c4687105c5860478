"""State, log, dice and systems as lines for people and as plain data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from tui.cli.chronicle import Chapter
from tui.cli.tally import dice_counts
from tui.core.fight.agenda import Field
from tui.core.fight.events import Event
from tui.core.rules.system import InitiativeSystem
from tui.core.views.glossary import ROW_STATES, row_tags
from tui.store.journal.format import Record


class Report(Struct, frozen=True):
    """The same thing twice: `lines` for people, `plain` for programs."""

    lines: list[str]
    plain: Any


def table(state: dict[str, Any]) -> list[str]:
    """The table now, in lines: Now and what must be read, who owes what, the track, the orders, everybody."""
    head = f"{state['save']} · {state['system']} · round {state['round']} · {state['phase']} · step {state['step']}"
    parts = [
        [
            head,
            f"Now: {state['now']}",
            *(f"     {line}" for ask in state["due"] for line in ask.get("lines", ())),
        ],
        [_owed(ask) for ask in state["due"] if ask["kind"] in ("roll", "pick", "form")],
        _track(state["track"]),
        [_order(o) for o in state["orders"] if o["text"] or o["state"] == "now"],
        [_creature(c, state["round"]) for c in state["combatants"]],
    ]
    return [line for part in parts if part for line in (*part, "")][:-1]


def _owed(ask: dict[str, Any]) -> str:
    """What somebody owes: the dice by name, the choice with its names, or a form."""
    match ask["kind"]:
        case "roll":
            what = " ".join(f"d{sides}" for sides in ask["dice"])
        case "pick":
            bounds = dict.fromkeys((ask["least"], ask["most"]))
            what = f"a choice of {' to '.join(map(str, bounds))} among {', '.join(ask['names'])}"
        case _:
            what = "an order"
    return f"    owed    {ask['who']}: {what}"


def _track(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The rows of the track; a column of numbers only where one of them means something."""
    numbers = any(row["value"] for row in rows)
    return [
        f"{row['place']:>3} {ROW_STATES[row['state']]:<8} {row['entry']:<24} "
        + (f"{row['value']:>4}  " if numbers else "")
        + row["why"]
        + (f"  [{', '.join(tags)}]" if (tags := row_tags(row)) else "")
        for row in rows
    ]


def _order(o: dict[str, Any]) -> str:
    """An order or a declaration, component by component."""
    said = "; ".join(f"{key} {text}" for key, text in o["text"].items()) or "nothing"
    said += "".join(f"; {key}, by default: {text}" for key, text in o["default"].items())
    doubts = f"  [{', '.join(o['warnings'])}]" if o["warnings"] else ""
    return f"    {o['state']:<7} {o['who']}: {said}{doubts}"


def _creature(c: dict[str, Any], number: int) -> str:
    """One creature: side, name, hit points, conditions with what is left of them, marks, whether it is there."""
    points = c["health"] if "health" in c else _points(c.get("hp"), _most(c), c.get("temp_hp", 0))
    said = [_condition(x) for x in c["conditions"]] + [ROW_STATES.get(mark, mark) for mark in c["marks"]]
    said += [f"{x['name']} {x['n']}" + (f" of {x['max']}" if x["max"] else "") for x in c["counters"]]
    said += [_saves(c["saves"])] if c.get("saves") else []
    said += ["out"] if c["out"] else []
    said += [f"arrives in round {c['arrives']}"] if c["arrives"] > number else []
    return f"    {c['side']:<10} {c['name']:<24} {points:>9}  {', '.join(said)}".rstrip()


def _saves(x: dict[str, Any]) -> str:
    """`stable`, or how many death saves were made and failed."""
    return (
        "stable"
        if x["stable"]
        else f"dying, {x['successes']} save{'s' * (x['successes'] != 1)} made and {x['failures']} failed"
    )


def _most(c: dict[str, Any]) -> int | None:
    """The maximum that holds now, with what is added to it for a while."""
    return None if c.get("max_hp") is None else max(0, c["max_hp"] + c.get("temp_max", 0))


def _points(now: int | None, most: int | None, extra: int) -> str:
    if now is None:
        return "-"
    return f"{now}" + (f"/{most}" if most is not None else "") + (f"+{extra}" if extra else "")


def _condition(x: dict[str, Any]) -> str:
    """`blessed 2`, `marked 1 (of Ana)`: with the turns that are left and whose they are."""
    left = f" {x['rounds']}" if x["rounds"] else ""
    whose = f" (of {x['of']})" if x["of"] else ""
    return f"{x['name']}{left}{whose}"


def chapters(found: Iterable[Chapter]) -> list[str]:
    """Every step of a journal in lines, undone ones marked."""
    lines: list[str] = []
    for c in found:
        undone = " (undone)" if c.undone else ""
        seat = f" (from {c.by}'s seat)" if c.by else ""
        lines.append(f"{c.step:>5} {c.at[11:19]} {c.asked}{seat}{undone}".rstrip())
        lines += [f"{'':>15} {text}" for text in c.text]
    return lines


def plain_chapters(found: Iterable[Chapter]) -> list[dict[str, Any]]:
    """The same as plain data."""
    return [
        {
            "step": c.step, "at": c.at, "line": c.asked, "by": c.by, "text": list(c.text), "undone": c.undone
        }
        for c in found
    ]  # fmt: skip


def dice(steps: Iterable[Record[Event]]) -> Report:
    """Counts, mean, chi-square and the longest streak, by die."""
    lines, plain = [], []
    for d in dice_counts(steps):
        faces = " ".join(f"{i}:{n}" for i, n in enumerate(d.faces, 1) if n)
        lines.append(
            f"d{d.sides}: {d.rolls} rolls, mean {d.mean:.2f}, chi-square {d.chi_square:.1f}, streak {d.streak}"
        )
        lines.append(f"    {faces}")
        figures = {"sides": d.sides, "rolls": d.rolls, "mean": d.mean, "chi_square": d.chi_square}
        plain.append({**figures, "streak": d.streak, "faces": list(d.faces)})
    return Report(lines or ["no die has fallen yet"], plain)


def system_table(s: InitiativeSystem) -> dict[str, Any]:
    """A system, with what it declares, as plain data."""
    verbs = [{"name": v.name, "usage": v.usage, "help": v.help} for v in s.verbs]
    return {
        "id": s.id, "title": s.title, "summary": s.summary, "credit": s.credit, "sides": list(s.sides),
        "fields": [_field(f) for f in s.fields], "options": [_field(f) for f in s.options], "verbs": verbs,
    }  # fmt: skip


def _field(f: Field) -> dict[str, Any]:
    table = {"key": f.key, "title": f.title, "kind": f.kind, "choices": list(f.choices)}
    return table | {"default": f.default, "help": f.help}
