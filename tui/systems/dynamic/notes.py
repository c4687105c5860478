"""What a round of the Dynamic Initiative System remembers, and its house rules as they are set."""

from __future__ import annotations

from typing import Any

from msgspec import field

from tui.core.fight.encounter import Encounter
from tui.core.rules.system import notes
from tui.systems.dynamic.text import OPTIONS
from tui.systems.shared.numbering import TrackNotes

_DEFAULTS = {f.key: f.default for f in OPTIONS}


class DynamicNotes(TrackNotes, frozen=True):
    """What the round knows beside the numbers. Keys are entries unless it says ids.

    `apart`: ids that have a row of their own although they roll with a group. `later`: of each entry that
    switched, the number of that switch in the round and the price paid so far. `resize`: the dice chosen for
    effects, as sides. `saves`: by id, how many saves were asked for and how many were rolled. `hurt`: ids of
    who was damaged while no spell was declared and has not saved since. `sums`: by roller, the sum in words.
    `lined`: ids of who rolled with a group and acts one by one behind its first, whatever the house rule says later.
    """

    apart: tuple[str, ...] = ()
    later: dict[str, list[int]] = field(default_factory=dict)
    resize: dict[str, list[int]] = field(default_factory=dict)
    saves: dict[str, list[int]] = field(default_factory=dict)
    hurt: tuple[str, ...] = ()
    sums: dict[str, str] = field(default_factory=dict)
    lined: dict[str, bool] = field(default_factory=dict)


OF_A_ROUND = ("apart", "later", "resize", "saves", "hurt", "sums", "lined")
"""The notes that are forgotten when the next round begins (DIS-26)."""


def notes_of(e: Encounter) -> DynamicNotes:
    """The notes of the round."""
    return notes(e, DynamicNotes)


def rule(e: Encounter, key: str) -> Any:
    """A house rule without its `dis.`: as set, else its default."""
    return e.options.get(f"dis.{key}", _DEFAULTS[f"dis.{key}"])


def price_paid(e: Encounter, key: str) -> int:
    """What an entry has paid for switching in this round (DIS-16)."""
    return notes_of(e).later.get(key, [0, 0])[1]
