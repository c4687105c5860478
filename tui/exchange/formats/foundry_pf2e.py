"""Foundry's pf2e actors, as exported and as in its packs, before and after the remaster: JSON or YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from tui.exchange.formulas import added, spaced
from tui.exchange.foundry_actor import left_out, refusal
from tui.exchange.mapping import To, at, flat, label, take
from tui.exchange.page import SCORES, feature, held, listed
from tui.exchange.pf2e_character import completed
from tui.exchange.pf2e_words import KINDS_OF_PF2E, in_words, sorts, unjoined
from tui.exchange.registry import Entries, Format
from tui.exchange.values import actors, has, plain, plus, saves, score, size, tables, text, whole


def _stealth(actor: Any) -> int | None:
    """Return Stealth as it is trained, else Dexterity; older packs hold skills as items."""
    number = _lore(actor, "stealth")
    return whole(at(actor, "system.abilities.dex.mod")) if number is None else number


def _passive(actor: Any) -> int | None:
    """Return the DC against which others hide."""
    perception = whole(at(actor, "system.perception.mod"))
    return plus(
        10, whole(at(actor, "system.attributes.perception.value")) if perception is None else perception
    )


def _initiative(actor: Any) -> int | None:
    """Return the statistic that it rolls for initiative: Perception, or a skill; a hazard's Stealth."""
    if actor.get("type") == "hazard":
        return whole(at(actor, "system.attributes.stealth.value"))
    if (given := whole(at(actor, "system.initiative.total"))) is not None:
        return given
    paths = (
        "system.initiative.statistic",
        "system.attributes.initiative.statistic",
        "system.attributes.initiative.ability",
    )
    skill = next((value for path in paths if isinstance(value := at(actor, path), str)), "perception")
    if skill == "perception":
        return None
    base = whole(at(actor, f"system.skills.{skill}.base"))
    return _lore(actor, skill) if base is None else base


def _lore(actor: Any, skill: str) -> int | None:
    """Return a skill of older packs, which hold skills as items."""
    for item in tables(actor.get("items")):
        if item.get("type") == "lore" and str(item.get("name", "")).lower() == skill.lower():
            return whole(at(item, "system.mod.value"))
    return None


_THINGS = ("hazard", "vehicle")
"""Actors that are no creatures: where they have no such number, it is 0."""


def _present(path: str) -> Any:
    """Return a reader of a number that is None for things when it is 0."""

    def read(actor: Any) -> int | None:
        number = whole(at(actor, path))
        return None if actor.get("type") in _THINGS and not number else number

    return read


def _kind(value: Any) -> str | None:
    return "pc" if value == "character" else None


def _immune(value: Any) -> str | None:
    """Return kinds of damage that do nothing; conditions and effects beside them stay on the card.

    Resistances and weaknesses are numbers here, and halve and double nothing: they are on the card alone.
    """
    named = [x.get("type") for x in tables(value) if not x.get("exceptions")]
    texts = [word for word in named if isinstance(word, str) and word in KINDS_OF_PF2E]
    return ", ".join(dict.fromkeys(texts)) or None


def _saves(actor: Any) -> str | None:
    value = at(actor, "system.saves")
    if not isinstance(value, dict):
        return None
    numbers = {k: at(v, "value") if isinstance(v, dict) else v for k, v in value.items()}
    return saves({k: n for k, n in numbers.items() if n or actor.get("type") not in _THINGS})


TABLE = (
    To("source", "system.details.publication.title", text),
    To("source", "system.details.source.value", text),
    To("hp", "", _present("system.attributes.hp.max")),
    To("hp", "", _present("system.attributes.hp.value")),
    To("ac", "", _present("system.attributes.ac.value")),
    To("initiative", "", _initiative),
    To("initiative", "system.perception.mod"),
    To("initiative", "system.attributes.perception.value"),
    To("per", "system.perception.mod"),
    To("per", "system.attributes.perception.value"),
    To("int", "system.abilities.int.mod", score),
    To("size", "system.traits.size.value", size),
    To("stealth", "system.skills.stealth.base"),
    To("stealth", "system.skills.stealth.value"),
    To("stealth", "system.attributes.stealth.value"),
    To("stealth", "", _stealth),
    To("passive", "", _passive),
    To("con", "", _present("system.saves.fortitude.value")),
    To("kind", "type", _kind),
    To("immune", "system.attributes.immunities", _immune),
    To("saves", "", _saves),
)
"""Scores are given up since the remaster: Intelligence is 10 and twice the modifier."""


def _lines(actor: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the card: numbers, strikes, abilities, spells, gear, then description."""
    yield _first(actor)
    yield from _sheet(actor)
    items = tables(actor.get("items"))
    level = whole(at(actor, "system.details.level.value")) or 0
    strikes = [_item(x, level) for kind in ("melee", "ranged") for x in items if x.get("type") == kind]
    shown = (*_QUIET, *_GEAR, "melee", "ranged")
    abilities = [_item(x, level) for x in items if x.get("type") not in shown]
    yield from dict.fromkeys(strikes)
    # What the rules of the game explain has a name alone here.
    bare = [line.rstrip(".") for line in dict.fromkeys(abilities) if _BARE.fullmatch(line)]
    yield f"Abilities: {', '.join(bare)}" if bare else ""
    yield from (line for line in dict.fromkeys(abilities) if not _BARE.fullmatch(line))
    yield from _spells(actor)
    if gear := [str(x.get("name", "")) for x in items if x.get("type") in _GEAR]:
        yield f"Carries: {', '.join(gear)}"
    for key in _WORDS:
        words = in_words(at(actor, f"system.details.{key}"), level)
        yield f"{label(key)}: {words}" if words and key in _NAMED else words


_BARE = re.compile(r"[^.\[\n]{1,60}\.?")
_WORDS = (
    "publicNotes", "flavorText", "privateNotes", "blurb", "description", "disable", "routine", "reset",
)  # fmt: skip
_NAMED = ("disable", "routine", "reset")
"""Those of them that say nothing without their name."""


def _first(actor: Mapping[str, Any]) -> str:
    """Return level, rarity and traits, which stood elsewhere before the tenth version."""
    value = at(actor, "system.traits.value") or at(actor, "system.traits.traits.value")
    level, rarity = at(actor, "system.details.level.value"), at(actor, "system.traits.rarity")
    rarity = at(rarity, "value") if isinstance(rarity, dict) else rarity
    hazard = str(actor["type"]) if actor.get("type") in (*_THINGS, "army") else ""
    traits = " ".join(flat(value)) if isinstance(value, list) else ""
    return " ".join(
        filter(None, (f"Level {level}" if level is not None else "", str(rarity or ""), hazard, traits))
    )


def _sheet(actor: Mapping[str, Any]) -> Iterator[str]:
    abilities = at(actor, "system.abilities")
    if isinstance(abilities, dict):
        mods = ((k, whole(at(abilities, f"{k}.mod"))) for k in SCORES)
        yield ", ".join(f"{k.capitalize()} {n:+}" for k, n in mods if n is not None)
    perception = whole(at(actor, "system.perception.mod"))
    if perception is None:
        perception = whole(at(actor, "system.attributes.perception.value"))
    senses = ", ".join(_senses(actor))
    if perception is not None or senses:
        yield f"Perception {perception or 0:+}{f'; {senses}' if senses else ''}"
    for key in ("saves", "skills"):
        value = at(actor, f"system.{key}")
        numbers = list(_numbers(value)) if isinstance(value, dict) else []
        if key == "saves" and actor.get("type") in _THINGS:
            numbers = [text for text in numbers if not text.endswith(" +0")]
        if key == "skills":
            numbers += list(_lores(actor))
        yield f"{label(key)}: {', '.join(numbers)}" if numbers else ""
    if (hidden := whole(at(actor, "system.attributes.stealth.value"))) is not None:
        more = in_words(at(actor, "system.attributes.stealth.details"), 0)
        number = f"DC {10 + hidden}" if hidden != _UNHIDDEN else ""
        yield listed("Stealth", [" ".join((number, *_bracketed(more).split("\n"))).strip()])
    if words := at(actor, "system.attributes.allSaves.value"):
        yield f"All saves: {plain(str(words))}"
    yield from _attributes(actor)
    languages = at(actor, "system.details.languages") or at(actor, "system.traits.languages")
    if isinstance(languages, dict):
        # What is told of them stands behind them.
        languages = dict(sorted(languages.items(), key=lambda pair: isinstance(pair[1], str)))
    yield listed("Languages", flat(languages))
    if actor.get("type") == "vehicle":
        for key, title in _VEHICLE.items():
            yield listed(title, flat(at(actor, f"system.{key}")))


_UNHIDDEN = -10
"""The bonus of what has a Stealth DC of 0."""
_VEHICLE = {
    "details.speed": "Speed", "details.crew": "Crew", "details.passengers": "Passengers",
    "details.pilotingCheck": "Piloting check", "attributes.collisionDC.value": "Collision DC",
    "attributes.collisionDamage.value": "Collision damage",
}  # fmt: skip


def _bracketed(words: str) -> str:
    """Return words in brackets, unless they begin with some; "" for none."""
    return words if words[:1] in ("", "(") else f"({words})"


def _senses(actor: Mapping[str, Any]) -> Iterator[str]:
    """Yield `darkvision`, `scent (imprecise) 60 feet`."""
    value = at(actor, "system.perception.senses") or at(actor, "system.traits.senses")
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, str):
        yield plain(value)
    for sense in tables(value):
        acuity, reach = sense.get("acuity") or sense.get("label"), whole(sense.get("range"))
        more = f" ({acuity})" if isinstance(acuity, str) and acuity != "precise" else ""
        name = str(sense.get("type") or "")
        yield unjoined(f"{name}{more}{f' {reach} feet' if reach else ''}")
    if details := at(actor, "system.perception.details"):
        yield plain(str(details))


def _attributes(actor: Mapping[str, Any]) -> Iterator[str]:
    hardness = whole(
        at(
            actor,
            "system.attributes.hardness.value",
        )
        or at(actor, "system.attributes.hardness")
    )
    yield f"Hardness: {hardness}" if hardness else ""
    details = [plain(str(at(actor, f"system.attributes.{k}.details") or "")) for k in ("ac", "hp")]
    details = [re.sub(r"^\(([^()]*)\)$", r"\1", words.strip()) for words in details]
    yield "; ".join(f"{k}: {words}" for k, words in zip(("AC", "HP"), details, strict=True) if words)
    speed = at(actor, "system.attributes.speed")
    if isinstance(speed, dict):
        walk = whole(speed.get("value"))
        others = [f"{x.get('type')} {whole(x.get('value'))} feet" for x in tables(speed.get("otherSpeeds"))]
        more = plain(str(speed.get("details") or ""))
        words = ", ".join(filter(None, (f"{walk} feet" if walk else "", *others, more)))
        yield f"Speed: {words}" if words else ""
    for key in ("immunities", "resistances", "weaknesses"):
        # Before the tenth version they stood among the traits, by names of their own.
        rows = at(actor, f"system.attributes.{key}") or at(actor, f"system.traits.{_OLDER[key]}")
        if isinstance(rows, dict):
            rows = [
                *({"type": x} for x in rows.get("value") or [] if isinstance(x, str)),
                {"type": rows.get("custom")},
            ]
        words = ", ".join(dict.fromkeys(filter(None, map(_withstood, tables(rows)))))
        yield f"{label(key)}: {words}" if words else ""


_OLDER = {"immunities": "di", "resistances": "dr", "weaknesses": "dv"}


def _withstood(row: Mapping[str, Any]) -> str:
    """Return `fire 10 (except magical; double vs. water)`."""
    name = row.get("type") or row.get("label")
    if not isinstance(name, str) or not name:
        return ""
    number = whole(row.get("value"))
    notes = []
    for key, title in (("exceptions", "except"), ("doubleVs", "double against")):
        words = (
            [x if isinstance(x, str) else str(at(x, "label") or "") for x in row.get(key) or []]
            if isinstance(row.get(key), list)
            else []
        )
        notes += [f"{title} {', '.join(map(unjoined, words))}"] if any(words) else []
    more = f" ({'; '.join(notes)})" if notes else ""
    return f"{unjoined(name)}{f' {number}' if number else ''}{more}"


def _lores(actor: Mapping[str, Any]) -> Iterator[str]:
    for item in tables(actor.get("items")):
        number = whole(at(item, "system.mod.value"))
        if item.get("type") == "lore" and number is not None:
            yield f"{item.get('name', '')} {number:+}"


def _numbers(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        number = whole(value.get("base", value.get("value")) if isinstance(value, dict) else value)
        if number is not None:
            details = [x for k in ("saveDetail", "note") if isinstance(x := at(value, k), str) and x]
            details += [
                f"{bonus:+} {at(row, 'label') or ''}".strip()
                for row in tables(at(value, "special"))
                if (bonus := whole(row.get("base"))) is not None
            ]
            more = f" ({'; '.join(map(plain, details))})" if details else ""
            yield f"{unjoined(key).title()} {number:+}{more}"


# --- what it does


def _cost(item: Mapping[str, Any]) -> str:
    kind, count = at(item, "system.actionType.value"), whole(at(item, "system.actions.value"))
    if kind in ("reaction", "free"):
        return "reaction" if kind == "reaction" else "free action"
    return f"{count} action{'s' * (count != 1)}" if count else ""


_PER = {
    "day": "day",
    "PT24H": "day",
    "P1D": "day",
    "turn": "turn",
    "round": "round",
    "PT1M": "minute",
    "PT10M": "10 minutes",
    "PT1H": "hour",
}


def _frequency(item: Mapping[str, Any]) -> str:
    most, per = whole(at(item, "system.frequency.max")), at(item, "system.frequency.per")
    return f"{most}/{_PER.get(per, per)}" if most and isinstance(per, str) else ""


def _item(item: Mapping[str, Any], level: int) -> str:
    """Return a strike or an ability: name, limit and cost, numbers, words."""
    rolls = at(item, "system.damageRolls")
    parts = rolls.values() if isinstance(rolls, dict) else tables(rolls)
    damage = " plus ".join(_struck(p) for p in parts if isinstance(p, dict) and p.get("damage"))
    strike = whole(at(item, "system.bonus.value"))
    reaches = [
        f"{title} {n} feet"
        for key, title in (("increment", "range increment"), ("max", "range"))
        if (n := whole(at(item, f"system.range.{key}")))
    ]
    far = at(item, "system.weaponType.value") == "ranged" or reaches
    traits = at(item, "system.traits.value")
    given = [_trait(t) for t in traits if isinstance(t, str)] if isinstance(traits, list) else []
    named = ", ".join([*given, *reaches])
    effects = at(item, "system.attackEffects.value")
    named_effects = [unjoined(x) for x in effects if isinstance(x, str)] if isinstance(effects, list) else []
    own = at(item, "system.attackEffects.custom")
    more = ", ".join([*named_effects, *([plain(own)] if isinstance(own, str) and own else [])])
    limits = ", ".join(filter(None, (_frequency(item), _cost(item))))
    first = (
        f"{'Ranged' if far else 'Melee'} {strike:+}{f' ({named})' if named else ''}"
        if strike is not None and item.get("type") == "melee"
        else f"[{named}]"
        if named
        else ""
    )
    line = f"{first}{f', damage {damage}' if damage else ''}{f' plus {more}' if more else ''}"
    words = in_words(at(item, "system.description.value"), level)
    name = plain(str(item.get("name", ""))).strip()
    numbers = f"{line}." if line and first[:1] != "[" else line
    return feature(f"{name} ({limits})" if limits else name, " ".join(filter(None, (numbers, words))))


def _trait(trait: str) -> str:
    """Return `versatile S` for `versatile-s`."""
    return re.sub(r"(?<=^versatile )[bps]$", lambda m: m[0].upper(), unjoined(trait))


def _struck(part: Mapping[str, Any]) -> str:
    kind, sort = part.get("damageType"), part.get("category")
    texts = (spaced(str(part.get("damage"))), sort, sorts(kind) if isinstance(kind, str) else "")
    return " ".join(x for x in texts if isinstance(x, str) and x)


def _spells(actor: Mapping[str, Any]) -> Iterator[str]:
    """Yield each list of spells with DC and attack, and its spells by rank with their slots."""
    items = tables(actor.get("items"))
    highest = max(1, ((whole(at(actor, "system.details.level.value")) or 0) + 1) // 2)
    for entry in items:
        if entry.get("type") != "spellcastingEntry":
            continue
        dc, hit = whole(at(entry, "system.spelldc.dc")), whole(at(entry, "system.spelldc.value"))
        numbers = ", ".join(filter(None, (f"DC {dc}" if dc else "", f"attack {hit:+}" if hit else "")))
        yield f"{entry.get('name', '')}{f': {numbers}' if numbers else ''}"
        preparation = at(entry, "system.prepared.value")
        if preparation == "focus" and (most := whole(at(actor, "system.resources.focus.max"))):
            yield f"Focus points ({most}/10 minutes)"
        ranks: dict[int, list[str]] = {}
        for spell in items:
            if spell.get("type") != "spell" or at(spell, "system.location.value") != entry.get("_id"):
                continue
            traits = at(spell, "system.traits.value")
            marks = traits if isinstance(traits, list) else []
            rank = (
                whole(at(spell, "system.location.heightenedLevel"))
                or whole(at(spell, "system.level.value"))
                or 0
            )
            # The program heightens cantrips and focus spells by the level of who casts them.
            cast = highest if "cantrip" in marks or preparation == "focus" else rank
            times = _prepared(entry, rank, spell.get("_id")) if preparation == "prepared" else 1
            ranks.setdefault(0 if "cantrip" in marks else cast, []).append(_spell(spell, cast, times))
        for rank, names in sorted(ranks.items(), reverse=True):
            limited = rank and preparation in ("prepared", "spontaneous")
            title = f"Rank {rank}" if rank else f"Cantrips (rank {highest})"
            slots = held(whole(at(entry, f"system.slots.slot{rank}.max"))) if limited else ""
            yield f"{title}{slots}: {', '.join(names)}"


def _prepared(entry: Mapping[str, Any], rank: int, key: object) -> int:
    """Return how many slots of a rank hold a spell; 1 if the file does not say."""
    rows = at(entry, f"system.slots.slot{rank}.prepared")
    held = tables(list(rows.values()) if isinstance(rows, dict) else rows)
    return max(1, sum(row.get("id") == key for row in held)) if key else 1


def _spell(spell: Mapping[str, Any], rank: int, times: int) -> str:
    """Return a spell with its save and its damage at a rank, and how often it is prepared or can be cast."""
    save = at(spell, "system.defense.save.statistic")
    basic = "basic " if at(spell, "system.defense.save.basic") else ""
    rows = _heightened(spell, rank)
    damage = " plus ".join(f"{spaced(formula)} {kind}".strip() for formula, kind in rows)
    uses = whole(at(spell, "system.location.uses.max"))
    numbers = (f"{basic}{save}" if isinstance(save, str) else "", damage, f"{uses}/day" if uses else "")
    more = ", ".join(filter(None, numbers))
    often = f" (x{times})" if times > 1 else ""
    return f"{spell.get('name', '')}{often}{f' [{more}]' if more else ''}"


def _heightened(spell: Mapping[str, Any], rank: int) -> Iterator[tuple[str, str]]:
    """Yield the damage of a spell at a rank: formula and kind of each part."""
    rows, base = at(spell, "system.damage"), whole(at(spell, "system.level.value")) or 1
    more = at(spell, "system.heightening")
    step = whole(at(more, "interval")) if at(more, "type") == "interval" else None
    fixed = at(more, "levels") if at(more, "type") == "fixed" else None
    reached = [n for k in (fixed if isinstance(fixed, dict) else ()) if (n := whole(str(k))) and n <= rank]
    for key, part in rows.items() if isinstance(rows, dict) else ():
        if not has(part, "formula"):
            continue
        other = at(fixed, f"{max(reached)}.damage.{key}.formula") if reached else None
        formula = str(other or part["formula"])
        more_dice = at(more, f"damage.{key}") if step and step > 0 else None
        if isinstance(more_dice, str) and more_dice and step and rank > base:
            formula = added(formula, more_dice, min(9, rank - base) // step)
        heals = part.get("kinds") == ["healing"]
        yield formula, "healing" if heals else sorts(str(part.get("type") or ""))


_QUIET = ("lore", "spellcastingEntry", "spell", "condition", "effect")
_GEAR = ("weapon", "armor", "shield", "equipment", "consumable", "backpack", "treasure", "kit", "ammo")


def _actors(value: Any) -> Iterator[Mapping[str, Any]]:
    kinds = ("npc", "character", "familiar", "hazard", "vehicle", "army")
    rows = (_army(x) if x.get("type") == "army" else completed(x) for x in actors(value, kinds))
    return (x for x in rows if has(at(x, "system.attributes"), "hp", "ac"))


def _army(actor: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an army of a campaign's wars with its numbers where those of a creature stand."""
    system = actor.get("system")
    scouting, kind = whole(at(system, "scouting")), at(system, "traits.type")
    if not isinstance(system, dict) or scouting is None:
        return actor
    own = {
        "attributes": {"hp": at(system, "attributes.hp"), "ac": system.get("ac")},
        "initiative": {"total": scouting},
        "skills": {"scouting": {"base": scouting}},
        "traits": {"rarity": at(system, "traits.rarity"), "value": [kind] if isinstance(kind, str) else []},
    }
    return {**actor, "system": {**system, **own}}


def _pf2e(actor: Mapping[str, Any]) -> bool:
    return has(actor.get("system"), "saves") or isinstance(at(actor, "system.details.level"), dict)


def _take(value: Any) -> Entries:
    creatures = list(_actors(value))
    for actor in creatures:
        if taken := take(actor, TABLE, text="\n".join(filter(None, _lines(actor)))):
            yield taken
    yield from left_out(value, creatures)


FOUNDRY_PF2E = Format(
    "Foundry pf2e",
    ("json", "yaml"),
    lambda value: any(map(_pf2e, islice(_actors(value), 20))),
    _take,
    rank=2,
    refuses=refusal,
)
