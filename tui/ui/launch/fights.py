"""Open a fight on the screen that this process writes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.dice import Dice
from tui.core.rules.system import Systems, explain_absence
from tui.store.lock import SaveLock
from tui.store.problems import make_printable
from tui.store.saves import find_save_path, save_name
from tui.store.session import Session
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import ProgramWord, Services, refusals
from tui.ui.launch.pages import USAGE, FightPages, PageScreen
from tui.ui.settings.drafts import DraftFile
from tui.ui.state.settings import Settings

OpenedKind = Literal["written", "looked", "lesson"]


class Opened:
    """A fight on the screen: its desk, its file, and how it is closed."""

    kind: OpenedKind
    desk: Desk
    path: str

    def on_shown(self) -> None:
        """Show the warnings about the file, if any; called once the screen is up."""

    def check_close(self) -> None:
        """Raise RuleError if closing would lose something; usually nothing would be lost."""

    def close(self) -> None:
        """Close the file and release its lock."""


class DiskNews:
    """Calls a function for each change on the disk; the function may be set after the first changes."""

    def __init__(self) -> None:
        # The disk is at work before there is a desk to tell, so news may come with no one to listen.
        self._synced: Callable[[], None] = lambda: None

    def listen(self, synced: Callable[[], None]) -> None:
        """Set the function; it is called from the disk's own thread."""
        self._synced = synced

    def tell(self) -> None:
        """Call the function, because more is on the disk or the disk has a fault."""
        self._synced()


class Written(Opened):
    """A save that this process writes, with its lock, drafts and desk.

    `saves` is the folder of saves as given.
    """

    kind = "written"

    def __init__(
        self,
        session: Session,
        saves: str,
        settings: Settings,
        services: Services,
        screen: PageScreen,
    ) -> None:
        self.session, self._saves = session, saves
        self.path = session.writer.path
        self._lock, self._drafts = session.lock, DraftFile(session.path)
        self.pages = FightPages(session, screen, lambda: self.desk, settings.serve)
        own = {
            "saveas": ProgramWord(
                self._save_as, "saveas NAME", "goes on in a new save; this one stays as it is"
            ),
            "serve": ProgramWord(
                self.pages.word, USAGE, "opens the fight to players' phones; their addresses"
            ),
        }
        services = replace(
            services,
            served=self.pages.status,
            present=self.pages.present,
            is_saved=lambda: session.writer.durable >= session.store.record,
            fault=lambda: session.writer.fault,
            drafts=self._drafts,
            words={**services.words, **own},
        )
        self.desk = Desk(session.store, settings, services)

    def on_shown(self) -> None:
        """Show the warnings about the file, and why its system cannot be loaded."""
        store = self.session.store
        texts = [*self.session.remarks, explain_absence(store.systems, store.encounter)]
        if told := "; ".join(filter(None, texts)):
            self.desk.notify(told)
        if not store.encounter.running:
            # Only a fight that has not begun asks who comes; the picture of others does not wait for this.
            from tui.ui.desk.play import offer_party

            offer_party(self.desk)

    def check_close(self) -> None:
        """Raise RuleError while the disk refuses steps that are shown."""
        if fault := self.session.writer.fault:
            raise RuleError(f"not saved yet: {fault.message}", fault.hint)

    def close(self) -> None:
        """Stop serving, close the session, and release the lock."""
        self.pages.stop()
        self.session.close()
        self._lock.release()

    def _save_as(self, words: str) -> str:
        """Go on in another file. Raises RuleError, NotSaved."""
        if not words.strip():
            raise RuleError("saveas: a name is missing", "saveas NAME")
        session = self.session
        with refusals():
            path = find_save_path(words.strip(), self._saves)
            # Locked before it is written: two saves under one name would each believe to be alone.
            lock = SaveLock.acquire(path, session.store.step)
        try:
            session.writer.save_as(path)
        except BaseException:
            lock.release()
            raise
        self._lock.release()
        # The session writes the last step into its lock, for programs that find the save in use.
        self._lock = session.lock = lock
        session.store.name, self.path = save_name(path), session.writer.path
        self._drafts.move(path)
        self.pages.moved(self.path)
        return f"the fight is saved in {make_printable(path)} from now on"


class Launch(Struct, frozen=True):
    """Arguments, systems, settings and dice of a call, for every way to start."""

    args: argparse.Namespace
    systems: Systems
    settings: Settings
    dice: Dice
    viewing: bool = False
    """Whether the screen shows what one viewer may know."""

    @property
    def returns_to_start(self) -> bool:
        """Whether leaving a fight shows the start screen."""
        return self.settings.quit_to_start and self.args.tutor is None and not self.viewing

    @property
    def saves(self) -> str:
        """The folder of saves as given on the command line, "" for the default."""
        return str(self.args.saves)
