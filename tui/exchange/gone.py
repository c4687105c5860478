"""Recognise files of formats that version 1.0 read and this one does not, for the refusal."""

from __future__ import annotations

import re
from typing import Any

from tui.exchange.mapping import at

HINT = "read are: {}; or paste the stat block as text"

_MARKS = (
    ("a character of D&D Beyond", ("data.baseHitPoints", "baseHitPoints")),
    ("a character of Pathbuilder", ("build.attributes", "build.abilities")),
    ("a stat block of Tetra-cube", ("natArmorBonus", "strPoints")),
    ("a creature of CritterDB", ("creatures.0.stats.hitDieSize", "stats.hitDieSize", "0.stats.hitDieSize")),
    ("a creature of dndme", ("max_hp",)),
)
"""Formats that went, each with places of which one is in its files."""
_COMPENDIUM = re.compile(r"<(?:compendium|monster)\b")


def recognise_removed_format(value: Any) -> str:
    """Return the title of a document of a format that is no longer read; "" for others."""
    if isinstance(value, str):
        return "a compendium of DnDAppFile" if _COMPENDIUM.search(value[:2_000]) else ""
    rows = [value, *value.values()][:20] if isinstance(value, dict) else [value]
    marked = (title for title, paths in _MARKS if any(at(x, p) is not None for x in rows for p in paths))
    return next(marked, "")
