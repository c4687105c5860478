"""What holds creatures, in few words, the weightiest first: for the rows of the track and of the roster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tui.core.fight.combatant import Combatant, Condition, Counted
from tui.core.fight.encounter import arrived, unacted
from tui.core.views.json import borne
from tui.ui.state.glyphs import STATES, Glyphs
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece
from tui.ui.state.scene import Scene

CONCENTRATION = "concentration"
_LATEST = 10**6
"""Weighs more than any number of rounds: what somebody has to end comes last."""

Weighed = tuple[int, str, Role]


def held(scene: Scene, people: Sequence[Combatant], state: str = "", *, wide: bool = False) -> list[Piece]:
    """At 0, what alarms, the row's state, concentration, conditions by what is left of them, other marks.

    Of several creatures a word says how many it holds, unless it holds all of them. `wide`: signs are words.
    """
    aloud = wide or scene.glyphs.spoken
    found: dict[str, tuple[int, Role, int]] = {}
    for c in people:
        for weight, text, role in {
            text: (w, text, r) for w, text, r in _of(scene, c, state, aloud=aloud)
        }.values():
            before = found.get(text, (weight, role, 0))
            found[text] = (min(weight, before[0]), role, before[2] + 1)
    ordered = sorted(found.items(), key=lambda item: item[1][0])
    every = len(people)
    told: list[Piece] = [
        (text if many == every else f"{text} {scene.glyphs.times}{many}", role)
        for text, (_, role, many) in ordered
    ]
    return [*_state(scene, state), *told, *_left(people)]


def _state(scene: Scene, state: str) -> list[Piece]:
    known = STATES.get(state)
    if known is None or not known.word or not (known.beside or scene.glyphs.spoken):
        return []
    # A declared mark says it in the system's own word.
    return [] if state == "delays" else [(known.word, known.role)]


def _left(people: Sequence[Combatant]) -> list[Piece]:
    """Of a group of which some have acted, how many have not."""
    left = len(unacted(people))
    return [(f"{left} of {len(people)} to act", "may")] if 0 < left < len(people) else []


def _of(scene: Scene, c: Combatant, state: str, *, aloud: bool) -> Iterator[Weighed]:
    """The words of one creature, each with its weight: small ones come first."""
    if c.out and state == "out":
        return
    if c.out:
        yield (1, "out", "down")
    elif c.dying:
        yield (0, "stable" if c.dying.stable else f"dying +{c.dying.good} -{c.dying.bad}", "down")
    elif c.hp == 0:
        yield (0, "at 0", "down")
    if not arrived(scene.encounter, c):
        yield (1, f"round {c.arrives}", "muted")
    for mark in borne((c,), scene.system):
        if mark.short:
            yield (2, mark.short, "alarm") if mark.alarming else (_LATEST + 1, mark.short, "text")
    for x in c.conditions:
        yield _condition(x, scene.glyphs, aloud=aloud)
    for counter in c.counters:
        yield (_LATEST, count(counter), "text")
    if c.hidden:
        yield (_LATEST + 2, "hidden", "hidden")
    if c.value is not None:
        yield (_LATEST + 3, "fixed", "muted")


def _condition(x: Condition, glyphs: Glyphs, *, aloud: bool) -> Weighed:
    left = f" {x.rounds}" if x.rounds else ""
    if x.name.lower() == CONCENTRATION:
        return (3, ("concentrating" if aloud else glyphs.concentration) + left, "concentration")
    return (3 + (x.rounds or _LATEST - 3), x.name + left, "condition")


def count(x: Counted) -> str:
    """`legendary 2/3`: a counter and what is left of it."""
    return f"{x.name} {x.n}" + (f"/{x.most}" if x.most else "")
