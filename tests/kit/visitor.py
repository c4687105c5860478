"""A start screen without a terminal: tests press keys, and look at the folder and the drawn text."""

from __future__ import annotations

import os
import shutil
from functools import cache, partial
from pathlib import Path
from typing import Self

from tests.kit.keyboard import press_of
from tui.core.base.errors import RuleError
from tui.store.opening import create_save
from tui.store.saves import data_folder
from tui.store.session import open_inline
from tui.store.shelf import Brief, Contents, list_contents, summarize_save
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.ports import OpenMode, ProgramWord, Services, Taken
from tui.ui.desk.start_desk import Offered, StartDesk
from tui.ui.state.home import SystemSummary
from tui.ui.state.layout import Part
from tui.ui.state.settings import Settings
from tui.ui.text.rows import cells, words
from tui.ui.tutor import list_lessons

REGISTRY = Registry()
TOLD = tuple(SystemSummary(s.id, s.title, s.summary) for s in map(REGISTRY.get, REGISTRY.ids()))


LAID_OUT, DAY = 1_767_294_000, 86_400
"""When the latest fight of a folder was saved, and a day, in seconds."""
SHELVES = {
    "parties/Mill": (
        'system = "classic"\n[[combatant]]\nname = "Ana"\nowner = "Mia"\nhp = 4\nmax_hp = 18\n'
        '[[combatant]]\nname = "Bo"\nowner = "Tom"\nhp = 0\nmax_hp = 9\ndeath_saves = "1 made, 2 failed"\n'
    ),
    "parties/Odd": "x = 1\n",
    "parties/Pack": (
        '[[combatant]]\nname = "Imp"\ncount = 2\n[[combatant]]\nname = "Rat"\ncount = 1\nround = 2\n'
    ),
    "creatures/mine": (
        '[[creature]]\nname = "Imp"\nhp = 1\nac = 13\n[[creature]]\nname = "Imp Lord"\nhp = 9\ncr = "2"\n'
        '[[creature]]\nname = "Owl"\nhp = 3\n[[creature]]\nname = "Owl"\nhp = 4\n'
    ),
    "conditions/own": '[[condition]]\nname = "hexed"\nrounds = 3\ntext = "Ill luck."\nconc = true\n',
}
"""The files of a library."""


def lay_out(folder: Path) -> Path:
    """Fill a folder with fights of some days, a prepared one, a stranger's file, and a library."""
    for name, text in SHELVES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.toml").write_text(text)
    (folder / "stranger.toml").write_text("a = 1\n")
    for name in ("gate", "mill", "station"):
        shutil.copy(Path(data_folder("examples")) / f"{name}.toml", folder)
    path = create_save("ford", str(folder), REGISTRY, "classic", {})
    with open_inline(path, str(folder), REGISTRY, SeededDice(1), print) as session:
        session.store.run("add Ogre cr=2 hp=9")
    for age, name in enumerate(("gate", "mill", "station", "ford", "stranger")):
        os.utime(folder / f"{name}.toml", (LAID_OUT - age * DAY,) * 2)
    return folder


summarize_sample = cache(partial(summarize_save, systems=REGISTRY))
"""The summary of a sample, which no test writes."""


class SaveFolder:
    """The contents of a folder, read without a thread."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.known: dict[str, Brief] = {}

    def contents(self) -> Contents:
        """Return the present contents of the folder."""
        found = list_contents(self.folder, REGISTRY)
        self.known = {s.path: summarize_save(s.path, REGISTRY) for s in (*found.fights, *found.trash)}
        self.known |= {s.path: summarize_sample(s.path) for s in found.samples}
        return found

    def briefs(self) -> dict[str, Brief]:
        """Return the summaries of fights and samples, by path."""
        return self.known


class Doors:
    """The actions of the start screen, which are recorded in `gone`; `busy` are saves that another process
    writes.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.gone: list[tuple[str, ...]] = []
        self.busy: set[str] = set()

    def open(self, path: str, how: OpenMode = "write") -> None:
        """Record that a save was opened. Raises Taken if it is busy, RuleError if it is damaged."""
        name = os.path.basename(path).removesuffix(".toml")
        if name in self.busy and how == "write":
            raise Taken(path, f"{name} is being written by ana on mill-pc", is_in_use=True)
        if problem := summarize_save(path, REGISTRY).problem:
            raise RuleError(problem, "`tocsin check` finds it")
        self.gone.append(("open", name, how))

    def new(self, name: str, system: str, party: str, *, fresh: bool = False) -> None:
        """Make an empty fight, and record it."""
        create_save(name, self.folder, REGISTRY, system, {})
        self.gone.append(("new", name, system, os.path.basename(party), *(["fresh"] if fresh else [])))

    def named(self, name: str) -> str:
        """Record that a line opened a fight."""
        self.gone.append(("open", name, "write"))
        return ""

    def looked(self, path: str) -> str:
        """Record that a fight was opened read-only."""
        self.open(path, "look")
        return ""

    def taken(self, path: str) -> str:
        """Record that a fight was taken over."""
        self.open(path, "take")
        return ""

    def taught(self, system: str) -> str:
        """Record that a line opened a lesson."""
        self.lesson(system)
        return ""

    def sample(self, path: str) -> None:
        """Record that a sample was copied."""
        self.gone.append(("sample", os.path.basename(path)))

    def lesson(self, system: str) -> None:
        """Record that a lesson was opened."""
        self.gone.append(("lesson", system))

    def leave(self) -> None:
        """Record that the start screen was left."""
        self.gone.append(("leave",))


class Visitor:
    """A user at the start screen of a folder."""

    def __init__(
        self,
        folder: Path,
        *,
        settings: Settings | None = None,
        welcome: bool = False,
        now: float | None = None,
    ) -> None:
        self.doors, self.size = Doors(str(folder)), (80, 24)
        words = {
            "open": ProgramWord(self.doors.named, "open NAME", "another fight"),
            "look": ProgramWord(self.doors.looked, "look NAME", "looks on"),
            "take": ProgramWord(self.doors.taken, "take NAME", "takes over"),
            "tutor": ProgramWord(self.doors.taught, "tutor SYSTEM", "a lesson"),
        }
        services = Services(leave=self.doors.leave, suspend=lambda: False, words=words)
        own = Offered(TOLD, list_lessons(REGISTRY), welcome)
        moment = max((p.stat().st_mtime for p in folder.glob("*.toml")), default=0.0) if now is None else now
        self.desk = StartDesk(
            SaveFolder(str(folder)),
            self.doors,
            lambda: moment,
            settings or Settings(),
            services,
            own,
            REGISTRY,
        )
        self.desk.open()

    def press(self, *keys: str) -> Self:
        """Press named keys and draw after each; a text in single quotes is typed, then drawn once."""
        for key in keys:
            for name in [*key[1:-1]] if key.startswith("'") else [key]:
                self.desk.press(press_of("space" if name == " " else name))
            self.picture()
        return self

    def picture(self) -> dict[Part, list[str]]:
        """Return the rows of every part as texts, after asserting that they fit on the screen."""
        boxes = self.desk.boxes(*self.size)
        frame = self.desk.draw(boxes)
        drawn = {part: [words(row) for row in rows] for part, rows in frame.items()}
        for part, rows in drawn.items():
            assert len(rows) <= boxes[part].height, (part, rows)
            assert all(cells(row) <= boxes[part].width for row in rows), (part, self.size, rows)
        x, y = self.desk.point(boxes, frame)
        assert 0 <= x < self.size[0]
        assert 0 <= y < self.size[1]
        return drawn

    def text(self) -> str:
        """Return all rows of the screen as one text."""
        return "\n".join(row for rows in self.picture().values() for row in rows)

    @property
    def here(self) -> str:
        """The name of the row in focus, "" for none."""
        return self.desk.here.name if self.desk.here else ""

    def message(self) -> str:
        """Return the notice on the screen, "" for none."""
        return str(self.desk.view.notice or "")
