"""What a player saw when a line was sent: by it the writer notices that the fight has gone on meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct

_BASIS, _PRIME = 0xCBF29CE484222325, 0x100000001B3  # FNV-1a, 64 bits
_Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
_Name = Annotated[str, Meta(max_length=400)]


class Standpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """A few words of the page that was on the player's screen.

    `due` is the roll that a line answers, by `owed`, or the order that it replaces, by `stood`.
    """

    round: _Count = 0
    phase: _Name = ""
    acting: _Name = ""
    step: _Count = 0
    due: _Name = ""


def stood(text: Mapping[str, str]) -> str:
    """Return a word that tells this version of an order from any other."""
    line = "\n".join(f"{part}={words}" for part, words in sorted(text.items()) if words)
    mark = _BASIS
    for byte in line.encode(errors="replace"):
        mark = (mark ^ byte) * _PRIME % 2**64
    return f"order {mark:016x}"


def owed(who: str, dice: Iterable[int], rule: str) -> str:
    """Return a word that tells this roll from the next one of the same creature."""
    return f"{who}: {' '.join(f'd{sides}' for sides in dice)} {rule}"[:400]
