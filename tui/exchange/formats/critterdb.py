"""CritterDB: a creature as it is exported, or a bestiary of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tui.exchange.defences import ABILITIES, kinds, saves
from tui.exchange.foundry_actor import ABILITIES as NAMES
from tui.exchange.foundry_actor import SKILLS
from tui.exchange.mapping import To, at, card, take
from tui.exchange.registry import Format, Found
from tui.exchange.values import average, has, modifier, passive, size, tables, text, walk, whole

_LONG = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
_OF = {"Perception": "wisdom", "Stealth": "dexterity"}


def _mod(c: Any, name: str) -> int:
    return modifier(at(c, f"stats.abilityScores.{name}")) or 0


def _proficiency(c: Any) -> int:
    own, challenge = whole(at(c, "stats.proficiencyBonus")), whole(at(c, "stats.challengeRating"))
    return own or 2 + max(0, (challenge or 0) - 1) // 4


def _own(c: Any, key: str, field: str, name: str) -> dict[str, Any] | None:
    return next((s for s in tables(at(c, f"stats.{key}")) if str(s.get(field)).lower() == name.lower()), None)


def _trained(c: Any, row: dict[str, Any] | None, base: int) -> int:
    """A skill or a save: its number where one is given, else the ability with the bonus where it is trained."""
    value = whole(row.get("value")) if row else None
    if value is not None and not (row and row.get("proficient")):
        return value
    return base + (_proficiency(c) if row and row.get("proficient") else 0)


def _skill(name: str) -> Any:
    return lambda c: _trained(c, _own(c, "skills", "name", name), _mod(c, _OF[name]))


def _save(c: Any, name: str) -> int:
    return _trained(c, _own(c, "savingThrows", "ability", name), _mod(c, name))


def _all_saves(c: Any) -> str | None:
    return saves({short: _save(c, name) for short, name in zip(ABILITIES, _LONG, strict=True)})


def _hit_dice(c: Any) -> str | None:
    count, sides = whole(at(c, "stats.numHitDie")), whole(at(c, "stats.hitDieSize"))
    more = (count or 0) * _mod(c, "constitution")
    return f"{count}d{sides}{f'{more:+}' if more else ''}" if count and sides else None


def _points(c: Any) -> int | None:
    own = whole(at(c, "stats.hitPoints"))
    formula = _hit_dice(c)
    return own or (max(1, average(formula) or 1) if formula else None)


TABLE = (
    To("source", "source", text),
    To("hp", "", _points),
    To("hp_dice", "", _hit_dice),
    To("ac", "stats.armorClass"),
    To("initiative", "stats.abilityScores.dexterity", modifier),
    To("per", "", _skill("Perception")),
    To("int", "stats.abilityScores.intelligence"),
    To("size", "stats.size", size),
    To("stealth", "", _skill("Stealth")),
    To("passive", "stats.senses", passive),
    To("con", "", lambda c: _save(c, "constitution")),
    To("resist", "stats.damageResistances", kinds),
    To("vulnerable", "stats.damageVulnerabilities", kinds),
    To("immune", "stats.damageImmunities", kinds),
    To("saves", "", _all_saves),
)
_LISTS = (
    ("additionalAbilities", "Traits"), ("actions", "Actions"), ("reactions", "Reactions"), ("legendaryActions", "Legendary actions"),
)  # fmt: skip


def _readable(c: dict[str, Any]) -> dict[str, Any]:
    """The creature in the order of a stat block, with its numbers worked out."""
    stats = c["stats"]
    scores = [
        f"{s.capitalize()} {at(stats, f'abilityScores.{n}')} ({_mod(c, n):+})"
        for s, n in zip(ABILITIES, _LONG, strict=True)
    ]
    skills = [
        f"{row.get('name')} {n:+}"
        for row in tables(stats.get("skills"))
        if (n := _any_skill(c, row)) is not None
    ]
    trained = [
        f"{str(row.get('ability'))[:3].capitalize()} {_save(c, str(row.get('ability'))):+}"
        for row in tables(stats.get("savingThrows"))
        if str(row.get("ability")) in _LONG
    ]
    page: dict[str, Any] = {
        "type": stats.get("race"), "alignment": stats.get("alignment"), "challenge rating": stats.get("challengeRating"),
        "armour": stats.get("armorType"), "speed": stats.get("speed"), "abilities": ", ".join(scores), "saves": ", ".join(trained),
        "skills": ", ".join(skills),
    }  # fmt: skip
    for key in (
        "damageVulnerabilities",
        "damageResistances",
        "damageImmunities",
        "conditionImmunities",
        "senses",
        "languages",
    ):
        page[key] = stats.get(key)
    for key, title in _LISTS:
        rows = tables(stats.get(key))
        page[title] = rows
        if key == "legendaryActions" and rows:
            count = whole(stats.get("legendaryActionsPerRound")) or 3
            page["legendary action uses"] = (
                f"{count} a round. {stats.get('legendaryActionsDescription') or ''}"
            )
    page["description"] = at(c, "flavor.description")
    return {**c, "page": page}


def _any_skill(c: Any, row: dict[str, Any]) -> int | None:

    stat = next(
        (NAMES[a].lower() for title, a in SKILLS.values() if title.lower() == str(row.get("name")).lower()),
        None,
    )
    return _trained(c, row, _mod(c, stat)) if stat else whole(row.get("value"))


def _creatures(value: Any) -> Iterator[dict[str, Any]]:
    return (
        x
        for x in walk(value, 4)
        if has(x, "name", "stats") and has(x["stats"], "abilityScores", "hitDieSize")
    )


def _take(value: Any) -> Found:
    for creature in _creatures(value):
        entry = _readable(creature)
        if taken := take(entry, TABLE, text=card(entry["page"])):
            yield taken


CRITTERDB = Format("CritterDB", ("json",), lambda value: any(_creatures(value)), _take, rank=3)
