"""Open fights on the screen: one that this process writes, one that it looks at, a lesson."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from threading import Thread
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.dice import Dice
from tui.core.rules.system import Systems
from tui.store.follower import FileWatch, Follower, Sight
from tui.store.lock import SaveLock, at_work, lock_path
from tui.store.opening import SaveExists, create, load, looked_at
from tui.store.players.broadcast import Broadcast
from tui.store.problems import BadFile, InUse, NotSaved, plain
from tui.store.saves import BadName, name_of, place
from tui.store.seats.inbox_thread import Porter, Soon
from tui.store.session import DiskListener, Session, open_session
from tui.store.sources import SeededDice
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import ProgramWord, Services, Settings
from tui.ui.screen.display import Display
from tui.ui.settings.config import Config
from tui.ui.settings.drafts import DraftFile, keep_copy
from tui.ui.state.commands import TAKE
from tui.ui.state.scene import Watching
from tui.ui.tutor import Coached, lesson

Kind = Literal["written", "looked", "lesson"]


class Opened(Protocol):
    """A fight that is on the screen."""

    @property
    def kind(self) -> Kind:
        """What may be done with it."""

    @property
    def desk(self) -> Desk:
        """What the keys go to."""

    @property
    def path(self) -> str:
        """Its file."""

    def shown(self) -> None:
        """It is on the screen now."""

    def may_close(self) -> None:
        """Raises RuleError while something of it is not on the disk."""

    def close(self) -> None:
        """Gives the file and its lock back."""


class DiskNews:
    """A callback for whatever the disk tells, from its own thread; it may be set after the disk is at work."""

    def __init__(self) -> None:
        # The disk is at work before there is a desk to tell, so news may come with nobody to listen.
        self._synced: Callable[[], None] = lambda: None

    def listen(self, synced: Callable[[], None]) -> None:
        """Sets the callback; it is called from the disk's own thread."""
        self._synced = synced

    @property
    def listener(self) -> DiskListener:
        """What a session is given."""
        return DiskListener(lambda _number: self._synced(), lambda _fault: self._synced())


@contextmanager
def refusals() -> Iterator[None]:
    """A context in which whatever a file, a name or the disk says no with becomes a RuleError."""
    try:
        yield
    except (BadName, SaveExists, InUse) as error:
        raise RuleError(error.message, error.hint) from None
    except NotSaved as error:
        raise RuleError(f"not saved: {error.message}", error.hint) from None
    except BadFile as error:
        raise RuleError(str(error), error.hint) from None
    except OSError as error:
        raise RuleError(error.strerror or "the system says no") from None


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


class Launch(Struct, frozen=True):
    """How to go in: the arguments, the systems, the settings, the dice."""

    args: argparse.Namespace
    systems: Systems
    config: Config
    dice: Dice

    @property
    def saves(self) -> str:
        """The saves folder as given."""
        return str(self.args.saves)


KEPT = "what is shown is the last that could be read"
ON = Watching("looking on", f"you look on: nothing here changes the fight; [{TAKE}] takes over", wrong=False)


class Looked:
    """A save that somebody else writes: looked at in a thread of its own, taken in on the thread that draws."""

    kind: Kind = "looked"

    def __init__(
        self, launch: Launch, path: str, display: Display, settings: Settings, services: Services
    ) -> None:
        self.path, self._display = path, display
        found = load(path, launch.systems)
        self.store = store = looked_at(path, found, launch.systems)
        self.watching = ON
        self._follower = Follower(path, found.journal.end, launch.systems)
        self._watch = FileWatch(path)
        self._closed = False
        self.desk = Desk(store, settings, replace(services, watching=lambda: self.watching))
        store.watch(display.changed)

    def shown(self) -> None:
        """Follows from now on, and says that this is only a look."""
        holder = at_work(lock_path(self.path))
        who = f"while {holder.author()} writes" if holder else "and nobody writes this save now"
        self.desk.say(f"you look on {who}: nothing here changes the fight", "hint")
        Thread(target=self._follow, name="follower", daemon=True).start()

    def may_close(self) -> None:
        """Nothing of it is ours to lose."""

    def close(self) -> None:
        """Follows no more; the thread ends when it is woken next."""
        self._closed = True

    def _follow(self) -> None:
        while not self._closed:
            self._display.loop.soon(partial(self.take, self._follower.look()))
            self._watch.wait()
        self._watch.close()

    def take(self, sight: Sight) -> None:
        """What was seen, on the thread that draws."""
        if self._closed:
            return
        if sight.anew:
            was = self.store.step
            self.store.restart(sight.anew.history, sight.anew.journal.end.number)
            self.desk.say(f"the save was replaced: step {was} has become step {self.store.step}")
        elif sight.steps and (why := self.store.absorb(sight.steps)):
            sight = self._follower.refuse(why)
        now = _told(sight)
        if now != self.watching:
            self.watching = now
            if not sight.anew:
                self.desk.show(notice=None)  # what it said no longer holds
            self._display.changed()


def _told(sight: Sight) -> Watching:
    """How the save stands, in a word for the header and a line for what is wrong."""
    match sight.standing:
        case "written":
            return ON
        case "unwritten":
            return Watching("nobody writes", f"nobody writes this save now: [{TAKE}] takes over")
        case "gone":
            return Watching("save is gone", f"the save was moved or deleted: {KEPT}")
        case "damaged":
            return Watching("save damaged", f"the save is damaged ({sight.why}): {KEPT}")
        case "unreadable":
            return Watching("not readable", f"the save cannot be read ({sight.why}): {KEPT}")


class Taught:
    """A lesson being played. Raises RuleError when there is none of that name."""

    kind: Kind = "lesson"

    def __init__(
        self,
        launch: Launch,
        system: str,
        display: Display,
        settings: Settings,
        services: Services,
    ) -> None:
        told = lesson(system, launch.systems)
        # A real save with a real journal, so that what is learnt is what happens later.
        self._folder = tempfile.TemporaryDirectory(prefix="tocsin-")
        folder, news = self._folder.name, DiskNews()
        self.path = create(
            os.path.join(folder, "lesson.toml"), folder, launch.systems, told.system, told.options
        )
        dice = SeededDice(told.seed)
        self._session = session = open_session(
            self.path, folder, launch.systems, dice, listener=news.listener
        )
        for line in told.lines:
            session.store.run(line)
        own = replace(services, saved=lambda: session.writer.durable >= session.store.record)
        self.desk = Coached(told, session.store, settings, own)
        session.store.watch(display.changed)
        news.listen(display.synced)

    def shown(self) -> None:
        """The lesson speaks for itself."""

    def may_close(self) -> None:
        """Nothing of it is to be kept."""

    def close(self) -> None:
        """The save is gone."""
        self._session.close()
        self._folder.cleanup()
