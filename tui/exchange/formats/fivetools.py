"""5etools: a bestiary file, its `monster` list, one creature of it, or an encounter saved by its builder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from tui.core.language.spoken import explain_gone
from tui.exchange.foreign_values import (
    dice,
    has,
    has_some,
    list_tables,
    modifier,
    rating,
    size,
    strip_markup,
    text,
    whole,
    write_saves,
)
from tui.exchange.mapping import (
    To,
    Unread,
    at,
    by_defences,
    by_scores,
    refuse_entry,
    refuse_row,
    take,
    write_card_lines,
    write_feature,
)
from tui.exchange.registry import Entries, Format


def _read_armour(value: Any) -> int | None:
    """Return the armour class: a number, or the first of a list of numbers and tables."""
    first = value[0] if isinstance(value, list) and value else value
    return whole(first.get("ac")) if isinstance(first, dict) else whole(first)


def _read_hit_points(value: Any) -> int | None:
    """Return the average of the hit points, else `special` if that is a number."""
    if not isinstance(value, dict):
        return whole(value)
    return whole(value.get("average")) or whole(value.get("special"))


def _read_initiative(entry: Any) -> int | None:
    """Return the number of `initiative`; for `{"proficiency": 2}`, Dexterity plus twice the bonus."""
    value = entry.get("initiative")
    if not isinstance(value, dict):
        return whole(value)
    if (own := whole(value.get("initiative"))) is not None:
        return own
    times, dexterity = whole(value.get("proficiency")), modifier(entry.get("dex"))
    return None if times is None or dexterity is None else dexterity + times * _proficiency_bonus(entry)


def _proficiency_bonus(entry: Mapping[str, Any]) -> int:
    """Return the proficiency bonus of a challenge rating: 2, and 1 more for every 4 above 4."""
    rating = str(at(entry, "cr.cr") or entry.get("cr"))
    return 2 if "/" in rating else 2 + max(0, (whole(rating) or 1) - 1) // 4


def _read_saves(value: Any) -> str | None:
    return write_saves(value) if isinstance(value, dict) else None


TABLE = (
    To("source", "source", text),
    To("hp", "hp", _read_hit_points),
    To("hp_dice", "hp.formula", dice),
    To("ac", "ac", _read_armour),
    To("initiative", "", _read_initiative),
    To("per", "skill.perception"),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "skill.stealth"),
    To("passive", "passive"),
    To("con", "save.con"),
    *by_defences("resist", "vulnerable", "immune"),
    To("saves", "save", _read_saves),
    To("cr", "cr.cr", rating),
    To("cr", "cr", rating),
    *by_scores("dex", "con", "wis"),
)

NOISE = (
    "page", "srd", "srd52", "basicRules", "basicRules2024", "hasToken",
    "hasFluff",
    "hasFluffImages", "soundClip", "tokenCredit", "tokenCustom", "token", "tokenUrl", "tokenHref", "altArt",
    "otherSources", "reprintedAs", "isReprinted", "referenceSources", "traitTags", "actionTags", "miscTags",
    "damageTags", "damageTagsLegendary", "damageTagsSpell", "spellcastingTags", "conditionInflict",
    "conditionInflictLegendary", "conditionInflictSpell", "savingThrowForced", "savingThrowForcedLegendary",
    "savingThrowForcedSpell", "senseTags", "languageTags", "attachedItems", "hash", "uniqueId", "isNpc",
    "isNamedCreature", "dragonCastingColor", "foundryTokenScale", "familiar", "treasure", "dragonAge",
    "group",
    "alias", "shortName", "legendaryGroup", "cond", "braces", "canHover",
)  # fmt: skip
"""Keys that only the site needs: search tags made from the entry's text, pictures, and marks."""


# --- the card

_SECTIONS = (
    ("trait", "Traits"),
    ("spellcasting", "Spells"),
    ("action", "Actions"),
    ("bonus", "Bonus actions"),
    ("reaction", "Reactions"),
    ("legendary", "Legendary actions"),
    ("mythic", "Mythic actions"),
    ("variant", "Variants"),
)
_USUAL_LEGENDARY_ACTIONS = 3
"""The number of legendary actions if an entry has some without a number."""
_HIDDEN_KEYS = (
    "name", "source", "legendaryActions", "legendaryActionsLair", *(key for key, _ in _SECTIONS),
    *(f"{key}Header" for key, _ in _SECTIONS),
)  # fmt: skip
"""Keys that the general part of the card leaves out, because the stat block or the sections have them."""


def _write_card(entry: Mapping[str, Any]) -> str:
    """Return the card: values and sections."""
    rest = {k: v for k, v in entry.items() if k not in _HIDDEN_KEYS and k[:1] != "_"}
    sections = {title: lines for title, lines in _write_sections(entry) if lines}
    return write_card_lines({**rest, **sections}, noise=NOISE)


def _write_sections(entry: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    spells = list_tables(entry.get("spellcasting"))
    keys = [key for key, _ in _SECTIONS]
    for key, title in _SECTIONS:
        shown = [
            s for s in spells if (s.get("displayAs") if s.get("displayAs") in keys else "spellcasting") == key
        ]
        lines = [
            *_write_paragraphs(entry.get(f"{key}Header")),
            *(_write_feature(x) for x in list_tables(entry.get(key)) if x not in spells),
            *map(_write_spellcasting, shown),
        ]
        if key == "legendary":
            title = f"{title}: {whole(entry.get('legendaryActions')) or _USUAL_LEGENDARY_ACTIONS} each round"  # noqa: PLW2901
        yield title, lines


def _write_feature(row: Mapping[str, Any]) -> str:
    words = "\n".join(_write_paragraphs(row.get("entries", row.get("entry"))))
    return write_feature(strip_markup(str(row.get("name") or "")), words)


def _write_paragraphs(value: Any, depth: int = 10) -> Iterator[str]:
    """Yield the paragraphs of `entries`: texts, lists, tables, and named parts."""
    if isinstance(value, str):
        yield strip_markup(value).strip()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"{value:g}"
    elif isinstance(value, list) and depth:
        for one in value:
            yield from _write_paragraphs(one, depth - 1)
    elif isinstance(value, dict) and depth:
        if value.get("type") == "table":
            rows = value.get("rows")
            for row in (value.get("colLabels"), *(rows if isinstance(rows, list) else ())):
                cells = row if isinstance(row, list) else at(row, "row")
                if isinstance(cells, list):
                    yield " | ".join(" ".join(_write_paragraphs(x, depth - 1)) for x in cells)
            return
        if value.get("type") == "spellcasting":
            yield _write_spellcasting(value)
            return
        parts = [x for k in ("entry", "entries", "items") for x in _write_paragraphs(value.get(k), depth - 1)]
        name = strip_markup(str(value.get("name") or ""))
        if name and parts:
            parts[0] = write_feature(name, parts[0])
        yield from parts


def _write_spellcasting(row: Mapping[str, Any]) -> str:
    """Return spellcasting as lines: spells at will, by day or rest, and by level with slots."""
    hidden = row.get("hidden")
    shown = {k: v for k, v in row.items() if not (isinstance(hidden, list) and k in hidden)}
    lines = list(_write_paragraphs(row.get("headerEntries")))
    lists = [("Constant", shown.get("constant")), ("At will", shown.get("will"))]
    recharged = _as_table(shown.get("recharge")).items()
    lists += [(f"Recharge {least}\u20136", spells) for least, spells in recharged]
    for key, often in _SPELL_LISTS.items():
        limited = _as_table(shown.get(key))
        # `3`, `3e` (each), `1`: spells that can be cast most often come first, in any order of the file.
        for count, spells in sorted(
            limited.items(), key=lambda row: (-(whole(row[0]) or 0), row[0].endswith("e"))
        ):
            single = isinstance(spells, list) and len(spells) == 1
            alone = single and str(count).removesuffix("e") not in limited
            each = " each" if str(count).endswith("e") and not alone else ""
            lists.append((f"{str(count).removesuffix('e')}{often}{each}", spells))
    lists.append(("Rituals", shown.get("ritual")))
    levels = sorted(_as_table(shown.get("spells")).items(), key=lambda row: whole(row[0]) or 0)
    lists += [
        (_title_spell_level(level, one), one.get("spells")) for level, one in levels if isinstance(one, dict)
    ]
    lines += [f"{title}: {names}" for title, spells in lists if (names := _join_spell_names(spells))]
    lines += _write_paragraphs(row.get("footerEntries"))
    return write_feature(strip_markup(str(row.get("name") or "Spellcasting")), "\n".join(filter(None, lines)))


def _as_table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


_LEVELS = ("Cantrips", "1st level", "2nd level", "3rd level", *(f"{n}th level" for n in range(4, 10)))
_SPELL_LISTS = {
    "legendary": " legendary actions", "charges": " charges", "rest": "/rest", "restLong": "/long rest",
    "daily": "/day", "weekly": "/week", "monthly": "/month", "yearly": "/year",
}  # fmt: skip
"""Lists of spells by how often they are cast, with the words after the number."""


def _title_spell_level(level: str, one: Mapping[str, Any]) -> str:
    number, count, lower = whole(level) or 0, whole(one.get("slots")), whole(one.get("lower"))
    title = _LEVELS[min(number, 9)]
    if number and lower and count:
        return f"1st\u2013{title} ({count} {title.replace(' ', '-')} slots)"
    slots = f" ({count} slot{'s' * (count != 1)})" if count else ""
    return f"{title}{slots}" if number else f"{title} (at will)"


def _join_spell_names(value: Any) -> str:
    names = [
        strip_markup(str(x.get("entry") or "")) if isinstance(x, dict) else strip_markup(str(x))
        for x in (value if isinstance(value, list) else [])
        if not at(x, "hidden")
    ]
    return ", ".join(filter(None, names))


def _list_monsters(value: Any) -> list[dict[str, Any]]:
    return list_tables(value["monster"] if has(value, "monster") else value)


def _fits(value: Any) -> bool:
    rows = _list_monsters(value)
    # A score that is written as a text, `"dex": "+2"`, is another tool's modifier.
    numbered = [row for row in rows[:50] if not isinstance(row.get("dex"), str)]
    return has_some(numbered, "name", "hp", "dex", "ac") or has_some(rows, "name", "_copy", "source")


def _take(value: Any) -> Entries:
    copies = 0
    for row in _list_monsters(value):
        copies += "_copy" in row
        if "_copy" not in row:
            key = f"{row.get('name')}|{row.get('source')}".lower()
            has_both = has(row, "name", "hp")
            yield (take(row, TABLE, text=_write_card(row), key=key) if has_both else None) or refuse_entry(
                row
            )
    if copies:
        yield Unread(f"{copies} left out: {_refuse_copies(value)}")


def _refuse_copies(value: Any) -> str:
    """Return why entries that copy others are not read, and what works; "" if there are none."""
    gone = explain_gone("import", "_copy of 5etools")
    return "; ".join(gone) if gone and any("_copy" in row for row in _list_monsters(value)) else ""


FIVE_TOOLS = Format("5etools", ("json",), _fits, _take, rank=6, refuses=_refuse_copies)


_SMALL = frozenset({"of", "the", "and", "a", "an", "in", "with"})
_PERCENT_CODES = re.compile(r"(?:%[0-9A-Fa-f]{2}){1,100}")
_START = re.compile(r"[^\W\d_]")


def _list_encounter_rows(value: Any) -> list[dict[str, Any]]:
    """Return the rows of an encounter, each with a hash of name and book and a count; [] for other values."""
    for place in ("items", "l", "creatures", "creatureMetas"):
        inside = value.get(place) if isinstance(value, dict) else None
        rows = inside.get("items") if isinstance(inside, dict) else inside
        result = [r for r in list_tables(rows) if isinstance(r.get("h", r.get("hash")), str)]
        if result:
            return result
    return []


def _split_hash(line: str) -> tuple[str, str]:
    """Return the name and book in a hash such as `adult%20red%20dragon_mm`."""
    plain = _PERCENT_CODES.sub(
        lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "replace"), line[:400]
    )
    name, _, book = plain.rpartition("_")
    words = (name or book).split()
    # A hash is lower case throughout.
    titled = [
        w if i and w in _SMALL else _START.sub(lambda m: m[0].upper(), w, count=1)
        for i, w in enumerate(words)
    ]
    return " ".join(titled), book if name else ""


def _list_encounters(value: Any) -> Iterator[Any]:
    """Yield the encounter itself, or each one in a list of saved encounters."""
    yield value
    saved = value.get("savedEncounters") if isinstance(value, dict) else None
    for one in saved.values() if isinstance(saved, dict) else ():
        yield one.get("data") if isinstance(one, dict) else None
    for one in list_tables(value.get("saves")) if isinstance(value, dict) else ():
        yield one.get("entity")


def _take_encounters(value: Any) -> Entries:
    for encounter in _list_encounters(value):
        for row in _list_encounter_rows(encounter):
            name, book = _split_hash(str(row.get("h", row.get("hash"))))
            count = whole(row.get("c", row.get("count"))) or 1
            taken = take({}, (), name=name)
            if taken is None or not 0 < count <= 200:
                yield refuse_row(row)
                continue
            like = f"{name}|{book}".lower() if book else name.lower()
            yield replace(taken, amount=str(count) if count > 1 else "", is_row=True, base_key=like)


def _fits_encounters(value: Any) -> bool:
    return any(_list_encounter_rows(x) for x in _list_encounters(value))


FIVE_TOOLS_ENCOUNTER = Format("5etools encounter", ("json",), _fits_encounters, _take_encounters, rank=5)
