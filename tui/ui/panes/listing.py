"""The panes of the start screen: lists of fights, systems, and what can be loaded; more about a row."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from tui.store.shelf import Brief
from tui.ui.panes.creatures import title
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.home import Home, HomeRow, current, describe_time, entries
from tui.ui.state.layout import LEAST_LIST_LINES, Part, Room
from tui.ui.state.scene import Scene, page
from tui.ui.text.rows import Box, Piece, Row, cells, clip, column, span, words, wrap_text

NAME_WIDTH = 26
"""The most columns for names."""


def home_of(scene: Scene) -> Home:
    """Return the contents of the start screen."""
    assert scene.home is not None
    return scene.home


def rows_of(scene: Scene, part: Part) -> list[HomeRow]:
    """Return the rows of a list."""
    return [e for e in entries(home_of(scene), scene.view) if e.pane == part]


def note(scene: Scene, entry: HomeRow, width: int) -> tuple[Piece, ...]:
    """Return the note of a row, cut between two words."""
    room = width - cells(scene.glyphs.ellipsis)
    if cells(entry.note) <= width or room < 1:
        return ((entry.note, "muted"),)
    return ((wrap_text(entry.note, room)[0].rstrip(" ,;:") + scene.glyphs.ellipsis, "muted"),)


class ListPane(Struct, frozen=True):
    """A list of the start screen as a pane."""

    name: Part
    title: str
    """The title of the list."""
    tab: int
    """The pane's place in the order of Tab."""
    rank: int
    """Lists with a lower rank get lines first."""
    least: int = LEAST_LIST_LINES
    """The fewest lines with the title; a shorter list needs only its own lines."""
    more: str = ""
    """Text after the title."""
    texts: Callable[[Scene, HomeRow, int], tuple[Piece, ...]] = note
    """Returns the pieces of a row after its name, for the given width."""
    empty: str = ""
    """The text shown if the list has no row."""
    numbered: bool = False
    """Whether rows have a digit as key."""

    @property
    def pane(self) -> Pane:
        """The pane of the list."""
        return Pane(self.name, self.ask, self.draw, tab=self.tab)

    def ask(self, scene: Scene, room: Room) -> Ask | None:
        """Return the lines that the list can use; None if it is empty, or hidden by the filter.

        An empty list with a text for that is hidden only while the filter shows rows of other lists.
        """
        del room
        count, filtered = len(rows_of(scene, self.name)), scene.view.filter
        if not count and not filtered and home_of(scene).contents.fights:
            return None
        if not count and not (self.empty and (not filtered or current(home_of(scene), scene.view) is None)):
            return None
        wants = 1 + max(1, count)
        return Ask(wants, "across", self.rank, min(wants, self.least))

    def draw(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title, and the rows around the one in focus."""
        some, at = rows_of(scene, self.name), current(home_of(scene), scene.view)
        room, glyphs = box.height - (not box.bare), scene.glyphs
        # Every number is shown: names alone, in two columns, if they do not fit below each other.
        columns = 2 if self.numbered and len(some) > room and not glyphs.spoken else 1
        high = -(-len(some) // columns)
        first = page(some.index(at) % high if at in some else 0, room, high)
        shown = range(first, min(first + room, high))
        most = min(NAME_WIDTH, box.width // columns - len(" > 1 "))
        wide = min(most if columns > 1 else NAME_WIDTH, max((cells(e.name) for e in some), default=0))
        left_out = ", ".join(x for x in (self.more, words(span(first, len(shown), high, glyphs))) if x)
        more: tuple[Piece, ...] = ((left_out, "muted"),) if left_out else ()
        rows = [] if box.bare else [title(scene, self.name, self.title, box.width, *more)]
        for number in shown:
            row: Row = ()
            for e in some[number::high]:
                row += (
                    (glyphs.cursor if e == at else " ", "focus"),
                    (f" {self._digit(scene, e)}", "key"),
                    column(e.name, wide, "focus" if e == at else "text", glyphs.ellipsis),
                    (" ", "text"),
                )
            about = self.texts(scene, some[number], box.width - cells(words(row))) if columns == 1 else ()
            rows.append((*row, *about))
        if not some:
            rows.append(((f"  {'Nothing matches' if scene.view.filter else self.empty}", "muted"),))
        return [clip(row, box.width, glyphs.ellipsis) for row in rows]

    def _digit(self, scene: Scene, e: HomeRow) -> str:
        """Return the digit that picks a row, 0 for the tenth; a space after it."""
        places = [s.id for s in home_of(scene).systems[:10]]
        digit = (places.index(e.key) + 1) % 10 if e.key in places else " "
        return f"{digit} " if self.numbered else ""


SYSTEM, DAY = 20, 11
"""Columns for the system of a fight, and for its day."""
WITH_SYSTEM, WITH_DAY = 36, 54
"""The columns after a fight's name from which the system is shown, and from which the day is."""


def _describe_fight(scene: Scene, e: HomeRow, room: int) -> tuple[Piece, ...]:
    """Return round, system, day and state of a fight as far as they fit, or what is wrong with its file."""
    home, ellipsis = home_of(scene), scene.glyphs.ellipsis
    brief = home.briefs.get(e.key, Brief())
    save = next(s for s in home.contents.fights if s.path == e.key)
    if problem := save.problem or brief.problem:
        return ((problem, "error"),)
    turn: Piece = (f"{f'round {brief.round}' if brief.round else '':<8} ", "text")
    stands: Piece = (brief.stands, "text")
    if room < WITH_SYSTEM:
        return turn, stands
    # The state is what people look for: the day is left out first.
    day = [(f"{describe_time(save.modified, home.now):<{DAY}} ", turn[1])] if room >= WITH_DAY else []
    return (column(e.note, SYSTEM, "muted", ellipsis), (" ", "text"), turn, *day, stands)


EMPTY = "No fight yet: choose a system below"
SAVES = ListPane("saves", "Fights", tab=1, rank=3, least=4, texts=_describe_fight, empty=EMPTY).pane


def _describe_prepared(scene: Scene, e: HomeRow, room: int) -> tuple[Piece, ...]:
    """Return the system of a prepared fight if it fits, how hard it is, and its foes."""
    shown: Piece = (e.about, "text")
    system = column(e.note, SYSTEM, "muted", scene.glyphs.ellipsis)
    return (system, (" ", "text"), shown) if room >= WITH_SYSTEM else (shown,)


PREPARED = ListPane("prepared", "Prepared", tab=2, rank=2, least=4, texts=_describe_prepared).pane


MORE = "a number, then Enter"
SYSTEMS = ListPane("systems", "New fight", tab=3, rank=4, least=6, more=MORE, numbered=True).pane


LIBRARY = ListPane("library", "Learn and load", tab=4, rank=0).pane
