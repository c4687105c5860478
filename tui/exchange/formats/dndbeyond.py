"""D&D Beyond: a player's character as its service sends it, with the numbers of the sheet worked out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tui.exchange.formulas import plus, rolled, total
from tui.exchange.mapping import To, at, take
from tui.exchange.page import (
    LEVELS,
    CardPage,
    bonuses,
    held,
    listed,
    pact,
    sensed,
    speeds,
    spell_slots,
    written,
)
from tui.exchange.registry import Entries, Format
from tui.exchange.values import (
    ABILITIES,
    KINDS,
    LONG_ABILITIES,
    SKILLS,
    has,
    plain,
    saves,
    size,
    tables,
    walk,
    whole,
)

_PLACES = {name.replace(" ", "-"): ABILITIES.index(ability) for name, ability in SKILLS.items()}
"""Skills by their names there, each with the place of its ability."""
_SIZES = {2: "tiny", 3: "small", 4: "medium", 5: "large", 6: "huge"}
_LIGHT, _MEDIUM, _HEAVY, _SHIELD = 1, 2, 3, 4
_RESETS = {1: "Short Rest", 2: "Long Rest", 3: "Day", 4: "Day"}
_SPOKEN = {"short rest": "Short Rest", "long rest": "Long Rest", "dawn": "Day", "dusk": "Day", "day": "Day"}
_WAYS = {"walk": "walking", "burrow": "burrowing", "climb": "climbing", "fly": "flying", "swim": "swimming"}
_SENSES = ("darkvision", "blindsight", "tremorsense", "truesight")
_TRAINING = {1: "simple-weapons", 2: "martial-weapons"}
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
        name = f"{LONG_ABILITIES[place]}-score"
        own = (
            (self._stat("stats", place) or 10)
            + (self._stat("bonusStats", place) or 0)
            + self.sum("bonus", name)
        )
        return max([own, *(n for m in self.matching("set", name) if (n := _value(m)) is not None)])

    def _stat(self, key: str, place: int) -> int | None:
        return next(
            (whole(s.get("value")) for s in tables(self.data.get(key)) if s.get("id") == place + 1), None
        )

    def matching(self, kind: str, *names: str) -> Iterator[dict[str, Any]]:
        """Yield the modifiers of a kind for any of these names."""
        return (m for m in self.modifiers if m.get("type") == kind and m.get("subType") in names)

    def sum(self, kind: str, *names: str) -> int:
        """Return their sum; one may name an ability in place of a number."""
        total = 0
        for m in self.matching(kind, *names):
            stat = whole(m.get("statId"))
            total += (_value(m) or 0) + (self.mod(stat - 1) if stat and 0 < stat < 7 else 0)
        return total

    def mod(self, place: int) -> int:
        """Return the modifier of an ability by its place."""
        return (self.scores[place] - 10) // 2

    def trained(self, name: str) -> int:
        """Return what training in a skill or a save adds."""
        if any(self.matching("expertise", name)):
            return 2 * self.proficiency
        if any(self.matching("proficiency", name)):
            return self.proficiency
        half = any(self.matching("half-proficiency", name, "ability-checks"))
        return self.proficiency // 2 if half else 0

    def skill(self, name: str) -> int:
        """Return a skill."""
        return self.mod(_PLACES[name]) + self.trained(name) + self.sum("bonus", name, "ability-checks")

    def save(self, place: int) -> int:
        """Return what the character adds to a save."""
        name = f"{LONG_ABILITIES[place]}-saving-throws"
        return self.mod(place) + self.trained(name) + self.sum("bonus", name, "saving-throws")

    def points(self) -> int | None:
        """Return the maximum of hit points."""
        over, base = whole(self.data.get("overrideHitPoints")), whole(self.data.get("baseHitPoints"))
        if over or base is None:
            return over
        each = self.mod(2) + self.sum("bonus", "hit-points-per-level")
        return base + (whole(self.data.get("bonusHitPoints")) or 0) + self.level * each

    def armour(self) -> int:
        """Return the armour class: the player's own number, else that of worn armour."""
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
            bare = [
                (_value(m) or 0) + self._of_stat(m) for m in self.matching("set", "unarmored-armor-class")
            ]
            best = 10 + dexterity + max([0, *bare])
        return best + shield + more

    def _of_stat(self, m: dict[str, Any]) -> int:
        stat = whole(m.get("statId"))
        return self.mod(stat - 1) if stat and 0 < stat < 7 else 0

    def initiative(self) -> int:
        """Return what is added to initiative."""
        half = self.proficiency // 2 if any(self.matching("half-proficiency", "initiative")) else 0
        return self.mod(1) + self.sum("bonus", "initiative") + half

    def passive(self) -> int:
        """Return passive Perception."""
        return 10 + self.skill("perception") + self.sum("bonus", "passive-perception")

    def speeds(self) -> dict[str, int]:
        """Return how far the character gets a round by each way: what the player has set comes first."""
        given = at(self.data, "race.weightSpeeds.normal")
        base = given if isinstance(given, dict) else {}
        armoured = any(whole(at(i, "definition.armorTypeId")) in (_LIGHT, _MEDIUM, _HEAVY) for i in self.worn)
        walk = (whole(base.get("walk")) or 0) + self.sum("bonus", "speed")
        walk += 0 if armoured else self.sum("bonus", "unarmored-movement")
        result = {"walk": walk} if walk else {}
        own = {
            whole(x.get("movementId")): whole(x.get("distance"))
            for x in tables(self.data.get("customSpeeds"))
        }
        for number, (movement, name) in enumerate(_WAYS.items(), 1):
            # Without a number of its own a way is as fast as walking.
            innate = [_value(m) or walk for m in self.matching("set", f"innate-speed-{name}")]
            if far := own.get(number) or max(
                [result.get(movement) or whole(base.get(movement)) or 0, *innate]
            ):
                result[movement] = far
        return result

    def senses(self) -> Iterator[str]:
        """Yield how far the character sees by each sense."""
        for name in _SENSES:
            far = [_value(m) or 0 for kind in ("set-base", "sense") for m in self.matching(kind, name)]
            if any(far):
                yield f"{name} {max(far)} ft."

    def wields(self, weapon: dict[str, Any]) -> bool:
        """Return whether the character is trained in a weapon, by its kind or its name."""
        own = str(weapon.get("type") or weapon.get("name") or "").lower().replace(",", "").replace(" ", "-")
        training = _TRAINING.get(whole(weapon.get("categoryId")) or 0)
        # An export that says no kind says no training either.
        return training is None or any(self.matching("proficiency", training, own))

    def of_kind(self, kind: str) -> Iterator[dict[str, Any]]:
        """Yield the modifiers of a kind."""
        return (m for m in self.modifiers if m.get("type") == kind)

    def kinds(self, kind: str) -> list[str]:
        """Return the names of what the character resists, is immune or is vulnerable to."""
        values = (m.get("subType") for m in self.of_kind(kind) if not m.get("restriction"))
        return list(dict.fromkeys(x.replace("-", " ") for x in values if isinstance(x, str)))


def _value(m: dict[str, Any]) -> int | None:
    number = whole(m.get("value"))
    return whole(m.get("fixedValue")) if number is None else number


# --- the card


def _page(s: _Sheet) -> str:
    d = s.data
    trained = {_titled(k): s.skill(k) for k in sorted(_PLACES) if s.trained(k)}
    tongues = (m.get("friendlySubtypeName") or m.get("subType") for m in s.of_kind("language"))
    lost = whole(d.get("removedHitPoints"))
    weapons = dict.fromkeys(w for i in s.worn if (w := _weapon(s, i["definition"])))
    carried = (str(at(i, "definition.name") or "") for i in s.items)
    return written(
        CardPage(
            kind=", ".join([*_names(at(d, "race.fullName")), *_classes(d)]),
            ac=str(s.armour()),
            hp="" if (most := s.points()) is None else f"{most}{f' ({lost} lost)' if lost else ''}",
            speed=speeds(s.speeds()),
            scores=dict(zip(LONG_ABILITIES, s.scores, strict=True)),
            saves=bonuses({a[:3].capitalize(): s.save(i) for i, a in enumerate(LONG_ABILITIES)}),
            skills=bonuses(trained),
            vulnerable=", ".join(s.kinds("vulnerability")),
            resists=", ".join(s.kinds("resistance")),
            immune=", ".join(s.kinds("immunity")),
            senses=sensed(", ".join(s.senses()), s.passive()),
            languages=", ".join(dict.fromkeys(map(str, tongues))),
            sections=[("Actions", [*weapons, *_actions(s), *_charged(s)]), ("Spells", [*_spells(s)])],
            rest="\n".join(
                filter(None, [listed("Player", _names(d.get("username"))), listed("Carries", carried)])
            ),
        )
    )


def _names(value: Any) -> list[str]:
    return [value] if isinstance(value, str) and value else []


def _classes(d: dict[str, Any]) -> Iterator[str]:
    for c in tables(d.get("classes")):
        if name := at(c, "definition.name"):
            inner = at(c, "subclassDefinition.name")
            yield f"{name} {whole(c.get('level'))}{f' ({inner})' if inner else ''}"


def _titled(key: str) -> str:
    """Return `Sleight of Hand` for `sleight-of-hand`."""
    return key.replace("-", " ").title().replace(" Of ", " of ")


def _weapon(s: _Sheet, d: dict[str, Any]) -> str:
    """Return a weapon with what is rolled for it; "" for what is none."""
    dice = at(d, "damage.diceString") or at(d, "fixedDamage")
    if d.get("filterType") != "Weapon" or not dice:
        return ""
    properties = {str(p.get("name")): p.get("notes") for p in tables(d.get("properties"))}
    far = d.get("attackType") == _RANGED
    deft = "Finesse" in properties or (d.get("isMonkWeapon") and _monk(s))
    ability = max(s.mod(0), s.mod(1)) if deft else s.mod(1 if far else 0)
    granted = tables(d.get("grantedModifiers"))
    magic = sum(_value(m) or 0 for m in granted if m.get("subType") == "magic")
    near, long = whole(d.get("range")), whole(d.get("longRange"))
    where = [] if far else [f"reach {10 if 'Reach' in properties else 5} ft."]
    if near and (far or "Thrown" in properties):
        where.append(f"range {near}{f'/{long}' if long and long != near else ''} ft.")
    kind = str(d.get("damageType") or "").lower()
    hurt = [f"{rolled(plus(_martial(s, d, str(dice)), ability + magic))} {kind} damage"]
    if isinstance(both := properties.get("Versatile"), str) and _DICE_ALONE.fullmatch(both):
        hurt[0] += f", or {rolled(plus(both, ability + magic))} with both hands"
    hurt += [_added(m) for m in granted if m.get("type") == "damage" and _rolled(m)]
    style = s.sum("bonus", "ranged-weapon-attacks" if far else "melee-weapon-attacks", "weapon-attacks")
    hit = ability + magic + style + (s.proficiency if s.wields(d) else 0)
    sort = "Ranged" if far else "Melee"
    numbers = ", ".join([f"{hit:+} to hit", *where]).removesuffix(".")
    return f"{d.get('name')}. {sort} attack: {numbers}. Hit: {' plus '.join(hurt)}."


def _rolled(m: dict[str, Any]) -> str:
    """Return the dice of a modifier; "" for none."""
    return str(at(m, "die.diceString") or at(m, "dice.diceString") or "")


def _added(m: dict[str, Any]) -> str:
    """Return damage that a weapon adds, with the condition that it stands under."""
    when = plain(str(m.get("restriction") or "")).strip()
    return f"{rolled(_rolled(m))} {m.get('subType')} damage{f' ({when})' if when else ''}"


def _charged(s: _Sheet) -> Iterator[str]:
    """Yield what the character wears or holds that can be used so often a day or a rest."""
    for item in s.worn:
        most, reset = whole(at(item, "limitedUse.maxUses")), at(item, "limitedUse.resetType")
        period = _RESETS.get(reset) if isinstance(reset, int) else _SPOKEN.get(str(reset).lower())
        if most and period:
            yield f"{at(item, 'definition.name')} ({most}/{period})."


def _martial(s: _Sheet, d: dict[str, Any], dice: str) -> str:
    """Return the dice of a weapon, or of a monk's martial arts where those are larger."""
    match = re.fullmatch(r"1d([0-9]{1,3})", dice)
    sides = _monk(s) if d.get("isMonkWeapon") and match else 0
    return f"1d{max(sides, int(match[1]))}" if match and sides else dice


def _actions(s: _Sheet) -> Iterator[str]:
    given = s.data.get("actions")
    rows = given.values() if isinstance(given, dict) else ()
    return (text for given in rows for a in tables(given) if (text := _action(s, a)))


def _action(s: _Sheet, a: dict[str, Any]) -> str:
    """Return an action with its uses, its attack, and its words with the numbers of the character."""
    most, reset = _uses(s, a), whole(at(a, "limitedUse.resetType"))
    limit = f" ({most}/{_RESETS[reset]})" if most and reset in _RESETS else ""
    text = str(a.get("snippet") or a.get("description") or "")[:8_000]
    words = plain(_TEMPLATE.sub(lambda m: _filled(s, a, m[0].strip("{} "), most), text))
    line = " ".join(filter(None, [_strike(s, a), *words.split()]))
    return f"{a.get('name')}{limit}. {line}" if a.get("name") else ""


def _uses(s: _Sheet, a: dict[str, Any]) -> int:
    """Return how often an action can be used: a number, with an ability or the proficiency bonus on top."""
    uses = a.get("limitedUse")
    stat = whole(at(uses, "statModifierUsesId"))
    most = whole(at(uses, "maxUses")) or 0
    if stat and 0 < stat < 7:
        most = most * s.mod(stat - 1) if at(uses, "operator") == _TIMES else most + s.mod(stat - 1)
    if at(uses, "useProficiencyBonus"):
        times = at(uses, "proficiencyBonusOperator") == _TIMES
        most = most * s.proficiency if times else most + s.proficiency
    return max(1, most) if isinstance(uses, dict) and (most or stat) else most


_TIMES = 2
"""The operator that multiplies; others add."""


def _strike(s: _Sheet, a: dict[str, Any]) -> str:
    """Return the attack that an action is: an unarmed strike, or one with dice of its own; "" for none."""
    stat, dice = whole(a.get("abilityModifierStatId")), at(a, "dice.diceString")
    if not a.get("displayAsAttack") or not (dice or a.get("value")) or at(a, "saveStatId"):
        return ""
    martial = bool(a.get("isMartialArts"))
    mod = s.mod(stat - 1) if stat and 0 < stat < 7 else max(s.mod(0), s.mod(1)) if martial else None
    if mod is None or not (martial or a.get("isProficient")):
        return ""
    monk = martial and _monk(s)
    sides = f"1d{monk}" if monk else str(dice or "")
    hurt = plus(sides, mod) if sides else str(max(1, (whole(a.get("value")) or 0) + mod))
    far = a.get("attackTypeRange") == _RANGED
    number = whole(a.get("damageTypeId"))
    kind = f"{_KINDS[number - 1]} " if number and 0 < number <= len(_KINDS) else ""
    near, long = whole(at(a, "range.range")), whole(at(a, "range.longRange"))
    reach = f"range {near}{f'/{long}' if long else ''} ft" if far and near else f"reach {near or 5} ft"
    where = "" if far and not near else f", {reach}"
    sort = "Ranged" if far else "Melee"
    return f"{sort} attack: {mod + s.proficiency:+} to hit{where}. Hit: {rolled(hurt)} {kind}damage."


_KINDS = (
    "bludgeoning", "piercing", "slashing", "necrotic", "acid", "cold", "fire", "lightning", "thunder",
    "poison", "psychic", "radiant", "force",
)  # fmt: skip
"""The kinds of damage in the order of their numbers, from 1."""


_RANGED = 2


def _monk(s: _Sheet) -> int:
    """Return the sides of a monk's martial arts die; 0 for other characters.

    The feature of the class says the die; where it does not, it is that of the rules of 2014 or 2024.
    """
    for monk in tables(s.data.get("classes")):
        if at(monk, "definition.name") != "Monk":
            continue
        features = (f for f in tables(monk.get("classFeatures")) if _is_martial(f))
        if sides := next((n for f in features if (n := whole(at(f, "levelScale.dice.diceValue")))), None):
            return sides
        books = [n for b in tables(at(monk, "definition.sources")) if (n := whole(b.get("sourceId")))]
        newer = bool(books) and min(books) >= _RULES_OF_2024
        level = whole(monk.get("level")) or 0
        return 4 + 2 * (newer + (level >= 5) + (level >= 11) + (level >= 17)) if level else 0
    return 0


def _is_martial(feature: dict[str, Any]) -> bool:
    return str(at(feature, "definition.name")).startswith("Martial Arts")


_RULES_OF_2024 = 145
"""The first number of a book of these rules on the site."""


_NUMBER = re.compile(r"(savedc|modifier|spellattack|abilityscore):([a-z,]{3,30})|([a-z]{5,20})")


def _filled(s: _Sheet, a: dict[str, Any], template: str, most: int) -> str:
    """Return the number of `{{savedc:str,dex}}` or `{{classlevel/2@roundup}}`; "..." if unknown."""
    body, _, sign = template.lower().partition("#")
    body, *conditions = body.split("@")
    owner, scale = _owner(s, a)

    def number(match: re.Match[str]) -> str:
        asked = str(match[2]).split(",")
        mods = [(s.mod(i), s.scores[i]) for i, name in enumerate(ABILITIES) if name in asked]
        if mods:
            mod, score = max(mods)
            more = {"savedc": 8 + s.proficiency, "spellattack": s.proficiency}.get(match[1], 0)
            return f"({score if match[1] == 'abilityscore' else mod + more})"
        known = {
            "characterlevel": s.level,
            "classlevel": whole(at(owner, "level")) or s.level,
            "proficiency": s.proficiency,
            "limiteduse": most or None,
            "scalevalue": scale if scale is not None else most or (f"1d{_monk(s)}" if _monk(s) else None),
        }
        value = known.get(match[0])
        return match[0] if value is None else str(value)

    text = _NUMBER.sub(number, body)
    worked = total(f"ceil({text})" if "roundup" in conditions else text)
    if worked is None:
        return text if _DICE_ALONE.fullmatch(text) else "..."
    for condition in conditions:
        name, _, bound = condition.partition(":")
        if (limit := whole(bound)) is not None and name in ("min", "max"):
            worked = max(worked, limit) if name == "min" else min(worked, limit)
    return f"{worked:+}" if sign == "signed" else str(worked)


_DICE_ALONE = re.compile(r"[0-9]{0,2}d[0-9]{1,3}")


def _owner(s: _Sheet, a: dict[str, Any]) -> tuple[dict[str, Any] | None, int | str | None]:
    """Return the class that gives an action, and the number or dice that grow with its level."""
    for owner in tables(s.data.get("classes")):
        for given in tables(owner.get("classFeatures")):
            if a.get("componentId") is not None and at(given, "definition.id") == a["componentId"]:
                fixed, dice = (
                    whole(at(given, "levelScale.fixedValue")),
                    at(given, "levelScale.dice.diceString"),
                )
                return owner, fixed if fixed is not None else dice if isinstance(dice, str) else None
    return None, None


def _caster(c: dict[str, Any]) -> int | None:
    """Return the place of the ability that a class casts by; None for a class that casts nothing."""
    stat = whole(at(c, "definition.spellCastingAbilityId")) or whole(
        at(c, "subclassDefinition.spellCastingAbilityId")
    )
    return stat - 1 if stat and 0 < stat < 7 else None


def _spells(s: _Sheet) -> Iterator[str]:
    """Yield the DC of each casting class, then the spells of each level with their slots."""
    d, abilities = s.data, dict[Any, int]()
    for c in tables(d.get("classes")):
        if (place := _caster(c)) is not None:
            abilities[c.get("id")] = place
            bonus = s.proficiency + s.mod(place)
            yield f"{at(c, 'definition.name')}: spell save DC {8 + bonus}, {bonus:+} to hit"
    if text := pact(sum(whole(c.get("level")) or 0 for c in _pacts(d))):
        yield text
    usual = max(abilities.values(), key=s.mod, default=None)
    rows = [
        (x, False, abilities.get(c.get("characterClassId"), usual))
        for c in tables(d.get("classSpells"))
        for x in tables(c.get("spells"))
    ]
    given = d.get("spells")
    # What a people, a feat or an item gives is always there.
    groups = given.values() if isinstance(given, dict) else ()
    rows += [(x, True, usual) for group in groups for x in tables(group)]
    levels: dict[int, list[str]] = {}
    for spell, always, place in rows:
        name, level = at(spell, "definition.name"), whole(at(spell, "definition.level"))
        marks = ("prepared", "alwaysPrepared", "countsAsKnownSpell")
        ready = always or not level or any(spell.get(mark) for mark in marks)
        if isinstance(name, str) and level is not None and 0 <= level < len(LEVELS) and ready:
            levels.setdefault(level, []).append(f"{name}{_numbers(s, spell, place)}")
    for level, names in sorted(levels.items()):
        yield f"{LEVELS[level]}{held(_slots(d, level))}: {', '.join(dict.fromkeys(names))}"


def _numbers(s: _Sheet, spell: dict[str, Any], place: int | None) -> str:
    """Return what is rolled for a spell, ` [DC 13 Dexterity, 8d6 fire]`; "" for nothing."""
    d = spell["definition"]
    own = whole(spell.get("spellCastingAbilityId"))
    place = own - 1 if own and 0 < own < 7 else place
    bonus = None if place is None else s.proficiency + s.mod(place)
    parts: list[str] = []
    if d.get("requiresAttackRoll") and bonus is not None:
        parts.append(f"{bonus:+} to hit")
    save, dc = whole(d.get("saveDcAbilityId")), whole(spell.get("overrideSaveDc"))
    dc = dc or (None if bonus is None else 8 + bonus)
    if d.get("requiresSavingThrow") and save and 0 < save < 7 and dc:
        parts.append(f"DC {dc} {LONG_ABILITIES[save - 1].capitalize()}")
    for m in tables(d.get("modifiers")):
        dice = _rolled(m)
        if m.get("type") == "damage" and dice:
            grows = d.get("scaleType") == "characterlevel"
            later = tables(at(m, "atHigherLevels.higherLevelDefinitions")) if grows else []
            reached = [_rolled(x) for x in later if (whole(x.get("level")) or 99) <= s.level]
            parts.append(f"{[dice, *filter(None, reached)][-1]} {m.get('subType')}")
    return f" [{', '.join(parts)}]" if parts else ""


def _pacts(d: dict[str, Any]) -> list[dict[str, Any]]:
    return [c for c in tables(d.get("classes")) if at(c, "definition.name") == "Warlock"]


def _slots(d: dict[str, Any], level: int) -> int:
    """Return the slots of a level: as the sheet says, else by the rules of the classes that cast."""
    numbers = (whole(x.get("available")) for x in tables(d.get("spellSlots")) if x.get("level") == level)
    if number := next(numbers, None):
        return number
    casters = [c for c in tables(d.get("classes")) if _caster(c) is not None and c not in _pacts(d)]
    if not casters or not level:
        return 0
    if len(casters) == 1:
        its = at(casters[0], f"definition.spellRules.levelSpellSlots.{whole(casters[0].get('level'))}")
        return (whole(its[level - 1]) or 0) if isinstance(its, list) and len(its) >= level else 0
    divisors = (whole(at(c, "definition.spellRules.multiClassSpellSlotDivisor")) or 1 for c in casters)
    levels = (whole(c.get("level")) or 0 for c in casters)
    return spell_slots([(n, max(1, by)) for n, by in zip(levels, divisors, strict=True)], level)


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
    To("passive", "", _read(_Sheet.passive)),
    To("con", "", _read(lambda s: s.save(2))),
    To("kind", "", _player),
    To("resist", "", _named("resistance")),
    To("vulnerable", "", _named("vulnerability")),
    To("immune", "", _named("immunity")),
    To("saves", "", _read(lambda s: saves({a: s.save(i) for i, a in enumerate(LONG_ABILITIES)}))),
)


def _characters(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the characters of a file: one alone, an answer of the service, or a list."""
    keys = ("name", "stats", "classes", "modifiers", "baseHitPoints")
    return (x for x in walk(value, 3) if has(x, *keys))


def _take(value: Any) -> Entries:
    for data in _characters(value):
        if taken := take(data, TABLE, text=_page(_Sheet(data))):
            yield taken


DND_BEYOND = Format("D&D Beyond", ("json",), lambda value: any(_characters(value)), _take, rank=2)
