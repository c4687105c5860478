"""The state that a step of a lesson wants, as a pattern that the fight fits or does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.store.store import Store

ANYTHING = "*"
"""In a pattern: any text but an empty one."""


def known(store: Store) -> dict[str, Any]:
    """What a pattern may ask: the public state (.github/FORMAT.md), with tables by name where it has lists.

    `creatures` by name, each with its `conditions` and `marks`; `rows` of the track and `orders` by whom they are of;
    `sides` by name; `owes` for everybody who owes something; `chooser`, who may choose; `notes`, the system's own.
    """
    told = store.state()
    creatures = {
        c["name"]: {**c, "conditions": {x["name"]: True for x in c["conditions"]}} for c in told["combatants"]
    }
    return {
        **{key: told[key] for key in ("round", "phase", "acting", "system")},
        "creatures": creatures,
        "rows": {row["entry"]: row for row in told["track"]},
        "orders": {order["who"]: order for order in told["orders"]},
        "sides": {side["name"]: side for side in told["sides"]},
        "owes": {ask["who"]: True for ask in told["due"]},
        "notes": store.encounter.notes,
        "chooser": told["offer"].get("chooser", ""),
    }


def fits(wanted: object, found: object) -> bool:
    """Whether what is found is as wanted: of tables every key that is named; what is false may be missing."""
    if isinstance(wanted, Mapping):
        table = found if isinstance(found, Mapping) else {}
        return all(fits(value, table.get(key)) for key, value in wanted.items())
    if wanted == ANYTHING:
        return bool(found)
    return found == wanted or (wanted in (False, "") and not found)
