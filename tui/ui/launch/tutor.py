"""A lesson on the screen: on a save of its own, which is gone afterwards."""

from __future__ import annotations

import os
import tempfile

from tui.store.dice import SeededDice
from tui.store.making import create
from tui.store.session import open_session
from tui.ui.launch.entry import DiskNews, Launch, NextLesson
from tui.ui.textual.slim import slim
from tui.ui.tutor.lesson import lesson


def teach(launch: Launch, following: NextLesson) -> int:
    """Plays the lesson that is wanted; the exit code. Raises RuleError when there is none of that name."""
    told, following.lesson = lesson(following.lesson, launch.systems), ""
    with slim():
        from tui.ui.launch.shell import Running, run
    news = DiskNews()
    # A real save with a real journal, so that what is learnt is what happens later.
    with tempfile.TemporaryDirectory(prefix="tocsin-") as folder:
        path = create(os.path.join(folder, "lesson.toml"), folder, launch.systems, told.system, told.options)
        dice = SeededDice(told.seed)
        session = open_session(path, folder, launch.systems, dice, listener=news.listener)
        try:
            for line in told.lines:
                session.store.run(line)
            return run(launch, Running(session, session.store, news.listen, following, told))
        finally:
            session.close()
