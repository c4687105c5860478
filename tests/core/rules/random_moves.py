"""Random newcomers and moves that a system understands, for laws that play fights at random."""

from __future__ import annotations

from random import Random

from tui.core.fight.agenda import AcknowledgeAsk, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import Encounter, label
from tui.core.language.tokens import quote
from tui.core.rules.upkeep import all_owed
from tui.systems import Registry

REGISTRY = Registry()


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
    for ask in all_owed(e, system)[:1]:
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
