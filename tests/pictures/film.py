"""The moving picture of the README: a first fight, played by keys on the real screen."""

from __future__ import annotations

import tempfile

from msgspec import Struct
from rich.segment import Segment
from textual.strip import Strip

from tests.kit.keyboard import press_of
from tests.kit.opened import FightApp
from tests.pictures import FOLDER, lines
from tests.pictures.svg import movie
from tui.store.opening import create_save
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.app.styles import style_of as style
from tui.ui.settings.themes import load_themes

FILM = FOLDER / "first-fight.svg"
SIZE = (80, 24)
HEROES = ("add Ana owner=Mia +3 18 ac15", "add Bo owner=Jon +1 24 ac17")


class Scene(Struct, frozen=True):
    """What is pressed, or typed if `text`; what the reader is told, and how long the result is shown."""

    keys: tuple[str, ...] = ()
    told: str = ""
    text: str = ""
    seconds: float = 1.6


SCENES = (
    Scene(told="two heroes are here"),
    Scene(("a",), "adds whom you name", "3 goblin warrior"),
    Scene(("enter", "escape"), "three goblins, with the numbers of the box"),
    Scene(("b",), "begins"),
    Scene(("r",), "rolls for the goblins"),
    Scene(("#",), "takes what the players rolled: Ana has 15", "15"),
    Scene(("enter",), "and Bo 9", "9"),
    Scene(("enter",), "the order stands"),
    Scene(("n",), "does what Now says: a goblin acts"),
    Scene(("'",), "attacks"),
    Scene(("1",), "with the scimitar; whom?"),
    Scene(("1",), "Ana"),
    Scene(("enter",), "rolls to hit, and for damage"),
    Scene(("n",), "the next goblin"),
    Scene(("n",), "Ana acts, and hits for seven"),
    Scene((), "seven points from the row with an o", "7-o"),
    Scene(("u",), "takes it back: she missed"),
)


async def take_film() -> str:
    """The film as SVG: the screen after each scene, and below it what was pressed."""
    with tempfile.TemporaryDirectory() as folder:
        path = create_save("cellar", folder, Registry(), "classic", {})
        session = open_session(path, folder, Registry(), SeededDice(5), "inline")
        for line in HEROES:
            session.store.run(line)
        app = FightApp(session.store, palette=load_themes()["dark"])
        frames: list[tuple[list[Strip], float]] = []
        async with app.run_test(size=SIZE) as pilot:
            for scene in SCENES:
                for key in (*scene.keys, *scene.text):
                    app.desk.press(press_of("space" if key == " " else key))
                await pilot.pause()
                frames.append(([*lines(app), _caption(app, scene)], scene.seconds))
        session.close()
    return movie(frames, SIZE[0], "tocsin: a first fight by keys, in Classic")


def _caption(app: FightApp, scene: Scene) -> Strip:
    """The line below the screen: the keys, and what they do."""
    keys = " ".join(x.capitalize() if len(x) > 1 else x for x in scene.keys)
    pens = {role: style(app.pens.by_role[role]) for role in ("text", "muted", "key")}
    return Strip(
        [Segment(f" {keys} {scene.text}".rstrip(), pens["key"]), Segment(f"  {scene.told}", pens["muted"])]
    )
