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


def add_export(p: argparse.ArgumentParser) -> None:
    """The words of the call."""
    p.add_argument("save", metavar="SAVE")
    p.add_argument(
        "--format", default="", metavar="F", help="md, html, svg, json, csv or improved-initiative"
    )
    p.add_argument("--out", default="", metavar="FILE", help="a new file; without it, standard output")
    p.add_argument("--over", action="store_true", help="--out may replace a file")
    p.add_argument("--as", dest="viewer", default=None, metavar="NAME", help="as this player may see it")


def run_export(args: argparse.Namespace, systems: Systems) -> int:
    """Writes the story; the exit code."""
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
    """The story of a save in a format, as its viewer was told it."""
    done = map(store.done, range(1, store.step + 1))
    with progress(done, store.step, "Gathering the story, in steps") as steps:
        lines = (Line(step.at, step.events) for step in steps)
        story = gathered(store.name, store.at(0), lines, viewer_of(viewer), store.systems)
    return writer.write(Fight(story, store.encounter, store.system))


def _writer(name: str, out: str) -> StoryFormat:
    """The format that is asked for; where none is, the one that the file's ending means."""
    found = writers()
    ending = os.path.splitext(out)[1].removeprefix(".").lower()
    wanted = name or (ending if ending in found else USUAL)
    if wanted not in found:
        raise Complaint(USAGE, "usage", f"there is no format {wanted}", f"there are: {', '.join(found)}")
    return found[wanted]


# --- the file


def _write(path: str, data: bytes, *, over: bool) -> None:
    """A new file of the caller's own, whole or not at all. Raises Complaint."""
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
