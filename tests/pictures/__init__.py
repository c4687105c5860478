"""The pictures of `.github/pictures`: the sample fights on the real screen, in every system and every theme."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from tests.pictures.svg import picture
from tests.samples import EXAMPLES
from tests.ui.textual.opened import FightApp
from tui.store.loading import look
from tui.systems import Registry
from tui.ui.launch.theming import load_themes, shipped_folder

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


SHOTS = (
    *(Shot(name, name) for name in ("mill", "cellar", "crypt", "gate", "station", "bridge")),
    Shot("crypt-80x24", "crypt", size=(80, 24)),
    Shot("gate-80x24", "gate", size=(80, 24)),
    Shot("bridge-switch", "bridge", keys=("s",)),
    Shot("crypt-why", "crypt", keys=("w",)),
    *(
        Shot(f"theme-{name}", "gate", name)
        for name in ("light", "high-contrast", "colour-blind", "ansi16", "mono")
    ),
)


async def take(shot: Shot) -> str:
    """The picture as SVG: what the compositor would send to a terminal of that size."""
    store = look(str(EXAMPLES / f"{shot.sample}.toml"), "", Registry())
    app = FightApp(store, palette=load_themes([shipped_folder()]).loaded[shot.theme])
    async with app.run_test(size=shot.size) as pilot:
        await pilot.press(*shot.keys)
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
    keys = f", after {' '.join(shot.keys)}" if shot.keys else ""
    title = f"tocsin, {store.system.title}, theme {shot.theme}, {shot.size[0]} by {shot.size[1]}{keys}"
    return picture(strips, shot.size[0], title)
