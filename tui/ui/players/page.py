"""Define the published page (.github/FORMAT.md) and what a picture of a player's terminal depends on."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tui.store.players.page_reader import PageStatus
from tui.ui.text.glyphs import UNICODE, Glyphs


class PublicCondition(Struct, frozen=True):
    """A condition with the turns that are left of it, 0 where someone has to end it, and a save's DC."""

    name: str
    rounds: int = 0
    dc: int = 0


class PublicCreature(Struct, frozen=True):
    """A creature in the fight. Of others' hit points there is a word, numbers, or nothing."""

    name: str
    side: str = ""
    group: str = ""
    owner: str = ""
    out: bool = False
    dead: bool = False
    hidden: bool = False
    arrives: int = 0
    conditions: tuple[PublicCondition, ...] = ()
    marks: dict[str, bool] = {}
    health: str = ""
    hp: int | None = None
    max_hp: int | None = None
    temp_hp: int = 0
    ac: int | None = None


class PublicRow(Struct, frozen=True):
    """A row of the order: `state` is now, may, waits, done, barred or out."""

    entry: str
    members: tuple[str, ...]
    place: int
    value: int
    state: str
    tags: tuple[str, ...] = ()
    why: str = ""


class PublicField(Struct, frozen=True):
    """A part of an order: `kind` says how it is filled in, `default` what is proposed."""

    key: str
    title: str = ""
    kind: str = "text"
    default: Any = ""
    choices: tuple[str, ...] = ()
    help: str = ""


class PublicDue(Struct, frozen=True):
    """What someone owes: `kind` is roll, pick, form, lock or acknowledge."""

    kind: str
    who: str
    why: str = ""
    rule: str = ""
    dice: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    fields: tuple[PublicField, ...] = ()
    lines: tuple[str, ...] = ()


class PublicAct(Struct, frozen=True):
    """What may be chosen, such as a turn or a pass."""

    kind: str
    who: str = ""


class PublicOffer(Struct, frozen=True):
    """Who may choose, and what."""

    chooser: str = ""
    acts: tuple[PublicAct, ...] = ()
    why: str = ""
    rule: str = ""


class PublicOrder(Struct, frozen=True):
    """An order as far as this viewer may read it."""

    who: str
    state: str
    text: dict[str, str] = {}
    warnings: tuple[str, ...] = ()


class PublicSide(Struct, frozen=True):
    """A side: whether it is its turn, and how many of it are still to act."""

    name: str
    turn: bool = False
    left: int = 0
    of: int = 0


class PublicState(Struct, frozen=True):
    """The state as `show --json --as NAME` prints it."""

    save: str
    step: int
    system: str
    round: int
    phase: str
    acting: str
    now: str
    sides: tuple[PublicSide, ...] = ()
    due: tuple[PublicDue, ...] = ()
    offer: PublicOffer = PublicOffer()
    track: tuple[PublicRow, ...] = ()
    combatants: tuple[PublicCreature, ...] = ()
    orders: tuple[PublicOrder, ...] = ()
    options: dict[str, Any] = {}


class PublicNow(Struct, frozen=True):
    """What is now, in words. `who` is the entry that acts, "" for none; `mine`: it is the viewer's moment.

    `kind`: someone acts; someone must do something (`asked`); or neither, and the game master goes on.
    `then` says who comes next, `coming` names them. `remarks`: what the system
    adds, such as what a surprised creature may not do.
    """

    kind: Literal["acts", "asked", "waits"] = "waits"
    lead: str = ""
    who: str = ""
    then: str = ""
    coming: tuple[str, ...] = ()
    mine: bool = False
    remarks: tuple[str, ...] = ()


class PublicMoment(Struct, frozen=True):
    """The log of one moment."""

    step: int
    text: tuple[str, ...]


class PublicMark(Struct, frozen=True):
    """How a mark is called on a row ("" for not at all), and behind a name."""

    short: str = ""
    word: str = ""
    alarming: bool = False


class PublicWords(Struct, frozen=True):
    """What the system calls itself and its marks."""

    title: str = ""
    short: str = ""
    marks: dict[str, PublicMark] = {}


class PublicChoice(Struct, frozen=True):
    """A whole line that could be sent, its short title, and what it would mean: in brief, and in a sentence.

    `instead` is what is given up for it: those for one thing are shown at a time.
    """

    line: str
    title: str = ""
    note: str = ""
    meaning: str = ""
    instead: str = ""


class PublicVerb(Struct, frozen=True):
    """A word of the system's own that may be sent now, and its key."""

    name: str
    key: str = ""
    help: str = ""


class PublicSeat(Struct, frozen=True):
    """What this viewer could send.

    `forms` are orders that may be written again, `helps` say what goes into their fields.
    `gmless`: no one leads the fight; `resolves`: the turn that runs, or comes, is this viewer's to carry out.
    """

    gmless: bool = False
    resolves: bool = False
    forms: dict[str, tuple[PublicField, ...]] = {}
    helps: dict[str, str] = {}
    verbs: tuple[PublicVerb, ...] = ()
    choices: dict[str, tuple[PublicChoice, ...]] = {}


class PublicPage(Struct, frozen=True):
    """A page, for one viewer."""

    format: Literal[1]
    viewer: str
    state: PublicState
    now: PublicNow = PublicNow()
    words: PublicWords = PublicWords()
    log: tuple[PublicMoment, ...] = ()
    seat: PublicSeat = PublicSeat()

    @property
    def running(self) -> bool:
        """Whether the fight has begun and is not over."""
        return self.state.round > 0

    def read(self, *, masked: bool = False) -> tuple[str, ...]:
        """Return the lines below the moment: what must be read first, else the order that is carried out.

        `masked`: nothing of the viewer's own reactions, which are read before the first turn.
        """
        s = self.state
        if s.due:
            lines = tuple(line for due in s.due if due.kind == s.due[0].kind for line in due.lines)
            return ("your reactions: unseen",) if masked and lines else lines
        running = next((o for o in s.orders if s.acting and o.who == s.acting), None)
        return tuple(f"{key}: {text}" for key, text in running.text.items() if text) if running else ()

    def creature(self, name: str) -> PublicCreature | None:
        """Return someone by name."""
        return next((c for c in self.state.combatants if c.name == name), None)

    @property
    def by_name(self) -> dict[str, PublicCreature]:
        """Return everyone by name."""
        return _by_name(self.state.combatants)

    def members(self, row: PublicRow) -> tuple[PublicCreature, ...]:
        """Return the creatures of a row, as far as they are seen."""
        known = self.by_name
        return tuple(known[name] for name in row.members if name in known)

    def mine(self, entry: str) -> bool:
        """Return whether an entry is this viewer's: its own creature, or a group or side with one of them."""
        return bool(self.viewer) and entry in _entries_of(self.state.combatants, self.viewer)


def _by_name(people: tuple[PublicCreature, ...]) -> dict[str, PublicCreature]:
    return {c.name: c for c in people}


def _entries_of(people: tuple[PublicCreature, ...], viewer: str) -> frozenset[str]:
    owned, owner = [c for c in people if c.owner], viewer.lower()
    return frozenset(name for c in owned if c.owner.lower() == owner for name in (c.name, c.group, c.side))


_DECODER = msgspec.json.Decoder(PublicPage)


def read_page(data: bytes) -> PublicPage | None:
    """Decode a page; return None for other bytes and for a later format."""
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


Standing = Literal["waiting", "written", "unwritten", "gone", "damaged", "shut", "closed", "newer"]


class Look(Struct, frozen=True):
    """The page, how the save stands, and what the viewer has chosen: signs, a row to begin at.

    `top` is None while the rows follow the acting one. `why` says what is wrong with the folder. `keys` are
    those of a seat, with what they do. `masked`: nothing of the viewer's own sealed orders is shown.
    """

    page: PublicPage | None = None
    save: str = ""
    viewer: str = ""
    standing: Standing = "waiting"
    why: str = ""
    glyphs: Glyphs = UNICODE
    top: int | None = None
    help: bool = False
    notice: str = ""
    masked: bool = False
    keys: tuple[tuple[str, str], ...] = ()


def seen(look: Look, status: PageStatus) -> Look:
    """Return what is shown after a look at the published page: the page before it where it cannot be read."""
    page = (read_page(status.page) if status.page is not None else None) or look.page
    newer = page is None and status.page is not None
    return replace(look, page=page, standing="newer" if newer else status.standing, why=status.why)


def standing_words(look: Look) -> tuple[str, str]:
    """Return how the save stands: a word for the header, and a line where there is a warning."""
    match look.standing:
        case "written":
            return "", ""
        case "waiting":
            return "waiting", "waiting for the table: the first picture is on its way"
        case "unwritten":
            word = "nobody writes"
            line = "nobody writes this fight now" + (
                ": this is how it stood last" if look.page else "; it shows as soon as someone opens it"
            )
            return word, line
        case "gone":
            return "save is gone", f"the save was moved or deleted{_kept(look)}"
        case "damaged":
            return "save damaged", f"the save is damaged{_kept(look)}"
        case "shut":
            return "no folder", f"the table's folder cannot be written to: {look.why}"
        case "closed":
            return "seat closed", "this seat was closed: ask the game master for an invitation"
        case "newer":
            return (
                "newer",
                "the table is published by a newer tocsin than this one: bring this one up to date",
            )


def _kept(look: Look) -> str:
    return ": this is how it stood last" if look.page else ""
