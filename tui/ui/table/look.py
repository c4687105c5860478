"""What a picture of a player's terminal depends on, beside the page."""

from __future__ import annotations

import errno
import os
from typing import Literal

from msgspec import Struct

from tui.ui.state.glyphs import UNICODE, Glyphs
from tui.ui.table.page import PublicPage

Standing = Literal["waiting", "written", "unwritten", "gone", "damaged", "shut", "closed", "newer"]


class Look(Struct, frozen=True):
    """The page, how the save stands, and what the viewer has chosen: signs, large letters, rows scrolled by `top`.

    `top` is None while the rows follow whoever acts. `why` says what is wrong with the folder. `keys` are those of a seat,
    with what they do, for the help. `masked`: nothing of the viewer's own sealed orders is shown.
    """

    page: PublicPage | None = None
    save: str = ""
    viewer: str = ""
    standing: Standing = "waiting"
    why: str = ""
    glyphs: Glyphs = UNICODE
    large: bool = False
    top: int | None = None
    help: bool = False
    notice: str = ""
    masked: bool = False
    keys: tuple[tuple[str, str], ...] = ()


def standing_words(look: Look) -> tuple[str, str]:
    """How the save stands: a word for the header, and a line where something is to be said of it."""
    match look.standing:
        case "written":
            return "", ""
        case "waiting":
            return "waiting", "waiting for the table: the first picture is on its way"
        case "unwritten":
            word = "nobody writes"
            line = "nobody writes this fight now" + (
                ": this is how it stood last" if look.page else "; it shows as soon as somebody opens it"
            )
            return word, line
        case "gone":
            return "save is gone", f"the save was moved or deleted{_kept(look)}"
        case "damaged":
            return "save damaged", f"the save is damaged{_kept(look)}"
        case "shut":
            if look.why != os.strerror(errno.EACCES):
                return "no folder", f"the table's folder cannot be written to: {look.why}"
            return "shut", "the table's folder is shut to this account: ask whoever writes for an invitation"
        case "closed":
            return "seat closed", "this seat was closed: ask whoever runs the fight for an invitation"
        case "newer":
            return (
                "newer",
                "the table is published by a newer tocsin than this one: bring this one up to date",
            )


def _kept(look: Look) -> str:
    return ": this is how it stood last" if look.page else ""
