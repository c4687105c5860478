"""The process that publishes a save: `python -m tui.publish SAVE [--once | --owners]`."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Publish a save once or until standard input ends, or print its owners; return the exit code."""
    from tui.crash import run_guarded

    os.umask(0o077)
    return run_guarded(_run)


def _run() -> int:
    # Imported here, so that an error of an import ends in the handler's one line.
    from tui.crash import print_error
    from tui.store.players.publisher import list_owners, publish_save
    from tui.store.problems import BadFile, make_printable
    from tui.systems import Registry

    folder = os.environ.get("TOCSIN_SYSTEMS", "")
    path, *more = sys.argv[1:]
    systems = Registry([folder] if folder else [])
    try:
        if "--owners" in more:
            sys.stdout.write(list_owners(path, systems))
        else:
            publish_save(path, systems, once="--once" in more)
    except (OSError, BadFile) as error:
        where, reason = getattr(error, "filename", None) or path, getattr(error, "strerror", "") or str(error)
        print_error(f"tocsin: {make_printable(str(where))} cannot be published: {make_printable(reason)}")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
