"""Everything that is known of one row, and clauses in our own words, as a text to read."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.combatant import Combatant, Condition
from tui.core.fight.encounter import label, members
from tui.core.fight.viewer import text
from tui.core.language.values import show
from tui.core.views.json import borne
from tui.ui.panes.creatures.card import lasting
from tui.ui.state.scene import Scene, track_rows


def about(scene: Scene, key: str, conditions: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """A title, and: why the row stands there with the clauses, then who is in it, and what its `conditions` do."""
    c = scene.encounter.combatants.get(key)
    entry = f"@{c.group}" if c and c.group else key
    row = next((r for r in track_rows(scene) if r.entry in (key, entry)), None)
    reasons = row.why if row else ()
    lines = [text(scene.encounter, s) + (f" ({s.rule})" if s.rule else "") for s in reasons]
    cited = dict.fromkeys(s.rule for s in reasons if s.rule in scene.system.clauses)
    lines += [f"{clause}: {scene.system.clauses[clause]}" for clause in cited]
    found = members(scene.encounter, key)
    # A group may have hundreds; what is beyond a page is read in the roster.
    for x in found[:20]:
        lines.append(_creature(scene, x))
        lines += [f"  {_lasting(scene, y)}" for y in x.conditions]
    lines += conditions
    cards = dict.fromkeys(x.card for x in found if x.card)
    lines += [line for card in cards for line in ("", *card.splitlines())]
    return label(scene.encounter, key), tuple(lines)


def _creature(scene: Scene, c: Combatant) -> str:
    told = [f"on the side {c.side}"]
    told += [f"in the group {c.group}"] if c.group else []
    told += [f"played by {c.owner}"] if c.owner else []
    told += [f"{c.hp} of {c.most_hp} hit points"] if c.hp is not None else []
    told += [f"armour class {c.ac}"] if c.ac is not None else []
    told += [f"{f.title} {show(c.fields[f.key])}" for f in scene.system.fields if f.key in c.fields]
    told += [
        *(mark.word for mark in borne((c,), scene.system) if mark.word),
        *(["hidden"] if c.hidden else []),
        *(["out"] if c.out else []),
        *([c.note] if c.note else []),
    ]
    return f"{c.name}: {', '.join(told)}"


def _lasting(scene: Scene, x: Condition) -> str:
    """A condition, how long it lasts, and who counts that or keeps it up."""
    told = lasting(scene.encounter, x, by_round=scene.system.turn_edges == "round")
    kept = f", while {label(scene.encounter, x.of)} concentrates" if x.conc and x.of else ""
    given = f", of {label(scene.encounter, x.of)}" if x.of and not x.conc and not x.until else ""
    return f"{told}{kept}{given}" + (" (hidden from the players)" if x.hidden else "")


def rule_text(scene: Scene, clause: str) -> tuple[str, ...]:
    """A clause in our own words; without one, what the system is."""
    rules = scene.system
    if clause in rules.clauses:
        return (rules.clauses[clause],)
    return (rules.summary, rules.credit)
