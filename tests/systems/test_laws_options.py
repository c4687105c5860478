"""A house rule that changes in mid-fight decides what comes: no number, order or outcome that stands is
another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_fights import HABITS
from tests.kit.random_play import Chance, Game, Habits, plainly
from tests.kit.table import Table, plain
from tests.kit.tiers import cases, third_of
from tests.systems.dungeon.habits import Dungeon
from tests.systems.unbound.habits import LOOSE
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Field, FormAsk
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.grammar import ACTIONS, parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, decide
from tui.core.views.log import story
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


@pytest.mark.parametrize("system", third_of(Registry().ids(), 2))
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


SYSTEMS = Registry().ids()
LINES = (
    "out {0}", "back {0}", "turn {0}", "act {0}", "hold {0}", "move {0} before {1}", "move {0} after {0}",
    "pass", "end", "next",
    "ok", "lock", "unlock", "begin", "pick Zed", "pick {0}", "roll", "roll {0}", "roll {0} 99",
    "order {0} action=1",
    "order {0} weapon=1d6", "order {0} again=yes", "react {0}", "react {0} with nix", "group {0},{1} Orcs",
    "group {0},{1} {0}",
    "group {0},{1} heroes", "ungroup {0}", "rename {0} {1}", "alias {0} {1}", "add {0}", "add -2 Orc",
    "set {0} side=nowhere",
    "heal {0} 3", "damage {0} -1", "condition {0} x of=heroes", "hide {0} nix", "reroll", "calm",
    "meet {0}", "meet {0} vs {1}",
    "meet {0} vs {0},{1}", "place {0}", "place {0} vs {1}", "moved {0}", "hit {0}", "kill {0} by={1}",
    "fire {0}", "fire",
    "else {0} action", "else {0}", "target {0} among={1}", "redirect {0} melee={1}", "surprised {0}",
    "surprised none", "surprised",
    "notice", "surprise heroes by=dark", "surprise heroes by=heroes", "switch {0} action=1",
    "switch {0} from=spell move=yes",
    "option foo=1", "lock missing=empty",
)  # fmt: skip
HOLDER = re.compile(r"\b(WHO|HERO|NAME|SIDE|SQUARES)\b")


class Refused(Game):
    """A fight in which lines that do not fit are tried after every line, and their hints after them."""

    def _watch(self, event: ev.Event) -> None:
        """Turns are watched where they are played right; here sides are ended by hand."""

    def say(self, line: str) -> bool:
        accepted = super().say(line)
        for tried in self.random.sample(LINES, 12):
            self.probe(tried.format(self.somebody(), self.somebody()))
        return accepted

    def probe(self, line: str) -> None:
        """The hint of a refusal works, if the line is refused; else the log says what came of it."""
        own = [v.name for v in self.rules.verbs]
        error = self.fault(line)
        for hint in re.findall(r"`([^`]+)`", error.hint) if error else ():
            assert not HOLDER.search(hint), f"{line}: {error}"
            if hint.split()[0] in (*ACTIONS, *own) and hint != "undo":
                assert not (fault := self.fault(hint)), f"{line}: {error}\n{hint}: {fault}\n" + "\n".join(
                    self.log
                )

    def fault(self, line: str) -> RuleError | None:
        """Why a line is refused now; nothing is changed by it."""
        own = [v.name for v in self.rules.verbs]
        try:
            events = decide(
                self.encounter, parse(line, own), Rules(self.registry, Chance(self.random), "app")
            )
        except RuleError as error:
            return error
        assert story(self.encounter, events, GAME_MASTER, self.rules), f"{line} is done without a word"
        return None


def _extra(r: Random, e: Encounter) -> Sequence[str]:
    names = [quote(c.name) for c in e.combatants.values()] or ["Nobody"]
    who, other = r.choice(names), r.choice(names)
    return [
        f"meet {who}", f"place {who}", "calm", f"kill {who} by={other}", f"hit {who} 1", f"surprised {who}",
        f"switch {who} action=1", f"set {who} per=2 int=2", f"fire {who}", "surprise heroes by=dark",
        "notice",
    ]  # fmt: skip


def _write(r: Random, ask: FormAsk) -> str:
    chaos = [
        'action="a or else b"',
        'ready="shoot" reaction="hit => x" reaction2="seen => x"',
        "maintain=yes",
        "",
    ]
    known = {f.key for f in ask.fields}
    return r.choice(["weapon=1d6", "spell=2 move=yes", ""] if "weapon" in known else chaos)


@pytest.mark.parametrize("system", third_of(SYSTEMS, 0))
@cases(8)
@given(seed=st.integers(0, 10**6))
def test_a_line_between_backticks_is_accepted_as_it_stands(system: str, seed: int) -> None:
    sides = ("heroes", "dark") if "dungeon" in system else ("heroes", "dark", "cult")
    keys = ["", "per=2 int=3", "distance=3", "stealth=14"]
    habits = Habits(lambda r: r.choice(keys), _write, _extra, sides, new_span=lambda _: True)
    game = Refused(system, habits, Random(seed))
    game.start(3)
    for _ in range(8):
        if not game.encounter.running:
            break
        game.edit()
        for line in ("roll", "lock missing=empty", "pick none", "ok", "next"):
            if game.say(line):
                break


WOUNDED = '''
from tui.systems.classic import Classic

class Wounded(Classic):
    """Of equal numbers whoever has lost the most acts first: an order that hit points decide."""

    id = "wounded"

    def late_rank(self, e, key):
        c = e.combatants.get(key)
        return c.hp - c.max_hp if c and c.hp is not None else 0
'''
DESPERATE = '''
from tui.systems.classic import Classic

class Desperate(Classic):
    """The fewest hit points first; its sort has the name that the sort of other systems has."""

    id = "desperate"

    def acting_order(self, e):
        return sorted(super().acting_order(e), key=lambda x: sum(e.combatants[k].hp or 0 for k in x.members))
'''


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("systems")
    (folder / "wounded.py").write_text(WOUNDED, encoding="utf-8")
    (folder / "desperate.py").write_text(DESPERATE, encoding="utf-8")
    return Registry([str(folder)])


@pytest.mark.parametrize("system", ["wounded", "desperate"])
def test_an_order_by_hit_points_follows_every_wound(systems: Registry, system: str) -> None:
    t = Table(system, systems=systems)
    t.do("add Ana hp=20", "add Bo hp=20", "begin")
    t.do("roll", dice=(9, 9, 7, 3))
    assert t.order() == ["Ana", "Bo"]
    t.do("damage Bo 5")
    assert t.order() == ["Bo", "Ana"]
    assert t.state()["offer"]["acts"] == [{"kind": "turn", "who": "Bo"}]
    t.do("damage Ana 12", "next")
    assert t.state()["acting"] == "Ana"


@pytest.mark.parametrize("system", ["wounded", "desperate"])
@cases(12)
@given(seed=st.integers(0, 10**6))
def test_a_fresh_instance_answers_the_same_for_a_system_of_a_stranger(
    systems: Registry, system: str, seed: int
) -> None:
    Game(system, Habits(), Random(seed), registry=systems).play(40)


def test_the_law_would_see_an_order_that_lags_behind(systems: Registry) -> None:
    """The comparison of the random fights is one that can fail."""
    t = Table("wounded", systems=systems)
    t.do("add Ana hp=20", "add Bo hp=20", "begin")
    t.do("roll", dice=(9, 9, 7, 3))
    rules, before = systems.get("wounded"), t.encounter
    t.do("damage Bo 5")
    assert plainly(rules.rows(before)) != plainly(rules.rows(t.encounter))
