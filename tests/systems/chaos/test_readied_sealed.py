"""Whether a readied action is kept is part of a sealed order, in play with a GM and without (CHA-10,
CHA-14)."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.fight.viewer import viewer_of


def keepers(order: str, mode: str) -> Table:
    """Ana held an action through round 1; in round 2 this order is written and locked."""
    t = Table("chaos", {"cha.mode": mode})
    # Without a GM all players cannot be on one side.
    t.do("add Ana side=red owner=Lia", "add Bo side=green owner=Max", "add Orc side=blue", "begin")
    t.do("order Ana ready=shoot", "lock missing=empty", "roll Ana 18", "roll Bo 12", "roll Orc 6", "ok")
    t.do(*["next"] * 4, order, "lock missing=empty")
    return t


def seen(t: Table, name: str) -> dict[str, object]:
    state = t.state(name)
    log = [[x.text for x in t.store.messages(i, viewer_of(name))] for i in range(1, t.store.step + 1)]
    return {"state": state, "log": log}


@pytest.mark.parametrize("mode", ["gm", "head-to-head"])
def test_cha_10_nobody_else_learns_before_the_slot_whether_an_action_is_kept(mode: str) -> None:
    kept, dropped = (keepers(f"order Ana action=wait{more}", mode) for more in (" maintain=yes", ""))
    for t in (kept, dropped):
        t.do("roll", dice=[6, 12, 18])
        t.do("ok")
    assert seen(kept, "Max") == seen(dropped, "Max")
    assert seen(kept, "nobody") == seen(dropped, "nobody")
    assert kept.state("Lia")["combatants"][0]["marks"] == {"holding": True}
    assert kept.state()["track"][2]["tags"] == ["holding"]
    assert dropped.state()["track"][2]["tags"] == []
    assert seen(kept, "Lia") != seen(dropped, "Lia")
