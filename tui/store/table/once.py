"""Publishing from a process that writes a few lines and is gone: once, at its end, for whoever looks."""

from __future__ import annotations

import os
from contextlib import suppress

from tui.store.store import Store
from tui.store.table.folder import table_of
from tui.store.table.publisher import Publisher
from tui.store.table.watching import watched


def publish_once(path: str, store: Store) -> None:
    """Publishes a save as it stands, if anybody looks. Nothing that goes wrong here is the call's."""
    table = table_of(path)
    # Nearly nobody has a table: a stat is all that a call pays for it.
    if not os.path.isdir(table.watching):
        return

    if not watched(table):
        return
    with suppress(OSError):
        publisher = Publisher(table, patience=1.0)
        try:
            publisher.look_around()
            publisher.publish(store)
        finally:
            publisher.close()
