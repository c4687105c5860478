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
    half: str = "½"
    owed: str = "?"
    chosen: str = "x"
    spoken: bool = False
    """Whether a screen reader reads the screen, so that words replace signs."""

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
    half="/",
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


_DRAWN = ("rule", "full", "empty", "arrow", "sides", "concentration", "selected", "half")
_STATE_SIGNS = ("acting", "may", "waits", "acted", "delays", "barred", "out", "staged")
"""Signs that a word replaces when the screen is read aloud."""


def glyphs_for_screen_reader(glyphs: Glyphs) -> Glyphs:
    """Return signs for a screen reader: rules, bars and signs with a word are spaces."""
    blanks: dict[str, str] = dict.fromkeys((*_DRAWN, *_STATE_SIGNS), " ")
    return replace(glyphs, dot=",", spoken=True, **blanks)


def alphabet(*, ascii_only: bool, aloud: bool) -> Glyphs:
    """Return the signs for a terminal with or without Unicode, or those for a screen reader if `aloud`."""
    glyphs = ASCII if ascii_only else UNICODE
    return glyphs_for_screen_reader(glyphs) if aloud else glyphs


class State(Struct, frozen=True):
    """How the state of a row is drawn."""

    role: Role
    """The colour of the sign."""
    word: str
    """The word of the state, "" for none."""
    beside: bool = False
    """Whether the word is shown beside the sign; a screen reader gets it anyway."""


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
"""How each state of a row is drawn."""


def state_sign(glyphs: Glyphs, state: str) -> str:
    """Return the sign of a row's state, that of waiting for an unknown one."""
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
