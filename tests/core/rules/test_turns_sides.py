"""`done` is what the turns of a side are, one after the other by hand, up to the first thing that is owed."""

from __future__ import annotations

import pytest

from tests.kit.random_fights import fight
from tests.kit.tiers import share
from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter, label, side_of
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, draft
from tui.core.rules.upkeep import all_owed
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = ("dungeon-universalis", "dungeon-track", "side-initiative")


def run(e: Encounter, line: str) -> Encounter:
    """Return the encounter after a line, with dice that are always the same. Raises RuleError."""
    registry = Registry()
    own = [verb.name for verb in registry.get(e.system).verbs]
    return draft(e, parse(line, own), Rules(registry, SeededDice(1))).encounter


def by_hand(e: Encounter) -> Encounter:
    """Return the encounter after the turns of the side whose turn it is, each begun and ended."""
    system = Registry().get(e.system)
    side = system.turn_side(e)
    if e.turn:
        e = run(e, "end")
    while not e.turn and not all_owed(e, system):
        offered = (act for act in system.offer(e).acts if act.kind == "turn")
        act = next((act for act in offered if side_of(e, act.who) == side), None)
        if act is None:
            break
        e = run(e, f"turn {quote(label(e, act.who))}")
        if e.turn and not all_owed(e, system):
            e = run(e, "end")
    return e


@pytest.mark.law
@pytest.mark.parametrize("system", SYSTEMS)
def test_done_is_every_turn_of_the_side_by_hand(system: str) -> None:
    compared = 0
    for seed in range(share(8)):
        for e in fight(system, seed).met[:: 60 // share(60)]:
            try:
                done = run(e, "done")
            except RuleError:
                continue
            assert done == by_hand(e)
            compared += 1
    assert compared


def test_done_is_refused_where_a_side_has_no_turn() -> None:
    e = Encounter(system="unbound")
    for line in ("add Ana side=heroes", "add Orc side=dark", "begin"):
        e = run(e, line)
    with pytest.raises(RuleError, match="no side has a turn"):
        run(run(e, "roll"), "done")
