"""The help screen, made from the table of commands and the running system."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight.agenda import Field
from tui.core.language.grammar import summary, usage, verbs
from tui.core.language.values import show
from tui.core.rules.system import InitiativeSystem
from tui.core.views.glossary import glossary
from tui.ui.state.commands import GROUPS, Command, shown


def help_text(
    commands: Iterable[Command], system: InitiativeSystem, words: Iterable[tuple[str, str]] = ()
) -> tuple[str, ...]:
    """Keys by group, the system's words, fields and house rules, all lines, and the program's own words."""
    table = list(commands)
    lines = ["Every key stands for a line that can be typed after : as well.", ""]
    for group, title in GROUPS.items():
        lines.append(title)
        lines += [
            f"  {' '.join(shown(k) for k in c.keys):<16} {c.help}"
            for c in table
            if c.group == group and c.keys
        ]
        lines.append("")
    lines += ["  digits           a count: 12d is 12 damage, 3n three times, 5a five of them", ""]
    lines += [f"{system.title}: {system.summary}", system.credit, ""]
    lines += [f"  {v.usage:<34} {v.help}" + (f" [{v.key}]" if v.key else "") for v in system.verbs]
    lines += _marks(system)
    lines += _fields("Fields", system.fields) + _fields("House rules (option KEY=VALUE)", system.options)
    lines += ["", "Words"] + [f"  {word:<22} {means}" for word, means in glossary(system).items()]
    lines += ["", "Lines"] + [f"  {usage(v):<34} {summary(v)}" for v in verbs()]
    lines += [f"  {usage_:<34} {says}" for usage_, says in words]
    return tuple(lines)


def _marks(system: InitiativeSystem) -> list[str]:
    """What the short words on rows mean."""
    found = [mark for mark in system.all_marks.values() if mark.short and mark.word]
    return ["", "Marks", *(f"  {mark.short:<20} {mark.word}" for mark in found)] if found else []


def _fields(title: str, fields: Iterable[Field]) -> list[str]:
    found = [
        f"  {f.key:<20} {f.help or f.title}"
        + (f" ({', '.join(f.choices)})" if f.choices else "")
        + (f", default {show(f.default)}" if f.default != "" else "")
        for f in fields
    ]
    return ["", title, *found] if found else []
