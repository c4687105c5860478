"""Decode a record's block: by one pattern if it has our own form, else by the TOML parser.

Both ways give the same Record for any block that both accept; a check trusts only the TOML parser.
"""

from __future__ import annotations

import contextlib
import gc
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Annotated, Any

import msgspec

from tui.store.journal.format import (
    RECORD_CAP,
    NotPlain,
    Record,
    RunAgain,
    require_fitting,
    require_plain,
    write_moment,
    write_step,
)
from tui.store.problems import BadFile, JournalError, make_printable
from tui.store.safetoml import parse_toml

_OWN_LINES = re.compile(
    rb"\[\[step\]\]\n"
    rb"n = ([1-9][0-9]*+)\n"
    rb"at = ([0-9-]{10}T[0-9:]{8}Z)\n"
    rb'line = "([^"\\\x00-\x1f\x7f]*+(?:\\["\\bfnrtu][^"\\\x00-\x1f\x7f]*+)*+)"\n'
    rb'(?:by = "([^"\\\x00-\x1f\x7f]*+(?:\\["\\bfnrtu][^"\\\x00-\x1f\x7f]*+)*+)"\n)?+'
    rb'(?:id = "([a-z0-9-]{8,40})"\n)?+'
    rb"(?:events = (\[[^\n]*+|'[^'\x00-\x08\x0a-\x1f\x7f]*+')\n)?+"
    rb"(?:to = (0|[1-9][0-9]*+)\n)?+"
    rb"(?:took = \[([1-9][0-9]{0,8}(?:, [1-9][0-9]{0,8})*+)\]\n)?+"
    rb"(?:again = (\[[^\n]*+|'[^'\x00-\x08\x0a-\x1f\x7f]*+')\n)?+"
    rb"(?:restores = ([1-9][0-9]{0,8})\n)?+"
    rb"(?:# pending [1-9][0-9]*+\n)?+"
)
_OLD_TABLES = re.compile(rb'(?:[^"\t]++|"[^"\\\t]*+(?:\\.[^"\\\t]*+)*+"(?: =\t)?+|\t[A-Za-z0-9_-]++ =\t)*+')
"""Inline tables of 1.x, whose only tabs are beside keys."""
_LARGE = re.compile(rb"[0-9]{19}")
_PENDING_LINE = rb"\n# pending ([1-9][0-9]{0,8})\n\Z"

Span = tuple[int, int]

FOREIGN_CAP = 500_000  # bytes of a journal laid out by others: the TOML parser takes a second for them


class Raw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record as the TOML parser gives it."""

    n: Annotated[int, msgspec.Meta(ge=1)]
    at: datetime
    line: str
    events: list[Any] | str = []
    to: int | None = None
    by: str = ""
    id: str = ""
    took: list[int] = []
    again: list[Any] | str = []
    restores: int = 0


class Records:
    """Decodes blocks whose events have the type `event_type`: a tagged union of structs, or Any.

    At most `room` bytes may be in another layout than ours; `foreign` counts them.
    """

    def __init__(self, event_type: Any, path: str = "", room: int = FOREIGN_CAP) -> None:
        self._type = tuple[event_type, ...]
        self._decode = msgspec.json.Decoder(self._type).decode
        self._again_type = tuple[RunAgain[event_type], ...]
        self._path = path
        self._room, self.foreign = room, 0
        self._counted = (0, 1)

    def steps(
        self, data: bytes, spans: Iterable[Span], first: int
    ) -> tuple[list[Record[Any]], JournalError | None]:
        """Return the records of these blocks, numbered from `first`, and the error that came next or None."""
        steps: list[Record[Any]] = []
        try:
            for number, (start, stop) in enumerate(spans, first):
                steps.append(self.step(data, start, stop, number))
        except JournalError as error:
            return steps, error
        return steps, None

    def step(self, data: bytes, start: int, stop: int, number: int) -> Record[Any]:
        """Return the record `number` in `data[start:stop]`. Raises JournalError."""
        match = _OWN_LINES.fullmatch(data, start, stop)
        if match is None:
            return self._read_foreign(data, start, stop, number)
        count, moment_, line, by, id_, events, to, took, rerun, restores = match.groups()
        try:
            at = moment_.decode()
            datetime.fromisoformat(at)  # refuses the 30th of February
            text, sent = _read_string(line), _read_string(by or b"")
            happened = self._decode(_find_json(events)) if events else ()
            runs: tuple[Any, ...] = ()
            if rerun:
                runs = msgspec.json.decode(_find_json(rerun), type=self._again_type)
            place = None if to is None else int(to)
            for run in runs:
                datetime.fromisoformat(run.at)
            # 19 digits may exceed 64 bits, which the JSON decoder accepts and TOML does not.
            if _LARGE.search(data, start, stop):
                require_plain(msgspec.to_builtins((happened, runs)))
        except (ValueError, RecursionError):
            return self._read_foreign(data, start, stop, number)
        # Not refused here: the strict reader makes the message that names the fault and its line.
        if count != b"%d" % number:
            return self._read_foreign(data, start, stop, number)
        if (by is None and took is None and rerun is None and restores is None) and not (to and happened):
            return Record(number, at, text, happened, place)
        steps = tuple(map(int, took.split(b", "))) if took else ()
        mark = id_.decode() if id_ else ""
        record = Record(number, at, text, happened, place, sent, steps, runs, int(restores or 0), mark)
        try:
            require_fitting(record)
        except ValueError:
            return self._read_foreign(data, start, stop, number)
        return record

    def _read_foreign(self, data: bytes, start: int, stop: int, number: int) -> Record[Any]:
        self.foreign += stop - start
        return self.strict(data, start, stop, number)

    def strict(self, data: bytes, start: int, stop: int, number: int | None) -> Record[Any]:
        """Return the record as the TOML parser reads it, in any layout. Raises JournalError.

        `number` is the number that the record must have; None accepts any.
        """
        try:
            if stop - start > RECORD_CAP or self.foreign > self._room:
                raise ValueError("it is not in the form that tocsin writes, and too large")  # noqa: TRY301
            step = self._convert(parse_toml(data[start:stop], self._path), number)
            write_step(step)  # refuses what this program cannot write, such as a number of 70 bits
            return step  # noqa: TRY300 - a step that cannot be written is refused below
        except BadFile as error:
            line, message = error.line, error.message
        except (ValueError, RecursionError) as error:
            # msgspec names the place of a value; the events are one line.
            place = data.find(b"\nevents", start, stop) if "$" in str(error) else -1
            line = 1 if place < 0 else data.count(b"\n", start, place) + 2
            message = make_printable(str(error))
        line += self.line_at(data, start) - 1
        raise JournalError(self._path, line, number or 0, message) from None

    def line_at(self, data: bytes, offset: int) -> int:
        """Return the line of an offset, from 1; cheap if the offsets are asked for in rising order."""
        place, line = self._counted if self._counted[0] <= offset else (0, 1)
        line += data.count(b"\n", place, offset)
        self._counted = (offset, line)
        return line

    def _convert(self, tables: dict[str, Any], number: int | None) -> Record[Any]:
        value = tables.get("step")
        if set(tables) != {"step"} or not isinstance(value, list) or len(value) != 1:
            raise ValueError("there is more or less than one [[step]] in this block")
        one = convert_record(value[0])
        if number is not None and one.number != number:
            raise ValueError(f"it calls itself step {one.number}")
        events = msgspec.convert(list(one.events), self._type)
        rerun = msgspec.convert(msgspec.to_builtins(one.again), self._again_type)
        return msgspec.structs.replace(one, events=events, again=rerun)


def convert_record(table: dict[str, Any]) -> Record[Any]:
    """Return the record in one table of a TOML file, its events as plain data.

    Raises ValueError, RecursionError.
    """
    raw = msgspec.convert(table, Raw)
    events, took = tuple(_plain_list(raw.events)), tuple(raw.took)
    rerun = msgspec.convert(_plain_list(raw.again), tuple[RunAgain[Any], ...])
    record = Record(
        raw.n, write_moment(raw.at), raw.line, events, raw.to, raw.by, took, rerun, raw.restores, raw.id
    )
    require_fitting(record)
    return record


def _plain_list(value: list[Any] | str) -> list[Any]:
    """Return the list that a string holds as JSON, or one of 1.x as it is. Raises ValueError."""
    plain = msgspec.json.decode(value, type=list[Any]) if isinstance(value, str) else value
    # Refuses infinities, dates and the like, which TOML has and a journal does not.
    require_plain(plain)
    return plain


def _find_json(value: bytes) -> bytes:
    """Return the JSON of a literal string, or of the inline tables of 1.x. Raises NotPlain."""
    if value.startswith(b"'"):
        return value[1:-1]
    if _OLD_TABLES.fullmatch(value) is None:
        raise NotPlain("not as 1.x wrote them")
    return value.replace(b'" =\t', b'":').replace(b" =\t", b'":').replace(b"\t", b'"')


def _read_string(inside: bytes) -> str:
    """Return the text between the quotes of a string as we write it. Raises ValueError."""
    if b"\\" in inside:
        return str(msgspec.json.decode(b'"%b"' % inside, type=str))
    return inside.decode()


def count_pending(block: bytes) -> int:
    """Return how many records before this one were not known to be on the disk when it was written."""
    match = re.search(_PENDING_LINE, block)
    return int(match[1]) if match else 0


@contextlib.contextmanager
def pause_gc() -> Iterator[None]:
    """Pause the garbage collector: decoding makes no cycles, and collecting doubles its time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
