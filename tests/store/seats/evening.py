"""A whole fight of a system, led from players' seats."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from random import Random

from tests.kit.seats import Hall
from tui.core.base.text import quote
from tui.core.fight.agenda import AcknowledgeAsk, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import label, members
from tui.core.fight.viewer import viewer_of
from tui.core.rules.on_screen import on_screen
from tui.core.rules.upkeep import all_owed
from tui.core.table import RollDue
from tui.store.players.publisher import make_page
from tui.ui.players.modes import rolls
from tui.ui.players.page import PlayerPage, read_page
from tui.ui.players.panel import standpoint, tasks

PLAYERS = {"Mia": ("Ana", "Alf"), "Jon": ("Bo",)}


WRITES = {
    "chaos": (
        'action="strike or else wait" reaction="near => kick" ready="shoot the first who casts"',
        'movement="to the door" bonus="shout" object="draw" reaction="a => b" reaction2="c => d"',
    ),
    "dynamic": ("weapon=1d8 move=yes", "spell=2", "weapon=2d6,1d4 action=1", "spell=1 move=yes", ""),
}


SETUP = {
    "dynamic": ["option dis.disruption=once"],
    "unbound": ["surprise heroes by=dark"],
    "dungeon-universalis": ["meet Ana vs Orc"],
    "dungeon-track": ["meet Ana vs Orc"],
}


LATER: dict[str, dict[int, tuple[str, ...]]] = {
    "unbound": {3: ("add Pip owner=Jon side=wild hp=9",)},
    "dungeon-universalis": {2: ("add Bat side=dark hp=9 per=2 int=2", "place Bat vs Bo"), 3: ("calm",)},
    "dungeon-track": {
        2: ("add Bat side=dark hp=9 per=2 int=2", "place Bat vs Bo"),
        3: ("add Boss side=dark hp=9 rank=champion per=2 int=2", "place Boss vs Ana"),
        4: ("out Boss",),
    },
    "dynamic": dict.fromkeys(range(1, 5), ("damage Ana,Alf,Bo 1",)),
}
"""What the GM does by system and round, when nothing is owed."""


SAVES = {2: ("condition Ana concentration", "damage Ana 2"), 3: ("area Ana,Alf,Bo damage=2 dc=10",)}
"""Saves of the players, in every system with a GM."""


EQUAL = {"UNB-2": "7", "CLASSIC-1": "9", "CHA-12": "9", "DUN-10": "3 4", "TRK-2": "3 4"}
"""Faces that everybody throws the first time, so that equals roll again."""


RESOLVES = ("damage", "heal", "temp", "condition", "clear", "area")


ALONE = {
    "begin", "order", "roll", "ok", "next", "react", "fire", "else", "target", "redirect", *RESOLVES,
    "undo", "finish",
}  # fmt: skip
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
        self.thrown: set[str] = set()
        self.owed: set[str] = set()
        self.equal: set[str] = set()
        self.led = 0
        self.ways = {
            False: cycle(("roll", "faces", "total")),
            True: cycle(("made", "failed", "total", "roll")),
        }
        self.writes = cycle(WRITES.get(system, ("",)))
        self.resolving = cycle((*RESOLVES, "else", "target", "redirect"))

    def page(self, player: str) -> PlayerPage:
        """What a player's terminal has."""
        found = read_page(make_page(self.hall.store, viewer_of(player)))
        assert found
        return found

    def send(self, player: str, line: str, *, surely: bool = True) -> bool:
        """A line from a seat; whether it was taken, which it must be where it was offered."""
        line, page = line.strip(), self.page(player)
        reply = self.hall.send(player, line, standpoint(page, line))
        assert reply.became == "taken" or not surely, (player, line, reply, self.hall.store.table().now)
        if reply.became == "taken":
            self.sent.add(line.split(" ", maxsplit=1)[0])
        if line.startswith("switch") and reply.became == "taken":
            choice = next(x for x in page.seat.choices["switch"] if x.line == line)
            row = next(x for x in self.page(player).state.track if page.state.acting in (x.entry, *x.members))
            assert f": {row.value}, place {row.place}," in choice.note, "the price that was shown"
        return reply.became == "taken"

    def ask(self) -> None:
        """Keep what the rules ask of players now, read from the encounter and not from a page."""
        e, system = self.hall.store.encounter, self.hall.store.system
        words = {"roll": "roll", "form": "order"}
        for ask in all_owed(e, system):
            if ask.kind in words and self.owned(ask.who):
                self.asked.add(words[ask.kind])
                self.owed |= {ask.why.rule} if isinstance(ask, RollAsk) else set()
        if system.players_turns and not all_owed(e, system):
            if e.turn and self.owned(e.turn.who):
                self.asked.add("end")
            elif not e.turn:
                self.asked |= {act.kind for act in system.offer(e).acts if self.owned(act.who)}
        self.asked |= {verb for verb in ("switch", "fire") if on_screen(system).choices(e, verb)}

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
                line = f"order {quote(who)} {next(self.writes)}"
                return self.send(player, line + held, surely=not held) or self.send(player, line)
            if task.key == "r":
                return self.throws(player, rolls(page)[0])
            if task.line:
                return self.send(player, task.line)
            if task.choose:
                choices = page.seat.choices[task.choose]
                return self.send(player, self.chance.choice(choices).line)
        return False

    def throws(self, player: str, due: RollDue) -> bool:
        """A roll by the app, by its faces or its total; a save also as made or failed, where it is one."""
        who, way = quote(due.who), next(self.ways["save" in due.why])
        line = {
            "roll": f"roll {who}",
            "faces": f"roll {who} {' '.join(str(self.chance.randint(1, n)) for n in due.dice)}",
            "total": f"total {who} {3 * len(due.dice) + 2}",
        }.get(way, f"{way} {who}")
        if due.shows:
            # A seat types no cards, and they have no total.
            way, line = "roll", f"roll {who}"
        if faces := self.first(due.rule):
            way, line = "faces", f"roll {who} {faces}"
        # A meeting takes no total, since single dice decide it.
        taken = self.send(player, line, surely=way != "total")
        self.thrown.add(due.rule)
        return taken or self.send(player, f"roll {who}")

    def first(self, rule: str) -> str:
        """Faces that are equal for all, while nobody has rolled again."""
        store = self.hall.store
        rules = [x.why.rule for x in all_owed(store.encounter, store.system) if isinstance(x, RollAsk)]
        if rule not in EQUAL or rule in self.equal:
            return ""
        # The last of them: whoever rolls after that rolls again.
        self.equal |= {rule} if rules.count(rule) == 1 else set()
        return EQUAL[rule]

    def unasked(self, page: PlayerPage) -> str:
        """Now and then a reaction, a readied action, another action than declared, a pass, damage in a slot
        that one resolves."""
        seat, roll = page.seat, self.chance.random()
        mine = [
            c.name
            for c in page.state.combatants
            if page.mine(c.name) and "reaction" not in c.marks and not c.out
        ]
        # Who has reacted carries out no readied action.
        reacts = 0.2 if self.system != "chaos" or "fire" in self.sent else 0.05
        for verb, often in (("switch", 0.4), ("fire", 1.0), ("react", reacts)):
            if (found := seat.choices.get(verb)) and roll < often:
                return self.chance.choice(found).line
        if (found := seat.choices.get("pass")) and roll < 0.8:
            return found[0].line
        if seat.resolves and page.state.acting and roll < 0.8:
            return self.resolved(page, next(self.resolving))
        if (
            page.state.acting
            and mine
            and not page.mine(page.state.acting)
            and self.system != "chaos"
            and roll < 0.3
        ):
            return f"react {mine[0]}"
        return ""

    def resolved(self, page: PlayerPage, verb: str) -> str:
        """What a player says of the turn that they carry out for another."""
        acting = page.creature(page.state.acting)
        if verb == "clear" and not (acting and acting.conditions):
            verb = "condition"
        if verb in RESOLVES:
            rest = {"condition": "prone", "clear": "prone", "area": "damage=1"}.get(verb, "1")
            return f"{verb} {page.state.acting} {rest}"
        if verb == "redirect":
            return f'redirect {page.state.acting} melee="{PLAYERS[page.viewer][0]}:1"'
        found = page.seat.choices.get(verb)
        return self.chance.choice(found).line if found else ""

    def leads(self) -> None:
        """The GM does the next thing that is nobody's else."""
        store = self.hall.store
        e, system = store.encounter, store.system
        # Who is hurt before the dice owes a save as well.
        if self.led < e.round and (self.system == "dynamic" or not all_owed(e, system)):
            self.led = e.round
            return self.hall.do(*SAVES.get(e.round, ()), *LATER.get(self.system, {}).get(e.round, ()))
        for ask in all_owed(e, system):
            theirs = not isinstance(ask, PickAsk) and self.owned(ask.who)
            match ask:
                case RollAsk() if not theirs:
                    return self.hall.do(f"roll {quote(label(e, ask.who))} {self.first(ask.why.rule)}")
                case FormAsk() if not theirs:
                    return self.hall.do(f"order {quote(label(e, ask.who))}")
                case PickAsk():
                    chosen = [quote(label(e, k)) for k in ask.names[: ask.least]]
                    return self.hall.do("pick " + (" ".join(chosen) or "none"))
                case LockAsk() if not any(isinstance(x, FormAsk) for x in all_owed(e, system)):
                    return self.hall.do("lock")
                case AcknowledgeAsk():
                    return self.hall.do("ok")
                case _:
                    pass
        assert not all_owed(e, system), f"a player owes something and is not asked: {store.table().due}"
        if e.turn:
            assert not (system.players_turns and self.owned(e.turn.who)), "a player's turn"
            return self.hall.do(
                "next" if len(system.offer(e).acts) < 2 and not system.players_turns else "end"
            )
        acts = system.offer(e).acts
        turns = [a for a in acts if a.kind == "turn"]
        if system.players_turns:
            chooser = system.offer(e).chooser
            players = [a for a in turns if self.owned(chooser or a.who)]
            assert not players or len(turns) == 1, f"players choose: {store.table().offer}"
        self.hall.do(f"turn {quote(label(e, turns[0].who))}" if turns else "next")
        return None
