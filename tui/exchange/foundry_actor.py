"""Foundry's documents: the numbers that it works out for a dnd5e actor, and those that are no creatures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any

from tui.exchange import values
from tui.exchange.formulas import counted, filled, total
from tui.exchange.mapping import Unread, at
from tui.exchange.page import pact, spell_slots
from tui.exchange.values import has, modifier, tables, whole

Table = Mapping[str, Any]

_CODES = {
    "acr": "acrobatics", "ani": "animal handling", "arc": "arcana", "ath": "athletics", "dec": "deception",
    "his": "history", "ins": "insight", "itm": "intimidation", "inv": "investigation", "med": "medicine",
    "nat": "nature", "prc": "perception", "prf": "performance", "per": "persuasion", "rel": "religion",
    "slt": "sleight of hand", "ste": "stealth", "sur": "survival",
}  # fmt: skip
SKILLS = {k: (v.title().replace(" Of ", " of "), values.SKILLS[v]) for k, v in _CODES.items()}
"""By its code: the name of a skill, and its ability."""
ABILITIES = dict(zip(values.ABILITIES, map(str.capitalize, values.LONG_ABILITIES), strict=True))


def ability(actor: Any, name: str) -> int:
    """Return the modifier of an ability; 0 for one that is not there."""
    return modifier(at(actor, f"system.abilities.{name}.value")) or 0


def proficiency(actor: Any) -> int:
    """Return the proficiency bonus: of a challenge, or of the levels of the classes."""
    challenge = at(actor, "system.details.cr")
    if isinstance(challenge, int | float) and not isinstance(challenge, bool):
        return 2 + max(0, int(challenge) - 1) // 4
    return 2 + max(0, (level(actor) or 1) - 1) // 4


def level(actor: Any) -> int:
    """Return the levels of all classes together."""
    numbers = (
        whole(at(i, "system.levels")) or 0 for i in tables(actor.get("items")) if i.get("type") == "class"
    )
    return sum(numbers)


def spellcasting(actor: Any) -> str:
    """Return the ability that spells are cast by."""
    value = at(actor, "system.attributes.spellcasting")
    return value if isinstance(value, str) and value in ABILITIES else "int"


def casting(actor: Any, spell: Any) -> str:
    """Return the ability that a spell is cast by: of the feature that casts it, its own, or the actor's."""
    for named in (at(cast_by(actor, spell), "spell.ability"), at(spell, "system.ability")):
        if isinstance(named, str) and named in ABILITIES:
            return named
    return spellcasting(actor)


def cast_by(actor: Any, spell: Any) -> Mapping[str, Any] | None:
    """Return the activity of a feature that a spell was put into the sheet for."""
    address = at(spell, "flags.dnd5e.cachedFor")
    parts = address.split(".") if isinstance(address, str) else []
    owner = next((i for i in tables(actor.get("items")) if i.get("_id") in parts[2:3]), None)
    activity = at(owner, f"system.activities.{parts[-1]}") if parts else None
    return activity if isinstance(activity, Mapping) else None


def race(actor: Any) -> Mapping[str, Any] | None:
    """Return the species of a character, which holds its speed and its senses."""
    return next((i for i in tables(actor.get("items")) if i.get("type") == "race"), None)


def hit_points(actor: Any) -> int | None:
    """Return the maximum of hit points that a character's levels give; None where the file does not say."""
    given, sides = list[int](), 0
    for item in tables(actor.get("items")):
        advancement = at(item, "system.advancement")
        rows = advancement.values() if isinstance(advancement, dict) else tables(advancement)
        sides = (
            whole(str(at(item, "system.hd.denomination") or at(item, "system.hitDice") or "").strip("d")) or 0
        )
        for row in rows:
            levels = at(row, "value") if at(row, "type") == "HitPoints" else None
            for value in levels.values() if isinstance(levels, dict) and sides else ():
                number = sides if value == "max" else sides // 2 + 1 if value == "avg" else whole(value)
                given.append(max(1, (number or 0) + ability(actor, "con")))
    each = worked_out(actor, at(actor, "system.attributes.hp.bonuses.level")) or 0
    more = worked_out(actor, at(actor, "system.attributes.hp.bonuses.overall")) or 0
    return sum(given) + each * level(actor) + more if given and len(given) == level(actor) else None


_DIVISORS = {"full": 1, "half": 2, "artificer": 2, "third": 3}


def slots(actor: Any, rank: int) -> int:
    """Return the slots of a level of spells: as the sheet says, else by the levels of casting classes."""
    given = at(actor, f"system.spells.spell{rank}")
    own = next((n for k in ("override", "max") if (n := whole(at(given, k)))), None)
    if own:
        return own
    classes = [i for i in tables(actor.get("items")) if i.get("type") == "class"]
    casters = [
        (whole(at(i, "system.levels")) or 0, _DIVISORS.get(_progression(actor, i), 0)) for i in classes
    ]
    casters = [(levels, divisor) for levels, divisor in casters if divisor]
    if spell_slots(casters, 1):
        return spell_slots(casters, rank)
    return whole(at(given, "value")) or 0


def pact_slots(actor: Any) -> str:
    """Return the slots of a pact: `Pact slots (2/Short Rest). 3rd level.`; "" for an actor without one."""
    pacts = (i for i in tables(actor.get("items")) if at(i, "system.spellcasting.progression") == "pact")
    return pact(sum(whole(at(i, "system.levels")) or 0 for i in pacts))


def _progression(actor: Any, item: Any) -> str:
    """Return how fast a class, or the subclass of it, gains slots."""
    own = str(at(item, "system.spellcasting.progression"))
    if own in _DIVISORS:
        return own
    name = at(item, "system.identifier")
    inner = (i for i in tables(actor.get("items")) if i.get("type") == "subclass")
    weights = (
        str(at(i, "system.spellcasting.progression"))
        for i in inner
        if at(i, "system.classIdentifier") == name
    )
    return next((x for x in weights if x in _DIVISORS), "")


def spell_dc(actor: Any, name: str = "") -> int:
    """Return the DC of its spells, by the ability that is named or else its own."""
    more = total(at(actor, "system.bonuses.spell.dc")) or 0
    return 8 + proficiency(actor) + ability(actor, name or spellcasting(actor)) + more


def skill(actor: Any, name: str) -> int | None:
    """Return a skill: its ability, a multiple of the proficiency bonus, and a bonus of its own."""
    given = at(actor, f"system.skills.{name}")
    if not isinstance(given, dict):
        return None
    times = given.get("value") or 0
    own = worked_out(actor, at(given, "bonuses.check"))
    chosen = given.get("ability")
    usual = SKILLS.get(name, ("", "dex"))[1]
    base = ability(actor, chosen if isinstance(chosen, str) and chosen else usual)
    return base + int(times * proficiency(actor)) + (own or 0) if isinstance(times, int | float) else None


def passive(actor: Any) -> int | None:
    """Return passive Perception."""
    number = skill(actor, "prc")
    more = worked_out(actor, at(actor, "system.skills.prc.bonuses.passive")) or 0
    return None if number is None else 10 + number + more


def heightened(actor: Any, spell: Any) -> int:
    """Return how many steps a spell is cast above its own: a cantrip by its caster, others by their level."""
    base = whole(at(spell, "system.level"))
    if spell.get("type") != "spell" or base is None:
        return 0
    if base:
        return max(0, (whole(at(cast_by(actor, spell), "spell.level")) or base) - base)
    challenge = at(actor, "system.details.cr")
    innate = "innate" in (at(spell, "system.method"), at(spell, "system.preparation.mode"))
    paths = ("details.level", "details.spellLevel", "attributes.spell.level")
    caster = level(actor) or next((n for p in paths if (n := whole(at(actor, f"system.{p}")))), 0)
    number = challenge if innate and isinstance(challenge, int | float) else caster
    return max(0, min(3, int(number + 1) // 6))


def saves(actor: Any) -> dict[str, int]:
    """Return the bonus to each save."""
    result: dict[str, int] = {}
    for name in ABILITIES:
        trained = at(actor, f"system.abilities.{name}.proficient")
        if isinstance(trained, int | float):
            own = worked_out(actor, at(actor, f"system.abilities.{name}.bonuses.save")) or 0
            own += worked_out(actor, at(actor, "system.bonuses.abilities.save")) or 0
            result[name] = ability(actor, name) + int(trained * proficiency(actor)) + own
    return result


def look_up(actor: Any, path: str, mod: int | None = None, item: Any = None) -> object:
    """Return what `@path` stands for in a formula or a text of this actor; None where it is not known."""
    parts = path.split(".")
    match parts:
        case ["mod"]:
            return mod
        case ["prof"] | ["attributes", "prof"]:
            return proficiency(actor)
        case ["name"]:
            return actor.get("name")
        case ["abilities", name, "mod"]:
            return ability(actor, name)
        case ["abilities", name, "dc"]:
            return 8 + proficiency(actor) + ability(actor, name)
        case ["abilities", name, "save", *_]:
            return saves(actor).get(name)
        case ["attributes", "spell", "dc"] | ["attributes", "spelldc"]:
            return spell_dc(actor)
        case ["attributes", "spell", "mod"]:
            return ability(actor, spellcasting(actor))
        case ["attributes", "spell", "attack"]:
            return proficiency(actor) + ability(actor, spellcasting(actor))
        case ["skills", name, "passive"]:
            number = skill(actor, name)
            return None if number is None else 10 + number
        case ["skills", name, *_]:
            return skill(actor, name)
        case ["details", "level"]:
            return level(actor) or None
        case ["item", *rest]:
            return at(item, ".".join(["system", *rest]))
        case ["classes", name, "levels"]:
            return _class_level(actor, name)
        case ["scale", name, key]:
            return _scaled(actor, name, key)
    number = at(actor, f"system.{path}")
    return number if isinstance(number, int | float | str) else None


def _class(actor: Any, name: str) -> Mapping[str, Any] | None:
    named = (i for i in tables(actor.get("items")) if i.get("type") in ("class", "subclass", "race"))
    return next((i for i in named if at(i, "system.identifier") == name), None)


def _class_level(actor: Any, name: str) -> int | None:
    return whole(at(_class(actor, name), "system.levels"))


def _scaled(actor: Any, name: str, key: str) -> object:
    """Return a number or dice that grow with the levels of a class, as they stand at its level now."""
    owner = _class(actor, name)
    levels = (
        _class_level(actor, name)
        or _class_level(actor, str(at(owner, "system.classIdentifier")))
        or level(actor)
    )
    advancement = at(owner, "system.advancement")
    rows = advancement.values() if isinstance(advancement, dict) else tables(advancement)
    for row in rows:
        scale = at(row, "configuration.scale")
        if at(row, "type") != "ScaleValue" or not isinstance(scale, dict):
            continue
        if key not in (at(row, "configuration.identifier"), str(at(row, "title")).lower().replace(" ", "-")):
            continue
        steps = sorted((int(k), v) for k, v in scale.items() if str(k).isdecimal() and int(k) <= levels)
        value = steps[-1][1] if steps else None
        if isinstance(value, dict) and (faces := whole(value.get("faces"))):
            return f"{value.get('number') or 1}d{faces}"
        return value.get("value") if isinstance(value, dict) else value
    return None


def written_out(actor: Any, formula: object, mod: int | None = None, item: Any = None) -> str:
    """Return a formula with the actor's numbers in it; a sum where it is one of whole numbers."""
    text = counted(filled(formula, lambda path: look_up(actor, path, mod, item)))
    number = total(text) if text else None
    return text if number is None else str(number)


def worked_out(actor: Any, formula: object) -> int | None:
    """Return what a formula totals for this actor; None for one with dice, or with words no one knows."""
    if isinstance(formula, int):
        return whole(formula)
    if not isinstance(formula, str):
        return 0
    return total(filled(formula, lambda path: look_up(actor, path)))


# --- active effects, which Foundry applies before it shows a number

_ADD, _DOWNGRADE, _UPGRADE, _OVERRIDE = 2, 3, 4, 5
_ROOTED = re.compile(r"system\.(?:attributes|bonuses|traits|abilities|skills)\.\S{1,80}")
"""The parts of an actor in which effects change what a card says."""
_OF_ITEMS = re.compile(r"system\.(?:ability|method|magicalBonus|armor|properties|damage)\b\S{0,80}")
_OF_KIND = re.compile(r"activities\[(\w{1,20})\]\.(\S{1,80})")
_MOST_CHANGES = 200
"""Changes of one actor, and of one item, that are made."""


def affected(actor: Table) -> Table:
    """Return an actor as the effects change it that always apply."""
    items = [_enchanted(actor, item) for item in tables(actor.get("items"))]
    changed = {**actor, "items": items} if "items" in actor else dict(actor)
    changes = [x for x in islice(_changes(changed), _MOST_CHANGES) if _ROOTED.match(str(x.get("key")))]
    if changes and isinstance(actor.get("system"), dict):
        changed["system"] = deepcopy(actor["system"])
        for change in changes:
            _make(changed, changed, str(change["key"]).split("."), change)
    return changed


def _changes(actor: Table) -> Iterator[Table]:
    """Yield the changes of the actor's own effects and of those that its items pass on to it."""
    sources = [(actor, False), *((item, True) for item in tables(actor.get("items")) if _works(item))]
    for source, passed in sources:
        for effect in _effects(source):
            if effect.get("type") != "enchantment" and (not passed or effect.get("transfer") is True):
                yield from _of(effect)


def _effects(source: Table) -> Iterator[Table]:
    return (x for x in tables(source.get("effects"))[:_MOST_CHANGES] if not x.get("disabled"))


def _of(effect: Table) -> list[dict[str, Any]]:
    """Return the changes of an effect, which newer versions keep with its system."""
    return tables(effect.get("changes") or at(effect, "system.changes"))[:_MOST_CHANGES]


def _works(item: Table) -> bool:
    """Return whether an item passes its effects on: it is worn if it can be, and attuned if it must be."""
    worn, attunement = at(item, "system.equipped"), at(item, "system.attunement")
    return worn is not False and (attunement != "required" or at(item, "system.attuned") is True)


def _enchanted(actor: Table, item: Table) -> Table:
    """Return an item as its enchantments make it: its name, its bonus, and what its spell goes by."""
    # Without an origin it is what this item gives to others, such as the spell that makes a club magical.
    worn = [x for x in _effects(item) if x.get("type") == "enchantment" and x.get("origin")]
    changes = [change for effect in worn for change in _of(effect)][:_MOST_CHANGES]
    if not changes or not isinstance(item.get("system"), dict):
        return item
    made = {**item, "system": deepcopy(item["system"])}
    activities = at(made, "system.activities")
    rows = list(activities.items())[:_MOST_CHANGES] if isinstance(activities, dict) else []
    for change in changes:
        key, value = str(change.get("key") or ""), change.get("value")
        if key == "name" and isinstance(value, str) and "{}" in value:
            made["name"] = value.replace("{}", str(item.get("name") or "")[:200])[:200]
        elif _OF_ITEMS.match(key):
            _make(actor, made, key.split("."), change)
        elif match := _OF_KIND.fullmatch(key):
            for name, row in rows:
                if at(row, "type") == match[1]:
                    _make(actor, made, ["system", "activities", name, *match[2].split(".")], change)
    return made


def _make(actor: Table, holder: dict[str, Any], parts: list[str], change: Table) -> None:
    """Make one change in a table, if it can be worked out and all parts of its path are tables."""
    before = at(holder, ".".join(parts))
    if before in (None, "", 0) and parts[2:3] == ["movement"]:
        before = at(race(actor), f"system.movement.{parts[-1]}")
    value = _value(actor, before, change.get("mode"), change.get("value"))
    inner: Any = holder
    for part in parts[:-1]:
        inner = inner.setdefault(part, {}) if isinstance(inner, dict) else None
    if value is not None and isinstance(inner, dict):
        inner[parts[-1]] = value


def _value(actor: Table, before: Any, mode: Any, given: Any) -> Any:
    text = given.strip() if isinstance(given, str) else given
    if isinstance(before, list):
        return [*before, text] if mode == _ADD and isinstance(text, str) and text[:1] != "-" else None
    if mode == _OVERRIDE and isinstance(text, str) and not text.lstrip("+-").isdecimal():
        # A formula is worked out where it stands.
        return text if text[:1] not in "[{" else None
    number = worked_out(actor, text) if isinstance(text, int | str) and text != "" else None
    if number is None:
        return None
    base = worked_out(actor, before) if isinstance(before, int | str) else None
    if mode == _ADD:
        return (base or 0) + number
    if mode in (_UPGRADE, _DOWNGRADE):
        choose = max if mode == _UPGRADE else min
        return number if base is None else choose(base, number)
    return number if mode == _OVERRIDE else None


# --- documents that are no creatures: each is refused by its kind, with what would work instead

_MEMBERS = "names its members and does not hold them: export each of them"
_CAUSES = {
    "familiar": "a familiar of Foundry has its master's numbers and none of its own: `add NAME hp=15 ac=18`",
    "eidolon": "an eidolon of Foundry has its master's numbers and none of its own: `add NAME hp=15 ac=18`",
    "party": f"a party of Foundry {_MEMBERS}",
    "group": f"a group of Foundry {_MEMBERS}",
    "encounter": f"an encounter of Foundry {_MEMBERS}",
    "loot": "loot of Foundry is no creature: export who carries it",
}
_ACTORS = ("prototypeToken", "token")
_PROGRAM_MARKS = ("_stats", "effects", "items", "flags", "ownership", "permission", "img", *_ACTORS)


def _documents(value: Any) -> list[dict[str, Any]]:
    """Return the rows that have a kind, a system's data and keys of Foundry itself."""
    return [
        row
        for row in tables(value)
        if isinstance(row.get("type"), str)
        and (isinstance(row.get("system"), dict) or isinstance(row.get("data"), dict))
        and any(mark in row for mark in _PROGRAM_MARKS)
    ]


def _cause(row: dict[str, Any]) -> str:
    kind = row["type"][:40]
    system = row.get("system") or row.get("data")
    if cause := _CAUSES.get(kind):
        return cause
    if kind == "character" and has(system, "details") and "items" in row:
        return "a character of Foundry without ancestry or class has no numbers yet: export it from its sheet"
    actor = any(mark in row for mark in _ACTORS) or whole(at(system, "attributes.hp.max")) is not None
    if actor:
        return (
            f"a Foundry actor of kind {kind}: read are creatures, characters and vehicles of dnd5e and pf2e"
        )
    return f"a Foundry item ({kind}) is no creature: export the actor that has it"


def refusal(value: Any) -> str:
    """Return why a file of Foundry holds no creature, and what would work; "" for other files."""
    return next(map(_cause, _documents(value)), "")


def left_out(value: Any, taken: Sequence[Mapping[str, Any]]) -> Iterator[Unread]:
    """Yield how many documents of each kind are left out because they are no creatures."""
    creatures = {str(row.get("type")) for row in taken}
    causes = Counter(_cause(row) for row in _documents(value) if row["type"] not in creatures)
    for cause, count in causes.items():
        yield Unread(f"{count} left out: {cause}")
