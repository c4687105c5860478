"""The screen of a looker: it follows the file, and says how the save stands."""

from __future__ import annotations

from functools import partial
from threading import Thread

from msgspec.structs import replace

from tui.store.follower import FileWatch, Follower, Sight
from tui.store.lock import at_work, lock_path
from tui.store.opening import load, looked_at
from tui.ui.keys.board import TAKE
from tui.ui.keys.desk import Desk
from tui.ui.keys.services import Services, Settings
from tui.ui.launch.entry import Launch
from tui.ui.launch.opened import Kind
from tui.ui.screen.display import Display
from tui.ui.state.scene import Watching

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
