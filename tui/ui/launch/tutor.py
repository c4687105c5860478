"""A lesson on the screen: on a save of its own, which is gone afterwards."""

from __future__ import annotations

import os
import tempfile

from msgspec.structs import replace

from tui.store.opening import create
from tui.store.session import open_session
from tui.store.sources import SeededDice
from tui.ui.keys.services import Services, Settings
from tui.ui.launch.entry import Launch
from tui.ui.launch.opened import DiskNews, Kind
from tui.ui.screen.display import Display
from tui.ui.tutor.coach import Coached
from tui.ui.tutor.lesson import lesson


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
