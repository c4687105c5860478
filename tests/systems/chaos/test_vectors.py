"""The worked examples of Chaos, played through the ordinary lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kit.examples import Example, examples, roll
from tests.kit.table import Table, order_of
from tests.systems.chaos.fights import accepts, again, preview, states

EXAMPLES = examples("chaos")


def _ranked(order: list[str], *more: str) -> Table:
    """A fight at its first slot, in this order; `more` lines come before the lock."""
    table = Table("chaos")
    table.do(*(f"add {name}" for name in order), "begin", *more, "lock missing=empty")
    table.do("roll", dice=range(20, 20 - len(order), -1))
    table.do("ok")
    assert table.order() == order
    return table


def _until(table: Table, name: str) -> None:
    while table.state()["acting"] != name:
        table.do("next")


def cha_order(v: Example) -> None:
    table = Table("chaos", v.get("options"))
    for c in v["given"]["roster"]:
        table.do(f"add {c['name']} bonus={c['bonus']}" + (f" adv={c['mode']}" if "mode" in c else ""))
    table.do("begin", "lock missing=empty")
    roll(table, v)
    assert table.order() == v["expect"]["order"]
    assert table.state()["outcome"]["order"] == v["expect"]["order"]
    assert {r["entry"]: r["value"] for r in table.state()["track"]} == v["expect"]["totals"]


def cha_notebook(v: Example) -> None:
    """The notebook's fraction below one half is our hidden roll-off."""
    roster = v["given"]["roster"]
    table = Table("chaos")
    table.do(*(f'add "{name}" bonus={bonus}' for name, bonus, _, _ in roster), "begin", "lock missing=empty")
    for name, _, face, _ in roster:
        table.do(f'roll "{name}" {face}')
    fraction = {name: fraction for name, _, _, fraction in roster}
    for ask in table.state()["due"]:
        if ask["kind"] == "roll":
            table.do(f'roll "{ask["who"]}" {1 + int(fraction[ask["who"]] * 38)}')
    assert [f"{i}: {name}" for i, name in enumerate(table.order())] == v["expect"]["lines"]


def cha_formation_adjusted(v: Example) -> None:
    table = Table("chaos")
    given = v["given"]
    table.do(
        f"add Militia formation={given['size']} affected={given['affected']} bonus=4",
        "begin",
        "lock missing=empty",
    )
    table.do("roll Militia 10")
    assert (table.state()["track"][0]["value"] == 14) is v["expect"]["applies"]


def cha_check(v: Example) -> None:
    table = Table("chaos")
    table.do(
        "add Ana", "begin", 'order Ana ready="shoot"' if v["given"].get("held_ready") else "order Ana", "lock"
    )
    table.do("roll Ana 10", "ok", "next", "next")
    order = {k: t for k, t in v["given"]["order"].items() if isinstance(t, str)}
    if v["given"]["order"].get("maintain"):
        order["maintain"] = "yes"
    for place, x in enumerate(v["given"]["order"].get("reactions", [])):
        order["reaction" if place == 0 else f"reaction{place + 1}"] = f"{x['trigger']} => {x['do']}"
    shown = preview(table, "Ana", **order)
    assert list(shown.errors) == v["expect"]["errors"]
    assert list(shown.warnings) == v["expect"].get("warnings", list(shown.warnings))
    line = "order Ana " + " ".join(f'{k}="{t}"' for k, t in order.items())
    assert accepts(table, line) is not bool(v["expect"]["errors"])
    if not v["expect"]["errors"]:
        written = order_of(table, "Ana")
        assert written is not None
        assert written["warnings"] == v["expect"]["warnings"]


def cha_target(v: Example) -> None:
    given = v["given"]
    table = _ranked(given["order"])
    attacker = next(name for name in given["order"] if name not in given["candidates"])
    table.do(f"target {attacker} among={','.join(given['candidates'])}")
    assert table.state()["outcome"]["target"] == v["expect"]["target"]


def cha_multiattack(v: Example) -> None:
    """After every kill the attacker's remaining attacks are redirected among those in reach."""
    given = v["given"]
    table = _ranked(given["order"])
    near = {given["target"], *given["melee"], *given["ranged"]}
    attacker = next(name for name in given["order"] if name not in near)
    _until(table, attacker)
    reach = [
        f'{style}="{",".join(f"{name}:{n}" for name, n in given[style].items())}"'
        for style in ("melee", "ranged")
        if given[style]
    ]
    target, style = given["target"], given.get("style", "melee")
    made = []
    for kill in given["kills"]:
        made.append([target, style])
        if kill:
            table.do(f"out {target}", f"redirect {attacker} {' '.join(reach)}")
            outcome = table.state()["outcome"]
            target, style = outcome["target"], outcome["style"]
    assert made == v["expect"]["attacks"]


def cha_reaction(v: Example) -> None:
    """What is on the board for an entry goes off at the first trigger that the rules still allow."""
    from tests.systems.chaos.fights import board_texts

    given = v["given"]
    table = Table("chaos")
    table.do("add Orc", "add Ana", "begin", "order Ana ready=shoot", "lock missing=empty")
    table.do("roll", dice=[20, 10])
    table.do("ok", "next", "next", "next")
    keys = ["reaction", "reaction2"]
    order = [f'{key}="{trigger} => act"' for key, trigger in zip(keys, given["specified"], strict=False)]
    order += ["maintain=yes"] if given.get("maintain") else []
    order += ["ready=shoot"] if given.get("holding_ready") else []
    table.do(f"order Ana {' '.join(order)}", "lock missing=empty")
    table.do("roll", dice=[10, 20] if given.get("holding_ready") else [20, 10])
    lines = [line for line in board_texts(table) if line.startswith("Ana")]
    table.do("ok", "next", *(["next"] if given.get("holding_ready") else []))
    holds = "ready" in table.encounter.combatants["c2"].marks
    used = ""
    for trigger in given["happened"]:
        listed = any(trigger in line for line in lines)
        if not used and listed and accepts(table, f"react Ana with {trigger}"):
            used = trigger
    assert used == v["expect"]["used"]
    if holds and used:
        assert "ready" not in table.encounter.combatants["c2"].marks
        table.refuse("fire Ana", "reaction")


def cha_ready(v: Example) -> None:
    given = v["given"]
    owner, rank = given["owner"], list(range(20, 20 - len(given["order"]), -1))
    this = given.get("readied") == "this"
    table = _ranked(given["order"], *([] if this else [f"order {owner} ready=shoot"]))
    if this:
        again(table, f"order {owner} ready=shoot", dice=tuple(rank))
    else:
        again(
            table,
            f"order {owner} {'maintain=yes' if given.get('maintain') else 'action=wait'}",
            dice=tuple(rank),
        )
    _until(table, given["during"])
    assert accepts(table, f"fire {owner}") is v["expect"]["fires"]


def cha_resolve(v: Example) -> None:
    given = v["given"]
    table = _ranked(given["order"])
    acted: list[str] = []
    table.do("next")
    while table.encounter.round == 1 and table.state()["acting"]:
        name = table.state()["acting"]
        acted.append(name)
        for dead in given["dead_after"].get(name, []):
            table.do(f"out {dead}")
        void = [who for who, state in states(table).items() if state == "void"]
        table.do("next")
    assert acted == v["expect"]["acted"]
    assert void == v["expect"]["void"]


def cha_visible(v: Example) -> None:
    given = v["given"]
    table = Table("chaos", {"cha.mode": given["mode"]})
    table.do(
        f"add Ana owner={given['owner']} side=red hp=7", f"add Bo owner={given['viewer']} side=blue", "begin"
    )
    table.do("order Ana action=hide")
    if given["phase"] != "writing":
        table.do("lock missing=empty")
        table.do("roll", dice=[10, 20])
        table.do("ok", "next")
    if given["item"] == "sheet":
        sheet = next(c for c in table.state(given["viewer"])["combatants"] if c["name"] == "Ana")
        assert ("hp" in sheet and "fields" in sheet) is v["expect"]["visible"]
    else:
        assert (order_of(table, "Ana", given["viewer"]) is not None) is v["expect"]["visible"]


OPS: dict[str, Callable[[Example], None]] = {
    f.__name__: f
    for f in (
        cha_order, cha_notebook, cha_formation_adjusted, cha_check, cha_target, cha_multiattack,
        cha_reaction, cha_ready,
        cha_resolve, cha_visible,
    )
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=[v["id"] for v in EXAMPLES])
def test_a_worked_example_comes_out(example: Example) -> None:
    OPS[example["op"]](example)


def test_every_rule_of_the_examples_is_played() -> None:
    assert {v["op"] for v in EXAMPLES} == set(OPS)
