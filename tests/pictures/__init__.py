"""The pictures of `.github/pictures`: sample fights on the real screen, in every system and theme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from tests.kit.opened import FightApp
from tests.pictures.svg import picture
from tests.samples import EXAMPLES
from tui.store.opening import open_for_reading
from tui.systems import Registry
from tui.ui.app.styles import style_of as style
from tui.ui.screen import RolePens, Span, spans
from tui.ui.settings.themes import load_themes

FOLDER = Path(__file__).parents[2] / ".github" / "pictures"


class Shot(Struct, frozen=True):
    """A picture to take: a sample, a theme, a size, and the keys pressed before."""

    name: str
    sample: str
    theme: str = "dark"
    size: tuple[int, int] = (100, 30)
    keys: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Where it lies."""
        return FOLDER / f"{self.name}.svg"


SAMPLES = ("mill", "cellar", "crypt", "gate", "station", "bridge", "ford", "fair", "quay", "canyon")
SIZES = ((80, 24), (120, 40))
"""The sizes at which every system is looked at."""

SHOTS = (
    *(Shot(name, name) for name in SAMPLES),
    *(Shot(f"{name}-{size[0]}x{size[1]}", name, size=size) for name in SAMPLES for size in SIZES),
    Shot("bridge-switch", "bridge", keys=("s",)),
    Shot("crypt-why", "crypt", keys=("w",)),
    *(
        Shot(f"theme-{name}", "gate", name)
        for name in ("light", "high-contrast", "colour-blind", "ansi16", "mono")
    ),
)


def lines(app: FightApp) -> list[Strip]:
    """What is shown, piece by piece as the panes say it."""
    width, height = app.size
    boxes = app.desk.boxes(width, height)
    return [
        Strip(segments(width, sorted(line), app.pens)) for line in spans(height, boxes, app.desk.draw(boxes))
    ]


def segments(width: int, line: Iterable[Span], pens: RolePens) -> Iterator[Segment]:
    """The pieces of a line, filled up to its width."""
    at, ground = 0, style(pens.by_role["text"])
    for x, columns, row in line:
        if x > at:
            yield Segment(" " * (x - at), ground)
        yield from (Segment(text, style(pens.by_role[role])) for text, role in row if text)
        used = sum(cell_len(text) for text, _ in row)
        yield Segment(" " * (columns - used), ground)
        at = x + columns
    yield Segment(" " * (width - at), ground)


async def take(shot: Shot) -> str:
    """The picture as SVG: what is sent to a terminal of that size."""
    store = open_for_reading(str(EXAMPLES / f"{shot.sample}.toml"), "", Registry())
    app = FightApp(store, palette=load_themes()[shot.theme])
    async with app.run_test(size=shot.size) as pilot:
        await pilot.press(*shot.keys)
        await pilot.pause()
        strips = lines(app)
        assert "\n".join(strip.text for strip in strips) == app.screen_text()
    keys = f", after {' '.join(shot.keys)}" if shot.keys else ""
    title = f"tocsin, {store.system.title}, theme {shot.theme}, {shot.size[0]} by {shot.size[1]}{keys}"
    return picture(strips, shot.size[0], title)
