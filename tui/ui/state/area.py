"""Fill in damage to many: what the form asks, the line that it writes, and the note beside each creature."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, active
from tui.core.language import values
from tui.core.language.tokens import quote, tokens
from tui.core.views.json import borne
from tui.ui.state.scene import Scene, who

AREA = "area"
TITLE = "Area: damage to many, and who is in it"
_MADE = ("half", "none")


def fields(e: Encounter) -> tuple[Field, ...]:
    """Return what the form asks: the damage, the save, and who is in the area."""
    keys = tuple(c.id for c in active(e))
    return (
        Field("damage", "damage", "text", help="dice or a number: 8d6, 27"),
        Field("dc", "DC", "text", help="a number; without one nobody saves and all take all of it"),
        Field("save", "save", "text", help="its key: dex, con, wis"),
        Field("type", "type", "text", help="fire, cold: who resists it takes half"),
        Field("half", "made", "choice", _MADE, "half", help="what who makes the save takes"),
        Field("who", "Who is in it?", "list", keys),
    )


def line(e: Encounter, texts: Mapping[str, str]) -> str:
    """Return the line that the form writes. Raise RuleError while it is not whole."""
    if not texts.get("damage"):
        raise RuleError("how much damage? 8d6, or a number")
    ticked = texts.get("who", "").split(",")
    keys = [c.id for c in active(e) if c.id in ticked]
    if not keys:
        raise RuleError("nobody is in it: Space puts the row in, A its side")
    given = {key: texts[key] for key in ("damage", "type", "dc", "save") if texts.get(key)}
    if not given.get("dc"):
        given.pop("save", None)
    told = "".join(f" {key}={quote(text)}" for key, text in given.items())
    half = " half=no" if texts.get("half") == "none" and given.get("dc") else ""
    return f"{AREA} {who(e, keys)}{told}{half}"


def side_of(e: Encounter, key: str) -> tuple[str, ...]:
    """Return the ids of all on a creature's side who are in the fight."""
    side = e.combatants[key].side
    return tuple(c.id for c in active(e) if c.side == side)


def beside(scene: Scene, texts: Mapping[str, str]) -> dict[str, str]:
    """Return hit points, conditions and the number for the save of each creature."""
    return {c.id: _told(scene, c, texts.get("save", "").lower()) for c in active(scene.encounter)}


def _told(scene: Scene, c: Combatant, save: str) -> str:
    hp = "" if c.hp is None else f"{c.hp}/{c.most_hp}" + (f"+{c.temp_hp}" if c.temp_hp else "")
    number = values.bonuses(c.save_bonus).get(save)
    marks = [mark.short for mark in borne((c,), scene.system) if mark.short]
    told = [
        "HIDDEN" if c.hidden else "",
        hp,
        f"{save} {number:+}" if save and number is not None else "",
        *(x.name for x in c.conditions),
        *marks,
    ]
    return "  ".join(text for text in told if text)


def before(earlier: str) -> dict[str, str]:
    """Return the numbers of an earlier line, but not whom it hit."""
    try:
        found = {t.key: t.text for t in tokens(earlier) if t.key}
    except RuleError:
        return {}
    half = "none" if found.get("half") == "no" else "half"
    return {"half": half} | {key: found[key] for key in ("damage", "type", "dc", "save") if found.get(key)}
