"""Run `apply` and `skip`: effects that are owed at the start or the end of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import EffectAsk
from tui.core.fight.encounter import Encounter, label
from tui.core.language.actions import Apply, Skip
from tui.core.language.select import list_names, match_name, resolve
from tui.core.rules import health
from tui.core.rules.draft import Draft
from tui.core.rules.effects import effects_due
from tui.core.rules.numbers import Roller, roll_amount
from tui.core.rules.saving import settle_saves
from tui.core.rules.system import InitiativeSystem

_SCALES = ("/2", "*2")
"""The amounts that scale the effect's own dice, such as `/2` after a made save."""


def answer_effects(d: Draft, system: InitiativeSystem, action: Apply | Skip, roller: Roller) -> None:
    """Run `apply` or `skip` for the effects that WHO owes. Raises RuleError."""
    asks = _named_effects(d.encounter, system, action)
    points = action.amount if isinstance(action, Apply) else ""
    if points and len(asks) > 1:
        names = list_names([x.name for x in asks])
        raise RuleError(f"apply: {points} is for one effect, not {names}", "a line for each of them")
    for ask in asks:
        # An earlier effect of the same list may have ended this one.
        if ask in effects_due(d.encounter):
            apply_effect(d, system, ask, roller, points) if isinstance(action, Apply) else _skip_effect(
                d, ask
            )


def apply_effect(
    d: Draft, system: InitiativeSystem, ask: EffectAsk, roller: Roller, amount: str = ""
) -> None:
    """Deal the damage or healing of an effect; `amount` replaces its dice, or scales them (`/2`, `*2`)."""
    d.emit(ev.EffectSettled(ask.who, _effect_number(ask)))
    own = ask.damage or ask.heal
    points = roll_amount(
        d, roller, f"{own}{amount}" if amount in _SCALES else amount or own, "apply", "effect"
    )
    if ask.damage:
        health.take_damage(d, system, ask.who, health.damage_taken(d, ask.who, points, ask.type))
    elif d.encounter.combatants[ask.who].hp is None:
        d.announce("{0} has no hit points to heal", ask.who)
    else:
        health.heal(d, ask.who, points)
    settle_saves(d, system)


def _skip_effect(d: Draft, ask: EffectAsk) -> None:
    d.emit(ev.EffectSettled(ask.who, _effect_number(ask), applied=False))


def _effect_number(ask: EffectAsk) -> int:
    return int(ask.key.rpartition(" ")[2])


def _named_effects(e: Encounter, system: InitiativeSystem, action: Apply | Skip) -> Sequence[EffectAsk]:
    """Return the effects that WHO owes, or only those of the given name. Raises RuleError."""
    ids = resolve(e, action.who)
    asks = [x for x in effects_due(e) if x.who in ids]
    if not asks:
        raise _no_effect(e, system, action, ids)
    if not action.name:
        return asks
    names = list(dict.fromkeys(x.name for x in asks))
    if action.name.isdecimal() and action.name not in names:
        line = f"`apply {quote(action.who)} {quote(names[0])} {action.name}`"
        raise RuleError(f"an amount comes after the name of an effect, not {action.name} alone", line)
    name = match_name(action.name, names, f"effect of {action.who}")
    return [x for x in asks if x.name == name]


def _no_effect(e: Encounter, system: InitiativeSystem, action: Apply | Skip, ids: Sequence[str]) -> RuleError:
    """Return the refusal of a line for which no effect is due."""
    name = label(e, ids[0]) if len(ids) == 1 else action.who
    message = f"no effect of {name} is due"
    if isinstance(action, Apply) or effects_due(e):
        return RuleError(message, kind="not_due")
    delays = type(system).hold is not InitiativeSystem.hold
    hint = "`next` goes on" + (f", `hold {quote(name)}` delays" if delays else "")
    return RuleError(message, hint, kind="not_due")
