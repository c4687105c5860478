"""Parties, and encounters of 1.x: TOML files of `[[combatant]]` tables, read strictly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tomli_w
from msgspec.structs import replace

from tui.core.base.text import clean
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Plain
from tui.core.language.creature_actions import Add
from tui.core.rules.creature_fields import check_readable
from tui.core.rules.names import check_name
from tui.core.rules.newcomers import MOST_COMBATANTS as MOST_IN_FIGHT
from tui.core.rules.newcomers import Borne, Newcomer, check_borne
from tui.store.disk import Disk, read_regular
from tui.store.library.shelves import (
    Mistake,
    RosterFile,
    note_mistake,
    read_name,
    take_texts,
    write_value,
)
from tui.store.problems import BadFile
from tui.store.safetoml import CAP, find_line, parse_toml
from tui.store.saves import save_name

MOST_COMBATANTS = 500  # combatants in one file
_TABLE = "combatant"
_SYSTEM = "system"
MOST_BORNE = 32  # counters, or conditions, of one of them
_COUNT = Field("count", "count", least=1, most=MOST_IN_FIGHT)

Check = Callable[[str, str], None]
"""Raises RuleError for a key that no creature has, or a value that it does not take."""


KeyOf = Callable[[str, str], tuple[str, str]]
"""Returns the key of a value in a file of the second argument's system, and the system that wrote it.

The key is "" if the fight would misread it.
"""


def read_roster(
    data: bytes, path: str, check: Check, key_of: KeyOf, systems: Sequence[str]
) -> list[Newcomer]:
    """Return the creatures of a file's text; `systems` are the ids there are.

    Raises BadFile with the line of the first mistake.
    """
    table = parse_toml(data, path)
    text = data.decode()
    value = table.get(_TABLE)
    if not isinstance(value, list) or not value or len(value) > MOST_COMBATANTS:
        raise BadFile(
            path, 0, "it has no [[combatant]] tables", f"1 to {MOST_COMBATANTS} of them, each with a name"
        )
    if extra := sorted(set(table) - {_TABLE, _SYSTEM}):
        line = find_line(text, f"$.{extra[0]}")
        raise BadFile(path, line, f"{extra[0]} is not known here", "only system and [[combatant]] tables")
    system = table.get(_SYSTEM, "")
    if system not in ("", *systems):
        # The system of the values is unknown: without system= they would be read for the running one.
        hint = f"without system= its values count for the running system; there are: {', '.join(systems)}"
        raise BadFile(path, find_line(text, f"$.{_SYSTEM}"), f"there is no system {system}", hint)
    coming = []
    for i, entry in enumerate(value):
        try:
            coming.append(_convert_newcomer(entry, check, lambda key: key_of(key, system)))
        except Mistake as mistake:
            line = find_line(text, f"$.{_TABLE}[{i}]" + f".{mistake.key}" * bool(mistake.key))
            raise BadFile(path, line, mistake.message, mistake.hint) from None
    return coming


def _convert_newcomer(entry: Any, check: Check, key_of: Callable[[str], tuple[str, str]]) -> Newcomer:
    read_name(entry, "Ana")
    remaining = dict(entry)
    borne = _take_borne(remaining)
    # As text, so that "2d4" and 6 are read like a count that was typed.
    keys = {k: write_value(k, v) for k, v in remaining.items()}
    count, name = keys.pop("count", ""), keys.pop("name")
    with note_mistake("count"):
        check_readable([_COUNT], count)
    if borne.alias and count not in ("", "1"):
        reason = f"{count} creatures cannot share the alias {borne.alias}"
        raise Mistake("alias", reason, "each alias names one creature")
    # A key that names its system, as files of 1.x have, comes after the same key alone.
    taken = [(key, *key_of(key)) for key in sorted(keys, key=lambda key: "." in key)]
    known, saved_in = dict[str, str](), dict[str, str]()
    for key, plain, writer in taken:
        with note_mistake(key):
            # A key that this fight would misread is left out, so nothing is asked of its value.
            if plain and plain not in known:
                check(plain, keys[key])
                known[plain], saved_in[plain] = keys[key], writer
    left_out = tuple(key for key, plain, _ in taken if not plain)
    return Newcomer(Add(name, count, keys=known), borne, left_out, saved_in)


_BORNE_LISTS = ("counters", "conditions", "hidden_conditions")
"""The keys of a table that hold lists, which are fields of Borne."""
_BORNE_TEXTS = {"alias": "alias", "death_saves": "saves"}
"""The keys of a table that hold a text, each with the field of Borne that it fills."""


def _take_borne(remaining: dict[str, Any]) -> Borne:
    """Remove alias, counters, conditions and death saves from the table, and return them. Raises Mistake."""
    borne = Borne()
    for key in _BORNE_LISTS:
        example = '["Fire 1 reset=1d6>=5"]' if key == "counters" else '["poisoned"]'
        borne = _set_borne(borne, key, key, take_texts(remaining, key, MOST_BORNE, example))
    for key, stored in _BORNE_TEXTS.items():
        value = remaining.pop(key, None)
        if value is not None and not isinstance(value, str):
            raise Mistake(key, f"{key} is a text")
        if value is not None:
            borne = _set_borne(borne, key, stored, value)
    return borne


def _set_borne(borne: Borne, key: str, stored: str, value: Any) -> Borne:
    with note_mistake(key):
        borne = replace(borne, **{stored: check_name(value) if stored == "alias" else value})
        check_borne(borne)
    return borne


def summarize_roster(path: str, check: Check, key_of: KeyOf, systems: Sequence[str]) -> RosterFile:
    """Return a file of the library as a list shows it; a bad one has its problem and hides no other."""
    name = save_name(path)
    try:
        data, _ = read_regular(Disk(), path, CAP)
        coming = read_roster(data, path, check, key_of, systems)
    except BadFile as error:
        return RosterFile(name, path, problem=str(error))
    adds = [x.add for x in coming]
    names = tuple(clean(f"{a.count} {a.name}" if a.count not in ("", "1") else a.name) for a in adds)
    later = sum("round" in a.keys for a in adds)
    dying = tuple(clean(x.add.name) for x in coming if x.borne.saves)
    return RosterFile(name, path, names, later, system=parse_toml(data, path).get(_SYSTEM, ""), dying=dying)


def write_roster(tables: Iterable[dict[str, Plain]], system: str) -> str:
    """Return the text of a file with these tables of creatures that were saved in a fight of `system`."""
    head = tomli_w.dumps({_SYSTEM: system}) + "\n" if system else ""
    return head + "\n".join(f"[[{_TABLE}]]\n{tomli_w.dumps(t, multiline_strings=True)}" for t in tables)
