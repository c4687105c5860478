"""Import files of other tools; describe what was read and what was not."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.core.fight.combatant import StatBlock
from tui.core.language.select import list_names
from tui.exchange.document import IN_PARTS, MOST_BYTES, Unreadable
from tui.exchange.gathering import Clash, Gathered, Source, gather_creatures
from tui.exchange.registry import OwnFormats, load_own_formats, understand
from tui.store.disk import Disk, read_regular
from tui.store.problems import BadFile, make_printable
from tui.store.safetoml import read_toml

MOST_FILES = 20_000
_MOST_NAMED = 5  # names that are listed; further ones are only counted
_MOST_LINES = 200  # lines of one kind that are listed; further ones are only counted


class Progress(Struct, frozen=True):
    """The progress of an import: `done` files of `count` have been read, and `file` is being read."""

    done: int
    count: int
    file: str

    def __str__(self) -> str:
        return f"{self.done + 1} of {self.count} files: {self.file}"


Pulse = Callable[[Progress], None]
"""A callback for every creature that is found and every file that is begun.

Whatever it raises ends the import.
"""


class Problem(Struct, frozen=True):
    """A file, or a part of it from `line` on, that could not be read, with the cause.

    Line 0 stands for the whole file.
    """

    file: str
    line: int
    cause: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.cause}" if self.line else f"{self.file}: {self.cause}"


class Harvest(Struct, frozen=True):
    """The result of reading files: all creatures, and a problem for each part that was not read."""

    gathered: Gathered
    problems: tuple[Problem, ...] = ()
    formats: tuple[str, ...] = ()
    """A line for each file of the user that should bring a format and does not."""

    @property
    def problem_texts(self) -> tuple[str, ...]:
        """The problems as texts."""
        return (*self.formats, *map(str, self.problems))

    @property
    def stem(self) -> str:
        """The stem of the library's new files: the title of the format, else `imported`."""
        title = self.gathered.counts[0][0] if len(self.gathered.counts) == 1 else "imported"
        return "".join(c if c.isalnum() else "-" for c in clean(title, 40).lower()).strip("-")


def read_files(paths: Sequence[str], pulse: Pulse = lambda _: None, *, overwrite: bool = False) -> Harvest:
    """Return the creatures of files and folders. Raises BadFile for a file that was named, RuleError for all.

    Of two different creatures of one name the first is taken, with `overwrite` the last.
    """
    files = list(_list_files(paths))
    sources, problems, total = list[Source](), list[Problem](), 0
    owned = load_own_formats()
    for number, (path, name, is_named) in enumerate(files):
        at = Progress(number, len(files), shown_file_name(path))
        pulse(at)
        try:
            data, _ = read_regular(Disk(), path, MOST_BYTES)
            if (total := total + len(data)) > MOST_BYTES:
                break
            understood = understand(data, _read_toml, partial(pulse, at), owned)
        except (BadFile, Unreadable) as error:
            if is_named:
                raise BadFile(path, error.line, error.message, error.hint) from None
            problems.append(Problem(name, error.line, error.message))
        else:
            sources.append(Source(name, understood))
            problems += [Problem(name, line, cause) for line, cause in understood.problems]
    if total > MOST_BYTES:
        words = f"together they are larger than {MOST_BYTES // 1_000_000} MB"
        raise BadFile(paths[0], 0, words, IN_PARTS)
    return _gather_sources(sources, problems, paths, owned, overwrite=overwrite)


def read_text(text: str, name: str, *, overwrite: bool = False) -> Harvest:
    """Return the creatures of a text that was pasted. Raises BadFile, RuleError."""
    owned = load_own_formats()
    try:
        understood = understand(text.encode(), _read_toml, owned=owned)
    except Unreadable as error:
        raise BadFile(name, error.line, error.message, error.hint) from None
    problems = [Problem(name, line, cause) for line, cause in understood.problems]
    return _gather_sources([Source(name, understood)], problems, [name], owned, overwrite=overwrite)


def _gather_sources(
    sources: Sequence[Source],
    problems: Sequence[Problem],
    paths: Sequence[str],
    owned: OwnFormats,
    *,
    overwrite: bool,
) -> Harvest:
    if not sources:
        hint = str(problems[0]) if problems else ""
        raise BadFile(paths[0], 0, "no file here has creatures that can be read", hint)
    try:
        return Harvest(gather_creatures(sources, overwrite=overwrite), tuple(problems), owned.problems)
    except Unreadable as error:
        raise RuleError(error.message, error.hint) from None


def _list_files(paths: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield (path, name for reports, whether it was named itself) of every file.

    The files of a folder come in order, named with their folders.
    """
    count = 0
    for path in paths:
        if not os.path.isdir(path) or os.path.islink(path):
            yield path, shown_file_name(path), True
            continue
        for folder, inside, names in os.walk(path):
            inside[:] = sorted(name for name in inside if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    if (count := count + 1) > MOST_FILES:
                        raise BadFile(path, 0, f"more than {MOST_FILES:,} files", IN_PARTS)
                    file = os.path.join(folder, name)
                    top = os.path.basename(os.path.abspath(path))
                    yield file, make_printable(os.path.join(top, os.path.relpath(file, path)), 160), False


def _read_toml(data: bytes) -> dict[str, Any]:
    try:
        return read_toml(data, "it")
    except BadFile as error:
        raise Unreadable(error.message, error.hint, error.line) from None


def shown_file_name(path: str) -> str:
    """Return a file's name for a message."""
    return make_printable(os.path.basename(path), 80)


# --- in words


def describe_import(harvest: Harvest) -> list[str]:
    """Return lines: the formats, the origin of each value, creatures without hit points, cut cards."""
    gathered = harvest.gathered
    lines = [f"{title}: {count} creature{'s' * (count != 1)}" for title, count in gathered.counts]
    lines += [f"  {target} {describe_origin(path)}: {count}" for target, path, count in gathered.rows]
    if bare := [b.name for b in gathered.blocks if b.hp is None]:
        lines.append(f"without hit points: {first_names(bare)}")
    if gathered.cut_names:
        lines.append(f"cards cut because they are too long: {first_names(gathered.cut_names)}")
    return lines


def describe_creatures(harvest: Harvest) -> list[str]:
    """Return a line for each creature: `Orc: 15 HP (2d8+6), AC 13, initiative +1, Axe +5 1d12+3`."""
    return _first_lines([_describe(b) for b in harvest.gathered.blocks])


def _describe(b: StatBlock) -> str:
    dice = f" ({b.hp_dice})" if b.hp_dice else ""
    texts = (
        f"{b.hp} HP{dice}" if b.hp is not None else "",
        f"AC {b.ac}" if b.ac is not None else "",
        f"initiative {b.initiative:+}" if b.initiative is not None else "",
        str(b.fields.get("attacks", "")),
    )
    return f"{b.name}: {', '.join(filter(None, texts)) or 'a name alone'}"


def describe_origin(path: str) -> str:
    """Return `from PATH`; for an empty path, a value of several places, `worked out`."""
    return f"from {path}" if path else "worked out"


def describe_unread(harvest: Harvest) -> list[str]:
    """Return lines about everything that was not read: formats, files by reason, parts of files by line."""
    files = [x for x in harvest.problems if not x.line]
    lines = [str(x) for x in harvest.problems if x.line]
    if files:
        count = len(files)
        title = f"{count} file{'s' * (count != 1)} skipped"
        if count <= _MOST_NAMED:
            lines[:0] = [f"{title}: {', '.join(map(str, files))}"]
        else:
            kinds = Counter(x.cause for x in files).most_common()
            counts = (f"  {many}: {cause} ({_count_endings(files, cause)})" for cause, many in kinds)
            lines[:0] = [title, *counts]
    return _first_lines([*harvest.formats, *lines])


def _count_endings(files: Sequence[Problem], cause: str) -> str:
    """Return the endings of the files that share a cause, the most frequent first: `.md 80, .png 4`."""
    ends = Counter(os.path.splitext(x.file)[1].lower() or "no ending" for x in files if x.cause == cause)
    return first_names([f"{end} {many}" for end, many in ends.most_common()])


def describe_clashes(clashes: Sequence[Clash], *, overwrite: bool) -> list[str]:
    """Return lines about creatures that another one of the same name displaced, with both files."""
    if not clashes:
        return []
    count, first = len(clashes), "last" if overwrite else "first (--over takes the last)"
    title = f"{count} creature{'s' * (count != 1)} not taken: of each name the {first} counts"
    return _first_lines(
        [title, *(f"  {x.name}: taken from {x.kept_file}, not from {x.other_file}" for x in clashes)]
    )


def describe_stocking(
    skipped: Sequence[tuple[str, str]], replaced: Sequence[tuple[str, str]], bare: Sequence[str]
) -> list[str]:
    """Return lines about creatures that the library did not take, and about those that it replaced."""
    texts: list[str] = []
    if skipped:
        count = len(skipped)
        conflict = f"{count} creature{'s' * (count != 1)} not taken: the library has others of the same name"
        texts += [f"{conflict}; --over replaces them"]
        texts += [f"  {name}: {where}" for name, where in skipped]
    if replaced:
        texts += [f"{len(replaced)} replaced others of the same name"]
        texts += [f"  {name}: was in {where}" for name, where in replaced]
    if bare:
        texts += [
            f"{len(bare)} with nothing but a name, which the library does not keep: {first_names(bare)}"
        ]
    return _first_lines(texts)


def _first_lines(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"and {more} more; --json lists them"] if more > 0 else lines


def first_names(names: Iterable[str]) -> str:
    """Return the first of these names, and how many more there are."""
    return list_names(list(names), _MOST_NAMED)
