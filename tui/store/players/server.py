"""The publisher's own process: it follows the journal as any looker does, and publishes for whoever looks.

In a process of its own the pages of eight viewers cost the writer nothing; redacting and telling a fight for
them takes longer than a key. It lives while its standard input is open, which is the writer's end of a pipe:
it ends with the writer, however that ends, and with it the lock by which terminals see that somebody writes.
"""

from __future__ import annotations

import gc
import os
from contextlib import suppress
from typing import Final

from tui.core.rules.system import Systems
from tui.store.follower import RECHECK, Follower, Sight, save_place
from tui.store.inotify import Waker
from tui.store.lock import network
from tui.store.opening import load, looked_at
from tui.store.players.folder import Standing, table_of
from tui.store.players.publisher import Publisher
from tui.store.players.viewers import watch_places

LINGER: Final = 30.0
"""Seconds that it stays when nobody looks any more: a terminal that is started again finds it."""

BEHIND: Final = 5
"""How far behind the writer it stands when both want the processor (`nice`)."""

_WATCHING = 1  # the first place of those where terminals come and go; before it is the save


class Server:
    """Follows one save and publishes it."""

    def __init__(self, path: str, systems: Systems) -> None:
        """Open the save for publishing.

        Raises JournalError, OSError; BlockingIOError when another publishes.
        """
        # Its place first: what is published is read while nobody else may publish.
        self._publisher = Publisher(table_of(path))
        found = load(path, systems)
        self._history = found.history
        self._store = looked_at(path, found, systems)
        self._follower = Follower(path, found.journal.end, systems)

    def once(self) -> bool:
        """Publish the fight now; return True if there are viewers."""
        found = bool(self._publisher.look_around())
        self._publisher.publish(self._store)
        return found

    def serve(self, leash: int, path: str) -> None:
        """Publish changes until `leash` can be read or closes, or there were no viewers for a while."""
        table, polled = table_of(path), bool(network(path))
        places = (save_place(path), *watch_places(table))
        waker = Waker(*places, polled=polled)
        changed, ready = waker.wait([leash], 0.0)
        looked_at = True
        while not ready:
            self._take(self._follower.look())
            if any(place >= _WATCHING for place in changed):
                if not self._publisher.stands:
                    return  # whoever started us starts another one
                looked_at = bool(self._publisher.look_around())
            self._publisher.publish(self._store)
            self._history.compress()
            if (now := (save_place(path), *watch_places(table))) != places:
                waker.close()
                places, waker = now, Waker(*now, polled=polled)
            changed, ready = waker.wait([leash], RECHECK if looked_at else LINGER)
            if not (looked_at or changed or ready):
                return
        # The last that the writer wrote, for those who stay.
        self._take(self._follower.look())
        self._publisher.publish(self._store)

    def close(self) -> None:
        """Stop publishing."""
        self._publisher.close()

    def _take(self, sight: Sight) -> None:
        if sight.anew:
            self._history = sight.anew.history
            self._store.restart(self._history, sight.anew.journal.end.number)
        elif sight.steps and (why := self._store.absorb(sight.steps)):
            sight = self._follower.refuse(why)
        self._publisher.tell(_standing(sight))


def serve(path: str, systems: Systems, *, once: bool) -> bool:
    """Publish a save once, or until standard input ends; return False when another process does so already.

    Raises JournalError, OSError.
    """
    try:
        server = Server(path, systems)
    except BlockingIOError:
        return False
    try:
        if once:
            server.once()
        else:
            _give_way()
            server.serve(0, path)
    finally:
        server.close()
    return True


def _give_way() -> None:
    """Lower our priority below the writer's keys.

    Freeze what is loaded, which saves a tenth of a page's time.
    """
    gc.freeze()
    with suppress(OSError):
        os.nice(BEHIND)


def _standing(sight: Sight) -> Standing:
    match sight.standing:
        case "written" | "unwritten":
            return "written"
        case "gone":
            return "gone"
        case "damaged" | "unreadable":
            return "damaged"
