"""Dungeon Universalis in its corners: who is gone, who is not told, what is missing, one step for a
meeting."""

from __future__ import annotations

from tests.kit.table import Table, acting
from tests.systems.dungeon.fights import events, side
from tests.systems.dungeon.test_universalis_clauses import won
from tui.core.fight import events as ev


def pair(*lines: str, **options: object) -> Table:
    """Ana and Bo with a dog that acts with Bo, and an Orc whom they have just beaten."""
    t = Table("dungeon-universalis", {k.replace("__", "."): v for k, v in options.items()})
    t.do(
        "add Ana kind=pc per=4 int=9",
        "add Bo kind=pc per=3 int=9",
        "add Dog side=heroes acts_with=Bo",
        "add Orc int=9",
    )
    t.do("begin", "meet Ana", "roll Ana 6 6", "roll Orc 1 2", *lines)
    return t


# --- a turn whose entry changes


# --- names of who is gone


# --- what is missing is named


# --- distances


# --- who discovers whom


# --- words that are true


def test_dun_24_the_dark_players_turn_opens_with_nobody_in_it() -> None:
    t = won("out @dark", "turn Ana", "end", "turn Bo", "end", "next")
    assert (t.state()["round"], side(t, "dark")["turn"], acting(t)) == (1, True, "")
    assert "the moment to play a card" in t.state()["now"]
    ended = len(events(t))
    t.do("end")
    assert t.state()["round"] == 1
    assert not any(isinstance(x, ev.RoundBegan) for x in events(t)[ended:])
    t.do("next")
    assert t.state()["round"] == 2
    t.do("undo 2", "next")
    assert t.state()["round"] == 2
