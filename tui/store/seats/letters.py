"""Encode a seat's sealed answers and the replies to them."""

from __future__ import annotations

import hmac
import os
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from tui.core.base.text import LONGEST_LINE
from tui.core.fight.standpoint import Standpoint
from tui.store.disk import Disk, discard, read_regular, stage, sync_folder
from tui.store.problems import BadFile

CAP: Final = 64_000
"""Bytes of an answer at the most."""

MOST_NUMBER: Final = 10**15
Number = Annotated[int, Meta(ge=1, le=MOST_NUMBER)]


class SeatAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat sends.

    `moment` is what its player saw when it was sent, `mac` an HMAC-SHA256 over all the rest.
    """

    save: Annotated[str, Meta(max_length=200)]
    seat: Annotated[str, Meta(max_length=64)]
    number: Number
    moment: Standpoint
    line: Annotated[str, Meta(min_length=1, max_length=LONGEST_LINE)]
    mac: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    format: Literal[1]


class Unfit(Exception):  # noqa: N818 - what it is, not what went wrong
    """A file that is no answer of this seat.

    `reason` is fit for the GM's eyes: never a word of what the file says.
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
        SeatAnswer(save, seat, number, moment, line, _mac(key, save, seat, number, moment, line), 1)
    )


def read_answer(data: bytes, key: bytes, seat: str) -> SeatAnswer:
    """Return the answer in these bytes, if this seat has sealed them. Raises Unfit, and nothing else.

    What its line says, and which save it is meant for, is looked at by whoever answers: a seat waits for
    that.
    """
    if len(data) > CAP:
        raise Unfit("too large")
    try:
        answer = _DECODER.decode(data)
        true = _mac(key, answer.save, answer.seat, answer.number, answer.moment, answer.line)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors; so are lone surrogates
        raise Unfit("not an answer, or only half of one") from None
    if answer.seat.lower() != seat.lower():
        raise Unfit("in another seat's name")
    if not hmac.compare_digest(true, answer.mac):
        raise Unfit("not sealed by this seat's key")
    return answer


def _mac(key: bytes, save: str, seat: str, number: int, moment: Standpoint, line: str) -> str:
    said = msgspec.json.encode(["tocsin seat 1", save, seat, number, moment, line])
    return hmac.digest(key, said, "sha256").hex()


_CAP: Final = 16_000  # bytes

Became = Literal["", "taken", "refused", "waits"]
"""What became of an answer: nothing yet; it is on the disk; it is refused; it waits for the other players."""


class Reply(Struct, frozen=True):
    """The latest word to a seat: what became of answer `number`, why, what would work.

    `word` is from the others.
    """

    number: int = 0
    became: Became = ""
    why: str = ""
    hint: str = ""
    word: str = ""
    format: int = 1


def write_reply(path: str, reply: Reply, mode: int) -> None:
    """Exchanges the reply, and returns when it is on the disk. Raises OSError."""
    disk = Disk()
    fd, temporary, _ = stage(disk, path, [msgspec.json.encode(reply)], mode)
    try:
        disk.close(fd)
        disk.replace(temporary, path)
    except OSError:
        discard(disk, temporary)
        raise
    sync_folder(disk, path)


def read_reply(path: str) -> Reply:
    """Return the latest reply; an empty one if nothing readable was answered yet."""
    if not os.path.lexists(path):
        return Reply()
    try:
        return msgspec.json.decode(read_regular(Disk(), path, _CAP)[0], type=Reply)
    except (BadFile, ValueError, RecursionError):
        return Reply()
