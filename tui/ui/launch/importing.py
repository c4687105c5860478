"""Imports for the screen: read and kept by a thread, so that no key ever waits for them.

The formats of other tools are imported with the first file that is read: the first picture does not wait for
them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.rules.system import Systems
from tui.store.library.service import Library
from tui.store.problems import BadFile, NotSaved
from tui.ui.state.scene import Incoming

if TYPE_CHECKING:
    from tui.store.library.importing import Harvest, Progress, Pulse

OFTEN = 0.25
"""Seconds between two words about how far it is: a slow line must not be filled with them."""


_IN_PLACE = "[o] puts the new ones in their place"
_NOTHING = "nothing was kept"


class _StoppedError(Exception):
    """Nobody waits for this import any more."""


class Importer:
    """One import at a time. `told` is a callback for the thread: something is to be shown."""

    def __init__(self, folder: str, systems: Systems, told: Callable[[], None]) -> None:
        self._folder, self._systems, self._told = folder, systems, told
        self._now = Incoming()
        self._asked = 0

    def now(self) -> Incoming:
        """Return how it stands."""
        return self._now

    def look(self, paths: tuple[str, ...]) -> None:
        """Begin to read files and folders; whatever was read before is forgotten."""
        from tui.store.library.importing import look, shown

        names = " ".join(shown(path.rstrip("/")) for path in paths)
        self._begin(names, partial(look, paths))

    def look_at(self, text: str) -> None:
        """Read a text."""
        from tui.store.library.importing import look_at_text

        self._begin("a pasted text", lambda _: look_at_text(text, "the text"))

    def keep(self, *, over: bool) -> None:
        """Begin to write what was read into the library.

        `over`: in place of creatures that are there already.
        """
        now, self._asked = self._now, self._asked + 1
        if now.found is None:
            return
        self._now = replace(now, stage="keeping", told="being kept in the library")
        Thread(target=self._keep, args=(now, self._asked, over), name="import", daemon=True).start()

    def stop(self) -> None:
        """Nobody waits for it any more: what is being read is dropped, what is being written is written."""
        self._asked += 1
        self._now = Incoming()

    # --- in the thread

    def _begin(self, names: str, work: Callable[[Pulse], Harvest]) -> None:
        self._asked += 1
        self._now = Incoming(told="looking for files", names=names)
        Thread(target=self._read, args=(work, self._asked), name="import", daemon=True).start()

    def _read(self, work: Callable[[Pulse], Harvest], asked: int) -> None:
        last = time.monotonic()

        def pulse(at: Progress) -> None:
            nonlocal last
            if self._asked != asked:
                raise _StoppedError
            if (moment := time.monotonic()) - last > OFTEN:
                last = moment
                self._say(asked, replace(self._now, told=str(at)))

        try:
            found = work(pulse)
            self._say(asked, replace(self._now, stage="read", told="", found=found))
        except _StoppedError:
            return
        except (BadFile, RuleError) as error:
            message = str(error) if isinstance(error, BadFile) else error.message
            self._say(asked, replace(self._now, stage="refused", told=message, hint=error.hint))
        except Exception as error:  # noqa: BLE001  # a stranger's file must not end the fight
            self._say(asked, replace(self._now, stage="refused", told=_faulty(error), hint=_NOTHING))

    def _keep(self, now: Incoming, asked: int, over: bool) -> None:
        assert now.found is not None
        library = Library(self._folder, self._systems)
        try:
            held = now.found.gathered
            done = library.stock_creatures(now.found.stem, held.lasting if over else held.blocks, over=over)
        except (RuleError, NotSaved) as error:
            exists = isinstance(error, RuleError) and error.kind == "exists"
            hint = _IN_PLACE if exists else error.hint
            self._say(asked, replace(now, told=error.message, hint=hint))
            return
        except Exception as error:  # noqa: BLE001  # nor may one that is kept
            self._say(asked, replace(now, stage="refused", told=_faulty(error), hint=_NOTHING))
            return
        kept = ", ".join(os.path.basename(path) for path in done.paths)
        told = f"kept in creatures/{kept}" if kept else "the library knows all of them already"
        if done.left:
            told += (
                f"; {len(done.left)} stay as the library has them: {', '.join(n for n, _ in done.left[:5])}"
            )
            self._say(asked, replace(now, stage="read", told=told, hint=_IN_PLACE))
        else:
            self._say(asked, replace(now, stage="kept", told=told, hint=""))

    def _say(self, asked: int, now: Incoming) -> None:
        if self._asked == asked:
            self._now = now
            self._told()


def _faulty(error: Exception) -> str:
    return f"tocsin failed over it, which is a fault of its own ({type(error).__name__})"
