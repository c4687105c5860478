"""Text to cells: one string per column, a wide character's second column being ""."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from tui.ui.width import cell_len

JOINER: Final = "\u200d"
LOST: Final = "\ufffd"
CLUSTER: Final = 12
"""Code points kept of one cluster; the longest family of pictographs has 7, and a few marks."""

CERTAIN: Final = (
    (0x20, 0x36F), (0x370, 0x482), (0x48A, 0x52F), (0x1E00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E),
    (0x20A0, 0x20BF), (0x2100, 0x27BF), (0x2800, 0x2BFF), (0x3000, 0x303E), (0x3041, 0x3096),
    (0x309B, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFF01, 0xFF60),
    (0xFFFD, 0xFFFD), (0x1F300, 0x1F3FA), (0x1F400, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F900, 0x1F9FF),
    (0x20000, 0x3FFFD),
)  # fmt: skip
"""Code points whose width every terminal of the last ten years agrees on."""


@lru_cache(maxsize=4096)
def doubtful(cell: str) -> bool:
    """Whether terminals disagree about how far this cluster moves the cursor."""
    return any(not any(low <= ord(c) <= high for low, high in CERTAIN) for c in cell)


def _safe(character: str) -> str:
    """The character, U+FFFD for one that no screen should be sent, "" for one without width."""
    match unicodedata.category(character):
        case "Cc" | "Cf" | "Zl" | "Zp" | "Cs" | "Co" | "Cn":
            return LOST if cell_len(character) else ""
        case _:
            return character


def _clusters(text: str) -> Iterator[str]:
    """A base character with everything that hangs on it; nothing that can steer a terminal."""
    cluster, joins = "", False
    for character in text:
        safe = _safe(character)
        if joins:  # a joiner takes whatever comes next, as Rich counts it
            cluster, joins = cluster + safe if safe else cluster[:-1], False
        elif character == JOINER:
            cluster, joins = cluster + JOINER, True
        elif not cell_len(safe):
            cluster += safe if cluster else ""
        else:
            yield cluster
            cluster = safe
            # The replacement may be narrower: the second column is filled, so that all behind it stays.
            if cell_len(character) > cell_len(safe):
                yield safe
                cluster = " "
    yield cluster


def _columns(cluster: str) -> tuple[str, ...]:
    width, kept = cell_len(cluster), cluster[:CLUSTER].rstrip(JOINER)
    # Rich counts some clusters wider than two columns, where no terminal agrees: they are shown as lost.
    return (kept, *[""] * (width - 1)) if 0 < width <= 2 else (LOST, *" " * (width - 1))[:width]


@lru_cache(maxsize=2048)
def cells(text: str) -> tuple[str, ...]:
    """The columns of a text, as many as Rich counts.

    Control characters fall out, so that the wire is safe whatever reaches it (.github/PROMISES.md, 6); marks
    without a base fall out too (`leading`).
    """
    return tuple(column for cluster in _clusters(text) for column in _columns(cluster))


@lru_cache(maxsize=2048)
def leading(text: str) -> str:
    """The marks at the start of a text, which belong to the cell before it."""
    end = 0
    while end < len(text) and _safe(text[end]) and not cell_len(text[end]):
        end += 1
    return text[:end][:CLUSTER]
