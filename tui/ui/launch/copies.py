"""What was copied last, in a file beside the save: for terminals that keep their clipboard to themselves."""

from __future__ import annotations

from tui.store.disk import Disk, discard, stage
from tui.store.problems import plain


def keep_copy(save: str, text: str, disk: Disk | None = None) -> str:
    """Writes `NAME.copy.txt`, for its owner alone, whole or not at all; its name. Raises OSError."""
    disk = disk or Disk()
    path = save.removesuffix(".toml") + ".copy.txt"
    fd, temporary, _ = stage(disk, path, [text.encode(errors="replace"), b"\n"], durable=False)
    disk.close(fd)
    try:
        disk.replace(temporary, path)
    except OSError:
        discard(disk, temporary)
        raise
    return plain(path)
