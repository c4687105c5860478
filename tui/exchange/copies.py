"""Complete entries of 5etools that copy another entry and change it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from tui.exchange.foreign_values import list_tables, whole
from tui.exchange.mapping import at

Table = Mapping[str, Any]
Operation = tuple[str, Table]
"""A change of a copy: the key to change (`_` or `*` for the whole entry), and the table that describes it."""

_MOST_CHANGES = 50
"""The most changes that are made to one copy; each change walks through the whole entry."""
_MOST_DEPTH = 5
"""The most copies of copies that are followed, and the most levels of keys that a change may name."""
_INHERITED_BY_NAME = frozenset(
    {"legendaryGroup", "environment", "variant", "familiar", "reprintedAs", "_versions"}
)
"""Keys that a copy inherits only if its `_preserve` names them."""
_ENTRIES = ("trait", "spellcasting", "action", "bonus", "reaction", "legendary", "mythic")
"""The keys whose words a change of the whole entry replaces."""
_PLAIN_WORDS = re.compile(r"[\w '\u2019-]{1,200}")
"""Matches the words that are replaced; a stranger's pattern is never run."""
_TAG = re.compile(r"(\{@[^{}]{0,400}\})")
_LONGEST_TEXT = 20_000
"""The longest text that a change of words may make."""


def entry_key(row: Any) -> str:
    """Return `name|book` in lower case, by which copies refer to an entry; "" for anything but a table."""
    return f"{row.get('name')}|{row.get('source')}".lower() if isinstance(row, dict) else ""


def complete_copy(row: Table, known: Mapping[str, Table], depth: int = _MOST_DEPTH) -> Table:
    """Return an entry completed by the entry that it copies, with the changes made.

    `_changes` lists the changes that are not understood, `_without` the names of templates that are not
    applied. If `known` lacks the copied entry, `like` is its name, because another file may hold it.
    """
    reference = row.get("_copy")
    if not isinstance(reference, dict):
        return row
    changes = list(islice(_list_changes(reference.get("_mod")), _MOST_CHANGES))
    templates = [str(x.get("name")) for x in list_tables(reference.get("_templates"))]
    base = known.get(entry_key(reference))
    if base is None or base is row or not depth:
        return {**row, "like": reference.get("name"), "_changes": changes, "_without": templates}
    entry = complete_copy(base, known, depth - 1)
    preserved = as_table(reference.get("_preserve"))
    kept = (
        k
        for k in entry
        if k != "_copy" and (k not in _INHERITED_BY_NAME or k in preserved or "*" in preserved)
    )
    made = {**{k: entry[k] for k in kept}, **{k: v for k, v in row.items() if k != "_copy"}}
    # Changes of the whole entry come after changes of one key.
    changes.sort(key=lambda change: change[0] in ("_", "*"))
    made = {k: v for k, v in made.items() if v is not None}
    without = [*(entry.get("_without") or []), *templates]
    return {**_apply_changes(made, changes, list(entry.get("_changes") or [])), "_without": without}


def _list_changes(mods: Any) -> Iterator[Operation]:
    for place, change in as_table(mods).items():
        for one in change if isinstance(change, list) else [change]:
            yield place, one if isinstance(one, dict) else {"mode": one}


def _apply_changes(entry: Table, changes: Iterable[Operation], unknown: list[Operation]) -> dict[str, Any]:
    """Return an entry after the changes; `_changes` are `unknown` and the changes of unknown kinds."""
    made = dict(entry)
    for place, change in changes:
        mode, is_whole = str(change.get("mode")), place in ("_", "*")
        if mode == "setProp":
            path = [*([] if is_whole else [place]), *str(change.get("prop") or "").split(".")]
            made = _set_at_path(made, [x for x in path if x][:_MOST_DEPTH], change.get("value"))
        elif mode in _LISTS and not is_whole:
            rows = made.get(place)
            made[place] = _LISTS[mode](rows if isinstance(rows, list) else [], change)
        elif mode == "remove":
            made.pop(place, None)
        elif mode == "replaceTxt" and _PLAIN_WORDS.fullmatch(str(change.get("replace"))):
            places = _ENTRIES if is_whole else (place,)
            made |= _replace_words({k: made[k] for k in places if k in made}, change)
        elif mode != "scalarMultXp":  # a card gives no experience
            unknown.append((place, change))
    return {**made, "_changes": unknown}


def _replace_words(value: Any, change: Table, depth: int = 8) -> Any:
    """Return a value with words replaced in its texts, except in tags and names."""
    if isinstance(value, str):
        old = re.compile(
            re.escape(str(change["replace"])), re.IGNORECASE if "i" in str(change.get("flags")) else 0
        )
        new = str(change.get("with"))
        parts = (x if x.startswith("{@") else old.sub(lambda _: new, x) for x in _TAG.split(value))
        return made if len(made := "".join(parts)) <= _LONGEST_TEXT else value
    if isinstance(value, list) and depth:
        return [_replace_words(x, change, depth - 1) for x in value]
    if isinstance(value, dict) and depth:
        return {k: v if k == "name" else _replace_words(v, change, depth - 1) for k, v in value.items()}
    return value


# --- changes of lists


def _append(rows: list[Any], one: Table) -> list[Any]:
    return [*rows, *list_items(one.get("items"))]


def _append_new(rows: list[Any], one: Table) -> list[Any]:
    made = list(rows)
    for item in list_items(one.get("items")):
        if item not in made:
            made.append(item)
    return made


def _prepend(rows: list[Any], one: Table) -> list[Any]:
    return [*list_items(one.get("items")), *rows]


def _insert(rows: list[Any], one: Table) -> list[Any]:
    place = whole(one.get("index")) or 0
    place = len(rows) if place < 0 else place
    return [*rows[:place], *list_items(one.get("items")), *rows[place:]]


def _replace(rows: list[Any], one: Table) -> list[Any]:
    place = _index_of_replaced(rows, one.get("replace"))
    return [*rows[:place], *list_items(one.get("items")), *rows[place + 1 :]]


def _remove(rows: list[Any], one: Table) -> list[Any]:
    names = names_in(one.get("names") or one.get("items"))
    return [x for x in rows if str(at(x, "name") or x).lower() not in names]


def _rename_items(rows: list[Any], one: Table) -> list[Any]:
    names = {str(x.get("rename")): x.get("with") for x in list_tables(one.get("renames"))}
    return [{**x, "name": names[x["name"]]} if str(at(x, "name")) in names else x for x in rows]


_LISTS: dict[str, Callable[[list[Any], Table], list[Any]]] = {
    "appendArr": _append, "appendIfNotExistsArr": _append_new, "prependArr": _prepend,
    "insertArr": _insert, "replaceArr": _replace, "replaceOrAppendArr": _replace,
    "removeArr": _remove, "renameArr": _rename_items,
}  # fmt: skip


def list_items(value: Any) -> list[Any]:
    """Return a list unchanged, a table or text as a list of one item, anything else as an empty list."""
    return value if isinstance(value, list) else [value] if isinstance(value, dict | str) else []


def names_in(value: Any) -> list[str]:
    """Return the names in a text, a list of texts or a table with a `name`, in lower case."""
    if isinstance(value, dict):
        value = value.get("name")
    return [x.lower() for x in (value if isinstance(value, list) else [value]) if isinstance(x, str)]


def _index_of_replaced(rows: list[Any], old: Any) -> int:
    """Return the index of the item that is to be replaced, by name or number; the length if there is none."""
    number = whole(at(old, "index"))
    if number is not None and 0 <= number < len(rows):
        return number
    names = names_in(old)
    return next((i for i, x in enumerate(rows) if str(at(x, "name") or x).lower() in names), len(rows))


def as_table(value: Any) -> dict[str, Any]:
    """Return a table unchanged, {} for anything else."""
    return value if isinstance(value, dict) else {}


def _set_at_path(made: dict[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    """Return a table with a value at a path; None removes the key."""
    if not path:
        return made
    first, *rest = path
    inner = _set_at_path(dict(as_table(made.get(first))), rest, value) if rest else value
    return {k: v for k, v in {**made, first: inner}.items() if k != first or v is not None}
