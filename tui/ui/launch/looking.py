"""The screen of a looker: it follows the file, and says how the save stands."""

from __future__ import annotations

from functools import partial
from threading import Thread

from tui.core.fight.events import Event
from tui.store.follow.follower import Follower, Sight
from tui.store.follow.watch import FileWatch
from tui.store.holder import at_work
from tui.store.journal.reader import read
from tui.store.loading import look
from tui.store.lock import lock_path
from tui.store.store import Store
from tui.ui.keys.services import Services
from tui.ui.launch.entry import Launch
from tui.ui.launch.shell import Running, run
from tui.ui.state.scene import Watching
from tui.ui.textual.app import TocsinApp

KEPT = "what is shown is the last that could be read"


def look_on(launch: Launch, path: str) -> int:
    """Shows a save that somebody else writes, and follows it; the exit code."""
    looker = Looker(path, look(path, launch.saves, launch.systems), launch)
    services = Services(watching=lambda: looker.watching)
    return run(launch, Running(None, looker.store, services=services, opened=looker.begin))


class Looker:
    """Follows a save: looks in a thread of its own, takes in what is new on the app's."""

    def __init__(self, path: str, store: Store, launch: Launch) -> None:
        self.store = store
        self.watching = Watching("looking on")
        self._path = path
        # Read once more: the file may have grown since the store was made, and following begins at its end.
        now = read(path, Event)
        if missed := [step for step in now.steps if step.number > store.record]:
            store.absorb(missed)  # written while the store was made
        self._follower = Follower(path, now.end, launch.systems)
        self._watch = FileWatch(path)

    def begin(self, app: TocsinApp) -> None:
        """Follows from now on, and says that this is only a look."""
        holder = at_work(lock_path(self._path))
        who = f"while {holder.author()} writes" if holder else "and nobody writes this save now"
        app.desk.say(f"you look on {who}", "hint")
        Thread(target=self._follow, args=(app,), name="follower", daemon=True).start()

    def _follow(self, app: TocsinApp) -> None:
        waiting: list[Sight] = []
        while True:
            waiting.append(self._follower.look())
            if app.is_running:  # a slow start loses none
                for sight in waiting:
                    app.soon(partial(self.take, sight, app))
                waiting = []
            self._watch.wait()

    def take(self, sight: Sight, app: TocsinApp) -> None:
        """What was seen, on the thread that draws."""
        if sight.anew:
            was = self.store.step
            self.store.restart(sight.anew.history, sight.anew.journal.end.number)
            app.desk.say(f"the save was replaced: step {was} has become step {self.store.step}")
        elif sight.steps and (why := self.store.absorb(sight.steps)):
            sight = self._follower.refuse(why)
        now = _told(sight)
        if now != self.watching:
            self.watching = now
            if not sight.anew:
                app.desk.show(notice=None)  # what it said no longer holds
            app.changed()


def _told(sight: Sight) -> Watching:
    """How the save stands, in a word for the header and a line for what is wrong."""
    match sight.standing:
        case "written":
            return Watching("looking on")
        case "unwritten":
            return Watching("nobody writes", "nobody writes this save now: quit and open it to go on")
        case "gone":
            return Watching("save is gone", f"the save was moved or deleted: {KEPT}")
        case "damaged":
            return Watching("save damaged", f"the save is damaged ({sight.why}): {KEPT}")
        case "unreadable":
            return Watching("not readable", f"the save cannot be read ({sight.why}): {KEPT}")
