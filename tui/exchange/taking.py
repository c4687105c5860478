"""From an entry of a file to a stat block, by a table that says what goes where; what it does not name is the card."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from tui.core.base.text import PAGE_LIMIT, clean, clean_page
from tui.core.fight.combatant import StatBlock
from tui.core.rules.fields import MOST_HP
from tui.exchange import numbers
from tui.exchange.card import Path, card
from tui.exchange.limits import counters

Target = Literal[
    "hp", "hp_dice", "ac", "initiative", "per", "int", "size", "stealth", "passive", "con", "kind", "source",
    "resist", "vulnerable", "immune", "saves",
]  # fmt: skip
_FIELDS: tuple[Target, ...] = (
    "per", "int", "size", "stealth", "passive", "con", "kind", "resist", "vulnerable", "immune", "saves",
)  # fmt: skip
_DEFENCES = ("resist", "vulnerable", "immune", "saves")
_MOST_NUMBER = 999


class To(Struct, frozen=True):
    """One row of a format's table: what stands at `path` (keys and places with dots) is read into `target`.

    Of several rows for one target the first that finds something counts. A row without a path reads the whole entry.
    """

    target: Target
    path: str
    read: Callable[[Any], int | str | None] = numbers.whole


class FightState(Struct, frozen=True):
    """How a creature stands in a fight that is told: keys of `add` (hit points that are left), and its conditions.

    Conditions are what stands behind WHO in a line of `condition`.
    """

    keys: Mapping[str, str]
    conditions: tuple[str, ...] = ()


class Imported(Struct, frozen=True):
    """A creature of a file: its stat block, from where each value came, and whether the card had to be cut.

    `key` is what other entries of the same import call it by; `like` the key of the one of which it is a copy, "" for
    none or for one that it has taken in already. `staged`: it stands in an encounter, `many` times, a number or dice;
    "" for once.
    """

    block: StatBlock
    mapped: tuple[tuple[str, str], ...] = ()
    cut: bool = False
    key: str = ""
    like: str = ""
    many: str = ""
    staged: bool = False
    standing: FightState | None = None


class Aside(Struct, frozen=True):
    """A text that belongs on the card of the entry called `parent`."""

    parent: str
    text: str


class Unread(Struct, frozen=True):
    """A part of a file of a known format that could not be read, and why."""

    cause: str


def at(entry: Any, path: str) -> Any:
    """What stands at a path; None for nothing."""
    for part in path.split(".") if path else ():
        if isinstance(entry, Mapping):
            entry = entry.get(part)
        elif isinstance(entry, Sequence) and not isinstance(entry, str) and part.isdecimal():
            entry = entry[int(part)] if int(part) < len(entry) else None
        else:
            return None
    return entry


def take(
    entry: Mapping[str, Any],
    table: Iterable[To],
    *,
    name: Any = None,
    noise: Collection[str] = (),
    text: str | None = None,
    key: str = "",
    like: str = "",
) -> Imported | None:
    """The creature of an entry; None for one without a name.

    `name` and `text` (the card) stand in place of what the entry says; `noise` are keys that only a machine reads.
    """
    title = name_of(name if name is not None else entry.get("name"))
    if not title:
        return None
    found: dict[str, Any] = {}
    mapped, used = list[tuple[str, str]](), set[Path]({("name",), ("Name",)} if name is None else ())
    for row in table:
        raw = at(entry, row.path)
        value = _fit(row.target, row.read(raw)) if row.target not in found and raw is not None else None
        if value is None:
            continue
        found[row.target] = value
        mapped.append((row.target, row.path))
        # What it withstands stays on the card, where people look for it.
        if row.path and row.target not in _DEFENCES and _same(raw, value):
            used.add(tuple(row.path.split(".")))
    if "hp" not in found and (average := numbers.average(found.get("hp_dice"))) is not None:
        found["hp"] = average
        mapped.append(("hp", "the average of hp_dice"))
    if "passive" not in found and "per" in found:
        found["passive"] = 10 + found["per"]
        mapped.append(("passive", "10 and per"))
    page = card(entry, used, noise) if text is None else clean_page(text, 4 * PAGE_LIMIT)
    return Imported(block(title, found, page), tuple(mapped), len(page) > PAGE_LIMIT, key, like)


def block(name: str, found: Mapping[str, Any], page: str) -> StatBlock:
    """The stat block of what was found, with a card that is cut where it is too long."""
    return StatBlock(
        name,
        found.get("source", ""),
        found.get("hp"),
        found.get("hp_dice", ""),
        found.get("ac"),
        found.get("initiative"),
        {k: found[k] for k in _FIELDS if k in found},
        counters=counters(page),
        card=clean_page(page, PAGE_LIMIT),
    )


def name_of(value: Any) -> str:
    """A name that a line can write; "" for none. What may not stand in one is replaced."""
    if not isinstance(value, str | int) or isinstance(value, bool):
        return ""
    plain = str(value)[:400].replace('"', "'").replace(",", " ").lstrip("@ ")
    found = clean(plain, 64)
    return f"The {found}" if found.lower() in ("gm", "none") else found


def _fit(target: Target, value: int | str | None) -> int | str | None:
    """The value, if it is one that the library takes."""
    if target == "hp":
        return value if isinstance(value, int) and 0 <= value <= MOST_HP else None
    if target == "source":
        return clean(value, 200) or None if isinstance(value, str) else None
    if target in ("hp_dice", "size", "kind", *_DEFENCES):
        return value if isinstance(value, str) and value else None
    return value if isinstance(value, int) and abs(value) <= _MOST_NUMBER else None


def _same(raw: Any, value: int | str) -> bool:
    """Whether the value tells all that stood there: then the card need not repeat it."""
    return str(raw).strip().removeprefix("+").replace(" ", "").lower() == str(value).lower()
