"""5etools: a bestiary file, its `monster` list, or one creature of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.exchange.defences import kinds, saves
from tui.exchange.mapping import To, at, take
from tui.exchange.registry import Format, Found
from tui.exchange.values import dice, has, modifier, size, some, tables, text, whole


def _armour(value: Any) -> int | None:
    """The armour class: a number, or the first of a list of numbers and tables."""
    first = value[0] if isinstance(value, list) and value else value
    return whole(first.get("ac")) if isinstance(first, dict) else whole(first)


def _points(value: Any) -> int | None:
    """The average; `special` where that is a number."""
    return (
        (whole(value.get("average")) or whole(value.get("special")))
        if isinstance(value, dict)
        else whole(value)
    )


def _initiative(entry: Any) -> int | None:
    """A number given for initiative itself; with `proficiency`, Dexterity and so many times the bonus."""
    given = entry.get("initiative")
    if not isinstance(given, dict):
        return whole(given)
    if (own := whole(given.get("initiative"))) is not None:
        return own
    times, dexterity = whole(given.get("proficiency")), modifier(entry.get("dex"))
    return None if times is None or dexterity is None else dexterity + times * _proficiency(entry)


def _proficiency(entry: Mapping[str, Any]) -> int:
    """The proficiency bonus of its challenge."""
    rating = entry.get("cr")
    challenge = whole(rating.get("cr") if isinstance(rating, dict) else rating)
    fraction = "/" in str(rating)
    return 2 if challenge is None or fraction else 2 + max(0, challenge - 1) // 4


def _saves(value: Any) -> str | None:
    return saves(value) if isinstance(value, dict) else None


TABLE = (
    To("source", "source", text),
    To("hp", "hp", _points),
    To("hp_dice", "hp.formula", dice),
    To("ac", "ac", _armour),
    To("initiative", "", _initiative),
    To("initiative", "dex", modifier),
    To("per", "skill.perception"),
    To("per", "wis", modifier),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "skill.stealth"),
    To("stealth", "dex", modifier),
    To("passive", "passive"),
    To("con", "save.con"),
    To("con", "con", modifier),
    To("resist", "resist", kinds),
    To("vulnerable", "vulnerable", kinds),
    To("immune", "immune", kinds),
    To("saves", "save", _saves),
)

NOISE = (
    "_copy", "_mod", "page", "srd", "srd52", "basicRules", "basicRules2024", "hasToken", "hasFluff", "hasFluffImages",
    "soundClip", "tokenCredit", "token", "tokenUrl", "altArt", "otherSources", "reprintedAs", "referenceSources",
    "traitTags", "actionTags", "miscTags", "damageTags", "damageTagsLegendary", "damageTagsSpell", "spellcastingTags",
    "conditionInflict", "conditionInflictLegendary", "conditionInflictSpell", "savingThrowForced", "senseTags",
    "savingThrowForcedLegendary", "savingThrowForcedSpell", "languageTags", "attachedItems", "hash", "uniqueId",
    "isNpc", "isNamedCreature", "dragonCastingColor", "foundryTokenScale",
)  # fmt: skip
"""Search tags made from the words that stand there, pictures, and marks of the site."""


def _entries(value: Any) -> list[dict[str, Any]]:
    return tables(value["monster"] if has(value, "monster") else value)


def _fits(value: Any) -> bool:
    rows = _entries(value)
    return some(rows, "name", "hp", "dex", "ac") or some(rows, "name", "_copy", "source")


def _take(value: Any) -> Found:
    rows = _entries(value)
    known = {(str(r.get("name")).lower(), str(r.get("source")).lower()): r for r in rows}
    for row in rows:
        whole_row = _whole(row, known)
        if (has(whole_row, "name", "hp") or has(whole_row, "name", "like")) and (
            taken := take(whole_row, TABLE, noise=NOISE, key=_key(row), like=_key(whole_row.get("_copy")))
        ):
            yield taken


def _key(row: Any) -> str:
    """What copies call an entry by; "" for none."""
    return f"{row.get('name')}|{row.get('source')}".lower() if isinstance(row, dict) else ""


def _whole(row: dict[str, Any], known: Mapping[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
    """An entry that is told as a copy of another, with what that one has, as far as it stands in the same file."""
    seen: list[dict[str, Any]] = []
    while isinstance(row.get("_copy"), dict) and len(seen) < 5:
        copied = (str(at(row, "_copy.name")).lower(), str(at(row, "_copy.source")).lower())
        base = known.get(copied)
        if base is None or base in seen or base is row:
            return {**row, "like": at(row, "_copy.name")}
        seen.append(row)
        rest = {k: v for k, v in row.items() if k != "_copy"}
        row = {**base, **rest, "like": at(seen[0], "_copy.name")}
    return row


FIVE_TOOLS = Format("5etools", ("json",), _fits, _take, rank=6)
