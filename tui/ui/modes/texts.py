"""Write texts to read: everything about a row, clauses, the help, and a row as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tui.core.fight.agenda import Field
from tui.core.fight.viewer import text
from tui.core.language.grammar import summary, usage, verbs
from tui.core.language.values import spell
from tui.core.rules.system import InitiativeSystem, rows_of
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.manual import ManualChapter
from tui.manual.glossary import glossary
from tui.store.library.supply import KnownCreature
from tui.ui.panes import card
from tui.ui.state.commands import GROUPS, Command, show_key
from tui.ui.state.scene import (
    Scene,
    creatures,
    row_name,
)
from tui.ui.text.glyphs import STATES, Glyphs, state_sign
from tui.ui.text.rows import words

CARD_WIDTH = 10_000
"""Columns for the lines of a card, which the page wraps."""


class Explained(Struct, frozen=True):
    """An entry of the help."""

    part: str
    """The title of the help's part that has the entry."""
    head: str
    """The heading of the entry."""
    text: str
    also: str = ""
    """Further words by which a search finds the entry."""
    chapter: ManualChapter | None = None
    """The manual's chapter, which is searched and opened whole; None for other entries."""
    creature: KnownCreature | None = None
    """The creature that the entry is about, found by the beginnings of its words alone; else None."""

    def has(self, word: str) -> bool:
        """Return whether the entry contains a word, given in lower case."""
        if self.creature:
            return any(own.startswith(word) for own in self.head.lower().split())
        texts = (self.head, self.text, self.also, self.chapter.text if self.chapter else "")
        return any(word in text.lower() for text in texts)


def describe_row(scene: Scene, key: str, conditions: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """Return a row's name and lines about it: the reasons for its place, its whole card, and `conditions`."""
    c = scene.encounter.combatants.get(key)
    entry = f"@{c.group}" if c and c.group else key
    rows = () if scene.viewed else rows_of(scene.encounter, scene.system)
    reasons = next((r.why for r in rows if r.entry in (key, entry)), ())
    lines = [text(scene.encounter, s) + (f" ({s.rule})" if s.rule else "") for s in reasons]
    cited = dict.fromkeys(s.rule for s in reasons if s.rule in scene.system.clauses)
    lines += [f"{clause}: {scene.system.clauses[clause]}" for clause in cited]
    some = creatures(scene, key)
    owners = list(dict.fromkeys(owner for x in some for owner in x.owners))
    played = f", played by {' and '.join(owners)}" if owners else ""
    lines += [f"on the side {side}{played}" for side in dict.fromkeys(x.side for x in some)]
    lines += [words(row).strip() for row in card.lines(scene, key, CARD_WIDTH)]
    return row_name(scene, key), (*lines, *conditions)


def rule_text(scene: Scene, clause: str) -> tuple[str, ...]:
    """Return a clause in our own words; for an unknown clause, the system's summary and credit."""
    rules = scene.system
    if clause in rules.clauses:
        return (rules.clauses[clause],)
    return (rules.summary, rules.credit)


KEYS = (
    ("digits", "a count: 12d is 12 damage, 3n three times, 5a five of them"),
    (":", "every key stands for a line that you can also type after :"),
)


MOMENT = "Keys of this moment"
"""The part of the help that comes first, and is left out as soon as something is searched."""


def manual(
    commands: Iterable[Command], system: InitiativeSystem, words: Iterable[tuple[str, str]] = ()
) -> tuple[Explained, ...]:
    """Return keys by group, the system's words, meanings, rules, fields, house rules, and every line."""
    return (
        *keys_of_help(tuple(commands)),
        *_system(system),
        *(Explained("Words", word, means) for word, means in glossary(system).items()),
        *(Explained("Rules", clause, text) for clause, text in system.clauses.items()),
        *_fields("Fields of a creature", system.fields),
        *_fields("House rules (option KEY=VALUE)", (*system.options, *COMMON_OPTIONS)),
        *(Explained("Lines", usage(verb), summary(verb)) for verb in verbs()),
        *(Explained("Lines", line, means) for line, means in words),
    )


def keys_of_help(table: tuple[Command, ...]) -> Iterator[Explained]:
    """Yield an entry for each command with a key, by group, then the keys of counts and lines."""
    for group, title in GROUPS.items():
        for c in table:
            if c.group == group and c.keys:
                yield Explained(
                    f"Keys: {title}",
                    " ".join(show_key(k) for k in c.keys),
                    c.help,
                    f"{c.words} {c.hint} {c.also}",
                )
    yield from (Explained("Keys: counts and lines", key, text) for key, text in KEYS)


def _system(system: InitiativeSystem) -> Iterator[Explained]:
    """Yield the summary of the system, its verbs, and the meaning of the short words on rows."""
    yield Explained(system.title, system.id, system.summary, system.credit)
    for verb in system.verbs:
        yield Explained(
            system.title, " ".join(x for x in (verb.key, verb.name) if x), f"{verb.usage}: {verb.help}"
        )
    known = glossary(system)
    for mark in system.all_marks.values():
        if mark.short and mark.word and mark.short not in known:
            yield Explained(system.title, mark.short, mark.word)


def list_signs(glyphs: Glyphs) -> Iterator[Explained]:
    """Yield what the signs of rows mean; nothing for a screen reader, which reads words instead."""
    signs = {state_sign(glyphs, state): look.word or "waits" for state, look in STATES.items()}
    signs |= {glyphs.concentration: "concentrates", glyphs.selected: "selected", glyphs.owed: "owes a roll"}
    if not glyphs.spoken:
        yield from (Explained("Signs on rows", sign, means) for sign, means in signs.items())
        yield Explained("Signs on rows", " ".join(glyphs.sides), "a side each")


def _fields(title: str, fields: Iterable[Field]) -> Iterator[Explained]:
    for f in fields:
        text = f.help or f.title
        text += f" ({', '.join(f.choices)})" if f.choices else ""
        yield Explained(title, f.key, text + (f", default {spell(f.default)}" if f.default != "" else ""))
