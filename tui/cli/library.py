"""The commands of the library: list parties and creatures, and import other tools' files.

Modules that one command needs are imported in its function, so that a call loads only its own command.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from tui.cli.commands import Front
from tui.cli.output import DONE, choose_dice, print_aside, print_json, print_lines
from tui.core.base.text import clean, pad
from tui.core.fight.dice import Dice
from tui.core.rules.system import Systems
from tui.exchange.document import MOST_BYTES
from tui.store.library.box import CHANGED, editions
from tui.store.library.importing import Harvest, read_files, read_text, shown_file_name
from tui.store.library.library_lines import add_imported, keep_imported
from tui.store.library.service import Library, Stocking
from tui.store.library.supply import describe_block, find_everywhere
from tui.store.saves import saves_folder
from tui.store.session import open_inline


def run_party(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """List the parties; return the exit code."""
    files = Library(saves_folder(args.saves), systems).parties()
    if args.json:
        print_json(
            [
                {
                    "name": s.name,
                    "path": s.path,
                    "creatures": list(s.names),
                    "later": s.later,
                    "problem": s.problem,
                }
                for s in files
            ]
        )
    else:
        print_lines(f"{pad(s.name, 20)} {s.summary}" for s in files)
    return DONE


def run_creatures(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """List the library's creatures, or find some in library and box; return the exit code."""
    library = Library(saves_folder(args.saves), systems)
    if args.words:
        return _find_creatures(library, " ".join(args.words), as_json=args.json)
    entries, faults = library.creatures()
    problems = [f"{p}; {p.hint}" if p.hint else str(p) for p in (*faults, *library.conditions()[1])]
    if args.json:
        rows = [{"name": f.name, "path": f.path, "line": f.line} for f in entries]
        box = [{"edition": b.edition, "count": len(b.names), "credit": b.credit} for b in editions("5.2.1")]
        print_json({"creatures": rows, "problems": problems, "box": box})
    else:
        print_lines(f.name for f in entries)
        for problem in problems:
            print_aside(problem)
        _describe_box()
    return DONE


def _describe_box() -> None:
    """Print what the box holds, and the attribution that its licences ask for, on standard error."""
    books = editions("5.2.1")
    held = " and ".join(f"{len(b.names)} creatures of {b.title}" for b in books)
    print_aside(f"in the box: {held}; `tocsin creatures goblin` finds some")
    for book in books:
        print_aside(book.credit)
    print_aside(CHANGED)


def _find_creatures(library: Library, typed: str, *, as_json: bool) -> int:
    """Print the creatures of library and box whose words begin with the typed ones; return the exit code."""
    found = find_everywhere(library, typed)
    blocks = [(source, block) for source in found if (block := source.read())]
    if as_json:
        rows = [
            {"name": b.name, "source": s.title, "cr": b.fields.get("cr", ""), "ac": b.ac, "hp": b.hp}
            for s, b in blocks
        ]
        print_json({"creatures": rows})
    else:
        print_lines(f"{b.name:<28} {describe_block(b, s.title)}" for s, b in blocks)
    return DONE


def run_import(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Run `tocsin import`: read files, save the creatures, print the mapping and what was not read."""
    from tui.store.library.importing import (
        describe_clashes,
        describe_creatures,
        describe_import,
        describe_stocking,
        describe_unread,
    )

    if args.files == [STDIN]:
        data = sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin is not None else b""
        text = data.decode("utf-8-sig", "replace")
        harvest = read_text(text, "standard input", overwrite=args.over)
    else:
        harvest = read_files(args.files, overwrite=args.over)
    messages, stocking = list[str](), Stocking()
    if args.into and not args.look:
        messages = _add_to_save(harvest, args.into, args.saves, systems, choose_dice(args), args.files)
        library = Library(saves_folder(args.saves), systems)
        kept = keep_imported(library, harvest.stem, harvest.gathered.own_blocks)
        messages += [kept] if kept else []
    elif not args.look:
        library = Library(saves_folder(args.saves), systems)
        stocking = library.stock_creatures(harvest.stem, harvest.gathered.blocks, overwrite=args.over)
        messages = list(stocking.paths)
    for line in (
        *describe_unread(harvest),
        *describe_clashes(harvest.gathered.clashes, overwrite=args.over),
    ):
        print_aside(line)
    for line in describe_stocking(stocking.skipped, stocking.over, stocking.bare):
        print_aside(line)
    if args.json:
        print_json(_plain_import(harvest, messages, stocking))
    else:
        print_lines(
            [
                *describe_import(harvest),
                *(describe_creatures(harvest) if args.look else []),
                *(messages or ["nothing new to keep"] * (not args.look)),
            ]
        )
    return DONE


STDIN = "-"
"""The FILE that stands for standard input, to which a stat block can be piped."""


def _add_to_save(
    harvest: Harvest, save: str, saves: str, systems: Systems, dice: Dice, files: Sequence[str]
) -> list[str]:
    """Add creatures to a fight in one step; return its messages. Raises RuleError, NotSaved."""
    with open_inline(save, saves, systems, dice, lambda _: None) as session:
        source = clean("import " + " ".join(shown_file_name(f) for f in files), 200)
        gathered = harvest.gathered
        result = add_imported(
            session.store,
            systems,
            gathered.blocks,
            source,
            gathered.amounts,
            gathered.base_names,
            gathered.fight_states,
        )
        session.writer.wait()
        return [line.text for line in result.lines]


def _plain_import(harvest: Harvest, paths: Sequence[str], stocking: Stocking) -> dict[str, Any]:
    """Return an import as plain data: creatures, formats, mapping, problems and files."""
    blocks = [
        {"name": b.name, "source": b.source, "hp": b.hp, "ac": b.ac, "initiative": b.initiative}
        for b in harvest.gathered.blocks
    ]
    return {
        "creatures": blocks,
        "formats": [{"name": title, "count": count} for title, count in harvest.gathered.counts],
        "mapping": [{"to": to, "from": path, "count": n} for to, path, n in harvest.gathered.rows],
        "cut": list(harvest.gathered.cut_names),
        "problems": list(harvest.problem_texts),
        "clashes": [
            {"name": x.name, "taken": x.kept_file, "left": x.other_file} for x in harvest.gathered.clashes
        ],
        "left": [{"name": name, "where": where} for name, where in stocking.skipped],
        "replaced": [{"name": name, "where": where} for name, where in stocking.over],
        "files": list(paths),
    }
