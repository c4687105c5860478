"""A house rule that changes in mid-fight decides what comes: no number, order or outcome that stands is
another."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_fights import HABITS
from tests.kit.random_play import Game, Habits
from tests.kit.table import plain
from tests.kit.tiers import cases
from tests.systems.dungeon.habits import Dungeon
from tests.systems.unbound.habits import LOOSE
from tui.core.fight.agenda import Field
from tui.core.fight.viewer import GAME_MASTER
from tui.core.views.table_for import table_for
from tui.systems import Registry

OPENS = {"cha.mode": "hidden", "unb.reset": "acted", "tie.by_hand": "new"}
"""What a house rule says of marks from now on: all sheets lie open; who of a faction has acted begins
anew; a tie that nobody is asked about any more is settled, and newcomers stand on the track."""


def settled(game: Game, option: str) -> dict[str, Any]:
    """What has been decided already: numbers, marks, and once the last die has fallen order, outcome and
    phase."""
    told = plain(table_for(game.encounter, game.rules, GAME_MASTER))
    freed = OPENS.get(option)
    found: dict[str, Any] = {key: told[key] for key in ("round", "acting")}
    found["marks"] = {c["name"]: c["marks"].keys() - {freed} for c in told["combatants"]}
    rows = [(r["entry"], r["members"], r["value"]) for r in told["track"]]
    if any(d["kind"] in ("roll", "pick", "form", "lock") for d in told["due"]) or told["phase"] in (
        "orders",
        "rolls",
    ):
        return found | {"numbers": {name: value for _, names, value in rows if value for name in names}}
    return found | {"rows": rows, "phase": told["phase"], "outcome": told["outcome"]}


def other_values(field: Field, now: object) -> list[str]:
    """What a house rule could be instead, as a line writes it."""
    every = list(field.choices) or (["true", "false"] if field.kind == "bool" else ["1", "3", "9"])
    return [v for v in every if v != str(now).lower()]


@pytest.mark.parametrize("system", Registry().ids())
@cases(4)
@given(seed=st.integers(0, 10**6))
def test_no_house_rule_rewrites_what_is_decided(system: str, seed: int) -> None:
    random = Random(seed)
    habits = LOOSE if system == "unbound" else HABITS.get(system, Habits())
    game = (Dungeon if system.startswith("dungeon") else Game)(system, habits, random)
    game.start(random.randint(2, 5))
    for _ in range(20):
        game.go_on()
        for field in random.sample(game.rules.options, min(5, len(game.rules.options))):
            before, stands = settled(game, field.key), game.encounter
            now = stands.options.get(field.key, field.default)
            value = random.choice(other_values(field, now) or [str(now).lower()])
            if not game.say(f"option {field.key}={value}"):
                continue
            after = settled(game, field.key)
            both = before.keys() & after.keys()
            assert {k: after[k] for k in both} == {k: before[k] for k in both}, "\n".join(game.log[-12:])
            # Half of them stay, so that later turns are played by rules that were changed.
            if random.random() < 0.5:
                game.encounter = stands
