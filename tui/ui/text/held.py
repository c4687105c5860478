"""Make the cells of a track row: the conditions and marks of its creatures, and their hit points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from tui.core.fight.agenda import Mark
from tui.core.table import Creature, TableRow
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece
from tui.ui.text.track import (
    BAR,
    LATEST_WEIGHT,
    SECRET_WEIGHT,
    TrackCells,
    Weighed,
    condition_word,
    merge_words,
    points_text,
    state_role,
)

HitPoints = tuple[int, int | None, int]
"""Hit points, maximum (None if unknown), and temporary hit points."""

HIDDEN_WORD = "HIDDEN"
"""The word on creatures hidden from players; in capitals because the GM must not say it aloud."""

_WORST: dict[str, tuple[int, Role]] = {
    "down": (0, "down"),
    "bloodied": (1, "hp-low"),
    "hurt": (2, "hp-mid"),
    "unhurt": (3, "hp-good"),
}
"""The rank (0 is the worst) and the role of each word for hit points."""


class RowStyle(Struct, frozen=True):
    """The settings by which rows are worded."""

    glyphs: Glyphs
    round: int
    """The number of the round."""
    marks: Mapping[str, Mark]
    """The marks by key."""
    concentration: str = "concentrating"
    """The sign or word for concentration."""
    secret: str = ""
    """The word for creatures hidden from players; "" for none."""
    sheets: bool = False
    """Whether rows show hit-point bars and armour class."""
    actors: tuple[str, ...] = ()
    """The names of the creatures whose turn is running."""


def row_cells(
    style: RowStyle,
    row: TableRow,
    entry: str,
    people: Sequence[Creature],
    side: Piece,
    more: Sequence[Piece] = (),
) -> TrackCells:
    """Return the cells of the row called `entry`, with these creatures; `more` are further words at its end.

    Creatures that share another creature's row have no part in its hit points: one column for those of a hero
    and of its companions would be wrong for both.
    """
    others = companions(entry, people)
    own = [c for c in people if c not in others]
    if row.outer:
        left = f"{_count_unacted(style, own)} of {len(own)} to act"
        words: list[Piece] = [(left, state_role(row.state))]
    else:
        words = [*held(style, own, row.state), *(companion(style, c) for c in others)]
    shown: Piece = ("", "text") if row.outer else points(own, style.glyphs)
    return TrackCells(
        row.state,
        row_name(entry, people, style.glyphs),
        side,
        (*words, *more),
        place=f"{row.place or ''}",
        value=style.glyphs.owed if row.owed else row.face or f"{row.value}" if row.place else "",
        points=shown,
        # Hit points in words are aligned left; numbers are aligned right.
        words=shown[0][-1:].isalpha(),
        bar=bar(() if row.outer else numbers(own), style.glyphs) if style.sheets else None,
        values=_list_values(own) if style.sheets else {},
        inner=row.inner,
        outer=row.outer,
        why=row.why,
    )


def _list_values(people: Sequence[Creature]) -> dict[str, str]:
    """Return the values of a row for `VALUES`, by heading."""
    values: dict[str, str] = {}
    armour = {c.ac for c in people}
    if any(isinstance(x, int) for x in armour):
        # A group shows a value only if it is the same for all members.
        values["AC"] = f"{armour.pop()}" if len(armour) == 1 else ""
    return values


def row_name(entry: str, people: Sequence[Creature], glyphs: Glyphs) -> str:
    """Return the name, and for a group its number of members, such as `Wolves x3`."""
    group = any(c.group == entry for c in people)
    return f"{entry} {glyphs.times}{len(people)}" if group else entry


def companions(entry: str, people: Sequence[Creature]) -> tuple[Creature, ...]:
    """Return the creatures that share another creature's row, such as mounts, pets and mercenaries."""
    if len(people) < 2 or not any(c.name == entry for c in people):  # a pair is the least
        return ()
    return tuple(c for c in people if c.name != entry)


def companion(style: RowStyle, c: Creature) -> Piece:
    """Return a companion in a few words: name, hit points, conditions."""
    shown, role = points((c,), style.glyphs)
    return " ".join(filter(None, (c.name, shown, *(text for text, _ in held(style, (c,)))))), role


# --- conditions and marks


def held(style: RowStyle, people: Sequence[Creature], state: str = "") -> list[Piece]:
    """Return conditions and marks of creatures, the most important first.

    The order: hidden, the row's state, at 0 hit points, alarming marks, concentration, conditions by rounds
    left, other marks. A word on only some of several creatures shows how many have it.
    """
    words = (_weighed_words(style, c, state) for c in people)
    is_out = state == "out"
    # If all of them are dead, that says more than the state of their row.
    word = "" if is_out and people and all(c.dead for c in people) else state
    # A creature that has left, or is yet to come, cannot take a turn.
    unacted = 0 if is_out or state == "staged" else _count_unacted(style, people)
    return merge_words(words, word, unacted, style.glyphs)


def _count_unacted(style: RowStyle, people: Sequence[Creature]) -> int:
    """Return how many creatures are still to act this round, without those that are acting."""
    return sum("acted" not in c.marks and c.name not in style.actors for c in people)


def _weighed_words(style: RowStyle, c: Creature, state: str) -> Iterator[Weighed]:
    """Yield the words for one creature, each with its weight; lower weights come first."""
    if c.out and state == "out":
        if c.dead:
            yield (1, "dead", "down")
        return
    if c.out:
        yield (1, "dead" if c.dead else "out", "down")
    elif c.saves and isinstance(c.saves.stable, bool):
        tally = (("+", c.saves.successes), ("-", c.saves.failures))
        dying = " ".join(["dying", *(f"{sign}{count}" for sign, count in tally if count)])
        yield (0, "stable" if c.saves.stable else dying, "down")
    elif c.hp == 0:
        yield (0, "at 0", "down")
    if c.arrives > style.round:
        yield (1, f"round {c.arrives}", "muted")
    for mark in c.marks:
        known = style.marks.get(mark)
        if known and known.short:
            yield (2, known.short, "alarm") if known.alarming else (LATEST_WEIGHT + 1, known.short, "text")
    for x in c.conditions:
        yield condition_word(x.name, x.rounds, style.concentration, x.dc)
    for counter in c.counters:
        yield (LATEST_WEIGHT, count(counter.name, counter.n, counter.max), "text")
    if c.hidden:
        yield (
            (SECRET_WEIGHT, style.secret, "hidden")
            if style.secret
            else (LATEST_WEIGHT + 2, "hidden", "hidden")
        )
    if isinstance(c.fixed, int):
        yield (LATEST_WEIGHT + 3, "fixed", "muted")


def count(name: str, n: int, most: int | None) -> str:
    """Return a counter and its maximum, such as `legendary 2/3`."""
    return f"{name} {n}" + (f"/{most}" if most else "")


def name_state(c: Creature) -> str:
    """Return `dead` or `out` for a creature that is out of the fight, else ""."""
    return ("dead" if c.dead else "out") if c.out else ""


# --- hit points


def numbers(people: Sequence[Creature]) -> list[HitPoints]:
    """Return the hit points of the creatures whose numbers are known."""
    return [
        (c.hp, max(0, c.max_hp + (c.temp_max or 0)) if isinstance(c.max_hp, int) else None, c.temp_hp or 0)
        for c in people
        if isinstance(c.hp, int)
    ]


def points(people: Sequence[Creature], glyphs: Glyphs) -> Piece:
    """Return hit points as `13/24+5`, `bloodied`, `1 bloodied` or `2-9/9`; "" if a house rule hides them."""
    if not any(c.health for c in people):
        known = numbers(people)
        return points_text(known, glyphs), ink(known)
    texts = [c.health or _health_word(c) for c in people if c.health or isinstance(c.hp, int)]
    worst = min(texts, key=lambda word: _WORST.get(word, (9, "text"))[0])
    many = texts.count(worst)
    role = _WORST.get(worst, (9, "text"))[1]
    return (worst if many == len(texts) else f"{many} {worst}", role)


def _health_word(c: Creature) -> str:
    """Return the word for hit points that are known in numbers: one of the keys of `_WORST`."""
    if c.hp == 0 or c.out:
        return "down"
    if not (isinstance(c.hp, int) and isinstance(c.max_hp, int)) or c.hp >= c.max_hp:
        return "unhurt"
    return "hurt" if 2 * c.hp > c.max_hp else "bloodied"


def bar(known: Sequence[HitPoints], glyphs: Glyphs) -> Piece:
    """Return a bar of the hit points left; spaces if none are known."""
    if not known:
        return (" " * BAR, "text")
    most = sum(map(_maximum, known)) or 1
    points = min(sum(hp for hp, _, _ in known), most)
    # Rounded up: one hit point left still shows a piece of the bar.
    full = -(-BAR * points // most)
    return (glyphs.full * full + glyphs.empty * (BAR - full), _hurt_role(points, most))


def ink(known: Sequence[HitPoints]) -> Role:
    """Return the role of the hit points of the weakest creature."""
    if not known:
        return "text"
    weakest = min(known, key=lambda x: x[0] / (_maximum(x) or 1))
    return "down" if weakest[0] == 0 else _hurt_role(weakest[0], _maximum(weakest) or 1)


def _maximum(known: HitPoints) -> int:
    return known[1] or known[0]


def _hurt_role(points: int, most: int) -> Role:
    """Return the role for hit points and their maximum."""
    return "hp-good" if 2 * points > most else "hp-mid" if 4 * points > most else "hp-low"
