"""Work out what Foundry's pf2e does for a character: hit points, defences, skills, strikes and DCs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from tui.exchange.formulas import plus, total
from tui.exchange.mapping import at
from tui.exchange.page import SCORES
from tui.exchange.values import has, tables, whole

Actor = Mapping[str, Any]

SAVES = {"fortitude": "con", "reflex": "dex", "will": "wis"}
SKILLS = {
    "acrobatics": "dex", "arcana": "int", "athletics": "str", "crafting": "int", "deception": "cha",
    "diplomacy": "cha", "intimidation": "cha", "medicine": "wis", "nature": "wis", "occultism": "int",
    "performance": "cha", "religion": "wis", "society": "int", "stealth": "dex", "survival": "wis",
    "thievery": "dex",
}  # fmt: skip
_BUILT = ("ancestry", "heritage", "background", "class", "deity")
"""Items of which a character is made, and which say on a card no more than their names."""
_MOST = 2_000
"""Items and rules of one character that are read: each strike asks the rules again."""
_SLOWED = 5
"""Feet that enough Strength takes off the penalty of armour."""


def completed(actor: Actor) -> Actor:
    """Return an actor with the numbers that its program works out; one that has them already as it is."""
    made = {item["type"]: item for item in _items(actor) if item.get("type") in _BUILT}
    system = actor.get("system")
    plain = isinstance(system, dict) and not has(system.get("attributes"), "ac")
    if actor.get("type") != "character" or not plain or not {"ancestry", "class"} <= set(made):
        return actor
    return _Sheet(actor, made).whole()


def _items(actor: Actor) -> list[dict[str, Any]]:
    return tables(actor.get("items"))[:_MOST]


class _Sheet:
    """The numbers of one character."""

    def __init__(self, actor: Actor, made: Mapping[str, Mapping[str, Any]]) -> None:
        self.actor, self.made, self.items = actor, made, _items(actor)
        self.names = {str(item.get("name")).partition(" (")[0] for item in self.items}
        self.rules = list(islice(self._unconditional(), _MOST))
        self.level = whole(at(actor, "system.details.level.value")) or 1
        self.modifiers = self._modifiers()
        self.ranks = self._ranks()

    def whole(self) -> Actor:
        """Return the actor with its numbers where a creature of the game has them."""
        system = dict(at(self.actor, "system"))
        hit_points = at(system, "attributes.hp")
        speed, shield = self._speed(), self._shield()
        points = {**(hit_points if isinstance(hit_points, dict) else {}), "max": self._hit_points()}
        armour = {"value": self._armour(), "details": f"+{shield} with its shield raised" if shield else ""}
        perception = self.trained("perception", "wis") + self._flat("perception")
        vision = at(self.made["ancestry"], "system.vision")
        initiative = at(system, "initiative")
        statistic = at(initiative, "statistic") or "perception"
        first = self.skill(statistic) if statistic in list(SKILLS) else perception
        size = at(system, "traits.size.value") or at(self.made["ancestry"], "system.size")
        spoken = (at(self.made["ancestry"], "system.languages.value"), at(system, "details.languages.value"))
        tongues = dict.fromkeys(x for names in spoken for x in _named(names))
        names = [self.made[kind].get("name") for kind in _BUILT if kind in self.made]
        system |= {
            "abilities": {name: {"mod": number} for name, number in self.modifiers.items()},
            "attributes": {"hp": points, "ac": armour, "speed": {"value": speed}},
            "perception": {
                "mod": perception,
                "senses": [{"type": vision}] if isinstance(vision, str) and vision != "normal" else [],
            },
            "initiative": {"total": first + self._flat("initiative")},
            "saves": {name: {"value": self._save(name)} for name in SAVES},
            "skills": {name: {"base": self.skill(name)} for name in SKILLS if self.ranks.get(name)},
            "traits": {"value": names, "size": {"value": size}},
            "details": {"level": {"value": self.level}, "languages": {"value": list(tongues)}},
        }
        return {**self.actor, "system": system, "items": list(self._shown())}

    # --- what it is made of

    def _modifiers(self) -> dict[str, int]:
        """Return the modifiers of abilities: what is chosen, then what is added by rules."""
        boosts = dict.fromkeys(SCORES, 0)
        for kind in ("ancestry", "background"):
            system = at(self.made.get(kind), "system")
            chosen = at(system, "alternateAncestryBoosts")
            if isinstance(chosen, list):
                _raise(boosts, _named(chosen))
                continue
            _raise(boosts, _picked(at(system, "boosts")))
            _raise(boosts, _picked(at(system, "flaws")), -1)
        key = at(self.made["class"], "system.keyAbility")
        own = at(self.actor, "system.details.keyability.value")
        _raise(boosts, _picked({"0": key}) or _named(own))
        rows = at(self.actor, "system.build.attributes.boosts")
        for level, names in rows.items() if isinstance(rows, dict) else ():
            if (whole(str(level)) or 0) <= self.level:
                _raise(boosts, _named(names))
        given = at(self.actor, "system.abilities")
        mods = {name: (n if n <= 4 else 4 + (n - 4) // 2) for name, n in boosts.items()}
        mods = {name: n + (whole(at(given, f"{name}.mod")) or 0) for name, n in mods.items()}
        for _, rule in self._rules("ActiveEffectLike"):
            parts = str(rule.get("path") or "").split(".")
            if parts[:2] == ["system", "abilities"] and parts[-1] == "mod" and parts[2] in mods:
                mods[parts[2]] += self._value(rule.get("value")) or 0
        return mods

    def _ranks(self) -> dict[str, int]:
        """Return the ranks of training, 0 to 4, by name: perception, saves, skills, armour and weapons."""
        own, skills = at(self.made["class"], "system"), at(self.actor, "system.skills")
        ranks = {"perception": whole(at(own, "perception")) or 0}
        for key in ("savingThrows", "defenses", "attacks"):
            values = at(own, key)
            ranks |= {k: whole(v) or 0 for k, v in values.items()} if isinstance(values, dict) else {}
        for name, value in skills.items() if isinstance(skills, dict) else ():
            ranks[name] = max(ranks.get(name, 0), whole(at(value, "rank")) or 0)
        for kind in ("class", "background"):
            skilled = _named(at(self.made.get(kind), "system.trainedSkills.value"))
            ranks |= {name: max(1, ranks.get(name, 0)) for name in skilled}
        for item in self.items:
            more = at(item, "system.subfeatures.proficiencies")
            for name, value in more.items() if isinstance(more, dict) else ():
                ranks[name] = max(ranks.get(name, 0), whole(at(value, "rank")) or 0)
        for source, rule in self._rules("ActiveEffectLike"):
            path = _chosen(source, str(rule.get("path") or ""))
            number = self._value(rule.get("value"))
            if path.endswith(".rank") and number is not None:
                name = path.split(".")[-2]
                before = ranks.get(name, 0)
                ranks[name] = before + number if rule.get("mode") == "add" else max(before, number)
        return ranks

    def _unconditional(self) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
        """Yield the rules that hold without a condition, with their items."""
        for item in self.items:
            worn = item.get("type") != "equipment" or at(item, "system.equipped.invested")
            for rule in tables(at(item, "system.rules")) if worn else ():
                if not rule.get("predicate"):
                    yield item, rule

    def _rules(self, key: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
        return ((item, rule) for item, rule in self.rules if rule.get("key") == key)

    def _value(self, value: Any) -> int | None:
        """Return a number, or what a formula comes to at this level; None for one that asks for more."""
        text = (
            str(value)[:300].replace("@actor.level", str(self.level)) if isinstance(value, int | str) else ""
        )
        for case in _CASE.finditer(text):
            least, *bounds = (int(number) for number in (case[2], case[3], case[4]) if number)
            held = {"gte": least >= bounds[0], "lte": least <= bounds[0]}
            if case[1] == "btwn" and len(bounds) > 1:
                held["btwn"] = bounds[0] <= least <= bounds[1]
            if held.get(case[1]):
                return int(case[5])
        last = _LAST.search(text) if text.startswith(("ternary", "match")) else None
        return int(last[1]) if last else total(text) if text else None

    def _flat(self, selector: str) -> int:
        """Return what rules add to a number; of several of one type only the most counts."""
        typed: dict[str, int] = {}
        for _, rule in self._rules("FlatModifier"):
            named, number = rule.get("selector"), self._value(rule.get("value"))
            if number is not None and selector in (named if isinstance(named, list) else [named]):
                kind = str(rule.get("type") or "untyped")
                before = typed.get(kind, 0)
                typed[kind] = before + number if kind == "untyped" else max(before, number)
        return sum(typed.values())

    # --- what it comes to

    def trained(self, name: str, ability: str) -> int:
        """Return a modifier with its training, which counts the level only where there is some."""
        return self.modifiers.get(ability, 0) + self._training(name)

    def _training(self, name: str) -> int:
        rank = self.ranks.get(name, 0)
        return 2 * rank + self.level if rank else 0

    def skill(self, name: str) -> int:
        """Return a skill with what is worn for it."""
        return self.trained(name, SKILLS[name]) + self._flat(name)

    def _hit_points(self) -> int:
        own = whole(at(self.made["ancestry"], "system.hp")) or 0
        for _, rule in self._rules("ActiveEffectLike"):
            if rule.get("path") == "system.attributes.ancestryhp":
                own = self._value(rule.get("value")) or own
        each = (whole(at(self.made["class"], "system.hp")) or 0) + self.modifiers["con"]
        return own + self.level * each + self._flat("hp")

    def _worn(self) -> Mapping[str, Any]:
        worn = [x for x in self.items if x.get("type") == "armor" and at(x, "system.equipped.inSlot")]
        return max((x["system"] for x in worn), key=lambda s: whole(s.get("acBonus")) or 0, default={})

    def _armour(self) -> int:
        worn, dexterity = self._worn(), self.modifiers["dex"]
        cap = whole(worn.get("dexCap"))
        bonus = (whole(worn.get("acBonus")) or 0) + _rune(worn, "potency")
        allowed = dexterity if cap is None else min(cap, dexterity)
        trained = self._training(str(worn.get("category") or "unarmored"))
        return 10 + allowed + bonus + trained + self._flat("ac")

    def _save(self, name: str) -> int:
        resilient = _rune(self._worn(), "resilient")
        return self.trained(name, SAVES[name]) + max(resilient, self._flat("saving-throw")) + self._flat(name)

    def _shield(self) -> int:
        held = (x for x in self.items if x.get("type") == "shield")
        in_hand = (x for x in held if at(x, "system.equipped.carryType") == "held")
        return max((whole(at(x, "system.acBonus")) or 0 for x in in_hand), default=0)

    def _speed(self) -> int:
        worn = self._worn()
        needed, penalty = whole(worn.get("strength")), whole(worn.get("speedPenalty")) or 0
        if needed is not None:
            # Before the remaster a score was needed, not a modifier.
            needed = (needed - 10) // 2 if needed >= 10 else needed
            penalty = min(0, penalty + _SLOWED) if self.modifiers["str"] >= needed else penalty
        base = whole(at(self.made["ancestry"], "system.speed")) or 0
        return base + penalty + self._flat("land-speed")

    # --- what it can do

    def _shown(self) -> Iterator[Mapping[str, Any]]:
        """Yield the items for the card: strikes of weapons, DCs of spells, names of what adds numbers."""
        yield from (self._strike(natural) for natural in self._unarmed())
        for item in self.items:
            kind, system = item.get("type"), at(item, "system")
            if kind in _BUILT:
                continue
            if not isinstance(system, dict):
                continue
            if kind == "weapon":
                yield self._strike(item)
            if kind == "feat" and at(system, "actionType.value") in ("passive", None):
                yield {"type": "feat", "name": item.get("name")}
            elif kind == "spellcastingEntry":
                yield {**item, "system": {**system, "spelldc": self._casting(system)}}
            elif kind == "lore":
                rank = whole(at(system, "proficient.value")) or 0
                number = self.modifiers["int"] + (2 * rank + self.level if rank else 0)
                yield {**item, "system": {**system, "mod": {"value": number}}}
            else:
                yield item

    def _casting(self, entry: Mapping[str, Any]) -> Mapping[str, int]:
        own = whole(at(self.made["class"], "system.spellcasting")) or 0
        rank = max(whole(at(entry, "proficiency.value")) or 0, own, self.ranks.get("spellcasting", 0))
        hit = self.modifiers.get(str(at(entry, "ability.value")), 0) + (2 * rank + self.level if rank else 0)
        return {"value": hit, "dc": 10 + hit}

    def _unarmed(self) -> Iterator[Mapping[str, Any]]:
        """Yield the weapons that rules give, such as the jaws of an animal."""
        for item, rule in self._rules("Strike"):
            if item.get("type") not in ("equipment", "consumable") and at(rule, "damage.base.die"):
                name = str(rule.get("label") or item.get("name")).rsplit(".", 1)[-1].replace("-", " ")
                damage = {**at(rule, "damage.base")}
                damage["damageType"] = _chosen(item, str(damage.get("damageType")))
                own = {**rule, "damage": damage, "traits": {"value": rule.get("traits")}}
                yield {"name": name[:1].upper() + name[1:], "system": own}

    def _rank(self, weapon: Mapping[str, Any]) -> int:
        """Return the training with a weapon: by its category, its group or kind, or as a god favours it."""
        category, group = str(weapon.get("category")), str(weapon.get("group"))
        named = (category, f"weapon-group-{group}", f"weapon-base-{weapon.get('baseItem')}")
        ranks = [self.ranks.get(name, 0) for name in named]
        favoured = at(self.made.get("deity"), "system.weapons")
        if isinstance(favoured, list) and weapon.get("baseItem") in favoured:
            ranks.append(whole(at(self.made["class"], "system.attacks.other.rank")) or 0)
        for item, rule in self._rules("MartialProficiency"):
            asked = _chosen(item, str(rule.get("definition")))
            groups, categories = set(_GROUP.findall(asked)), set(_CATEGORY.findall(asked))
            if group in groups and (not categories or category in categories):
                ranks.append(self._value(rule.get("value")) or 0)
        return max(ranks)

    def _strike(self, weapon: Mapping[str, Any]) -> Mapping[str, Any]:
        system = at(weapon, "system") or {}
        traits = _named(at(system, "traits.value"))
        strength, dexterity = self.modifiers["str"], self.modifiers["dex"]
        far, thrown = whole(system.get("range")), "thrown" in traits
        best = max(strength, dexterity) if "finesse" in traits else strength
        rank = self._rank(system)
        trained = (2 * rank + self.level if rank else 0) + _rune(system, "potency")
        added = strength if not far or thrown else 0
        if "propulsive" in traits:
            added = strength // 2 if strength > 0 else strength
        added += self._specialized(rank)
        count = (whole(at(system, "damage.dice")) or 0) + _rune(system, "striking")
        die = at(system, "damage.die")
        damage = plus(f"{count}{die}" if count and die else "", added)
        own = {
            "bonus": {"value": (dexterity if far else best) + trained},
            "damageRolls": {"0": {"damage": damage, "damageType": at(system, "damage.damageType")}},
            "traits": {"value": traits},
            "range": {"increment": far},
        }
        return {"type": "melee", "name": weapon.get("name"), "system": own}

    def _specialized(self, rank: int) -> int:
        """Return the damage that training adds from expert on."""
        times = int("Weapon Specialization" in self.names)
        times = 2 if "Greater Weapon Specialization" in self.names else times
        return times * rank if rank > 1 else 0


_CASE = re.compile(r"\b(gte|lte|btwn)\((\d{1,3}), ?(\d{1,3})(?:, ?(\d{1,3}))?\), ?(\d{1,4})\b")
_LAST = re.compile(r", ?(\d{1,4})\)+$")
_GROUP = re.compile(r"item:group:([\w-]{1,40})")
_CATEGORY = re.compile(r"item:category:(\w{1,40})")
_CHOICE = re.compile(r"\{item\|flags\.(?:pf2e|system)\.rulesSelections\.(\w{1,60})\}")


def _chosen(item: Mapping[str, Any], path: str) -> str:
    """Return a path with what was chosen for an item in it, which is kept with the rule or beside it."""
    choices = {str(x.get("flag")): x.get("selection") for x in tables(at(item, "system.rules"))}
    kept = at(item, "flags.pf2e.rulesSelections")
    choices |= kept if isinstance(kept, dict) else {}
    return _CHOICE.sub(lambda m: str(choices.get(m[1]) or ""), path)


def _rune(system: Mapping[str, Any], name: str) -> int:
    """Return the number of a rune; before the remaster each had a table of its own."""
    return whole(at(system, f"runes.{name}")) or whole(at(system, f"{name}Rune.value")) or 0


def _picked(rows: Any) -> list[str]:
    """Return the abilities that are chosen, or of which there is one to choose."""
    names = []
    for row in rows.values() if isinstance(rows, dict) else ():
        only = at(row, "value")
        single = only[0] if isinstance(only, list) and len(only) == 1 else None
        names.append(at(row, "selected") or single)
    return [name for name in names if isinstance(name, str)]


def _named(value: Any) -> list[str]:
    """Return the words of a list, or one alone."""
    words = value if isinstance(value, list) else [value]
    return [word for word in words if isinstance(word, str) and word]


def _raise(boosts: dict[str, int], names: Iterable[str], by: int = 1) -> None:
    """Add to the boosts of each ability that is named."""
    for name in names:
        if name in boosts:
            boosts[name] += by
