"""A small model of how long conditions last, which knows only what happened, and random play.

The ruling: `rounds=N` counts N whole turns after the one in which it was given, of `of=` or else of the
bearer; the start counts when a turn first starts in a round, a turn's end when it is taken; where turns last
the whole round (Chaos, DIS) the edges are the round's; who gets no turn in a round counts both at its end;
another system ends the turns that have begun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from random import Random

from tests.core.rules.random_moves import moves, newcomer
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.apply import apply
from tui.core.fight.encounter import Encounter, label
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, draft
from tui.systems import Registry

REGISTRY = Registry()
BY_ROUND = tuple(name for name in REGISTRY.ids() if REGISTRY.get(name).turn_edges == "round")
"""Systems whose turns last to the end of their round."""


LEFT = " who left as "


class Lasting:
    """One condition: whose edges are counted (the bearer's own with an empty `of`), how many are left, which
    edge, and whether the present turn does not count.
    """

    def __init__(self, bearer: str, name: str, of: str, left: int, edge: str, *, fresh: bool) -> None:
        self.bearer, self.name, self.of, self.left, self.edge, self.fresh = (
            bearer,
            name,
            of,
            left,
            edge,
            fresh,
        )

    @property
    def whose(self) -> str:
        """Whose turns count."""
        return self.of or self.bearer


class Model:
    """What lasts; all by names, which outlast numbers."""

    def __init__(self, system: str) -> None:
        self.system = system
        self.lasting: list[Lasting] = []
        self.open: list[set[str]] = []
        self.begun: set[str] = set()
        self.ended: set[str] = set()
        self.running = False
        self.leavers = 0
        self.ghosts: dict[str, str] = {}

    def happened(self, e: Encounter, event: ev.Event) -> None:
        """Something happened in this encounter."""
        by_round = self.system in BY_ROUND
        match event:
            case ev.Afflicted(who, c):
                bearer, of = label(e, who), label(e, c.of) if c.of else ""
                one = of or bearer
                now = any(one in turn for turn in self.open) or (by_round and one in self.ended)
                fresh = c.until == "end" and (self.running if self.system == "chaos" else now)
                given = Lasting(bearer, c.name, of, c.rounds, c.until, fresh=fresh)
                self._drop(lambda x: (x.bearer, x.name, x.of) == (bearer, c.name, of))
                self.lasting.append(given)
            case ev.Cleared(who, name, over, _) if not over:
                cleared = label(e, who), name
                self._drop(lambda x: (x.bearer, x.name) == cleared)
            case ev.Removed(who):
                self._left(label(e, who))
            case ev.TurnBegan(_, members):
                names = {label(e, k) for k in members}
                if self.open and names & self.open[-1]:
                    # The turn goes on for those who are left of it.
                    self.open[-1] = names
                else:
                    self.open.append(names)
                if not by_round:
                    self._edge("start", names - self.begun)
                self.begun |= names
            case ev.TurnHandedOn(_, _, members):
                names = {label(e, k) for k in members}
                self.open = [names if names & turn else turn for turn in self.open]
                if not by_round:
                    self._edge("start", names - self.begun)
                self.begun |= names
            case ev.TurnEnded(_, members, taken):
                # Whoever was removed in its own turn ends it as the one it was.
                names = {label(e, k) if k in e.combatants else self.ghosts[label(e, k)] for k in members}
                rest = self.open.pop() - names if self.open else set()
                if rest:
                    self.open.append(rest)
                if taken:
                    self.ended |= names
                    if not by_round:
                        self._edge("end", names)
            case ev.TurnsMissed(who):
                names = {label(e, k) for k in who}
                self._edge("start", names - self.begun)
                self._edge("end", names - self.ended)
                self.begun |= names
                self.ended |= names
            case ev.Unmarked(who, "acted" | "missed"):
                names = {label(e, k) for k in who}
                self.begun -= names
                self.ended -= names
            case ev.RoundEnded():
                if by_round:
                    self._edge("end", None)
                else:
                    bearers = {x.whose for x in self.lasting}
                    self._edge("start", bearers - self.begun)
                    self._edge("end", bearers - self.ended)
            case ev.RoundBegan():
                self.begun, self.ended, self.running = set(), set(), True
                if by_round:
                    self._edge("start", None)
            case ev.FightEnded():
                self._drop(lambda x: bool(x.edge))
                self._over()
            case ev.SystemChanged(system):
                if self.running:
                    self._closed()
                self.system = system
                self._over()
            case _:
                pass

    def _drop(self, ends: Callable[[Lasting], bool]) -> None:
        self.lasting = [x for x in self.lasting if not ends(x)]

    def _left(self, name: str) -> None:
        """Remove a creature; what it gave others still counts its turns, not those of a later namesake."""
        self._drop(lambda x: x.bearer == name)
        self.leavers += 1
        ghost = f"{name}{LEFT}{self.leavers}"
        for x in self.lasting:
            x.of = ghost if x.of == name else x.of
        for some in (self.begun, self.ended, *self.open):
            if name in some:
                some.discard(name)
                some.add(ghost)
        self.ghosts[name] = ghost

    def _closed(self) -> None:
        """The turns that have begun end; where they last to the round's end, all that were taken in it."""
        if self.system == "chaos":
            self._edge("end", None)
        elif self.system == "dynamic":
            self._edge("end", self.ended.union(*self.open))
        else:
            self._edge("end", set().union(*self.open))

    def _over(self) -> None:
        self.open, self.begun, self.ended, self.running = [], set(), set(), False

    def _edge(self, edge: str, whose: set[str] | None) -> None:
        for x in self.lasting:
            if x.edge != edge or (whose is not None and x.whose not in whose):
                continue
            if x.fresh:
                x.fresh = False
            else:
                x.left -= 1
        self._drop(lambda x: x.edge == edge and not x.left)

    def told(self) -> list[tuple[str, str, int]]:
        """Bearer, name, and the edges that are left."""
        return sorted((x.bearer, x.name, x.left) for x in self.lasting)


def borne(e: Encounter) -> list[tuple[str, str, int]]:
    """The same as the encounter has it."""
    return sorted((c.name, x.name, x.rounds) for c in e.combatants.values() for x in c.conditions)


class Fight:
    """A fight under a random player, and the model beside it; `log` is what was said."""

    def __init__(self, system: str, random: Random) -> None:
        self.random, self.e, self.model = random, Encounter(system=system), Model(system)
        self.past: list[tuple[Encounter, Model]] = []
        self.log: list[str] = []

    def say(self, line: str) -> bool:
        """Whether a line is accepted; the model agrees after it."""
        if line == "undo":
            if not self.past:
                return False
            self.e, self.model = self.past.pop()
            self.log.append(line)
            return True
        system = REGISTRY.get(self.e.system)
        try:
            d = draft(self.e, parse(line, {v.name for v in system.verbs}), Rules(REGISTRY, self))
        except RuleError:
            return False
        self.past.append((self.e, deepcopy(self.model)))
        self.log.append(line)
        self.take(d.events)
        return True

    def roll(self, sides: int) -> int:
        """A face."""
        return self.random.randint(1, sides)

    def take(self, events: Iterable[ev.Event]) -> None:
        """These events happen; the model agrees after them."""
        for event in events:
            self.model.happened(self.e, event)
            self.e = apply(self.e, event)
        self.agree()

    def agree(self) -> None:
        """Raise AssertionError where model and encounter differ."""
        told, seen = self.model.told(), borne(self.e)
        assert told == seen, f"model {told}\nfight {seen}\n" + "\n".join(self.log)

    def line(self) -> str:
        """The next line, which may be refused."""
        r, people = self.random, [c.name for c in self.e.combatants.values()]
        if people and r.random() < 0.35:
            who, of = quote(r.choice(people)), quote(r.choice(people))
            rounds, until = r.randint(1, 3), r.choice(["", " until=end", " until=start"])
            more = r.choice(["", f" of={of}", f" of={of}"])
            name = r.choice(["dazed", "slowed", "marked"])
            return r.choice(
                [f"condition {who} {name} rounds={rounds}{until}{more}"] * 5
                + [f"remove {of}", f"clear {who} {name}", "undo", "undo", f"hold {who}", f"out {who}"]
            )
        if r.random() < 0.03:
            return f"system {r.choice(REGISTRY.ids())}"
        return r.choice(moves(self.e.system, self.e, r))


def play(system: str, seed: int, lines: int) -> Fight:
    """One random fight."""
    r = Random(f"{system} {seed}")
    fight = Fight(system, r)
    for _ in range(3):
        fight.say(newcomer(system, r))
    fight.say("begin")
    for _ in range(lines):
        fight.say(fight.line())
    return fight
