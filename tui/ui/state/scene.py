"""Hold everything a picture depends on, and answer whom a command means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.cache import remembered
from tui.core.fight.agenda import AcknowledgeAsk, Ask, FormAsk, Offer, TrackRow
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, USUAL_SIDES, Encounter, key_of, label, members, sides
from tui.core.language.tokens import quote
from tui.core.rules.draft import living
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import owed
from tui.core.views.json import borne
from tui.core.views.lineup import ShownRow, lineup
from tui.ui.state.commands import Command
from tui.ui.state.layout import Pane, content, lists_creatures
from tui.ui.state.view import Notice, View, begins
from tui.ui.text.glyphs import UNICODE, Glyphs
from tui.ui.text.palette import Role, side_role

if TYPE_CHECKING:
    from tui.store.library.importing import Harvest


class Watching(Struct, frozen=True):
    """How a save stands that is only looked at: a word for the header, and a line; `wrong`: it tells of a fault."""

    word: str = ""
    line: str = ""
    wrong: bool = True


Stage = Literal["reading", "read", "keeping", "kept", "refused"]


class Incoming(Struct, frozen=True):
    """How an import stands.

    `told` is how far it has come, where it was kept, or why not; `hint` what would work; `found` what was read, from
    the stage `read` on; `names` the files it came from.
    """

    stage: Stage = "reading"
    told: str = ""
    hint: str = ""
    found: Harvest | None = None
    names: str = ""


class Scene(Struct, frozen=True):
    """The fight, its system, what the GM looks at, and how it is drawn.

    `keys` names the key of a command, `verbs` of a word; `grouping` is the line that groups those who were added last, `fault` why something is not
    on the disk, `clock` the times that are shown.
    """

    encounter: Encounter
    system: InitiativeSystem
    view: View = View()
    name: str = ""
    step: int = 0
    steps: int = 0
    saved: bool = True
    glyphs: Glyphs = UNICODE
    keys: Mapping[str, str] = {}
    verbs: Mapping[str, str] = {}
    grouping: str = ""
    clock: str = ""
    fault: Notice | None = None
    watching: Watching = Watching()
    incoming: Incoming = Incoming()


def due(scene: Scene) -> tuple[Ask, ...]:
    """What must be answered now."""
    return owed(scene.encounter, scene.system)


def must_read(scene: Scene) -> bool:
    """Whether something is to be read before play goes on."""
    return any(isinstance(ask, AcknowledgeAsk) for ask in due(scene)[:1])


def offer(scene: Scene) -> Offer:
    """What may be done now; nothing while something is due or somebody acts."""
    if not scene.encounter.running or scene.encounter.turn or due(scene):
        return Offer()
    return scene.system.offer(scene.encounter)


def track_rows(scene: Scene) -> list[TrackRow]:
    """The rows of the track that are shown."""
    return [spot.row for spot in spots(scene)]


def spots(scene: Scene) -> list[ShownRow]:
    """The rows of the track that are shown, with their places; of rows that are alike the filter leaves some."""
    found = lineup(scene.encounter, scene.system).spots
    return [x for x in found if not scene.view.filter or _wanted(scene, x.row.entry)]


def people(scene: Scene) -> list[Combatant]:
    """The creatures that are shown, in roster order; of a folded group the first."""
    found = list(scene.encounter.combatants.values())
    if scene.view.filter:
        found = [c for c in found if _fits(scene, c)]
    if not scene.view.folded:
        return found
    rows: dict[str, Combatant] = {}
    for c in found:
        rows.setdefault(row_key(scene, c), c)
    return list(rows.values())


def row_key(scene: Scene, c: Combatant) -> str:
    """The key of a creature's row in the roster: its own, or that of its folded group."""
    key = key_of(c)
    return key if key in scene.view.folded else c.id


def _wanted(scene: Scene, key: str) -> bool:
    needle = scene.view.filter.lower()
    found = members(scene.encounter, key)
    return begins(needle, label(scene.encounter, key)) or any(_fits(scene, c) for c in found)


def _fits(scene: Scene, c: Combatant) -> bool:
    needle = scene.view.filter.lower()
    texts = (
        c.name,
        c.side,
        c.group,
        c.owner,
        *(x.name for x in c.conditions),
        *(words for mark in borne((c,), scene.system) for words in (mark.word, mark.short)),
        "out" if c.out else "",
    )
    return any(begins(needle, text) for text in texts)


def focus(scene: Scene) -> Pane:
    """The pane that the keys go to."""
    if scene.view.focus:
        return scene.view.focus
    if not scene.encounter.running:
        return "roster"
    # What must be read has the keys that turn its pages.
    return "orders" if must_read(scene) and not scene.view.zoom else "track"


def rows_pane(scene: Scene) -> Pane:
    """The pane whose current row a command means: the one with the keys, else the last one that had them."""
    at = focus(scene)
    if lists_creatures(at):
        return at
    return scene.view.rows or ("track" if scene.encounter.running else "roster")


def current(scene: Scene) -> str:
    """The key of the current row of the pane that counts; "" when there is none."""
    if content(rows_pane(scene)) == "entries":
        return current_entry(scene)
    c = scene.encounter.combatants.get(current_creature(scene))
    return row_key(scene, c) if c else ""


def current_entry(scene: Scene, rows: list[TrackRow] | None = None) -> str:
    """The current row of the track: the one chosen, else who acts, owes a form, may act, or stands first."""
    rows = track_rows(scene) if rows is None else rows
    keys = {r.entry for r in rows}
    if scene.view.track in keys:
        return scene.view.track
    if scene.encounter.acting in keys:
        return scene.encounter.acting
    owing = [ask.who for ask in due(scene) if isinstance(ask, FormAsk) and ask.who in keys]
    # The row is where the next key is most likely meant, so that most lines need no moving.
    found = owing + [r.entry for state in ("now", "may") for r in _choosable(scene, rows) if r.state == state]
    return next(iter(found), rows[0].entry if rows else "")


def _choosable(scene: Scene, rows: list[TrackRow]) -> list[TrackRow]:
    """The rows, those that merely head the rows of their members last."""
    heads = {x.row.entry for x in lineup(scene.encounter, scene.system).spots if x.outer}
    return sorted(rows, key=lambda r: r.entry in heads)


def current_creature(scene: Scene, found: list[Combatant] | None = None) -> str:
    """The current creature of the roster: the one chosen, else of the track's current row, else the first."""
    chosen = scene.encounter.combatants.get(scene.view.roster)
    # The usual case without a walk through the roster, which this is asked for at every key.
    if chosen and not scene.view.filter and not scene.view.folded:
        return chosen.id
    found = people(scene) if found is None else found
    chosen = chosen or next(iter(members(scene.encounter, current_entry(scene))), None)
    key = row_key(scene, chosen) if chosen else ""
    return next((c.id for c in found if row_key(scene, c) == key), found[0].id if found else "")


def cards(scene: Scene) -> tuple[str, str]:
    """Whose card is shown, and whose below it ("" for nobody): who acts, and the current row if it is another."""
    e = scene.encounter
    # The chosen row's card follows when the keys rest, so that moving over rows sends two of them and no card.
    chosen = scene.view.card if members(e, scene.view.card) else current(scene)
    held = scene.view.pinned if members(e, scene.view.pinned) else ""
    if e.turn is None:
        return (chosen, held) if held != chosen else (chosen, "")
    for below in (held, chosen):
        if below and below != e.turn.who and below not in e.turn.members:
            return e.turn.who, below
    return e.turn.who, ""


def rested(scene: Scene) -> View:
    """The view once the keys rest: the card has followed the current row."""
    return replace(scene.view, card=current(scene))


def page(at: int, height: int, total: int) -> int:
    """The first line shown of a list, so that line `at` is on it: whole pages, the last one full."""
    if height < 1 or total <= height:
        return 0
    # Pages and not single rows: while the cursor moves within one, nothing else on the screen changes.
    return min(at // height * height, total - height)


def window(keys: Sequence[str], at: str, pinned: str, room: int) -> list[int]:
    """The places of the rows that are shown: a page that holds `at`, and `pinned` in place of its first or last row."""
    total = len(keys)
    place, fixed = (keys.index(k) if k in keys else -1 for k in (at, pinned))
    first = _first(max(0, place), room, total)
    shown = list(range(first, min(total, first + max(0, room))))
    if fixed < 0 or fixed in shown or room < 2:
        return shown
    first = _first(max(0, place), room - 1, total)
    shown = list(range(first, min(total, first + room - 1)))
    return shown if fixed in shown else sorted([*shown, fixed])


FEW = 8
"""Rows below which a page would hide what stands beside the current one: the one before it is shown instead."""


def _first(at: int, room: int, total: int) -> int:
    if room >= FEW or room < 3:
        return page(at, room, total)
    return max(0, min(at - 1, total - room))


def selection_mark(scene: Scene, key: str) -> tuple[str, Role]:
    """The mark of a row that is selected, another for one that takes half of any damage; else a blank."""
    if key not in scene.view.selected:
        return " ", "text"
    return scene.glyphs.half if key in scene.view.half else scene.glyphs.selected, "selected"


def side_mark(scene: Scene, side: str) -> tuple[str, Role]:
    """The mark and the role of a side."""
    number = _numbered(scene.encounter, scene.system).get(side, 0)
    return scene.glyphs.sides[number % len(scene.glyphs.sides)], side_role(number)


@remembered
def _numbered(e: Encounter, system: InitiativeSystem) -> dict[str, int]:
    # Numbered by the usual sides first, so that heroes keep their colour whoever was added first.
    there = sides(e)
    usual = system.sides or tuple(side for side in USUAL_SIDES if side in there)
    return {side: i for i, side in enumerate(dict.fromkeys([*usual, *there]))}


def side_of_key(e: Encounter, key: str) -> str:
    """The side of an entry; a side's own name for a side."""
    found = members(e, key)
    return found[0].side if found else key.removeprefix(SIDE)


def targets(scene: Scene) -> tuple[str, ...]:
    """The keys of the selected rows, else of the current one."""
    # A selected row may have been removed, undone or regrouped since.
    selected = tuple(k for k in scene.view.selected if members(scene.encounter, k))
    one = current(scene)
    return selected or ((one,) if one else ())


def meant(scene: Scene) -> set[str]:
    """What may stand for the row under the cursor: its key, its group's, its side's; nothing in a pane without such rows."""
    # Nothing that a key does may depend on a row that one is not looking at.
    here = current(scene) if lists_creatures(focus(scene)) else ""
    c = scene.encounter.combatants.get(here)
    return {here, key_of(c), SIDE + c.side} if c else {here} - {""}


def one(scene: Scene) -> Combatant | None:
    """The creature that is meant where only one can be: of a row of several the first who stands."""
    keys = targets(scene)
    found = members(scene.encounter, keys[0]) if keys else ()
    return next((c for c in found if not c.out), found[0] if found else None)


def halved(scene: Scene) -> tuple[str, ...]:
    """The selected rows that take half of what falls on all of them."""
    return tuple(k for k in scene.view.half if k in targets(scene) and k in scene.view.selected)


def who(e: Encounter, keys: Iterable[str]) -> str:
    """WHO, as a line writes it."""
    return quote(",".join(_name(e, k) for k in keys))


def _name(e: Encounter, key: str) -> str:
    """A side needs its `@`; a group and a creature have names of their own."""
    name = label(e, key)
    is_group = any(c.group == name for c in members(e, key))
    return name if key in e.combatants or is_group else SIDE + name


def several(scene: Scene) -> tuple[str, ...]:
    """The living members of the current row, the first first; nothing for selected rows and single creatures."""
    keys = targets(scene)
    if scene.view.selected or len(keys) != 1 or keys[0] in scene.encounter.combatants:
        return ()
    found = living(scene.encounter, keys[0]) or list(members(scene.encounter, keys[0]))
    return tuple(c.id for c in found)


def line_of(command: Command, scene: Scene) -> str:
    """The command's line: `back` where all targets have the toggled state already, or what the system puts in its place."""
    keys = targets(scene)
    found = [c for k in keys for c in members(scene.encounter, k)]
    # All of them: where some are out and some are not, the key still puts the rest out.
    if command.toggle and found and all(getattr(c, command.toggle) for c in found):
        return command.back
    if "{who}" in command.words and found:
        return scene.system.instead(scene.encounter, command.words.partition(" ")[0], keys) or command.words
    return command.words


def fill(words: str, scene: Scene, whom: str) -> tuple[str, bool]:
    """The line with its blanks filled as far as they are known; True when nothing is missing."""
    count = scene.view.count
    selected = who(scene.encounter, scene.view.selected) if scene.view.selected else ""
    known = {"who": whom, "n": count, "count": count, "selected": selected, "rest": ""}
    line, whole = "", True
    for piece in re.split(r"(\{\w+\})", words):
        name = piece[1:-1] if piece.startswith("{") else ""
        line += known[name] if name else piece
        whole = whole and not (name in ("n", "rest", "who") and not known[name])
    line = re.sub(r"  +", " ", line)
    return (line.rstrip() if whole else line.rstrip() + " "), whole


def selected_names(scene: Scene) -> tuple[str, ...]:
    """The names of the selected rows that are still there."""
    return tuple(label(scene.encounter, k) for k in scene.view.selected if members(scene.encounter, k))


def meaning(count: int, half: int = 0) -> str:
    """What a selection of so many rows means, of which some take half of any damage."""
    told = f"{count} selected: the next command means {'all of them' if count > 1 else 'this row'}"
    return f"{told}; half of any damage for {half}" if half else told


def spoken_words(scene: Scene, key: str) -> list[str]:
    """For a screen reader: the side of a row, and whether it is selected, in words."""
    if not scene.glyphs.spoken:
        return []
    return [
        side_of_key(scene.encounter, key),
        *([_selected(scene, key)] if key in scene.view.selected else []),
    ]


def _selected(scene: Scene, key: str) -> str:
    return "selected, for half" if key in scene.view.half else "selected"
