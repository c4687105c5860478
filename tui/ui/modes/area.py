"""The form for damage to many: its fields, the notes on the creatures, and the line that it becomes."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, active
from tui.core.language import values
from tui.core.language.tokens import quote, tokens
from tui.core.rules.optional import has_hit_count
from tui.core.views.table_for import list_marks
from tui.ui.state.scene import Scene, write_who
from tui.ui.text.held import HIDDEN_WORD
from tui.ui.text.track import make_adjective

AREA = "area"
TITLE = "Area: damage to many, and who is in it"
_IF_SAVED = ("half", "none")
_HIT_HELP = "yes: it counts as a hit on each creature that takes damage"


def fields(scene: Scene) -> tuple[Field, ...]:
    """Return the fields of the form for areas: damage, save, and creatures in the area."""
    e = scene.encounter
    # Creatures in reserve cannot be hit; before the fight none is in reserve.
    keys = tuple(c.id for c in (scene.system.in_play(e) if e.running else active(e)))
    counts = e.running and has_hit_count(scene.system, e)
    return (
        Field("damage", "damage", "text", help="dice or a number: 8d6, 27"),
        Field("dc", "DC", "text", help="a number; if empty, there is no save and all take full damage"),
        Field("save", "save", "text", help="its key: dex, con, wis"),
        Field("type", "type", "text", help="fire, cold: creatures that resist it take half"),
        Field("half", "made", "choice", _IF_SAVED, "half", help="damage for targets that make the save"),
        *((Field("hit", "hit", "choice", ("no", "yes"), "no", help=_HIT_HELP),) if counts else ()),
        Field("who", "Who is in it?", "list", keys),
    )


def line(e: Encounter, texts: Mapping[str, str]) -> str:
    """Return the line of the form for areas. Raises RuleError if it is incomplete."""
    texts = {key: text.strip() for key, text in texts.items()}
    if not texts.get("damage"):
        raise RuleError("how much damage? 8d6, or a number")
    ticked = texts.get("who", "").split(",")
    keys = [c.id for c in active(e) if c.id in ticked]
    if not keys:
        raise RuleError("no target is selected: Space selects the row, A its side")
    filled = {key: texts[key] for key in ("damage", "type", "dc", "save") if texts.get(key)}
    # A number in place of the key is the DC, as in a line.
    saves = "dc" in filled or filled.get("save", "").isdecimal()
    words = "".join(f" {key}={quote(text)}" for key, text in filled.items())
    half = " half=no" if texts.get("half") == "none" and saves else ""
    hit = " hit=yes" if texts.get("hit") == "yes" else ""
    return f"{AREA} {write_who(e, keys)}{words}{half}{hit}"


def side_of(e: Encounter, key: str) -> tuple[str, ...]:
    """Return the ids of all active creatures on a creature's side."""
    side = e.combatants[key].side
    return tuple(c.id for c in active(e) if c.side == side)


def write_notes(scene: Scene, texts: Mapping[str, str]) -> dict[str, str]:
    """Return a note on each active creature, by id: hit points, conditions, bonus of the chosen save."""
    return {c.id: _note_of(scene, c, texts.get("save", "").lower()) for c in active(scene.encounter)}


def _note_of(scene: Scene, c: Combatant, save: str) -> str:
    hp = "" if c.hp is None else f"{c.hp}/{c.most_hp}" + (f"+{c.temp_hp}" if c.temp_hp else "")
    number = values.read_bonuses(c.save_bonus).get(save)
    marks = [mark.short for mark in list_marks((c,), scene.system) if mark.short]
    texts = [
        HIDDEN_WORD if c.hidden else "",
        hp,
        ("stable" if c.dying.stable else "dying") if c.dying else "",
        f"{save} {number:+}" if save and number is not None else "",
        *(make_adjective(x.name) for x in c.conditions),
        *marks,
    ]
    return "  ".join(text for text in texts if text)


def recall_area(earlier: str) -> dict[str, str]:
    """Return damage, save and DC of an earlier `area` line as texts of the form, without its creatures."""
    try:
        earlier_keys = {t.key: t.text for t in tokens(earlier) if t.key}
    except RuleError:
        return {}
    half = "none" if earlier_keys.get("half") == "no" else "half"
    return {"half": half} | {
        key: earlier_keys[key] for key in ("damage", "type", "dc", "save", "hit") if earlier_keys.get(key)
    }
