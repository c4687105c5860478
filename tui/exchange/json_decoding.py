"""JSON as plain data, decoded in parts: no single call takes long, however large the file.

The decoder is C: while it works the program takes no key and no signal. So a file larger than PART is cut
between the elements of its large lists and tables, and each part is decoded by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, Literal

import msgspec

PART: Final = 1_000_000
"""Bytes that are decoded in one call."""
LONGEST_TEXT: Final = 4_000_000
"""Bytes of one text inside a file that is larger than PART."""
MOST_VALUES: Final = 6_000_000
"""Values of one file: its memory is some fifty bytes for each."""
_DEEPEST = 200

_TOKEN = re.compile(rb'"|[\[{]|[\]}]|[^"\[\]{}]{1,500000}')
_QUOTED = re.compile(rb'[^"\\]{0,500000}')
_CLOSES = {b"[": b"]", b"{": b"}"}


_Edge = Literal["start", "comma", "value", "end"]
"""What a part of a list or table ends at: its beginning, a comma, a large value, its end."""


class BadJson(ValueError):  # noqa: N818 - the word of the message
    """What is wrong with a JSON file; `at` is the byte, from 0."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message, self.at = message, at


def decode(data: bytes) -> Any:
    """Return the value of a file, or a list if it has one object on each line. Raises BadJson."""
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise BadJson(f"it holds more than {MOST_VALUES:,} values", 0)
    try:
        return _value(data, 0, len(data))
    except BadJson:
        first = data.find(b"\n")
        if first < 0 or not data[max(first - 100, 0) : first].rstrip().endswith(b"}"):
            raise
        return [value for start, stop in _parts(data) for value in _objects(data, start, stop)]


def _parts(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where parts of whole lines begin and end; a part that is too long is one line."""
    start = 0
    while start < len(data):
        stop = start + PART
        if stop < len(data):
            stop = data.rfind(b"\n", start, stop)
            stop = data.find(b"\n", start + PART) if stop < 0 else stop
            stop = len(data) if stop < 0 else stop
        yield start, min(stop, len(data))
        start = stop + 1


def _objects(data: bytes, start: int, stop: int) -> list[Any]:
    """Return the values of lines, decoded together if each line is one value. Raises BadJson."""
    lines = [line for line in data[start:stop].split(b"\n") if line.strip()] if stop - start <= PART else []
    with suppress(BadJson):
        result: list[Any] = _decoded(b"[" + b",".join(lines) + b"]", start)
        if len(result) == len(lines) and lines:
            return result
    result, at = [], start
    while at < stop:
        end = data.find(b"\n", at, stop)
        end = stop if end < 0 else end
        if end - at > PART or data[at:end].strip():
            result.append(_value(data, at, end))
        at = end + 1
    return result


def _value(data: bytes, start: int, stop: int) -> Any:
    return _decoded(data[start:stop], start) if stop - start <= PART else _Large(data, start, stop).value()


def _decoded(part: bytes, start: int, before: int = 0) -> Any:
    """Return the value in these bytes; they begin `before` bytes before `start`. Raises BadJson."""
    try:
        return msgspec.json.decode(part)
    except RecursionError:
        raise BadJson("it is nested too deep", start) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        at = re.search(r"\(byte ([0-9]+)\)", str(error))
        where = int(at[1]) - before if at else len(part)
        raise BadJson("this is not valid JSON", start + max(where, 0)) from None


class _Open:
    """A list or table that has been entered; from `begin` on it is not yet decoded.

    `value` is what was decoded, or None; `name` the beginning and end of the last text in it; `behind` the
    kind of edge before `begin`; `key` that of the large value that is open in it.
    """

    __slots__ = ("begin", "behind", "key", "kind", "name", "place", "value")

    def __init__(self, kind: bytes, place: int) -> None:
        self.kind, self.place, self.begin = kind, place, place + 1
        self.value: Any = None
        self.key: Any = None
        self.name = (0, 0)
        self.behind: _Edge = "start"


class _Large:
    """Decodes one large value."""

    def __init__(self, data: bytes, start: int, stop: int) -> None:
        self._data, self._start, self._stop = data, start, stop
        self._open: list[_Open] = []
        self._whole: list[Any] = []

    def value(self) -> Any:
        """Return the value. Raises BadJson."""
        data, opened, at = self._data, self._open, self._start
        while at < self._stop:
            match = _TOKEN.match(data, at, self._stop)
            assert match is not None
            mark, end = data[at : at + 1], match.end()
            if mark == b'"':
                end = self._quoted(at)
                if opened:
                    opened[-1].name = (at, end)
            elif mark in b"[{":
                if self._whole:
                    raise BadJson("this is not valid JSON", at)
                opened.append(_Open(mark, at))
                if len(opened) > _DEEPEST:
                    raise BadJson("it is nested too deep", at)
            elif mark in b"]}":
                self._close(mark, at)
            elif opened and end - opened[-1].begin >= PART and (comma := data.rfind(b",", at, end)) >= 0:
                self._flush(len(opened) - 1, comma)
            if not opened and mark not in b"]}" and data[at:end].strip():
                raise BadJson("this is not valid JSON", at)
            at = end
        if opened or len(self._whole) != 1:
            raise BadJson("this is not valid JSON", self._stop)
        return self._whole[0]

    def _quoted(self, at: int) -> int:
        """Return where the text that begins here ends."""
        data, end = self._data, at + 1
        while True:
            match = _QUOTED.match(data, end, self._stop)
            assert match is not None
            end = match.end()
            if end - at > LONGEST_TEXT:
                raise BadJson(f"it holds a text of more than {LONGEST_TEXT // 1_000_000} MB", at)
            mark = data[end : end + 1] if end < self._stop else b""
            if mark == b'"':
                return end + 1
            if not mark:
                raise BadJson("this is not valid JSON", self._stop)
            end += 2 * (mark == b"\\")

    def _flush(self, level: int, comma: int) -> None:
        """Decode a list or table up to one of its commas, and those around it up to its beginning."""
        self._enter_all(self._open[: level + 1])
        one = self._open[level]
        self._take(one, comma, "comma")
        one.begin, one.behind = comma + 1, "comma"

    def _enter_all(self, levels: list[_Open]) -> None:
        """Decode what precedes a large value in the values around it; keep the key of each."""
        for outer, inner in pairwise(levels):
            if outer.begin > inner.place:
                continue
            place = inner.place
            if outer.kind == b"{":
                first, last = outer.name
                if first < outer.begin or self._data[last:place].strip() != b":":
                    raise BadJson("this is not valid JSON", place)
                outer.key = _decoded(self._data[first:last], first)
                place = first
            self._take(outer, place, "value")
            outer.begin = self._stop  # until the large value is closed

    def _take(self, one: _Open, stop: int, end: _Edge) -> None:
        """Decode what is between `begin` and `stop`, where an edge of kind `end` is."""
        part, start = self._data[one.begin : stop].strip(), one.behind
        if start == "value" and part:
            if not part.startswith(b","):
                raise BadJson("this is not valid JSON", one.begin)
            part, start = part[1:].strip(), "comma"
        lacks = {"start": ("comma",), "value": ("value",), "comma": ("comma", "end")}[start]
        if not part and end in lacks:
            raise BadJson("this is not valid JSON", stop)
        if part and end == "value":
            if not part.endswith(b",") or part == b",":
                raise BadJson("this is not valid JSON", stop)
            part = part[:-1]
        value = _decoded(one.kind + part + _CLOSES[one.kind], one.begin, 1)
        if one.value is None:
            one.value = value
        elif one.kind == b"[":
            one.value += value
        else:
            one.value.update(value)

    def _close(self, mark: bytes, at: int) -> None:
        """End the innermost list or table."""
        if not self._open or mark != _CLOSES[self._open[-1].kind]:
            raise BadJson("this is not valid JSON", at)
        one = self._open[-1]
        if one.value is None and len(self._open) > 1 and at - one.place < PART:
            self._open.pop()  # small: it is decoded with what stands around it
            return
        self._enter_all(self._open)
        self._take(one, at, "end")
        self._open.pop()
        if not self._open:
            self._whole.append(one.value)
            return
        outer = self._open[-1]
        if outer.kind == b"[":
            outer.value.append(one.value)
        else:
            outer.value[outer.key] = one.value
        outer.begin, outer.behind = at + 1, "value"
