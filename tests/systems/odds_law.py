"""The law of odds: what is told before the dice equals how often it happens in fights that are played by
lines.

`python -m tests.systems.odds_law STATES FIGHTS [SYSTEM…]` tries random states of every system, each against
so many fights, and prints every state that is told wrongly. The alarm rate of all comparisons together is
`ALARM`.

The player here knows nothing of how odds are found: it says lines, looks at who acts, and counts.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import exp, log
from random import Random

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import AcknowledgeAsk, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import Encounter, label, side_of
from tui.core.language.tokens import quote
from tui.core.rules.upkeep import owed, upkeep
from tui.core.views.odds import Odds, after_line, odds
from tui.systems import Registry

ALARM = 1e-4
"""How often the law may cry out although all odds are right."""

REGISTRY = Registry()
MOST_LINES = 300


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


class Player:
    """Plays fights on from one state; steps without dice are taken once for all fights."""

    def __init__(self, state: State, random: Random) -> None:
        self._odds, self._random = state.odds, random
        self._known: dict[tuple[bytes, str], Encounter] = {}
        self._same: dict[bytes, Encounter] = {}
        self._keys: dict[int, bytes] = {}
        # Where saves are owed on the way to the dice, each fight rolls them for itself.
        self._saves = "roll" in state.odds.lines
        self._here = self._kept(state.encounter if self._saves else state.odds.encounter)

    def _start(self) -> Encounter:
        """The state in which the dice of the order are due."""
        e = self._here
        for line in self._odds.lines if self._saves else ():
            try:
                e = self._said(e, line)
            except RuleError:
                # What another fall of the saves asked for.
                continue
        return e

    def fight(self) -> list[str]:
        """Who acts, in order: the entries that are told, each with its next turn."""
        e, order, told = self._start(), list[str](), {x.key: x for x in self._odds.rows}
        first, acted = e.round, set[str]()
        for _ in range(MOST_LINES):
            # The dice have fallen: from here on whoever is seen acting acts.
            dice = REGISTRY.get(e.system).due(e)
            if e.turn and not dice and not acted.issuperset(e.turn.members):
                acted |= set(e.turn.members)
                order += [k for k in (e.turn.who, *e.turn.members) if k in told and k not in order][:1]
            line = self._line(e)
            if not line:
                line = "end" if e.turn else self._onward(e)
                if not line:
                    break
            elif e.round != first and not upkeep(e, REGISTRY.get(e.system)):
                break
            after = self._said(e, line)
            if after.round > first + 1 or (after.round != first and not self._unacted(after, order, acted)):
                break
            e = after
        return order

    def _unacted(self, e: Encounter, order: Sequence[str], acted: set[str]) -> bool:
        """Whether somebody who is told has not acted and could still."""
        here = {c.id for c in REGISTRY.get(e.system).in_play(e)}
        return any(here.intersection(x.members) - acted for x in self._odds.rows if x.key not in order)

    def _line(self, e: Encounter) -> str:
        """The line that answers what is due; "" for nothing."""
        for ask in owed(e, REGISTRY.get(e.system))[:1]:
            match ask:
                case RollAsk():
                    return "roll"
                case PickAsk():
                    return _picked(e, ask, self._random)
                case AcknowledgeAsk():
                    return "ok"
                case _:
                    return "lock missing=empty"
        return ""

    def _onward(self, e: Encounter) -> str:
        acts = REGISTRY.get(e.system).offer(e).acts
        turns = [a for a in acts if a.kind == "turn"]
        if len(acts) > 1 and turns:
            return f"turn {quote(label(e, self._random.choice(turns).who))}"
        return "next" if acts else ""

    def _said(self, e: Encounter, line: str) -> Encounter:
        if line == "roll":
            return self._kept(after_line(e, line, REGISTRY, self._random.random))
        key = (self._keys[id(e)], line)
        if key not in self._known:
            self._known[key] = self._kept(after_line(e, line, REGISTRY, self._random.random))
        return self._known[key]

    def _kept(self, e: Encounter) -> Encounter:
        """The same state as the same object."""
        # Old faces are only told about: without them far more fights come to a state that is known.
        key = msgspec.json.encode(replace(e, rolls={}, outcome=None))
        e = self._same.setdefault(key, e)
        self._keys[id(e)] = key
        return e


# --- counting


def findings(state: State, fights: int, seed: int = 1) -> list[Finding]:
    """Every chance that is told of a state, beside how often it came about."""
    player = Player(state, Random(seed))
    rows = {x.key: x for x in state.odds.rows}
    e = state.odds.encounter
    sides = {k: side_of(e, k) or x.side for k, x in rows.items()}
    places: Counter[tuple[str, int]] = Counter()
    before: Counter[str] = Counter()
    for _ in range(fights):
        order = player.fight()
        for place, key in enumerate(order):
            places[key, place] += 1
            before[key] += all(sides[k] == sides[key] for k in order[:place])
    found = []
    for key, row in rows.items():
        told = [*((f"place {i + 1}", p, places[key, i]) for i, p in enumerate(row.standing.places))]
        told.append(("before foes", row.standing.before, before[key]))
        for what, p, n in told:
            likely = likelihood(p, n / fights, fights, state.odds.runs)
            found.append(Finding(f"{row.name}: {what}", p, n / fights, likely))
    beyond = sum(n for (key, i), n in places.items() if i >= len(rows[key].standing.places))
    return [*found, Finding("places beyond those told", 0.0, beyond / fights, float(not beyond))]


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
    system: str, count: int, fights: int, seed: int = 0, seen: Callable[[State], None] = lambda _: None
) -> list[str]:
    """What is told wrongly among so many random states of a system."""
    some = []
    for number, state in enumerate(states(system, seed)):
        if number >= count:
            break
        seen(state)
        some.append((state, findings(state, fights, number)))
    return wrong(some)


def main(words: Sequence[str]) -> int:
    """Try the law, system by system; 1 where something is told wrongly."""
    count, fights = int(words[0]), int(words[1])
    failed = 0
    for system in words[2:] or REGISTRY.ids():
        kinds: Counter[str] = Counter()

        def seen(state: State, kinds: Counter[str] = kinds) -> None:
            kinds["simulated" if state.odds.runs else "exact"] += 1
            kinds["saves before"] += "roll" in state.odds.lines

        found = law(system, count, fights, seen=seen)
        failed += bool(found)
        print(f"{system}: {count} states of {fights} fights, {dict(kinds)}: {len(found)} wrong", flush=True)
        for line in found[:20]:
            print(line, flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
