"""The help as entries, made from the table of commands, the running system and the words that the program uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tui.core.fight.agenda import Field
from tui.core.language.grammar import summary, usage, verbs
from tui.core.language.values import show
from tui.core.rules.system import InitiativeSystem
from tui.core.views.glossary import glossary
from tui.ui.state.commands import GROUPS, Command, shown
from tui.ui.state.finder.manual import Explained

KEYS = (
    ("digits", "a count: 12d is 12 damage, 3n three times, 5a five of them"),
    (":", "every key stands for a line that can be typed after : as well"),
)


def manual(
    commands: Iterable[Command], system: InitiativeSystem, words: Iterable[tuple[str, str]] = ()
) -> tuple[Explained, ...]:
    """Keys by group, the system's words, what words mean, rules, fields, house rules, and every line."""
    return (
        *_keys(tuple(commands)),
        *_system(system),
        *(Explained("Words", word, means) for word, means in glossary(system).items()),
        *(Explained("Rules", clause, text) for clause, text in system.clauses.items()),
        *_fields("Fields of a creature", system.fields),
        *_fields("House rules (option KEY=VALUE)", system.options),
        *(Explained("Lines", usage(verb), summary(verb)) for verb in verbs()),
        *(Explained("Lines", said, means) for said, means in words),
    )  # fmt: skip


def _keys(table: tuple[Command, ...]) -> Iterator[Explained]:
    for group, title in GROUPS.items():
        for c in table:
            if c.group == group and c.keys:
                yield Explained(
                    f"Keys: {title}",
                    " ".join(shown(k) for k in c.keys),
                    c.help,
                    f"{c.words} {c.hint} {c.also}",
                )
    yield from (Explained("Keys: counts and lines", key, text) for key, text in KEYS)


def _system(system: InitiativeSystem) -> Iterator[Explained]:
    """What the system is, its own verbs, and what the short words on rows mean."""
    yield Explained(system.title, system.id, system.summary, system.credit)
    for verb in system.verbs:
        yield Explained(
            system.title, " ".join(x for x in (verb.key, verb.name) if x), f"{verb.usage}: {verb.help}"
        )
    known = glossary(system)
    for mark in system.all_marks.values():
        if mark.short and mark.word and mark.short not in known:
            yield Explained(system.title, mark.short, mark.word)


def _fields(title: str, fields: Iterable[Field]) -> Iterator[Explained]:
    for f in fields:
        text = f.help or f.title
        text += f" ({', '.join(f.choices)})" if f.choices else ""
        yield Explained(title, f.key, text + (f", default {show(f.default)}" if f.default != "" else ""))
