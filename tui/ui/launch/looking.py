"""Open a fight read-only, or open a lesson: closing them never loses a step."""

from __future__ import annotations

import os
from functools import partial
from threading import Thread

from msgspec.structs import replace

from tui.core.fight.viewer import GAME_MASTER, Viewer
from tui.core.rules.system import explain_absence
from tui.store.disk import folder_of
from tui.store.follower import Follower, Sight
from tui.store.lock import find_writer, lock_path
from tui.store.opening import create_save, load_save, store_for_reading, warn_of_torn_end
from tui.store.saves import save_name, saves_folder
from tui.store.session import open_session
from tui.store.sources import SeededDice, wait_for_next_look
from tui.store.validation import draw_table
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import Services
from tui.ui.desk.viewer_desk import ViewerDesk
from tui.ui.launch.fights import DiskNews, Launch, Opened
from tui.ui.screen import Display
from tui.ui.state.commands import TAKE_OVER_KEY
from tui.ui.state.scene import Watching
from tui.ui.state.view import Notice
from tui.ui.tutor import Coached, read_lesson

NOT_RUNNING = "this fight is not running now"
LAST_STATE = "this is the last state that could be read"
READ_ONLY = Watching(
    "read-only", f"read-only: nothing here changes the fight; [{TAKE_OVER_KEY}] takes over", wrong=False
)


class Looked(Opened):
    """A save that another process writes.

    A thread looks for changes; they are applied on the thread that draws.
    """

    kind = "looked"

    def __init__(self, launch: Launch, path: str, display: Display, services: Services) -> None:
        self.path, self._display = path, display
        # Of a damaged save, everything before the damage is shown.
        loaded = load_save(path, launch.systems, lenient=True)
        self.store = store = store_for_reading(path, loaded, launch.systems)
        draw_table(store.encounter, launch.systems, GAME_MASTER, store.name, store.step)
        self._follower = Follower(path, loaded.journal.end, launch.systems)
        damage = loaded.journal.problem
        self._name = save_name(path) if folder_of(path) == saves_folder(launch.saves) else path
        sight = self._follower.refuse(damage.summary, damage.hint) if damage else Sight("written")
        self.watching = self._describe_state(sight)
        self._unfinished = warn_of_torn_end(loaded.journal)
        self._closed = False
        services = replace(services, watching=lambda: self.watching)
        self.desk = self._make_desk(launch, services)
        store.watch(lambda _: display.redraw_soon())

    def _make_desk(self, launch: Launch, services: Services) -> Desk:
        return Desk(self.store, launch.settings, services)

    def on_shown(self) -> None:
        """Follow the save from now on, and show that it is read-only and whether its file has a fault."""
        if self.watching.wrong:
            wrong = self.watching
            self.desk.show(notice=Notice(f"read-only: {wrong.line}", "warning", wrong.help))
        else:
            holder = find_writer(lock_path(self.path))
            who = f"while {holder.author()} writes" if holder else "and it is not running"
            texts = [f"read-only {who}: nothing here changes the fight", self._unfinished]
            texts += [explain_absence(self.store.systems, self.store.encounter)]
            self.desk.notify("; ".join(filter(None, texts)), "hint")
        self._start_following()

    def _start_following(self) -> None:
        Thread(target=self._follow, name="follower", daemon=True).start()

    def close(self) -> None:
        """Stop following; the thread ends when it next wakes."""
        self._closed = True

    def _follow(self) -> None:
        while not self._closed:
            self._display.loop.soon(partial(self.take, self._follower.look()))
            wait_for_next_look()

    def take(self, sight: Sight) -> None:
        """Apply the state that the thread found; called on the thread that draws."""
        if self._closed:
            return
        if sight.new_save:
            was = self.store.step
            self.store.restart(sight.new_save.history, sight.new_save.journal.end.number)
            self.desk.notify(f"the save was replaced: step {was} has become step {self.store.step}")
        elif sight.steps and (reason := self.store.absorb(sight.steps)):
            sight = self._follower.refuse(reason)
        now = self._describe_state(sight)
        if now != self.watching:
            self.watching = now
            if not sight.new_save:
                self.desk.show(notice=None)  # its text is out of date
            self._display.redraw_soon()

    def _describe_state(self, sight: Sight) -> Watching:
        """Return how the state of the save is explained: a word, a line for faults, a hint."""
        match sight.standing:
            case "written":
                return READ_ONLY
            case "unwritten":
                return Watching("not running", f"{NOT_RUNNING}: [{TAKE_OVER_KEY}] takes over")
            case "gone":
                return Watching("save is gone", f"the save was moved or deleted: {LAST_STATE}")
            case "damaged":
                # The name is enough in the folder of saves, and a long path would leave no room for the rest.
                help_ = sight.hint.replace("`", "").replace(self.path, self._name)
                return Watching("save damaged", f"{sight.problem}; {LAST_STATE}", help_)
            case "unreadable":
                return Watching("not readable", f"the save cannot be read ({sight.problem}): {LAST_STATE}")


class ViewedSave(Looked):
    """A save as one viewer may know it, also while another process writes."""

    def __init__(
        self, launch: Launch, path: str, viewer: Viewer, display: Display, services: Services
    ) -> None:
        self._viewer = viewer
        super().__init__(launch, path, display, services)

    def _make_desk(self, launch: Launch, services: Services) -> Desk:
        return ViewerDesk(self.store, self._viewer, launch.settings, services)

    def on_shown(self) -> None:
        """Follow the save from now on."""
        self._start_following()

    def _describe_state(self, sight: Sight) -> Watching:
        """Return how the state of the save is explained, with the viewer's name."""
        viewer = f"as {self._viewer.name or 'everybody'}"
        match sight.standing:
            case "written":
                return Watching(viewer, wrong=False)
            case "unwritten":
                return Watching(viewer, NOT_RUNNING, wrong=False)
            case _:
                return super()._describe_state(sight)


class Taught(Opened):
    """A lesson on a temporary save. Raises RuleError if the system has none."""

    kind = "lesson"

    def __init__(
        self,
        launch: Launch,
        system: str,
        display: Display,
        services: Services,
    ) -> None:
        import tempfile  # a fight has no use for it

        played = read_lesson(system, launch.systems)
        # A real save with a real journal, so that a lesson behaves like a fight.
        self._folder = tempfile.TemporaryDirectory(prefix="tocsin-")
        folder, news = self._folder.name, DiskNews()
        self.path = create_save(
            os.path.join(folder, "lesson.toml"), folder, launch.systems, played.system, played.options
        )
        dice = SeededDice(played.seed)
        self._session = session = open_session(self.path, folder, launch.systems, dice, changed=news.tell)
        for line in played.lines:
            session.store.run(line)
        own = replace(services, is_saved=lambda: session.writer.durable >= session.store.record)
        self.desk = Coached(played, session.store, launch.settings, own)
        session.store.watch(lambda _: display.redraw_soon())
        news.listen(display.refresh_soon)

    def close(self) -> None:
        """Delete the save of the lesson."""
        self._session.close()
        self._folder.cleanup()
