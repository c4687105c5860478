"""`tocsin export`: the story of a fight as a file, for the game master or as one player may see it."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress

from tui.cli.output import DONE, FILE, REFUSED, USAGE, Complaint, put
from tui.cli.progress import progress
from tui.core.fight.viewer import viewer_of
from tui.core.rules.system import Systems
from tui.exchange.story.gather import Line, gathered
from tui.exchange.story.story import Fight, StoryFormat, writers
from tui.store.disk import NEW, Disk
from tui.store.opening import look
from tui.store.store import Store

USUAL = "md"


def run_export(args: argparse.Namespace, systems: Systems) -> int:
    """Write the story; return the exit code."""
    writer = _writer(args.format, args.out)
    if writer.whole and args.viewer is not None:
        hint = f"without --as, or as {USUAL}, html, svg, json or csv"
        raise Complaint(USAGE, "usage", f"{writer.name} holds what only the game master may know", hint)
    text = exported(look(args.save, args.saves, systems), writer, args.viewer)
    if args.out:
        _write(args.out, text.encode("utf-8", "replace"), over=args.over)
    else:
        put([text.removesuffix("\n")])
    return DONE


def exported(store: Store, writer: StoryFormat, viewer: str | None = None) -> str:
    """Return the story of a save in a format, with what its viewer was shown."""
    done = map(store.done, range(1, store.step + 1))
    with progress(done, store.step, "Gathering the story, in steps") as steps:
        lines = (Line(step.at, step.events) for step in steps)
        story = gathered(store.name, store.at(0), lines, viewer_of(viewer), store.systems)
    return writer.write(Fight(story, store.encounter, store.system))


def _writer(name: str, out: str) -> StoryFormat:
    """Return the format that is asked for; without one, the format of the file's ending."""
    found = writers()
    ending = os.path.splitext(out)[1].removeprefix(".").lower()
    wanted = name or (ending if ending in found else USUAL)
    if wanted not in found:
        raise Complaint(USAGE, "usage", f"there is no format {wanted}", f"there are: {', '.join(found)}")
    return found[wanted]


# --- the file


def _write(path: str, data: bytes, *, over: bool) -> None:
    """Write a new file of the caller's own, whole or not at all. Raises Complaint."""
    target = f"{path}.{os.getpid()}.part" if over else path
    try:
        # O_EXCL decides, where a look beforehand could be overtaken.
        fd = Disk().open(target, NEW)
    except FileExistsError:
        raise Complaint(REFUSED, "refused", f"{path} is already there", "another name, or --over") from None
    except (OSError, ValueError) as error:
        raise _unwritten(path, error) from None
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
        if over:
            os.replace(target, path)
    except OSError as error:
        with suppress(OSError):
            os.unlink(target)
        raise _unwritten(path, error) from None


def _unwritten(path: str, error: Exception) -> Complaint:
    why = getattr(error, "strerror", None) or str(error)
    return Complaint(FILE, "file", f"{path} cannot be written: {why}", "another place")
