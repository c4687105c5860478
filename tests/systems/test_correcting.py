"""A number that was heard wrongly is said again: the fight goes on as if it had been heard rightly."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import FormAsk, LockAsk, RollAsk
from tui.core.fight.apply import fold
from tui.core.fight.combatant import Plain
from tui.core.fight.encounter import Encounter, label
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, decide
from tui.core.rules.upkeep import owed
from tui.systems import Registry

REGISTRY = Registry()
SETTINGS: dict[str, list[dict[str, Plain]]] = {
    "classic": [{}, {"classic.tie": "mod"}],
    "chaos": [{}, {"cha.tie": "bonus"}],
    "dynamic": [{}, {"dis.group": "staggered"}],
    "unbound": [{}],
    "dungeon-track": [{}, {"trk.tie": "heroes_first"}],
}


class Table:
    """A fight in which each roll has its own dice, whenever it is asked for."""

    def __init__(self, system: str, options: dict[str, Plain], seed: int) -> None:
        self.encounter = Encounter(system=system, options=dict(options))
        self.seed = seed
        self.said: list[str] = []
        self.right: dict[str, tuple[int, ...]] = {}

    def say(self, line: str) -> None:
        """Run a line."""
        system = REGISTRY.get(self.encounter.system)
        action = parse(line, [v.name for v in system.verbs])
        self.encounter = fold(self.encounter, decide(self.encounter, action, Rules(REGISTRY, Random(0))))  # type: ignore[arg-type]
        self.said.append(line)

    def faces(self, ask: RollAsk) -> tuple[int, ...]:
        """Return the dice of this roll: few numbers, so that ties happen."""
        if ask.key in self.right:
            return self.right[ask.key]
        # Equal opposed rolls are rolled again under the same name.
        again = len(self.said) if ask.key.startswith("opposed") else ""
        dice = Random(f"{self.seed} {ask.key} {again}")
        return tuple(dice.randint(1, min(sides, 4)) for sides in ask.dice)

    def owed(self) -> tuple[object, ...]:
        """Return what is owed."""
        return owed(self.encounter, REGISTRY.get(self.encounter.system))

    def settle(self) -> None:
        """Answer all that is owed."""
        while due := self.owed():
            match ask := due[0]:
                case RollAsk():
                    self.say(
                        f"roll {quote(label(self.encounter, ask.who))} {' '.join(map(str, self.faces(ask)))}"
                    )
                case FormAsk():
                    what = "weapon=1d8" if self.encounter.system == "dynamic" else ""
                    self.say(f"order {quote(label(self.encounter, ask.who))} {what}")
                case LockAsk():
                    self.say("lock")
                case _:
                    self.say("pick none" if getattr(ask, "least", 1) == 0 else "ok")

    def order(self) -> list[tuple[str, int]]:
        """Return the track."""
        rows = REGISTRY.get(self.encounter.system).rows(self.encounter)
        return [(row.entry, row.value) for row in rows]


def _met(system: str, options: dict[str, Plain], seed: int, people: list[str]) -> Table:
    table = Table(system, options, seed)
    for line in people:
        table.say(line)
    table.say("begin")
    if system.startswith("dungeon"):
        table.say("meet Ana")
    return table


PEOPLE = st.lists(
    st.sampled_from(
        ["Cid side=heroes kind=pc", "3 Orc group=Orcs", "Wolf", "Imp", "Dov side=heroes kind=pc", "2 Rat"]
    ),
    min_size=1, max_size=5, unique=True,
)  # fmt: skip


@cases(60)
@given(st.sampled_from(sorted(SETTINGS)), st.integers(0, 99), PEOPLE, st.integers(0, 9), st.integers(0, 3))
def test_a_corrected_fight_is_the_fight_rolled_rightly_at_first(
    system: str, seed: int, more: list[str], which: int, turns: int
) -> None:
    people = ["add Ana side=heroes kind=pc", "add Bo", *(f"add {x}" for x in more)]
    for options in SETTINGS[system]:
        wrong = _met(system, options, seed, people)
        wrong.settle()
        rules = REGISTRY.get(system)
        for _ in range(0 if system == "unbound" else turns):
            if wrong.encounter.turn:
                wrong.say("end")
            acts = rules.offer(wrong.encounter).acts
            if not acts or acts[0].kind == "round":
                break
            wrong.say(f"turn {quote(label(wrong.encounter, acts[0].who))}")
        acting = wrong.encounter.turn
        asks = rules.correctable(wrong.encounter)
        if not asks:
            continue
        ask = asks[which % len(asks)]
        right = tuple(Random(f"{seed} right").randint(1, min(sides, 6)) for sides in ask.dice)
        before = wrong.encounter
        name = quote(label(before, ask.who))
        try:
            wrong.say(f"roll {name} {' '.join(map(str, right))}")
        except RuleError as error:
            if "already" not in error.message:
                raise
            continue
        assert wrong.encounter.turn == acting
        wrong.settle()
        heard = _met(system, options, seed, people)
        heard.right = {ask.key: right}
        heard.settle()
        assert wrong.order() == heard.order(), (wrong.said, heard.said)
        acted = {k for k, c in before.combatants.items() if "acted" in c.marks}
        assert acted == {k for k, c in wrong.encounter.combatants.items() if "acted" in c.marks}
        with pytest.raises(RuleError, match="already"):
            wrong.say(f"roll {name} {' '.join(map(str, right))}")
        with pytest.raises(RuleError):
            wrong.say(f"roll {name}")


def test_a_fixed_place_ends_and_the_number_that_was_rolled_counts_again() -> None:
    table = _met("classic", {}, 0, ["add Ana side=heroes", "add Bo"])
    table.say("roll Ana 12")
    table.say("roll Bo 3")
    table.say("set Bo value=15")
    assert table.order() == [("c2", 15), ("c1", 12)]
    with pytest.raises(RuleError, match="value=none"):
        table.say("total Bo 4")
    table.say("set Bo value=none")
    assert table.order() == [("c1", 12), ("c2", 3)]


def test_a_faction_is_corrected_until_the_first_turn_begins() -> None:
    table = _met("unbound", {}, 0, ["add Ana side=heroes", "add Bo"])
    table.say("roll heroes 9")
    table.say("roll dark 3")
    table.say("total dark 10")
    assert [key for key, _ in table.order()] == ["@dark", "@heroes"]
    table.say("turn Bo")
    with pytest.raises(RuleError, match="undo"):
        table.say("total dark 3")
