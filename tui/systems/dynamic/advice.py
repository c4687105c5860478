"""What a screen shows before somebody declares or switches: the pool, or the price and the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Choice, Preview
from tui.core.fight.encounter import Encounter, label
from tui.core.language.tokens import quote
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Deed
from tui.systems.dynamic.rolls import pool_of
from tui.systems.dynamic.rows import acting_row, declares, deeds_of, takers
from tui.systems.dynamic.switching import Plan, planned
from tui.systems.shared.track import TrackSystem

_TITLES = {"weapon": "attack", "spell": "spell, level", "action": "other action", "move": "move"}
_WEAPONS = ("1d4", "1d6", "1d8", "1d10", "1d12", "2d6", "1")


def preview(s: TrackSystem, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:
    """Before the dice: the pool. In one's own turn: the price of a switch, and where it leads."""
    if not declares(e, key):
        return Preview()
    try:
        acting = acting_row(e)
        if acting is not None and acting.key == key:
            return Preview(notes=(_note(e, planned(s, e, key, text)),))
        row = next((x for x in takers(e) if x.key == key), None)
        if row is not None:
            pool = pool_of(e, row, text)
            told = (
                f"{pools.shown(pool)}: {pool.least} to {pool.most}"
                if pool.most
                else "acts at 0, before the dice"
            )
            return Preview(notes=(f"pool {told}",))
    except RuleError as error:
        return Preview(errors=(str(error),))
    return Preview()


def _note(e: Encounter, plan: Plan) -> str:
    behind = f"behind {label(e, plan.behind)}" if plan.behind else "first"
    return f"+{plan.price}: {plan.total}, place {plan.place}, {behind}"


def choices(s: TrackSystem, e: Encounter) -> tuple[Choice, ...]:
    """Every usual action that whoever acts could switch to, with price and place, the cheapest first."""
    row = acting_row(e)
    if row is None or not declares(e, row.key):
        return ()
    own = [x.text for x in deeds_of(e, row.key) if x.kind == "weapon"]
    usual = [("action", "1"), ("move", "yes"), *(("weapon", w) for w in dict.fromkeys([*own, *_WEAPONS]))]
    usual += [("spell", str(n)) for n in range(10)]
    found = [x for kind, text in usual if (x := _choice(s, e, row.key, kind, text))]
    # The key leaves the choice out: two at one price keep the order in which they are written.
    return tuple(choice for _, choice in sorted(found, key=lambda x: x[0]))


def _choice(s: TrackSystem, e: Encounter, key: str, kind: str, text: str) -> tuple[int, Choice] | None:
    keys = {kind: text} | ({"from": "none"} if kind == "move" else {})
    try:
        plan = planned(s, e, key, keys)
    except RuleError:
        return None
    who = next(k for k in e.turn.members if k in e.combatants) if e.turn else ""
    extra = " from=none" if kind == "move" else ""
    title = _TITLES[kind] + (f" {text}" if kind in ("weapon", "spell") else "")
    line = f"switch {quote(label(e, who))}{extra} {kind}={text}"
    return plan.price, Choice(line, title, _note(e, plan), *_either_way(e, key, plan))


def _either_way(e: Encounter, key: str, plan: Plan) -> tuple[str, str]:
    """What a switch would come to, in a sentence, and how it stands without it."""
    left, new = list(deeds_of(e, key)), []
    for deed in plan.deeds:
        if deed in left:
            left.remove(deed)
        else:
            new.append(deed)
    name, before = label(e, key), plan.total - plan.price
    what = f"gives up {_deeds(left)} for {_deeds(new)}" if left else f"adds {_deeds(new)}"
    behind = f"behind {label(e, plan.behind)}" if plan.behind else "first"
    return f"{name} {what}: {before} + {plan.price} = {plan.total}, {behind}", f"{name} keeps {before}"


def _deeds(deeds: Sequence[Deed]) -> str:
    words = ((_TITLES[x.kind], x.text if x.kind in ("weapon", "spell") else "") for x in deeds)
    return " and ".join(" ".join(filter(None, pair)) for pair in words)
