"""CritterDB: a creature as it is exported, or a bestiary of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tui.exchange.formulas import plus
from tui.exchange.mapping import To, at, take, withstood
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
    LONG_ABILITIES,
    SKILLS,
    average,
    has,
    modifier,
    passive,
    plain,
    saves,
    size,
    tables,
    text,
    walk,
    whole,
)


def _mod(c: Any, name: str) -> int:
    return modifier(at(c, f"stats.abilityScores.{name}")) or 0


def _proficiency(c: Any) -> int:
    own, challenge = whole(at(c, "stats.proficiencyBonus")), whole(at(c, "stats.challengeRating"))
    return own or 2 + max(0, (challenge or 0) - 1) // 4


def _own(c: Any, key: str, field: str, name: str) -> dict[str, Any] | None:
    return next((s for s in tables(at(c, f"stats.{key}")) if str(s.get(field)).lower() == name.lower()), None)


def _trained(c: Any, row: dict[str, Any] | None, base: int) -> int:
    """Return a skill or a save: its own number, else the ability and, if trained, the proficiency bonus."""
    value = whole(row.get("value")) if row else None
    if value is not None:
        return value
    return base + (_proficiency(c) if row and row.get("proficient") else 0)


def _skill(name: str) -> Any:
    return lambda c: _any_skill(c, _own(c, "skills", "name", name) or {"name": name})


def _save(c: Any, name: str) -> int:
    return _trained(c, _own(c, "savingThrows", "ability", name), _mod(c, name))


def _all_saves(c: Any) -> str | None:
    return saves({short: _save(c, name) for short, name in zip(ABILITIES, LONG_ABILITIES, strict=True)})


_SIDES = {
    "Fine": 4, "Diminutive": 4, "Tiny": 4, "Small": 6, "Medium": 8, "Large": 10, "Huge": 12, "Gargantuan": 20,
    "Colossal": 20, "Colossal+": 20,
}  # fmt: skip
"""The hit dice of a size, which a creature has that says no others."""


def _hit_dice(c: Any) -> str | None:
    count, sides = whole(at(c, "stats.numHitDie")), whole(at(c, "stats.hitDieSize"))
    sides = sides or _SIDES.get(str(at(c, "stats.size")), 8)
    return plus(f"{count}d{sides}", count * _mod(c, "constitution")) if count and sides else None


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
    *withstood("stats.damageResistances", "stats.damageVulnerabilities", "stats.damageImmunities"),
    To("saves", "", _all_saves),
)
_LISTS = (
    ("additionalAbilities", "Traits"), ("actions", "Actions"), ("reactions", "Reactions"),
    ("legendaryActions", "Legendary actions"),
)  # fmt: skip


def _page(c: dict[str, Any]) -> str:
    """Return the card, with the numbers of the creature worked out."""
    stats = c["stats"]
    skills = {str(row.get("name")): _any_skill(c, row) for row in tables(stats.get("skills"))}
    trained = [str(row.get("ability")) for row in tables(stats.get("savingThrows"))]
    return written(
        CardPage(
            kind=kind(stats.get("size"), stats.get("race"), "", stats.get("alignment")),
            challenge=challenge(stats.get("challengeRating")),
            ac=armour(stats.get("armorClass"), stats.get("armorType")),
            hp=points(_points(c), _hit_dice(c)),
            speed=speeds(stats.get("speed")),
            scores={name: whole(at(stats, f"abilityScores.{name}")) for name in LONG_ABILITIES},
            saves=bonuses(
                {name[:3].capitalize(): _save(c, name) for name in trained if name in LONG_ABILITIES}
            ),
            skills=bonuses(skills),
            vulnerable=names(stats.get("damageVulnerabilities")),
            resists=names(stats.get("damageResistances")),
            immune=names(stats.get("damageImmunities")),
            conditions=names(stats.get("conditionImmunities")),
            senses=sensed(names(stats.get("senses")), 10 + _skill("Perception")(c)),
            languages=names(stats.get("languages")),
            sections=[*_features(stats)],
            rest=plain(str(at(c, "flavor.description") or "")),
        )
    )


def _features(stats: Any) -> Iterator[tuple[str, list[str]]]:
    for key, title in _LISTS:
        rows = [
            feature(plain(str(r.get("name"))), plain(str(r.get("description") or "")))
            for r in tables(stats.get(key))
        ]
        if key == "legendaryActions" and rows:
            yield (
                f"{title}: {whole(stats.get('legendaryActionsPerRound')) or 3} each round",
                [
                    plain(str(stats.get("legendaryActionsDescription") or "")),
                    *rows,
                ],
            )
        else:
            yield title, rows


def _any_skill(c: Any, row: dict[str, Any]) -> int | None:
    stat = SKILLS.get(str(row.get("name")).lower())
    base = _mod(c, LONG_ABILITIES[ABILITIES.index(stat)]) if stat else None
    return whole(row.get("value")) if base is None else _trained(c, row, base)


def _creatures(value: Any) -> Iterator[dict[str, Any]]:
    return (
        x for x in walk(value, 4) if has(x, "name", "stats") and has(x["stats"], "abilityScores", "numHitDie")
    )


def _take(value: Any) -> Entries:
    for creature in _creatures(value):
        if taken := take(creature, TABLE, text=_page(creature)):
            yield taken


CRITTERDB = Format("CritterDB", ("json",), lambda value: any(_creatures(value)), _take, rank=3)
