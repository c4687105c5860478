"""Show creatures in few columns: names, hit points, conditions, and the titles of panes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tui.core.base.text import numbered
from tui.core.fight.combatant import Combatant, Condition, Counted
from tui.core.fight.encounter import arrived, unacted
from tui.core.views.json import borne
from tui.ui.state.layout import Pane
from tui.ui.state.scene import Scene, focus
from tui.ui.text.glyphs import STATES, Glyphs
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, cells, fit, framed, pad, titled

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


_split = lru_cache(maxsize=4096)(numbered)  # 1,000 creatures: 3,000 matches a key were 2 of 18 ms


def short(name: str, width: int, ellipsis: str) -> str:
    """The name in exactly `width` columns; cut before a number at its end, which tells two of a kind apart."""
    if cells(name) <= width:
        return pad(name, width)
    pair = _split(name)
    if pair and cells(pair[1]) + 3 <= width:
        stem = fit(pair[0], width - cells(pair[1]) - 1, ellipsis)
        # A wide letter may leave no room for any: then the name says more than the number.
        if stem.rstrip() != ellipsis:
            return pad(f"{stem} {pair[1]}", width)
    return pad(name, width, ellipsis=ellipsis)


def alike(names: Sequence[str], glyphs: Glyphs) -> str:
    """`Goblin 1-4`, `Rat 1, 3` for those who differ in their number; else all of them with commas."""
    found = [_split(n) for n in names]
    bases = {m[0] for m in found if m}
    if len(names) < 2 or not all(found) or len(bases) != 1:
        return ", ".join(names)
    numbers = sorted(int(m[1]) for m in found if m)
    return f"{bases.pop()} {', '.join(_runs(numbers, glyphs))}"


def together(names: Sequence[str], glyphs: Glyphs) -> str:
    """Names in the order in which they come, those that differ only in their number as one: `Bandit 2-6, Thane`."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(kind_of(name), []).append(name)
    return ", ".join(alike(some, glyphs) for some in kinds.values())


def kind_of(name: str) -> str:
    """The name without a number at its end."""
    pair = _split(name)
    return pair[0] if pair else name


def _runs(numbers: Iterable[int], glyphs: Glyphs) -> list[str]:
    runs: list[tuple[int, int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return [f"{a}" if a == b else f"{a}{glyphs.range}{b}" for a, b in runs]


BAR = 5


def points(c: Combatant) -> str:
    """`13/24+5`; "" where there are none."""
    if c.hp is None:
        return ""
    return f"{c.hp}/{top(c)}" + (f"+{c.temp_hp}" if c.temp_hp else "")


def top(c: Combatant) -> int:
    """The most that a creature can have."""
    return c.most_hp or c.hp or 0


def of_several(people: Sequence[Combatant], glyphs: Glyphs) -> str:
    """`2-9/9`: the weakest and the best of those who have the same maximum, else `2-9`; of one what it has."""
    known = [c for c in people if c.hp is not None]
    if len(known) < 2:
        return points(known[0]) if known else ""
    low, high = min(c.hp or 0 for c in known), max(c.hp or 0 for c in known)
    tops = {top(c) for c in known}
    most = f"/{tops.pop()}" if len(tops) == 1 else ""
    temp = max(c.temp_hp for c in known)
    return (f"{low}{glyphs.range}{high}" if low < high else f"{low}") + most + (f"+{temp}" if temp else "")


def bar(people: Sequence[Combatant], glyphs: Glyphs) -> Piece:
    """The hit points that are left of all, as a bar; blank where there are none."""
    known = [c for c in people if c.hp is not None]
    if not known:
        return (" " * BAR, "text")
    most = sum(map(top, known)) or 1
    left = min(sum(c.hp or 0 for c in known), most)
    # Rounded up: whoever has one point left still has a piece of bar.
    full = -(-BAR * left // most)
    return (glyphs.full * full + glyphs.empty * (BAR - full), hurt(left, most))


def hurt(left: int, most: int) -> Role:
    """The role of so many hit points of so many."""
    return "hp-good" if 2 * left > most else "hp-mid" if 4 * left > most else "hp-low"


def ink(people: Sequence[Combatant]) -> Role:
    """The role in which the points of these creatures are written: that of the weakest."""
    known = [c for c in people if c.hp is not None]
    if not known:
        return "text"
    weakest = min(known, key=lambda c: (c.hp or 0) / (top(c) or 1))
    return "down" if weakest.hp == 0 else hurt(weakest.hp or 0, top(weakest) or 1)


def title(scene: Scene, part: Pane, text: str, width: int, *more: Piece) -> Row:
    """`── Track ── more`, with brackets around the name of the pane that has the keys."""
    here = focus(scene) == part
    return titled(
        scene.glyphs,
        (framed(scene.glyphs, text) if here else text, "focus" if here else "title"),
        width,
        more,
    )


def heading(scene: Scene, text: str, width: int, more: str = "") -> Row:
    """The title of something that has the keys, whatever pane they were in."""
    return titled(
        scene.glyphs, (framed(scene.glyphs, text), "focus"), width, ((more, "muted"),) if more else ()
    )


def label_line(scene: Scene, text: str, width: int, *more: Piece) -> Row:
    """A title like that of a pane, over something that never has the keys."""
    return titled(scene.glyphs, (text, "title"), width, more)
