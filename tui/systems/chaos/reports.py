"""`else` and `fire`: what is reported while an order is resolved."""

from __future__ import annotations

from tui.core.fight import events as ev
from tui.core.fight.agenda import literal
from tui.core.fight.encounter import Encounter, label, members
from tui.core.fight.errors import RuleError
from tui.core.language.actions import OwnVerb
from tui.core.language.select import entry, match, resolve
from tui.core.rules.draft import Draft
from tui.systems.chaos.numbers import ChaosNotes
from tui.systems.chaos.ready import ready
from tui.systems.chaos.text import ALTERNATIVES, alternatives, readied, readies


def wanted(e: Encounter, request: OwnVerb) -> tuple[str, ...]:
    """The ids that `fire WHO` names."""
    if len(request.words) != 1 or request.keys:
        raise RuleError("fire takes one WHO", '`fire "Archer 1"`', "CHA-9")
    return resolve(e, request.words[0])


def use_alternative(d: Draft, n: ChaosNotes, request: OwnVerb) -> None:
    """`else WHO COMPONENT`: the primary instruction was impossible (CHA-6)."""
    if len(request.words) != 2 or request.keys:
        raise RuleError("else takes WHO and a component", f"`else WHO {ALTERNATIVES[0]}`", "CHA-6")
    key, part = entry(d.encounter, request.words[0]), _component(request.words[1])
    name, order = label(d.encounter, key), d.encounter.orders.get(key, {})
    used = n.used.get(key, [])
    if not _resolving(d.encounter, key, part, order):
        raise RuleError(
            f"the order of {name} is not being resolved", "`else` belongs to its own slot", "CHA-6"
        )
    instead = alternatives(order.get(part, ""))[1]
    if not instead:
        raise RuleError(
            f"{name} wrote no alternative for {part}", "what is impossible is not done then", "CHA-5"
        )
    if part in used:
        raise RuleError(f"the alternative for {part} of {name} is already used", "there is only one", "CHA-5")
    d.emit(ev.Noted("used", [*used, part], key))
    d.announce(f"{{0}} cannot: instead {literal(instead)}", key, rule="CHA-6")
    if part == "action" and not order.get("ready"):
        _reready(d, key, instead)


def _component(text: str) -> str:
    try:
        return match(text, ALTERNATIVES, "component")
    except RuleError as error:
        raise RuleError(error.message, error.hint, "CHA-5") from None


def _resolving(e: Encounter, key: str, part: str, order: dict[str, str]) -> bool:
    """Whether an alternative may be used now: in the own slot; of what is readied also later."""
    people = members(e, key)
    if e.turn and any(c.id in e.turn.members for c in people):
        return True
    later = part == "ready" or (part == "action" and bool(readied(order)) and not order.get("ready"))
    return later and e.phase == "turns" and any("acted" in c.marks for c in people)


def _reready(d: Draft, key: str, instead: str) -> None:
    """An alternative may ready something, or take the place of what was readied."""
    who = [c.id for c in members(d.encounter, key) if d.encounter.turn and c.id in d.encounter.turn.members]
    if held := readies(instead):
        ready(d, key, who, held)
    else:
        d.unmark((c.id for c in members(d.encounter, key)), "ready")
