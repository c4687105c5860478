"""A whole fight of each system in which the players do from their seats all that its rules ask of players.

Players know nothing but their page: they write, roll, choose who of their side acts, pass, react, switch and
end their turns. The GM leads the others, and answers nothing that is a player's to answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.store.seats.kit import DUEL, Hall
from tui.core.base.text import quote
from tui.core.fight.agenda import AcknowledgeAsk, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import label, members
from tui.core.fight.viewer import viewer_of
from tui.core.rules.upkeep import owed
from tui.store.players.publisher import edition
from tui.store.seats.host import auto_play
from tui.systems import Registry
from tui.ui.players.page import PublicPage, read_page
from tui.ui.players.panel import standpoint, tasks

ROUNDS = 4
PLAYERS = {"Mia": ("Ana", "Alf"), "Jon": ("Bo",)}
WRITES = {
    "chaos": 'action="strike" reaction="near => kick" ready="shoot whoever casts"',
    "dynamic": "weapon=1d8 move=yes",
}
SETUP = {
    "unbound": ["surprise heroes by=dark"],
    "dungeon-universalis": ["meet Ana vs Orc"],
    "dungeon-track": ["meet Ana vs Orc"],
}
ALONE = {"begin", "order", "roll", "ok", "next", "react", "fire", "damage"}
"""The words that players must have sent where nobody leads."""


class Evening:
    """A fight with its players; `asked`: the words that the rules want of them, `sent`: those that came."""

    def __init__(self, folder: Path, system: str, options: dict[str, str]) -> None:
        self.chance = Random(7)
        self.hall = Hall(folder, system, options)
        self.system, self.alone = system, bool(options)
        known = {f.key for f in self.hall.store.system.fields}
        keys = " ".join(f"{k}=2" for k in ("per", "int", "mod", "stealth") if k in known)
        side = {"Mia": "red", "Jon": "blue"} if self.alone else dict.fromkeys(PLAYERS, "heroes")
        for player, names in PLAYERS.items():
            self.hall.do(*(f"add {name} owner={player} hp=40 side={side[player]} {keys}" for name in names))
            self.hall.seat(player)
        if not self.alone:
            foes = ["Orc", "Wolf", *([f"Imp {n}" for n in range(1, 7)] if system == "unbound" else [])]
            self.hall.do(*(f'add "{name}" hp=40 side=dark kind=monster {keys}' for name in foes))
        self.sent: set[str] = set()
        self.asked = set(ALONE) if self.alone else {"react"}
        self.reacted = 0

    def page(self, player: str) -> PublicPage:
        """What a player's terminal has."""
        found = read_page(edition(self.hall.store, viewer_of(player)))
        assert found
        return found

    def send(self, player: str, line: str, *, surely: bool = True) -> bool:
        """A line from a seat; whether it was taken, which it must be where it was offered."""
        reply = self.hall.send(player, line, standpoint(self.page(player), line))
        assert reply.became == "taken" or not surely, (player, line, reply, self.hall.store.state()["now"])
        if reply.became == "taken":
            self.sent.add(line.split(" ", maxsplit=1)[0])
        return reply.became == "taken"

    def ask(self) -> None:
        """Keep what the rules ask of players now, read from the encounter and not from a page."""
        e, system = self.hall.store.encounter, self.hall.store.system
        words = {"roll": "roll", "form": "order"}
        for ask in owed(e, system):
            if ask.kind in words and self.owned(ask.who):
                self.asked.add(words[ask.kind])
        if system.players_turns and not owed(e, system):
            if e.turn and self.owned(e.turn.who):
                self.asked.add("end")
            elif not e.turn:
                self.asked |= {act.kind for act in system.offer(e).acts if self.owned(act.who)}
        self.asked |= {verb for verb in ("switch", "fire") if system.choices(e, verb)}

    def owned(self, key: str) -> bool:
        """Return whether a key stands for a player's creature."""
        return any(c.owner for c in members(self.hall.store.encounter, key))

    def players_act(self) -> bool:
        """One of the players does what waits for them; whether anybody did."""
        return any(self.acts(player) for player in PLAYERS)

    def acts(self, player: str) -> bool:
        """A player does the first that waits, as it is shown; sometimes something that needs no asking."""
        page = self.page(player)
        if line := self.unasked(page):
            return self.send(player, line)
        for task in tasks(page):
            if task.key == "o":
                who = task.text.removeprefix("write the order of ")
                held = " maintain=yes" if self.chance.random() < 0.2 else ""
                line = f"order {quote(who)} {WRITES.get(self.system, '')}"
                return self.send(player, line + held, surely=not held) or self.send(player, line)
            if task.line:
                return self.send(player, task.line)
            if task.choose:
                choices = page.seat.choices[task.choose]
                return self.send(player, self.chance.choice(choices).line)
        return False

    def unasked(self, page: PublicPage) -> str:
        """Now and then a reaction, a readied action, another action than declared, a pass, damage in a slot
        that one resolves."""
        seat, roll = page.seat, self.chance.random()
        mine = [
            c.name
            for c in page.state.combatants
            if page.mine(c.name) and "reaction" not in c.marks and not c.out
        ]
        for verb in ("switch", "fire", "react"):
            if (found := seat.choices.get(verb)) and roll < 0.4:
                return self.chance.choice(found).line
        if (found := seat.choices.get("pass")) and roll < 0.8:
            return found[0].line
        if seat.resolves and page.state.acting and roll < 0.5:
            return f"damage {page.state.acting} 1"
        if (
            page.state.acting
            and mine
            and not page.mine(page.state.acting)
            and self.system != "chaos"
            and roll < 0.3
        ):
            return f"react {mine[0]}"
        return ""

    def leads(self) -> None:
        """The GM does the next thing that is nobody's else."""
        store = self.hall.store
        e, system = store.encounter, store.system
        for ask in owed(e, system):
            theirs = not isinstance(ask, PickAsk) and self.owned(ask.who)
            match ask:
                case RollAsk() if not theirs:
                    return self.hall.do(f"roll {quote(label(e, ask.who))}")
                case FormAsk() if not theirs:
                    return self.hall.do(f"order {quote(label(e, ask.who))}")
                case PickAsk():
                    chosen = [quote(label(e, k)) for k in ask.names[: ask.least]]
                    return self.hall.do("pick " + (" ".join(chosen) or "none"))
                case LockAsk() if not any(isinstance(x, FormAsk) for x in owed(e, system)):
                    return self.hall.do("lock")
                case AcknowledgeAsk():
                    return self.hall.do("ok")
                case _:
                    pass
        assert not owed(e, system), f"a player owes something and is not asked: {store.state()['due']}"
        if e.turn:
            assert not (system.players_turns and self.owned(e.turn.who)), "a player's turn"
            return self.hall.do(
                "next" if len(system.offer(e).acts) < 2 and not system.players_turns else "end"
            )
        acts = system.offer(e).acts
        turns = [a for a in acts if a.kind == "turn"]
        if system.players_turns:
            assert not any(self.owned(a.who) for a in turns), f"players choose: {store.state()['offer']}"
        self.hall.do(f"turn {quote(label(e, turns[0].who))}" if turns else "next")
        return None


FIGHTS = [*((x, {}) for x in Registry().ids()), ("chaos", DUEL)]


@pytest.fixture
def evening(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Evening]:
    found = Evening(tmp_path, *request.param)
    yield found
    found.hall.close()


@pytest.mark.parametrize(
    "evening", FIGHTS, ids=[f"{x} {'duel' if o else ''}".strip() for x, o in FIGHTS], indirect=True
)
def test_players_do_all_that_the_rules_ask_of_them(evening: Evening) -> None:
    store = evening.hall.store
    if evening.alone:
        assert evening.acts("Mia")
    else:
        evening.hall.do("begin", *SETUP.get(evening.system, ()))
    for _ in range(600):
        if store.encounter.round > ROUNDS:
            break
        evening.ask()
        if evening.players_act():
            continue
        if evening.alone:
            assert auto_play(store), f"nobody goes on: {store.state()['now']}"
        else:
            evening.leads()
    assert store.encounter.round > ROUNDS, store.state()["now"]
    assert evening.sent >= evening.asked, evening.asked - evening.sent
    assert evening.hall.said == []
