"""Run `switch`: an action other than the declared one, its price, and the new place (DIS-7, DIS-16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.viewer import fill_names
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import labels, resolve_standing
from tui.core.language.tokens import pairs, quote
from tui.core.rules.draft import Draft
from tui.core.rules.system import end_turn
from tui.systems.dynamic import declarations
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Deed
from tui.systems.dynamic.rounds import Rounds
from tui.systems.dynamic.rows import (
    acting_row,
    declaration_of,
    deeds_of,
    is_declaring,
    is_single_die,
    other_action,
)
from tui.systems.dynamic.text import dis_rule, dynamic_notes, price_paid
from tui.systems.shared.placing import ids_to_act

KINDS = ("weapon", "spell", "action", "move", "none")
"""The kinds of action that a switch may give up; `none` adds an action (DIS-16)."""


class Plan(Struct, frozen=True):
    """A switch before it is made."""

    deeds: tuple[Deed, ...]
    """The actions after the switch."""
    price: int
    """The points that the switch costs."""
    total: int
    """The number after the switch."""
    behind: str
    """The key of the entry just before the new place; "" for the first place."""
    place: int
    """The new place, from 1."""


class Switching(Rounds):
    """The verb `switch`."""

    def switch(self, d: Draft, request: OwnVerb) -> None:
        """Run `switch WHO key=value`: pay, end the turn as not taken, and act later (DIS-7).

        Raises RuleError.
        """
        key = _resolve_switcher(d.encounter, request.words[0])
        plan = self.plan_switch(d.encounter, key, request.keys)
        order = [x.key for x in self.acting_order(d.encounter)]
        text = declaration_of(d.encounter, key)
        written = pools.write_deeds(plan.deeds) | ({"intent": text["intent"]} if "intent" in text else {})
        # Counted over the whole round: of equal rows, the one that switched last goes last.
        number = max((x[0] for x in dynamic_notes(d.encounter).later.values()), default=0) + 1
        paid = price_paid(d.encounter, key) + plan.price
        d.emit(ev.Ordered(key, written))
        d.emit(ev.Noted("values", plan.total, key), ev.Noted("later", [number, paid], key))
        d.announce(f"{{0}} switches: +{plan.price}, {plan.total} in all", key, rule="DIS-16")
        if plan.behind:
            d.announce("{0} goes after {1}", key, plan.behind, rule="DIS-7")
        declarations.update_saves(d, key)
        end_turn(d, self, was_taken=False)
        self._restore_moves(d, key, order, plan.behind)

    def plan_switch(self, e: Encounter, key: str, keys: Mapping[str, str]) -> Plan:
        """Return the plan of a switch. Raises RuleError if it is not allowed."""
        name = label(e, key)
        deeds, price = _exchange_deeds(e, key, keys)
        row = acting_row(e)
        if row is None or row.key != key:
            raise RuleError(f"{name} can switch only while acting", "", "DIS-7")
        if self.fixed_place(e, row) is not None:
            reason = fill_names(e, "{0} has a fixed place", key)
            raise RuleError(reason, f"`set {quote(name)} value=` removes it", "DIS-7")
        total = (self.number(e, row) or 0) + price
        order = [x for x in self.acting_order(e) if x.key != key]
        # After all rows of the same number, since rows that switch come after those that did not (DIS-7).
        before = [i for i, x in enumerate(order) if (self.number(e, x) or 0) <= total]
        place = before[-1] + 1 if before else 0
        return Plan(deeds, price, total, order[place - 1].key if place else "", place + 1)

    def _restore_moves(self, d: Draft, key: str, order: Sequence[str], previous: str) -> None:
        """Keep rows that the GM moved at their places; the switching row leaves such a place."""
        if not d.encounter.shifts:
            return
        d.emit(ev.ShiftsForgotten())
        want = [k for k in order if k != key]
        want.insert(want.index(previous) + 1 if previous in want else 0, key)
        have: list[str] = [x.key for x in self.acting_order(d.encounter)]
        for i, k in enumerate(want):
            if k in have and have[i] != k:
                d.emit(ev.Shifted(k, "before", have[i]))
                have.remove(k)
                have.insert(i, k)


def _resolve_switcher(e: Encounter, who: str) -> str:
    """Return the key of the entry that switches now. Raises RuleError."""
    ids = resolve_standing(e, who)
    name = labels(e, ids)
    row = acting_row(e)
    barred_ids = [k for k in ids if "barred" in e.combatants[k].marks]
    if len(barred_ids) == len(ids):
        raise RuleError(f"{name} came after the dice", "no turn before the next round", "DIS-26")
    # Members that came too late or have acted take no part in the row's turn, and prevent no switch.
    fresh = {k for k in ids if not {"acted", "barred"} & set(e.combatants[k].marks)}
    if e.turn is None or row is None or not fresh or not fresh <= set(e.turn.members):
        own = "its" if len(ids) == 1 else "their"
        raise RuleError(f"{name} can switch only in {own} own turn", "", "DIS-7")
    if not is_declaring(e, row.key):
        has = "it has" if len(ids) == 1 else "they have"
        hint = f"{has} declared nothing and may do anything"
        raise RuleError(f"{name} cannot switch: only players' characters do", hint, "DIS-18")
    return row.key


def _name_in_line(e: Encounter, key: str) -> str:
    """Return a row's name for a line, or the names of its acting members if others do not act."""
    members = e.actors
    rest = ids_to_act(e, key)
    return quote(label(e, key) if rest <= set(members) else ",".join(label(e, k) for k in members))


def _exchange_deeds(e: Encounter, key: str, keys: Mapping[str, str]) -> tuple[tuple[Deed, ...], int]:
    """Return the actions after a switch, and its price. Raises RuleError."""
    who = _name_in_line(e, key)
    text = {k: v for k, v in keys.items() if k != "from"}
    new, old = pools.read_deeds(text), deeds_of(e, key)
    if not new:
        hint = f"`{other_action(e, key, who)}`; dropping an action is free"
        raise RuleError("switch to what?", hint, "DIS-7")
    declarations.check_able(e, key, new, "switch")
    # Only actions declared before can be given up: an action that this line itself adds would be paid for and
    # lost.
    remaining, declared_, price = list(old), list(old), 0
    for deed, give in zip(new, _read_gives(keys.get("from", ""), len(new)), strict=True):
        gone = _find_given_up(declared_, deed, give)
        if gone is None and give not in ("", "none"):
            hint = f"`switch {who} from=none {' '.join(pairs(text))}` adds it"
            raise RuleError(fill_names(e, f"{{0}} has declared no {give}", key), hint, "DIS-7")
        if deed.kind == "move" and any(x.kind == "move" for x in remaining):
            raise _moves_already_error(e, key, who)
        price += _switch_price(e, deed, gone)
        if gone is None:
            remaining.append(deed)
        else:
            declared_.remove(gone)
            remaining[remaining.index(gone)] = deed
    # The order of the actions means nothing: two actions that only exchange their places are no switch.
    if sorted(remaining, key=repr) == sorted(old, key=repr):
        if all(x.kind == "move" for x in new):
            raise _moves_already_error(e, key, who)
        hint = f"`switch {who} from=none {' '.join(pairs(text))}` does it once more"
        raise RuleError(fill_names(e, "{0} has declared just that", key), hint, "DIS-7")
    return tuple(remaining), price


def _moves_already_error(e: Encounter, key: str, who: str) -> RuleError:
    hint = f"moving counts once, however far; `{other_action(e, key, who)}` for something else"
    return RuleError(fill_names(e, "{0} moves anyway", key), hint, "DIS-15")


def _read_gives(text: str, count: int) -> list[str]:
    """Return the kind given up for each new action; "" is the default. Raises RuleError."""
    gives = [p.strip().lower() for p in text.split(",") if p.strip()] or [""]
    if strange := next((g for g in gives if g and g not in KINDS), ""):
        raise RuleError(f'from= takes {", ".join(KINDS)}, not "{strange}"', "`from=none` adds one", "DIS-7")
    if len(gives) not in (1, count):
        hint = "one each, with commas: from=weapon,none"
        raise RuleError(f"from= names {len(gives)} actions for {count} new ones", hint, "DIS-7")
    return gives * count if len(gives) == 1 else gives


def _find_given_up(deeds: Sequence[Deed], new: Deed, give: str) -> Deed | None:
    """Return the declared action that a new one replaces, of the same kind or else the first but a move.

    None if there is none: the new action is then added (DIS-16).
    """
    # No action has the kind "none", so nothing is given up.
    same = [x for x in deeds if x.kind == (give or new.kind)]
    other = [] if give else [x for x in deeds if x.kind != "move"]
    return next(iter(same or other), None)


def _switch_price(e: Encounter, new: Deed, old: Deed | None) -> int:
    """Return the price by house rule: of the new action, the old one, or the higher (DIS-16)."""
    one, level = is_single_die(e), bool(dis_rule(e, "switch_level"))
    costs = [pools.price(x, one=one, level=level) for x in (new, old or new)]
    return {"new": costs[0], "old": costs[1], "higher": max(costs)}[dis_rule(e, "switch_pays")]
