"""A lesson on the screen: on a save of its own, which is gone afterwards."""

from __future__ import annotations

import gc
import os
import tempfile

from tui.store.dice import SeededDice
from tui.store.opening import DiskListener, create, open_session
from tui.ui.launch.entry import DiskNews, Launch, NextLesson
from tui.ui.textual.slim import slim
from tui.ui.tutor.lesson import lesson


def teach(way: Launch, wish: NextLesson, hear: DiskNews) -> int:
    """Play the lesson that is wanted; the exit code. Raises RuleError when there is none of that name."""
    told, wish.lesson = lesson(wish.lesson), ""
    with slim():
        from tui.ui.launch.shell import Running, run
    with tempfile.TemporaryDirectory(prefix="tocsin-") as folder:
        path = create(os.path.join(folder, "lesson.toml"), folder, way.systems, told.system, told.options)
        ears = DiskListener(hear.durable, hear.fault)
        session = open_session(path, folder, way.systems, SeededDice(told.seed), ears=ears)
        try:
            for line in told.lines:
                session.store.run(line)
            return run(way, Running(session, session.store, hear.set, wish, told))
        finally:
            session.close()
            gc.unfreeze()
