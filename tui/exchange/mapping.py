"""Make a stat block from an entry by a table of keys; values that the table does not use become the card."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from tui.core.base.text import PAGE_LIMIT, clean, clean_name, clean_page, quote
from tui.core.fight.combatant import FightState, StatBlock
from tui.core.fight.encounter import USUAL_SIDES
from tui.core.rules.creature_fields import MOST_HP
from tui.exchange import foreign_values
from tui.exchange.card_attacks import find_attacks, find_regeneration
from tui.exchange.foreign_values import (
    ABILITIES,
    LONG_ABILITIES,
    drop_blank_lines,
    modifier,
    strip_markup,
    whole,
)
from tui.exchange.limits import find_counters

_NAMES = ("name", "Name", "title", "label")
_MODIFIERS = ("modifier", "Modifier", "bonus", "mod")
_QUIET_KEYS = (*_NAMES, "value", "type", "mod", "base", "number", "average", "formula", "from", "condition")
"""Keys whose names the card omits, because their values are clear alone."""
_TEXTS = ("desc", "description", "text", "Content", "content", "entries", "effect", "value")
_DEPTH = 12
_SHORT = 70  # characters of a text that shares its line
_LINE = 240  # of a line of such texts
_EMPTY_VALUES: tuple[Any, ...] = (None, "", [], {}, False, "False")

Path = tuple[str, ...]


FIELD_TITLES = {
    "hp": "hit points",
    "hp_dice": "dice",
    "ac": "AC",
    "initiative": "initiative",
    "per": "Perception",
    "int": "Intelligence",
    "size": "size",
    "stealth": "Stealth",
    "passive": "passive",
    "con": "Con save",
    "kind": "kind",
    "source": "source",
    "resist": "resists",
    "vulnerable": "vulnerable to",
    "immune": "immune to",
    "saves": "saves",
    "cr": "CR",
    "level": "level",
}
"""The titles of the targets on the screen."""


def write_card_lines(
    entry: Mapping[str, Any], used: Collection[Path] = (), noise: Collection[str] = ()
) -> str:
    """Return every value as lines, without those at the paths in `used` and the keys in `noise`.

    Keys come in the order of a stat block, ability scores on one line.
    """
    ordered = dict(sorted(_join_scores(entry).items(), key=lambda pair: _sort_place(str(pair[0]))))
    lines = list(_write_table(ordered, (), frozenset(used), frozenset(noise)))
    return clean_page("\n".join(lines), 4 * PAGE_LIMIT)


def _join_scores(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry with its ability scores joined at `abilities`: `Str 18 (+4), Dex 14 (+2)`."""
    keys = [k for k in entry if str(k).lower() in (*ABILITIES, *LONG_ABILITIES)]
    scores = {str(k)[:3].lower(): entry[k] for k in keys if whole(entry[k]) is not None}
    rest = {k: v for k, v in entry.items() if k not in keys}
    texts = [f"{k.capitalize()} {_write_score(scores[k])}" for k in ABILITIES if k in scores]
    return {**rest, "abilities": ", ".join(texts)} if texts and "abilities" not in entry else dict(entry)


def _write_score(value: Any) -> str:
    """Return `18 (+4)` for a score, and a text with a sign as it is: it is the modifier."""
    number = whole(value) or 0
    is_modifier = isinstance(value, str) and value.strip()[:1] in ("+", "-", "\u2212")
    return f"{number:+}" if is_modifier else f"{number} ({modifier(number):+})"


_ORDER = (
    "size", "type", "subtype", "race", "alignment", "level", "challenge", "cr", "ac", "armor", "hp", "hit",
    "speed", "walk",
    "abilit", "stats", "str", "dex", "con", "int", "wis", "cha", "strength", "dexterity", "constitution",
    "intelligence", "wisdom", "charisma", "save", "saving", "skill", "damage vuln", "vuln", "damage res",
    "resist",
    "damage imm", "immun", "condition", "sense", "passive", "lang", "special", "trait", "spell", "multi",
    "action", "bonus",
    "reaction", "legendary", "mythic", "lair", "regional", "desc",
)  # fmt: skip
"""Beginnings of keys in the order of a stat block; other keys come before the abilities."""


def _sort_place(key: str) -> int:
    low = label_of_key(key).lower()
    number = next(
        (i for i, word in enumerate(_ORDER) if low == word or (len(word) > 3 and low.startswith(word))), None
    )
    return _ORDER.index("special") - 1 if number is None else number


def _write_table(
    entry: Mapping[str, Any], at: Path, used: frozenset[Path], noise: frozenset[str]
) -> Iterator[str]:
    for key, value in entry.items():
        where = (*at, str(key))
        if where in used or key in noise or value in _EMPTY_VALUES:
            continue
        yield from _write_value(label_of_key(str(key)), value, where, used, noise)


def _write_value(
    title: str, value: Any, at: Path, used: frozenset[Path], noise: frozenset[str]
) -> Iterator[str]:
    inside = _write_leaf(value, at, used, noise)
    if inside is not None:
        if inside:
            yield f"{title}: {inside}"
        return
    if isinstance(value, list):
        yield from _write_list(title, value, at, used, noise)
    elif len(at) < _DEPTH:
        text = _write_named(value, at, used, noise)
        if text:
            yield f"{title}: {text}"
        else:
            below = list(_write_table(value, at, used, noise))
            yield from [title, *below] if below else []


def _write_list(
    title: str, value: list[Any], at: Path, used: frozenset[Path], noise: frozenset[str]
) -> Iterator[str]:
    below: list[str] = []
    for i, item in enumerate(value):
        where = (*at, str(i))
        if not isinstance(item, dict):
            below += [strip_markup(str(item))] if item not in _EMPTY_VALUES else []
        elif text := _write_named(item, where, used, noise):
            below.append(text)
        elif (
            len(item) == 1
            and isinstance(words := next(iter(item.values())), str)
            and set(item) <= set(_TEXTS)
        ):
            below.append(strip_markup(words).strip())
        elif len(at) < _DEPTH:
            below += _write_table(item, where, used, noise)
    if below:
        yield from ["", title, *below]


def _write_leaf(value: Any, at: Path, used: frozenset[Path], noise: frozenset[str]) -> str | None:
    """Return a value as one line; None if it is too long for a line or needs several."""
    if isinstance(value, str):
        return strip_markup(value).strip()
    text = _write_inline(value, at, used, noise)
    return text if text is not None and len(text) <= _LINE else None


def _write_inline(value: Any, at: Path, used: frozenset[Path], noise: frozenset[str]) -> str | None:
    """Return a value as one line; None if it contains longer texts, which need lines of their own."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, str):
        return strip_markup(value).strip() if len(value) <= _SHORT and "\n" not in value else None
    if len(at) > _DEPTH or (isinstance(value, dict) and any(k in value for k in _TEXTS if k != "value")):
        return None
    parts = list[str]()
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        where = (*at, str(key))
        if inside in _EMPTY_VALUES or key in noise or where in used:
            continue
        text = _write_modifier(inside) if isinstance(inside, dict) else None
        if text is None:
            text = "" if inside is True else _write_inline(inside, where, used, noise)
        if text is None:
            return None
        is_told = not isinstance(value, dict) or key in _QUIET_KEYS or key in at
        name = "" if is_told else label_of_key(str(key)).lower()
        parts.append(f"{name} {text}".strip())
    return ", ".join(parts)


def _write_modifier(item: Mapping[str, Any]) -> str | None:
    """Return `Stealth +6` for a table of a name and its number; None for other tables."""
    filled = {k: v for k, v in item.items() if v not in (None, "")}
    name = next((filled[k] for k in _NAMES if isinstance(filled.get(k), str)), None)
    number = next((filled[k] for k in _MODIFIERS if isinstance(filled.get(k), int)), None)
    return f"{strip_markup(name)} {number:+}" if name and number is not None and len(filled) == 2 else None


def _write_named(item: Mapping[str, Any], at: Path, used: frozenset[Path], noise: frozenset[str]) -> str:
    """Return `Name. Text. (other values)` of a table; "" for a table without a name."""
    name = next((item[k] for k in _NAMES if isinstance(item.get(k), str) and item[k]), "")
    if not name:
        return ""
    text = next((k for k in _TEXTS if k in item and item[k] not in _EMPTY_VALUES), "")
    words = drop_blank_lines(" ".join(flatten_texts(item[text]))) if text else ""
    rest = {k: v for k, v in item.items() if k not in (*_NAMES, text)}
    more = [line.strip() for line in _write_table(rest, at, used, noise) if line.strip()]
    title = strip_markup(name).strip().rstrip(".:,")
    return f"{title}. {words}".rstrip(". ") + "." + (f" ({'; '.join(more)})" if more else "")


def flatten_texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts inside lists and tables, in order."""
    if isinstance(value, str):
        yield strip_markup(value).strip()
    elif isinstance(value, list) and depth < _DEPTH:
        for item in value:
            yield from flatten_texts(item, depth + 1)
    elif isinstance(value, dict) and depth < _DEPTH:
        name = next((value[k] for k in _NAMES if isinstance(value.get(k), str)), "")
        if name:
            yield f"{strip_markup(name)}."
        for key, item in value.items():
            if key not in (*_NAMES, "type", "style") and isinstance(item, str | list | dict):
                yield from flatten_texts(item, depth + 1)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"{value:g}"


def write_feature(name: str, text: str) -> str:
    """Return `Name. Text`; the name alone if the text is empty, and the text alone without a name."""
    title, words = name.strip().rstrip(".:,"), drop_blank_lines(text).strip()
    return f"{title}. {words}".rstrip() if title else words


def label_of_key(key: str) -> str:
    """Return a key as words: `Hit dice` for `hit_dice` and `hitDice`."""
    words = (
        re.sub(r"(?<=[a-z])(?=[A-Z])|[_\s]+", " ", key.removesuffix("_json").removesuffix("_display"))
        .strip()
        .lower()
    )
    words = " ".join(word.upper() if word in _INITIALS else word for word in words.split())
    return words[:1].upper() + words[1:] if words else "…"


_INITIALS = ("xp", "hp", "ac", "dc", "cr")


Target = Literal[
    "hp", "hp_dice", "ac", "initiative", "per", "int", "size", "stealth", "passive", "con", "kind", "source",
    "resist", "vulnerable", "immune", "saves", "cr", "level",
]  # fmt: skip
_FIELDS: tuple[Target, ...] = (
    "per", "int", "size", "stealth", "passive", "con", "kind", "resist", "vulnerable", "immune", "saves",
    "cr", "level",
)  # fmt: skip
_DEFENCES = ("resist", "vulnerable", "immune", "saves")
_MOST_NUMBER = 999
HIGHEST_LEVEL = 20


class To(Struct, frozen=True):
    """One row of a format's table: the value at `path` (keys and indexes with dots) is read into `target`.

    The first row of a target that gives a value counts. An empty path reads the whole entry.
    """

    target: Target
    path: str
    read: Callable[[Any], int | str | None] = whole


def by_scores(dexterity: str, constitution: str, wisdom: str) -> tuple[To, ...]:
    """Return rows that derive initiative, Stealth, Perception and Constitution saves from scores.

    The arguments are the paths of the ability scores.
    """
    rows: tuple[tuple[Target, str], ...] = (
        ("initiative", dexterity),
        ("stealth", dexterity),
        ("con", constitution),
        ("per", wisdom),
    )
    return tuple(To(target, path, modifier) for target, path in rows)


def by_defences(resist: str, vulnerable: str, immune: str) -> tuple[To, ...]:
    """Return rows for the kinds of damage that a creature resists, is vulnerable to, or is immune to."""
    return (
        To("resist", resist, foreign_values.damage_kinds),
        To("vulnerable", vulnerable, foreign_values.damage_kinds),
        To("immune", immune, foreign_values.damage_kinds),
    )


class Imported(Struct, frozen=True):
    """A creature read from a file."""

    block: StatBlock
    sources: tuple[tuple[str, str], ...] = ()
    """The target and the path of each value that was read."""
    is_cut: bool = False
    """Whether the card was cut because it is too long."""
    key: str = ""
    """The name by which other entries of the import refer to this one; "" if none can."""
    base_key: str = ""
    """The key of the creature that completes this one; "" for none."""
    amount: str = ""
    """How many an encounter has, as a number or dice; "" for one."""
    is_row: bool = False
    """Whether this is a row of an encounter."""
    fight_state: FightState | None = None
    """The creature's state in a saved fight, None for other files."""


class Unread(Struct, frozen=True):
    """A part of a file of a known format that could not be read, and why."""

    cause: str
    line: int = 1
    """The line of the part in the document, from 1."""
    near: str = ""
    """A text of the part by which its line in the file is found, if the format knows no lines."""


def refuse_entry(row: Mapping[str, Any], missing: str = "hit points") -> Unread:
    """Return the refusal of an entry without a name, or without what else is `missing`."""
    texts = [x for x in row.values() if isinstance(x, str) and len(x) > 2]
    name = clean_creature_name(next((row[key] for key in _NAMES if row.get(key)), ""))
    near = name or next((x.split("\n")[0][:40] for x in texts), "")
    return Unread(f"{name} has no {missing}" if name else "an entry has no name", near=near)


def refuse_row(row: Any) -> Unread:
    """Return the refusal of a row of an encounter without a name."""
    return Unread(f"this row of an encounter names no creature: {str(row)[:80]}")


def at(entry: Any, path: str) -> Any:
    """Return the value at a path such as `actions.0.name`; None if it is missing."""
    for part in path.split(".") if path else ():
        if isinstance(entry, Mapping):
            entry = entry.get(part)
        elif isinstance(entry, Sequence) and not isinstance(entry, str) and part.isdecimal():
            entry = entry[int(part)] if int(part) < len(entry) else None
        else:
            return None
    return entry


def take(
    entry: Mapping[str, Any],
    table: Iterable[To],
    *,
    name: Any = None,
    noise: Collection[str] = (),
    text: str | None = None,
    key: str = "",
    like: str = "",
) -> Imported | None:
    """Return the creature of an entry; None if it has no name.

    `name` and `text` (the card) replace those of the entry; `noise` are keys that no reader needs.
    """
    title = clean_creature_name(name if name is not None else entry.get("name"))
    if not title:
        return None
    data: dict[str, Any] = {}
    mapped, used = list[tuple[str, str]](), set[Path]({("name",), ("Name",)} if name is None else ())
    for row in table:
        raw = at(entry, row.path)
        value = _fit_target(row.target, row.read(raw)) if row.target not in data and raw is not None else None
        if value is None:
            continue
        data[row.target] = value
        mapped.append((row.target, row.path))
        # Defences stay on the card, where people look for them.
        if row.path and row.target not in _DEFENCES and _says_all(raw, value):
            used.add(tuple(row.path.split(".")))
    if "hp" not in data and (average := foreign_values.average(data.get("hp_dice"))) is not None:
        data["hp"] = average
        mapped.append(("hp", "the average of hp_dice"))
    if "passive" not in data and "per" in data:
        data["passive"] = 10 + data["per"]
        mapped.append(("passive", "10 and per"))
    page = clean_page(
        foreign_values.tidy_card(write_card_lines(entry, used, noise) if text is None else text),
        4 * PAGE_LIMIT,
    )
    return Imported(make_stat_block(title, data, page), tuple(mapped), len(page) > PAGE_LIMIT, key, like)


def make_stat_block(name: str, table: Mapping[str, Any], page: str) -> StatBlock:
    """Return the stat block with these values; a card that is too long is cut."""
    return StatBlock(
        name,
        table.get("source", ""),
        table.get("hp"),
        table.get("hp_dice", ""),
        table.get("ac"),
        table.get("initiative"),
        {
            **{k: table[k] for k in _FIELDS if k in table},
            **({"attacks": can} if (can := find_attacks(page)) else {}),
        },
        counters=find_counters(page),
        conditions=find_regeneration(page),
        card=clean_page(page, PAGE_LIMIT),
    )


def read_standing(
    most: int | None = None,
    now: Any = None,
    temporary: Any = None,
    *,
    hidden: Any = None,
    ally: Any = None,
    note: Any = None,
    conditions: Iterable[str] = (),
) -> FightState | None:
    """Return the state of a creature in a fight; None if it stands unhurt, in sight, among the foes.

    `most` and `now` are hit points; a condition is written as `condition` takes it after WHO.
    """
    keys = {"hidden": "yes"} if is_true(hidden) else {}
    if is_true(ally):
        keys |= {"kind": "npc", "side": USUAL_SIDES[0]}
    hp, extra = whole(now), whole(temporary)
    if hp is not None and most is not None and hp < most:
        # Some trackers count below 0.
        keys |= {"hp": str(max(0, hp)), "max_hp": str(most)}
    if extra and 0 < extra < MOST_HP:
        keys["temp_hp"] = str(extra)
    if words := clean(note if isinstance(note, str) else "", 200):
        keys["note"] = words
    borne = tuple(dict.fromkeys(filter(None, conditions)))
    return FightState(keys, borne) if keys or borne else None


def write_condition(name: Any, rounds: Any = None, until: str = "end") -> str:
    """Return a condition as a line takes it, with its remaining rounds if it ends; "" without a name."""
    title, left = clean_name(str(name or "")[:60]), whole(rounds)
    timed = f" rounds={left} until={until}" if left and 0 < left < 1_000 else ""
    return f"{quote(title)}{timed}" if title else ""


def is_true(value: Any) -> bool:
    """Return whether a value of a file means yes."""
    return value is True or str(value).strip().lower() in ("true", "yes", "1")


def clean_creature_name(value: Any) -> str:
    """Return a name with characters replaced that a line cannot write; "" for none."""
    if not isinstance(value, str | int) or isinstance(value, bool):
        return ""
    plain = _LEVEL.sub("", str(value)[:400]).replace('"', "'").replace(",", " ").lstrip("@ ")
    text = clean(plain, 64)
    return f"The {text}" if text.lower() in ("gm", "none") else text


_LEVEL = re.compile(r"[ ]{1,4}\((?:LV|LVL|Level) ?\d{1,2}\)[ ]{0,4}$", re.IGNORECASE)
_BOOK = re.compile(r" \([^()]{1,60}\)$")


def strip_book(name: str) -> str:
    """Return a name without a book in brackets at its end."""
    return _BOOK.sub("", name)


def _fit_target(target: Target, value: int | str | None) -> int | str | None:
    """Return the value if a library file may have it for this target, else None."""
    if target == "hp":
        return value if isinstance(value, int) and 0 <= value <= MOST_HP else None
    if target == "source":
        return clean(value, 200) or None if isinstance(value, str) else None
    if target == "level":
        return value if isinstance(value, int) and 1 <= value <= HIGHEST_LEVEL else None
    if target in ("hp_dice", "size", "kind", "cr", *_DEFENCES):
        return value if isinstance(value, str) and value else None
    return value if isinstance(value, int) and abs(value) <= _MOST_NUMBER else None


def _says_all(raw: Any, value: int | str) -> bool:
    """Return whether the value says everything in the raw text, so that the card can omit it."""
    return str(raw).strip().removeprefix("+").replace(" ", "").lower() == str(value).lower()
