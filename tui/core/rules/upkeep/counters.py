"""Counters: legendary actions, slots, charges, a recharge; spent by hand, and coming back by themselves."""

from __future__ import annotations

import re

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import literal
from tui.core.fight.combatant import Combatant, Counted
from tui.core.fight.dice import MOST_DICE
from tui.core.fight.errors import RuleError
from tui.core.fight.events.base import MOST_SIDES
from tui.core.fight.text import clean_name, quote
from tui.core.language.actions.health import Tally
from tui.core.language.select import standing
from tui.core.rules.draft import Draft
from tui.core.rules.numbers import Roller, counted

MOST_COUNTERS = 20
MOST_COUNT = 9_999
_EDGES = ("turn", "round", "short", "long", "never")
_DIE = re.compile(r"([1-9][0-9]?)?d([1-9][0-9]{0,3})>=([1-9][0-9]{0,4})")


def count(d: Draft, action: Tally, roller: Roller, *, quiet: bool = False) -> None:
    """A counter is made, spent, filled or changed on everybody named; `quiet`: untold. Raises RuleError."""
    name = clean_name(action.counter)
    if not name:
        raise RuleError("a counter needs a name")
    most = counted(d, roller, action.max, "max=", 1, MOST_COUNT) if action.max else None
    reset = _reset(action.reset) if action.reset else None
    sign = action.amount[:1] if action.amount[:1] in ("+", "-") else ""
    n = (
        counted(d, roller, action.amount.removeprefix(sign), "count", 0, MOST_COUNT)
        if action.amount
        else None
    )
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


def find(c: Combatant, name: str) -> Counted | None:
    """A creature's counter of that name, or the only one that begins so; None for none."""
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
        raise RuleError(f"reset={reset} needs to know how many come back", "max=N")
    return _within(c, Counted(name, most if n is None else n, most, reset or "never"))


def _changed(c: Combatant, old: Counted, most: int | None, reset: str | None) -> Counted:
    new = replace(old, most=old.most if most is None else most, reset=reset or old.reset)
    new = replace(new, n=min(new.n, new.most) if new.most else new.n, owes=new.owes and reset is None)
    if new.reset != "never" and not new.most:
        raise RuleError(f"reset={new.reset} needs to know how many come back", f"{c.name}: max=N")
    return new


def _moved(c: Combatant, x: Counted, sign: str, n: int) -> int:
    """The counter after `N`, `+N` or `-N`: never below 0, and filled to its maximum at the most."""
    if sign == "-":
        if n > x.n:
            raise RuleError(
                f"{c.name} has {_left(x)}", f"`count {quote(c.name)} {quote(x.name)} +1` gives one back"
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
    if dice is None or sum(dice[0]) < dice[1]:
        raise RuleError(
            f"reset= takes turn, round, short, long, never or a die, not {text}",
            "`reset=1d6>=5`",
            kind="bad_value",
        )
    return f"{len(dice[0])}d{dice[0][0]}>={dice[1]}"


def recharge(reset: str) -> tuple[tuple[int, ...], int] | None:
    """The dice that bring a counter back, and what they must reach; None where no dice do."""
    m = _DIE.fullmatch(reset)
    if m is None or int(m[1] or 1) > MOST_DICE or int(m[2]) > MOST_SIDES:
        return None
    return (int(m[2]),) * int(m[1] or 1), int(m[3])


def fallen(d: Draft, who: str, name: str, faces: tuple[int, ...]) -> None:
    """The dice of a recharge have fallen: the counter is full again, or stays as it is."""
    x = find(d.encounter.combatants[who], name)
    dice = recharge(x.reset) if x else None
    if x is None or dice is None:
        return
    back = sum(faces) >= dice[1]
    d.emit(ev.Tallied(who, replace(x, n=x.most if back else x.n, owes=False), quiet=not back))
    if not back:
        d.announce(f"{{0}}: {literal(x.name)} does not come back", who, own=True)
