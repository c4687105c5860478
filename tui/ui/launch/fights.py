"""Open a fight on the screen that this process writes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

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
from tui.ui.settings.drafts import DraftFile, keep_copy
from tui.ui.state.settings import Settings

if TYPE_CHECKING:
    from tui.store.players.broadcast import Broadcast
    from tui.store.seats.host import SeatInboxThread, Soon

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

    `saves` is the folder of saves as given. `soon` runs a function on the thread that draws; it is used for
    the lines that players send.
    """

    kind = "written"

    def __init__(
        self,
        session: Session,
        saves: str,
        settings: Settings,
        services: Services,
        soon: Soon,
        screen: PageScreen,
    ) -> None:
        self.session, self._saves, self._soon = session, saves, soon
        self.path = session.writer.path
        self._lock, self._drafts = session.lock, DraftFile(session.path)
        self._players: Broadcast | None = None
        self._seats: SeatInboxThread | None = None
        self._closed = False
        self.pages = FightPages(session, screen, lambda: self.desk, settings.serve)
        own = {
            "saveas": ProgramWord(
                self._save_as, "saveas NAME", "goes on in a new save; this one stays as it is"
            ),
            "serve": ProgramWord(
                self.pages.word, USAGE, "opens the fight to players' phones; their addresses"
            ),
        }
        services = replace(services, served=self.pages.status, present=self.pages.present)
        self.desk = Desk(session.store, settings, _add_save_services(services, session, self._drafts, own))

    def on_shown(self) -> None:
        """Show the warnings about the file, and why its system cannot be loaded."""
        store = self.session.store
        texts = [*self.session.remarks, explain_absence(store.systems, store.encounter)]
        if told := "; ".join(filter(None, texts)):
            self.desk.say(told)

    def serve(self) -> None:
        """Publish the fight and accept lines from seats from now on, unless it is closed."""
        # Not with the first picture, which does not wait for the players.
        from tui.store.players.broadcast import Broadcast
        from tui.store.seats.host import SeatInboxThread

        if not self._closed:
            self._seats, self._players = (
                SeatInboxThread(self.session, self._soon, self._show_report),
                Broadcast(self.path),
            )

    def _stop_serving(self) -> bool:
        """Stop publishing and accepting lines; return whether that was running."""
        if self._seats is None or self._players is None:
            return False
        self._seats.close()
        self._players.close()
        return True

    def check_close(self) -> None:
        """Raise RuleError while the disk refuses steps that are shown."""
        if fault := self.session.writer.fault:
            raise RuleError(f"not saved yet: {fault.message}", fault.hint)

    def close(self) -> None:
        """Stop publishing, close the session, and release the lock."""
        self._closed = True
        self.pages.stop()
        self._stop_serving()
        self.session.close()
        self._lock.release()

    def _show_report(self, word: str) -> None:
        """Show a report of the seats as a notice."""
        self.desk.say(word)

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
        if self._stop_serving():
            self.serve()
        return f"the fight is saved in {make_printable(path)} from now on"


def _add_save_services(
    services: Services, session: Session, drafts: DraftFile, more: Mapping[str, ProgramWord]
) -> Services:
    """Return the services with those added that only a writable save has."""
    return replace(
        services,
        is_saved=lambda: session.writer.durable >= session.store.record,
        fault=lambda: session.writer.fault,
        drafts=drafts,
        copy=lambda text: keep_copy(session.writer.path, text),
        words={**services.words, **more},
    )


class Launch(Struct, frozen=True):
    """Arguments, systems, settings and dice of a call, for every way to start."""

    args: argparse.Namespace
    systems: Systems
    settings: Settings
    dice: Dice

    @property
    def saves(self) -> str:
        """The folder of saves as given on the command line, "" for the default."""
        return str(self.args.saves)
