"""The law of odds: what is told before the dice equals how often it happens in fights that are played by
lines.

`python -m tests.systems.odds_law STATES FIGHTS [SYSTEM…]` tries random states of every system, each against
so many fights, and prints every state that is told wrongly. The alarm rate of all comparisons together is
`ALARM`. `--lines N` plays fewer fights, though 200 or more, of a state in which the rules have taken so many
lines; `--first N` begins with other states; `--simulated` asks for odds from fights at random in all of them.

The player here knows nothing of how odds are found: it says lines, looks at who acts, and counts.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import exp, log
from random import Random
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import AcknowledgeAsk, Act, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import Encounter, label, side_of
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.rules.decide import Rules, draft, drafted
from tui.core.rules.system import having, running
from tui.core.rules.upkeep import owed
from tui.core.views.odds import Odds, after_line, odds, played
from tui.systems import Registry

ALARM = 1e-4
"""How often the law may cry out although all odds are right."""

REGISTRY = Registry()
MOST_LINES = 300
FAR = "next 99"
"""The line that goes on to the next dice, or round after round where there are none."""

LEAST = 200
MANY = 1_000_000_000


class State(Struct, frozen=True):
    """A fight, the lines that led to it, the line that is tried in it, and the odds that are told."""

    system: str
    encounter: Encounter
    lines: tuple[str, ...]
    line: str
    odds: Odds


class Finding(Struct, frozen=True):
    """One chance that was told, how often it came about, and how likely so much is at the most if it was
    told rightly."""

    what: str
    told: float
    seen: float
    likely: float


# --- random states


def states(system: str, seed: int) -> Iterator[State]:
    """States of a system without end; where odds are refused, others."""
    for number in range(seed, 1_000_000_000):
        r = Random(f"{system} {number}")
        lines, e = _played_to(system, r)
        line = r.choice(_tried(e, r))
        try:
            yield State(system, e, tuple(lines), line, odds(e, REGISTRY, Random(number).random, line))
        except RuleError:
            continue


def simulated(some: Iterable[State]) -> Iterator[State]:
    """Return the same states with odds from fights played at random, although they may be told exactly."""
    for state in some:
        # Behind saves each fight starts in a state of its own: `odds` alone does that.
        if "roll" not in state.odds.lines:
            told = played(state.odds.encounter, REGISTRY, Random(state.line).random, state.odds.lines)
            yield replace(state, odds=told)


def _played_to(system: str, r: Random) -> tuple[list[str], Encounter]:
    """A small roster with house rules, and some lines of a fight."""
    e, lines = Encounter(system=system), list[str]()

    def say(line: str) -> None:
        nonlocal e
        try:
            e = after_line(e, line, REGISTRY, r.random)
            lines.append(line)
        except RuleError:
            pass

    for option in REGISTRY.get(system).options:
        if r.random() < 0.15:
            values = option.choices or (("true", "false") if option.kind == "bool" else ())
            if values:
                say(f"option {option.key}={r.choice(values)}")
    for kind in ("pc", "monster"):
        if r.random() < 0.3:
            say(f"option zero.{kind}=dying")
    for _ in range(r.randint(2, 4)):
        say(newcomer(system, r) + r.choice(["", " hp=3"]))
    for _ in range(r.choice([0, 1, 2, 4, 8, 16])):
        say(r.choice(owing(e, r) if r.random() < 0.15 else moves(system, e, r)))
    return lines, e


def newcomer(system: str, r: Random) -> str:
    """A line that adds somebody."""
    side = r.choice(
        [" side=heroes kind=pc", " side=heroes kind=pc", " side=dark", " side=dark", " side=dark"]
    )
    if system == "unbound":
        side = r.choice([" side=red", " side=blue", " side=green"])
    name = r.choice(["Ana", "Bo", "Cy", "Orc", "Imp", "Rat"])
    many = r.choice(["", "", "", "2 "])
    group = r.choice([" group=Gang", ""]) if many else ""
    keys = {
        "classic": [" mod=2", " mod=-1", " adv=adv", " adv=dis", " value=12", ""],
        "chaos": [" bonus=2", " bonus=-1", " adv=adv", " adv=dis", " value=12", ""],
        "dynamic": [
            " size=tiny",
            " size=small",
            " die=1d2",
            " bonus=1",
            " bonus=-1",
            " adv=adv",
            " value=5",
            "",
        ],
        "unbound": [" per=1 stealth=2", ""],
    }.get(system, [f" per={r.randint(0, 4)} int={r.randint(0, 4)}" if "dungeon" in system else ""])
    more = r.choice(["", "", " distance=3", " rank=leader", " value=9"]) if "dungeon" in system else ""
    return f"add {many}{name}{side}{group}{r.choice(keys)}{more}"


def owing(e: Encounter, r: Random) -> list[str]:
    """Lines after which saves may be owed."""
    who = quote(r.choice(list(e.combatants.values())).name)
    return [
        f"damage {who} 3",
        f"condition {who} held save=con dc={r.randint(2, 19)}",
        f"condition {who} concentration",
    ]


def moves(system: str, e: Encounter, r: Random) -> list[str]:
    """Lines that may be said now; some will be refused."""
    people = [quote(c.name) for c in e.combatants.values()] or ["Nobody"]
    who, other = r.choice(people), r.choice(people)
    if not e.running:
        return ["begin", "begin", "begin", newcomer(system, r), f"out {who}"]
    found = [f"out {who}", f"back {who}", newcomer(system, r), f"group {who},{other} Band", f"ungroup {who}"]
    found += [f"move {who} before {other}", f"hold {who}", f"act {who}", "end", "pass"]
    found += {
        "dynamic": [f"surprised {who}", f"switch {who} action=1", f"order {who} weapon=1d{r.choice([4, 6])}"],
        "unbound": [f"surprised {who}"],
        "chaos": [f"order {who} action=strike", "unlock"],
    }.get(system, [f"meet {who}", f"meet {who}", f"place {who}", f"place {who}", "calm"])
    onward = _answers(e, r) or ["next", "next", f"turn {who}"]
    return [*found, *(r.choice(onward) for _ in range(3 * len(found)))]


def _answers(e: Encounter, r: Random) -> list[str]:
    """Lines that answer the first thing that is due, faces of one roll among them."""
    system = REGISTRY.get(e.system)
    for ask in owed(e, system)[:1]:
        who = quote(label(e, ask.who))
        match ask:
            case RollAsk():
                faces = " ".join(str(r.choice([r.randint(1, s), (s + 1) // 2])) for s in ask.dice)
                return [f"roll {who} {faces}", f"roll {who} {faces}", "roll"]
            case PickAsk():
                return [_picked(e, ask, r)]
            case FormAsk():
                return [f"order {who} weapon=1d6 move=yes", "lock missing=empty"]
            case LockAsk():
                return ["lock"]
            case AcknowledgeAsk():
                return ["ok"]
    return []


def _picked(e: Encounter, ask: PickAsk, r: Random) -> str:
    names = [quote(label(e, k)) for k in r.sample(ask.names, ask.least)]
    return "pick " + (" ".join(names) or "none")


def _tried(e: Encounter, r: Random) -> list[str]:
    """Lines whose odds may be asked for."""
    people = [quote(c.name) for c in e.combatants.values()] or ["Nobody"]
    if "dungeon" in e.system and e.running:
        return ["", f"place {r.choice(people)}", f"meet {r.choice(people)}"]
    return ["", "", f"out {r.choice(people)}"]


# --- fights, played by lines


Order: TypeAlias = tuple[str, ...]


class Throw:
    """The dice of one line, die by die: those that fell before lead to the state that they led to."""

    __slots__ = ("after", "faces", "sides")

    def __init__(self) -> None:
        self.sides = 0
        self.faces: dict[int, Throw] = {}
        self.after: Moment | None = None

    def face(self, face: int) -> Throw:
        """Return what is known behind a face."""
        return self.faces.setdefault(face, Throw())


class KnownDice:
    """Dice that begin with some faces, go on at random and write down what fell."""

    def __init__(self, faces: Sequence[int], random: Random) -> None:
        self._faces, self._random = faces, random
        self.fell: list[tuple[int, int]] = []

    def roll(self, sides: int) -> int:
        """Return one face, 1 to `sides`."""
        known = len(self.fell) < len(self._faces)
        face = self._faces[len(self.fell)] if known else self._random.randint(1, sides)
        self.fell.append((sides, face))
        return face


class Moment:
    """A state of a fight that is played, and what is asked of it: asked once for all fights."""

    def __init__(self, e: Encounter) -> None:
        system = REGISTRY.get(e.system)
        self.e = e
        self.throws: defaultdict[str, Throw] = defaultdict(Throw)
        # The dice have fallen: from here on whoever is seen acting acts.
        self.acting = frozenset(e.turn.members) if e.turn and not system.due(e) else frozenset()
        self.ask = next(iter(owed(e, system)), None)
        due = system.due(e)
        # Dice of a new order, behind saves or not, end what is told of turns that were put off.
        self.last = bool(due)
        self.rolls = self.last and all(isinstance(ask, RollAsk) for ask in due)
        self.writes = any(isinstance(ask, FormAsk | LockAsk) for ask in due)
        acts = () if self.ask or e.turn else system.offer(e).acts
        self.opens = acts[0] if len(acts) == 1 and acts[0].kind == "side" else None
        self.onward = [] if self.ask else self._onward(acts)

    def _onward(self, acts: Sequence[Act]) -> list[str]:
        """Return lines that go on where nothing is due, each as likely."""
        if self.e.turn:
            # `next` does the same and takes what is forced, half as many lines; but of a side whose creatures
            # are all helpless it takes the first, and leaves nothing to choose.
            return ["end" if any(c.dying for c in self.e.combatants.values()) else "next"]
        turns = [a for a in acts if a.kind == "turn"]
        if len(acts) > 1 and turns:
            return [f"turn {quote(label(self.e, a.who))}" for a in turns]
        return ["next"] if acts else []

    def lines(self, many: int, r: Random) -> dict[str, int]:
        """Return the lines of so many fights: each answers what is due, else goes on; none at the end."""
        match self.ask:
            case None:
                return Counter(r.choices(self.onward, k=many)) if self.onward else {}
            case RollAsk():
                return {"roll": many}
            case PickAsk():
                return Counter(_picked(self.e, self.ask, r) for _ in range(many))
            case AcknowledgeAsk():
                return {"ok": many}
            case _:
                return {"lock missing=empty": many}


Where: TypeAlias = tuple[Moment, Order, frozenset[str]]


class Player:
    """Plays fights on from one state, many at once: what the rules made of a line, in the same state and
    with the same dice, is remembered."""

    def __init__(self, state: State, random: Random) -> None:
        self._odds, self._random = state.odds, random
        self._told = {x.key for x in state.odds.rows}
        self._known: dict[bytes, Moment] = {}
        self.lines = 0
        # Where saves are owed on the way to the dice, each fight rolls them for itself.
        self._saves = "roll" in state.odds.lines
        self._tried = state.odds.lines.index(state.line) if state.line in state.odds.lines else -1
        # Where nobody rolls for the order, and nobody saves any more, it stands in whichever round that is.
        self._standing = set[Moment]()
        self._again = tuple(x for x in state.odds.lines if x != state.line)
        self._here = self._moment(state.encounter if self._saves else state.odds.encounter)

    def _starts(self, many: int) -> dict[Moment, int]:
        """Return the states in which the dice of the order are due, each with how many fights come to it."""
        here = Counter({self._here: many})
        # Each line is told of once, though many may have to be said again behind the saves.
        for number, line in enumerate((*self._odds.lines, *self._again * 3) if self._saves else ()):
            after = Counter[Moment]()
            for moment, n in here.items():
                if self._is_there(moment, number):
                    after[moment] += n
                    continue
                try:
                    for led, k in self._after(moment, line, n):
                        after[led] += k
                        if line == FAR and not led.ask:
                            self._standing.add(led)
                except RuleError:
                    # What another fall of the saves asked for.
                    after[moment] += n
            here = after
        return here

    def _is_there(self, moment: Moment, number: int) -> bool:
        """Return whether what is told begins here, behind so many of its lines."""
        if number <= self._tried:
            return False
        if moment in self._standing:
            return True
        if moment.e.round != self._odds.encounter.round:
            return False
        return moment.rolls or (number >= len(self._odds.lines) and not moment.writes)

    def play(self, many: int) -> Counter[Order]:
        """Return who acts, in order, in so many fights: those who are told, each with the next turn."""
        orders = Counter[Order]()
        for start, n in self._starts(many).items():
            orders += self._played(start, n)
        return orders

    def _played(self, start: Moment, many: int) -> Counter[Order]:
        orders, first = Counter[Order](), start.e.round
        fights = Counter[Where]({(start, (), frozenset()): many})
        for _ in range(MOST_LINES):
            after = Counter[Where]()
            for (here, before, moved), n in fights.items():
                order, acted = self._seen(here, before, moved)
                over = len(order) == len(self._told) or (here.last and here.e.round != first)
                lines = {} if over else here.lines(n, self._random)
                if not lines:
                    orders[order] += n
                for line, k in lines.items():
                    for led, j in self._after(here, line, k):
                        now = led.e.round
                        if now > first + 1 or (now != first and not self._unacted(led.e, order, acted)):
                            orders[order] += j
                        else:
                            after[led, order, acted] += j
            fights = after
        for (_, order, _), n in fights.items():
            orders[order] += n
        return orders

    def _seen(self, here: Moment, order: Order, acted: frozenset[str]) -> tuple[Order, frozenset[str]]:
        """Return who has acted, those whose turn it is among them."""
        turn = here.e.turn
        if not turn or acted.issuperset(here.acting):
            return order, acted
        new = [k for k in (turn.who, *turn.members) if k in self._told and k not in order]
        return (*order, *new[:1]), acted | here.acting

    def _unacted(self, e: Encounter, order: Order, acted: frozenset[str]) -> bool:
        """Return whether somebody who is told has not acted and could still."""
        here = {c.id for c in REGISTRY.get(e.system).in_play(e)}
        return any(here.intersection(x.members) - acted for x in self._odds.rows if x.key not in order)

    def _after(
        self, here: Moment, line: str, many: int, throw: Throw | None = None, faces: tuple[int, ...] = ()
    ) -> Iterator[tuple[Moment, int]]:
        """Return the states after a line of so many fights, each with its number. Raises RuleError.

        `throw` is what is known behind the faces that have fallen.
        """
        throw = throw or here.throws[line]
        if not throw.sides and not throw.after:
            # The first fight that comes here rolls by the rules; the others learn from it which die is next.
            yield self._taken(here, line, KnownDice(faces, self._random)), 1
            many -= 1
        if throw.after and many:
            yield throw.after, many
        elif many:
            fell = Counter(self._random.choices(range(1, throw.sides + 1), k=many))
            for face, n in fell.items():
                yield from self._after(here, line, n, throw.face(face), (*faces, face))

    def _taken(self, here: Moment, line: str, dice: KnownDice) -> Moment:
        """Return the state after a line that the rules take, and remember it. Raises RuleError."""
        self.lines += 1
        if here.opens and line == "next":
            # As above.
            act = here.opens
            led = self._moment(
                drafted(here.e, running(REGISTRY, here.e), lambda d, s: s.took(d, act)).encounter
            )
            here.throws[line].after = led
            return led
        verbs = {v.name for v in running(REGISTRY, here.e).verbs}
        action = parse(line, verbs, partial(having, REGISTRY))
        led = self._moment(draft(here.e, action, Rules(REGISTRY, dice)).encounter)
        throw = here.throws[line]
        for sides, face in dice.fell:
            throw.sides = sides
            throw = throw.face(face)
        throw.after = led
        return led

    def _moment(self, e: Encounter) -> Moment:
        """Return the same state as the same object."""
        # Old faces are only told about: without them far more fights come to a state that is known.
        key = msgspec.json.encode(replace(e, rolls={}, outcome=None))
        if key not in self._known:
            self._known[key] = Moment(e)
        return self._known[key]


# --- counting


def findings(state: State, fights: int, seed: int = 1, lines: int = MANY) -> tuple[list[Finding], int]:
    """Return every chance that is told of a state, beside how often it came about, and of how many fights.

    Fewer fights are played, though `LEAST` or more, where the rules have taken so many lines.
    """
    player = Player(state, Random(seed))
    rows = {x.key: x for x in state.odds.rows}
    e = state.odds.encounter
    sides = {k: side_of(e, k) or x.side for k, x in rows.items()}
    places: Counter[tuple[str, int]] = Counter()
    before: Counter[str] = Counter()
    total = 0
    while total < fights and (not total or player.lines < lines):
        many = min(total or LEAST, fights - total)
        total += many
        for order, n in player.play(many).items():
            for place, key in enumerate(order):
                places[key, place] += n
                before[key] += n * all(sides[k] == sides[key] for k in order[:place])
    found = []
    for key, row in rows.items():
        told = [*((f"place {i + 1}", p, places[key, i]) for i, p in enumerate(row.standing.places))]
        told.append(("before foes", row.standing.before, before[key]))
        for what, p, n in told:
            likely = likelihood(p, n / total, total, state.odds.runs)
            found.append(Finding(f"{row.name}: {what}", p, n / total, likely))
    beyond = sum(n for (key, i), n in places.items() if i >= len(rows[key].standing.places))
    return [*found, Finding("places beyond those told", 0.0, beyond / total, float(not beyond))], total


def likelihood(told: float, seen: float, fights: int, runs: int) -> float:
    """A bound on how likely this or more is: Chernoff's, of two samples where the odds were simulated."""
    if not runs:
        return min(1.0, 2 * exp(-fights * apart(seen, told)))
    middle = (told * runs + seen * fights) / (runs + fights)
    far = runs * apart(told, middle) + fights * apart(seen, middle)
    return min(1.0, 4 * (1 + far) * exp(-far))


def apart(seen: float, told: float) -> float:
    """How far a frequency is from a chance (Kullback and Leibler); odds that are sure bear no exception."""
    told = min(1.0, max(0.0, told))
    found = 0.0
    for a, b in ((seen, told), (1 - seen, 1 - told)):
        if a > 1e-12:
            found += a * log(a / b) if b > 1e-9 else 1e6
    return max(0.0, found)


def wrong(some: Sequence[tuple[State, list[Finding]]]) -> list[str]:
    """Every chance that is told wrongly, where all comparisons together cry out in one of 1 / `ALARM`
    runs."""
    many = sum(len(found) for _, found in some)
    return [
        f"{s.system} {x.what}: told {x.told:.2%}, seen {x.seen:.2%}\n  {'; '.join(s.lines)} | odds {s.line!r}"
        f"\n  as if {s.odds.lines}, {s.odds.runs or 'exact'}"
        for s, found in some
        for x in found
        if x.likely < ALARM / max(1, many)
    ]


def law(
    some: Iterable[State],
    fights: int,
    lines: int = MANY,
    seen: Callable[[State, int], None] = lambda *_: None,
) -> list[str]:
    """Return what is told wrongly of some states."""
    tried = []
    for number, state in enumerate(some):
        found, many = findings(state, fights, number, lines)
        seen(state, many)
        tried.append((state, found))
    return wrong(tried)


def main() -> int:
    """Try the law, system by system; 1 where something is told wrongly."""
    words = ArgumentParser(prog="tests.systems.odds_law")
    words.add_argument("states", type=int)
    words.add_argument("fights", type=int)
    words.add_argument("system", nargs="*")
    words.add_argument("--lines", type=int, default=MANY)
    words.add_argument("--first", type=int, default=0)
    words.add_argument("--simulated", action="store_true")
    said = words.parse_args()
    failed = False
    for system in said.system or REGISTRY.ids():
        kinds: Counter[str] = Counter()

        def seen(state: State, many: int, kinds: Counter[str] = kinds) -> None:
            kinds["simulated" if state.odds.runs else "exact"] += 1
            kinds["saves before"] += "roll" in state.odds.lines
            kinds["fights"] += many
            kinds["in full"] += many == said.fights

        some = states(system, said.first)
        some = islice(simulated(some) if said.simulated else some, said.states)
        found = law(some, said.fights, said.lines, seen)
        failed = failed or bool(found)
        print(f"{system}: {said.states} states, {dict(kinds)}: {len(found)} wrong", flush=True)
        for line in found[:20]:
            print(line, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
