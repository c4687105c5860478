"""A refusal helps: what its hint puts between backticks is a line that is accepted as it stands, in any
fight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_play import Chance, Game, Habits
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import FormAsk
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.grammar import ACTIONS, parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, decide
from tui.core.views.log import story
from tui.systems import Registry

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


@pytest.mark.parametrize("system", SYSTEMS)
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
