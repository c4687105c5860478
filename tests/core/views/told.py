"""What the log tells a viewer of a whole fight."""

from __future__ import annotations

from tests.kit.table import Table
from tests.kit.two_fights import MIA
from tui.cli.show import tell_journal
from tui.core.fight.viewer import Viewer
from tui.store.history import History


def log(fight: Table, viewer: Viewer = MIA) -> list[str]:
    """Return all lines of a viewer's log."""
    store = fight.store
    chapters = tell_journal(History(store.at(0)), fight.ledger.steps, viewer, store.systems)
    return [line for chapter in chapters for line in chapter.text]
