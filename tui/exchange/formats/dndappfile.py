"""DnDAppFile XML, which Fight Club and Game Master 5 read: a compendium, or its monsters alone."""

from __future__ import annotations

from typing import Any

from tui.exchange.document import Element
from tui.exchange.mapping import To, by_scores, take, withstood
from tui.exchange.registry import Entries, Format
from tui.exchange.values import bonus, dice, passive, size, spelt_saves, text


def _named(name: str) -> Any:
    return lambda value: bonus(name, value)


TABLE = (
    To("hp", "hp"),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "init"),
    To("initiative", "initiative"),
    To("per", "skill", _named("perception")),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "skill", _named("stealth")),
    To("passive", "passive"),
    To("passive", "senses", passive),
    To("con", "save", _named("con")),
    To("source", "source", text),
    *withstood("resist", "vulnerable", "immune"),
    To("saves", "save", spelt_saves),
    *by_scores("dex", "con", "wis"),
)


def _monsters(root: Element) -> list[Element]:
    inside = [root, *root.inside]
    return [e for e in inside if e.tag == "monster"] or [
        e for x in inside for e in x.inside if e.tag == "monster"
    ]


def _take(root: Element) -> Entries:
    for monster in _monsters(root):
        entry = monster.plain()
        if isinstance(entry, dict) and (taken := take(entry, TABLE)):
            yield taken


def _fits(value: Any) -> bool:
    return isinstance(value, Element) and bool(_monsters(value))


DND_APP_FILE = Format("DnDAppFile XML", ("xml",), _fits, _take)
