"""The worked examples of the Dynamic Initiative System, through ordinary lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.examples import Example, examples, fallen, roll
from tests.kit.table import Table
from tui.core.fight.encounter import entries
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.rows import pool_of

OPTIONS = {"floor": "dis.floor", "pays": "dis.switch_pays"}
TIES = {"players": "players_first"}


def _options(example: Example) -> dict[str, Any]:
    given = example.get("options", {})
    found = {OPTIONS[k]: v for k, v in given.items() if k in OPTIONS}
    if "tie" in given:
        found["dis.tie"] = TIES[given["tie"]]
    if "tie_notices" in given:
        found["dis.stealth_tie"] = "noticed" if given["tie_notices"] else "hidden"
    return found


def _declared(deeds: list[dict[str, Any]]) -> str:
    keys: dict[str, list[str]] = {}
    for deed in deeds:
        value = {"weapon": deed.get("dice"), "spell": str(deed.get("level")), "action": "1", "move": "yes"}
        keys.setdefault(deed["do"], []).append(value[deed["do"]] or "")
    return " ".join(f"{kind}={','.join(values)}" for kind, values in keys.items())


def _bonus(given: dict[str, Any]) -> str:
    effects = ["1"] * given.get("bonuses", 0) + ["-1"] * given.get("penalties", 0)
    return f" bonus={','.join(effects)}" if effects else ""


def _pool(table: Table) -> pools.Pool:
    return pool_of(table.encounter, entries(table.encounter.combatants.values())[0])


def _rolling(table: Table, given: dict[str, Any]) -> None:
    if given.get("surprised"):
        table.do(f"surprised {given['who']}")


def dis_roll(example: Example) -> dict[str, Any]:
    given, table = example["given"], Table("dynamic", _options(example))
    adv = f" adv={given['mode']}" if "mode" in given else ""
    table.do(f"add {given['who']} kind=pc{_bonus(given)}{adv}", "begin")
    _rolling(table, given)
    table.do(f"order {given['who']} {_declared(given['declared'])}")
    pool = _pool(table)
    roll(table, example)
    total = table.state()["track"][0]["value"]
    return {"pool": [f"d{s}" for s in pool.dice], "flat": pool.flat, "total": total}


def dis_step(example: Example) -> dict[str, Any]:
    floor = example.get("options", {}).get("floor", 1)
    return {"die": pools.change_die(example["given"]["sides"], example["given"]["steps"], floor)}


def dis_group(example: Example) -> dict[str, Any]:
    given, table = example["given"], Table("dynamic", _options(example))
    who, many = given["who"], given.get("count", 1)
    members = f"add {many} Member group={who}" if many > 1 else f"add {who}"
    table.do(f"{members} size={given['size']}{_bonus(given)}", "begin")
    if given.get("surprised"):
        table.do("surprised @dark")
    roll(table, example)
    return {"totals": [row["value"] for row in table.state()["track"]]}


def _standing(example: Example, names: list[str]) -> Table:
    """A table whose entries have rolled these totals: a d20's face, and no face for a fixed pool."""
    table = Table("dynamic", _options(example))
    players = example.get("options", {}).get("players", [])
    for name in names:
        table.do(f"add {name} kind=pc" if _is_player(example, name) else f"add {name} die=d20")
    table.do("begin")
    for name in names:
        if _is_player(example, name):
            table.do(f"order {name} weapon=1d20")
    assert all(_is_player(example, name) for name in players)
    for name in names:
        table.do(f"roll {name} {example['given']['totals'][name]}")
    return table


def _is_player(example: Example, name: str) -> bool:
    switching = [who for who, _ in example["given"].get("switches", [])]
    return name in [*example.get("options", {}).get("players", []), *switching]


def dis_order(example: Example) -> dict[str, Any]:
    table = _standing(example, list(example["given"]["totals"]))
    assert table.state()["outcome"]["order"] == table.order()
    return {"order": table.order()}


def dis_switch_cost(example: Example) -> dict[str, Any]:
    given, table = example["given"], Table("dynamic", _options(example))
    table.do("add Fay kind=pc", "begin", f"order Fay {_declared([given['old']])}")
    table.do("roll", dice=[1] * len(table.due()[0].dice))  # type: ignore[union-attr]
    before = table.state()["track"][0]["value"]
    table.do("next", f"switch Fay from={given['old']['do']} {_declared([given['new']])}")
    return {"cost": table.state()["track"][0]["value"] - before}


PRICES = {4: "move=yes from=none", 6: "action=1", 12: "weapon=2d6"}


def dis_round(example: Example) -> dict[str, Any]:
    given = example["given"]
    table = _standing(example, given["order"])
    assert table.order() == given["order"]
    switches = dict(given["switches"])
    acted: list[str] = []
    table.do("next")
    while table.encounter.round == 1:
        who = table.state()["acting"]
        if who in switches:
            table.do(f"switch {who} {PRICES[switches.pop(who)]}")
        else:
            acted.append(who)
            totals = {row["entry"]: row["value"] for row in table.state()["track"]}
        table.do("next")
    return {"acted": acted, "totals": totals}


def dis_surprised(example: Example) -> dict[str, Any]:
    given, table = example["given"], Table("dynamic", _options(example))
    for name, stealth in given["party"].items():
        table.do(f"add {name} side=party" + (f" stealth={stealth}" if stealth >= 0 else ""))
    for name, passive in given["others"].items():
        table.do(f"add {name} side=others passive={passive}")
    table.do("begin", "notice")
    caught = table.state()["outcome"]["caught"]
    marked = [c["name"] for c in table.state()["combatants"] if "surprised" in c["marks"]]
    assert caught == marked
    return {"surprised": [name for name in caught if name in given["others"]]}


def dis_expiry(example: Example) -> dict[str, Any]:
    edge, _, when = example["given"]["until"].partition(" ")
    table = Table("dynamic")
    table.do("add Wolf", "begin", "roll Wolf 1", "next")
    while table.encounter.round < example["given"]["round"]:
        table.do("next", "roll Wolf 1", "next")
    rounds = {"this": "", "next": " rounds=1"}[when]
    table.do(f"condition Wolf marked until={edge}{rounds}")
    while True:
        current = table.encounter.round
        lines = table.do("next").lines
        if any(line.text == "Wolf: marked has ended" for line in lines):
            text = [line.text for line in lines]
            begun = f"Round {current + 1} begins"
            at_end = text.index("Wolf: marked has ended") < text.index(begun)
            return {"expires": ["end", current] if at_end else ["start", current + 1]}
        table.do("roll Wolf 1", "next")


def dis_disruption(example: Example) -> dict[str, Any]:
    given = example["given"]
    table = Table("dynamic", {"dis.disruption": "once"})
    table.do(f"add {given['who']} kind=pc con={given['con']}", "begin")
    table.do(f"order {given['who']} {_declared(given['declared'])}", f"roll {given['who']} 4")
    rolled = len(fallen(table))
    if given["damaged_before_acting"]:
        table.do(f"damage {given['who']} 1")
    asked = [ask for ask in table.due() if ask.kind == "roll"]
    if asked:
        table.do("roll", dice=[face for _, _, face in example["dice"]])
        assert fallen(table)[rolled:] == example["dice"]
    [c] = table.state()["combatants"]
    return {"save": bool(asked), "cantrips_only": "cantrips" in c["marks"]}


def dis_may_react(example: Example) -> dict[str, Any]:
    given, table = example["given"], Table("dynamic")
    table.do("add Wolf", "begin")
    if given["surprised_this_round"]:
        table.do("surprised Wolf")
    table.do("roll Wolf 1")
    if given["reacted_this_round"]:
        table.do("react Wolf")
    if given["surprised_this_round"] or given["reacted_this_round"]:
        table.refuse("react Wolf")
        return {"react": False}
    table.do("react Wolf")
    return {"react": True}


OPS: dict[str, Callable[[Example], dict[str, Any]]] = {
    f.__name__: f
    for f in (
        dis_roll, dis_step, dis_group, dis_order, dis_switch_cost, dis_round, dis_surprised, dis_expiry,
        dis_disruption, dis_may_react,
    )
}  # fmt: skip


def _fits(want: Any, got: Any) -> bool:
    if isinstance(want, dict):
        return all(k in got and _fits(v, got[k]) for k, v in want.items())
    return bool(want == got)


@pytest.mark.parametrize("example", examples("dynamic"), ids=lambda x: f"{x['id']}-{'-'.join(x['rules'])}")
def test_a_worked_example_comes_out_as_written(example: Example) -> None:
    found = OPS[example["op"]](example)
    assert _fits(example["expect"], found), (example["note"], example["expect"], found)
