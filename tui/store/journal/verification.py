"""Check a whole journal and write a repaired copy: the two halves of `tocsin check`.

Records are ordered by their own numbers, never by a clock or by their order in the file. The longest run of
readable records from 1 on is kept; it is a state that the fight was in. A readable record with a wrong seal
is kept, and named in a finding.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal
from zlib import crc32

import msgspec

from tui.store.disk import Disk, create_file
from tui.store.journal.format import (
    SEAL,
    SEAL_SIZE,
    SEARCH_BYTES,
    Header,
    Offset,
    Record,
    seal_block,
    write_header,
    write_pending,
    write_step,
)
from tui.store.journal.reader import (
    LINE_ENDS_CHANGED,
    explain_layout,
    find_blocks,
    read_header,
    read_journal_bytes,
)
from tui.store.journal.records import FOREIGN_CAP, Records, convert_record, count_pending, pause_gc
from tui.store.journal.recovery import Piece, Torn, free_repair_path, is_whole, judge_end, split_pieces
from tui.store.problems import (
    BadFile,
    DamagedSave,
    Edited,
    JournalError,
    NotSaved,
    from_os_error,
    make_printable,
)
from tui.store.safetoml import parse_toml

DamageKind = Literal[
    "edited", "unreadable", "missing", "twice", "moved", "torn", "left out", "not possible", "layout"
]
Applies = Callable[[Record[Any]], str]

_STEP = re.compile(rb'^[ \t]*\[\[[ \t]*"?step"?[ \t]*\]\][ \t]*(?:#[^\n]*)?$', re.MULTILINE)
_SEAL = rb"# \d{1,9} \d{1,9} [0-9a-f]{8}"
_SEAL_WITHOUT_END = rb"\n" + _SEAL + rb"\Z"
_OWN_LINES = re.compile(rb"# pending |\[\[step\]\]")


class Finding(msgspec.Struct, frozen=True):
    """A finding of a check: line, step (0: none), kind, and message."""

    line: int
    step: int
    kind: DamageKind
    message: str


class FoundRecord(msgspec.Struct, frozen=True, gc=False):
    """A record in the file: its line, and whether its seal is right."""

    line: int
    step: Record[Any]
    has_seal: bool


class Survey(msgspec.Struct, frozen=True):
    """The result of a check."""

    header: Header
    steps: list[Record[Any]]
    """The good records, from 1 on."""
    findings: list[Finding]
    """All findings in the order of their lines."""
    sound: bool
    """Whether the journal opens as it is: at most its end is torn."""
    stop_line: int = 0
    """The line at which the check stopped after too many findings; 0 if it did not."""


class Repaired(msgspec.Struct, frozen=True):
    """The repaired copy: its path, and the findings on the way."""

    path: str
    survey: Survey


MOST_FINDINGS = 100
"""How many findings end a check: a file with more has to be repaired, not read about."""


def check_journal(path: str, event_type: Any, applies: Applies | None = None) -> Survey:
    """Return the survey of a journal, up to MOST_FINDINGS findings.

    `applies(step)`, called in order, returns why a step is impossible, or "". Raises JournalError if the file
    cannot be opened or its header cannot be read.
    """
    data, _ = read_journal_bytes(path)
    return survey_journal(data, event_type, path, applies, MOST_FINDINGS)


def repair_journal(
    path: str, event_type: Any, applies: Applies | None = None, *, disk: Disk | None = None
) -> Repaired:
    """Write the records that can be kept to `NAME-repaired.toml` (or -2, -3 …); the original is only read.

    Raises JournalError as `check_journal` does; NotSaved.
    """
    disk = disk or Disk()
    data, _ = read_journal_bytes(path, disk)
    report = survey_journal(data, event_type, path, applies)
    while True:
        target = free_repair_path(path)
        try:
            disk.close(create_file(disk, target, _write_journal(report))[0])
        except FileExistsError:  # someone has just made a file of that name
            continue
        except OSError as error:
            raise from_os_error(error) from error
        else:
            return Repaired(target, report)


def read_damaged_header(data: bytes, path: str = "") -> Header:
    """Return the header even if its seal does not fit. Raises JournalError if it cannot be read."""
    return _read_header(_normalize(data, []), path, [])[0]


def survey_journal(
    data: bytes, event_type: Any, path: str = "", applies: Applies | None = None, most: int | None = None
) -> Survey:
    """Return the survey of the bytes of a journal; the check stops at `most` findings."""
    findings: list[Finding] = []
    data = _normalize(data, findings)
    harmless = [f for f in findings if f.message == _NO_LINE_FEED]
    header, top = _read_header(data, path, findings)
    # Reading makes many objects and few cycles: garbage collection in between would double the time.
    with pause_gc():
        found, torn, stopped = _collect_records(data, top, event_type, path, findings, most)
        steps = _longest_run(found, findings, applies)
    harmless += [torn[0]] if torn and not torn[1].behind else []
    sound = not stopped and all(any(f is one for one in harmless) for f in findings)
    return Survey(header, steps, sorted(findings, key=lambda f: f.line)[:most], sound, stopped)


_NO_LINE_FEED = "the last line feed is missing; the next step adds it"


def _normalize(data: bytes, findings: list[Finding]) -> bytes:
    """Return the bytes in our own encoding with Unix line ends, undoing the changes of editors."""
    data = _normalize_lines(data, findings)
    if re.search(_SEAL_WITHOUT_END, data[-SEAL_SIZE:]):
        findings.append(Finding(data.count(b"\n") + 1, 0, "layout", _NO_LINE_FEED))
        return data + b"\n"
    return data


def _normalize_lines(data: bytes, findings: list[Finding]) -> bytes:
    """Return the bytes in UTF-8 with Unix line ends; add a finding for each change."""
    if reason := explain_layout(data):
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            with contextlib.suppress(UnicodeDecodeError):
                data = data.decode("utf-16").encode()
        data = data.removeprefix(b"\xef\xbb\xbf")
        findings.append(Finding(1, 0, "layout", reason))
    if b"\r\n" in data:
        if reason != LINE_ENDS_CHANGED:
            findings.append(Finding(1, 0, "layout", LINE_ENDS_CHANGED))
        # Two programs may have changed the same line ends, one after the other.
        data = re.sub(rb"\r+\n", b"\n", data)
    if reason and data.count(b"\r") > data.count(b"\n"):
        data = data.replace(b"\r", b"\n")
    return data


def _read_header(data: bytes, path: str, findings: list[Finding]) -> tuple[Header, Offset]:
    try:
        return read_header(data, path)
    except Edited as error:
        findings.append(Finding(1, 0, "edited", error.message))
    except DamagedSave as error:
        # A header that cannot be read cannot be repaired here, and the error does not offer to.
        raise DamagedSave(path, error.line, 0, error.message, "") from None
    first = _STEP.search(data, 0, SEARCH_BYTES)
    stop = first.start() if first else len(data)
    match = SEAL.search(data, 0, stop)
    block = data[: match.start() + 1] if match else data[:stop].rstrip(b"\n") + b"\n"
    fixed = b"%b# 0 %d %08x\n" % (block, len(block), crc32(block))
    try:
        header = read_header(fixed, path)[0]
    except DamagedSave as error:
        raise DamagedSave(path, error.line, 0, error.message, "") from None
    # The CRC that is stored in the file, not the right one: the records were chained on the stored one.
    return header, Offset(match.end() + 1 if match else stop, 0, int(match[3], 16) if match else 0)


def _collect_records(
    data: bytes, top: Offset, event_type: Any, path: str, findings: list[Finding], most: int | None
) -> tuple[dict[int, list[FoundRecord]], tuple[Finding, Torn] | None, int]:
    """Return the readable records by number, the finding of a torn end, and the line of an early stop.

    The check stops early when `most` findings are there or certain; the line is 0 if it did not.
    """
    # A torn end is removed first; otherwise the harmless remainder of a crash would be reported as damage.
    data, torn = _cut_torn_end(data, top, path)
    findings += [torn[0]] if torn else []
    pieces = split_pieces(data, top)
    # By the seals as stored, so that one damaged record does not make all later ones look edited.
    seals = {0: top.crc, **{piece.number: piece.crc for piece in pieces}}
    records = Records(event_type, path, room=len(data))
    found: dict[int, list[FoundRecord]] = {}
    coming = stopped = 0
    for piece in pieces:
        if most is not None and len(findings) + coming >= most:
            stopped = records.line_at(data, piece.start)
            break
        blocks, rest = _split_records(data, piece, path, alone=len(pieces) == 1)
        if rest:
            line = data[: piece.stop - rest].count(b"\n") + 1
            findings.append(Finding(line, 0, "unreadable", f"{rest} bytes that are not a finished step"))
        for start, stop in blocks:
            try:
                step, whole = _read_record(records, data, start, stop)
            except JournalError as error:
                words = f"step {error.step}: {error.message}"
                findings.append(Finding(error.line, max(error.step, 0), "unreadable", words))
                continue
            sealed = (
                whole
                and (start, stop, step.number) == (piece.start, piece.stop, piece.number)
                and _has_right_seal(piece, data, seals)
            )
            line = records.line_at(data, start)
            others = found.setdefault(step.number, [])
            # Both are findings later: a record whose seal does not fit, and a record that occurs twice.
            coming += not sealed or bool(others)
            others.append(FoundRecord(line, step, sealed))
    if records.foreign > FOREIGN_CAP:
        words = f"{records.foreign} bytes were rewritten by another program, too many to open"
        findings.append(Finding(1, 0, "layout", words))
    return found, torn, stopped


def _cut_torn_end(data: bytes, top: Offset, path: str) -> tuple[bytes, tuple[Finding, Torn] | None]:
    """Return the bytes without a torn end, and the finding that names it."""
    _, good = find_blocks(data, top)
    # A crash never leaves a header without its seal: if another program has removed all seals, nothing is
    # torn.
    verdict = judge_end(data, good, path) if top.crc and good.offset < len(data) else None
    if not isinstance(verdict, Torn):
        return data, None
    return data[: good.offset], (Finding(verdict.line, verdict.number, "torn", verdict.words), verdict)


def _has_right_seal(piece: Piece, data: bytes, seals: dict[int, int]) -> bool:
    """Return whether a piece's seal is right for its number, wherever the piece is in the file."""
    block = data[piece.start : piece.stop]
    before = seals.get(piece.number - 1)
    return before is not None and piece.length == len(block) and crc32(block, before) == piece.crc


def _split_records(data: bytes, piece: Piece, path: str, *, alone: bool) -> tuple[list[tuple[int, int]], int]:
    """Return the spans of a piece's records, and the number of unfinished bytes at its end.

    There are several records if a seal between them is broken. `alone`: there is no other piece, as in a file
    whose seals a formatter has dropped with all comments.
    """
    starts = [place for place in _find_record_starts(data, piece.start, piece.stop)] or [piece.start]  # noqa: C416
    starts[0] = piece.start
    blocks = list(zip(starts, [*starts[1:], piece.stop], strict=True))
    last = data[slice(*blocks[-1])]
    # A crash leaves nothing after a seal: if a comment follows it, the record was whole.
    whole = alone or re.match(_SEAL, last.rstrip(b"\n").rpartition(b"\n")[2]) is not None
    if piece.number >= 0 or is_whole(last, piece, path) or (whole and _is_record(last, path)):
        return blocks, 0
    return blocks[:-1], piece.stop - blocks[-1][0]


def _find_record_starts(data: bytes, start: int, stop: int) -> Iterator[int]:
    """Yield the offsets at which records begin in a piece.

    A very long piece may be one line and is searched word by word.
    """
    if stop - start <= SEARCH_BYTES:
        yield from (match.start() for match in _STEP.finditer(data, start, stop))
        return
    while (start := data.find(b"step", start, stop)) >= 0:
        line = data.rfind(b"\n", 0, start) + 1
        if _STEP.match(data, line, stop):
            yield line
        start += 1


def _is_record(block: bytes, path: str) -> bool:
    """Return whether the bytes are a whole record, with or without a seal."""
    try:
        convert_record(parse_toml(block, path)["step"][0])
    except (BadFile, ValueError, RecursionError, TypeError, KeyError, IndexError):
        return False
    return True


def _read_record(records: Records, data: bytes, start: int, stop: int) -> tuple[Record[Any], bool]:
    """Return (record, whole): the record in a block, and whether the block has nothing else.

    If it has, a damaged last line, which was a seal, is ignored. Raises JournalError.
    """
    match = re.search(rb"^n\s*=\s*(\d{1,9})\s*$", data[start : min(stop, start + 200)], re.MULTILINE)
    number = int(match[1]) if match else None
    try:
        # If the record does not begin with its number, only the parser can tell which number is its own.
        if number is None:
            step = records.strict(data, start, stop, None)
        else:
            step = records.step(data, start, stop, number)
    except JournalError:
        cut = data.rfind(b"\n", start, stop - 1) + 1
        is_seal = cut > start and stop - cut <= SEAL_SIZE and b"=" not in data[cut:stop]
        if not is_seal or _OWN_LINES.match(data, cut, stop):
            raise
        return records.strict(data, start, cut, number), False
    block = data[start:stop]
    # The fast pattern may misread a layout that this program never writes; writing the step back shows
    # whether it did.
    ours = write_step(step) + write_pending(count_pending(block))
    return (step if ours == block else records.strict(data, start, stop, number)), True


def _longest_run(
    found: dict[int, list[FoundRecord]], findings: list[Finding], applies: Applies | None
) -> list[Record[Any]]:
    """Return the records from 1 on until one is missing or impossible; add findings about the rest."""
    steps: list[Record[Any]] = []
    line = 0
    # Not past a gap: a later record without the ones before it describes a state that never existed.
    while one := _choose_record(found, len(steps) + 1, findings):
        if not one.has_seal:
            words = f"step {one.step.number} does not fit its seal; it counts as it reads now"
            findings.append(Finding(one.line, one.step.number, "edited", words))
        if one.line < line:
            words = f"step {one.step.number} is at the wrong place"
            findings.append(Finding(one.line, one.step.number, "moved", words))
        reason = applies(one.step) if applies else ""
        if reason:
            findings.append(Finding(one.line, one.step.number, "not possible", make_printable(reason)))
            break
        line = max(line, one.line)
        steps.append(one.step)
    _name_left_out(found, len(steps), findings)
    return steps


def _choose_record(
    found: dict[int, list[FoundRecord]], number: int, findings: list[Finding]
) -> FoundRecord | None:
    """Return the record of a number, one with the right seal first.

    None if there is none, or if two conflict.
    """
    candidates = sorted(found.get(number, []), key=lambda one: not one.has_seal)
    if not candidates:
        return None
    words = f"step {number} is there twice"
    findings += [Finding(other.line, number, "twice", words) for other in candidates[1:]]
    rivals = [one for one in candidates if one.has_seal == candidates[0].has_seal]
    return candidates[0] if all(one.step == candidates[0].step for one in rivals) else None


def _name_left_out(found: dict[int, list[FoundRecord]], last: int, findings: list[Finding]) -> None:
    later = sorted(number for number in found if number > last)
    if not later:
        return
    first = found[later[0]][0]
    if later[0] > last + 1:
        findings.append(Finding(first.line, last + 1, "missing", f"step {last + 1} is missing or unreadable"))
    words = f"{len(later)} steps from {later[0]} to {later[-1]} are valid but cannot follow step {last}"
    findings.append(Finding(first.line, later[0], "left out", words))


def _write_journal(report: Survey) -> bytes:
    """Return the journal of a survey with every seal computed again. Raises NotSaved."""
    try:
        block, crc = seal_block(0, write_header(report.header), 0)
        pieces = [block]
        for step in report.steps:
            piece, crc = seal_block(step.number, write_step(step), crc)
            pieces.append(piece)
    except ValueError as error:
        raise NotSaved(f"a step cannot be written: {error}") from None
    return b"".join(pieces)
