"""What a seat is answered: one small file, exchanged whole, by which the seat knows the latest number that was taken."""

from __future__ import annotations

import os
from typing import Final, Literal

import msgspec
from msgspec import Struct

from tui.store.disk import Disk, discard, read_regular, stage, sync_folder
from tui.store.problems import BadFile

_CAP: Final = 16_000  # bytes

Became = Literal["", "taken", "refused", "waits"]
"""What became of an answer: nothing yet; it is on the disk; it is refused; it waits for the other players."""


class Reply(Struct, frozen=True):
    """The latest word to a seat: what became of answer `number`, why, what would work; `word` is from the others."""

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
    """The latest reply; an empty one where nothing was answered yet, or nothing that can be read."""
    if not os.path.lexists(path):
        return Reply()
    try:
        return msgspec.json.decode(read_regular(Disk(), path, _CAP)[0], type=Reply)
    except (BadFile, ValueError, RecursionError):
        return Reply()
