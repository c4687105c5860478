"""Read the published page, and hold what a frame of a player's terminal depends on."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tui.core.published_page import ViewerPage
from tui.core.table import Creature, ReadDue
from tui.store.players.page_reader import PageStatus
from tui.ui.text.glyphs import UNICODE, Glyphs


class PlayerPage(ViewerPage, frozen=True):
    """A published page."""

    @property
    def running(self) -> bool:
        """Whether the fight has begun and is not over."""
        return self.state.round > 0

    def read(self, *, masked: bool = False) -> tuple[str, ...]:
        """Return the lines below the moment: a text that must be read, else the order being carried out.

        With `masked`, the viewer's reactions, which are read before the first turn, are hidden.
        """
        s = self.state
        if s.due and isinstance(s.due[0], ReadDue):
            lines = tuple(line for due in s.due if isinstance(due, ReadDue) for line in due.lines)
            return ("your reactions: unseen",) if masked and lines else lines
        running = next((o for o in s.orders if s.acting and not s.due and o.who == s.acting), None)
        return running.wording if running else ()

    def creature(self, name: str) -> Creature | None:
        """Return a creature by name."""
        return next((c for c in self.state.combatants if c.name == name), None)

    @property
    def own(self) -> frozenset[str]:
        """The names of the viewer's creatures, and of their groups and sides."""
        if not self.viewer:
            return frozenset()
        owned = [c for c in self.state.combatants if c.owner and c.owner.lower() == self.viewer.lower()]
        return frozenset(name for c in owned for name in (c.name, c.group, c.side))

    def mine(self, entry: str) -> bool:
        """Return whether a row is this viewer's: a creature, or a group or side with one of them."""
        return entry in self.own


def turn_of(page: PlayerPage | None) -> tuple[int, str, str]:
    """Return the page's round, phase and acting entry."""
    return (page.state.round, page.state.phase, page.state.acting) if page else (0, "", "")


def undone_words(before: PlayerPage, page: PlayerPage) -> str:
    """Return what was undone since the page `before`, as far as its log had it; "" for nothing."""
    old, new = ({x.step: x.text for x in p.log} for p in (before, page))
    oldest = min(new, default=0)
    first = next((n for n in old if n >= oldest and new.get(n) != old[n]), None)
    if first is None:
        return ""
    # What came after the undone step may be there again, under another number.
    was, now = (Counter(text for n, text in log.items() if n >= first and text) for log in (old, new))
    gone = list(was - now)
    if not gone:
        return ""
    told = gone[0][0] + "; …" * (len(gone) > 1 or len(gone[0]) > 1)
    return f'"{told}" was undone' if page.seat.gmless else f'the game master undid "{told}"'


_DECODER = msgspec.json.Decoder(PlayerPage)


def read_page(data: bytes) -> PlayerPage | None:
    """Return the decoded page, None for other bytes and for a later format."""
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


Standing = Literal["waiting", "written", "unwritten", "gone", "damaged", "shut", "closed", "newer"]


class FrameState(Struct, frozen=True):
    """What a frame of a player's terminal depends on."""

    page: PlayerPage | None = None
    """The page, None before the first one."""
    save: str = ""
    viewer: str = ""
    standing: Standing = "waiting"
    """The state of the save."""
    why: str = ""
    """What is wrong with the table's folder, "" for nothing."""
    glyphs: Glyphs = UNICODE
    top: int | None = None
    """The index of the track's first row shown, None to follow the acting row."""
    help: bool = False
    """Whether the help is shown."""
    notice: str = ""
    masked: bool = False
    """Whether the viewer's sealed orders are hidden."""
    begun: frozenset[str] = frozenset()
    """The creatures, groups and sides whose orders wait as drafts."""
    keys: tuple[tuple[str, str], ...] = ()
    """The keys of a seat with their meanings, for the help; () for a viewer."""


def seen(look: FrameState, status: PageStatus) -> FrameState:
    """Return the look with the published page, or with its present page if that one cannot be read."""
    page = (read_page(status.page) if status.page is not None else None) or look.page
    newer = page is None and status.page is not None
    return replace(look, page=page, standing="newer" if newer else status.standing, why=status.why)


def standing_words(look: FrameState) -> tuple[str, str]:
    """Return the state of the save: a word for the header, and a warning or ""."""
    match look.standing:
        case "written":
            return "", ""
        case "waiting":
            return "waiting", "waiting for the table: the first picture is on its way"
        case "unwritten":
            word = "not running"
            line = "this fight is not running now" + (
                ": this is its last state" if look.page else "; it shows as soon as someone opens it"
            )
            return word, line
        case "gone":
            return "save is gone", f"the save was moved or deleted{_note_kept(look)}"
        case "damaged":
            return "save damaged", f"the save is damaged{_note_kept(look)}"
        case "shut":
            return "no folder", f"the table's folder cannot be written to: {look.why}"
        case "closed":
            return "seat closed", "this seat was closed: ask the game master for an invitation"
        case "newer":
            return (
                "newer",
                "the table is published by a newer tocsin than this one: bring this one up to date",
            )


def _note_kept(look: FrameState) -> str:
    return ": this is its last state" if look.page else ""
