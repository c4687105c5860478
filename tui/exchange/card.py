"""Whatever of an entry has no place of its own, as text that people can read: the card."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tui.core.base.text import PAGE_LIMIT, clean_page
from tui.exchange.plaintext import plain

_NAMES = ("name", "Name", "title", "label")
_MODIFIERS = ("modifier", "Modifier", "bonus", "mod")
_TEXTS = ("desc", "description", "text", "Content", "content", "entries", "effect", "value")
_DEPTH = 12
_SHORT = 70  # characters of a text that stands among others
_LINE = 240  # of a line of such texts
_NOTHING: tuple[Any, ...] = (None, "", [], {}, False)

Path = tuple[str, ...]


def card(entry: Mapping[str, Any], used: Collection[Path] = (), noise: Collection[str] = ()) -> str:
    """The lines of everything that is not at a `used` path and not called like `noise`, the machine's own words."""
    ordered = dict(sorted(entry.items(), key=lambda pair: _place(str(pair[0]))))
    lines = list(_table(ordered, (), frozenset(used), frozenset(noise)))
    return clean_page("\n".join(lines), 4 * PAGE_LIMIT)


_ORDER = (
    "size", "type", "subtype", "race", "alignment", "level", "challenge", "cr", "ac", "armor", "hp", "hit", "speed", "walk",
    "abilit", "stats", "str", "dex", "con", "int", "wis", "cha", "strength", "dexterity", "constitution",
    "intelligence", "wisdom", "charisma", "save", "saving", "skill", "damage vuln", "vuln", "damage res", "resist",
    "damage imm", "immun", "condition", "sense", "passive", "lang", "special", "trait", "spell", "multi", "action", "bonus",
    "reaction", "legendary", "mythic", "lair", "regional", "desc",
)  # fmt: skip
"""Beginnings of keys in the order of a printed stat block; other keys keep their order before the abilities."""


def _place(key: str) -> int:
    low = label(key).lower()
    found = next(
        (i for i, word in enumerate(_ORDER) if low == word or (len(word) > 3 and low.startswith(word))), None
    )
    return _ORDER.index("special") - 1 if found is None else found


def _table(entry: Mapping[str, Any], at: Path, used: frozenset[Path], noise: frozenset[str]) -> Iterator[str]:
    for key, value in entry.items():
        where = (*at, str(key))
        if where in used or key in noise or value in _NOTHING:
            continue
        yield from _lines(label(str(key)), value, where, used, noise)


def _lines(title: str, value: Any, at: Path, used: frozenset[Path], noise: frozenset[str]) -> Iterator[str]:
    inside = _leaf(value, at, used, noise)
    if inside is not None:
        if inside:
            yield f"{title}: {inside}"
        return
    if isinstance(value, list):
        yield from _list(title, value, at, used, noise)
    elif len(at) < _DEPTH:
        named = _named(value, at, used, noise)
        if named:
            yield f"{title}: {named}"
        else:
            below = list(_table(value, at, used, noise))
            yield from [title, *below] if below else []


def _list(
    title: str, value: list[Any], at: Path, used: frozenset[Path], noise: frozenset[str]
) -> Iterator[str]:
    below: list[str] = []
    for i, item in enumerate(value):
        where = (*at, str(i))
        if not isinstance(item, dict):
            below += [plain(str(item))] if item not in _NOTHING else []
        elif named := _named(item, where, used, noise):
            below.append(named)
        elif len(at) < _DEPTH:
            below += _table(item, where, used, noise)
    if below:
        yield from ["", title, *below]


def _leaf(value: Any, at: Path, used: frozenset[Path], noise: frozenset[str]) -> str | None:
    """A value that stands on one line; None for one that does not."""
    if isinstance(value, str):
        return plain(value).strip()
    found = _inline(value, at, used, noise)
    return found if found is not None and len(found) <= _LINE else None


def _inline(value: Any, at: Path, used: frozenset[Path], noise: frozenset[str]) -> str | None:
    """A value in a few words; None where it has texts, or names with texts, which want lines of their own."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, str):
        return plain(value).strip() if len(value) <= _SHORT else None
    if len(at) > _DEPTH or (isinstance(value, dict) and any(k in value for k in _TEXTS if k != "value")):
        return None
    parts = list[str]()
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        where = (*at, str(key))
        if inside in _NOTHING or key in noise or where in used:
            continue
        told = _counted(inside) if isinstance(inside, dict) else None
        if told is None:
            told = "" if inside is True else _inline(inside, where, used, noise)
        if told is None:
            return None
        name = label(str(key)).lower() if isinstance(value, dict) and key not in _NAMES else ""
        parts.append(f"{name} {told}".strip())
    return ", ".join(parts)


def _counted(item: Mapping[str, Any]) -> str | None:
    """`Stealth +6` for a table of a name and its number; None for any other."""
    left = {k: v for k, v in item.items() if v not in (None, "")}
    name = next((left[k] for k in _NAMES if isinstance(left.get(k), str)), None)
    number = next((left[k] for k in _MODIFIERS if isinstance(left.get(k), int)), None)
    return f"{plain(name)} {number:+}" if name and number is not None and len(left) == 2 else None


def _named(item: Mapping[str, Any], at: Path, used: frozenset[Path], noise: frozenset[str]) -> str:
    """`Name. What it does` with whatever else is told of it; "" for a table without a name."""
    name = next((item[k] for k in _NAMES if isinstance(item.get(k), str) and item[k]), "")
    if not name:
        return ""
    told = next((k for k in _TEXTS if k in item and item[k] not in _NOTHING), "")
    words = " ".join(flat(item[told])) if told else ""
    rest = {k: v for k, v in item.items() if k not in (*_NAMES, told)}
    more = [line.strip() for line in _table(rest, at, used, noise) if line.strip()]
    title = plain(name).strip().rstrip(".:")
    return f"{title}. {words}".rstrip(". ") + "." + (f" ({'; '.join(more)})" if more else "")


def flat(value: Any, depth: int = 0) -> Iterator[str]:
    """The texts inside lists and tables, in order."""
    if isinstance(value, str):
        yield plain(value).strip()
    elif isinstance(value, list) and depth < _DEPTH:
        for item in value:
            yield from flat(item, depth + 1)
    elif isinstance(value, dict) and depth < _DEPTH:
        name = next((value[k] for k in _NAMES if isinstance(value.get(k), str)), "")
        if name:
            yield f"{plain(name)}."
        for key, item in value.items():
            if key not in (*_NAMES, "type", "style") and isinstance(item, str | list | dict):
                yield from flat(item, depth + 1)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"{value:g}"


def label(key: str) -> str:
    """A key as people would write it: `hit_dice` and `hitDice` are `Hit dice`."""
    words = (
        re.sub(r"(?<=[a-z])(?=[A-Z])|[_\s]+", " ", key.removesuffix("_json").removesuffix("_display"))
        .strip()
        .lower()
    )
    return words[:1].upper() + words[1:] if words else "…"
