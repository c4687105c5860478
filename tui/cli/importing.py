"""`tocsin import`: creatures from files of other tools, into the library, or into a save."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from tui.cli.complaint import FILE, REFUSED, USAGE, Complaint
from tui.core.fight.dice import Dice
from tui.core.fight.text import clean
from tui.core.rules.systems import Systems
from tui.exchange.document import LARGE, Unreadable
from tui.exchange.gathering import Gathered, Source, gathered
from tui.exchange.registry import understood
from tui.store.disk import Disk, read_regular
from tui.store.problems import BadFile, plain
from tui.store.safetoml import safe_toml
from tui.store.saves import saves_folder

MOST_FILES = 20_000
_TOLD = 5  # of the files that were passed over


class Read(Struct, frozen=True):
    """What was found in the files: what they hold together, and those of a folder that hold nothing known, with why."""

    gathered: Gathered
    understood: int
    passed: tuple[str, ...] = ()


def read(paths: Sequence[str], *, over: bool = False) -> Read:
    """The creatures of files and folders. Raises Complaint, and then nothing is written anywhere."""
    files = list(_files(paths))
    sources, passed, total = list[Source](), list[str](), 0
    for number, (path, named) in enumerate(files, 1):
        _progress(number, len(files))
        try:
            data, _ = read_regular(Disk(), path, LARGE)
            if (total := total + len(data)) > LARGE:
                raise Complaint(
                    FILE,
                    "file",
                    f"together they are larger than {LARGE // 1_000_000} MB",
                    "import them in parts",
                )
            sources.append(Source(_shown(path), understood(data, _toml)))
        except (BadFile, Unreadable) as error:
            if named:
                raise _complaint(path, error) from None
            passed.append(f"{_shown(path)}: {error.message}")
    if not sources:
        raise Complaint(
            FILE, "file", "no file here holds creatures that are understood", passed[0] if passed else ""
        )
    try:
        return Read(gathered(sources, over=over), len(sources), tuple(passed))
    except Unreadable as error:
        raise Complaint(REFUSED, "refused", error.message, error.hint) from None


def _files(paths: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The files that are meant, and whether each was named; those of a folder and the folders in it, in order."""
    count = 0
    for path in paths:
        if not os.path.isdir(path) or os.path.islink(path):
            yield path, True
            continue
        for folder, inside, names in os.walk(path):
            inside[:] = sorted(name for name in inside if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    if (count := count + 1) > MOST_FILES:
                        raise Complaint(
                            USAGE, "usage", f"more than {MOST_FILES:,} files", "import them in parts"
                        )
                    yield os.path.join(folder, name), False


def _toml(data: bytes) -> dict[str, Any]:
    try:
        return safe_toml(data, "it")
    except BadFile as error:
        raise Unreadable(error.message, error.hint, error.line) from None


def _complaint(path: str, error: BadFile | Unreadable) -> Complaint:
    where = f", line {error.line}" if error.line else ""
    return Complaint(FILE, "file", f"{_shown(path)}{where}: {error.message}", error.hint)


def _shown(path: str) -> str:
    return plain(os.path.basename(path), 80)


def _progress(number: int, count: int) -> None:
    """How far it is, on a terminal that waits."""
    if (
        count > 20
        and sys.stderr is not None
        and sys.stderr.isatty()
        and (number % 20 == 0 or number == count)
    ):
        with suppress(OSError):
            sys.stderr.write(f"\rtocsin: {number} of {count} files" + ("\n" if number == count else ""))
            sys.stderr.flush()


# --- where they go


def into_library(found: Read, saves: str, systems: Systems, *, over: bool) -> list[str]:
    """Keeps them in the library; the paths of the new files. Raises RuleError, NotSaved."""
    from tui.store.library.service import Library

    title = found.gathered.counts[0][0] if len(found.gathered.counts) == 1 else "imported"
    stem = "".join(c if c.isalnum() else "-" for c in clean(title, 40).lower()).strip("-")
    return Library(saves_folder(saves), systems).stock_creatures(stem, found.gathered.blocks, over=over)


def into_save(
    found: Read, save: str, saves: str, systems: Systems, dice: Dice, files: Sequence[str]
) -> list[str]:
    """Adds them to a fight, in one step; what happened, in words. Raises RuleError, NotSaved."""
    from tui.store.library.keeping import welcome
    from tui.store.session import written

    with written(save, saves, systems, dice, lambda _: None) as session:
        told = clean("import " + " ".join(_shown(f) for f in files), 200)
        result = welcome(session.store, systems, found.gathered.blocks, told)
        session.writer.wait()
        return [line.text for line in result.lines]


def preview(found: Read) -> list[str]:
    """What was understood, and what of it goes where."""
    lines = [f"{title}: {count} creature{'s' * (count != 1)}" for title, count in found.gathered.counts]
    lines += [f"  {target} from {path}: {count}" for target, path, count in found.gathered.rows]
    if found.gathered.cut:
        lines.append(f"cards cut, for they are too long: {_some(found.gathered.cut)}")
    return lines


def passed_over(found: Read) -> list[str]:
    """The files of a folder that hold nothing known: how many, and why the first of them."""
    count = len(found.passed)
    return [f"{count} file{'s' * (count != 1)} passed over: {_some(found.passed)}"] if count else []


def _some(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:_TOLD]) + (f" and {len(found) - _TOLD} more" if len(found) > _TOLD else "")


def table(found: Read, paths: Sequence[str]) -> dict[str, Any]:
    """The same as plain tables."""
    blocks = [
        {"name": b.name, "source": b.source, "hp": b.hp, "ac": b.ac, "initiative": b.initiative}
        for b in found.gathered.blocks
    ]
    return {
        "creatures": blocks,
        "formats": [{"name": title, "count": count} for title, count in found.gathered.counts],
        "mapping": [{"to": to, "from": path, "count": n} for to, path, n in found.gathered.rows],
        "cut": list(found.gathered.cut),
        "problems": list(found.passed),
        "files": list(paths),
    }
