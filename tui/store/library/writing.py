"""Files of the library: written whole or not at all, and never over one that exists unless that is asked."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import count

from tui.store.disk import Disk, discard, publish, put
from tui.store.problems import NotSaved, not_saved
from tui.store.saves import make_folder


def write(path: str, text: str, *, over: bool = False, disk: Disk | None = None) -> None:
    """A private file, on the disk with its name; one that exists is exchanged only with `over`.

    Raises FileExistsError, and NotSaved.
    """
    disk = disk or Disk()
    try:
        make_folder(os.path.dirname(path))
        if over:
            put(disk, path, [text.encode()])
        else:
            fd, _ = publish(disk, path, [text.encode()])
            disk.close(fd)
    except FileExistsError:
        raise
    except OSError as error:
        found = not_saved(error)
        # The usual hints speak of saves.
        raise NotSaved(found.message, "nothing was written", found.code) from None


def write_all(folder: str, stem: str, texts: Iterable[str], disk: Disk | None = None) -> list[str]:
    """New files `stem`.toml, `stem`-2.toml …, under names that are free: all of them or none; their paths. NotSaved."""
    disk = disk or Disk()
    written: list[str] = []
    numbers = count(1)
    try:
        for text in texts:
            path = _written(folder, stem, text, numbers, disk)
            written.append(path)
    except BaseException:
        for path in written:
            discard(disk, path)
        raise
    return written


def _written(folder: str, stem: str, text: str, numbers: Iterable[int], disk: Disk) -> str:
    for number in numbers:
        path = os.path.join(folder, f"{stem}{'' if number == 1 else f'-{number}'}.toml")
        try:
            write(path, text, disk=disk)
        except FileExistsError:
            continue
        return path
    raise AssertionError("numbers do not end")
