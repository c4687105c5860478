"""Straight columns: how many terminal columns a text takes, and how it is cut or filled to a number of them.

The measure is the one that Rich and Textual lay out by; texts are expected to have passed `clean`.
"""

from __future__ import annotations

from typing import Literal

from tui.core.base.text import clusters
from tui.ui.width import cell_len

Align = Literal["left", "right", "center"]


def cells(text: str) -> int:
    """The columns that the text takes on a terminal."""
    return cell_len(text)


def fit(text: str, width: int, ellipsis: str = "…") -> str:
    """The text if it takes at most `width` columns, else its beginning and an ellipsis, at most `width` together.

    No cluster (wide, combining, joined picture) is ever split. Where not even the ellipsis has room
    the result is its beginning that has; below one column it is "".
    """
    if cell_len(text) <= width:
        return text
    if cell_len(ellipsis) > width:
        return _beginning(ellipsis, width)
    # A blank before the ellipsis would read as a gap between two words.
    return _beginning(text, width - cell_len(ellipsis)).rstrip(" ") + ellipsis


def pad(text: str, width: int, align: Align = "left", ellipsis: str = "…") -> str:
    """The text in exactly `width` columns: cut by `fit` or filled with spaces."""
    short = fit(text, width, ellipsis)
    spare = max(0, width - cell_len(short))
    match align:
        case "left":
            return short + " " * spare
        case "right":
            return " " * spare + short
        case "center":
            return " " * (spare // 2) + short + " " * (spare - spare // 2)


def _beginning(text: str, width: int) -> str:
    """The longest run of whole clusters that takes at most `width` columns."""
    kept, used = [], 0
    for cluster in clusters(text):
        used += cell_len(cluster)
        if used > width:
            break
        kept.append(cluster)
    return "".join(kept)
