"""A fight in which rights are asked for, at a moment."""

from __future__ import annotations

from tests.kit.table import Table
from tui.core.fight.standpoint import Standpoint


def moment(t: Table, player: str) -> Standpoint:
    """What this player's terminal shows now."""
    state = t.state(player)
    return Standpoint(state["round"], state["phase"], state["acting"], state["step"])


def duel() -> Table:
    """Head-to-head play in the turn of Ana, whose orders Jon carries out; Bo is read as Bruno."""
    t = Table("chaos", {"cha.mode": "head-to-head"})
    t.do("add Ana owner=Mia hp=9 side=red", "add Bo owner=Jon hp=9 side=blue", "alias Bo Bruno", "begin")
    t.do("order Ana action=a", "order Bo action=b", "lock", "roll Ana 15", "roll Bo 5", "ok", "next")
    return t
