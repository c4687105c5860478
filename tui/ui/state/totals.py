"""Say which rolls are owed, what is typed for a roll, and what an answer would do."""

from __future__ import annotations

from tui.core.fight.agenda import RollAsk
from tui.core.fight.combatant import AREA, DYING, is_pc
from tui.core.fight.encounter import members
from tui.core.rules import health
from tui.core.rules.draft import Draft
from tui.core.rules.rolling import takes_total
from tui.ui.state.scene import Scene, due


def rolls_owed(scene: Scene) -> tuple[RollAsk, ...]:
    """Return the rolls that can be answered now: the first one owed by each creature."""
    asks: dict[str, RollAsk] = {}
    for ask in due(scene):
        if isinstance(ask, RollAsk):
            asks.setdefault(ask.who, ask)
    return tuple(asks.values())


def players_roll(scene: Scene, ask: RollAsk) -> bool:
    """Return whether a roll is a player's: of a player's character, or of a row with one."""
    return any(map(is_pc, members(scene.encounter, ask.who)))


def faces_decide(scene: Scene, ask: RollAsk) -> bool:
    """Return whether a roll needs the face of each die, because a total would not decide it."""
    return not takes_total(scene.encounter, scene.system, ask)


def answers(ask: RollAsk | None, *, faces: bool) -> str:
    """Return what is typed for rolls such as this one: `totals`, `faces`, or the names of faces, `cards`."""
    return f"{ask.names.one}s" if ask and ask.names else "faces" if faces else "totals"


def outcome(scene: Scene, ask: RollAsk, total: str) -> str:
    """Return a save's result, `made` or `failed`; in an area also the damage and the hit points left."""
    save, least = ask.save, ask.least
    if least is None:
        return ""
    number = int(total) if total.lstrip("-").isdecimal() else None
    if total in ("made", "failed"):
        result, made = "", total == "made"
    elif number is None or (save and save.cause == DYING):
        return ""
    else:
        made = number >= least[0]
        result = "made" if made else "failed"
    area = scene.encounter.area
    if save is None or save.cause != AREA or area is None or ask.who not in area.who:
        return result
    points = area.points if not made else area.points // 2 if area.half else 0
    d = Draft(scene.encounter, scene.system.all_marks, scene.system.all_phases)
    damage = health.damage_taken(d, ask.who, points, area.kind)
    health.take_damage(d, scene.system, ask.who, damage)
    c = d.encounter.combatants[ask.who]
    hit_points = "" if c.hp is None else f": {c.hp}/{c.most_hp}"
    return f"{result} takes {damage}{hit_points}".strip()
