"""What is sealed or hidden is nowhere in what others get: laws over random play, and the rulings one by
one."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_play import Chance
from tests.kit.table import plain
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.apply import apply
from tui.core.fight.encounter import Encounter, active, key_of, label, members
from tui.core.fight.viewer import viewer_of
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, decide
from tui.core.views.log import story
from tui.core.views.table_for import table_for
from tui.systems import Registry

VIEWERS = ("Lia", "Max", "nobody")
COMPONENTS = ("movement", "action", "bonus", "object", "ready")


class Spy:
    """A random fight in which every written word is its own, so that it is known where it turns up.

    `secrets`: each word with the row that wrote it and the round; `shown`: the words that the rules have
    revealed to everybody who sees that row.
    """

    def __init__(self, random: Random, options: dict[str, Any]) -> None:
        self.random, self.registry = random, Registry()
        self.encounter = Encounter(system="chaos", options=options)
        self.rules = self.registry.get("chaos")
        self.secrets: dict[str, tuple[str, int]] = {}
        self.shown: set[str] = set()
        self.known: set[tuple[str, str]] = set()
        self.log: list[str] = []

    def word(self, key: str) -> str:
        found = f"zq{len(self.secrets)}x"
        self.secrets[found] = (key, self.encounter.round)
        return found

    def say(self, line: str) -> None:
        try:
            action = parse(line, [v.name for v in self.rules.verbs])
            events = decide(self.encounter, action, Rules(self.registry, Chance(self.random)))
        except RuleError:
            return
        self.log.append(line)
        before = self.encounter
        for event in events:
            self.encounter = apply(self.encounter, event)
            self.reveal(event)
        for viewer in VIEWERS:
            self.look(viewer, before, events)

    def reveal(self, event: ev.Event) -> None:
        """The rules reveal an order when its slot opens; at an open table all, with the first slot."""
        if isinstance(event, ev.TurnBegan):
            now = [w for w, (_, number) in self.secrets.items() if number == self.encounter.round]
            every = bool(self.rules.open_sheets(self.encounter))
            written = json.dumps(self.encounter.orders.get(event.who, {}))
            self.shown |= {w for w in now if every or w in written}
        open_now = (
            self.rules.option(self.encounter, "cha.reveal") == "all_at_start"
            and self.encounter.phase == "turns"
        )
        if open_now and not self.rules.open_sheets(self.encounter):
            self.shown |= {w for w, (_, number) in self.secrets.items() if number == self.encounter.round}

    def look(self, name: str, before: Encounter, events: tuple[ev.Event, ...]) -> None:
        viewer = viewer_of(name)
        seen = json.dumps(plain(table_for(self.encounter, self.rules, viewer))).lower()
        told = " ".join(line.text for line in story(before, events, viewer, self.rules)).lower()
        both = (self.encounter, before)
        for word, (key, _) in self.secrets.items():
            if word not in seen + told or (name, word) in self.known:
                continue
            rows = {
                key,
                *(k for e in both for k, order in e.orders.items() if word in " ".join(order.values())),
            }
            people = [c for e in both for k in rows for c in members(e, k)]
            if not any(viewer.mine(c) for c in people):
                assert word in self.shown, f"{name} reads {word} of {key}:\n" + "\n".join(self.log)
                assert any(viewer.sees(c) for c in people), f"{name}: {word} of the unseen"
                self.known.add((name, word))
        for c in self.encounter.combatants.values():
            if c.hidden and not viewer.mine(c):
                assert c.name.lower() not in seen, f"{name} reads {c.name}:\n" + "\n".join(self.log)
                assert c.name.lower() not in told, f"{name} was told {c.name}:\n" + "\n".join(self.log)

    def write(self, key: str) -> str:
        parts = [f"{part}={self.word(key)}" for part in self.random.sample(COMPONENTS, 2)]
        parts.append(f'reaction="{self.word(key)} => {self.word(key)}"')
        if self.random.random() < 0.3:
            near = "" if any(c.owner for c in members(self.encounter, key)) else " near Zyxomma"
            parts[0] = f'action="{self.word(key)} or else {self.word(key)}{near}"'
            parts = list({p.split("=")[0]: p for p in parts}.values())
        return f"order {quote(label(self.encounter, key))} " + " ".join(parts)

    def step(self) -> None:
        due, r = self.rules.due(self.encounter), self.random
        if due and due[0].kind == "form":
            self.say(r.choice([self.write(due[0].who)] * 5 + ["lock missing=empty"]))
        elif due:
            self.say({"roll": "roll", "lock": "lock", "acknowledge": "ok", "pick": "roll"}[due[0].kind])
        else:
            self.say("next")

    def disturb(self) -> None:
        r = self.random
        names = [c.name for c in self.encounter.combatants.values()]
        who, acting = quote(r.choice(names)), quote(label(self.encounter, self.encounter.acting) or "x")
        own: list[str] = [key_of(c) for c in active(self.encounter)] or ["c1"]
        self.say(
            r.choice(
                [
                    f"fire {who}",
                    f"react {who}",
                    f"out {who}",
                    f"back {who}",
                    f"hide {who}",
                    f"reveal {who}",
                    "unlock",
                    "lock missing=empty",
                    f"else {acting} action",
                    f"else {acting} ready",
                    f"order {who} again=yes",
                    self.write(r.choice(own)),
                    f"target {who} among=Axolotl,Zyxomma",
                    f'redirect {who} melee="Zyxomma:1"',
                    f"move {who} before Axolotl",
                    f"move {who} after Zyxomma",
                    f"damage {who} 2",
                    f"set {who} bonus=3",
                    f"condition {who} Prone of=Zyxomma",
                    "add Vicuna hidden=yes",
                    f"note {who} waits",
                    "ungroup Bonobo",
                ]
            )
        )

    def play(self, steps: int) -> None:
        for line in (
            "add Axolotl side=red owner=Lia hp=5",
            "add Bonobo side=red owner=Max group=Pair",
            "add Caracal side=red owner=Max group=Pair",
            "add Ocelot side=blue",
            "add Zyxomma side=blue hidden=yes",
            "add Quokka side=blue owner=Max hidden=yes",
            "begin",
        ):
            self.say(line)
        for _ in range(steps):
            if self.random.random() < 0.4:
                self.disturb()
            self.step()


@cases(40)
@given(
    st.integers(0, 10**9),
    st.integers(5, 60),
    st.sampled_from([{}, {}, {"cha.reveal": "all_at_start"}, {"cha.mode": "head-to-head"}]),
)
def test_no_sealed_word_and_no_hidden_name_leaks(seed: int, steps: int, options: dict[str, Any]) -> None:
    Spy(Random(seed), options).play(steps)


def test_the_spy_reads_what_lies_open() -> None:
    """The law above would notice: words are read by others after their slot."""
    spy = Spy(Random(7), {})
    spy.play(60)
    assert len(spy.known) > 10
    assert spy.shown < set(spy.secrets)
