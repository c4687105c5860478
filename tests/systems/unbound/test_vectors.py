"""The worked examples of Unbound initiative, through ordinary lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.examples import Example, examples, fallen, roll
from tests.kit.table import Table

READINGS = {"each": "each", "combined": "combined"}


def _table(example: Example) -> Table:
    reading = example.get("options", {}).get("reading")
    return Table("unbound", {"unb.pass": READINGS[reading]} if reading else {})


def unb_order(example: Example) -> dict[str, Any]:
    table = _table(example)
    for name in example["given"]["factions"]:
        table.do(f'add "Member of {name}" side={name}')
    table.do("begin")
    roll(table, example)
    assert table.state()["outcome"] == {"kind": "order", "order": table.order()}
    return {"order": table.order()}


def _in_order(table: Table, members: dict[str, list[str]], order: list[str]) -> None:
    """Everybody is there, and the dice make this order."""
    for faction, names in members.items():
        for name in names:
            table.do(f"add {name} side={faction}")
    table.do("begin")
    for place, faction in enumerate(order):
        table.do(f"roll {faction} {12 - place}")
    assert table.order() == order


def unb_can_pass(example: Example) -> dict[str, Any]:
    """The asked faction comes first in the order; who has none left is out."""
    table, left, faction = _table(example), example["given"]["left"], example["given"]["faction"]
    members = {name: [f"{name}-{i}" for i in range(max(1, count))] for name, count in left.items()}
    _in_order(table, members, sorted(members, key=lambda name: name != faction))
    for name, count in left.items():
        if count == 0:
            table.do(f"turn {name}-0", "end") if name == faction else table.do(f"out {name}-0")
    state = table.state()
    assert {side["name"]: side["left"] for side in state["sides"]} == left
    may = [act for act in state["offer"]["acts"] if act["kind"] == "pass"]
    return {"pass": bool(may) and state["offer"]["chooser"] == faction}


def _step(table: Table, members: dict[str, list[str]], faction: str, choice: str) -> str:
    """Plays a step of a script; what is wrong with it, or "" when it is accepted."""
    chooser = table.state()["offer"]["chooser"]
    if chooser != faction:
        assert choice not in table.may()
        table.refuse(f"turn {choice}")
        return f"it is {chooser}'s turn"
    acts = [act.get("who") if act["kind"] == "turn" else "pass" for act in table.state()["offer"]["acts"]]
    if choice in acts:
        table.do("pass" if choice == "pass" else f"turn {choice}")
        if choice != "pass":
            table.do("end")
        return ""
    if choice == "pass":
        return (
            "everyone else passed" if table.refuse("pass", "everyone else passed").rule == "UNB-22" else "?"
        )
    table.refuse(f"turn {choice}", *acts)
    return f"{choice} is not in {faction}" if choice not in members[faction] else "has had a turn"


def unb_round(example: Example) -> dict[str, Any]:
    given, table = example["given"], _table(example)
    _in_order(table, given["members"], given["order"])
    taken: list[str] = []
    error = ""
    for number, (faction, choice) in enumerate(given["script"], 1):
        if wrong := _step(table, given["members"], faction, choice):
            error = f"step {number}: {wrong}"
            break
        taken += [choice] if choice != "pass" else []
    over = [act["kind"] for act in table.state()["offer"]["acts"]] == ["round"]
    if over:
        table.do("next")
    chooser = table.state()["offer"].get("chooser") or next(
        s["name"] for s in table.state()["sides"] if s["turn"]
    )
    return {"taken": taken, "error": error, "round_over": over, "next_faction": chooser}


def unb_surprise(example: Example) -> dict[str, Any]:
    given, table = example["given"], _table(example)
    for name, stealth in given["sneaking"].items():
        table.do(f"add {name} side=sneaks stealth={stealth}")
    for name, per in given["watching"].items():
        table.do(f"add {name} side=watch per={per}")
    table.do("begin", "roll sneaks 12", "roll watch 1")
    said = table.do("surprise watch by=sneaks").lines[0].text
    if given.get("mutual"):
        table.do("surprise sneaks by=watch", "surprised none")
    before = len(fallen(table))
    if example.get("dice"):
        table.do("roll", dice=[face for _, _, face in example["dice"]])
    assert fallen(table)[before:] == example.get("dice", [])
    assert table.due() == ()
    return {"tn": int(said.split(": ")[1].split()[0]), "surprised": table.state()["outcome"]["caught"]}


def unb_rights(example: Example) -> dict[str, Any]:
    given, table = example["given"], Table("unbound")
    table.do("add Ana side=crew", "add Orc side=foes", "begin", "roll crew 2", "roll foes 1")
    if given["surprised"]:
        table.do("surprised Ana")
    table.do("react Ana")
    favour = "attacks on Ana have favour" in table.state()["now"]
    if given["first_turn_over"]:
        table.do("next", "next", "next")
    table.do("next")
    state = table.state()
    assert state["acting"] == "Ana"
    tags = state["track"][0]["tags"]
    return {
        "action": "only a move" not in state["now"], "move": True, "reaction_back": "reaction" not in tags,
        "grants_favour": favour and "surprised" in tags,
    }  # fmt: skip


OPS: dict[str, Callable[[Example], dict[str, Any]]] = {
    f.__name__: f for f in (unb_order, unb_can_pass, unb_round, unb_surprise, unb_rights)
}


@pytest.mark.parametrize("example", examples("unbound"), ids=lambda x: f"{x['id']}-{'-'.join(x['rules'])}")
def test_a_worked_example_comes_out_as_written(example: Example) -> None:
    found = OPS[example["op"]](example)
    assert {k: found[k] for k in example["expect"]} == example["expect"], example["note"]
