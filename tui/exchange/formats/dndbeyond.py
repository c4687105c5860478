"""D&D Beyond: a player's character, as its character service answers; the numbers of the sheet are worked out here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tui.exchange.defences import KINDS, saves
from tui.exchange.formulas import average, plus, spaced
from tui.exchange.mapping import To, at, take
from tui.exchange.registry import Format, Found
from tui.exchange.values import has, plain, size, tables, walk, whole

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SKILLS = {
    "acrobatics": 1, "animal-handling": 4, "arcana": 3, "athletics": 0, "deception": 5, "history": 3, "insight": 4,
    "intimidation": 5, "investigation": 3, "medicine": 4, "nature": 3, "perception": 4, "performance": 5, "persuasion": 5,
    "religion": 3, "sleight-of-hand": 1, "stealth": 1, "survival": 4,
}  # fmt: skip
"""Skills, each with the place of its ability."""
_SIZES = {2: "tiny", 3: "small", 4: "medium", 5: "large", 6: "huge"}
_MEDIUM, _HEAVY, _SHIELD = 2, 3, 4
_RESETS = {1: "Short Rest", 2: "Long Rest", 3: "Day", 4: "Day"}
_ARMOUR_CLASS = 1
"""The kind of a value that a player has put in the place of the armour class."""
_TEMPLATE = re.compile(r"\{\{[^{}]{0,200}\}\}")


class _Sheet:
    """A character with what its modifiers come to."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.items = tables(data.get("inventory"))
        self.worn = [i for i in self.items if i.get("equipped") and isinstance(i.get("definition"), dict)]
        active = {
            whole(at(i, "definition.id"))
            for i in self.worn
            if i.get("isAttuned") or not at(i, "definition.canAttune")
        }
        given = data.get("modifiers")
        groups = given.items() if isinstance(given, dict) else ()
        # What lies in the backpack, or is not attuned, does nothing.
        self.modifiers = [
            m
            for group, rows in groups
            for m in tables(rows)
            if group != "item" or whole(m.get("componentId")) in active
        ]
        self.level = sum(whole(c.get("level")) or 0 for c in tables(data.get("classes")))
        self.proficiency = 2 + max(0, self.level - 1) // 4
        self.scores = [self._score(place) for place in range(6)]

    def _score(self, place: int) -> int:
        over = self._stat("overrideStats", place)
        if over:
            return over
        name = f"{ABILITIES[place]}-score"
        own = (
            (self._stat("stats", place) or 10)
            + (self._stat("bonusStats", place) or 0)
            + self.sum("bonus", name)
        )
        return max([own, *(n for m in self.of("set", name) if (n := _value(m)) is not None)])

    def _stat(self, key: str, place: int) -> int | None:
        return next(
            (whole(s.get("value")) for s in tables(self.data.get(key)) if s.get("id") == place + 1), None
        )

    def of(self, kind: str, *names: str) -> Iterator[dict[str, Any]]:
        """Yield the modifiers of a kind for any of these names."""
        return (m for m in self.modifiers if m.get("type") == kind and m.get("subType") in names)

    def sum(self, kind: str, *names: str) -> int:
        """Return what they add up to; one may say an ability in place of a number."""
        total = 0
        for m in self.of(kind, *names):
            stat = whole(m.get("statId"))
            total += (_value(m) or 0) + (self.mod(stat - 1) if stat and 0 < stat < 7 else 0)
        return total

    def mod(self, place: int) -> int:
        """Return the modifier of an ability by its place."""
        return (self.scores[place] - 10) // 2

    def trained(self, name: str) -> int:
        """Return what training in a skill or a save adds."""
        if any(self.of("expertise", name)):
            return 2 * self.proficiency
        if any(self.of("proficiency", name)):
            return self.proficiency
        half = any(self.of("half-proficiency", name, "ability-checks"))
        return self.proficiency // 2 if half else 0

    def skill(self, name: str) -> int:
        """Return a skill."""
        return self.mod(SKILLS[name]) + self.trained(name) + self.sum("bonus", name, "ability-checks")

    def save(self, place: int) -> int:
        """Return what the character adds to a save."""
        name = f"{ABILITIES[place]}-saving-throws"
        return self.mod(place) + self.trained(name) + self.sum("bonus", name, "saving-throws")

    def points(self) -> int | None:
        """Return the maximum of hit points."""
        over, base = whole(self.data.get("overrideHitPoints")), whole(self.data.get("baseHitPoints"))
        if over or base is None:
            return over
        each = self.mod(2) + self.sum("bonus", "hit-points-per-level")
        return base + (whole(self.data.get("bonusHitPoints")) or 0) + self.level * each

    def armour(self) -> int:
        """Return the armour class: a number of the player's own, else what is worn, with as much Dexterity as it lets through."""
        own = next(
            (
                whole(v.get("value"))
                for v in tables(self.data.get("characterValues"))
                if v.get("typeId") == _ARMOUR_CLASS
            ),
            None,
        )
        if own:
            return own
        dexterity, best, shield = self.mod(1), None, 0
        for item in self.worn:
            value, kind = whole(at(item, "definition.armorClass")), whole(at(item, "definition.armorTypeId"))
            if value is None or kind is None:
                continue
            if kind == _SHIELD:
                shield = max(shield, value)
            else:
                let = 0 if kind == _HEAVY else min(dexterity, 2) if kind == _MEDIUM else dexterity
                best = max(best or 0, value + let)
        more = self.sum("bonus", "armor-class") + (self.sum("bonus", "armored-armor-class") if best else 0)
        if best is None:
            bare = [(_value(m) or 0) + self._of_stat(m) for m in self.of("set", "unarmored-armor-class")]
            best = 10 + dexterity + max([0, *bare])
        return best + shield + more

    def _of_stat(self, m: dict[str, Any]) -> int:
        stat = whole(m.get("statId"))
        return self.mod(stat - 1) if stat and 0 < stat < 7 else 0

    def initiative(self) -> int:
        """Return what is added to initiative."""
        half = self.proficiency // 2 if any(self.of("half-proficiency", "initiative")) else 0
        return self.mod(1) + self.sum("bonus", "initiative") + half

    def kinds(self, kind: str) -> list[str]:
        """Return the names of what the character resists, is immune or is vulnerable to."""
        found = (
            m.get("subType") for m in self.modifiers if m.get("type") == kind and not m.get("restriction")
        )
        return list(dict.fromkeys(x for x in found if isinstance(x, str)))


def _value(m: dict[str, Any]) -> int | None:
    found = whole(m.get("value"))
    return whole(m.get("fixedValue")) if found is None else found


# --- the card


def _page(s: _Sheet) -> Iterator[str | None]:
    d = s.data
    classes = [
        f"{at(c, 'definition.name')} {whole(c.get('level'))}"
        + (f" ({at(c, 'subclassDefinition.name')})" if at(c, "subclassDefinition.name") else "")
        for c in tables(d.get("classes"))
        if at(c, "definition.name")
    ]
    race = at(d, "race.fullName")
    yield ", ".join([*([str(race)] if race else []), *classes])
    if d.get("username"):
        yield f"Player: {d['username']}"
    if lost := whole(d.get("removedHitPoints")):
        yield f"Hit points lost: {lost}"
    speeds = at(d, "race.weightSpeeds.normal")
    ways = [f"{k} {n} ft." for k, v in speeds.items() if (n := whole(v))] if isinstance(speeds, dict) else []
    yield f"Speed: {', '.join(ways)}" if ways else None
    senses = [
        f"{m.get('subType')} {_value(m)} ft."
        for m in s.of("set-base", "darkvision", "blindsight", "truesight")
    ]
    yield f"Senses: {', '.join(dict.fromkeys(senses))}" if senses else None
    yield ", ".join(f"{a[:3].capitalize()} {s.scores[i]} ({s.mod(i):+})" for i, a in enumerate(ABILITIES))
    yield "Saves: " + ", ".join(f"{a[:3].capitalize()} {s.save(i):+}" for i, a in enumerate(ABILITIES))
    known = [f"{k.replace('-', ' ').title()} {s.skill(k):+}" for k in SKILLS if s.trained(k)]
    yield f"Skills: {', '.join(known)}" if known else None
    for kind, title in (
        ("resistance", "Resists"),
        ("immunity", "Immune to"),
        ("vulnerability", "Vulnerable to"),
    ):
        yield f"{title}: {', '.join(s.kinds(kind))}" if s.kinds(kind) else None
    languages = dict.fromkeys(
        str(m.get("friendlySubtypeName") or m.get("subType"))
        for m in s.modifiers
        if m.get("type") == "language"
    )
    yield f"Languages: {', '.join(languages)}" if languages else None
    weapons = [w for i in s.worn if (w := _weapon(s, i))]
    actions = [told for a in _actions(d) if (told := _action(s, a))]
    yield from ["", "Actions", *weapons, *actions] if weapons or actions else []
    spells = list(_spells(s))
    yield from ["", "Spells", *spells] if spells else []
    carried = [str(at(i, "definition.name") or "") for i in s.items]
    yield f"Carries: {', '.join(filter(None, carried))}" if carried else None


def _weapon(s: _Sheet, item: dict[str, Any]) -> str:
    """Return a weapon in hand with what is rolled for it; "" for what is none."""
    d = item["definition"]
    dice = at(d, "damage.diceString") or at(d, "fixedDamage")
    if d.get("filterType") != "Weapon" or not dice:
        return ""
    properties = [str(p.get("name")) for p in tables(d.get("properties"))]
    far = d.get("attackType") == 2
    ability = max(s.mod(0), s.mod(1)) if "Finesse" in properties else s.mod(1 if far else 0)
    magic = sum(_value(m) or 0 for m in tables(d.get("grantedModifiers")) if m.get("subType") == "magic")
    near, long = whole(d.get("range")), whole(d.get("longRange"))
    reach = 10 if "Reach" in properties else 5
    where = "" if far else f"reach {reach} ft."
    if near and (far or "Thrown" in properties):
        where += f"{', ' if where else ''}range {near}{f'/{long}' if long and long != near else ''} ft."
    hurt = plus(str(dice), ability + magic)
    mean = average(hurt)
    shown = f"{mean} ({spaced(hurt)})" if mean is not None and "d" in hurt else hurt
    style = s.sum("bonus", "ranged-weapon-attacks" if far else "melee-weapon-attacks", "weapon-attacks")
    hit = ability + s.proficiency + magic + style
    kind = str(d.get("damageType") or "").lower()
    return f"{d.get('name')}. {'Ranged' if far else 'Melee'} attack: {hit:+} to hit, {where} Hit: {shown} {kind} damage."


def _actions(d: dict[str, Any]) -> Iterable[dict[str, Any]]:
    given = d.get("actions")
    return (a for rows in given.values() for a in tables(rows)) if isinstance(given, dict) else ()


def _action(s: _Sheet, a: dict[str, Any]) -> str:
    uses = a.get("limitedUse")
    most, reset = whole(at(uses, "maxUses")), whole(at(uses, "resetType"))
    limit = f" ({most}/{_RESETS[reset]})" if most and reset in _RESETS else ""
    text = str(a.get("snippet") or a.get("description") or "")[:8_000]
    words = plain(_TEMPLATE.sub(lambda m: _filled(s, m[0].strip("{} "), most), text))
    return f"{a.get('name')}{limit}. {' '.join(words.split())}" if a.get("name") else ""


def _filled(s: _Sheet, template: str, most: int | None) -> str:
    """What `{{savedc:str,dex}}`, `{{modifier:wis}}`, `{{proficiency}}` and `{{scalevalue}}` stand for; "..." for others."""
    word, _, rest = template.partition("#")[0].partition(":")
    mods = [s.mod(i) for i, name in enumerate(ABILITIES) if name[:3] in rest.lower().split(",")]
    match word.strip().lower():
        case "savedc" if mods:
            return str(8 + s.proficiency + max(mods))
        case "modifier" if mods:
            return f"{max(mods)}"
        case "proficiency":
            return str(s.proficiency)
        case "scalevalue" | "limiteduse" if most:
            return str(most)
    return "..."


def _spells(s: _Sheet) -> Iterator[str]:
    """The spells by level, and the slots of the classes that cast them."""
    d = s.data
    for c in tables(d.get("classes")):
        stat = whole(at(c, "definition.spellCastingAbilityId")) or whole(
            at(c, "subclassDefinition.spellCastingAbilityId")
        )
        if stat and 0 < stat < 7:
            bonus = s.proficiency + s.mod(stat - 1)
            yield f"{at(c, 'definition.name')}: spell save DC {8 + bonus}, {bonus:+} to hit"
    rows = [(x, False) for c in tables(d.get("classSpells")) for x in tables(c.get("spells"))]
    given = d.get("spells")
    # What a people, a feat or an item gives is always there.
    rows += [(x, True) for group in given.values() for x in tables(group)] if isinstance(given, dict) else []
    levels: dict[int, list[str]] = {}
    for spell, always in rows:
        name, level = at(spell, "definition.name"), whole(at(spell, "definition.level"))
        marks = ("prepared", "alwaysPrepared", "countsAsKnownSpell")
        ready = always or not level or any(spell.get(mark) for mark in marks)
        if isinstance(name, str) and level is not None and ready:
            levels.setdefault(level, []).append(name)
    for level, names in sorted(levels.items()):
        slots = _slots(d, level)
        more = f" ({slots} slot{'s' * (slots != 1)})" if slots else ""
        title = f"{level}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(level, 'th') } level" if level else "Cantrips"
        yield f"{title}{more}: {', '.join(dict.fromkeys(names))}"


def _slots(d: dict[str, Any], level: int) -> int:
    """The slots of a level: as the sheet says, else by the rules of the one class that casts."""
    for key in ("spellSlots", "pactMagic"):
        found = (whole(x.get("available")) for x in tables(d.get(key)) if x.get("level") == level)
        if number := next(found, None):
            return number
    casters = [c for c in tables(d.get("classes")) if at(c, "definition.spellRules.levelSpellSlots")]
    if len(casters) != 1 or not level:
        return 0
    by_level = at(casters[0], f"definition.spellRules.levelSpellSlots.{whole(casters[0].get('level'))}")
    return (whole(by_level[level - 1]) or 0) if isinstance(by_level, list) and len(by_level) >= level else 0


# --- the table


def _read(how: Any) -> Any:
    """Read the whole character through its sheet."""
    return lambda data: how(_Sheet(data))


def _named(kind: str) -> Any:
    return _read(lambda s: ", ".join(k for k in s.kinds(kind) if k in KINDS) or None)


def _size(data: Any) -> str | None:
    return size(at(data, "race.size")) or _SIZES.get(whole(at(data, "race.sizeId")) or 0)


def _player(_data: Any) -> str:
    return "pc"


TABLE = (
    To("hp", "", _read(_Sheet.points)),
    To("ac", "", _read(_Sheet.armour)),
    To("initiative", "", _read(_Sheet.initiative)),
    To("per", "", _read(lambda s: s.skill("perception"))),
    To("int", "", _read(lambda s: s.scores[3])),
    To("size", "", _size),
    To("stealth", "", _read(lambda s: s.skill("stealth"))),
    To("passive", "", _read(lambda s: 10 + s.skill("perception") + s.sum("bonus", "passive-perception"))),
    To("con", "", _read(lambda s: s.save(2))),
    To("kind", "", _player),
    To("resist", "", _named("resistance")),
    To("vulnerable", "", _named("vulnerability")),
    To("immune", "", _named("immunity")),
    To("saves", "", _read(lambda s: saves({a: s.save(i) for i, a in enumerate(ABILITIES)}))),
)


def _characters(value: Any) -> Iterator[dict[str, Any]]:
    """The character alone, in the answer of the service, or in a list of them."""
    keys = ("name", "stats", "classes", "modifiers", "baseHitPoints")
    return (x for x in walk(value, 3) if has(x, *keys))


def _take(value: Any) -> Found:
    for data in _characters(value):
        if taken := take(data, TABLE, text="\n".join(x for x in _page(_Sheet(data)) if x is not None)):
            yield taken


DND_BEYOND = Format("D&D Beyond", ("json",), lambda value: any(_characters(value)), _take, rank=2)
