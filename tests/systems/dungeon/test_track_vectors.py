"""The worked examples of the initiative track, through ordinary lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.examples import Example, examples, fallen, roll
from tests.kit.table import Table, acting, row
from tests.systems.dungeon.fights import acts, mode, played, rolls, values
from tui.core.language.tokens import quote

HEROES = ("Borgron", "Shara", "Tam")
FAR = "distance=99"


def options(example: Example) -> dict[str, Any]:
    given = example.get("options", {})
    found = {"trk.variable": example["op"] == "trk_turn"}
    if "reuse_roller_roll" in given:
        found["trk.roller_group"] = "keeps" if given["reuse_roller_roll"] else "rolls_again"
    if given.get("apply") == "end_of_turn":
        found["trk.variable_when"] = "next_turn"
    return found


def ability(given: dict[str, Any], *keys: str) -> str:
    return " ".join(f"{k}={given[k]}" for k in keys if k in given)


def start(example: Example) -> dict[str, Any]:
    t, given = Table("dungeon-track", options(example)), example["given"]
    roller = given["roller"]
    t.do(*(f"add {h['name']} kind=pc {ability(h, 'per', 'int', 'mod')} {FAR}" for h in given["heroes"]))
    for g in given["groups"]:
        keys = f"{ability(g, 'per', 'int', 'rank')} {FAR}"
        if g["name"] == roller["name"]:
            t.do(f"add {quote(g['name'])} {keys}")
        else:
            member = roller["name"] if roller["group"] == g["name"] else f"{g['name']} 1"
            t.do(f"add {quote(member)} group={quote(g['name'])} {keys}")
    t.do("begin", f"meet {given['revealer']} vs {quote(roller['name'])}")
    roll(t, example)
    won = next(c["side"] for c in t.state()["combatants"] if c["name"] == t.state()["outcome"]["winner"])
    found = {
        "mode": mode(t), "won": won, "track": t.order(), "value": values(t),
        "position": {r["entry"]: r["place"] for r in t.state()["track"]},
    }  # fmt: skip
    free = t.may()
    order = played(t)
    return found | {"first_turn": {"free": free, "then": [x for x in order if x not in free]}}


# --- a fight in its second turn, with the values of the example


def second_turn(given: dict[str, Any], chosen: dict[str, Any], *, leader: bool = False) -> Table:
    """Everybody on the track with these values, at the beginning of round 2; a spare enemy in reserve."""
    t = Table("dungeon-track", chosen)
    numbers = given.get("value") or {name: 20 - i for i, name in enumerate(given["track"])}
    minds = given.get("intelligence", {})
    for name in sorted(given["track"], key=lambda n: n not in HEROES):
        keys = f"per={numbers[name] - 7} int={minds.get(name, 2)} {FAR}"
        hero = name in HEROES
        t.do(f"add {name} kind=pc {keys}" if hero else f"add 3 {name} group={name} {keys}")
    t.do("add Spare", *([f"add Boss rank=leader per=1 int=1 {FAR}"] if leader else []), "begin")
    groups = [n for n in given["track"] if n not in HEROES]
    inside = ",".join([f"@{n}" for n in groups] + (["Boss"] if leader else []))
    t.do(f'meet Borgron vs "{groups[0]} 1" with="{inside}"')
    rolls(t, {})
    while t.state()["round"] == 1:
        played(t)
        t.do("next")
    if not leader:
        assert t.order() == given["track"]
    return t


def turn(example: Example) -> dict[str, Any]:
    given = example["given"]
    t = second_turn(given, options(example))
    before, acted = values(t), []
    while acts(t, "round") == []:
        if not acting(t):
            t.do("next")
        acted.append(acting(t))
        t.do("end")
        for after, what, whom in given.get("events", []):
            if after == acted[-1]:
                t.do(*deed(what, whom))
    t.do("next")
    now = values(t)
    changes = [
        [name, now[name] - before[name]] for name in before if name in now and now[name] != before[name]
    ]
    return {"acted": acted, "value": now, "changes": changes, "next_turn": t.order()}


def deed(what: str, whom: str) -> list[str]:
    match what:
        case "hit":
            return [f"hit {whom}"]
        case "out":
            return [f"out {whom}"]
        case _:
            return [f"kill Spare by={whom if whom in HEROES else quote(whom + ' 1')}", "back Spare"]


def spawn(example: Example) -> dict[str, Any]:
    given = example["given"]
    t = second_turn(given, options(example))
    while acting(t) != given["current"]:
        assert acting(t) in given["acted"]
        t.do("next")
    for name, group in given.get("joins", []):
        t.do(f"add {quote(name)} group={group} per=1 distance=1")
    kept = {}
    for g in given.get("groups", []):
        t.do(f"add {quote(g['name'] + ' 1')} group={g['name']} {ability(g, 'per', 'int')} distance=2")
        if "total" in g:
            kept[f"{g['name']} 1"] = (g["total"] - g["per"] - 4, 4)
    new = [name for name, _ in given.get("joins", [])] + [g["name"] for g in given.get("groups", [])]
    t.do("place " + " ".join(map(quote, new)) + " vs Borgron")
    first = t.state()["due"][-1]["who"]
    heroes = (6, 6) if given["won"] == "heroes" else (1, 2)
    t.do(f"roll Borgron {heroes[0]} {heroes[1]}")
    t.do("roll {} {} {}".format(quote(first), *(kept.get(first) or ((1, 2) if heroes == (6, 6) else (6, 6)))))
    seen = len(fallen(t))
    if example.get("dice"):
        t.do("roll", dice=[face for *_, face in example["dice"]])
    assert fallen(t)[seen:] == example.get("dice", [])
    return after(t, new, given["current"])


def after(t: Table, new: list[str], current: str) -> dict[str, Any]:
    now = t.may() if acts(t, "pass") else []
    found: dict[str, Any] = {"now": now, "track": t.order(), "value": values(t)}
    barred = {c["name"] for c in t.state()["combatants"] if c["marks"].get("barred")}
    found["miss"] = [n for n in new if n in barred or (n in t.order() and row(t, n)["state"] == "barred")]
    for name in now:
        t.do(f"turn {quote(name)}", "end")
    assert acting(t) == current
    t.do("end")
    return found | {"rest_of_turn": played(t)}


def commander(example: Example) -> dict[str, Any]:
    given = example["given"]
    tracked = given.get("ever_tracked", True)
    t = second_turn(given, options(example), leader=not tracked)
    if tracked:
        for name in given["acted"]:
            if not acting(t):
                t.do("next")
            assert acting(t) == name
            t.do("end")
        t.do(
            "add Boss rank=leader per=1 int=1 distance=1",
            "place Boss vs Borgron",
            "roll Borgron 6 6",
            "roll Boss 1 2",
        )
    if given["event"] == "falls":
        t.do("out Boss")
    found: dict[str, Any] = {"mode_now": mode(t)}
    free = t.may()
    played(t)
    t.do("next")
    if acting(t):
        t.do("undo", "next")
    dark = t.may() or [acting(t)]
    found["rest"] = {"free_heroes": free, "free_dark": dark}
    played(t)
    t.do("next")
    assert t.state()["round"] == 3
    return found | {"mode_next_turn": mode(t)}


OPS: dict[str, Callable[[Example], dict[str, Any]]] = {
    "trk_start": start, "trk_turn": turn, "trk_spawn": spawn, "trk_commander": commander
}  # fmt: skip
EXAMPLES = examples("dungeon-track")


@pytest.mark.parametrize("example", EXAMPLES, ids=[x["id"] for x in EXAMPLES])
def test_a_worked_example_comes_out(example: Example) -> None:
    found = OPS[example["op"]](example)
    for key, want in example["expect"].items():
        got = found[key]
        if key == "value":
            got = {name: got[name] for name in want}
        assert got == want, (key, got)


def test_every_example_is_played() -> None:
    assert len(EXAMPLES) == 17
    assert {x["op"] for x in EXAMPLES} == set(OPS)
