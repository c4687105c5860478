"""The signs of the screen, in two alphabets. Every sign has a word beside it somewhere: none stands alone."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.text.palette import Role


class Glyphs(Struct, frozen=True):
    """One column each. `spoken`: they are read aloud, so that words say what signs would."""

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

    @property
    def joint(self) -> str:
        """What stands between the parts of one line."""
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
"""The signs in whose place a word is read aloud."""


def spoken(glyphs: Glyphs) -> Glyphs:
    """Return signs for a screen reader: no rules and bars, blanks where a word says the same."""
    blanks: dict[str, str] = dict.fromkeys((*_DRAWN, *_STATE_SIGNS), " ")
    return replace(glyphs, dot=",", spoken=True, **blanks)


def alphabet(*, ascii_only: bool, aloud: bool) -> Glyphs:
    """Return the signs for a terminal without Unicode, and those that are read aloud."""
    glyphs = ASCII if ascii_only else UNICODE
    return spoken(glyphs) if aloud else glyphs


class State(Struct, frozen=True):
    """How a row's state is drawn: its role, its word, and whether the word stands beside the sign.

    What the sign or the Now line says already needs no word beside it; read aloud, every state is a word.
    """

    role: Role
    word: str
    beside: bool = False


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
    """Return the sign of a row's state."""
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
