"""Hold everything that a frame depends on, and resolve which creatures a command means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from tui.core.fight.agenda import AcknowledgeAsk, Act, Ask, FormAsk, Mark, Offer, RollAsk
from tui.core.fight.combatant import Combatant, is_pc
from tui.core.fight.encounter import SIDE, Encounter, active, key_of, label, members
from tui.core.fight.viewer import GAME_MASTER, Viewer
from tui.core.language.tokens import quote
from tui.core.rules.draft import members_in_play
from tui.core.rules.now import Lead
from tui.core.rules.on_screen import on_screen
from tui.core.rules.system import InitiativeSystem, is_gmless, offer_of
from tui.core.table import Creature, LockDue, OrderView, Table, TableRow
from tui.core.views.lineup import Lineup, lineup_for, side_order
from tui.core.views.log import hide_order
from tui.core.views.seen import visible_fight
from tui.core.views.table_for import table_for
from tui.ui.state import home as start
from tui.ui.state.commands import Command
from tui.ui.state.layout import LEAST_LOG_LINES, Pane, Part, content, lists_creatures
from tui.ui.state.messages import Chronicle
from tui.ui.state.view import Notice, View, begins
from tui.ui.text.glyphs import UNICODE, Glyphs
from tui.ui.text.held import name_state
from tui.ui.text.palette import Role, side_role

if TYPE_CHECKING:
    from tui.store.library.importing import Harvest


class Watching(Struct, frozen=True):
    """The words with which a screen explains why a save is read-only."""

    word: str = ""
    """The word in the header."""
    line: str = ""
    """The text of the notice."""
    help: str = ""
    """What the user can do about it."""
    wrong: bool = True
    """Whether the notice has the colour of an error."""


class Viewed(Struct, frozen=True):
    """Who is shown the fight instead of the game master, and the whole fight."""

    viewer: Viewer
    whole: Encounter


Stage = Literal["reading", "read", "keeping", "kept", "refused"]


class Incoming(Struct, frozen=True):
    """The state of an import."""

    stage: Stage = "reading"
    status: str = ""
    """The progress, the path where the import was saved, or why it failed."""
    hint: str = ""
    """What the user can do next."""
    harvest: Harvest | None = None
    """The creatures that were read, None before stage `read`."""
    names: str = ""
    """The names of the files."""


class Scene(Struct, frozen=True):
    """The fight, its system, the view, and how it is drawn."""

    encounter: Encounter
    system: InitiativeSystem
    view: View = View()
    name: str = ""
    step: int = 0
    steps: int = 0
    redoable: int = 0
    is_saved: bool = True
    glyphs: Glyphs = UNICODE
    keys: Mapping[str, str] = {}
    """The key of each command, by id."""
    verbs: Mapping[str, str] = {}
    """The key of each verb."""
    group_line: str = ""
    """The `group` line that Now offers for the creatures added last, "" for none."""
    fault: Notice | None = None
    """Why the last step is not on the disk, None if it is."""
    watching: Watching = Watching()
    incoming: Incoming = Incoming()
    card: str = ""
    """The key whose card is drawn until the cursor rests, "" for the current row's."""
    past: Chronicle | None = None
    """The log's steps in words."""
    labels: Mapping[str, str] = {}
    """The short words of commands, by id."""
    log_lines: int = LEAST_LOG_LINES
    """The fewest lines of the log."""
    parts: frozenset[Part] = frozenset()
    """The parts that have a box."""
    served: str = ""
    """How many pages of players are open, in words; "" if the fight is not served."""
    home: start.Home | None = None
    """The contents of the start screen, None in a fight."""
    viewed: Viewed | None = None
    """Who is shown the fight instead of the game master; `encounter` is then what that viewer may know."""

    @property
    def table(self) -> Table:
        """The fight as the game master, or the viewer, sees it; the panes draw this."""
        return table_for(*self._known)

    @property
    def order(self) -> Lineup:
        """The rows of the track, by the keys that view and lines use."""
        return lineup_for(*self._known)

    @property
    def lead(self) -> Lead:
        """The beginning of Now."""
        return visible_fight(self.encounter, self.system, GAME_MASTER).lead

    @property
    def _known(self) -> tuple[Encounter, InitiativeSystem, Viewer]:
        """The whole fight, and who is shown it."""
        if self.viewed:
            return self.viewed.whole, self.system, self.viewed.viewer
        return self.encounter, self.system, GAME_MASTER

    @property
    def acting(self) -> str:
        """The key of the row whose turn runs, or ""."""
        return self.encounter.acting


def row_name(scene: Scene, key: str) -> str:
    """Return the name of a row, a side or a creature."""
    return label(scene.encounter, key)


def creatures(scene: Scene, key: str) -> tuple[Creature, ...]:
    """Return the creatures behind a key, from the table."""
    ids = {c.id for c in members(scene.encounter, key)}
    return tuple([c for c in scene.table.combatants if c.id in ids])


def fallen_hero(scene: Scene) -> str:
    """Return the name of a PC at 0 hit points if no house rule covers it, else ""."""
    e = scene.encounter
    if scene.viewed or not e.running or "zero.pc" in e.options:
        return ""
    return next((c.name for c in active(e) if c.hp == 0 and is_pc(c)), "")


def alone(scene: Scene) -> Literal["", "heroes", "foes"]:
    """Return which kind of creature is here alone before a fight; "" for both, for none and in a fight."""
    creatures = scene.encounter.combatants.values()
    if scene.viewed or scene.encounter.running or not creatures or any(c.out for c in creatures):
        return ""
    heroes = {is_pc(c) for c in creatures}
    return "" if len(heroes) > 1 else "heroes" if True in heroes else "foes"


def due(scene: Scene) -> tuple[Ask, ...]:
    """Return every roll, order and acknowledgement that is owed now; none to a viewer."""
    return () if scene.viewed else visible_fight(scene.encounter, scene.system, GAME_MASTER).due


def asked_first(scene: Scene) -> tuple[FormAsk, ...]:
    """Return the forms that come before all that is owed, without those left empty in this round."""
    e = scene.encounter
    if not e.running:
        return ()
    return tuple(
        a
        for a in on_screen(scene.system).asked_first(e)
        if passed_key(e, a.who) not in scene.view.skipped_forms
    )


def owes_save(scene: Scene) -> bool:
    """Return whether a save is owed: it belongs to an earlier event, and comes before any form."""
    return any(isinstance(ask, RollAsk) and ask.save for ask in due(scene))


def passed_key(e: Encounter, key: str) -> str:
    """Return the entry that `View.skipped_forms` has for a form left empty in this round."""
    return f"{e.round} {key}"


def must_read(scene: Scene) -> bool:
    """Return whether the first thing owed is a text that must be read before play goes on."""
    return any(isinstance(ask, AcknowledgeAsk) and ask.board for ask in due(scene)[:1])


WAITING_STATES = ("written", "locked")


def is_sealed(scene: Scene, o: OrderView) -> bool:
    """Return whether the text of an order is hidden on the screen."""
    if scene.view.is_masked and o.state in WAITING_STATES:
        return True
    return o.sealed and (not scene.view.is_open or is_gmless(scene.system, scene.encounter))


def has_hidden_orders(scene: Scene) -> bool:
    """Return whether all waiting orders are hidden: others may see the screen, or use it in turns.

    Without a game master all orders are open once the first of them is carried out.
    """
    if scene.view.is_masked or not is_gmless(scene.system, scene.encounter):
        return scene.view.is_masked
    return scene.encounter.running and not any(o.open for o in scene.table.orders)


def shown_line(scene: Scene, line: str, by: str) -> str:
    """Return the line of a step without the text of an order that is hidden; `by` as in Step."""
    # A player's order stays sealed when it was undone, because most of it will be sent again.
    is_writing = any(isinstance(x, LockDue) for x in scene.table.due)
    if has_hidden_orders(scene) or (by and is_writing and not scene.view.is_open):
        return hide_order(line)
    return line


def offer(scene: Scene) -> Offer:
    """Return the acts that are possible now; an empty `Offer` while something is owed or a turn runs."""
    if scene.viewed or not scene.encounter.running or scene.encounter.turn or due(scene):
        return Offer()
    return offer_of(scene.encounter, scene.system)


def filter_rows(scene: Scene) -> list[TableRow]:
    """Return the rows of the track that match the filter."""
    rows = scene.order.rows
    return [x for x in rows if _matches(scene, x.entry)] if scene.view.filter else [*rows]


def people(scene: Scene) -> list[Creature]:
    """Return the creatures that are shown, in roster order."""
    return [c for c in scene.table.combatants if not scene.view.filter or _fits(scene, c)]


def _matches(scene: Scene, key: str) -> bool:
    needle = scene.view.filter.lower()
    return begins(needle, row_name(scene, key)) or any(_fits(scene, c) for c in creatures(scene, key))


def _fits(scene: Scene, c: Creature) -> bool:
    marks = (x for x in scene.system.all_marks.values() if x.key in c.marks)
    texts = (
        c.name,
        c.side,
        c.group,
        *c.owners,
        *(x.name for x in c.conditions),
        *(words for x in marks for words in (x.word, x.short)),
        name_state(c),
    )
    return any(begins(scene.view.filter.lower(), text) for text in texts)


def focus(scene: Scene) -> Pane:
    """Return the pane that has focus."""
    if scene.home:
        entry = start.current(scene.home, scene.view)
        return entry.pane if entry else "saves"
    if not scene.encounter.running and scene.view.focus in (None, "track"):
        return "roster"  # no creature is in an order yet
    if scene.view.focus:
        return scene.view.focus
    # A text that must be read has focus, so that keys turn its pages.
    return "orders" if must_read(scene) and not scene.view.is_zoomed else "track"


def rows_pane(scene: Scene) -> Pane:
    """Return the pane whose current row a command uses: the last such pane that had focus."""
    at = focus(scene)
    if lists_creatures(at):
        return at
    return scene.view.rows or ("track" if scene.encounter.running else "roster")


def current(scene: Scene) -> str:
    """Return the key of the current row of that pane, "" if there is none."""
    if content(rows_pane(scene)) == "entries":
        return current_entry(scene)
    return current_creature(scene)


def is_row_chosen(scene: Scene) -> bool:
    """Return whether the current row was selected or gone to, and not only proposed."""
    chosen = scene.view.track if content(rows_pane(scene)) == "entries" else scene.view.roster
    return bool(selected_rows(scene)) or bool(chosen and current(scene))


def current_entry(scene: Scene, rows: list[TableRow] | None = None) -> str:
    """Return the current row of the track: of the open form, chosen, acting, owing a form, or able to act."""
    rows = filter_rows(scene) if rows is None else rows
    keys = {r.entry for r in rows}
    if (mode := scene.view.mode) and mode.writes in keys:
        return mode.writes
    if scene.view.track in keys:
        return scene.view.track
    if scene.encounter.acting in keys:
        return scene.encounter.acting
    keys_due = [ask.who for ask in due(scene) if isinstance(ask, FormAsk) and ask.who in keys]
    # The row where the next key is most likely meant, so that most lines need no moving.
    entries = keys_due + [
        # The row of a side comes after the members that are listed below it.
        r.entry
        for state in ("now", "may")
        for r in sorted(rows, key=lambda r: r.outer)
        if r.state == state
    ]
    return next(iter(entries), rows[0].entry if rows else "")


def current_creature(scene: Scene, some: list[Creature] | None = None) -> str:
    """Return the current creature of the roster: as chosen, else of the track's current row."""
    chosen = scene.encounter.combatants.get(scene.view.roster)
    # The usual case without a walk through the roster, because every key asks this.
    if chosen and not scene.view.filter:
        return chosen.id
    shown = people(scene) if some is None else some
    at = chosen.id if chosen else next((c.id for c in members(scene.encounter, current_entry(scene))), "")
    return next((c.id for c in shown if c.id == at), shown[0].id if shown else "")


def cards(scene: Scene) -> tuple[str, str]:
    """Return the keys of both cards: the acting row, then the current one; "" for no card."""
    e = scene.encounter
    chosen = scene.card if members(e, scene.card) else current(scene)
    if e.turn is None:
        return chosen, ""
    return e.turn.who, "" if chosen in (e.turn.who, *e.turn.members) else chosen


def page(at: int, height: int, total: int) -> int:
    """Return the first line shown of a list, so that line `at` is on the page; the last page is full."""
    if height < 1 or total <= height:
        return 0
    # Pages and not single rows: while the cursor moves within one, nothing else changes on the screen.
    return min(at // height * height, total - height)


def window(keys: Sequence[str], at: str, pinned: str, room: int) -> list[int]:
    """Return the indexes of the rows shown: a page with `at`, and `pinned` as its first or last row."""
    total = len(keys)
    place, fixed = (keys.index(k) if k in keys else -1 for k in (at, pinned))
    first = _first(max(0, place), room, total)
    shown = list(range(first, min(total, first + max(0, room))))
    if fixed < 0 or fixed in shown or room < 2:
        return shown
    first = _first(max(0, place), room - 1, total)
    shown = list(range(first, min(total, first + room - 1)))
    return shown if fixed in shown else sorted([*shown, fixed])


FEW_ROWS = 8
"""Pages below this height show the current row second, so that its neighbours stay visible."""


def _first(at: int, room: int, total: int) -> int:
    if room >= FEW_ROWS or room < 3:
        return page(at, room, total)
    return max(0, min(at - 1, total - room))


AIM_LETTERS = "abcefgijklmnopqrstuvwyzBCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Characters that aim at rows: without d, h and x of an amount, and without A, which means all."""


def assign_letters(scene: Scene) -> dict[str, str]:
    """Return the character of every row: the first free one of its name, in order of joining.

    It does not depend on the order of the rows, so that keys typed ahead use the same row.
    """
    everyone = scene.encounter.combatants.values()
    if content(rows_pane(scene)) == "entries":
        # Creatures in another one's row have no row to aim at: their characters would go nowhere.
        rows = {x.entry for x in scene.order.rows}
        keys = dict.fromkeys(key for c in everyone for key in (key_of(c), c.id) if key in rows)
    else:
        keys = dict.fromkeys(c.id for c in scene.table.combatants)
    free, result = dict.fromkeys(AIM_LETTERS), {}
    for key in keys:
        wanted = label(scene.encounter, key).lower()
        letter = next((x for x in wanted if x in free), next(iter(free), ""))
        if letter:
            result[key] = letter
            del free[letter]
    return result


def shown_marks(scene: Scene, c: Creature) -> list[Mark]:
    """Return the marks of a creature that have a word and are not shown in another way."""
    marks = scene.system.all_marks.values()
    return [m for m in marks if m.key in c.marks and m.word and m.name not in ("acted", "reaction")]


def selection_mark(scene: Scene, key: str) -> tuple[str, Role]:
    """Return the mark of a selected row, else a space.

    While rows are aimed at, return the row's character.
    """
    if scene.view.mode and scene.view.mode.aims:
        return assign_letters(scene).get(key, " "), "key"
    if key not in scene.view.selected:
        return " ", "text"
    return scene.glyphs.selected, "selected"


def side_mark(scene: Scene, side: str) -> tuple[str, Role]:
    """Return the sign and the role of a side."""
    order = side_order(scene.encounter, scene.system)
    number = order.index(side) if side in order else 0
    return scene.glyphs.sides[number % len(scene.glyphs.sides)], side_role(number)


def side_of_key(scene: Scene, key: str) -> str:
    """Return the side of a row; for a side's key the name of the side."""
    people = members(scene.encounter, key)
    return people[0].side if people else key.removeprefix(SIDE)


def targets(scene: Scene) -> tuple[str, ...]:
    """Return the keys of the selected rows, else of the current one."""
    one = current(scene)
    return selected_rows(scene) or ((one,) if one else ())


def selected_rows(scene: Scene) -> tuple[str, ...]:
    """Return the keys of the selected rows that are shown, in the order of the roster."""
    # A selected row may have been removed, undone or regrouped since, and no key means a row that the filter
    # leaves out.
    there = [k for k in scene.view.selected if members(scene.encounter, k) and is_shown(scene, k)]
    if len(there) < 2:
        return tuple(there)
    places = {key: place for place, key in enumerate(scene.encounter.combatants)}
    return tuple(sorted(there, key=lambda k: places.get(members(scene.encounter, k)[0].id, 0)))


def is_shown(scene: Scene, key: str) -> bool:
    """Return whether the filter shows the row of a creature or group."""
    return not scene.view.filter or _matches(scene, key)


def meant(scene: Scene) -> set[str]:
    """Return the keys that lead to the current row: its creature's, its group's and its side's."""
    # No key may depend on a row that is not in focus.
    key = current(scene) if lists_creatures(focus(scene)) else ""
    c = scene.encounter.combatants.get(key)
    return {key, key_of(c), SIDE + c.side} if c else {key} - {""}


def turn_of_enter(scene: Scene, acts: Sequence[Act]) -> Act | None:
    """Return the turn that Enter starts: the current row's, or the only act apart from a pass."""
    turns = [act for act in acts if act.kind == "turn"]
    only = turns[0] if len(turns) == 1 < len(acts) else None
    return next((act for act in turns if act.who in meant(scene)), only)


def one(scene: Scene) -> Combatant | None:
    """Return the creature for a command that takes only one: of several the first that is not out."""
    keys = targets(scene)
    creatures = members(scene.encounter, keys[0]) if keys else ()
    return next((c for c in creatures if not c.out), creatures[0] if creatures else None)


def write_who(e: Encounter, keys: Iterable[str]) -> str:
    """Return the keys as the WHO of a line: names joined by commas, in quotes if needed."""
    text = ",".join(_name(e, k) for k in keys)
    if (written := quote(text)) != text:
        return written
    # Without quotes a longer name could be read: Orc 5 in `damage Orc 5`.
    begun = f"{text.lower()} "
    longer = any(n.lower().startswith(begun) for c in e.combatants.values() for n in (c.name, c.group))
    return f'"{text}"' if longer else text


def _name(e: Encounter, key: str) -> str:
    """Return a creature's or row's name; a side's name begins with `@`."""
    name = label(e, key)
    is_group = any(c.group == name for c in members(e, key))
    return name if key in e.combatants or is_group else SIDE + name


def living_members(scene: Scene) -> tuple[str, ...]:
    """Return the living members of the current row, () for selected rows and single creatures."""
    keys = targets(scene)
    if selected_rows(scene) or len(keys) != 1 or keys[0] in scene.encounter.combatants:
        return ()
    creatures = members_in_play(scene.encounter, keys[0]) or list(members(scene.encounter, keys[0]))
    return tuple(c.id for c in creatures)


def line_of(command: Command, scene: Scene) -> str:
    """Return the command's line: `back` if all targets have the state, or the system's line instead."""
    keys = targets(scene)
    creatures = [c for k in keys for c in members(scene.encounter, k)]
    # All of them: if some are out and some are not, the key puts out the rest.
    if command.toggle and creatures and all(getattr(c, command.toggle) for c in creatures):
        return command.back
    if "{who}" in command.words and creatures:
        return (
            on_screen(scene.system).instead(scene.encounter, command.words.partition(" ")[0], keys)
            or command.words
        )
    return command.words


def fill(words: str, scene: Scene, whom: str) -> tuple[str, bool]:
    """Return the line with its gaps filled, and whether no required gap (`n`, `rest`, `who`) was empty.

    After an incomplete line the cursor follows a space.
    """
    count = scene.view.count
    rows = selected_rows(scene)
    selected = write_who(scene.encounter, rows) if rows else ""
    known = {"who": whom, "n": count, "count": count, "selected": selected, "rest": ""}
    line, whole = "", True
    for piece in re.split(r"(\{\w+\})", words):
        name = piece[1:-1] if piece.startswith("{") else ""
        line += known[name] if name else piece
        whole = whole and not (name in ("n", "rest", "who") and not known[name])
    line = re.sub(r"  +", " ", line)
    return (line.rstrip() if whole else line.rstrip() + " "), whole


def selected_names(scene: Scene) -> tuple[str, ...]:
    """Return the names of the selected rows that are shown."""
    return tuple(label(scene.encounter, k) for k in selected_rows(scene))


def describe_selection(count: int) -> str:
    """Return a note on a selection of `count` rows."""
    return f"{count} selected: the next command means {'all of them' if count > 1 else 'this row'}"


def spoken_words(scene: Scene, key: str) -> list[str]:
    """Return, for a screen reader, the side of a row and whether it is selected, in words."""
    if not scene.glyphs.spoken:
        return []
    return [side_of_key(scene, key), *(["selected"] if key in scene.view.selected else [])]
