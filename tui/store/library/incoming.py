"""Files of other tools, read one after the other: what they hold together, and what of them could not be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from tui.core.fight.errors import RuleError
from tui.core.fight.text import clean
from tui.exchange.document import LARGE, Unreadable
from tui.exchange.gathering import Gathered, Namesakes, Source, gathered
from tui.exchange.registry import understood
from tui.store.disk import Disk, read_regular
from tui.store.problems import BadFile, plain
from tui.store.safetoml import safe_toml

MOST_FILES = 20_000
_TOLD = 5  # names that are listed of many
_OFFERED = 40  # paths that completion is given at once


class Progress(Struct, frozen=True):
    """How far an import is: `done` files of `count` have been read, and `file` is being read."""

    done: int
    count: int
    file: str

    def __str__(self) -> str:
        return f"{self.done + 1} of {self.count} files: {self.file}"


Pulse = Callable[[Progress], None]
"""A callback for every creature that is found and every file that is begun. Whatever it raises ends the import."""


class Harvest(Struct, frozen=True):
    """What files hold together: how many of them were understood, and those of a folder that were not, with why."""

    gathered: Gathered
    understood: int
    passed: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """How the files of the library that keep them are called."""
        title = self.gathered.counts[0][0] if len(self.gathered.counts) == 1 else "imported"
        return "".join(c if c.isalnum() else "-" for c in clean(title, 40).lower()).strip("-")


def look(paths: Sequence[str], pulse: Pulse, *, over: bool = False) -> Harvest:
    """The creatures of files and folders. Raises BadFile for a file that was named, RuleError for all of them together."""
    files = list(_files(paths))
    sources, passed, total = list[Source](), list[str](), 0
    for number, (path, named) in enumerate(files):
        at = Progress(number, len(files), shown(path))
        pulse(at)
        try:
            data, _ = read_regular(Disk(), path, LARGE)
            if (total := total + len(data)) > LARGE:
                break
            sources.append(Source(shown(path), understood(data, _toml, partial(pulse, at))))
        except (BadFile, Unreadable) as error:
            if named:
                raise BadFile(path, error.line, error.message, error.hint) from None
            passed.append(f"{shown(path)}: {error.message}")
    if total > LARGE:
        raise BadFile(
            paths[0], 0, f"together they are larger than {LARGE // 1_000_000} MB", "import them in parts"
        )
    return _together(sources, passed, paths, over=over)


def look_at_text(text: str, name: str, *, over: bool = False) -> Harvest:
    """The creatures of a text that was pasted. Raises BadFile, RuleError."""
    try:
        return _together([Source(name, understood(text.encode(), _toml))], [], [name], over=over)
    except Unreadable as error:
        raise BadFile(name, error.line, error.message, error.hint) from None


def _together(
    sources: Sequence[Source], passed: Sequence[str], paths: Sequence[str], *, over: bool
) -> Harvest:
    if not sources:
        raise BadFile(
            paths[0], 0, "no file here holds creatures that are understood", passed[0] if passed else ""
        )
    try:
        return Harvest(gathered(sources, over=over), len(sources), tuple(passed))
    except Namesakes as error:
        raise RuleError(error.message, error.hint, kind="exists") from None
    except Unreadable as error:
        raise RuleError(error.message, error.hint) from None


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
                        raise BadFile(path, 0, f"more than {MOST_FILES:,} files", "import them in parts")
                    yield os.path.join(folder, name), False


def _toml(data: bytes) -> dict[str, Any]:
    try:
        return safe_toml(data, "it")
    except BadFile as error:
        raise Unreadable(error.message, error.hint, error.line) from None


def shown(path: str) -> str:
    """A file's name as it is told."""
    return plain(os.path.basename(path), 80)


def beginning(begun: str) -> list[str]:
    """The paths that begin so, folders with a slash at their end, as many as completion wants."""
    folder, part = os.path.split(os.path.expanduser(begun))
    try:
        with os.scandir(folder or ".") as entries:
            found = sorted(
                e.name + "/" * e.is_dir()
                for e in entries
                if e.name.startswith(part) and (part or not e.name.startswith("."))
            )
    except OSError:
        return []
    return [begun[: len(begun) - len(part)] + name for name in found[:_OFFERED]]


# --- in words


def preview(found: Harvest) -> list[str]:
    """What was understood, and what of it goes where."""
    held = found.gathered
    lines = [f"{title}: {count} creature{'s' * (count != 1)}" for title, count in held.counts]
    lines += [f"  {target} {origin(path)}: {count}" for target, path, count in held.rows]
    if bare := [b.name for b in held.blocks if b.hp is None]:
        lines.append(f"without hit points: {some(bare)}")
    if held.cut:
        lines.append(f"cards cut, for they are too long: {some(held.cut)}")
    return lines


def origin(path: str) -> str:
    """Where a value comes from, in words; "" is the path of what no one place of a file holds."""
    return f"from {path}" if path else "worked out"


def passed_over(found: Harvest) -> list[str]:
    """The files of a folder that hold nothing known: how many, and why the first of them."""
    count = len(found.passed)
    return [f"{count} file{'s' * (count != 1)} passed over: {some(found.passed)}"] if count else []


def some(names: Iterable[str]) -> str:
    """The first of these names, and how many more there are."""
    found = list(names)
    return ", ".join(found[:_TOLD]) + (f" and {len(found) - _TOLD} more" if len(found) > _TOLD else "")
