"""Read, list and word the effects of conditions at the start or the end of a turn."""

from __future__ import annotations

from collections.abc import Iterator

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.agenda import EffectAsk, Sentence, literal, say
from tui.core.fight.combatant import Condition, OwedEffect
from tui.core.fight.encounter import GM, Encounter, has_arrived
from tui.core.language import values
from tui.core.language.creature_actions import Afflict
from tui.core.rules.numbers import read_notation
from tui.core.table_lines import effect_words


def effects_due(e: Encounter) -> tuple[EffectAsk, ...]:
    """Return the effects that are owed now, in roster order; one creature's as they fell due."""
    return tuple(
        EffectAsk(
            f"effect {c.id} {x.number}",
            c.id,
            x.name,
            x.damage,
            x.heal,
            x.type,
            say(f"{{0}}: {literal(x.name)}, {literal(effect_text(x))}", c.id),
            x.hidden,
        )
        for c in e.combatants.values()
        if c.effects and not c.out and has_arrived(e, c)
        for x in c.effects
        if not x.kept or c.id in e.actors
    )


def effect_text(x: OwedEffect | Condition) -> str:
    """Return an effect in words: `1d6 fire damage`; "" for a condition without an effect."""
    return effect_words(x.damage, x.type, x.heal)


def reminders(e: Encounter) -> Iterator[Sentence]:
    """Yield the notes of conditions of the acting creatures, for the GM alone."""
    for k in e.actors:
        for x in e.combatants[k].conditions if k in e.combatants else ():
            if x.at and x.note:
                edge = "" if x.at == "start" else "at the end, "
                whose = "" if e.acting == k else "{1}, "
                text = f"{edge}{whose}{literal(x.name)}: {literal(x.note)}"
                yield Sentence(text, (GM, k), own=True)


def read_effect(action: Afflict) -> tuple[str, str, str, str, str]:
    """Return `at=`, `damage=`, `type=`, `heal=` and `note=` of a `condition` line. Raises RuleError."""
    damage, heal = _check_dice("damage", action.damage), _check_dice("heal", action.heal)
    line = f"condition {quote(action.who)} {quote(action.name)}"
    if damage and heal:
        raise RuleError("one condition cannot have damage= and heal=", "write a condition for each of them")
    if (damage or heal) and not action.at:
        key = f"damage={damage}" if damage else f"heal={heal}"
        raise RuleError("condition: at= is missing: start or end of the turn", f"`{line} at=start {key}`")
    if action.type and not damage:
        raise RuleError("condition: type= is the kind of damage=", f"`{line} at=start damage=1d6 type=fire`")
    if action.at and not (damage or heal or action.note):
        message = f"condition: at={action.at} needs what happens then"
        raise RuleError(message, f"`{line} at={action.at} damage=1d6`")
    return action.at, damage, action.type.strip(), heal, values.read_text(action.note, "note=")


def _check_dice(key: str, text: str) -> str:
    return read_notation(text, f"{key}=").words() if text else ""
