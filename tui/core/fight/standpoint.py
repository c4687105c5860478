"""Describe what a player saw when a line was sent, so that the writer notices if the fight has gone on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct

_BASIS, _PRIME = 0xCBF29CE484222325, 0x100000001B3  # FNV-1a, 64 bits
_Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
_Name = Annotated[str, Meta(max_length=400)]


class Standpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """The moment of the fight that the player's page showed when the line was sent."""

    round: _Count = 0
    phase: _Name = ""
    acting: _Name = ""
    step: _Count = 0
    due: _Name = ""
    """The fingerprint of the roll that the line answers, or of the order that the line replaces; "" for
    neither.
    """


def order_fingerprint(text: Mapping[str, str]) -> str:
    """Return `order ` and a hash of the order's non-empty parts, the same for equal orders."""
    line = "\n".join(f"{part}={words}" for part, words in sorted(text.items()) if words)
    mark = _BASIS
    for byte in line.encode(errors="replace"):
        mark = (mark ^ byte) * _PRIME % 2**64
    return f"order {mark:016x}"


def roll_fingerprint(who: str, dice: Iterable[int], rule: str) -> str:
    """Return a roll in words, at most 400 characters: `c3: d6 d6 TRK-4`."""
    return f"{who}: {' '.join(f'd{sides}' for sides in dice)} {rule}"[:400]
