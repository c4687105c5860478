"""State, log, dice and systems as lines for people and as plain data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from tui.cli.chronicle import chronicle
from tui.cli.tally import dice_counts
from tui.core.fight.agenda import Field
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.fight.viewer import Viewer
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.systems import Systems
from tui.store.journal.format import Record


class Report(Struct, frozen=True):
    """The same thing twice: `lines` for people, `plain` for programs."""

    lines: list[str]
    plain: Any


def table(state: dict[str, Any]) -> list[str]:
    """The table now, in lines."""
    head = f"{state['save']} · {state['system']} · round {state['round']} · {state['phase']} · step {state['step']}"
    lines = [head, f"Now: {state['now']}"]
    lines += [f"     {line}" for ask in state["due"] for line in ask.get("lines", ())]
    lines.append("")
    for row in state["track"]:
        tags = f"  [{', '.join(row['tags'])}]" if row["tags"] else ""
        lines.append(
            f"{row['place']:>3} {row['state']:<6} {row['entry']:<24} {row['value']:>4}  {row['why']}{tags}"
        )
    if state["track"]:
        lines.append("")
    if written := [_order(o) for o in state["orders"] if o["text"] or o["state"] == "now"]:
        lines += [*written, ""]
    return lines + [_creature(c) for c in state["combatants"]]


def _order(o: dict[str, Any]) -> str:
    """An order or a declaration, component by component."""
    said = "; ".join(f"{key} {text}" for key, text in o["text"].items()) or "nothing"
    doubts = f"  [{', '.join(o['warnings'])}]" if o["warnings"] else ""
    return f"    {o['state']:<7} {o['who']}: {said}{doubts}"


def _creature(c: dict[str, Any]) -> str:
    if "health" in c:
        points = c["health"]
    else:
        points = (
            "-"
            if c["hp"] is None
            else f"{c['hp']}/{c['max_hp']}"
            if c["max_hp"] is not None
            else f"{c['hp']}"
        )
        points += f"+{c['temp_hp']}" if c["temp_hp"] else ""
    said = [x["name"] for x in c["conditions"]] + list(c["marks"]) + (["out"] if c["out"] else [])
    return f"    {c['side']:<10} {c['name']:<24} {points:>9}  {', '.join(said)}".rstrip()


def chapters(start: Encounter, steps: Sequence[Record[Event]], viewer: Viewer, systems: Systems) -> Report:
    """Every step of a journal, undone ones marked."""
    found = chronicle(start, steps, viewer, systems)
    lines, plain = [], []
    for c in found:
        undone = " (undone)" if c.undone else ""
        lines.append(f"{c.step:>5} {c.at[11:19]} {c.asked}{undone}".rstrip())
        lines += [f"{'':>15} {text}" for text in c.text]
        plain.append({"step": c.step, "at": c.at, "line": c.asked, "text": list(c.text), "undone": c.undone})
    return Report(lines, plain)


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
