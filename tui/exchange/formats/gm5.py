"""Game Master 5 and Fight Club 5, as XML: each monster is written and read as a stat block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.exchange.foreign_values import ABILITIES, modifier, size, whole
from tui.exchange.formats.stat_block import read_block
from tui.exchange.mapping import Unread, write_feature
from tui.exchange.registry import Entries, Format

_LABELS = (
    ("Armor Class", "ac"), ("Hit Points", "hp"), ("Initiative", "init"), ("Speed", "speed"),
    ("Saving Throws", "save"), ("Skills", "skill"), ("Damage Vulnerabilities", "vulnerable"),
    ("Damage Resistances", "resist"), ("Damage Immunities", "immune"),
    ("Condition Immunities", "conditionImmune"), ("Senses", "senses"), ("Passive Perception", "passive"),
    ("Languages", "languages"), ("Challenge", "cr"),
)  # fmt: skip
_PARTS = (
    ("", "trait"), ("Actions", "action"), ("Bonus actions", "bonus"), ("Reactions", "reaction"),
    ("Legendary actions", "legendary"), ("Mythic actions", "mythic"), ("Lair actions", "lair"),
    ("", "description"),
)  # fmt: skip


def _text(table: Mapping[str, Any], tag: str) -> str:
    """Return the texts of all children with this tag, a line each."""
    return "\n".join(x for x in table.get(tag, ()) if isinstance(x, str) and x)


def _write_block(monster: Mapping[str, Any]) -> str:
    kind = f"{(size(_text(monster, 'size')) or '').capitalize()} {_text(monster, 'type')}"
    lines = [_text(monster, "name"), ", ".join(filter(None, (kind.strip(), _text(monster, "alignment"))))]
    lines += [f"{label} {value}" for label, tag in _LABELS if (value := _text(monster, tag))]
    scores = {key: n for key in ABILITIES if (n := whole(_text(monster, key))) is not None}
    lines.insert(4, ", ".join(f"{key.upper()} {n} ({modifier(n):+})" for key, n in scores.items()))
    for title, tag in _PARTS:
        features = [
            x if isinstance(x, str) else write_feature(_text(x, "name"), _text(x, "text"))
            for x in monster.get(tag, ())
        ]
        lines += ["", title] * bool(title and features) + features
    return "\n".join(lines)


def _list_monsters(value: Any) -> list[Any]:
    compendium = value.get("compendium")
    return list(compendium.get("monster", ())) if isinstance(compendium, dict) else []


def _take(value: Any) -> Entries:
    for monster in _list_monsters(value):
        table = monster if isinstance(monster, dict) else {}
        taken = read_block(_text(table, "name"), _write_block(table)) if _text(table, "hp") else None
        missing = "name" if _text(table, "hp") else "hp"
        yield taken or Unread(f"a monster without {missing}", table.get("@line", 1))


def _explain(value: Any) -> str:
    """Return the root and its children of XML without monsters."""
    root = next(iter(value), "")
    inside = value.get(root)
    children = ", ".join(f"<{tag}>" for tag in inside if tag[:1] != "@") if isinstance(inside, dict) else ""
    what = f"this is XML: <{root}> with {children[:120] or 'nothing'}"
    return f"{what}, and no <monster>; a <compendium> of Game Master 5 or Fight Club 5 has them"


GM5 = Format("Game Master 5", ("xml",), lambda value: bool(_list_monsters(value)), _take, refuses=_explain)
