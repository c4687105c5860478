"""Show the start screen, fights and lessons, one after the other, on one display.

The start screen, lessons and read-only fights are imported when first shown, so that the first picture does
not wait.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.language.tokens import quote
from tui.store.house import keep_house, load_house
from tui.store.lock import Busy, ReadOnly, request_takeover
from tui.store.opening import SaveExists, create_save
from tui.store.problems import DamagedSave, NotSaved, make_printable
from tui.store.saves import find_save_path, save_name, saves_folder
from tui.store.session import open_session
from tui.store.shelf import copy_sample, list_prepared
from tui.store.sources import unix_time
from tui.ui.desk.ports import OpenMode, ProgramWord, Services, Taken, ThemeService, refusals
from tui.ui.launch.fights import DiskNews, Launch, Opened, Written
from tui.ui.launch.pages import PageScreen
from tui.ui.launch.services import Importer
from tui.ui.screen import Display
from tui.ui.settings.config import folder

if TYPE_CHECKING:
    from tui.core.fight.viewer import Viewer
    from tui.ui.desk.start_desk import StartDesk


SERVE_DELAY = 0.3
"""How long after a fight is opened its pages are served, in seconds; the first picture comes first."""


class Navigator:
    """The current fight or start screen, and the actions that lead to another.

    A refusal raises RuleError and changes nothing.
    """

    def __init__(
        self,
        launch: Launch,
        display: Display,
        themes: ThemeService,
        *,
        welcome: bool = False,
    ) -> None:
        self.folder = saves_folder(launch.saves)
        self._launch, self._display = launch, display
        self._welcome, self._themes = welcome, themes
        self._top: Opened | None = None
        self._below: Opened | None = None  # waits while a lesson is played
        self._start: StartDesk | None = None
        self._wanted = True  # the fight of the command line is not served yet

    # --- what is on the screen

    @property
    def start(self) -> StartDesk:
        """The start screen, made at the first use, because loading all systems takes 0.1 s."""
        if self._start is None:
            from tui.ui.desk.start_desk import Offered, StartDesk
            from tui.ui.launch.services import FolderShelf
            from tui.ui.state.home import SystemSummary
            from tui.ui.tutor import list_lessons

            systems = self._launch.systems
            offered = Offered(
                tuple(SystemSummary(s.id, s.short or s.title, s.summary) for s in systems.known()),
                list_lessons(systems),
                self._welcome,
                systems.problems(),
            )
            shelf = FolderShelf(self.folder, systems, self._display.refresh_soon)
            settings, services = self._launch.settings, self._make_services()
            self._start = StartDesk(shelf, self, unix_time, settings, services, offered, systems)
        return self._start

    def home(self, new_name: str = "") -> None:
        """Show the start screen, with the cursor on the last fight.

        `new_name` is the name of a new fight that needs a system.
        """
        at = f"fight {self._top.path}" if self._top else ""
        self._close_current()
        self.start.open(at, new_name)
        self._display.turn_to(self.start)

    def _replace_current(self, opened: Opened) -> None:
        """Close the current fight and show an opened one."""
        self._close_current()
        self._show(opened)

    def _show(self, opened: Opened) -> None:
        self._top = opened
        self._display.turn_to(opened.desk)
        opened.on_shown()
        if isinstance(opened, Written):
            self._display.loop.later(SERVE_DELAY, partial(self._serve_pages, opened))

    def _serve_pages(self, opened: Written) -> None:
        """Serve the pages of the fight of the command line, or as the settings say."""
        args, self._wanted = self._launch.args, self._wanted and not opened.pages.running
        if opened is not self._top or not self._wanted or args.serve is None:
            if opened is self._top:
                opened.pages.start_by_setting()
            return
        self._wanted = False
        from tui.serve.service import Wanted

        try:
            host, port = args.serve
            opened.pages.start(Wanted(host, port, tuple(args.viewers), args.new))
        except RuleError as error:
            opened.desk.notify(str(error), "error")
            return
        # Starting took a while: the keys typed meanwhile come first.
        self._display.loop.later(SERVE_DELAY, opened.pages.offer)

    def _require_closable(self) -> None:
        for opened in (self._top, self._below):
            if opened:
                opened.check_close()

    def _close_current(self) -> None:
        self._require_closable()
        self.close()

    def close(self) -> None:
        """Close the fights that are open."""
        top, below, self._top, self._below = self._top, self._below, None, None
        for opened in (top, below):
            if opened:
                opened.close()

    # --- actions

    def open(self, path: str, how: OpenMode = "write") -> None:
        """Show a save. Raises Taken if it can only be opened for reading."""
        top = self._top
        # A fight opened read-only may be opened again for writing.
        closed = top is None or (top.kind == "looked" and how != "look")
        if top and not closed and os.path.realpath(path) == os.path.realpath(top.path):
            raise RuleError(f"{save_name(path)} is open already")
        self._require_closable()
        with refusals():
            if how == "look":
                self._replace_current(self._open_for_reading(path))
                return
            if how == "take":
                # Given back at once: the session takes the lock itself, in the one way there is.
                request_takeover(path).release()
                self._replace_current(self._open_for_writing(path))
                return
            self._replace_current(self._open_best(path))

    def open_first(self, path: str) -> None:
        """Show the save of the command line. Raises JournalError if none of it can be shown."""
        try:
            self._replace_current(self._open_best(path))
        except Taken as taken:
            self.start.open(f"fight {path}")
            self.start.ask(taken)
            self._display.turn_to(self.start)

    def view(self, path: str, viewer: Viewer) -> None:
        """Show a save as this viewer may know it."""
        from tui.ui.launch.looking import ViewedSave

        with refusals():
            self._replace_current(
                ViewedSave(self._launch, path, viewer, self._display, self._make_services())
            )

    def _open_best(self, path: str) -> Opened:
        """Return the save opened for writing, or for reading if it is damaged."""
        try:
            return self._open_for_writing(path)
        except DamagedSave:
            return self._open_for_reading(path)

    def _open_for_reading(self, path: str) -> Opened:
        from tui.ui.launch.looking import Looked

        return Looked(self._launch, path, self._display, self._make_services())

    def _open_for_writing(self, path: str) -> Written:
        launch, news = self._launch, DiskNews()
        try:
            session = open_session(path, launch.saves, launch.systems, launch.dice, changed=news.tell)
        except Busy as busy:
            raise Taken(path, busy.message, is_in_use=True) from None
        except (ReadOnly, NotSaved) as error:
            raise Taken(path, str(error), is_in_use=False) from None
        session.store.watch(lambda _: self._display.redraw_soon())
        written = Written(
            session,
            launch.saves,
            launch.settings,
            self._make_services(),
            PageScreen(self._display.loop, self._display.redraw_soon, lambda: self._display.palette.dark),
        )

        def synced() -> None:
            written.pages.synced()
            self._display.redraw_soon()

        news.listen(lambda: self._display.loop.soon(synced))
        return written

    def new(self, name: str, system: str, party: str, *, fresh: bool = False) -> None:
        """Make an empty fight with the creatures of a party file, and show it."""
        self._require_closable()
        systems, saves = self._launch.systems, self._launch.saves
        house = load_house(folder(), systems)
        with refusals():
            path = create_save(find_save_path(name, saves), saves, systems, system, {}, house.rules)
        self.open(path)
        if house.faults and self._top:
            self._top.desk.notify(f"{'; '.join(house.faults)}: left out", "error")
        if party and isinstance(self._top, Written):
            from tui.store.library.shelves import shelf_path

            inside = os.path.dirname(party) == shelf_path(self.folder, "party")
            self._top.desk.run(f"party {quote(save_name(party) if inside else party)}{' fresh=yes' * fresh}")

    def sample(self, path: str) -> None:
        """Show a copy of a sample."""
        self._require_closable()
        with refusals():
            new_path = copy_sample(path, self._launch.saves)
        self.open(new_path)

    def lesson(self, system: str) -> None:
        """Open a lesson; an open fight stays open below, and returns after the lesson."""
        from tui.ui.launch.looking import Taught

        taught = Taught(self._launch, system, self._display, self._make_services())
        if self._top and self._top.kind == "lesson":
            self._top.close()
        elif self._top:
            self._below = self._top
        self._show(taught)

    def leave(self) -> None:
        """Leave a lesson for the screen before it, a fight for the start screen or the shell."""
        if self._top and self._top.kind == "lesson" and self._launch.args.tutor is None:
            self._top.close()
            self._top, self._below = self._below, None
            if self._top:
                self._display.turn_to(self._top.desk)
            else:
                self.home()
        elif self._top and self._launch.returns_to_start:
            self.home()
        else:
            self._display.leaving.leave()

    # --- the program's own words

    def _program_words(self) -> Mapping[str, ProgramWord]:
        look = partial(self.open, how="look")
        commands = (
            (self._go_to_start, "start", "back to the start screen: the list of fights; this one is kept"),
            (partial(self._go_to_named, self.open), "open NAME", "another fight; this one is kept"),
            (
                partial(self._go_to_named, look),
                "look NAME",
                "opens a fight read-only while another process writes it",
            ),
            (
                self._take_over,
                "take [NAME]",
                "takes over the read-only fight: its writer is asked to leave",
            ),
            (self._make_fight, "new NAME [SYSTEM]", "another fight, its system explained; this one is kept"),
            (
                self._write_house,
                "house",
                "keeps the house rules of this fight in your settings, for new fights",
            ),
            (self._start_lesson, "tutor [SYSTEM]", "a short lesson on a system; the fight waits"),
        )
        return {usage.partition(" ")[0]: ProgramWord(does, usage, help_) for does, usage, help_ in commands}

    def _go_to_start(self, _rest: str) -> str:
        self.home()
        return ""

    def _go_to_named(self, opens: Callable[[str], None], rest: str) -> str:
        if not rest:
            return self._go_to_start(rest)
        path = self._find_path(rest)
        if not os.path.lexists(path):
            name = save_name(path)
            raise RuleError(f"there is no fight {name}", f"`new {quote(name)}` makes it, `start` lists all")
        opens(path)
        return ""

    def _take_over(self, rest: str) -> str:
        if rest:
            self.open(self._find_path(rest), how="take")
        elif not self._top or self._top.kind != "looked":
            raise RuleError("this screen writes this fight already", "`look NAME` opens another read-only")
        else:
            self.open(self._top.path, how="take")
        return ""

    def _make_fight(self, rest: str) -> str:
        name, _, system = rest.rpartition(" ")
        if not name or system not in self._launch.systems.ids():
            name, system = rest, ""
        if not name:
            return self._go_to_start(rest)
        path = self._find_path(name)
        if os.path.lexists(path):
            raise SaveExists(save_name(path))
        if system:
            self.new(name.strip('"'), system, "")
        else:
            self.home(name.strip('"'))
        return ""

    def _write_house(self, rest: str) -> str:
        if rest:
            raise RuleError("house takes no words", "`option KEY=VALUE` sets a house rule of this fight")
        if not self._top:
            raise RuleError("no fight is open", "`open NAME` opens one")
        e = self._top.desk.store.encounter
        with refusals():
            path, written = keep_house(folder(), self._launch.systems.get(e.system), e.options)
        rules = ", ".join(written) or "all the usual ones"
        return f"house rules of new fights: {rules} ({make_printable(path)})"

    def _start_lesson(self, rest: str) -> str:
        running = self._top.desk.store.encounter.system if self._top else self._launch.systems.ids()[0]
        self.lesson(rest or running)
        return ""

    def _find_path(self, name: str) -> str:
        with refusals():
            return find_save_path(name.strip('"'), self._launch.saves)

    # --- what every fight reaches

    def _make_services(self) -> Services:
        return replace(
            self._display.services(),
            leave=self.leave,
            words=self._program_words(),
            prepared=self._list_prepared,
            themes=self._themes,
            imports=Importer(self.folder, self._launch.systems, self._display.refresh_soon),
        )

    def _list_prepared(self) -> Sequence[tuple[str, str]]:
        open_ = self._top.path if self._top else ""
        return [(name, x.foes) for name, x in list_prepared(self.folder, self._launch.systems, open_)]
