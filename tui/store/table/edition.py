"""One viewer's page of a fight, in bytes."""

from __future__ import annotations

from typing import Final

import msgspec

from tui.core.fight.viewer import Viewer
from tui.core.views.page import page
from tui.store.store import Store

LOGGED: Final = 60
"""Moments of the log that are published: more than any screen shows."""

_ENCODE = msgspec.json.Encoder()


def edition(store: Store, viewer: Viewer) -> bytes:
    """The viewer's page of the fight now, as JSON. The store keeps what each viewer was told: no step is told twice."""
    told = store.heard(viewer, LOGGED)
    return _ENCODE.encode(page(store.encounter, store.system, viewer, store.state(viewer), told))
