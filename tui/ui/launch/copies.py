"""What was copied last, in a file beside the save: for terminals that keep their clipboard to themselves."""

from __future__ import annotations

from tui.store.disk import Disk, put
from tui.store.problems import plain


def keep_copy(save: str, text: str, disk: Disk | None = None) -> str:
    """Writes `NAME.copy.txt`, for its owner alone, whole or not at all; its name. Raises OSError."""
    path = save.removesuffix(".toml") + ".copy.txt"
    put(disk or Disk(), path, [text.encode(errors="replace"), b"\n"])
    return plain(path)
