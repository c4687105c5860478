"""A page as a player's terminal shows it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tui.core.fight.viewer import viewer_of
from tui.store.opening import open_for_reading
from tui.store.players.publisher import make_page
from tui.systems import Registry
from tui.ui.players.page import FrameState, PlayerPage, read_page
from tui.ui.players.table_screen import screen
from tui.ui.text.rows import words

SAMPLES = Path(__file__).parents[3] / "saves" / "examples"


SYSTEMS = Registry()


def sample(name: str, viewer: str = "") -> PlayerPage:
    """A sample fight as a viewer is given it."""
    store = open_for_reading(str(SAMPLES / f"{name}.toml"), "", SYSTEMS)
    page = read_page(make_page(store, viewer_of(viewer)))
    assert page
    return page


def shown(page: PlayerPage | None, size: tuple[int, int] = (80, 24), **more: object) -> str:
    """The screen as text."""
    known = replace(FrameState(page=page, save="mill", standing="written"), **more)
    return "\n".join(words(row) for row in screen(known, *size))
