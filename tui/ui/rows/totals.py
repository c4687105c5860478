"""Show the list of owed rolls, and answer what it holds and what each number would mean."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tui.core.fight.agenda import RollAsk
from tui.core.fight.combatant import AREA, DYING
from tui.core.fight.encounter import label, members
from tui.core.fight.viewer import text
from tui.core.rules import health
from tui.core.rules.draft import Draft
from tui.core.rules.now import dice_of
from tui.core.rules.play import reach
from tui.core.views.sentences import damage_words
from tui.ui.rows.creatures import HIDDEN, heading, unknown
from tui.ui.state.scene import Scene, due, page, side_mark, side_of_key
from tui.ui.state.view import RollList
from tui.ui.text.editor import typed_line
from tui.ui.text.rows import Piece, Row, cells, clip, filled, fit, short, span, words


def owing(scene: Scene) -> tuple[RollAsk, ...]:
    """Return the rolls that can be answered now: of each roller the first that is due."""
    asks: dict[str, RollAsk] = {}
    for ask in due(scene):
        if isinstance(ask, RollAsk):
            asks.setdefault(ask.who, ask)
    return tuple(asks.values())


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


def takes_faces(scene: Scene, mode: RollList, ask: RollAsk) -> bool:
    """Return whether faces are typed for a roll: as chosen, or because its single dice decide."""
    return mode.faces or reach(scene.encounter, scene.system, ask) is None


def expected(scene: Scene, ask: RollAsk, *, faces: bool) -> str:
    """Return what may be typed for a roll: `4 to 23`, or its dice."""
    if faces:
        return " ".join(f"d{sides}" for sides in ask.dice)
    bounds = reach(scene.encounter, scene.system, ask)
    return f"{bounds[0]} to {bounds[1]}" if bounds else "the faces decide"


def outcome(scene: Scene, ask: RollAsk, called: str) -> str:
    """Return what an answered save came to: `made`, `failed`, and of an area what it takes and leaves."""
    save, least = ask.save, ask.least
    if least is None:
        return ""
    number = int(called) if called.lstrip("-").isdecimal() else None
    if called in ("made", "failed"):
        result, made = "", called == "made"
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
    taken = health.taken(d, ask.who, points, area.kind)
    health.damage(d, scene.system, ask.who, taken)
    c = d.encounter.combatants[ask.who]
    left = "" if c.hp is None else f": {c.hp}/{c.most_hp}"
    return f"{result} takes {taken}{left}".strip()


NAME, OWNER, NUMBER = 20, 10, 9
"""Columns for names and players, at the most, and for the number."""
ROOMY = 70
"""Columns from which on the player stands beside the name."""


def totals(scene: Scene, mode: RollList, width: int, height: int) -> list[Row]:
    """Return the title and the rows around the current one."""
    ask = current(scene, mode)
    at = next((place for place, row in enumerate(mode.seen) if ask and row.key == ask.key), 0)
    room = max(0, height - 1)
    first = page(at, room, len(mode.seen))
    shown = mode.seen[first : first + room]
    cut = words(span(first, len(shown), len(mode.seen), scene.glyphs))
    more = ", ".join(x for x in ("faces" if ask and takes_faces(scene, mode, ask) else "totals", cut) if x)
    wide = min(NAME, max((cells(_name(scene, row)) for row in mode.seen), default=0))
    owner = (
        min(OWNER, max((cells(_owner(scene, row)) for row in mode.seen), default=0)) if width >= ROOMY else 0
    )
    secret = len(HIDDEN) + 1 if any(unknown(scene.encounter, row.who) for row in mode.seen) else 0
    columns = (wide, owner, secret)
    rows = [_row(scene, mode, row, columns, focused=ask is not None and row.key == ask.key) for row in shown]
    body = [clip(row, width, scene.glyphs.ellipsis) for row in rows]
    return filled([heading(scene, _title(scene, mode), width, more), *body], height)


def _title(scene: Scene, mode: RollList) -> str:
    """Return how many still owe what; of an area what it does."""
    owed, area = owing(scene), scene.encounter.area
    line = f"{len(owed)} of {len(mode.seen)} {'owes' if len(owed) == 1 else 'owe'}"
    if area and any(ask.save and ask.save.cause == AREA for ask in owed):
        against = " ".join([f"DC {area.dc}", *([area.key] if area.key else [])])
        return f"{line} a save: {damage_words(area)}, {against}, made {'half' if area.half else 'none'}"
    if owed and all(ask.save for ask in owed):
        return f"{line} a save"
    dice = {dice_of(ask) for ask in owed}
    return f"{line} {dice.pop() if len(dice) == 1 else 'dice'}"


def _name(scene: Scene, ask: RollAsk) -> str:
    return label(scene.encounter, ask.who)


def _owner(scene: Scene, ask: RollAsk) -> str:
    return next((c.owner for c in members(scene.encounter, ask.who) if c.owner), "")


def _row(scene: Scene, mode: RollList, ask: RollAsk, wide: tuple[int, int, int], *, focused: bool) -> Row:
    """Return cursor, state, side, name, who is hidden, player, number, and what it may be or has come to."""
    g = scene.glyphs
    answered = ask.key in mode.called
    head: list[Piece] = [
        (g.cursor if focused else " ", "focus"),
        (" ", "text"),
        (g.acted if answered else g.waits, "acted" if answered else "may"),
        (" ", "text"),
        side_mark(scene, side_of_key(scene.encounter, ask.who)),
        (f" {short(_name(scene, ask), wide[0], g.ellipsis)} ", "text"),
    ]
    if wide[2]:
        head.append((f"{HIDDEN if unknown(scene.encounter, ask.who) else '':<{wide[2]}}", "hidden"))
    if wide[1]:
        head.append((f"{fit(_owner(scene, ask), wide[1], g.ellipsis):<{wide[1]}} ", "muted"))
    if focused:
        typed = typed_line(mode.editor, NUMBER)
        blank = " " * max(0, NUMBER - sum(cells(piece) for piece, _ in typed))
        head += [(blank, "text"), *typed]
    else:
        head.append((f"{mode.called.get(ask.key, ''):>{NUMBER - 1}} ", "title"))
    return (*head, (f" {_remark(scene, mode, ask)}", "hint"))


def _remark(scene: Scene, mode: RollList, ask: RollAsk) -> str:
    """Return what may be typed in a row, or what its answer has come to."""
    if ask.key in mode.called:
        return outcome(scene, ask, mode.called[ask.key])
    faces = takes_faces(scene, mode, ask)
    if ask.least is None:
        result = expected(scene, ask, faces=faces)
        if faces:
            return result
        least, _, most = result.partition(" to ")
        return f"{least} whatever falls" if least == most else f"may be {result}"
    total, bonus = ask.least
    what = (
        {DYING: "death save", AREA: ""}.get(ask.save.cause, ask.save.name or ask.save.cause)
        if ask.save
        else ""
    )
    return ", ".join(x for x in (f"{total - bonus if faces else total} or more makes it", what) if x)


def asked(scene: Scene, mode: RollList) -> tuple[tuple[str, ...], str, str]:
    """Return what the Now line says: whose number is typed, what the app's dice would do, and the reason.

    The first is given with who follows, and without.
    """
    ask = current(scene, mode)
    if ask is None:
        return ("",), "", ""
    e, owed = scene.encounter, owing(scene)
    following = next((x for x in owed if x.key == after(scene, mode) and x.key != ask.key), None)
    several = "faces" if len(ask.dice) > 1 else "face"
    what = several if takes_faces(scene, mode, ask) else "total"
    who, then = label(e, ask.who), f", then {label(e, following.who)}" if following else ""
    line = f"{who}: {what}, [m] made, [f] failed" if ask.ticks else f"{who}: type the {what}, [Enter]"
    many = {1: "it", 2: "both"}.get(len(owed), f"all {len(owed)}")
    rest = f"[r] rolls {many}"
    return ((line,) if ask.ticks or not then else (line + then, line)), rest, text(e, ask.why)


def hints(scene: Scene, mode: RollList) -> Sequence[tuple[str, str]]:
    """Return the keys of the list with their words."""
    ask = current(scene, mode)
    ticks = (("m", "made"), ("f", "failed")) if ask and ask.ticks else ()
    # Where single dice decide there are no totals to turn to.
    fixed = ask is not None and takes_faces(scene, replace(mode, faces=False), ask)
    other = () if fixed else (("Left", "totals" if mode.faces else "faces"),)
    return (("Enter", "send"), *ticks, ("r", "the rest"), *other, ("u", "undo"), ("Esc", "back"))
