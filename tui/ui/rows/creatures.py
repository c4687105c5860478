"""Show creatures in few columns: names, hit points, conditions, and the titles of panes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tui.core.fight.combatant import Combatant, Counted
from tui.core.fight.encounter import Encounter, arrived, members, unacted
from tui.core.views.table import borne
from tui.ui.state.layout import Pane
from tui.ui.state.scene import Scene, focus
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, framed, split_number, titled
from tui.ui.text.track import BAR, LATEST, SECRET, Weighed, condition_word, gathered, points_text

HIDDEN = "HIDDEN"
"""The word on creatures that the players do not know of: in capitals, for it must not be said aloud."""


def unknown(e: Encounter, key: str) -> bool:
    """Return whether the players know of nobody behind a key, of an entry or a side."""
    creatures = members(e, key) if key else ()
    return bool(creatures) and all(c.hidden for c in creatures)


def held(scene: Scene, people: Sequence[Combatant], state: str = "", *, wide: bool = False) -> list[Piece]:
    """Return what holds creatures, the weightiest first: what is secret is never cut.

    Hidden, the row's state, at 0, what alarms, concentration, conditions by rounds left, other marks.

    Of several creatures a word says how many it holds, unless it holds all of them. `wide`: signs are words.
    """
    aloud = wide or scene.glyphs.spoken
    words = (_weighed(scene, c, state, aloud=aloud) for c in people)
    away = state == "out"
    # All of them are dead: that says more than the word of their row.
    state = "" if away and people and all(c.dead for c in people) else state
    # Who has left, or is yet to come, has no turn to take.
    left = 0 if away or state == "staged" else len(unacted(people))
    return gathered(words, state, left, scene.glyphs)


def _weighed(scene: Scene, c: Combatant, state: str, *, aloud: bool) -> Iterator[Weighed]:
    """Return the words of one creature, each with its weight: small ones come first."""
    if c.out and state == "out":
        if c.dead:
            yield (1, c.gone, "down")
        return
    if c.out:
        yield (1, c.gone, "down")
    elif c.dying:
        yield (0, "stable" if c.dying.stable else f"dying +{c.dying.good} -{c.dying.bad}", "down")
    elif c.hp == 0:
        yield (0, "at 0", "down")
    if not arrived(scene.encounter, c):
        yield (1, f"round {c.arrives}", "muted")
    for mark in borne((c,), scene.system):
        if mark.short:
            yield (2, mark.short, "alarm") if mark.alarming else (LATEST + 1, mark.short, "text")
    for x in c.conditions:
        yield condition_word(x.name, x.rounds, "concentrating" if aloud else scene.glyphs.concentration, x.dc)
    for counter in c.counters:
        yield (LATEST, count(counter), "text")
    if c.hidden:
        yield (SECRET, HIDDEN, "hidden")
    if c.value is not None:
        yield (LATEST + 3, "fixed", "muted")


def count(x: Counted) -> str:
    """Return `legendary 2/3`: a counter and what is left of it."""
    return f"{x.name} {x.n}" + (f"/{x.most}" if x.most else "")


def alike(names: Sequence[str], glyphs: Glyphs) -> str:
    """Return `Goblin 1-4`, `Rat 1, 3` for those who differ in their number; else all of them with commas."""
    pairs = [split_number(n) for n in names]
    bases = {m[0] for m in pairs if m}
    if len(names) < 2 or not all(pairs) or len(bases) != 1:
        return ", ".join(names)
    numbers = sorted(int(m[1]) for m in pairs if m)
    return f"{bases.pop()} {', '.join(_runs(numbers, glyphs))}"


def together(names: Sequence[str], glyphs: Glyphs) -> str:
    """Return the names in their order, with those of one kind joined: `Bandit 2-6, Thane`."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(kind_of(name), []).append(name)
    return ", ".join(alike(some, glyphs) for some in kinds.values())


def kind_of(name: str) -> str:
    """Return the name without a number at its end."""
    pair = split_number(name)
    return pair[0] if pair else name


def _runs(numbers: Iterable[int], glyphs: Glyphs) -> list[str]:
    runs: list[tuple[int, int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return [f"{a}" if a == b else f"{a}{glyphs.range}{b}" for a, b in runs]


def points(c: Combatant) -> str:
    """Return `13/24+5`, or "" for a creature without hit points."""
    return f"{c.hp}/{top(c)}" + (f"+{c.temp_hp}" if c.temp_hp else "") if c.hp is not None else ""


def top(c: Combatant) -> int:
    """Return the most that a creature can have."""
    return c.most_hp or c.hp or 0


def of_several(people: Sequence[Combatant], glyphs: Glyphs) -> str:
    """Return `2-9/9`, the least and the most hit points of several; without one maximum `2-9`."""
    return points_text([(c.hp, top(c), c.temp_hp) for c in people if c.hp is not None], glyphs)


def bar(people: Sequence[Combatant], glyphs: Glyphs) -> Piece:
    """Return the hit points that are left of all, as a bar; blank where there are none."""
    known = [c for c in people if c.hp is not None]
    if not known:
        return (" " * BAR, "text")
    most = sum(map(top, known)) or 1
    left = min(sum(c.hp or 0 for c in known), most)
    # Rounded up: with one point left there is still a piece of bar.
    full = -(-BAR * left // most)
    return (glyphs.full * full + glyphs.empty * (BAR - full), hurt(left, most))


def hurt(left: int, most: int) -> Role:
    """Return the role for a number of hit points and their maximum."""
    return "hp-good" if 2 * left > most else "hp-mid" if 4 * left > most else "hp-low"


def ink(people: Sequence[Combatant]) -> Role:
    """Return the role in which the points of these creatures are written: that of the weakest."""
    known = [c for c in people if c.hp is not None]
    if not known:
        return "text"
    weakest = min(known, key=lambda c: (c.hp or 0) / (top(c) or 1))
    return "down" if weakest.hp == 0 else hurt(weakest.hp or 0, top(weakest) or 1)


def title(scene: Scene, part: Pane, text: str, width: int, *more: Piece) -> Row:
    """Return `── Track ── more`, with brackets around the name of the pane that has the keys."""
    focused = focus(scene) == part
    return titled(
        scene.glyphs,
        (framed(scene.glyphs, text) if focused else text, "focus" if focused else "title"),
        width,
        more,
    )


def heading(scene: Scene, text: str, width: int, more: str = "") -> Row:
    """Return the title of something that has the keys."""
    return titled(
        scene.glyphs, (framed(scene.glyphs, text), "focus"), width, ((more, "muted"),) if more else ()
    )


def label_line(scene: Scene, text: str, width: int, *more: Piece) -> Row:
    """Return a title like a pane's, over something that never has the keys."""
    return titled(scene.glyphs, (text, "title"), width, more)
