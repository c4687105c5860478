"""DnDAppFile XML, which Fight Club and Game Master 5 read: a compendium, or its monsters alone."""

from __future__ import annotations

from typing import Any

from tui.exchange.document import Element
from tui.exchange.mapping import To, take
from tui.exchange.registry import Entries, Format
from tui.exchange.values import bonus, dice, kinds, modifier, passive, size, spelt_saves, text


def _named(name: str) -> Any:
    return lambda value: bonus(name, value)


TABLE = (
    To("hp", "hp"),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "init"),
    To("initiative", "initiative"),
    To("initiative", "dex", modifier),
    To("per", "skill", _named("perception")),
    To("per", "wis", modifier),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "skill", _named("stealth")),
    To("stealth", "dex", modifier),
    To("passive", "passive"),
    To("passive", "senses", passive),
    To("con", "save", _named("con")),
    To("con", "con", modifier),
    To("source", "source", text),
    To("resist", "resist", kinds),
    To("vulnerable", "vulnerable", kinds),
    To("immune", "immune", kinds),
    To("saves", "save", spelt_saves),
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
