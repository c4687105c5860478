"""The signs of the screen, in Unicode and ASCII. Every sign also has a word somewhere on the screen."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.text.palette import Role


class Glyphs(Struct, frozen=True):
    """The signs, one column each."""

    rule: str = "─"
    ellipsis: str = "…"
    full: str = "━"
    empty: str = "─"
    acting: str = "▶"
    may: str = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
    waits: str = "·"
    acted: str = "✓"
    delays: str = "‖"
    barred: str = "\N{EN DASH}"
    out: str = "✗"
    staged: str = "…"
    concentration: str = "◎"
    times: str = "\N{MULTIPLICATION SIGN}"
    range: str = "\N{EN DASH}"
    less: str = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
    more: str = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
    sides: str = "●○◆◇■□"
    dot: str = "·"
    arrow: str = "→"
    cursor: str = ">"
    selected: str = "*"
    owed: str = "?"
    chosen: str = "x"
    spoken: bool = False
    """Whether the screen is read aloud, so that words replace signs."""

    @property
    def joint(self) -> str:
        """The separator between parts of one line."""
        return f"{self.dot} " if self.spoken else f" {self.dot} "


UNICODE = Glyphs()
ASCII = Glyphs(
    rule="-",
    ellipsis="~",
    cursor=">",
    selected="#",
    full="=",
    empty=".",
    acting="*",
    may="+",
    waits=".",
    acted="v",
    delays="=",
    barred="-",
    out="x",
    staged="t",
    concentration="@",
    times="x",
    range="-",
    less="<",
    more=">",
    sides="o/%&$^",
    dot="-",
    arrow="->",
)


_DRAWN_SIGNS = ("rule", "full", "empty", "arrow", "sides", "concentration", "selected")
_STATE_SIGNS = ("acting", "may", "waits", "acted", "delays", "barred", "out", "staged")
"""Signs that become spaces for a screen reader, because a word says the same."""


def glyphs_for_screen_reader(glyphs: Glyphs) -> Glyphs:
    """Return signs for a screen reader: rules, bars and signs with a word are spaces."""
    blanks: dict[str, str] = dict.fromkeys((*_DRAWN_SIGNS, *_STATE_SIGNS), " ")
    return replace(glyphs, dot=",", spoken=True, **blanks)


def alphabet(*, ascii_only: bool, aloud: bool) -> Glyphs:
    """Return the signs with or without Unicode, or the signs for a screen reader if `aloud`."""
    glyphs = ASCII if ascii_only else UNICODE
    return glyphs_for_screen_reader(glyphs) if aloud else glyphs


class State(Struct, frozen=True):
    """The colour and the word of a row's state."""

    role: Role
    """The role of the sign."""
    word: str
    """The word of the state, "" for none."""
    beside: bool = False
    """Whether sighted users see the word after the sign; a screen reader always reads it."""


STATES: dict[str, State] = {
    "now": State("acting", "acting"),
    "may": State("may", "may act"),
    "waits": State("waits", ""),
    "done": State("acted", "acted"),
    "delays": State("waits", "delays", beside=True),
    "barred": State("barred", "sits out", beside=True),
    "staged": State("barred", "reserve", beside=True),
    "out": State("down", "out", beside=True),
}
"""The look of each state; the keys are those of `TrackCells.state`."""


def state_sign(glyphs: Glyphs, state: str) -> str:
    """Return the sign of a state; an unknown state has the sign of waiting."""
    signs = {
        "now": glyphs.acting,
        "may": glyphs.may,
        "done": glyphs.acted,
        "delays": glyphs.delays,
        "barred": glyphs.barred,
        "staged": glyphs.staged,
        "out": glyphs.out,
    }
    return signs.get(state, glyphs.waits)
