"""Keep a seat's inbox of small files: its sealed answers, the replies, and the list of rejections.

The list has time, seat and reason of each rejection, never the text that was sent. The writer adds to it, and
so does a seat whose key was used for another command; the writer reads such lines and tells the GM.
"""

from __future__ import annotations

import errno
import hmac
import os
import re
import stat
from contextlib import suppress
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from tui.core.base.text import LONGEST_LINE
from tui.core.fight.standpoint import Standpoint
from tui.store.disk import (
    NEW,
    READ,
    Disk,
    discard,
    read_range,
    read_regular,
    replace_file,
    write_all,
)
from tui.store.ownfolder import OwnFolder
from tui.store.players.folder import TableFolder, open_table_part
from tui.store.problems import BadFile, make_printable
from tui.store.seats.seat import OF_SEAT, PlayerSeat
from tui.store.sources import unix_time, utc_now

CAP: Final = 64_000
"""The most bytes of an answer."""

MOST_NUMBER: Final = 10**15
Number = Annotated[int, Meta(ge=1, le=MOST_NUMBER)]


class SeatAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that a seat sends.

    `moment` is the fight as its player saw it, `mac` an HMAC-SHA256 of the rest.
    """

    save: Annotated[str, Meta(max_length=200)]
    seat: Annotated[str, Meta(max_length=64)]
    number: Number
    moment: Standpoint
    line: Annotated[str, Meta(min_length=1, max_length=LONGEST_LINE)]
    mac: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    format: Literal[1]


class Unfit(Exception):  # noqa: N818 - what it is, not what went wrong
    """The file is not an answer of this seat.

    `reason` is for the GM and never contains a word of the file.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


_DECODER = msgspec.json.Decoder(SeatAnswer)


def write_answer(key: bytes, save: str, seat: str, number: int, moment: Standpoint, line: str) -> bytes:
    """Return the bytes of a sealed answer. Raises ValueError for a line that no answer may hold."""
    if not 1 <= len(line) <= LONGEST_LINE:
        raise ValueError(f"the line has {len(line)} characters, and {LONGEST_LINE} are the most")
    return msgspec.json.encode(
        SeatAnswer(save, seat, number, moment, line, _compute_mac(key, save, seat, number, moment, line), 1)
    )


def read_answer(data: bytes, key: bytes, seat: str) -> SeatAnswer:
    """Return the answer in these bytes, if this seat has sealed it. Raises Unfit, and nothing else.

    The line and the save in the answer are checked later, by the process that replies, because a seat waits
    for a reply.
    """
    if len(data) > CAP:
        raise Unfit("too large")
    try:
        answer = _DECODER.decode(data)
        true = _compute_mac(key, answer.save, answer.seat, answer.number, answer.moment, answer.line)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors; so are lone surrogates
        raise Unfit("not an answer, or only half of one") from None
    if answer.seat.lower() != seat.lower():
        raise Unfit("in another seat's name")
    if not hmac.compare_digest(true, answer.mac):
        raise Unfit("not sealed by this seat's key")
    return answer


def _compute_mac(key: bytes, save: str, seat: str, number: int, moment: Standpoint, line: str) -> str:
    data = msgspec.json.encode(["tocsin seat 1", save, seat, number, moment, line])
    return hmac.digest(key, data, "sha256").hex()


_REPLY_CAP: Final = 16_000  # bytes

Became = Literal["", "taken", "refused", "waits"]
"""The state of an answer: no reply yet; it is on the disk; it is refused; it waits for the other players."""


class Reply(Struct, frozen=True):
    """The latest reply to a seat: the state of answer `number`, the reason, a hint.

    `word` is a message from the other seats.
    """

    number: int = 0
    became: Became = ""
    why: str = ""
    hint: str = ""
    word: str = ""
    format: int = 1


def write_reply(path: str, reply: Reply) -> None:
    """Replace the reply; it is on the disk when this returns. Raises OSError."""
    with open_table_part(os.path.dirname(path)) as folder:
        replace_file(folder, os.path.basename(path), [msgspec.json.encode(reply)], 0o600, durable=True)


def read_reply(path: str) -> Reply:
    """Return the latest reply; an empty one if nothing readable was answered yet."""
    try:
        with open_table_part(os.path.dirname(path)) as folder:
            return msgspec.json.decode(
                read_regular(folder, os.path.basename(path), _REPLY_CAP)[0], type=Reply
            )
    except (OSError, BadFile, ValueError, RecursionError):
        return Reply()


MOST_FILES: Final = 256
"""The most files that one look handles; the others wait for the next look."""

STALE_SECONDS: Final = 60.0
"""How long an unfinished file is left alone, in seconds; an older one is deleted."""

_NAME = re.compile(r"([1-9][0-9]{0,15})-[0-9a-f]{16}\.json")
_TEMPORARY_PREFIX = ".tmp-"


class Letter(Struct, frozen=True):
    """A file in an inbox; `number` is the number in its name, 0 for a name that no answer has."""

    path: str
    number: int


def put_sealed(folder: str, number: int, data: bytes) -> None:
    """Put a sealed line of a seat into an inbox, whole or not at all. Raises OSError."""
    name = f"{number}-{os.urandom(8).hex()}.json"
    hidden = _TEMPORARY_PREFIX + name
    with open_table_part(folder) as disk:
        fd = disk.open(hidden, NEW)
        try:
            write_all(disk, fd, data)
            disk.fsync(fd)
            disk.replace(hidden, name)
        except OSError:
            discard(disk, hidden)
            raise
        finally:
            disk.close(fd)


def letters(folder: str) -> list[Letter]:
    """Return the letters in an inbox by number; files with other names have number 0 and come first.

    Files with other names keep no letter from being read. An unfinished file is left out for STALE_SECONDS.
    """
    ours, other = list[Letter](), list[Letter]()
    with suppress(OSError), open_table_part(folder) as disk:
        for name in disk.listdir():
            matched = _NAME.fullmatch(name)
            if len(ours) >= MOST_FILES:
                break
            if matched:
                ours.append(Letter(os.path.join(folder, name), int(matched[1])))
            elif len(other) < MOST_FILES and not _is_young(disk, name):
                other.append(Letter(os.path.join(folder, name), 0))
    return sorted([*other, *ours], key=lambda letter: (letter.number, letter.path))


def _is_young(disk: OwnFolder, name: str) -> bool:
    """Return whether a file may still be written to."""
    if not name.startswith(_TEMPORARY_PREFIX):
        return False
    try:
        return unix_time() - disk.lstat(name).st_mtime < STALE_SECONDS
    except OSError:  # the file has just been renamed
        return True


def read_letter(letter: Letter) -> bytes:
    """Return the bytes of a letter. Raises Unfit, and nothing else."""
    if not letter.number:
        raise Unfit("a file under a name that no answer has")
    try:
        with open_table_part(os.path.dirname(letter.path)) as folder:
            fd = folder.open(os.path.basename(letter.path), READ)
    except (OSError, ValueError):
        # A link, a device without a driver, or rights that were taken away.
        raise Unfit("a file that cannot be opened") from None
    try:
        _check_plain(os.fstat(fd))
        return read_range(Disk(), fd, 0, CAP + 1)
    except OSError:
        raise Unfit("a file that cannot be read") from None
    finally:
        os.close(fd)


def _check_plain(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Unfit("not a plain file")
    if status.st_nlink > 1:
        raise Unfit("a file with a second name")
    if status.st_uid != os.geteuid():
        raise Unfit("somebody else's file")
    if status.st_size > CAP:
        raise Unfit("too large")


def throw_away(letter: Letter) -> bool:
    """Delete a file or an empty folder with a letter's name; return True if it is gone.

    Files and folders with other names stay.
    """
    name = os.path.basename(letter.path)
    if not OF_SEAT.fullmatch(name):
        return False
    with suppress(OSError), open_table_part(os.path.dirname(letter.path)) as folder:
        with suppress(OSError):
            folder.unlink(name)
        with suppress(OSError):
            folder.rmdir(name)
        return not folder.has(name)
    return False


_THOUSAND: Final = 1_000


class Link:
    """The exchange of one seat with the writer: lines sent and replies received."""

    def __init__(self, seat: PlayerSeat, save: str) -> None:
        """Use this seat for the save of this name."""
        self.seat, self._save = seat, save
        self.sent = 0
        """The number of the latest line that was sent from here."""

    def send(self, line: str, saw: Standpoint) -> int:
        """Send a line; return the number under which it is answered. Raises OSError."""
        # Higher than every number that was answered. It starts from the clock, so that a line that an earlier
        # process sent and that is not answered yet has another number. Only the numbers give the order.
        last = max(self.sent, read_reply(self.seat.reply).number)
        number = min(MOST_NUMBER, max(last + 1, int(unix_time() * _THOUSAND)))
        try:
            data = write_answer(self.seat.key, self._save, self.seat.name, number, saw, line)
        except ValueError as error:
            raise OSError(errno.EMSGSIZE, str(error)) from None
        put_sealed(self.seat.inbox, number, data)
        self.sent = number
        return number

    @property
    def stands(self) -> bool:
        """Whether the seat still exists with this key."""
        return self.seat.stands

    def reply(self) -> Reply:
        """Return the latest reply."""
        return read_reply(self.seat.reply)


_LIST_CAP: Final = 64_000  # bytes; older lines then go to a second file
_LINE: Final = re.compile(r"^(\S+) (.{1,65}?): (.+)$")
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK


def rejections_path(table: TableFolder) -> str:
    """Return the path of the list of rejections."""
    return os.path.join(table.path, "refused.log")


def note(table: TableFolder, seat: str, reason: str) -> None:
    """Add a rejection to the list; ignored if the disk refuses it."""
    name = os.path.basename(rejections_path(table))
    with suppress(OSError), open_table_part(table.path) as folder:
        fd = folder.open(name, _FLAGS)
        try:
            write_all(
                folder,
                fd,
                f"{utc_now()} {make_printable(seat, 64)}: {make_printable(reason)}\n".encode(
                    errors="replace"
                ),
            )
            full = folder.fstat(fd).st_size > _LIST_CAP
        finally:
            folder.close(fd)
        if full:
            folder.replace(name, name + ".1")


class RejectionLog:
    """The list of rejections for one process, which adds to it and reads the lines that others add."""

    def __init__(self, table: TableFolder, since: str = "") -> None:
        """Begin reading at the end of the list, or at the time `since` in the form of the list's lines."""
        self._table, self._since = table, since
        self._at = 0 if since else self._size()

    def note(self, seat: str, reason: str) -> None:
        """Add a rejection of this process, which `news` will not return."""
        note(self._table, seat, reason)
        self._at = self._size()

    def news(self) -> list[tuple[str, str]]:
        """Return the seat and the reason of every line that others have added after the last call."""
        at, self._at = self._at, self._size()
        if self._at == at:
            return []
        with suppress(OSError):
            with open_table_part(self._table.path) as folder:
                fd = folder.open(os.path.basename(rejections_path(self._table)), READ)
            try:
                # Shorter than before: it is a new file.
                data = read_range(Disk(), fd, at if at < self._at else 0, _LIST_CAP * 2)
            finally:
                os.close(fd)
            # Only at the first look: a clock that is set back must not hide later lines.
            since, self._since = self._since, ""
            return [
                (make_printable(seat, 64), make_printable(reason))
                for line in data.decode(errors="replace").split("\n")
                for when, seat, reason in _LINE.findall(line)
                if when >= since
            ]
        return []

    def _size(self) -> int:
        with suppress(OSError), open_table_part(self._table.path) as folder:
            return folder.lstat(os.path.basename(rejections_path(self._table))).st_size
        return 0
