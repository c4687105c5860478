"""The card of a dnd5e actor of Foundry: what it can do, with the numbers that its program would fill in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tui.exchange.formulas import added, average, plus, spaced, summed, total
from tui.exchange.foundry_actor import (
    ABILITIES,
    SKILLS,
    ability,
    cast_by,
    casting,
    heightened,
    look_up,
    pact_slots,
    passive,
    proficiency,
    race,
    skill,
    slots,
    spell_dc,
    worked_out,
    written_out,
)
from tui.exchange.foundry_actor import saves as all_saves
from tui.exchange.mapping import at
from tui.exchange.page import LEVELS, bonuses, challenge, held, kind, listed, scores, sensed, speeds
from tui.exchange.values import KINDS, kinds, plain, saves, size, tables, whole

Table = Mapping[str, Any]

_ROLL = re.compile(
    r"\[\[(/?)([^\[\]]{0,300}(?:\[\[[^\[\]]{0,100}\]\][^\[\]]{0,100})?)\]\](?:\{([^{}]{0,200})\})?"
)
_LINK = re.compile(r"@(UUID|Item|Actor|JournalEntry|Compendium)\[([^\[\]]{0,300})\](?:\{([^{}]{0,200})\})?")
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\[\]{}]{0,200})[\]}](?:\{([^{}]{0,200})\})?")
_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,200}>.{0,300}?</h\1>", re.DOTALL)
_SECTION = re.compile(r"<section\b.{0,8000}?</section>", re.DOTALL)
_ADVICE = re.compile(r"<section[^<>]{0,300}\badvice\b|Foundry Note", re.IGNORECASE)
_SLOTTED = re.compile(r"\([0-9]{1,2} slots?\)")
_WORD = re.compile(r"([a-zA-Z]{1,20})=(?:\"([^\"]{0,120})\"|(\S{1,120}))")
_HEALED = re.compile(r"\s*(?:temporary |hit points?|healing)", re.IGNORECASE)
_SECTIONS = {
    "": "Traits", "special": "Traits", "action": "Actions", "bonus": "Bonus actions", "reaction": "Reactions",
    "legendary": "Legendary actions", "mythic": "Mythic actions", "lair": "Lair actions",
}  # fmt: skip
_PERIODS = {
    "day": "Day",
    "dawn": "Day",
    "dusk": "Day",
    "lr": "Long Rest",
    "sr": "Short Rest",
    "turn": "Turn",
    "round": "Round",
}
_GEAR = ("equipment", "consumable", "loot", "container", "tool", "backpack")
_QUIET = ("class", "subclass", "race", "background", "facility")
_RANGED = ("simpleR", "martialR", "siege")
_MELEE = ("simpleM", "martialM")
_TYPES = {
    "mwak": ("melee", "weapon"),
    "rwak": ("ranged", "weapon"),
    "msak": ("melee", "spell"),
    "rsak": ("ranged", "spell"),
}
_NO_UNITS = ("", "self", "touch", "spec", "any", "none")


def page(actor: Table) -> str:
    """Return the card: what people read on the sheet. What only the machine reads is not on it."""
    return "\n".join(line for line in _lines(actor) if line is not None)


def _lines(actor: Table) -> Iterator[str]:
    yield from filter(None, _head(actor))
    sections: dict[str, list[str]] = {}
    for item in tables(actor.get("items")):
        kind = item.get("type")
        if kind not in (*_GEAR, *_QUIET, "spell"):
            sections.setdefault(_section(item), []).append(_feature(actor, item))
    spells = list(_spells(actor, "\n".join(line for lines in sections.values() for line in lines)))
    gear = ", ".join(_gear(actor))
    # What a character may do comes before the long words of its classes.
    last = "Traits" if actor.get("type") == "character" else ""
    for title in dict.fromkeys(_SECTIONS.values()):
        if title in sections and title != last:
            yield from _features(_titled(actor, title), sections[title])
    if spells:
        yield from ["", "Spells", *spells]
    if last in sections:
        yield from _features(last, sections[last])
    if gear:
        yield from ["", f"Carries: {gear}"]
    for words in dict.fromkeys(_biography(actor)):
        yield from ["", words]


def _features(title: str, lines: list[str]) -> Iterator[str]:
    """Yield features under their heading, each once."""
    yield from ["", title, *dict.fromkeys(filter(None, lines))]


def _biography(actor: Table) -> Iterator[str]:
    """Yield the texts of a creature, without headings that only Foundry shows."""
    for key in ("value", "public"):
        text = at(actor, f"system.details.biography.{key}")
        if isinstance(text, str) and _words(actor, _HEADING.sub("", text[:32_000]), None):
            yield _words(actor, text, None)


def _titled(actor: Table, title: str) -> str:
    number = whole(at(actor, "system.resources.legact.max")) if title.startswith("Legendary") else None
    return f"{title}: {number} each round" if number else title


# --- its numbers


def _head(actor: Table) -> Iterator[str]:
    """Yield what and who it is, as a stat block begins, then its numbers."""
    sort, people, subtype = at(actor, "system.details.type"), at(actor, "system.details.race"), None
    if isinstance(sort, dict):
        subtype, many = sort.get("subtype"), size(sort.get("swarm"))
        sort = sort.get("custom") if sort.get("value") in ("custom", None) else sort.get("value")
        sort = f"swarm of {many} {_PLURALS.get(str(sort), f'{sort}s')}" if many else sort
    sort = f"{sort} vehicle" if actor.get("type") == "vehicle" else sort
    items = tables(actor.get("items"))
    if isinstance(people, str):
        people = next((i.get("name") for i in items if i.get("_id") == people), people)
    classes = [f"{i.get('name')} {at(i, 'system.levels')}" for i in items if i.get("type") == "class"]
    alignment, rating = at(actor, "system.details.alignment"), challenge(at(actor, "system.details.cr"))
    first = kind(size(at(actor, "system.traits.size")), sort or people, subtype, "")
    rest = (people if sort else "", *classes, alignment.lower() if isinstance(alignment, str) else "")
    texts = (first, *(plain(x) for x in rest if isinstance(x, str)), f"challenge {rating}" if rating else "")
    yield ", ".join(filter(None, texts))
    yield listed("Speed", [_speed(_inherited(actor, "movement"))])
    for key, title in (("dt", "Damage threshold"), ("mt", "Mishap threshold")):
        yield listed(title, [str(whole(at(actor, f"system.attributes.hp.{key}")) or "")])
    yield scores({k: whole(at(actor, f"system.abilities.{k}.value")) for k in ABILITIES})
    trained = {k: v for k, v in all_saves(actor).items() if at(actor, f"system.abilities.{k}.proficient")}
    yield listed("Saves", [bonuses({k.capitalize(): v for k, v in trained.items()})])
    known = {SKILLS[k][0]: skill(actor, k) for k in SKILLS if at(actor, f"system.skills.{k}.value")}
    yield listed("Skills", [bonuses(known)])
    yield from (listed(title, defence(actor, key)) for key, title in _DEFENCES.items())
    yield listed("Senses", [sensed(", ".join(_ranges(_inherited(actor, "senses"))), passive(actor))])
    yield listed("Languages", [*defence(actor, "languages"), *_ranges(_talk(actor))])


_DEFENCES = {
    "dv": "Vulnerable to", "dr": "Resists", "di": "Immune to", "ci": "Condition immunities",
}  # fmt: skip
_PLURALS = {"undead": "undead", "fey": "fey", "monstrosity": "monstrosities"}


def _inherited(actor: Table, key: str) -> Table:
    """Return an actor's movement or senses, or those of its species where it has none of its own."""
    own, base = at(actor, f"system.attributes.{key}"), at(race(actor), f"system.{key}")
    return {**(base if isinstance(base, dict) else {}), **(_given(own) if isinstance(own, dict) else {})}


def _speed(table: Table) -> str:
    """Return `30 ft., fly 60 ft. (hover)`."""
    ways = {k: v for k, v in table.items() if not isinstance(v, bool) and whole(v) and k != "special"}
    unit = {} if table.get("units") in ("", "ft", None) else {"unit": f"{table['units']}."}
    text = speeds({**ways, **unit, "hover": table.get("hover") is True})
    return ", ".join(filter(None, (text.strip(), plain(_word(table, "special")))))


def _talk(actor: Table) -> Table:
    """Return the range of telepathy and its like, by name."""
    given = at(actor, "system.traits.languages.communication")
    ways = {k: v for k, v in given.items() if whole(at(v, "value"))} if isinstance(given, dict) else {}
    units = next((unit for v in ways.values() if (unit := at(v, "units"))), "ft")
    return {**{k: at(v, "value") for k, v in ways.items()}, "units": units}


_BYPASSES = {"mgc": "nonmagical", "sil": "not silvered", "ada": "not adamantine"}


def defence(actor: Table, key: str) -> Iterator[str]:
    """Yield what stands in a list of the actor's traits; weapons' damage with what passes it by."""
    given = at(actor, f"system.traits.{key}")
    if not isinstance(given, dict):
        return
    listed, passed = (x if isinstance(x, list) else [] for x in (given.get("value"), given.get("bypasses")))
    passes = [_BYPASSES[b] for b in passed if isinstance(b, str) and b in _BYPASSES]
    values = [str(v) for v in listed if v not in ("custom", "physical")]
    for value in (_SPOKEN.get(v.lower(), v) if key == "languages" else v for v in values):
        yield f"{value} ({', '.join(passes)})" if passes and value in _WEAPONS else value
    if isinstance(given.get("custom"), str) and given["custom"]:
        yield plain(given["custom"])


_WEAPONS = ("bludgeoning", "piercing", "slashing")
_SPOKEN = {
    "all": "all", "deep": "deep speech", "cant": "thieves' cant", "sign": "sign language",
    "standard": "all standard languages", "exotic": "all exotic languages",
}  # fmt: skip


def withstands(key: str) -> Any:
    """Return a reader of the damage types in a list of traits, without conditional ones."""

    def read(actor: Any) -> str | None:
        return kinds(";".join(word for word in defence(actor, key)).replace("(", "nonmagical ("))

    return read


def spelt_saves(actor: Any) -> str | None:
    """Return all saves of an actor as a line spells them."""
    return saves(all_saves(actor))


def _ranges(table: Table) -> Iterator[str]:
    units = table.get("units") or "ft"
    for key, value in table.items():
        if key == "ranges" and isinstance(value, dict):
            yield from _ranges({**value, "units": units})
        elif value in (None, "", 0, "0", False, []) or key in ("units", "ignoredDifficultTerrain"):
            continue
        elif value is True:
            yield key
        else:
            number = whole(value)
            yield f"{key} {number} {units}." if number is not None and key != "special" else plain(str(value))


# --- features and weapons


def _activities(item: Table) -> list[tuple[str, Table]]:
    """Return the activities of an item by id; for an older item, one made of its attack and save."""
    given = at(item, "system.activities")
    if isinstance(given, dict) and given:
        return [(str(k), v) for k, v in given.items() if isinstance(v, dict)]
    kind = str(at(item, "system.actionType"))
    save = at(item, "system.save")
    made: list[tuple[str, Table]] = []
    activation = at(item, "system.activation")
    if kind in _TYPES:
        value, sort = _TYPES[kind]
        bonus = at(item, "system.attack.bonus") or at(item, "system.attackBonus") or ""
        attack = {
            "ability": at(item, "system.ability") or "",
            "bonus": bonus,
            "flat": bool(at(item, "system.attack.flat")),
            "type": {"value": value, "classification": sort},
        }
        made.append(("attack", {"type": "attack", "attack": attack, "activation": activation}))
    if isinstance(save, dict) and save.get("ability"):
        scaling = save.get("scaling")
        how = "" if scaling == "flat" else "spellcasting" if scaling in ("spell", None, "") else scaling
        dc = {"calculation": how, "formula": str(save.get("dc") or "")}
        made.append(
            (
                "save",
                {"type": "save", "save": {"ability": save["ability"], "dc": dc}, "activation": activation},
            )
        )
    return made or [("use", {"type": "utility", "activation": activation})]


def _section(item: Table) -> str:
    """Return the heading under which a feature stands, by how it is activated."""
    kinds = [str(at(a, "activation.type") or "") for _, a in _activities(item)]
    kinds.append(str(at(item, "system.activation.type") or ""))
    if "trait" in _properties(item) and "legendary" not in kinds:
        return "Traits"
    text = next((k for k in kinds if k in _SECTIONS and k not in ("", "special")), "")
    return "Actions" if item.get("type") == "weapon" and not text else _SECTIONS[text]


def _feature(actor: Table, item: Table) -> str:
    """Return a feature or a weapon: name, limits, the numbers that its text leaves out, words."""
    name = plain(str(item.get("name", ""))).strip().rstrip(".")
    words = _words(actor, at(item, "system.description.value"), item)
    raw = str(at(item, "system.description.value") or "")
    own = []
    for id_, activity in _activities(item):
        if activity.get("type") == "attack" and "to hit" not in words and "[[/attack" not in raw:
            own.append(
                f"{_attack(actor, item, activity).rstrip('.')}. {_hit(actor, item, id_)}".rstrip(". ") + "."
            )
        elif activity.get("type") == "save" and "DC " not in words:
            damage = _damage(actor, item, activity)
            own.append(f"{_save(actor, item, activity)} save{f', {damage}' if damage else ''}.")
        if own:
            break
    limits = ", ".join(_limits(actor, item, name))
    text = " ".join([*own, words]).strip()
    return f"{name}{f' ({limits})' if limits else ''}. {text}".strip()


def _limits(actor: Table, item: Table, name: str) -> Iterator[str]:
    """Yield how often a feature can be used, as books write it behind its name."""
    resistances = whole(at(actor, "system.resources.legres.max"))
    if name.lower().startswith("legendary resistance") and resistances and "/" not in name:
        yield f"{resistances}/Day"
        return
    if "(" not in name:
        recharge = whole(at(item, "system.recharge.value"))
        if recharge:
            yield _recharged(recharge)
        else:
            uses = at(item, "system.uses")
            # Of several activities each has uses of its own, which its text tells of.
            inner = [a for _, a in _activities(item) if a.get("type") != "cast"]
            alone = at(inner[0], "uses") if len(inner) == 1 and item.get("type") != "spell" else None
            yield from _uses(actor, item, uses if at(uses, "max") else alone)
    for _, activity in _activities(item):
        cost = whole(at(activity, "activation.value"))
        if at(activity, "activation.type") == "legendary" and cost and cost > 1 and "osts" not in name:
            yield f"Costs {cost} Actions"
            break


def _uses(actor: Table, item: Table, uses: Any) -> Iterator[str]:
    count = total(written_out(actor, at(uses, "max"), None, item)) if at(uses, "max") else None
    recovery = tables(at(uses, "recovery"))
    old = at(uses, "per")
    period = next((str(r.get("period")) for r in recovery if r.get("type") != "loseAll"), str(old or ""))
    if period == "recharge":
        yield _recharged(
            next((whole(r.get("formula")) or 6 for r in recovery if r.get("period") == "recharge"), 6)
        )
    elif count:
        yield f"{count}/{_PERIODS[period]}" if period in _PERIODS else f"{count} uses"


def _recharged(least: int) -> str:
    return "Recharge 6" if least >= 6 else f"Recharge {least}\u20136"


# --- attacks, saves, damage


def _spell_attack(item: Table, activity: Table) -> bool:
    sort = at(activity, "attack.type.classification")
    return sort == "spell" or (not sort and item.get("type") == "spell")


def _reaches(item: Table, activity: Table) -> tuple[bool, bool]:
    """Return whether an attack can be made in melee, and whether at range: as it says, else by its weapon."""
    value, thrown = at(activity, "attack.type.value"), "thr" in _properties(item)
    if value in ("melee", "ranged"):
        return value == "melee", value == "ranged" or thrown
    kind = _word(item, "system.type.value") or _word(item, "system.weaponType")
    if kind in _RANGED:
        return False, True
    # A natural weapon with a range is both; with a distance alone, as in older versions, it is what that is.
    reach, distance = whole(at(item, "system.range.reach")), whole(at(item, "system.range.value"))
    if kind in _MELEE or not distance:
        return True, thrown
    return bool(reach) or distance <= _CLOSE, distance > _CLOSE or thrown


_CLOSE = 20
"""The farthest that a reach goes."""


def _modifier(actor: Table, item: Table, activity: Table) -> int:
    """Return the ability modifier of an attack and of its weapon's damage."""
    chosen = _word(activity, "attack.ability")
    if chosen == "none":
        return 0
    if chosen in ABILITIES:
        return ability(actor, chosen)
    if _spell_attack(item, activity) or chosen == "spellcasting":
        return ability(actor, casting(actor, item))
    natural = (_word(item, "system.type.value") or _word(item, "system.weaponType")) == "natural"
    if item.get("type") == "weapon" and (natural or "fin" in _properties(item)):
        return max(ability(actor, "str"), ability(actor, "dex"))
    return ability(actor, "str" if _reaches(item, activity)[0] else "dex")


def _word(table: Table, path: str) -> str:
    """Return the text at a path; "" for anything else."""
    value = at(table, path)
    return value if isinstance(value, str) else ""


def _properties(item: Table) -> list[str]:
    value = at(item, "system.properties")
    if isinstance(value, dict):
        return [k for k, v in value.items() if v]
    return [str(x) for x in value] if isinstance(value, list) else []


def _to_hit(actor: Table, item: Table, activity: Table) -> int | None:
    fixed = at(cast_by(actor, item), "spell.challenge")
    if at(fixed, "override") and (given := whole(at(fixed, "attack"))):
        return given
    bonus = worked_out(actor, at(activity, "attack.bonus"))
    if bonus is None or at(activity, "attack.flat"):
        return bonus
    key = f"{'m' if _reaches(item, activity)[0] else 'r'}{'s' if _spell_attack(item, activity) else 'w'}ak"
    more = worked_out(actor, at(actor, f"system.bonuses.{key}.attack")) or 0
    trained = at(item, "system.proficient")
    trained = 1 if trained is None or trained is True else trained
    magic = whole(at(item, "system.magicalBonus")) or 0 if item.get("type") == "weapon" else 0
    times = trained if isinstance(trained, int | float) else 0
    return _modifier(actor, item, activity) + int(times * proficiency(actor)) + bonus + more + magic


def _attack(actor: Table, item: Table, activity: Table) -> str:
    """Return `Melee attack: +14 to hit, reach 10 ft.`."""
    melee, far = _reaches(item, activity)
    hit = _to_hit(actor, item, activity)
    sort = " or ".join(word for word, applies in (("melee", melee), ("ranged", far)) if applies).capitalize()
    places = list(_reach(actor, item, activity, melee=melee, far=far))
    parts = [f"{hit:+} to hit" if hit is not None else "", *places]
    return (
        f"{sort} {'spell ' if _spell_attack(item, activity) else ''}attack: {', '.join(filter(None, parts))}"
    )


def _reach(actor: Table, item: Table, activity: Table, *, melee: bool, far: bool) -> Iterator[str]:
    """Yield `reach 10 ft.`, `range 80/320 ft.`: of the activity where it says so itself, else of the item."""
    own = at(activity, "range")
    # A weapon's range is its own unless the activity says otherwise; a feature has none but its activity's.
    its = at(own, "override") or (item.get("type") != "weapon" and not at(item, "system.range.value"))
    base = own if its and at(own, "value") else at(item, "system.range")
    if not isinstance(base, dict):
        return
    units = base.get("units") or "ft"
    near = whole(base.get("reach"))
    value, long = whole(written_out(actor, base.get("value"))), whole(base.get("long"))
    if melee:
        close = near if near is not None else value if value and value <= 30 and not far and not long else 5
        yield f"reach {close + 5 * ('rch' in _properties(item) and near is None)} ft."
    if value and (far or long or value > 30) and units not in _NO_UNITS:
        yield f"range {value}{f'/{long}' if long else ''} {units}."
    elif far and units == "touch":
        yield "touch"


def _hit(actor: Table, item: Table, id_: str) -> str:
    """Return `Hit: 19 (2d10 + 8) piercing damage`, part by part; "" for an attack that does none."""
    activity = dict(_activities(item)).get(id_, {})
    text = _damage(actor, item, activity, each=" damage")
    return f"Hit: {text}" if text else ""


def _damage(actor: Table, item: Table, activity: Table, *, mean: bool = True, each: str = "") -> str:
    """Return the damage of an activity, part by part: the weapon's own with the modifier, then others."""
    parts = list[str]()
    mod = (
        _modifier(actor, item, activity)
        if activity.get("type") == "attack"
        else _save_modifier(actor, item, activity)
    )
    base = at(item, "system.damage.base")
    attack = activity.get("type") == "attack"
    if attack and isinstance(base, dict) and at(activity, "damage.includeBase") is not False and _rolls(base):
        magic = whole(at(item, "system.magicalBonus")) or 0
        natural_spell = _spell_attack(item, activity) and at(item, "system.type.value") == "natural"
        # Nothing is added to damage without dice, nor to that of a natural weapon's spell.
        own = 0 if natural_spell or not _rolls(base, dice=True) else mod
        parts.append(_part(actor, item, base, mod, own + magic, mean=mean))
    inner = at(activity, "damage.parts")
    rows = inner if isinstance(inner, list) else []
    old, steps = at(item, "system.damage.parts"), heightened(actor, item)
    if not rows and isinstance(old, list) and not isinstance(base, dict):
        rows = old
    for row in rows:
        if isinstance(row, dict):
            parts.append(_part(actor, item, row, mod, 0, mean=mean))
        elif isinstance(row, list) and row:
            kind = row[1] if len(row) > 1 and isinstance(row[1], str) else ""
            dice = written_out(actor, re.sub(r"\[[^\[\]]*\]", "", str(row[0])), mod, item)
            more = str(at(item, "system.scaling.formula") or dice) if row is rows[0] else ""
            parts.append(_dealt(added(dice, more, steps) if more else dice, kind, mean=mean))
    return " plus ".join(f"{part}{each}" for part in parts if part)


def _rolls(row: Table, *, dice: bool = False) -> bool:
    """Return whether a part of the damage says anything; with `dice`, whether it says dice."""
    if at(row, "custom.enabled"):
        formula = str(at(row, "custom.formula") or "").strip()
        return bool(re.search(r"[0-9)]?d[0-9(]|@", formula)) if dice else bool(formula)
    number, sides = whole(row.get("number")), whole(row.get("denomination"))
    rolled = bool(sides) and number != 0
    return rolled if dice else rolled or bool(str(row.get("bonus") or "").strip())


def _part(actor: Table, item: Table, row: Table, mod: int, more: int, *, mean: bool) -> str:
    """Return one part of the damage; `more` is added where its formula does not ask for the modifier."""
    kinds = row.get("types")
    kind = " or ".join(str(k) for k in kinds) if isinstance(kinds, list) else ""
    number, sides = whole(row.get("number")), whole(row.get("denomination"))
    custom = at(row, "custom.formula") if at(row, "custom.enabled") else None
    if custom:
        return _dealt(
            written_out(actor, custom, mod, item)
            + (f" + {more}" if more and "@mod" not in str(custom) else ""),
            kind,
            mean=mean,
        )
    bonus = str(row.get("bonus") or "")
    steps = heightened(actor, item) // (2 if at(row, "scaling.mode") == "half" else 1)
    steps = steps if at(row, "scaling.mode") in ("whole", "half") else 0
    number = (number or 1) + steps * (whole(at(row, "scaling.number")) or 0) if number != 0 else 0
    dice = f"{number}d{sides}" if sides and number else ""
    if steps and (more_dice := _word(row, "scaling.formula")):
        dice = added(dice, more_dice, steps) if dice else added(more_dice, more_dice, steps - 1)
    flat_ = worked_out(actor, bonus.replace("@mod", f"({mod})")) if bonus else 0
    if flat_ is None:
        return _dealt(f"{dice} + {written_out(actor, bonus, mod, item)}", kind, mean=mean)
    flat_ += 0 if "@mod" in bonus else more
    return _dealt(plus(dice, flat_), kind, mean=mean) if dice or flat_ else ""


def _dealt(formula: str, kind: str, *, mean: bool) -> str:
    """Return `19 (2d10 + 8) piercing`."""
    number = total(formula)
    text = summed(formula)
    middle = average(text) if mean and number is None else None
    dice = str(number) if number is not None else spaced(text)
    shown = f"{middle} ({dice})" if middle is not None else dice
    return f"{shown} {kind}".strip()


def _save_modifier(actor: Table, item: Table, activity: Table) -> int:
    how = _word(activity, "save.dc.calculation")
    if how in ABILITIES:
        return ability(actor, how)
    if item.get("type") == "spell" or how == "spellcasting":
        return ability(actor, casting(actor, item))
    return ability(actor, "str")


def _dc(actor: Table, item: Table, activity: Table) -> int | None:
    """Return the DC of a save: by an ability, by spellcasting, or by a number or formula."""
    fixed = at(cast_by(actor, item), "spell.challenge")
    if at(fixed, "override") and (given := whole(at(fixed, "save"))):
        return given
    how = _word(activity, "save.dc.calculation")
    if how in ABILITIES:
        return 8 + proficiency(actor) + ability(actor, how)
    if how == "spellcasting":
        return spell_dc(actor, casting(actor, item))
    return (
        total(
            written_out(actor, at(activity, "save.dc.formula"), _save_modifier(actor, item, activity), item)
        )
        or None
    )


def _save(actor: Table, item: Table, activity: Table) -> str:
    """Return `DC 21 Dexterity`."""
    named = at(activity, "save.ability")
    names = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    dc = _dc(actor, item, activity)
    text = " or ".join(ABILITIES.get(str(n), str(n)) for n in names)
    return f"{f'DC {dc} ' if dc else ''}{text}".strip()


# --- texts


def _words(actor: Table, text: Any, item: Table | None) -> str:
    """Return a text with the numbers, names and links that the program would fill in."""
    if not isinstance(text, str):
        return ""
    # What it says of its own program's switches is nothing to read at a table.
    words = _SECTION.sub(lambda m: "" if _ADVICE.search(m[0]) else m[0], text[:32_000])
    if "[[" in words:
        # What stands inside other brackets first.
        for _ in range(2):
            words = _ROLL.sub(lambda m: _rolled(actor, item or {}, m), words)
    words = _LINK.sub(lambda m: m[3] or _linked(actor, m[2]), words)
    words = _REFERENCE.sub(lambda m: m[2] or _referred(m[1]), words)
    # A text may say in its own words what was put in.
    words = re.sub(r"\b([Dd]amage|saving throw) \1\b", r"\1", words)
    words = re.sub(r"\s*\u2022\s*", "\n\u2022 ", plain(words))
    lines = (" ".join(line.split()).replace("ft..", "ft.") for line in words.split("\n"))
    return "\n".join(line for line in lines if line)


def _linked(actor: Table, address: str) -> str:
    last = address.rsplit(".", 1)[-1]
    items = tables(actor.get("items"))
    owned = next(
        (i for i in items if i.get("_id") == last or at(i, "_stats.compendiumSource") == address), None
    )
    return str(owned.get("name")) if owned else "" if re.fullmatch(r"[A-Za-z0-9]{16}", last) else last


def _referred(inside: str) -> str:
    words = " ".join(w for w in inside.split() if "=" not in w)
    words = words or next((m[2] or m[3] for m in _WORD.finditer(inside)), "")
    return _RUN_TOGETHER.get(words.lower()) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", words)


_RUN_TOGETHER = {
    "".join(words.split()): words
    for words in (
        "bright light", "dim light", "difficult terrain", "heavily obscured", "lightly obscured",
        "short rest", "long rest", "unarmed strike", "opportunity attack", "opportunity attacks",
        "hit points", "half cover", "total cover", "bonus action", "saving throw", "damage resistance",
    )
}  # fmt: skip


def _rolled(actor: Table, item: Table, match: re.Match[str]) -> str:
    """Return the words for `[[/attack]]`, `[[/damage average]]`, `[[lookup @path]]` and their kind."""
    command, _, rest = match[2].strip().partition(" ")
    options = {m[1]: m[2] or m[3] for m in _WORD.finditer(rest)}
    bare = [w for w in _WORD.sub("", rest).split() if w]
    shown = match[3] or ""
    if command == "lookup":
        return _looked_up(actor, item, bare, options, shown)
    if not match[1]:
        return shown or written_out(actor, match[2].strip(), None, item)
    if shown:
        return shown
    activities = _activities(item)
    chosen = [(k, a) for k, a in activities if k == options.get("activity")] or activities
    match command:
        case "attack":
            return _attacked(actor, item, _first(chosen, "attack"), bare, match.string[match.end() :])
        case "damage" | "heal" | "healing":
            sorts = ("attack", "save", "damage", "heal")
            dealing = [(k, a) for k, a in chosen if a.get("type") in sorts] or [("", {})]
            text = next(filter(None, (_damaged(actor, item, one, bare, options) for one in dealing)), "")
            heals = dealing[0][1].get("type") == "heal" and not _HEALED.match(match.string, match.end())
            return f"{text} Hit Points" if text and heals else text
        case "save" | "concentration":
            return _resisted(actor, item, _first(chosen, "save"), bare, options)
        case "check" | "skill" | "tool":
            return _checked(actor, item, _first(chosen, "check"), bare, options)
        case "item":
            named = " ".join(w for w in bare if not w.startswith("."))
            return named or next((_linked(actor, w) for w in bare if w.startswith(".")), "")
        case "r" | "roll" | "gmr" | "gmroll" | "pr" | "publicroll":
            return spaced(written_out(actor, plain(rest.split("#", 1)[0]).strip(), None, item))
        case "award":
            return " ".join(bare)
        case _:
            return plain(rest.split("#", 1)[0]).strip() or command


def _first(chosen: list[tuple[str, Table]], kind: str) -> Table:
    return next((a for _, a in chosen if a.get("type") == kind), {})


def _attacked(actor: Table, item: Table, activity: Table, bare: list[str], behind: str) -> str:
    """Return an attack, whole or its bonus alone; `behind` is the text that follows."""
    if not activity:
        return "attack"
    if "extended" in bare:
        return _attack(actor, item, activity)
    hit = _to_hit(actor, item, activity)
    # By the rules of 2014 the words come with the number.
    spoken = at(item, "system.source.rules") == "2024" or "to hit" in behind[:12]
    return "attack" if hit is None else f"{hit:+}" if spoken else f"{hit:+} to hit"


def _resisted(actor: Table, item: Table, activity: Table, bare: list[str], options: Mapping[str, str]) -> str:
    """Return a saving throw: the DC and the ability that are written, else those of the item."""
    named = next((ABILITIES[w] for w in [*bare, str(options.get("ability", ""))] if w in ABILITIES), "")
    dc = options.get("dc") or next((w for w in bare if w.isdecimal()), "")
    thrown = " saving throw" if options.get("format") == "long" else ""
    if named or dc:
        number = written_out(actor, dc, None, item) if dc else ""
        return f"{f'DC {number} ' if number else ''}{named}".strip() + thrown
    return (_save(actor, item, activity) or "saving") + thrown


def _damaged(
    actor: Table, item: Table, rolled: tuple[str, Table], bare: list[str], options: Mapping[str, str]
) -> str:
    mean, hands = "average" in bare or "extended" in bare, {options.get("attackMode"), *bare}
    dice = [w for w in bare if w not in ("average", "extended", *_MODES) and w.lower() not in KINDS]
    if dice:
        kind = options.get("type") or " ".join(w for w in bare if w.lower() in KINDS)
        return _dealt(written_out(actor, "".join(dice), None, item), kind, mean=mean)
    id_, activity = rolled
    if "extended" in bare:
        return _hit(actor, item, id_)
    if "twoHanded" in hands and isinstance(at(item, "system.damage.versatile"), dict):
        mod = _modifier(actor, item, activity)
        row = {"types": at(item, "system.damage.base.types"), **_given(at(item, "system.damage.versatile"))}
        if whole(row.get("denomination")):
            return _part(actor, item, row, mod, mod, mean=mean)
    if activity.get("type") == "heal" and isinstance(at(activity, "healing"), dict):
        return _part(
            actor,
            item,
            {**at(activity, "healing"), "types": []},
            _save_modifier(actor, item, activity),
            0,
            mean=mean,
        )
    return _damage(actor, item, activity, mean=mean)


_MODES = ("oneHanded", "twoHanded", "offhand", "thrown", "ranged")


def _given(row: Table) -> dict[str, Any]:
    return {k: v for k, v in row.items() if v not in (None, "", [], {})}


def _checked(actor: Table, item: Table, activity: Table, bare: list[str], options: Mapping[str, str]) -> str:
    """Return `DC 15 Charisma (Persuasion)`: of the words behind a command, else of the item's own check."""
    words = [*bare, options.get("skill", ""), options.get("ability", "")]
    if not any(words):
        associated = at(activity, "check.associated")
        words = [*(associated if isinstance(associated, list) else []), at(activity, "check.ability")]
        words = [w for w in words if isinstance(w, str)]
        options = {"dc": str(_check_dc(actor, item, activity) or ""), **options}
    skills = " or ".join(SKILLS[s][0] for w in words for s in w.split("/") if s in SKILLS)
    named = next((ABILITIES[w] for w in words if w in ABILITIES), "")
    dc = options.get("dc") or next((w for w in bare if w.isdecimal()), "")
    number = written_out(actor, dc) if dc else ""
    text = f"{named} ({skills})" if named and skills else named or skills or str(options.get("tool", ""))
    return f"{f'DC {number} ' if number else ''}{text}".strip()


def _check_dc(actor: Table, item: Table, activity: Table) -> int | None:
    how = _word(activity, "check.dc.calculation")
    if how in ABILITIES:
        return 8 + proficiency(actor) + ability(actor, how)
    return total(written_out(actor, at(activity, "check.dc.formula"), None, item)) or None


def _looked_up(actor: Table, item: Table, bare: list[str], options: Mapping[str, str], shown: str) -> str:
    path = next((w[1:] for w in bare if w.startswith("@")), "")
    activities = dict(_activities(item))
    activity = activities.get(options.get("activity", "")) or next(iter(activities.values()), {})
    value: object = None
    if path == "save.dc.value":
        value = _dc(actor, item, activity)
    elif path == "target.affects.labels.statblock":
        value = at(activity, "target.affects.type")
    elif path == "check.dc.value":
        value = _check_dc(actor, item, activity)
    elif path.partition(".")[0] in ("target", "range", "duration", "activation", "uses", "save", "damage"):
        inner = at(activity, path)
        value = inner if inner not in (None, "") else at(item, f"system.{path}")
        value = written_out(actor, value, None, item) if isinstance(value, str) and "@" in value else value
    elif path == "resources.legact.label" and (most := whole(at(actor, "system.resources.legact.max"))):
        value = f"{most} legendary actions each round, one at a time, at the end of another creature's turn"
    elif path:
        value = look_up(actor, path, None, item)
    text = str(value) if isinstance(value, str | int | float) and value != "" else shown
    return text.lower() if "lowercase" in bare else text.capitalize() if "capitalize" in bare else text


# --- spells and gear


def _spells(actor: Table, text: str) -> Iterator[str]:
    """Yield the spells by level with their numbers, and the slots that no text has listed."""
    spells = [i for i in tables(actor.get("items")) if i.get("type") == "spell"]
    if not spells:
        return
    more = worked_out(actor, at(actor, "system.bonuses.rsak.attack")) or 0
    for name, _ in Counter(casting(actor, item) for item in spells).most_common(2):
        hit = proficiency(actor) + ability(actor, name) + more
        yield f"{ABILITIES[name]}, spell save DC {spell_dc(actor, name)}, {hit:+} to hit"
    if pact := pact_slots(actor):
        yield pact
    listed = bool(_SLOTTED.search(text))
    rows: dict[tuple[int, str], list[str]] = {}
    for item in spells:
        uses = ", ".join(_limits(actor, item, "")) if at(item, "system.uses.max") else ""
        mode = at(item, "system.method") or at(item, "system.preparation.mode")
        title = f"{uses} each" if uses else "At will" if mode in ("atwill", "innate") else ""
        rows.setdefault((-1 if title else whole(at(item, "system.level")) or 0, title), []).append(
            _spell(actor, item)
        )
    # What can be cast at will stands first, then what can be cast most often.
    for (level, title), names in sorted(rows.items(), key=lambda row: (row[0][0], -_often(row[0][1]))):
        count = 0 if listed or level < 1 else slots(actor, level)
        yield f"{title or LEVELS[min(level, 9)]}{held(count)}: {', '.join(dict.fromkeys(names))}"


def _often(title: str) -> int:
    return 999 if title == "At will" else whole(title) or 0


def _spell(actor: Table, item: Table) -> str:
    """Return the name of a spell and what is rolled for it."""
    base = whole(at(item, "system.level"))
    above = f" (level {base + heightened(actor, item)})" if base and heightened(actor, item) else ""
    name = f"{item.get('name', '')}{above}"
    for id_, activity in _activities(item):
        if activity.get("type") in ("attack", "save", "heal", "damage"):
            roll = ""
            if activity["type"] == "attack" and (hit := _to_hit(actor, item, activity)) is not None:
                roll = f"{hit:+} to hit"
            elif activity["type"] == "save":
                # Of several saves with a DC each, the spell's own words say which counts.
                several = len({_dc(actor, item, a) for _, a in _activities(item) if a.get("type") == "save"})
                usual = {
                    **activity,
                    "save": {**_table(activity, "save"), "dc": {"calculation": "spellcasting"}},
                }
                roll = _save(actor, item, usual if several > 1 else activity)
            damage = _damaged(actor, item, (id_, activity), [], {})
            damage += " healing" if damage and activity["type"] == "heal" else ""
            more = ", ".join(filter(None, (roll, damage)))
            return f"{name}{f' [{more}]' if more else ''}"
    return name


def _table(holder: Table, path: str) -> dict[str, Any]:
    value = at(holder, path)
    return dict(value) if isinstance(value, dict) else {}


def _gear(actor: Table) -> Iterator[str]:
    for item in tables(actor.get("items")):
        if item.get("type") in _GEAR:
            count = whole(at(item, "system.quantity"))
            yield f"{count} {item.get('name', '')}" if count and count > 1 else str(item.get("name", ""))
