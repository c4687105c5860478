"""Read and write the house rules of new fights: `[options]` of the settings file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

import tomli_w
from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import nearest
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Plain
from tui.core.language import values
from tui.core.rules.system import InitiativeSystem, Systems
from tui.core.rules.upkeep import COMMON_OPTIONS, rules_of_new_fights
from tui.store.disk import Disk, read_regular
from tui.store.own_files import write_settings
from tui.store.problems import BadFile, make_printable
from tui.store.safetoml import CAP, read_toml

TABLE = "options"
_HEAD = rf"(?m)^[ \t]*\[[ \t]*{TABLE}[ \t]*\][^\n]*\n?"


class HouseRules(Struct, frozen=True):
    """The house rules as texts by key; `faults` are lines about entries that were ignored."""

    rules: Mapping[str, str] = {}
    faults: tuple[str, ...] = ()


def house_fields(system: InitiativeSystem) -> tuple[Field, ...]:
    """Return the house rules of a fight with this system: the system's own, then the common ones."""
    return (*system.options, *COMMON_OPTIONS)


def load_house(folder: str, systems: Systems) -> HouseRules:
    """Read the house rules of the settings file in `folder`; without a file return none. Never raise."""
    path = os.path.join(folder, "config.toml")
    if not os.path.lexists(path):
        return HouseRules()
    try:
        text, table = _read_settings(path)
    except BadFile:
        return HouseRules()  # the settings report this fault themselves
    section = table.get(TABLE, {})
    known: dict[str, list[Field]] = {}
    for system in systems.known():
        for field in house_fields(system):
            known.setdefault(field.key, []).append(field)
    rules, faults = {}, []
    for key, value in _flatten_table(section) if isinstance(section, dict) else ():
        wrong, close = _explain_rule(known, key, value)
        if wrong:
            line = next(
                (i for i, x in enumerate(text.split("\n"), 1) if re.match(_pattern_of_key(key), x)), 0
            )
            where = f"config.toml, line {line}" if line else "config.toml"
            faults.append(f"{where}: {wrong}" + (f"; did you mean {close}?" if close else ""))
        else:
            rules[key] = values.spell(value)
    return HouseRules(rules, tuple(faults))


def _explain_rule(known: Mapping[str, list[Field]], key: str, value: Any) -> tuple[str, str | None]:
    """Return (the error in an entry, the nearest key); ("", None) for a valid rule."""
    if key not in known:
        return f"there is no house rule {make_printable(key, 64)}", nearest(key, list(known))
    if not isinstance(value, str | bool | int):
        return f"{key} takes a text, a number, true or false", None
    message = ""
    for field in known[key]:
        try:
            values.read_value(field, values.spell(value))
        except RuleError as error:
            message = error.message
        else:
            return "", None
    return message, None


def keep_house(folder: str, system: InitiativeSystem, options: Mapping[str, Plain]) -> tuple[str, list[str]]:
    """Write the house rules of a fight into the settings; return the file's path and the written rules.

    Rules that a new fight of its system has anyway are removed; every other line is kept. Raises BadFile,
    RuleError, OSError.
    """
    path = os.path.join(folder, "config.toml")
    text, before = _read_settings(path) if os.path.exists(path) else ("", {})
    own = [field.key for field in house_fields(system)]
    # An older fight has the defaults, where a new one would have other rules.
    usual, fields = rules_of_new_fights(system), {f.key: f.default for f in house_fields(system)}
    present = {**{key: fields[key] for key in usual}, **options}
    rules = {key: value for key, value in present.items() if key in own and usual.get(key) != value}
    new = _replace_rules(text, own, rules)
    wanted = {k: v for k, v in _flatten_table(before.get(TABLE, {})) if k not in own} | rules
    try:
        found = list(_flatten_table(read_toml(new.encode(), path).get(TABLE, {})))
    except BadFile:
        found = []
    # A rule that is given twice, as "zero.pc" and as [options.zero], would have two values.
    if len(found) != len(wanted) or dict(found) != wanted:
        wrong = f"{TABLE} in {make_printable(path)} is not one plain table"
        raise RuleError(wrong, "write it as `[options]`, each rule in a line of its own")
    write_settings(path, new.encode(), f"write the rules into [{TABLE}] there")
    return path, [f"{key}={values.spell(value)}" for key, value in rules.items()]


def _replace_rules(text: str, own: list[str], rules: Mapping[str, Plain]) -> str:
    """Return the settings with these rules in their table, and without the other rules in `own`."""
    lines = "".join(tomli_w.dumps({key: value}) for key, value in rules.items())
    head = re.search(_HEAD, text)
    if head is None:
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}[{TABLE}]\n{lines}" if lines else text
    end = re.search(r"(?m)^[ \t]*\[", text[head.end() :])
    stop = head.end() + (end.start() if end else len(text) - head.end())
    gone = [re.compile(_pattern_of_key(key)) for key in own]
    rest = [x for x in text[head.end() : stop].splitlines(keepends=True) if not any(r.match(x) for r in gone)]
    body = "".join(rest)
    start = text[: head.end()] if head[0].endswith("\n") else text[: head.end()] + "\n"
    return f"{start}{lines}{body}{text[stop:]}"


def _pattern_of_key(key: str) -> str:
    """Return a pattern that matches the line of a key, quoted or not."""
    return rf"[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*="


def _read_settings(path: str) -> tuple[str, dict[str, Any]]:
    data, _ = read_regular(Disk(), os.path.realpath(path), CAP)
    return data.decode(errors="replace"), read_toml(data, path)


def _flatten_table(table: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (dotted key, value) of each entry of a table; `zero.pc` without quotes is a table in a table."""
    for key, value in table.items() if isinstance(table, dict) else ():
        if isinstance(value, dict):
            yield from _flatten_table(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value
