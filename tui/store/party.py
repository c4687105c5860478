"""Party files and prepared encounters: a TOML file with `[[combatant]]` tables."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tui.core.fight.errors import RuleError
from tui.core.language.actions import Add
from tui.core.language.values import show
from tui.store.problems import BadFile
from tui.store.safetoml import safe_toml

_MOST = 500


def reader(folder: str) -> Callable[[str, str], list[Add]]:
    """Reads FILE: a path that ends in .toml, or a name in `folder`/parties or `folder`/encounters.

    Raises RuleError with file and place; nothing has changed then.
    """

    def read(file: str, kind: str) -> list[Add]:
        shelf = "parties" if kind == "party" else "encounters"
        path = file if file.endswith(".toml") else os.path.join(folder, shelf, _plain(file) + ".toml")
        try:
            table = safe_toml(path, f"{kind} file")
        except BadFile as error:
            raise RuleError(str(error), error.hint) from None
        return _adds(table, os.path.basename(path))

    return read


def _plain(name: str) -> str:
    # A bare name must stay on its shelf; a path elsewhere is possible, but has to look like one.
    if not name or "/" in name or name.startswith("."):
        raise RuleError(f"{name} is no name of a file here", "give a name, or a path that ends in .toml")
    return name


def _adds(table: dict[str, Any], name: str) -> list[Add]:
    found = table.get("combatant")
    if not isinstance(found, list) or not found or len(found) > _MOST:
        raise RuleError(f"{name} has no [[combatant]] tables", f"1 to {_MOST} of them, each with a name")
    extra = sorted(set(table) - {"combatant"})
    if extra:
        raise RuleError(f"{name} has no place for {extra[0]}", "only [[combatant]] tables")
    return [_add(entry, f"{name}, combatant {i}") for i, entry in enumerate(found, 1)]


def _add(entry: Any, where: str) -> Add:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise RuleError(f"{where}: a name is missing", 'name = "Ana"')
    # As text, so that "2d4" and 6 take the same road as a count that is typed.
    count = entry.get("count", "")
    keys = {k: v for k, v in entry.items() if k not in ("name", "count")}
    for key, value in keys.items():
        if not isinstance(value, str | int | bool | list):
            raise RuleError(f"{where}: {key} is neither text nor a whole number")
    return Add(entry["name"], str(count), keys={k: show(v) for k, v in keys.items()})
