"""5etools: a bestiary file, its `monster` list, one creature of it, or an encounter saved by its builder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from tui.exchange.copies import (
    SPELL_LISTS,
    Operation,
    challenge,
    completed,
    entry_key,
    given,
    items,
    named,
    proficiency,
    template_key,
)
from tui.exchange.foreign_values import dice, has, modifier, plain, saves, size, some, tables, text, whole
from tui.exchange.mapping import Imported, Part, To, Unread, at, by_scores, card, take, withstood
from tui.exchange.printed_card import LEVELS, SCORES, CardPage, bonuses, feature, held, sensed, written
from tui.exchange.registry import Entries, Format


def _armour(value: Any) -> int | None:
    """Return the armour class: a number, or the first of a list of numbers and tables."""
    first = value[0] if isinstance(value, list) and value else value
    return whole(first.get("ac")) if isinstance(first, dict) else whole(first)


def _points(value: Any) -> int | None:
    """Return the average of the hit points, else `special` where it is a number."""
    if not isinstance(value, dict):
        return whole(value)
    return whole(value.get("average")) or whole(value.get("special"))


def _initiative(entry: Any) -> int | None:
    """Return the number given for initiative; with `proficiency`, Dexterity and that many times the bonus."""
    given = entry.get("initiative")
    if not isinstance(given, dict):
        return whole(given)
    if (own := whole(given.get("initiative"))) is not None:
        return own
    times, dexterity = whole(given.get("proficiency")), modifier(entry.get("dex"))
    return None if times is None or dexterity is None else dexterity + times * proficiency(entry)


def _saves(value: Any) -> str | None:
    return saves(value) if isinstance(value, dict) else None


TABLE = (
    To("source", "source", text),
    To("hp", "hp", _points),
    To("hp_dice", "hp.formula", dice),
    To("ac", "ac", _armour),
    To("initiative", "", _initiative),
    To("per", "skill.perception"),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "skill.stealth"),
    To("passive", "passive"),
    To("con", "save.con"),
    *withstood("resist", "vulnerable", "immune"),
    To("saves", "save", _saves),
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
    "alias", "shortName", "legendaryGroup",
)  # fmt: skip
"""Search tags made from the words of the entry, pictures, and marks of the site."""


# --- the card

_SIZES = {"T": "Tiny", "S": "Small", "M": "Medium", "L": "Large", "H": "Huge", "G": "Gargantuan"}
_ALIGNMENTS = {"L": "lawful", "C": "chaotic", "N": "neutral", "G": "good", "E": "evil", "U": "unaligned"}
_ALIGNMENTS |= {"A": "any alignment", "NX": "neutral", "NY": "neutral"}
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
_USUAL = 3
"""Legendary actions of a creature that says no number."""
_PAGE = (
    "name", "like", "source", "size", "type", "alignment", "alignmentPrefix", "cr", "pbNote", "ac", "hp",
    "speed",
    "save", "skill", "vulnerable", "resist", "immune", "conditionImmune", "senses", "passive", "languages",
    "initiative",
    "legendaryActions", "legendaryActionsLair", *SCORES, *(key for key, _ in _SECTIONS),
    *(f"{key}Header" for key, _ in _SECTIONS),
)  # fmt: skip
"""Keys that the card writes in words of its own; what stands at other keys follows them."""


def _page(entry: Mapping[str, Any], changes: list[str]) -> str:
    numbers = {name: whole(entry.get(name)) for name in SCORES}
    trained = given(entry.get("save"))
    rating = str(challenge(entry) or "")
    lair = at(entry, "cr.lair")
    rest = {
        k: _unsourced(v) if k in _SOURCED else v for k, v in entry.items() if k not in _PAGE and k[:1] != "_"
    }
    return written(
        CardPage(
            kind=_kind(entry),
            challenge=f"{rating} ({lair} in its lair)" if lair else rating,
            ac=_armours(entry.get("ac")),
            hp=_points_text(entry.get("hp")),
            speed=_speed(entry.get("speed")),
            scores=numbers,
            saves=bonuses({k.capitalize(): whole(trained.get(k)) for k in SCORES}),
            skills=", ".join(_skills(entry.get("skill"))),
            vulnerable=", ".join(_withstood(entry.get("vulnerable"))),
            resists=", ".join(_withstood(entry.get("resist"))),
            immune=", ".join(_withstood(entry.get("immune"))),
            conditions=", ".join(_withstood(entry.get("conditionImmune"))),
            senses=sensed(", ".join(_texts(entry.get("senses"))), entry.get("passive")),
            languages=", ".join(_texts(entry.get("languages"))),
            sections=[*_sections(entry), ("", changes)],
            rest=card(rest, noise=NOISE),
        )
    )


_SOURCED = ("gear", "summonedBySpell", "summonedByClass")


def _unsourced(value: Any) -> str:
    """Return names without their books: `wand|xphb`."""
    rows = [
        at(x, "item") or x if isinstance(x, dict) else x
        for x in (value if isinstance(value, list) else [value])
    ]
    return ", ".join(str(x).partition("|")[0] for x in rows)


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [plain(x) for x in values if isinstance(x, str)]


def _kind(entry: Mapping[str, Any]) -> str:
    sizes = [_SIZES.get(x, x) for x in _texts(entry.get("size"))]
    kind = entry.get("type")
    name = at(kind, "type") if isinstance(kind, dict) else kind
    if isinstance(name, dict):
        name = " or ".join(_texts(name.get("choose")))
    tags = at(kind, "tags")
    marks = (
        [
            x if isinstance(x, str) else f"{x.get('prefix') or ''} {x.get('tag') or ''}".strip()
            for x in tags
            if isinstance(x, str | dict)
        ]
        if isinstance(tags, list)
        else []
    )
    swarm = f"swarm of {_SIZES.get(str(at(kind, 'swarmSize')), '')} " if at(kind, "swarmSize") else ""
    named = f"{' or '.join(sizes)} {swarm}{name or ''}".strip() + (f" ({', '.join(marks)})" if marks else "")
    prefix = plain(str(entry.get("alignmentPrefix") or "")).strip()
    return ", ".join(filter(None, (named, f"{prefix} {_alignment(entry.get('alignment'))}".strip())))


def _alignment(value: Any) -> str:
    """Return the words of `["C", "E"]`, or of a list of such lists with their chances."""
    if not isinstance(value, list):
        return str(value or "")
    if any(isinstance(x, dict) for x in value):
        texts = [plain(str(x.get("special") or _alignment(x.get("alignment")))) for x in tables(value)]
        return " or ".join(filter(None, texts))
    codes = [str(x) for x in value]
    if len(codes) <= 3:
        return " ".join(_ALIGNMENTS.get(code, code.lower()) for code in codes)
    missing = next((code for code in "LCGE" if code not in codes), "")
    if len(codes) == 4:
        alone = [c for c in codes if c in ("GE" if missing in "GE" else "LC")]
        return f"any {_ALIGNMENTS.get(''.join(alone), '')} alignment".replace("  ", " ")
    return f"any non-{_ALIGNMENTS.get(missing, '')} alignment" if missing else "any alignment"


def _armours(value: Any) -> str:
    texts = []
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            worn = ", ".join(_texts(one.get("from")))
            number = str(one.get("ac") or plain(str(one.get("special") or "")))
            more = " ".join(filter(None, (worn, plain(str(one.get("condition") or "")))))
            texts.append(f"{number} ({more})" if more else number)
        elif one is not None:
            texts.append(str(one))
    return ", ".join(texts)


def _points_text(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value or "")
    average, formula = value.get("average"), value.get("formula")
    return plain(str(value.get("special") or (f"{average} ({formula})" if formula else average or "")))


def _speed(value: Any) -> str:
    if not isinstance(value, dict):
        return f"{value} ft." if isinstance(value, int) else plain(str(value or ""))
    texts = []
    for key, one in value.items():
        number = whole(one.get("number") if isinstance(one, dict) else one)
        more = plain(str(one.get("condition") or "")).strip() if isinstance(one, dict) else ""
        if number is not None and not isinstance(one, bool):
            movement = "" if key == "walk" else f"{key} "
            texts.append(f"{movement}{number} ft.{f' {more}' if more else ''}")
        elif key in ("note", "special"):
            texts.append(plain(str(one)))
        elif one is True and key != "canHover":
            texts.append(f"{key} (equal to its walking speed)")
    choose = value.get("choose")
    if isinstance(choose, dict):
        texts.append(f"{' or '.join(_texts(choose.get('from')))} {whole(choose.get('amount'))} ft.")
    hover = value.get("canHover") and "hover" not in " ".join(texts)
    return ", ".join(texts) + (" (hover)" if hover else "")


def _skills(value: Any) -> Iterator[str]:
    if not isinstance(value, dict):
        return
    for key, one in value.items():
        if isinstance(one, str | int):
            yield f"{key.title().replace(' Of ', ' of ')} {plain(str(one))}"
        for row in tables(one):
            choices = next((x for x in row.values() if isinstance(x, dict)), {})
            yield f"and one of {', '.join(_skills(choices))}"


def _withstood(value: Any) -> Iterator[str]:
    """Yield the entries of a list of defences, each group with its note: `fire from nonmagical attacks`."""
    for one in value if isinstance(value, list) else []:
        if isinstance(one, str):
            yield plain(one)
        elif isinstance(one, dict):
            lists = (one.get(k) for k in ("resist", "immune", "vulnerable", "conditionImmune"))
            inner = ", ".join(x for given in lists for x in _withstood(given))
            words = (one.get("preNote"), inner, one.get("special"), one.get("note"))
            yield " ".join(plain(str(x)) for x in words if x)


def _sections(entry: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    spells = tables(entry.get("spellcasting"))
    keys = [key for key, _ in _SECTIONS]
    for key, title in _SECTIONS:
        shown = [
            s for s in spells if (s.get("displayAs") if s.get("displayAs") in keys else "spellcasting") == key
        ]
        lines = [
            *_entries(entry.get(f"{key}Header")),
            *(_feature(x) for x in tables(entry.get(key)) if x not in spells),
        ]
        lines += [_spellcasting(s) for s in shown]
        if key == "legendary" and lines:
            count, lair = (
                whole(entry.get("legendaryActions")) or _USUAL,
                whole(entry.get("legendaryActionsLair")),
            )
            yield f"{title}: {count} each round" + (f" ({lair} in its lair)" if lair else ""), lines
        else:
            yield title, lines


def _feature(row: Mapping[str, Any]) -> str:
    return feature(
        plain(str(row.get("name") or "")), "\n".join(_entries(row.get("entries", row.get("entry"))))
    )


def _entries(value: Any, depth: int = 10) -> Iterator[str]:
    """Yield the paragraphs of entries: texts, lists, tables, and parts with names of their own."""
    if isinstance(value, str):
        yield plain(value).strip()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"{value:g}"
    elif isinstance(value, list) and depth:
        for one in value:
            yield from _entries(one, depth - 1)
    elif isinstance(value, dict) and depth:
        if value.get("type") == "table":
            rows = value.get("rows")
            for row in (value.get("colLabels"), *(rows if isinstance(rows, list) else ())):
                cells = row if isinstance(row, list) else at(row, "row")
                if isinstance(cells, list):
                    yield " | ".join(" ".join(_entries(x, depth - 1)) for x in cells)
            return
        if value.get("type") == "spellcasting":
            yield _spellcasting(value)
            return
        parts = [x for k in ("entry", "entries", "items") for x in _entries(value.get(k), depth - 1)]
        name = plain(str(value.get("name") or ""))
        if name and parts:
            parts[0] = feature(name, parts[0])
        yield from parts


def _spellcasting(row: Mapping[str, Any]) -> str:
    """Return spellcasting with its spells: at will, limited by day or rest, or by level with slots."""
    hidden = row.get("hidden")
    shown = {k: v for k, v in row.items() if not (isinstance(hidden, list) and k in hidden)}
    lines = list(_entries(row.get("headerEntries")))
    lists = [("Constant", shown.get("constant")), ("At will", shown.get("will"))]
    lists += [(f"Recharge {least}\u20136", spells) for least, spells in given(shown.get("recharge")).items()]
    for key, often in SPELL_LISTS.items():
        limited = given(shown.get(key))
        # What can be cast most often stands first, whatever the order of the file.
        for count, spells in sorted(limited.items(), key=_most_often):
            alone = str(count).removesuffix("e") not in limited and len(items(spells)) == 1
            each = " each" if str(count).endswith("e") and not alone else ""
            lists.append((f"{str(count).removesuffix('e')}{often}{each}", spells))
    lists.append(("Rituals", shown.get("ritual")))
    levels = sorted(given(shown.get("spells")).items(), key=lambda row: whole(row[0]) or 0)
    lists += [(_rank(level, one), one.get("spells")) for level, one in levels if isinstance(one, dict)]
    lines += [f"{title}: {names}" for title, spells in lists if (names := _spell_names(spells))]
    lines += _entries(row.get("footerEntries"))
    return feature(plain(str(row.get("name") or "Spellcasting")), "\n".join(filter(None, lines)))


def _most_often(row: tuple[str, Any]) -> tuple[int, bool]:
    """Return a key that sorts `3`, `3e`, `1`: a number for all, for each, then smaller ones."""
    return -(whole(row[0]) or 0), row[0].endswith("e")


def _rank(level: str, one: Mapping[str, Any]) -> str:
    number, count, lower = whole(level) or 0, whole(one.get("slots")), whole(one.get("lower"))
    title = LEVELS[min(number, 9)]
    if number and lower and count:
        return f"1st\u2013{title} ({count} {title.replace(' ', '-')} slots)"
    return f"{title}{held(count)}" if number else f"{title} (at will)"


def _spell_names(value: Any) -> str:
    names = [
        plain(str(x.get("entry") or "")) if isinstance(x, dict) else plain(str(x))
        for x in (value if isinstance(value, list) else [])
        if not at(x, "hidden")
    ]
    return ", ".join(filter(None, names))


# --- copies


def _entries_of(value: Any) -> list[dict[str, Any]]:
    return tables(value["monster"] if has(value, "monster") else value)


def _templates_of(value: Any) -> list[dict[str, Any]]:
    """Return the templates of a file, which creatures of it or of another file are made with."""
    rows = value.get("monsterTemplate") if isinstance(value, dict) else None
    return [row for row in tables(rows) if has(row, "name", "source")]


def _fits(value: Any) -> bool:
    rows = _entries_of(value)
    own = some(rows, "name", "hp", "dex", "ac") or some(rows, "name", "_copy", "source")
    return own or bool(_templates_of(value))


def _take(value: Any) -> Entries:
    parts = [Part(template_key(row), row) for row in _templates_of(value)]
    yield from parts
    rows = _entries_of(value)
    known: dict[str, Mapping[str, Any]] = {entry_key(row): row for row in rows}
    known |= {part.key: part.raw for part in parts}
    for row in rows:
        if taken := _taken(row, known):
            yield replace(taken, raw=row, remade=partial(_taken, row) if "_copy" in row else None)


def _taken(row: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]) -> Imported | None:
    """Return the creature of an entry, completed by what is known of the one that it copies."""
    entry = completed(row, known)
    changes: list[str] = []
    if "_changes" in entry or "_without" in entry:
        changes = [*_changes(entry.get("like"), entry.get("_changes") or []), *_without(entry)]
        entry = {k: v for k, v in entry.items() if k not in ("_changes", "_without")}
    if not (has(entry, "name", "hp") or has(entry, "name", "like")):
        return None
    like = entry_key(row.get("_copy")) if "like" in entry else ""
    return take(entry, TABLE, text=_page(entry, changes), key=entry_key(row), like=like)


def _without(entry: Mapping[str, Any]) -> list[str]:
    """Return the templates that no imported file holds, in words."""
    return [f"With the template: {plain(str(name))}" for name in entry.get("_without") or []]


def _changes(base: Any, operations: Iterable[Operation]) -> Iterator[str]:
    """Yield what a copy changes, in words, except for replaced names."""
    texts: list[str] = []
    for key, one in operations:
        title, names = key.strip("_*"), ", ".join(named(one.get("replace")))
        match one.get("mode"):
            case "replaceTxt":
                continue
            case "removeArr":
                without = named(one.get("names") or one.get("items"))
                texts.append(f"Without: {', '.join(without) or title}")
            case "remove":
                texts.append(f"Without any {title}")
            case _:
                instead = f" (instead of {names})" if names else ""
                texts += [f"{_feature(x)}{instead}" for x in tables(one.get("items"))]
                texts += [plain(x) for x in items(one.get("items")) if isinstance(x, str)]
                for added in ("skills", "spells", "will", "daily", "senses"):
                    if one.get(added):
                        texts.append(card({added: one[added]}))
    if texts:
        yield f"Unlike {base or 'the creature that it copies'}:"
        yield from texts


FIVE_TOOLS = Format("5etools", ("json",), _fits, _take, rank=6)


_SMALL = frozenset({"of", "the", "and", "a", "an", "in", "with"})
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2}){1,100}")
_START = re.compile(r"[^\W\d_]")


def _rows(value: Any) -> list[dict[str, Any]]:
    """Return the rows of an encounter: a hash of name and book, and a count."""
    for place in ("items", "l", "creatures", "creatureMetas"):
        inside = value.get(place) if isinstance(value, dict) else None
        rows = inside.get("items") if isinstance(inside, dict) else inside
        result = [r for r in tables(rows) if isinstance(r.get("h", r.get("hash")), str)]
        if result:
            return result
    return []


def _name(line: str) -> tuple[str, str]:
    """Return the name and the book of a hash such as `adult%20red%20dragon_mm`."""
    plain = _ESCAPED.sub(
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


def _encounters(value: Any) -> Iterator[Any]:
    """Yield the encounter itself, and those of a list of saved ones."""
    yield value
    saved = value.get("savedEncounters") if isinstance(value, dict) else None
    for one in saved.values() if isinstance(saved, dict) else ():
        yield one.get("data") if isinstance(one, dict) else None
    for one in tables(value.get("saves")) if isinstance(value, dict) else ():
        yield one.get("entity")


def _take_encounters(value: Any) -> Entries:
    for encounter in _encounters(value):
        for row in _rows(encounter):
            name, book = _name(str(row.get("h", row.get("hash"))))
            count = whole(row.get("c", row.get("count"))) or 1
            taken = take({}, (), name=name)
            if taken is None or not 0 < count <= 200:
                yield Unread(f"this row of an encounter names no creature: {str(row)[:80]}")
                continue
            like = f"{name}|{book}".lower() if book else name.lower()
            yield replace(taken, many=str(count) if count > 1 else "", staged=True, like=like)


def _fits_encounters(value: Any) -> bool:
    return any(_rows(x) for x in _encounters(value))


FIVE_TOOLS_ENCOUNTER = Format("5etools encounter", ("json",), _fits_encounters, _take_encounters, rank=5)
