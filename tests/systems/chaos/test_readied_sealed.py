"""Whether a readied action is kept is part of a sealed order, in play with a GM and without (CHA-10,
CHA-14)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.table import Table
from tests.systems.chaos.fights import turns
from tui.core.fight.viewer import viewer_of


def keepers(*orders: str, **options: Any) -> Table:
    """Ana held an action through round 1; in round 2 these orders are written and locked."""
    t = turns("order Ana ready=shoot", **options)
    t.do(*["next"] * 4, *orders, "lock missing=empty")
    return t


def seen(t: Table, name: str) -> dict[str, object]:
    state = t.state(name)
    log = [[x.text for x in t.store.messages(i, viewer_of(name))] for i in range(1, t.store.step + 1)]
    return {"state": state, "log": log}


@pytest.mark.parametrize("mode", ["gm", "head-to-head"])
def test_cha_10_nobody_else_learns_before_the_slot_whether_an_action_is_kept(mode: str) -> None:
    kept, dropped = (
        keepers(f"order Ana action=wait {more}".strip(), mode=mode) for more in ("maintain=yes", "")
    )
    for t in (kept, dropped):
        t.do("roll", dice=[6, 12, 18])
        t.do("ok")
    assert seen(kept, "Max") == seen(dropped, "Max")
    assert seen(kept, "nobody") == seen(dropped, "nobody")
    assert kept.state("Lia")["combatants"][0]["marks"] == {"holding": True}
    assert kept.state()["track"][2]["tags"] == ["holding"]
    assert dropped.state()["track"][2]["tags"] == []
    assert seen(kept, "Lia") != seen(dropped, "Lia")
