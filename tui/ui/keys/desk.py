"""The desk: keys go in, lines go to the store, pictures come out. It knows no Textual and no system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, assert_never

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.errors import RuleError
from tui.core.fight.events import RoundBegan, TurnBegan
from tui.core.fight.text import clean
from tui.core.rules.system import InitiativeSystem
from tui.store.problems import NotSaved
from tui.store.store import Store
from tui.ui.keys import unsaved
from tui.ui.panes.bars import header, now_bar
from tui.ui.panes.hints import bottom
from tui.ui.panes.log import log
from tui.ui.panes.orders import need, orders
from tui.ui.panes.pointing import place
from tui.ui.panes.reader import reader
from tui.ui.panes.roster import roster
from tui.ui.panes.track import track
from tui.ui.state.clocks import Began, began, shown
from tui.ui.state.commands import COMMANDS, Command, Keys, keys_of
from tui.ui.state.glyphs import UNICODE, Glyphs
from tui.ui.state.grouping import grouping
from tui.ui.state.layout import Box, arrange
from tui.ui.state.lines import Row
from tui.ui.state.messages import Chronicle
from tui.ui.state.press import Press
from tui.ui.state.scene import Scene, focus
from tui.ui.state.view import Form, Menu, Notice, Page, PickList, Prompt, View

LONGEST_PASTE = 4_000


class Drafts(Protocol):
    """Where half-written orders and lines wait, also through a crash."""

    def load(self) -> Mapping[str, str]:
        """What was half-written, by name."""

    def save(self, name: str, text: str) -> None:
        """Keep this text; "" forgets it."""


class NoDrafts:
    """Drafts that live as long as the screen."""

    def load(self) -> Mapping[str, str]:
        """Nothing."""
        return {}

    def save(self, name: str, text: str) -> None:
        """Forget it."""


class Settings(Struct, frozen=True):
    """How the user wants it. `masked`: the table can see the screen, so that orders are typed unseen.

    `bell`: rung when a turn begins.
    """

    commands: tuple[Command, ...] = COMMANDS
    glyphs: Glyphs = UNICODE
    masked: bool = False
    bell: bool = False


class ProgramWord(Struct, frozen=True):
    """A word of the program's own: it takes the rest of its line and returns what to say.

    It may raise RuleError or NotSaved. `usage` and `help` are what the help screen says of it.
    """

    does: Callable[[str], str]
    usage: str
    help: str


class Services(Struct, frozen=True):
    """What the desk reaches beside the store: is all on the disk, and why not ("" for no reason), leave, draw anew, suspend, words of the program's own.

    `bell` rings; `clip` fills the terminal's clipboard; `copy` keeps a text in a file and says in which ("" for none).
    """

    saved: Callable[[], bool] = lambda: True
    fault: Callable[[], str] = lambda: ""
    leave: Callable[[], None] = lambda: None
    repaint: Callable[[], None] = lambda: None
    suspend: Callable[[], None] = lambda: None
    bell: Callable[[], None] = lambda: None
    clip: Callable[[str], None] = lambda _text: None
    copy: Callable[[str], str] = lambda _text: ""
    drafts: Drafts = NoDrafts()
    words: Mapping[str, ProgramWord] = {}


class Desk:
    """The view of one fight, and what keys do to it."""

    def __init__(
        self, store: Store, settings: Settings | None = None, services: Services | None = None
    ) -> None:
        self.store = store
        self.settings = settings or Settings()
        self.services: Services = services or Services()
        self.keys: Keys = keys_of(self.settings.commands)
        self.past = Chronicle(store)
        self.view = View(masked=self.settings.masked, zoom=self.settings.glyphs.spoken)
        self._grouping = (-1, "")
        self._began = (-1, Began())
        self._moment = ""
        self._words: tuple[InitiativeSystem | None, Mapping[str, str]] = (None, {})
        self.drafts = dict(self.services.drafts.load())
        unsaved.restore(self)
        store.watch(self.past.changed)

    @property
    def scene(self) -> Scene:
        """Everything a picture depends on."""
        store = self.store
        return Scene(
            store.encounter, store.system, self.view, store.name, store.step, store.steps, self.services.saved(),
            self.settings.glyphs, keys=self.keys.shown,
            verbs=self._verbs(store.system), grouping=self.grouping,
            clock=self.clock, fault=self.view.fault or self.services.fault(),
        )  # fmt: skip

    def _verbs(self, system: InitiativeSystem) -> Mapping[str, str]:
        """The keys that say a word, the system's own among them: two keys where a command has that key."""
        if self._words[0] is not system:
            more = {v.name: self.keys.of_verb(v) for v in system.verbs if v.key}
            self._words = (system, {**more, **self.keys.verbs})
        return self._words[1]

    @property
    def grouping(self) -> str:
        """The line that makes one row of those who were added last, where the system rolls by group."""
        if self._grouping[0] != self.store.record:
            last = self.store.done(self.store.step) if self.store.step else None
            self._grouping = (self.store.record, grouping(self.store.encounter, self.store.system, last))
        return self._grouping[1]

    @property
    def clock(self) -> str:
        """How long turn and round take, up to the last key; "" unless it is shown."""
        if not self.view.clock:
            return ""
        if self._began[0] != self.store.record:
            self._began = (self.store.record, began(self.store, self.store.encounter))
        return shown(self._began[1], self._moment)

    # --- keys

    def press(self, press: Press) -> None:
        """One key. What keys mean is loaded behind the first picture, not before it."""
        self.view = replace(self.view, message=None)
        self._press(press)
        unsaved.offer(self)
        if self.view.clock:
            self._moment = self.store.outlet.clock()

    def _press(self, press: Press) -> None:
        from tui.ui.keys import board, forms, menus, picks, prompts

        match self.view.mode:
            case None:
                board.press(self, press)
            case Prompt() as prompt:
                prompts.press(self, prompt, press)
            case Form() as form:
                forms.press(self, form, press)
            case PickList() as pick:
                picks.press(self, pick, press)
            case Menu() as menu:
                menus.press(self, menu, press)
            case Page() as reading:
                menus.read(self, reading, press)
            case never:
                assert_never(never)

    def paste(self, text: str) -> None:
        """Pasted text goes where text is typed, as one line; elsewhere it is not taken for keys."""
        from tui.ui.keys import forms, prompts

        typed = clean(text, LONGEST_PASTE)
        match self.view.mode:
            case Prompt() as prompt:
                prompts.typed(self, prompt, prompt.editor.insert(typed))
            case Form() as form:
                forms.typed(self, form, forms.editor(self, form).insert(typed))
            case _:
                self.say(f"pasted text is not taken for keys: {self.keys.shown.get('line', ':')} first")
                return
        if len(text) > LONGEST_PASTE:
            self.say(f"the paste was cut: {LONGEST_PASTE:,} characters are kept")

    # --- what keys do

    def show(self, **changes: object) -> None:
        """Look at something else."""
        self.view = replace(self.view, **changes)

    def say(self, text: str, role: str = "warning") -> None:
        """A word to the user until the next key."""
        self.view = replace(self.view, message=Notice(text, role))  # type: ignore[arg-type]

    def run(self, line: str) -> bool:
        """One line for the store; whether it was accepted. A refusal is said, and changes nothing."""
        try:
            result = self.store.run(line)
        except RuleError as error:
            self.refused(error)
            return False
        except NotSaved as error:
            unsaved.keep(self, error, line)
            return False
        self.show(fault="")
        unsaved.forget(self, line)
        for notice in result.notices:
            self.say(notice.text, "hint")
        if not any(notice.kind == "travel" for notice in result.notices):
            self._follow()
        return True

    def _follow(self) -> None:
        """When a turn or a round has begun, the cursor is where play is; a turn also rings."""
        events = self.store.done(self.store.step).events
        if any(isinstance(event, TurnBegan | RoundBegan) for event in events):
            self.show(track="")
        if self.settings.bell and any(isinstance(event, TurnBegan) for event in events):
            self.services.bell()

    def refused(self, error: RuleError) -> None:
        """Say why not, and what would work."""
        hint = f"; {error.hint.replace('`', '')}" if error.hint else ""
        self.say(f"{error.message}{hint}", "error")

    def keep(self, name: str, text: str) -> None:
        """A half-written text, safe from a crash."""
        if text:
            self.drafts[name] = text
        else:
            self.drafts.pop(name, None)
        self.services.drafts.save(name, text)

    # --- pictures

    def boxes(self, width: int, height: int) -> dict[str, Box]:
        """Where everything stands."""
        scene = self.scene
        mode = scene.view.mode
        over = isinstance(mode, Page) and not mode.beside
        beside = isinstance(mode, Form | PickList | Menu | Page) and not over
        alone = "over" if over else "orders" if beside else focus(scene)
        if over or (scene.view.zoom and (scene.glyphs.spoken or not beside)):
            return arrange(width, height, only=alone)
        full = arrange(width, height, need=need(scene))
        return full if "log" in full else arrange(width, height, only=alone)

    def draw(self, boxes: Mapping[str, Box]) -> dict[str, list[Row]]:
        """The lines of every part that has a box."""
        scene = self.scene
        found: dict[str, list[Row]] = {}
        for part, box in boxes.items():
            found[part] = self._part(scene, part, box)
        return found

    def point(self, boxes: Mapping[str, Box], drawn: Mapping[str, list[Row]]) -> tuple[int, int]:
        """The column and line at which something is typed or chosen."""
        return place(self.scene, boxes, drawn)

    def _part(self, scene: Scene, part: str, box: Box) -> list[Row]:
        match part:
            case "header":
                return header(scene, box.width)
            case "track":
                return track(scene, box.width, box.height)
            case "roster":
                return roster(scene, box.width, box.height)
            case "orders":
                return orders(scene, box.width, box.height)
            case "log":
                return log(scene, self.past, box.width, box.height)
            case "now":
                return now_bar(scene, box.width, box.height)
            case "hints":
                return bottom(scene, self.keys.labels, box.width)
            case _:
                return reader(scene, box.width, box.height)
