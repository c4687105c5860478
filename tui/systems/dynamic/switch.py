"""Switching in the Dynamic Initiative System: another action than declared, its price, the place it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.agenda import Choice, Preview
from tui.core.fight.encounter import Encounter, Entry, label
from tui.core.fight.errors import RuleError
from tui.core.language.actions import OwnVerb
from tui.core.language.select import resolve
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.system import end_turn, names
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Deed
from tui.systems.shared.numbering import fixed, number

if TYPE_CHECKING:
    from tui.systems.dynamic.track import DynamicTrack

KINDS = ("weapon", "spell", "action", "move", "none")
_TITLES = {"weapon": "attack", "spell": "spell, level", "action": "other action", "move": "move"}


class Plan(Struct, frozen=True):
    """What a switch comes to: the deeds afterwards, price and total, the key it stands behind, its place."""

    deeds: tuple[Deed, ...]
    price: int
    total: int
    behind: str
    place: int


def switch(s: DynamicTrack, d: Draft, request: OwnVerb) -> None:
    """`switch WHO key=value`: pays, ends the turn without counting it, and goes later (DIS-7)."""
    if len(request.words) != 1:
        raise RuleError("switch takes one WHO", "`switch WHO action=1`", "DIS-7")
    key = _switcher(s, d.encounter, request.words[0])
    plan = planned(s, d.encounter, key, request.keys)
    n = s.track_notes(d.encounter)
    order = [x.key for x in s.standing(d.encounter)]
    text = s.declared(d.encounter, key)
    written = pools.write(plan.deeds) | ({"intent": text["intent"]} if "intent" in text else {})
    number = max((x[0] for x in n.later.values()), default=0) + 1
    paid = n.later.get(key, [0, 0])[1]
    d.emit(ev.Ordered(key, written))
    d.emit(ev.Noted("values", plan.total, key), ev.Noted("later", [number, paid + plan.price], key))
    d.announce(f"{{0}} switches: +{plan.price}, {plan.total} in all", key, rule="DIS-16")
    if plan.behind:
        d.announce("{0} goes behind {1}", key, plan.behind, rule="DIS-7")
    end_turn(d, s, taken=False)
    _restand(s, d, key, order, plan.behind)


def _switcher(s: DynamicTrack, e: Encounter, who: str) -> str:
    """The entry that may switch now."""
    ids = resolve(e, who)
    if e.turn is None or not set(ids) <= set(e.turn.members):
        turn = f"it is {label(e, e.acting)}'s turn" if e.turn else "no turn is running: `next`"
        raise RuleError(f"{names(e, ids)} can switch only in its own turn", turn, "DIS-7")
    row = acting_row(s, e)
    if row is None or not s.declares(e, row.key):
        hint = "it has declared nothing and may do anything"
        raise RuleError(f"{names(e, ids)} cannot switch: only players' characters do", hint, "DIS-18")
    return row.key


def acting_row(s: DynamicTrack, e: Encounter) -> Entry | None:
    """The row of who acts, which may have become another one in its turn."""
    members = set(e.turn.members) if e.turn else set()
    return next((x for x in s.entries(e) if not members.isdisjoint(x.members)), None)


def planned(s: DynamicTrack, e: Encounter, key: str, keys: Mapping[str, str]) -> Plan:
    """What a switch would come to. Raises RuleError for one that cannot be."""
    new = pools.read({k: v for k, v in keys.items() if k != "from"})
    if not new:
        raise RuleError("switch to what?", "`switch WHO action=1`; dropping an action is free", "DIS-7")
    row = acting_row(s, e)
    if row is None or row.key != key:
        raise RuleError(f"{names(e, [key])} can switch only in its own turn", "", "DIS-7")
    if any(x.kind == "spell" and x.flat for x in new) and _hampered(e):
        raise RuleError(f"{names(e, [key])} may cast cantrips only", "spell=0", "DIS-17")
    if fixed(s, e, row) is not None:
        raise RuleError(
            f"{names(e, [key])} has a fixed place", f"`set {quote(names(e, [key]))} value=`", "DIS-7"
        )
    deeds = list(pools.read(s.declared(e, key)))
    cost = 0
    for deed, give in zip(new, _gives(keys.get("from", ""), len(new)), strict=True):
        old = _given_up(deeds, deed, give, names(e, [key]))
        if deed.kind == "move" and any(x.kind == "move" and x is not old for x in deeds):
            raise RuleError(f"{names(e, [key])} moves anyway", "moving counts once, however far", "DIS-15")
        cost += _price(s, e, deed, old)
        _swap(deeds, deed, old)
    total = (number(s, e, row) or 0) + cost
    order = [x for x in s.standing(e) if x.key != key]
    before = [i for i, x in enumerate(order) if (number(s, e, x) or 0) <= total]
    place = before[-1] + 1 if before else 0
    return Plan(tuple(deeds), cost, total, order[place - 1].key if place else "", place + 1)


def _gives(text: str, count: int) -> list[str]:
    """What is given up for each new action; "" is the default."""
    gives = [p.strip().lower() for p in text.split(",") if p.strip()] or [""]
    if any(g and g not in KINDS for g in gives):
        raise RuleError(f'from= takes {", ".join(KINDS)}, not "{text}"', "", "DIS-7")
    if len(gives) not in (1, count):
        raise RuleError(f"from= names {len(gives)} actions for {count} new ones", "one each", "DIS-7")
    return gives * count if len(gives) == 1 else gives


def _given_up(deeds: Sequence[Deed], new: Deed, give: str, name: str) -> Deed | None:
    """The declared action that a new one replaces; None adds it (DIS-A5)."""
    if give == "none":
        return None
    same = [x for x in deeds if x.kind == (give or new.kind)]
    if give and not same:
        raise RuleError(f"{name} has declared no {give}", "from=none adds an action", "DIS-7")
    other = [] if give else [x for x in deeds if x.kind != "move"]
    return next(iter(same or other), None)


def _swap(deeds: list[Deed], new: Deed, old: Deed | None) -> None:
    if old is None:
        deeds.append(new)
    else:
        deeds[deeds.index(old)] = new


def _price(s: DynamicTrack, e: Encounter, new: Deed, old: Deed | None) -> int:
    """The most that the action can roll: the new one's, the old one's, or the higher, by house rule."""
    costs = [
        pools.price(x, one=s.single(e), level=s.option(e, "dis.switch_level")) for x in (new, old or new)
    ]
    return {"new": costs[0], "old": costs[1], "higher": max(costs)}[s.option(e, "dis.switch_pays")]


def _hampered(e: Encounter) -> bool:
    members = e.turn.members if e.turn else ()
    return any("cantrips" in e.combatants[k].marks for k in members if k in e.combatants)


def _restand(s: DynamicTrack, d: Draft, key: str, order: Sequence[str], behind: str) -> None:
    """Rows that the GM moved by hand stay where they are; whoever switched leaves such a place."""
    if not d.encounter.shifts:
        return
    d.emit(ev.ShiftsForgotten())
    want = [k for k in order if k != key]
    want.insert(want.index(behind) + 1 if behind in want else 0, key)
    have = [x.key for x in s.standing(d.encounter)]
    for i, k in enumerate(want):
        if k in have and have[i] != k:
            d.emit(ev.Shifted(k, "before", have[i]))
            have.remove(k)
            have.insert(i, k)


# --- for the screen


def preview(s: DynamicTrack, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:
    """Before the dice: the pool. In one's own turn: the price of a switch, and where it leads."""
    try:
        acting = acting_row(s, e)
        if acting is not None and acting.key == key and s.declares(e, key):
            return Preview(notes=(_note(e, planned(s, e, key, text)),))
        row = next((x for x in s.takers(e) if x.key == key), None)
        if row is not None and s.declares(e, key):
            pool = s.hand(e, row, text)
            return Preview(notes=(f"pool {pools.shown(pool)}: {pool.least} to {pool.most}",))
    except RuleError as error:
        return Preview(errors=(str(error),))
    return Preview()


def _note(e: Encounter, plan: Plan) -> str:
    behind = f"behind {label(e, plan.behind)}" if plan.behind else "first"
    return f"+{plan.price}: {plan.total}, place {plan.place}, {behind}"


def choices(s: DynamicTrack, e: Encounter) -> tuple[Choice, ...]:
    """Every usual action that whoever acts could switch to, with price and place, the cheapest first."""
    row = acting_row(s, e)
    if row is None or not s.declares(e, row.key):
        return ()
    own = [x.text for x in pools.read(s.declared(e, row.key)) if x.kind == "weapon"]
    weapons = dict.fromkeys([*own, "1d4", "1d6", "1d8", "1d10", "1d12", "2d6", "1"])
    usual = [("action", "1"), ("move", "yes"), *(("weapon", w) for w in weapons)]
    usual += [("spell", str(n)) for n in range(10)]
    found = [x for kind, text in usual if (x := _choice(s, e, row.key, kind, text))]
    return tuple(choice for _, choice in sorted(found, key=lambda x: x[0]))


def _choice(s: DynamicTrack, e: Encounter, key: str, kind: str, text: str) -> tuple[int, Choice] | None:
    keys = {kind: text} | ({"from": "none"} if kind == "move" else {})
    try:
        plan = planned(s, e, key, keys)
    except RuleError:
        return None
    who = next(k for k in e.turn.members if k in e.combatants) if e.turn else ""
    extra = " from=none" if kind == "move" else ""
    title = _TITLES[kind] + (f" {text}" if kind in ("weapon", "spell") else "")
    line = f"switch {quote(label(e, who))}{extra} {kind}={text}"
    return plan.price, Choice(line, title, _note(e, plan))
