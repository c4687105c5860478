"""Apply the active effects of a Foundry actor, as its program does before it shows a number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import islice
from typing import Any

from tui.exchange.foundry_actor import race, worked_out
from tui.exchange.mapping import at
from tui.exchange.values import tables

Table = Mapping[str, Any]

_ADD, _DOWNGRADE, _UPGRADE, _OVERRIDE = 2, 3, 4, 5
_ROOTED = re.compile(r"system\.(?:attributes|bonuses|traits|abilities|skills)\.\S{1,80}")
"""The parts of an actor in which effects change what a card says."""
_OF_ITEMS = re.compile(r"system\.(?:ability|method|magicalBonus|armor|properties|damage)\b\S{0,80}")
_OF_KIND = re.compile(r"activities\[(\w{1,20})\]\.(\S{1,80})")
_MOST = 200
"""Changes of one actor, and of one item, that are made."""


def affected(actor: Table) -> Table:
    """Return an actor with what the effects change that hold whenever it is used."""
    items = [_enchanted(actor, item) for item in tables(actor.get("items"))]
    changed = {**actor, "items": items} if "items" in actor else dict(actor)
    changes = [x for x in islice(_changes(changed), _MOST) if _ROOTED.match(str(x.get("key")))]
    if changes and isinstance(actor.get("system"), dict):
        changed["system"] = deepcopy(actor["system"])
        for change in changes:
            _make(changed, changed, str(change["key"]).split("."), change)
    return changed


def _changes(actor: Table) -> Iterator[Table]:
    """Yield the changes of the actor's own effects and of those that its items pass on to it."""
    sources = [(actor, False), *((item, True) for item in tables(actor.get("items")) if _works(item))]
    for source, passed in sources:
        for effect in _effects(source):
            if effect.get("type") != "enchantment" and (not passed or effect.get("transfer") is True):
                yield from _of(effect)


def _effects(source: Table) -> Iterator[Table]:
    return (x for x in tables(source.get("effects"))[:_MOST] if not x.get("disabled"))


def _of(effect: Table) -> list[dict[str, Any]]:
    """Return the changes of an effect, which newer versions keep with its system."""
    return tables(effect.get("changes") or at(effect, "system.changes"))[:_MOST]


def _works(item: Table) -> bool:
    """Return whether an item passes its effects on: it is worn if it can be, and attuned if it must be."""
    worn, attunement = at(item, "system.equipped"), at(item, "system.attunement")
    return worn is not False and (attunement != "required" or at(item, "system.attuned") is True)


def _enchanted(actor: Table, item: Table) -> Table:
    """Return an item as its enchantments make it: its name, its bonus, and what its spell goes by."""
    # Without an origin it is what this item gives to others, such as the spell that makes a club magical.
    worn = [x for x in _effects(item) if x.get("type") == "enchantment" and x.get("origin")]
    changes = [change for effect in worn for change in _of(effect)][:_MOST]
    if not changes or not isinstance(item.get("system"), dict):
        return item
    made = {**item, "system": deepcopy(item["system"])}
    activities = at(made, "system.activities")
    rows = list(activities.items())[:_MOST] if isinstance(activities, dict) else []
    for change in changes:
        key, value = str(change.get("key") or ""), change.get("value")
        if key == "name" and isinstance(value, str) and "{}" in value:
            made["name"] = value.replace("{}", str(item.get("name") or "")[:200])[:200]
        elif _OF_ITEMS.match(key):
            _make(actor, made, key.split("."), change)
        elif match := _OF_KIND.fullmatch(key):
            for name, row in rows:
                if at(row, "type") == match[1]:
                    _make(actor, made, ["system", "activities", name, *match[2].split(".")], change)
    return made


def _make(actor: Table, holder: dict[str, Any], parts: list[str], change: Table) -> None:
    """Make one change in a table; none that cannot be worked out, or where something else stands."""
    before = at(holder, ".".join(parts))
    if before in (None, "", 0) and parts[2:3] == ["movement"]:
        before = at(race(actor), f"system.movement.{parts[-1]}")
    value = _value(actor, before, change.get("mode"), change.get("value"))
    inner: Any = holder
    for part in parts[:-1]:
        inner = inner.setdefault(part, {}) if isinstance(inner, dict) else None
    if value is not None and isinstance(inner, dict):
        inner[parts[-1]] = value


def _value(actor: Table, before: Any, mode: Any, given: Any) -> Any:
    text = given.strip() if isinstance(given, str) else given
    if isinstance(before, list):
        return [*before, text] if mode == _ADD and isinstance(text, str) and text[:1] != "-" else None
    if mode == _OVERRIDE and isinstance(text, str) and not text.lstrip("+-").isdecimal():
        # A formula is worked out where it stands.
        return text if text[:1] not in "[{" else None
    number = worked_out(actor, text) if isinstance(text, int | str) and text != "" else None
    if number is None:
        return None
    base = worked_out(actor, before) if isinstance(before, int | str) else None
    if mode == _ADD:
        return (base or 0) + number
    if mode in (_UPGRADE, _DOWNGRADE):
        choose = max if mode == _UPGRADE else min
        return number if base is None else choose(base, number)
    return number if mode == _OVERRIDE else None
