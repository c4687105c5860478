"""Tetra-cube: the `.monster` file of its stat block generator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tui.exchange.formulas import average, plus, rolled
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
    sensed,
    speeds,
    written,
)
from tui.exchange.registry import Entries, Format
from tui.exchange.values import (
    ABILITIES,
    SKILLS,
    dice,
    has,
    kinds,
    modifier,
    plain,
    saves,
    size,
    tables,
    whole,
)

_DICE = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}
_ARMOUR = {
    "padded armor": (11, 99), "leather armor": (11, 99), "studded leather": (12, 99), "hide armor": (12, 2),
    "chain shirt": (13, 2), "scale mail": (14, 2), "breastplate": (14, 2), "half plate": (15, 2),
    "ring mail": (14, 0),
    "chain mail": (16, 0), "splint": (17, 0), "plate": (18, 0), "mage armor": (10, 99), "none": (10, 99),
}  # fmt: skip
"""Armour by its name there: what it gives, and how much Dexterity it lets through."""
_BRACKETS = re.compile(r"\[([^\[\]\n]{1,60})\]")
_COMPUTED = re.compile(
    r"(?P<ability>str|dex|con|int|wis|cha)?(?: ?(?P<what>atk|save))?"
    r"(?: ?(?P<count>[0-9]{0,3})d(?P<sides>[0-9]{1,3}))?(?: ?(?P<sign>[+-]) ?(?P<more>[0-9]{1,3}))?"
)
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
    return plus(f"{count}d{sides}", count * _mod(m, "con")) if count and sides else None


def _armour(m: Any) -> int | None:
    name, shield = str(m.get("armorName") or "none"), whole(m.get("shieldBonus")) or 0
    if name == "other":
        return next((n for x in _texts(m.get("otherArmorDesc")) if (n := whole(x)) is not None), None)
    if name == "natural armor":
        return 10 + _mod(m, "dex") + (whole(m.get("natArmorBonus")) or 0) + shield
    base, most = _ARMOUR.get(name, _ARMOUR["none"])
    return base + (min(_mod(m, "dex"), most) if most else 0) + shield


def _texts(value: Any) -> list[str]:
    """Return a text, or the texts of a list, which a preset of the generator writes."""
    return [x for x in (value if isinstance(value, list) else [value]) if isinstance(x, str)]


def _skill(m: Any, name: str) -> int:
    own = next((s for s in tables(m.get("skills")) if str(s.get("name")).lower() == name), None)
    times = 0 if own is None else 2 if own.get("note") else 1
    return _mod(m, SKILLS[name]) + times * _proficiency(m)


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
    words = _BRACKETS.sub(lambda match: _computed(m, match), str(text or "")[:16_000])
    return re.sub(
        r"(?<![\w*])[_*]{1,3}(\S(?:[^_*\n]{0,300}\S)?)[_*]{1,3}(?![\w*])", r"\1", plain(words)
    ).replace("\n>", "\n")


def _computed(m: Mapping[str, Any], match: re.Match[str]) -> str:
    """Return what stands for a bracket; the bracket itself where it says nothing known."""
    inside = " ".join(match[1].lower().split())
    if inside in ("mon", "mons"):
        return str(m.get("shortName" if inside == "mon" else "pluralName") or m.get("name") or "")
    asked = _COMPUTED.fullmatch(inside)
    if not asked or not (asked["ability"] or asked["sides"]):
        return match[0]
    if asked["what"] and (asked["sides"] or not asked["ability"]):
        return match[0]
    number = int(f"{asked['sign'] or ''}{asked['more'] or 0}")
    number += _mod(m, asked["ability"]) if asked["ability"] else 0
    number += _proficiency(m) if asked["what"] else 0
    if asked["sides"]:
        return rolled(plus(f"{asked['count'] or 1}d{asked['sides']}", number), 1)
    return str(8 + number) if asked["what"] == "save" else f"{number:+}"


def _page(m: Mapping[str, Any]) -> str:
    movements = {
        "walk": m.get("speed"),
        **{w: m.get(f"{w}Speed") for w in ("burrow", "climb", "fly", "swim")},
    }
    trained = {str(s.get("name")).lower() for s in tables(m.get("sthrows"))}
    senses = ((s, whole(m.get(s))) for s in ("blindsight", "darkvision", "tremorsense", "truesight"))
    blind = " (blind beyond this radius)" if m.get("blind") else ""
    far = (f"{s} {n} ft.{blind if s == 'blindsight' else ''}" for s, n in senses if n)
    return written(
        CardPage(
            kind=kind(m.get("size"), m.get("type"), m.get("tag"), m.get("alignment")),
            challenge=challenge(m.get("customCr") if m.get("cr") == "*" else m.get("cr")),
            ac=_worn(m),
            hp=str(m.get("hpText") or "") if m.get("customHP") else points(_points(m), _hit_dice(m)),
            speed=plain(str(m.get("speedDesc")))
            if m.get("customSpeed")
            else speeds({**movements, "hover": m.get("hover")}),
            scores={name: whole(m.get(f"{name}Points")) for name in ABILITIES},
            saves=bonuses({a.capitalize(): _saves(m)[a] for a in ABILITIES if a in trained}),
            skills=", ".join(_skill_text(m, s) for s in tables(m.get("skills"))),
            vulnerable=", ".join(_marked(m, "v")),
            resists=", ".join(_marked(m, "r")),
            immune=", ".join(_marked(m, "i")),
            conditions=names(m.get("conditions")),
            senses=sensed(", ".join(far), 10 + _skill(m, "perception")),
            languages=", ".join(_languages(m)),
            sections=[*_sections(m)],
        )
    )


def _worn(m: Mapping[str, Any]) -> str:
    """Return the armour class with what it is made of."""
    name, number = str(m.get("armorName") or "none"), _armour(m)
    if name == "other":
        return plain(", ".join(_texts(m.get("otherArmorDesc")))).strip()
    shield = "shield" if whole(m.get("shieldBonus")) else ""
    if name == "mage armor":
        with_it = f"{(number or 0) + 3} with mage armor"
        return armour(number, ", ".join(filter(None, (shield, with_it))))
    return armour(number, ", ".join(filter(None, ("" if name == "none" else name, shield))))


def _languages(m: Mapping[str, Any]) -> Iterator[str]:
    """Yield the languages: those that are spoken, then those that are only understood, then telepathy."""
    rows = tables(m.get("languages"))
    yield from (plain(str(r.get("name") or "")) for r in rows if r.get("speaks") is not False)
    if known := [plain(str(r.get("name") or "")) for r in rows if r.get("speaks") is False]:
        but = plain(str(m.get("understandsBut") or "")).strip()
        many = f"{', '.join(known[:-1])}{',' if len(known) > 2 else ''} and {known[-1]}"
        yield f"understands {many if len(known) > 1 else known[0]}{f' but {but}' if but else ''}"
    if far := whole(m.get("telepathy")):
        yield f"telepathy {far} ft."


def _marked(m: Mapping[str, Any], sort: str) -> Iterator[str]:
    return (str(x.get("name")) for x in _damages(m) if x.get("type") == sort)


_FLAGS = {"legendaries": "isLegendary", "mythics": "isMythic", "lairs": "isLair", "regionals": "isRegional"}
_BEFORE = {
    "legendaries": "legendariesDescription", "mythics": "mythicDescription", "lairs": "lairDescription",
    "regionals": "regionalDescription",
}  # fmt: skip
"""The text above a list; another, of the same name with `End` behind it, stands below."""


def _sections(m: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for key, title in _LISTS:
        rows = [
            feature(str(r["name"]), _words(m, r.get("desc"))) for r in tables(m.get(key)) if r.get("name")
        ]
        if rows and m.get(_FLAGS.get(key, key)):
            above = _BEFORE.get(key, "")
            yield title, [_words(m, m.get(above)), *rows, _words(m, m.get(f"{above}End"))]


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
