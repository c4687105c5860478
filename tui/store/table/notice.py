"""What the publisher says of the save beside the pages, in the file that it keeps locked."""

from __future__ import annotations

from typing import Literal

import msgspec

Standing = Literal["written", "gone", "damaged"]
"""How the save stands: somebody writes it; its file is moved or deleted, or damaged."""


class WriterNotice(msgspec.Struct, frozen=True):
    """How the save stands. It holds as long as the file is locked: without a publisher nobody writes."""

    standing: Standing = "written"
    format: int = 1
