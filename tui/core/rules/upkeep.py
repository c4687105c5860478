"""Keep what a turn owes besides initiative: death saves, recharges, counters, house rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from tui.core.base.cache import remembered
from tui.core.base.errors import RuleError
from tui.core.base.text import clean, clean_name, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, EffectAsk, Field, RollAsk, Sentence, literal
from tui.core.fight.combatant import ENOUGH, Combatant, Counted, Dying, Plain, is_pc
from tui.core.fight.dice import MOST_SIDES
from tui.core.fight.encounter import Encounter
from tui.core.language.creature_actions import Tally
from tui.core.language.select import standing
from tui.core.rules import effects, saving_throws
from tui.core.rules.draft import Draft, finish_paused, present
from tui.core.rules.numbers import Roller, counted
from tui.core.rules.system import InitiativeSystem, end_turn

MOST_COUNTERS = 20
MOST_COUNT = 9_999
_EDGES = ("turn", "round", "short", "long", "never")
_DIE = r"([1-9][0-9]?)?d([1-9][0-9]{0,3})>=([1-9][0-9]{0,4})"


def count(d: Draft, action: Tally, roller: Roller, *, quiet: bool = False) -> None:
    """Make, spend, fill or change a counter of everybody named; `quiet`: not logged. Raises RuleError."""
    name = clean_name(action.counter)
    if not name:
        raise RuleError("a counter needs a name")
    most = counted(d, roller, action.max, "max=", 1, MOST_COUNT) if action.max else None
    reset = _reset(action.reset) if action.reset else None
    sign = action.amount[:1] if action.amount[:1] in ("+", "-") else ""
    n = counted(d, roller, _unsigned(action.amount, sign), "count", 0, MOST_COUNT) if action.amount else None
    for k in standing(d.encounter, action.who):
        c = d.encounter.combatants[k]
        old = find(c, name)
        new = _changed(c, old, most, reset) if old else _made(c, name, n, most, reset, sign)
        if n is not None and old:
            new = replace(new, n=_moved(c, new, sign, n))
        elif old and most is None and reset is None:
            raise RuleError(
                f"count: {c.name} has {_left(old)}", f"`count {quote(c.name)} {quote(old.name)} -1`"
            )
        if new != old:
            d.emit(ev.Tallied(k, new, quiet=quiet))


def _unsigned(amount: str, sign: str) -> str:
    """Return an amount without its sign. Raises RuleError for two of them."""
    text = amount.removeprefix(sign)
    if sign and text[:1] in ("+", "-"):
        raise RuleError(f"count: {clean(amount, 24)} has two signs", "one of them, such as -1")
    return text


def find(c: Combatant, name: str) -> Counted | None:
    """Return a creature's counter of that name, or the only one that begins so, or None."""
    low = name.lower()
    begun = [x for x in c.counters if x.name.lower().startswith(low)]
    exact = [x for x in begun if x.name.lower() == low]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None


def _made(c: Combatant, name: str, n: int | None, most: int | None, reset: str | None, sign: str) -> Counted:
    if len(c.counters) >= MOST_COUNTERS:
        raise RuleError(f"{c.name} has {MOST_COUNTERS} counters already")
    if sign == "-" or (n is None and most is None):
        line = f"`count {quote(c.name)} {quote(name)} 3 reset=turn`"
        raise RuleError(f"{c.name} has no counter {name}", line, kind="unknown_name")
    most = most or (n if reset not in (None, "never") and n else 0) or 0
    if most == 0 and reset not in (None, "never"):
        raise RuleError(f"reset={reset} needs max=, the number that is restored", "max=N")
    return _within(c, Counted(name, most if n is None else n, most, reset or "never"))


def _changed(c: Combatant, old: Counted, most: int | None, reset: str | None) -> Counted:
    new = replace(old, most=old.most if most is None else most, reset=reset or old.reset)
    new = replace(new, n=min(new.n, new.most) if new.most else new.n, owes=new.owes and reset is None)
    if new.reset != "never" and not new.most:
        raise RuleError(f"reset={new.reset} needs max=, the number that is restored", f"{c.name}: max=N")
    return new


def _moved(c: Combatant, x: Counted, sign: str, n: int) -> int:
    """Return the count after `N`, `+N` or `-N`: never below 0, and at most its maximum."""
    if sign == "-":
        if n > x.n:
            raise RuleError(
                f"{c.name} has {_left(x)}", f"`count {quote(c.name)} {quote(x.name)} +1` restores one"
            )
        return x.n - n
    if sign == "+":
        return min(x.n + n, x.most or MOST_COUNT)
    return _within(c, replace(x, n=n)).n


def _within(c: Combatant, x: Counted) -> Counted:
    if x.most and x.n > x.most:
        raise RuleError(f"{x.n} {x.name} are more than the {x.most} of {c.name}", f"max={x.n} raises it")
    return x


def _left(x: Counted) -> str:
    return f"{x.n} of {x.most} {x.name} left" if x.most else f"{x.n} {x.name}"


def _reset(text: str) -> str:
    """turn, round, never, or a die with what it must reach. Raises RuleError."""
    low = text.lower().replace(" ", "")
    if low in _EDGES:
        return low
    dice = recharge(low)
    if dice and sum(dice[0]) < dice[1]:
        most = sum(dice[0])
        raise RuleError(
            f"reset={text} never comes: {most} is the most",
            f"`reset={low.partition('>')[0]}>={most}`",
            kind="bad_value",
        )
    if dice is None:
        raise RuleError(
            f"reset= takes turn, round, short, long, never or a die, not {text}",
            "`reset=1d6>=5`",
            kind="bad_value",
        )
    return f"{len(dice[0])}d{dice[0][0]}>={dice[1]}"


def recharge(reset: str) -> tuple[tuple[int, ...], int] | None:
    """Return the dice that bring a counter back, and the total they need; None for any other reset."""
    m = re.fullmatch(_DIE, reset)
    if m is None or int(m[2]) > MOST_SIDES:
        return None
    return (int(m[2]),) * int(m[1] or 1), int(m[3])


def fallen(d: Draft, who: str, name: str, faces: tuple[int, ...]) -> None:
    """Apply the dice of a recharge: the counter is full again, or unchanged."""
    x = find(d.encounter.combatants[who], name)
    dice = recharge(x.reset) if x else None
    if x is None or dice is None:
        return
    back = sum(faces) >= dice[1]
    d.emit(ev.Tallied(who, replace(x, n=x.most if back else x.n, owes=False), quiet=not back))
    if not back:
        d.announce(f"{{0}}: {literal(x.name)} is not restored", who, own=True)


RECHARGE = "recharge "
UPKEEP = ("death ", saving_throws.SAVE, RECHARGE)
"""How the purposes of these rolls begin; those of death saves in older journals too."""


# A key, 200 creatures in dungeon-track: 3 ms (worst 18), 63 without (worst 88).
@remembered
def owed(e: Encounter, system: InitiativeSystem) -> tuple[Ask, ...]:
    """Return what must be answered before play goes on: effects, saves, recharges, the system's asks."""
    asks = system.due(e) if e.running else ()
    return (*debts(e, system), *asks)


def debts(e: Encounter, system: InitiativeSystem) -> tuple[EffectAsk | RollAsk, ...]:
    """Return the effects that are due, then saves and recharges."""
    return (*effects.due(e), *upkeep(e, system))


def upkeep(e: Encounter, system: InitiativeSystem) -> tuple[RollAsk, ...]:
    """Return the saves that are due, and the recharges of the running turn; saves also outside a fight."""
    asks = [
        RollAsk(
            saving_throws.purpose(c, x),
            c.id,
            (20,),
            saving_throws.reason(c, x),
            save=saving_throws.saving(c, x),
            ticks=True,
            secret=saving_throws.hides(c, x),
        )
        for c, x in saving_throws.due(e)
    ]
    return (*asks, *_recharges(e, system))


def _recharges(e: Encounter, system: InitiativeSystem) -> Iterator[RollAsk]:
    """Return the dice of counters; where turns start with the round, everybody's."""
    if not e.running:
        return
    acting = e.actors
    together = system.upkeep_edges == "round"
    for c in e.combatants.values():
        if c.out or not c.counters or not (together or c.id in acting):
            continue
        for x in c.counters:
            if x.owes and (dice := recharge(x.reset)):
                text = f"{{0}}: {literal(x.name)} is restored with {dice[1]} or more"
                yield RollAsk(f"{RECHARGE}{c.id} {x.name}", c.id, dice[0], Sentence(text, (c.id,), own=True))


NEEDED = 3
"""Successes that make stable, and failures that kill."""
REVIVES, WORST = 20, 1
_STABLE, _DEAD = "stable", "dead"
_WORDS = r"([0-2]) made, ([0-2]) failed"


def written(c: Combatant) -> str:
    """Return how a creature that is dying or dead stands, as a file of the library says it; else ""."""
    if c.dead or c.dying is None:
        return _DEAD if c.dead else ""
    return _STABLE if c.dying.stable else f"{c.dying.good} made, {c.dying.bad} failed"


def read(words: str) -> Dying | None:
    """Return how it stands with a dying creature, from those words; None: it is dead. Raises RuleError."""
    if words == _DEAD:
        return None
    if words == _STABLE:
        return Dying(stable=True)
    if match := re.fullmatch(_WORDS, words):
        return Dying(int(match[1]), int(match[2]))
    raise RuleError(
        f'"{words}" says nothing of death saves', '"1 made, 2 failed", up to 2 of each, "stable" or "dead"'
    )


def kept_dying(d: Draft, who: str, words: str) -> None:
    """Give a creature from a file the death saves that it had; by another house rule no one is dying."""
    c, dying = d.encounter.combatants[who], read(words)
    if dying is None:
        d.emit(ev.Died(who))
        d.emit(ev.WentOut(who))
    elif c.hp == 0 and at_zero(d.encounter, c) == "dying":
        d.emit(ev.DeathSaves(who, dying.good, dying.bad, dying.stable))


def falls(d: Draft, who: str) -> None:
    """Let a creature at 0 hit points be dying."""
    d.emit(ev.DeathSaves(who))
    d.announce("{0} is dying", who)


def stabilised(d: Draft, who: str) -> None:
    """Let a dying creature be stable, by a hand or a spell instead of three successes."""
    d.emit(ev.DeathSaves(who, stable=True))
    d.announce("{0} is stable", who)


def hurt(d: Draft, c: Combatant, dying: Dying) -> bool:
    """Count damage as a failed death save, which ends being stable. Return whether it kills."""
    return _stands(d, c.id, dying.good if not dying.stable else 0, dying.bad + 1, owes=dying.owes)


def saved(d: Draft, who: str, face: int) -> bool:
    """Apply a rolled death save. Return whether the creature dies of it."""
    dying = d.encounter.combatants[who].dying or Dying()
    if face == REVIVES:
        d.emit(ev.Healed(who, 1, 1))
        d.announce("{0} is up again", who)
        return False
    if face >= ENOUGH:
        return ticked(d, who, made=True)
    return _stands(d, who, dying.good, dying.bad + (2 if face == WORST else 1))


def ticked(d: Draft, who: str, *, made: bool) -> bool:
    """Apply one success or one failure of a death save. Return whether the creature dies of it."""
    dying = d.encounter.combatants[who].dying or Dying()
    return _stands(d, who, dying.good + made, dying.bad + (not made))


def _stands(d: Draft, who: str, good: int, bad: int, *, owes: bool = False) -> bool:
    if bad >= NEEDED:
        d.emit(ev.DeathSaves(who, over=True))
        d.announce("{0} has failed three death saves and dies", who)
        d.emit(ev.Died(who))
        return True
    stable = good >= NEEDED
    d.emit(ev.DeathSaves(who, 0 if stable else good, 0 if stable else bad, stable, owes))
    d.announce("{0} is stable" if stable else f"{{0}}: {good} of 3 successes, {bad} of 3 failures", who)
    return False


_ZERO = ("nothing", "out", "dying")
COMMON_OPTIONS = (
    *(
        Field(
            f"zero.{kind}",
            f"0 hit points of {whom}",
            "choice",
            _ZERO,
            "nothing",
            "nothing: they go on; out: they are out; dying: they make death saves",
        )
        for kind, whom in (
            ("pc", "players' characters"),
            ("npc", "allies and others"),
            ("monster", "monsters"),
        )
    ),
    Field(
        "zero.massive",
        "massive damage",
        "choice",
        ("none", "dead"),
        "none",
        "none: never kills; dead: kills if what is left over after 0 is the maximum or more",
    ),
    Field(
        "concentration.dc",
        "damage and concentration",
        "choice",
        ("damage", "none"),
        "damage",
        "damage: DC 10, or half the damage if that is more; none: no save",
    ),
    Field(
        "view.health",
        "what others see of hit points",
        "choice",
        ("word", "none", "numbers"),
        "word",
        "word: a word such as bloodied; none: nothing; numbers: the numbers",
    ),
    Field(
        "view.order",
        "whom players see of the other sides",
        "choice",
        ("all", "acted", "none"),
        "all",
        "all: everybody; acted: creatures that have had a turn; none: only the one that acts, and no places",
    ),
    Field("view.ac", "players see others' armour class", "bool", default=False),
    Field("group.same", "several that are added together are one group", "bool", default=False),
    Field(
        "library.hp",
        "hit points from the library",
        "choice",
        ("average", "rolled"),
        "average",
        "average: as the stat block says; rolled: by its dice",
    ),
)
ZERO_OPTIONS = tuple(f for f in COMMON_OPTIONS if f.key.startswith("zero."))
"""The house rules for 0 hit points."""
_DEFAULTS = {f.key: f.default for f in COMMON_OPTIONS}


def house(e: Encounter, key: str) -> Plain:
    """Return a house rule of every system: as set, else its default."""
    return e.options.get(key, _DEFAULTS[key])


def at_zero(e: Encounter, c: Combatant) -> str:
    """Return what 0 hit points do to a creature: nothing, out or dying."""
    kind = "pc" if is_pc(c) else "npc" if c.word("kind") == "npc" else "monster"
    return str(house(e, f"zero.{kind}"))


def gone(d: Draft, system: InitiativeSystem, who: tuple[str, ...]) -> None:
    """End turns that no one is left in, and let the system react to those who went."""
    if d.encounter.running:
        end_empty_turns(d, system)
        system.left(d, who)


def end_empty_turns(d: Draft, system: InitiativeSystem) -> None:
    """End a turn, running or interrupted, whose creatures are all out or removed, skipping no one."""
    # First those that wait: one that is over must not go on when the running turn ends.
    for waiting in d.encounter.paused:
        if not present(d.encounter, waiting):
            finish_paused(d, waiting, edges=system.turn_edges == "turn")
    turn = d.encounter.turn
    if turn and not present(d.encounter, turn):
        end_turn(d, system)


def leave(d: Draft, system: InitiativeSystem, who: tuple[str, ...]) -> None:
    """End a turn that no one is left in when creatures go out."""
    d.emit(*(ev.WentOut(k) for k in who))
    gone(d, system, who)
