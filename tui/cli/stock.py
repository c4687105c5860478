"""The commands of the library: what it holds, and what comes into it from other tools' files.

What one command of many needs is imported in its function: a call pays for its own command alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.cli.asking import dice, talk
from tui.cli.complaint import DONE
from tui.cli.output import put, put_json

if TYPE_CHECKING:
    from tui.core.rules.system import Systems
    from tui.store.library.shelves import Kind

Run = Callable[[argparse.Namespace, "Systems", object], int]


def rosters(kind: Kind) -> Run:
    """The command that lists parties, or encounters."""

    def run(args: argparse.Namespace, systems: Systems, front: object) -> int:  # noqa: ARG001
        from tui.cli.shelves import roster_lines, roster_table, shelved

        found = shelved(kind, args.saves, systems)
        if args.json:
            put_json(roster_table(found))
        else:
            put(roster_lines(found))
        return DONE

    return run


def creatures(args: argparse.Namespace, systems: Systems, front: object) -> int:  # noqa: ARG001
    """Lists the creatures of the library; what is wrong with their files goes to standard error."""
    from tui.cli.shelves import known

    found, problems = known(args.saves, systems)
    if args.json:
        put_json({"creatures": found, "problems": problems})
    else:
        put(f["name"] for f in found)
        for problem in problems:
            talk(problem)
    return DONE


def add_import(p: argparse.ArgumentParser) -> None:
    """The words of `import`."""
    p.add_argument(
        "files", nargs="+", metavar="FILE", help="files, or folders of them; - for what is piped in"
    )
    p.add_argument("--into", default="", metavar="SAVE", help="into a fight instead of the library")
    p.add_argument("--over", action="store_true", help="in place of creatures that are there already")
    p.add_argument("--look", action="store_true", help="say what would go where, and keep nothing")
    p.add_argument("--json", action="store_true")


def take_in(args: argparse.Namespace, systems: Systems, front: object) -> int:  # noqa: ARG001
    """Takes creatures in from files, and says what went where."""
    from tui.cli.importing import into_library, into_save, read, table
    from tui.store.library.importing import clashed, passed_over, preview, stocked
    from tui.store.library.service import Stocking

    found = read(args.files, over=args.over)
    kept, stocking = list[str](), Stocking()
    if args.into and not args.look:
        kept = into_save(found, args.into, args.saves, systems, dice(args), args.files)
    elif not args.look:
        stocking = into_library(found, args.saves, systems, over=args.over)
        kept = list(stocking.paths)
    for line in (*passed_over(found), *clashed(found.gathered.clashes, over=args.over)):
        talk(line)
    for line in stocked(stocking.left, stocking.over, stocking.bare):
        talk(line)
    if args.json:
        put_json(table(found, kept, stocking))
    else:
        put([*preview(found), *(kept or ["nothing new to keep"] * (not args.look))])
    return DONE
