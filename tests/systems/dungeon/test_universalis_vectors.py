"""The worked examples of Dungeon Universalis, through ordinary lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.examples import Example, examples, fallen, roll
from tests.kit.table import Table
from tests.systems.dungeon.fights import acts, caught, dice, events, played, rolls, rules, side
from tui.core.fight import events as ev
from tui.core.language.tokens import quote

OPTIONS = {"second_activation": "dun.second_activation"}
WHY = {"DUN-22": "double 1", "DUN-18": "both dice", "DUN-17": "not allowed", "DUN-23": "not allowed"}


def table(example: Example) -> Table:
    return Table("dungeon-universalis", {OPTIONS[k]: v for k, v in example.get("options", {}).items()})


def add(given: dict[str, Any], side: str, **more: Any) -> str:
    keys = {k: v for k, v in {**given, **more}.items() if k != "name"}
    return f"add {quote(given['name'])} side={side} " + " ".join(f"{k}={v}" for k, v in keys.items())


def opposed(example: Example) -> dict[str, Any]:
    t, given = table(example), example["given"]
    a, b = given["a"], given["b"]
    t.do(add(a, "heroes"), add(b, "dark"), "begin", f"meet {quote(a['name'])} vs {quote(b['name'])}")
    roll(t, example)
    last = {event.who: event.faces for event in events(t) if isinstance(event, ev.Rolled)}
    fumbled = [t.encounter.combatants[k].name for k, faces in last.items() if faces == (1, 1)]
    count = len(dice(t, "opposed")) // 4
    return {**t.state()["outcome"], "rolls": count, "fumbled": fumbled}


def rolling(example: Example, *, enemies: bool) -> str:
    t, given = table(example), example["given"]
    if given.get("adp_enemy"):
        t.do("option dun.adp=true")
    ours, theirs, line = ("dark", "heroes", "meet Other") if enemies else ("heroes", "dark", "place Other")
    # The examples name different creatures: between equals in everything no die would be due.
    people = [f"{add(c, ours)} int={mind}" for mind, c in enumerate(given["candidates"], 1)]
    t.do(f"add Other side={theirs}", *people, "begin", line)
    drawn = example.get("dice", [])
    if drawn:
        assert [[d["who"], *d["dice"]] for d in t.state()["due"]] == [[who, sides] for who, sides, _ in drawn]
        t.do(f"roll GM {drawn[0][2]}")
    assert fallen(t) == drawn
    found = [d["who"] for d in t.state()["due"] if d["who"] != "Other"]
    assert len(found) == 1
    return str(found[0])


def roller(example: Example) -> dict[str, Any]:
    found = rolling(example, enemies=True)
    if not example["given"].get("adp_enemy"):
        assert rolling(example, enemies=False) == found
    return {"roller": found}


def surprise(example: Example) -> dict[str, Any]:
    t, given = table(example), example["given"]
    names = list(given["distances"])
    t.do("add Winner kind=pc per=50 int=9", "add Older int=9 per=1")
    t.do(*(f"add {quote(n)} int={given['loser_int']} distance={d}" for n, d in given["distances"].items()))
    t.do("begin")
    inside = ",".join(names)
    if given.get("losing_side_in_combat"):
        t.do("meet Winner with=Older", "roll Winner 2 3", "roll Older 2 3")
    if given.get("new_section", True):
        t.do(f'meet Winner vs {quote(names[0])} with="{inside}"')
    else:
        t.do(f'place "{inside}" vs Winner')
    first, second = given["winner_dice"]
    owing = next(d["who"] for d in t.state()["due"] if d["who"] != "Winner")
    t.do(
        f"roll Winner {first} {second}",
        f"roll {quote(owing)} " + ("1 1" if given.get("loser_fumbled") else "1 2"),
    )
    assert t.state()["outcome"]["winner"] == "Winner"
    said = [r for r in rules(t) if r in WHY]
    return {"surprised": caught(t), "why": WHY[said[-1]]}


def meeting(example: Example) -> dict[str, Any]:
    t, given = table(example), example["given"]
    hero, enemy = given["hero"], given["enemy"]
    for team, distances in given["distances"].items():
        for name, squares in distances.items():
            known = next((x for x in (hero, enemy) if x["name"] == name), {"name": name, "int": 3})
            t.do(add(known, team, distance=squares))
    t.do("begin", f"meet {quote(hero['name'])} vs {quote(enemy['name'])}")
    roll(t, example)
    turn = next(s["name"] for s in t.state()["sides"] if s["turn"])
    won = next(c["side"] for c in t.state()["combatants"] if c["name"] == t.state()["outcome"]["winner"])
    lost = "DUN-11" in rules(t)
    return {
        "won": won, "by": t.state()["outcome"]["by"], "surprised": caught(t), "next_turn": turn,
        "dark_turn_lost": lost
    }  # fmt: skip


def spawn(example: Example) -> dict[str, Any]:
    t, given = table(example), example["given"]
    t.do(
        "add Ana kind=pc int=9",
        "add Bo kind=pc int=9",
        *(f"add {quote(n)} int=9" for n in given["old"]),
        "begin",
    )
    t.do(f"meet Ana vs {quote(given['old'][0])}", "roll Ana 6 6")
    rolls(t, {}, (1, 2))
    assert side(t, "heroes")["turn"]
    if given["placed_in"] == "dark":
        played(t)
        t.do("next")
    t.do(*(f"add {quote(n)} int=9" for n in given["new"]))
    t.do("place " + " ".join(map(quote, given["new"])) + " vs Ana")
    rolls(t, {"Ana": (1, 2) if given["won"] == "dark" else (6, 5)})
    now = t.may() if acts(t, "pass") else []
    for name in now:
        t.do(f"turn {quote(name)}", "end")
    if given["placed_in"] == "heroes":
        assert set(played(t)) == {"Ana", "Bo"}
        t.do("next")
    return {"now": now, "dark_turn": played(t)}


OPS: dict[str, Callable[[Example], dict[str, Any]]] = {
    "dun_opposed": opposed, "dun_roller": roller, "dun_surprise": surprise, "dun_meeting": meeting,
    "dun_spawn": spawn,
}  # fmt: skip
EXAMPLES = examples("dungeon-universalis")


@pytest.mark.parametrize("example", EXAMPLES, ids=[x["id"] for x in EXAMPLES])
def test_a_worked_example_comes_out(example: Example) -> None:
    found = OPS[example["op"]](example)
    for key, want in example["expect"].items():
        got = found[key]
        assert (sorted(got) == sorted(want)) if key == "fumbled" else got == want, (key, got)


def test_every_example_is_played() -> None:
    assert len(EXAMPLES) == 20
    assert {x["op"] for x in EXAMPLES} == set(OPS)
