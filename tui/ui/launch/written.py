"""A save on the screen that this process writes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.store.lock import SaveLock
from tui.store.players.broadcast import Broadcast
from tui.store.problems import plain
from tui.store.saves import name_of, place
from tui.store.seats.inbox_thread import Porter, Soon
from tui.store.session import Session
from tui.ui.keys.desk import Desk
from tui.ui.keys.services import ProgramWord, Services, Settings
from tui.ui.launch.copies import keep_copy
from tui.ui.launch.drafts import DraftFile
from tui.ui.launch.opened import Kind, refusals


class Written:
    """A save, its lock, its drafts and its desk; `saves` is the folder as given. `services` are what the program around it gives.

    `soon` calls something on the thread that draws, for the lines that players send.
    """

    kind: Kind = "written"

    def __init__(
        self, session: Session, saves: str, settings: Settings, services: Services, soon: Soon
    ) -> None:
        self.session, self._saves, self._soon = session, saves, soon
        self._lock, self._drafts = session.lock, DraftFile(session.path)
        self._players: Broadcast | None = None
        self._seats: Porter | None = None
        self._closed = False
        own = {
            "saveas": ProgramWord(
                self._save_as, "saveas NAME", "goes on in a new save; this one stays as it is"
            )
        }
        self.desk = Desk(session.store, settings, _reaching(services, session, self._drafts, own))

    @property
    def path(self) -> str:
        """Its file."""
        return self.session.writer.path

    def shown(self) -> None:
        """Says what must be told of the file."""
        if remarks := self.session.remarks:
            self.desk.say("; ".join(remarks))

    def serve(self) -> None:
        """Publishes it for the players, and takes in what their seats send, from now on, unless it is closed."""
        if not self._closed:
            self._seats, self._players = Porter(self.session, self._soon, self._told), Broadcast(self.path)

    def _serve_no_more(self) -> bool:
        """Whether they were served."""
        if self._seats is None or self._players is None:
            return False
        self._seats.close()
        self._players.close()
        return True

    def may_close(self) -> None:
        """Raises RuleError while the disk refuses what is shown already."""
        if fault := self.session.writer.fault:
            raise RuleError(f"not saved yet: {fault.message}", fault.hint)

    def close(self) -> None:
        """Keeps a checkpoint for the next opening, and gives the lock back."""
        self._closed = True
        self._serve_no_more()
        self.session.checkpoint()
        self.session.close()
        self._lock.release()

    def _told(self, word: str) -> None:
        """A word of the seats for the GM."""
        self.desk.say(word)

    def _save_as(self, words: str) -> str:
        """Goes on in another file. Raises RuleError, NotSaved."""
        if not words.strip():
            raise RuleError("saveas: a name is missing", "saveas NAME")
        session = self.session
        with refusals():
            path = place(words.strip(), self._saves)
            # Locked before it is written: two saves under one name would each believe to be alone.
            lock = SaveLock.acquire(path, session.store.step)
        try:
            session.writer.save_as(path)
        except BaseException:
            lock.release()
            raise
        self._lock.release()
        # The session notes the last step in its lock, for whoever finds the save taken.
        self._lock = session.lock = lock
        session.store.name = name_of(path)
        self._drafts.move(path)
        if self._serve_no_more():
            self.serve()
        return f"the fight is saved in {plain(path)} from now on"


def _reaching(
    services: Services, session: Session, drafts: DraftFile, more: Mapping[str, ProgramWord]
) -> Services:
    """The services, with those of a save that is written."""
    return replace(
        services,
        saved=lambda: session.writer.durable >= session.store.record,
        fault=lambda: session.writer.fault,
        drafts=drafts,
        copy=lambda text: keep_copy(session.writer.path, text),
        words={**services.words, **more},
    )
