"""Tetra-cube: the `.monster` file of its stat block generator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tui.exchange.formulas import spaced
from tui.exchange.mapping import To, take
from tui.exchange.page import (
    CardPage,
    armour,
    bonuses,
    challenge,
    feature,
    kind,
    names,
    points,
    speeds,
    written,
)
from tui.exchange.registry import Entries, Format
from tui.exchange.values import average, dice, has, kinds, modifier, plain, saves, size, tables, whole

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
_DICE = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}
_ARMOUR = {
    "padded armor": (11, 99), "leather armor": (11, 99), "studded leather": (12, 99), "hide armor": (12, 2),
    "chain shirt": (13, 2), "scale mail": (14, 2), "breastplate": (14, 2), "half plate": (15, 2),
    "ring mail": (14, 0),
    "chain mail": (16, 0), "splint": (17, 0), "plate": (18, 0), "mage armor": (10, 99), "none": (10, 99),
}  # fmt: skip
"""Armour by its name there: what it gives, and how much Dexterity it lets through."""
_SKILLS = {"perception": "wis", "stealth": "dex"}
_COMPUTED = re.compile(
    r"\[([A-Z]{3})(?:[ ]{1,2}(ATK|SAVE|([0-9]{0,3}D[0-9]{1,3})))?(?:[ ]{0,2}([+-][ ]{0,2}[0-9]{1,3}))?\]"
)
_ROLLED = re.compile(r"\[([0-9]{1,3}D[0-9]{1,3})(?:[ ]{0,2}([+-][ ]{0,2}[0-9]{1,3}))?\]")
_LISTS = (
    ("abilities", "Traits"), ("actions", "Actions"), ("bonusActions", "Bonus actions"),
    ("reactions", "Reactions"),
    ("legendaries", "Legendary actions"), ("mythics", "Mythic actions"), ("lairs", "Lair actions"),
    ("regionals", "Regional effects"),
)  # fmt: skip


def _mod(m: Any, name: str) -> int:
    return modifier(m.get(f"{name}Points")) or 0


def _proficiency(m: Any) -> int:
    if m.get("cr") == "*":
        return whole(m.get("customProf")) or 2
    number = whole(m.get("cr")) if "/" not in str(m.get("cr")) else 0
    return 2 + max(0, (number or 0) - 1) // 4


def _points(m: Any) -> int | None:
    if m.get("customHP"):
        return whole(m.get("hpText"))
    formula = _hit_dice(m)
    return max(1, average(formula) or 1) if formula else None


def _hit_dice(m: Any) -> str | None:
    if m.get("customHP"):
        return dice(m.get("hpText"))
    count, sides = whole(m.get("hitDice")), _DICE.get(size(m.get("size")) or "")
    more = (count or 0) * _mod(m, "con")
    return f"{count}d{sides}{f'{more:+}' if more else ''}" if count and sides else None


def _armour(m: Any) -> int | None:
    name, shield = str(m.get("armorName") or "none"), whole(m.get("shieldBonus")) or 0
    if name == "other":
        return whole(m.get("otherArmorDesc"))
    if name == "natural armor":
        return 10 + _mod(m, "dex") + (whole(m.get("natArmorBonus")) or 0) + shield
    base, most = _ARMOUR.get(name, _ARMOUR["none"])
    return base + min(_mod(m, "dex"), most) + shield


def _skill(m: Any, name: str) -> int:
    own = next((s for s in tables(m.get("skills")) if str(s.get("name")).lower() == name), None)
    times = 0 if own is None else 2 if own.get("note") else 1
    return _mod(m, _SKILLS[name]) + times * _proficiency(m)


def _saves(m: Any) -> dict[str, int]:
    trained = {str(s.get("name")).lower() for s in tables(m.get("sthrows"))}
    return {a: _mod(m, a) + _proficiency(m) * (a in trained) for a in ABILITIES}


def _damage(sort: str) -> Any:
    """Read the kinds of damage that are marked so: `v`, `r` or `i`."""

    def read(m: Any) -> str | None:
        return kinds([str(x.get("name")) for x in _damages(m) if x.get("type") == sort])

    return read


def _damages(m: Any) -> list[dict[str, Any]]:
    return [*tables(m.get("damagetypes")), *tables(m.get("specialdamage"))]


TABLE = (
    To("hp", "", _points),
    To("hp_dice", "", _hit_dice),
    To("ac", "", _armour),
    To("initiative", "dexPoints", modifier),
    To("per", "", lambda m: _skill(m, "perception")),
    To("int", "intPoints"),
    To("size", "size", size),
    To("stealth", "", lambda m: _skill(m, "stealth")),
    To("con", "", lambda m: _saves(m)["con"]),
    To("resist", "", _damage("r")),
    To("vulnerable", "", _damage("v")),
    To("immune", "", _damage("i")),
    To("saves", "", lambda m: saves(_saves(m))),
)


def _words(m: Mapping[str, Any], text: Any) -> str:
    """Return a text with numbers for `[STR ATK]`, `[DEX SAVE]`, `[STR 2D6]` and a name for `[MON]`."""

    def computed(match: re.Match[str]) -> str:
        name, what, rolled, more = (
            match[1].lower(),
            match[2],
            match[3],
            int((match[4] or "0").replace(" ", "")),
        )
        if name == "mon":
            return str(m.get("shortName") or m.get("name") or "").lower()
        if name not in ABILITIES:
            return match[0]
        mod = _mod(m, name)
        if what == "ATK":
            return f"{mod + _proficiency(m) + more:+}"
        if what == "SAVE":
            return str(8 + mod + _proficiency(m) + more)
        return _mean(rolled, mod + more) if rolled else f"{mod + more:+}"

    words = _COMPUTED.sub(computed, str(text or "")[:16_000]).replace(
        "[MONS]", str(m.get("pluralName") or m.get("name"))
    )
    words = _ROLLED.sub(lambda x: _mean(x[1], int((x[2] or "0").replace(" ", ""))), words)
    return re.sub(
        r"(?<![\w*])[_*]{1,3}(\S(?:[^_*\n]{0,300}\S)?)[_*]{1,3}(?![\w*])", r"\1", plain(words)
    ).replace("\n>", "\n")


def _mean(rolled: str, more: int) -> str:
    text = f"{rolled.lower()}{f'{more:+}' if more else ''}"
    return f"{average(text)} ({spaced(text)})"


def _page(m: Mapping[str, Any]) -> str:
    ways = {"walk": m.get("speed"), **{w: m.get(f"{w}Speed") for w in ("burrow", "climb", "fly", "swim")}}
    trained = {str(s.get("name")).lower() for s in tables(m.get("sthrows"))}
    senses = (
        (s, whole(m.get(s))) for s in ("blindsight", "darkvision", "tremorsense", "truesight", "telepathy")
    )
    passive = f"passive Perception {10 + _skill(m, 'perception')}"
    return written(
        CardPage(
            kind=kind(m.get("size"), m.get("type"), m.get("tag"), m.get("alignment")),
            challenge=challenge(m.get("customCr") if m.get("cr") == "*" else m.get("cr")),
            ac=armour(_armour(m), "" if m.get("armorName") in ("none", "other") else m.get("armorName")),
            hp=str(m.get("hpText") or "") if m.get("customHP") else points(_points(m), _hit_dice(m)),
            speed=plain(str(m.get("speedDesc")))
            if m.get("customSpeed")
            else speeds({**ways, "hover": m.get("hover")}),
            scores={name: whole(m.get(f"{name}Points")) for name in ABILITIES},
            saves=bonuses({a.capitalize(): _saves(m)[a] for a in ABILITIES if a in trained}),
            skills=", ".join(_skill_text(m, s) for s in tables(m.get("skills"))),
            vulnerable=", ".join(_marked(m, "v")),
            resists=", ".join(_marked(m, "r")),
            immune=", ".join(_marked(m, "i")),
            conditions=names(m.get("conditions")),
            senses=", ".join([*(f"{s} {n} ft." for s, n in senses if n), passive]),
            languages=names(m.get("languages")),
            sections=[*_sections(m)],
        )
    )


def _marked(m: Mapping[str, Any], sort: str) -> Iterator[str]:
    return (str(x.get("name")) for x in _damages(m) if x.get("type") == sort)


_FLAGS = {"legendaries": "isLegendary", "mythics": "isMythic", "lairs": "isLair", "regionals": "isRegional"}


def _sections(m: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for key, title in _LISTS:
        rows = [
            feature(str(r["name"]), _words(m, r.get("desc"))) for r in tables(m.get(key)) if r.get("name")
        ]
        if rows and m.get(_FLAGS.get(key, key)):
            first = [_words(m, m.get("legendariesDescription"))] if key == "legendaries" else []
            yield title, [*first, *rows]


def _skill_text(m: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    stat = str(row.get("stat") or "").lower()
    times = 2 if row.get("note") else 1
    bonus = (_mod(m, stat) if stat in ABILITIES else 0) + times * _proficiency(m)
    return f"{str(row.get('name')).capitalize()} {bonus:+}"


def _fits(value: Any) -> bool:
    return any(has(x, "name", "strPoints", "hitDice", "sthrows") for x in tables(value)[:50])


def _take(value: Any) -> Entries:
    for m in tables(value):
        if has(m, "name", "strPoints") and (taken := take(m, TABLE, text=_page(m))):
            yield taken


TETRA_CUBE = Format("Tetra-cube", ("json",), _fits, _take, rank=3)
