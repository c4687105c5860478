"""How many columns a text takes on a terminal: what Rich and Textual lay out by.

Rich is asked only for what is beyond ASCII and the signs that our own frames are drawn with: it is loaded after the
first picture. In a Python that has just started it takes 6 ms of the processor.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

NARROW: Final = (
    (0xA1, 0xAC), (0xAE, 0x17F),  # Latin letters and signs
    (0x2010, 0x2027), (0x2030, 0x203B),  # dashes, bullets, the ellipsis, angle quotes
    (0x2190, 0x2193), (0x2500, 0x25FC),  # arrows, frames, blocks, triangles, circles
    (0x2713, 0x2718),  # ticks and crosses
)  # fmt: skip
"""Characters of one column each, first and last of each range; a law holds them against Rich."""

_KNOWN: Final = dict.fromkeys((code for low, high in NARROW for code in range(low, high + 1)), "x")


@lru_cache(maxsize=4096)
def cell_len(text: str) -> int:
    """The columns of a text."""
    if text.isascii() and text.isprintable():
        return len(text)
    known = text.translate(_KNOWN)
    if known.isascii() and known.isprintable():
        return len(text)
    from rich.cells import cell_len as measured

    return measured(text)
