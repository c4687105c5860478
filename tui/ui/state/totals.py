"""Answer what the list of owed rolls holds: its rows, the current one, and what each number would mean."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.fight.agenda import RollAsk
from tui.core.fight.combatant import AREA, DYING
from tui.core.rules import health
from tui.core.rules.draft import Draft
from tui.core.rules.play import reach
from tui.ui.state.scene import Scene, due
from tui.ui.state.view import RollList


def owing(scene: Scene) -> tuple[RollAsk, ...]:
    """Return the rolls that can be answered now: of each roller the first that is due."""
    found: dict[str, RollAsk] = {}
    for ask in due(scene):
        if isinstance(ask, RollAsk):
            found.setdefault(ask.who, ask)
    return tuple(found.values())


def renewed(scene: Scene, mode: RollList) -> RollList:
    """Return the list with the rolls owed now: another save below the last of its creature, the rest last."""
    now = {ask.key: ask for ask in owing(scene)}
    rows = [now.pop(ask.key, ask) for ask in mode.seen]
    for ask in now.values():
        places = [place for place, row in enumerate(rows) if ask.save and row.who == ask.who]
        rows.insert(places[-1] + 1 if places else len(rows), ask)
    called = {key: text for key, text in mode.called.items() if key not in {ask.key for ask in owing(scene)}}
    # A roll that is owed no more and was never answered here went with something else.
    kept = tuple(row for row in rows if row.key in called or any(row.key == x.key for x in owing(scene)))
    return replace(mode, seen=kept, called=called)


def current(scene: Scene, mode: RollList) -> RollAsk | None:
    """Return the roll of the current row, else the first that is owed; None when none is."""
    owed = owing(scene)
    return next((ask for ask in owed if ask.key == mode.at), owed[0] if owed else None)


def after(scene: Scene, mode: RollList, by: int = 1) -> str:
    """Return the key of the next owed roll, or of the one before (-1), in a ring; "" for none."""
    owed = {ask.key for ask in owing(scene)}
    keys = [ask.key for ask in mode.seen]
    at = keys.index(mode.at) if mode.at in keys else -1
    ring = [keys[(at + by * step) % len(keys)] for step in range(1, len(keys) + 1)] if keys else []
    return next((key for key in ring if key in owed), "")


def expected(scene: Scene, ask: RollAsk, *, faces: bool) -> str:
    """Return what may be typed for a roll: `4 to 23`, or its dice."""
    if faces:
        return " ".join(f"d{sides}" for sides in ask.dice)
    bounds = reach(scene.encounter, scene.system, ask)
    return f"{bounds[0]} to {bounds[1]}" if bounds else "the faces decide"


def outcome(scene: Scene, ask: RollAsk, called: str) -> str:
    """Return what an answered save came to: `made`, `failed`, and of an area what it takes and leaves."""
    save = ask.save
    if save is None:
        return ""
    number = int(called) if called.lstrip("-").isdecimal() else None
    if called in ("made", "failed"):
        told, made = "", called == "made"
    elif number is None or save.cause == DYING:
        return ""
    else:
        made = number >= save.dc
        told = "made" if made else "failed"
    area = scene.encounter.area
    if save.cause != AREA or area is None or ask.who not in area.who:
        return told
    points = area.points if not made else area.points // 2 if area.half else 0
    d = Draft(scene.encounter, scene.system.all_marks, scene.system.all_phases)
    taken = health.taken(d, ask.who, points, area.kind)
    health.damage(d, scene.system, ask.who, taken)
    c = d.encounter.combatants[ask.who]
    left = "" if c.hp is None else f": {c.hp}/{c.most_hp}"
    return f"{told} takes {taken}{left}".strip()
