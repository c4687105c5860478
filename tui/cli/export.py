"""`tocsin export`: write the story of a fight to a file, for the game master or as one player may see it."""

from __future__ import annotations

import argparse
import os

from tui.cli.commands import Front
from tui.cli.output import DONE, FILE, REFUSED, USAGE, Complaint, print_lines
from tui.core.fight.viewer import viewer_of
from tui.core.language.spoken import explain_gone
from tui.core.rules.system import Systems
from tui.exchange.story.gather import Line, gather_story
from tui.exchange.story.story import StoryFormat, load_writers
from tui.store.disk import Disk, create_file
from tui.store.opening import open_for_reading
from tui.store.own_files import replace_plain_file
from tui.store.store import Store

DEFAULT_FORMAT = "md"


def run_export(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Write the story; return the exit code."""
    writer = _choose_format(args.format, args.out)
    text = write_story(open_for_reading(args.save, args.saves, systems), writer, args.viewer)
    if args.out:
        _write_export(args.out, text.encode("utf-8", "replace"), overwrite=args.over)
    else:
        print_lines([text.removesuffix("\n")])
    return DONE


def write_story(store: Store, writer: StoryFormat, viewer: str | None = None) -> str:
    """Return the story of a save in a format; with `viewer`, only what that player was shown."""
    done = map(store.done, range(1, store.step + 1))
    lines = (Line(step.at, step.events) for step in done)
    return writer.write(gather_story(store.name, store.at(0), lines, viewer_of(viewer), store.systems))


def _choose_format(name: str, path: str) -> StoryFormat:
    """Return the format named, or without a name the format of the file's ending. Raises Complaint."""
    formats = load_writers()
    ending = os.path.splitext(path)[1].removeprefix(".").lower()
    wanted = name or (ending if ending in formats else DEFAULT_FORMAT)
    if gone := explain_gone("export", wanted if name else ending):
        raise Complaint(USAGE, "usage", *gone)
    if wanted not in formats:
        raise Complaint(USAGE, "usage", f"there is no format {wanted}", f"there are: {', '.join(formats)}")
    return formats[wanted]


# --- the file


def _write_export(path: str, data: bytes, *, overwrite: bool) -> None:
    """Write a new private file, whole or not at all. Raises Complaint."""
    disk = Disk()
    try:
        if overwrite:
            replace_plain_file(path, data)
        else:
            disk.close(create_file(disk, path, data)[0])
    except FileExistsError:
        raise Complaint(REFUSED, "refused", f"{path} is already there", "another name, or --over") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Complaint(FILE, "file", f"{path} cannot be written: {reason}", "another place") from None
