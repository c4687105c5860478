"""The signs of the screen, in two alphabets. Every sign has a word beside it somewhere: none stands alone."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.state.palette import Role


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
    barred: str = "\N{EN DASH}"
    out: str = "✗"
    staged: str = "…"
    concentration: str = "◎"
    sides: str = "●○◆◇■□"
    dot: str = "·"
    arrow: str = "→"
    cursor: str = ">"
    selected: str = "*"
    owed: str = "?"
    chosen: str = "x"
    spoken: bool = False


UNICODE = Glyphs()
ASCII = Glyphs(
    rule="-", ellipsis="~", cursor=">", selected="#", full="=", empty=".", acting="*", may="+", waits=".", acted="v", barred="-", out="x",
    staged="t", concentration="@", sides="o/%&$^", dot="-", arrow="->",
)  # fmt: skip


def spoken(glyphs: Glyphs) -> Glyphs:
    """For a screen reader: no rules and bars, blanks where a word says the same; the row's cursor stays."""
    return replace(
        glyphs, rule=" ", full=" ", empty=" ", acting=" ", may=" ", waits=" ", acted=" ", barred=" ", out=" ",
        staged=" ", concentration=" ", sides=" ", dot=",", arrow=" ", selected=" ", spoken=True,
    )  # fmt: skip


STATES: dict[str, tuple[Role, str]] = {
    "now": ("acting", "acting"),
    "may": ("may", "may act"),
    "waits": ("waits", ""),
    "done": ("acted", "acted"),
    "barred": ("barred", "sits out"),
    "out": ("down", "out"),
}
"""State of a row to its role and its word."""


def state_sign(glyphs: Glyphs, state: str) -> str:
    """The sign of a row's state."""
    marks = {
        "now": glyphs.acting,
        "may": glyphs.may,
        "done": glyphs.acted,
        "barred": glyphs.barred,
        "out": glyphs.out,
    }
    return marks.get(state, glyphs.waits)
