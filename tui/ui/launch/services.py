"""The services of a desk outside of the fight: imports, folder of saves, themes.

The formats of other tools are imported when a file is first read, so that the first picture does not wait.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.rules.system import Systems
from tui.store.library.service import Library
from tui.store.library.shelves import SHELVES
from tui.store.problems import BadFile, NotSaved, make_printable
from tui.store.shelf import Brief, Contents, list_contents, summarize_save
from tui.ui.desk.ports import Imports, ThemeService
from tui.ui.screen import Display
from tui.ui.settings.themes import load_themes
from tui.ui.state.scene import Incoming
from tui.ui.text.palette import Palette

if TYPE_CHECKING:
    from tui.store.library.importing import Harvest, Progress, Pulse

PROGRESS_INTERVAL = 0.25
"""How often progress is shown, in seconds, so that a slow line is not filled with it."""


_IN_PLACE = "[o] replaces them"


class _StoppedError(Exception):
    """The import was cancelled."""


class Importer(Imports):
    """Runs one import at a time, in a thread, which calls `changed` when the state changes."""

    def __init__(self, folder: str, systems: Systems, changed: Callable[[], None]) -> None:
        self._folder, self._systems, self._changed = folder, systems, changed
        self._now = Incoming()
        self._asked = 0

    def now(self) -> Incoming:
        """Return the state of the import."""
        return self._now

    def look(self, paths: tuple[str, ...]) -> None:
        """Start to read files and folders, and forget what was read before."""
        from tui.store.library.importing import read_files, shown_file_name

        names = " ".join(shown_file_name(path.rstrip("/")) for path in paths)
        self._start(names, partial(read_files, paths))

    def look_at(self, text: str) -> None:
        """Start to read a text."""
        from tui.store.library.importing import read_text

        self._start("a pasted text", lambda _: read_text(text, "the text"))

    def keep(self, *, overwrite: bool) -> None:
        """Start to write the creatures into the library; `overwrite` replaces those of the same names."""
        progress, self._asked = self._now, self._asked + 1
        if progress.harvest is None:
            return
        self._now = replace(progress, stage="keeping", status="writing to the library")
        Thread(
            target=self._run_keeping, args=(progress, self._asked, overwrite), name="import", daemon=True
        ).start()

    def stop(self) -> None:
        """Forget the import: cancel reading, but finish writing."""
        self._asked += 1
        self._now = Incoming()

    # --- in the thread

    def _start(self, names: str, work: Callable[[Pulse], Harvest]) -> None:
        self._asked += 1
        self._now = Incoming(status="looking for files", names=names)
        Thread(target=self._run_reading, args=(work, self._asked), name="import", daemon=True).start()

    def _run_reading(self, work: Callable[[Pulse], Harvest], request: int) -> None:
        last = time.monotonic()

        def pulse(at: Progress) -> None:
            nonlocal last
            if self._asked != request:
                raise _StoppedError
            if (moment := time.monotonic()) - last > PROGRESS_INTERVAL:
                last = moment
                self._set_state(request, replace(self._now, status=str(at)))

        try:
            harvest = work(pulse)
            self._set_state(request, replace(self._now, stage="read", status="", harvest=harvest))
        except _StoppedError:
            return
        except (BadFile, RuleError) as error:
            message = str(error) if isinstance(error, BadFile) else error.message
            self._set_state(request, replace(self._now, stage="refused", status=message, hint=error.hint))
        except Exception as error:  # noqa: BLE001  # a stranger's file must not end the fight
            self._refuse_bug(request, error)

    def _run_keeping(self, progress: Incoming, request: int, overwrite: bool) -> None:
        assert progress.harvest is not None
        library = Library(self._folder, self._systems)
        try:
            gathered = progress.harvest.gathered
            done = library.stock_creatures(
                progress.harvest.stem,
                gathered.blocks_overwriting if overwrite else gathered.blocks,
                overwrite=overwrite,
            )
        except (RuleError, NotSaved) as error:
            exists = isinstance(error, RuleError) and error.kind == "exists"
            hint = _IN_PLACE if exists else error.hint
            self._set_state(request, replace(progress, status=error.message, hint=hint))
            return
        except Exception as error:  # noqa: BLE001  # nor may one that is kept
            self._refuse_bug(request, error)
            return
        file_names = ", ".join(os.path.basename(path) for path in done.paths)
        text = f"kept in creatures/{file_names}" if file_names else "the library has all of them already"
        if done.skipped:
            names = ", ".join(name for name, _ in done.skipped[:5])
            what = "stays as the library has it" if len(done.skipped) == 1 else "stay as the library has them"
            text += f"; {len(done.skipped)} {what}: {names}"
            self._set_state(request, replace(progress, stage="read", status=text, hint=_IN_PLACE))
        else:
            self._set_state(request, replace(progress, stage="kept", status=text, hint=""))

    def _refuse_bug(self, request: int, error: Exception) -> None:
        words = f"tocsin failed over it, which is a bug ({type(error).__name__})"
        self._set_state(request, replace(self._now, stage="refused", status=words, hint="nothing was kept"))

    def _set_state(self, request: int, progress: Incoming) -> None:
        if self._asked == request:
            self._now = progress
            self._changed()


Identity = tuple[int, ...]


class FolderShelf:
    """The contents of a folder of saves. A thread calls `changed` when it has read a summary."""

    def __init__(self, folder: str, systems: Systems, changed: Callable[[], None]) -> None:
        self._folder, self._systems, self._changed = folder, systems, changed
        self._known: dict[str, tuple[Identity, Brief]] = {}
        from queue import SimpleQueue  # the start screen alone needs it

        self._wanted: SimpleQueue[str] = SimpleQueue()
        self._thread: Thread | None = None

    def contents(self) -> Contents:
        """Return the current contents; changed fights are summarized in a thread."""
        result = list_contents(self._folder, self._systems)
        for path in (*(s.path for s in (*result.fights, *result.trash)), *(s.path for s in result.samples)):
            if self._known.get(path, ((), None))[0] != self._identity(path):
                self._wanted.put(path)
        # A thread, because a long fight takes longer than a key may.
        if self._thread is None:
            self._thread = Thread(target=self._run, name="shelf", daemon=True)
            self._thread.start()
        return result

    def briefs(self) -> Mapping[str, Brief]:
        """Return the summaries that have been read so far, by path."""
        return {path: entry for path, (_, entry) in list(self._known.items())}

    def _run(self) -> None:
        while True:
            path = self._wanted.get()
            identity = self._identity(path)
            if self._known.get(path, ((), None))[0] != identity:
                self._known[path] = (identity, summarize_save(path, self._systems))
                self._changed()

    def _identity(self, path: str) -> Identity:
        """Return what changes with a fight or with a kept party: a summary weighs foes for the party."""
        return _identity_of_path(path) + _identity_of_path(os.path.join(self._folder, SHELVES["party"]))


def _identity_of_path(path: str) -> Identity:
    """Return the identity of a file, which changes with its contents; () for a missing file."""
    try:
        status = os.lstat(path)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class FileThemes(ThemeService):
    """The themes, applied to one display."""

    def __init__(self, display: Display, current: Palette) -> None:
        self._display, self._current = display, current

    def themes(self) -> tuple[tuple[str, str], ...]:
        """Return name and title of each theme that this terminal can show without a restart."""
        fitting = (p for p in load_themes().values() if p.ansi == self._current.ansi)
        return tuple((p.name, p.title) for p in fitting)

    def current(self) -> str:
        """Return the name of the current theme."""
        return self._current.name

    def apply(self, name: str) -> None:
        """Apply a theme. Raises RuleError."""
        known = load_themes()
        if (palette := known.get(name)) is None:
            raise RuleError(f"there is no theme {make_printable(name, 40)}", f"there are: {', '.join(known)}")
        # Texts that name no colour of their own would keep the ground of the other kind.
        if palette.ansi != self._current.ansi:
            raise RuleError(f"{name} has colours of another kind", f"`tocsin --theme {name}` starts with it")
        if palette.name != self._current.name:
            self._current = palette
            self._display.apply_palette(palette)
