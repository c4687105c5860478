"""Everything a picture depends on, in one value; and the questions that several panes ask of it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tui.core.fight.agenda import AcknowledgeAsk, Ask, FormAsk, Offer, TrackRow
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, USUAL_SIDES, Encounter, key_of, label, members, sides
from tui.core.fight.memo import remembered
from tui.core.rules.system import InitiativeSystem
from tui.core.views.json import borne
from tui.ui.state.glyphs import UNICODE, Glyphs
from tui.ui.state.layout import Pane, content, lists_creatures
from tui.ui.state.palette import Role, side_role
from tui.ui.state.view import Notice, View


class Watching(Struct, frozen=True):
    """How a save stands that is only looked at: a word for the header, and a line when there is something to tell."""

    word: str = ""
    line: str = ""


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


def due(scene: Scene) -> tuple[Ask, ...]:
    """What must be answered now."""
    return scene.system.due(scene.encounter) if scene.encounter.running else ()


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
    if not scene.encounter.running:
        return []
    rows = scene.system.rows(scene.encounter)
    return [r for r in rows if not scene.view.filter or _wanted(scene, r.entry)]


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
    return needle in label(scene.encounter, key).lower() or any(_fits(scene, c) for c in found)


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
    return any(needle in text.lower() for text in texts)


def focus(scene: Scene) -> Pane:
    """The pane that the keys go to."""
    return scene.view.focus or ("track" if scene.encounter.running else "roster")


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
    found = owing + [r.entry for state in ("now", "may") for r in rows if r.state == state]
    return next(iter(found), rows[0].entry if rows else "")


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


def page(at: int, height: int, total: int) -> int:
    """The first line shown of a list, so that line `at` is on it: whole pages, the last one full."""
    if height < 1 or total <= height:
        return 0
    # Pages and not single rows: while the cursor moves within one, nothing else on the screen changes.
    return min(at // height * height, total - height)


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
