"""Two fights that differ only in what Mia may not know, both controlled by what Mia is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from random import Random
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from tests import plugins
from tests.kit.table import Table, plain
from tui.cli.show import tell_journal
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import AcknowledgeAsk, Ask, EffectAsk, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import label, members
from tui.core.fight.viewer import Viewer, read_by
from tui.core.language.tokens import quote
from tui.core.rules.upkeep import RECHARGE, all_owed
from tui.core.views.seen import visible_fight
from tui.core.views.table_for import THE_GM_GOES_ON, table_for
from tui.core.views.veil import hide_unknown
from tui.serve.judge import PageJudge
from tui.serve.letter import LineReply, Posted, SentLine
from tui.serve.page import make_page
from tui.store.history import History
from tui.store.sources import SeededDice

MIA = Viewer("Mia", gm=False)

SYSTEMS = plugins.REGISTRY.ids()
"""The program's systems, and those that a user may write."""

UNSEEN = ("Lurk", "Shade")


ROSTER = {
    "heroes": "add {} owner={} hp=20 side=heroes per=3 int=3",
    "dark": "add {} hp=12 side=dark per=2 int=2 kind=monster",
}


class Differs(Exception):  # noqa: N818  # what is left of the two is no longer equal: the law says nothing
    """Raised if the fights differ in something that Mia may know, so that they cannot be compared."""


class Fight:
    """One of the two fights; its hidden creatures act at random."""

    def __init__(
        self,
        system: str,
        seed: int,
        unseen: int,
        options: dict[str, Any] | None = None,
        *,
        reserve: bool = False,
    ) -> None:
        self.chance = Random(seed)
        self.reserve = reserve
        self.pages: list[bytes] | None = None
        self.passes = list[bool | None]()
        self.sent = 0
        self.table = Table(system, options, SeededDice(seed), plugins.REGISTRY)
        self.system = self.table.store.system
        self.judge = PageJudge(self.table.store)
        for name, owner in (("Ana", "Mia"), ("Bo", "Jon")):
            self.say(self._fit(ROSTER["heroes"].format(name, owner)))
        for name in ("Orc", "Wolf"):
            self.say(self._fit(ROSTER["dark"].format(name)))
        self.say(self._fit("add Cat hp=6 side=beasts"))
        self.say('set Wolf attacks="Bite +4 1d6 fire; Howl dc11 wis 1d4"')
        self.say("set Ana,Wolf ac=12")
        self.most = unseen
        for name in UNSEEN[:unseen]:
            self._lurk(name)

    def _lurk(self, name: str) -> None:
        """Add a creature that is hidden or in reserve, to a side of its own if the system allows any."""
        side = self.chance.choice(["dark", "dark" if self.system.sides else "cult"])
        waits = self.chance.choice(["", " round=90"] if self.system.sides else [" round=90"])
        unseen = waits if self.reserve else " hidden=yes"
        self.say(self._fit(ROSTER["dark"].format(name)).replace("=dark", f"={side}") + unseen)

    def _fit(self, line: str) -> str:
        known = {f.key for f in self.system.fields} | {"owner", "hp", "side", "kind"}
        return " ".join(w for w in line.split(" ") if "=" not in w or w.split("=")[0] in known)

    def say(self, line: str) -> bool:
        """Run a line; return whether it was accepted."""
        try:
            self.table.do(line)
        except RuleError:
            return False
        self.look()
        return True

    def send(self, line: str) -> LineReply:
        """Return what Mia's browser is answered to a line of hers."""
        self.sent += 1
        letter = SentLine("mia", "key", Posted(f"line-{self.sent:08}", 1, line), lambda _: None)
        reply = self.judge.judge(letter, MIA.name).reply
        self.look()
        return reply

    def look(self) -> None:
        """Keep Mia's page if it differs from the one before, once somebody looks.

        Before the first turn that she sees, she may read that the game master goes on.
        """
        if self.pages is None:
            return
        if [may := self.may_pass()] != self.passes[-1:]:
            self.passes.append(may)
        if [page := self.page()] == self.pages[-1:]:
            return
        if THE_GM_GOES_ON.encode() not in page:
            self.pages.append(page)
        else:
            assert not {row["state"] for row in self.state()["track"]} & {"now", "done"}, page

    def known(self) -> dict[str, Any]:
        """Return what Mia may know of the fight as it is now, whatever moment she is shown."""
        known: dict[str, Any] = plain(table_for(self.table.encounter, self.system, MIA))
        return known

    def state(self) -> dict[str, Any]:
        """Return the state as Mia is shown it."""
        return self.table.state("Mia")

    @property
    def told(self) -> int:
        """The number of records in the journal."""
        return len(self.table.ledger.steps)

    def log(self, told: int) -> list[tuple[int, tuple[str, ...]]]:
        """Return Mia's log as it was after `told` records."""
        store, records = self.table.store, self.table.ledger.steps[:told]
        return [(c.step, c.text) for c in tell_journal(History(store.at(0)), records, MIA, store.systems)]

    def page(self) -> bytes:
        """Return the page that Mia's browser gets."""
        return make_page(self.table.store, MIA.name)[0]

    def left(self) -> tuple[Any, ...]:
        """Return the parts of the encounter that Mia may know."""
        e = hide_unknown(self.table.encounter, self.system, MIA)
        seen_ = (c for c in e.combatants.values() if MIA.sees(c))
        people = tuple(c if MIA.mine(c) else replace(c, counters=(), attacks="") for c in seen_)
        known = {k: r for k, r in e.rolls.items() if not k.startswith(RECHARGE)}
        rolls = tuple((k, r) for k, r in known.items() if not any(map(self.unseen, (r.who, *r.among))))
        orders = tuple((k, o) for k, o in e.orders.items() if any(MIA.mine(c) for c in members(e, k)))
        turn = e.turn.who if e.turn and not self.unseen(e.turn.who) else ""
        # Whether a pass is offered is the truth, at each moment.
        return people, rolls, orders, turn, self.passes, self.may_pass(), e.round

    def may_pass(self) -> bool | None:
        """Return whether Mia is shown that a pass is offered, None if she is shown no choice."""
        acts = visible_fight(self.table.encounter, self.system, MIA).offer.acts
        return any(a.kind == "pass" for a in acts) if acts else None

    def unseen(self, key: str) -> bool:
        """Return whether Mia sees none of the creatures in play behind a key, or none at all."""
        e = hide_unknown(self.table.encounter, self.system, MIA)
        people = members(e, key)
        return not any(MIA.sees(c) for c in [c for c in people if not c.out] or people)

    # --- what the unseen do

    def catch_up(self) -> None:
        """Go on with everything that only the GM sees, until Mia is shown a change. Raises Differs."""
        for _ in range(60):
            due = all_owed(self.table.encounter, self.system)
            mine = [a for a in due if self._theirs(a)]
            if mine:
                self._answer(mine[0])
            elif self._is_chosen_unseen():
                raise Differs
            elif visible_fight(self.table.encounter, self.system, MIA).waits:
                self._go_on(due)
            else:
                return
        raise Differs

    def _is_chosen_unseen(self) -> bool:
        """Return whether an unseen creature begins the round by choosing among the others."""
        e = self.table.encounter
        if e.turn or e.round < 2 or all_owed(e, self.system):
            return False
        offer = self.system.offer(e)
        fresh = not any("acted" in c.marks for c in e.combatants.values())
        return fresh and bool(members(e, offer.chooser)) and self.unseen(offer.chooser)

    def _theirs(self, ask: Ask) -> bool:
        """Return whether only the GM answers this. Raises Differs for a tie with a hidden creature."""
        match ask:
            case LockAsk() | AcknowledgeAsk():
                return False
            case RollAsk(among=tied) if tied and any(map(self.unseen, tied)):
                raise Differs  # a tie with the unseen is settled where Mia would have rolled
            case RollAsk(who="GM") | RollAsk(secret=True) | PickAsk():
                return True
            case _:
                return self.unseen(ask.who)

    def _answer(self, ask: Ask) -> None:
        name = quote(label(self.table.encounter, ask.who))
        match ask:
            case EffectAsk():
                self.say(f"apply {name}")
            case RollAsk():
                self.say(f"roll {name} " + " ".join(str(self.chance.randint(1, s)) for s in ask.dice))
            case FormAsk():
                text = {"text": '"strike from the dark"', "dice": "1d8", "bool": "yes", "ints": "1"}
                field = self.chance.choice(ask.fields)
                self.say(f"order {name} {field.key}={text.get(field.kind, '1')}") or self.say(f"order {name}")
            case PickAsk(names=names, least=least):
                visible = [k for k in names if not self.unseen(k)]
                chosen = [
                    quote(label(self.table.encounter, k)) for k in (visible or list(names))[: max(1, least)]
                ]
                self.say("pick " + " ".join(chosen))
            case _:
                raise AssertionError(ask)

    def _go_on(self, due: tuple[Ask, ...]) -> None:
        if due:
            raise Differs
        if self.say("end" if self.table.encounter.turn else "next"):
            return
        acts = self.system.offer(self.table.encounter).acts
        whose = [a.who for a in acts if a.kind == "turn"]
        lurking = [k for k in whose if self.unseen(k)]
        read = read_by(self.table.encounter, MIA)
        chosen = lurking or sorted(whose, key=lambda k: label(read, k))
        if not chosen or not self.say(f"turn {quote(label(self.table.encounter, chosen[0]))}"):
            raise Differs

    def stir(self) -> None:
        """Run random lines on hidden creatures, and on values that Mia is not shown."""
        if self.chance.random() < 0.3:
            self.say(
                self.chance.choice(
                    [
                        "count Orc breath 1 reset=1d6>=5",
                        "count Orc breath -1",
                        "count Bo luck 2",
                        f'set Orc,Bo attacks="Claw +{self.chance.randint(1, 9)} 1d6"',
                        "count Bo luck -1",
                    ]
                )
            )
        there = [c.name for c in self.table.encounter.combatants.values() if c.name in UNSEEN]
        # Whoever leaves while dice are owed ends a tie in which Mia would have rolled.
        if not all_owed(self.table.encounter, self.system):
            for name in UNSEEN[: self.most]:
                lines = [f"{verb} {name}" for verb in ("out", "back", "remove")]
                if name not in there:
                    self._lurk(name)
                elif self.chance.random() < 0.2:
                    self.say(self.chance.choice(lines))
        for name in there:
            self.say(
                self.chance.choice(
                    [
                        f"damage {name} {self.chance.randint(1, 5)}",
                        f"heal {name} 2",
                        f"condition {name} prone rounds=2",
                        f"set {name} ac={self.chance.randint(8, 18)}",
                        f"condition {name} afraid of=Ana rounds=1",
                        f"note {name} waits in the dark",
                        f"temp {name} 3",
                        f"set {name} note=ambush",
                        f"react {name}",
                        f"count {name} breath 1 reset=1d6>=5",
                        f"count {name} breath -1",
                        f"condition {name} veil of={name} conc=yes",
                        f"condition {name} concentration",
                        f"area {name} damage=2d4 dc=12",
                        f"area {name} damage=3",
                        f"condition {name} slow save=wis dc=12",
                        f"set {name} saves=wis+3",
                        f"made {name}",
                        f"rest long {name}",
                        f"set {name} immune=fire",
                        f'set {name} attacks="Bite +3 1d6; Gaze dc12 con 1d6"',
                        f"attack {name} bite {name}",
                        f"condition {name} ember at=start damage=1",
                        f"condition {name} ember at=end heal=1d4",
                        f"attack {name} gaze {name}",
                    ]
                )
            )


def policy(state: dict[str, Any], chance: Random) -> str:
    """Return the next line, chosen only from what Mia is shown."""
    if state["phase"] == "setup":
        return chance.choice([*["begin"] * 3, "out Orc", "out Wolf"])
    if forms := [d for d in state["due"] if d["kind"] == "form"]:
        line = f"order {quote(forms[0]['who'])}"
        keys = [f["key"] for f in forms[0]["fields"] if f["kind"] == "text"]
        return f'{line} {chance.choice(keys)}="hold the door"' if keys and chance.random() < 0.7 else line
    if rolls := [d for d in state["due"] if d["kind"] == "roll"]:
        faces = " ".join(str(chance.randint(1, sides)) for sides in rolls[0]["dice"])
        return f"roll {quote(rolls[0]['who'])} {faces}"
    if effects := [d for d in state["due"] if d["kind"] == "effect"]:
        return f"{chance.choice(['apply', 'skip'])} {quote(effects[0]['who'])}"
    if state["due"]:
        return {"lock": "lock", "acknowledge": "ok"}[state["due"][0]["kind"]]
    if state["phase"] == "exploration" and chance.random() < 0.5:
        return 'meet Ana vs Orc with="Orc,Wolf"'
    if state["acting"]:
        extra = [
            "damage Wolf 2",
            "damage Ana 1",
            "condition Bo blessed rounds=2",
            "condition Orc afraid of=Ana",
            "condition Ana concentration",
            "condition Orc slow save=wis dc=11",
            "area Ana,Orc,Wolf damage=4 dc=11 save=dex",
            "area @dark damage=3 dc=9",
            "area Bo damage=2d4",
            "attack Wolf bite Ana",
            "condition Ana burning at=start damage=1 type=fire",
            "condition Wolf mending at=end heal=1d4",
            "attack Wolf howl Ana,Bo",
            # Of those who act the turn would end too, and what comes next may be seen in one fight alone.
            *([] if state["acting"] in ("Orc", "Wolf") else ["out Orc,Wolf"]),
        ]
        return chance.choice([*["end"] * 5, *extra])
    turns = [a["who"] for a in state["offer"].get("acts", []) if a["kind"] == "turn"]
    return f"turn {quote(chance.choice(turns))}" if turns else "next"


def compared(
    system: str, seed: int, steps: int, unseen: tuple[int, int], order: str = "all", *, reserve: bool = False
) -> int:
    """Play two fights, and assert that Mia's views are equal; return how many moments were compared."""
    one, two = (Fight(system, seed + at, unseen[at], reserve=reserve) for at in (0, 1))
    for fight in (one, two) if order != "all" else ():
        fight.say(f"option view.order={order}")
    told = list(moments(one, two, Random(seed), steps))
    here, there = told[-1] if told else (0, 0)
    expect_equal(one.log(here), two.log(there))
    return len(told)


def assert_alike(one: Fight, two: Fight, lines: Sequence[str]) -> None:
    """Assert that Mia is shown the same state and page, also in its order; `lines` led to it."""
    expect_equal(json.dumps(one.state()).encode(), json.dumps(two.state()).encode(), lines)
    expect_equal(one.page(), two.page(), lines)


def expect_equal(here: object, there: object, lines: Sequence[str] = ()) -> None:
    """Assert that two values are equal; a failure prints the lines played, then what differs."""
    assert here == there, "\n".join([*lines, "what differs:", *differences(here, there)])


def differences(here: Any, there: Any, path: str = "") -> list[str]:
    """Return the path and both values of each part that differs; bytes are JSON."""
    match here, there:
        case bytes(), bytes():
            return differences(json.loads(here), json.loads(there), path)
        case dict(), dict():
            pairs = [(f"{path}.{key}", here.get(key), there.get(key)) for key in {**here, **there}]
            order = [f"{path}: {[*here]} / {[*there]}"] if [*here] != [*there] else []
        case (list(), list()) | (tuple(), tuple()):
            pairs = [(f"{path}[{at}]", *pair) for at, pair in enumerate(zip_longest(here, there))]
            order = []
        case _:
            return [f"{path}: {here!r} / {there!r}"] if here != there else []
    return order + [text for at, one, two in pairs for text in differences(one, two, at)]


def moments(one: Fight, two: Fight, chance: Random, steps: int) -> Iterator[tuple[int, int]]:
    """Yield the lengths of both journals at each moment at which Mia may know the same, until that ends.

    Asserts that she was shown the same pages in the same order up to each of them.
    """
    lines = list[str]()
    for fight in (one, two):
        fight.pages = []
        fight.look()
    for count in range(1, steps + 1):
        try:
            for fight in (one, two):
                fight.stir()
                fight.catch_up()
        except Differs:
            return
        if one.left() != two.left():
            return
        assert_alike(one, two, lines)
        expect_equal(one.pages, two.pages, lines)
        yield one.told, two.told
        line, sends = policy(one.known(), chance), chance.random() < SENT
        lines.append(line)
        for fight in (one, two):
            # Rolls of hidden creatures would leave other dice for what Mia sees.
            fight.table.throw_with(SeededDice(count))
        replies = [fight.send(line) for fight in (one, two)] if sends else []
        assert len(set(replies)) < 2, lines
        if (not sends or replies[0].became != "taken") and one.say(line) != two.say(line):
            return
        if sends and chance.random() < SENT:
            # A second press on a button that the page may offer still.
            assert one.send("end") == two.send("end"), lines


SENT = 0.5
"""How often a line comes from Mia's page, if it offers it, and is followed by a late `end`."""

UNLIKE = st.sampled_from([(2, 2), (0, 1), (1, 2)])
"""How many hidden creatures the two fights have: the same number, none and one, or one and two."""
