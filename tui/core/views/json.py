"""The state as the contract's JSON: plain tables, for the GM or for one player's viewer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tui.core.fight.agenda import (
    AcknowledgeAsk,
    Ask,
    Field,
    FormAsk,
    LockAsk,
    Offer,
    OrderRow,
    PickAsk,
    RollAsk,
    Sentence,
    TrackRow,
)
from tui.core.fight.combatant import Combatant, health
from tui.core.fight.declared import Mark
from tui.core.fight.encounter import SIDE, Encounter, Outcome, label, sides, unacted
from tui.core.fight.viewer import Viewer, leaks, secrets, sentences, text
from tui.core.rules.now import now, parts
from tui.core.rules.system import InitiativeSystem


def state(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> dict[str, Any]:
    """The encounter's part of the state; the store adds save, step, can_undo, can_redo and last."""
    net = secrets(e, viewer)
    due = [_due(e, ask, system, viewer, net) for ask in _asks(e, system) if viewer.knows(e, ask.who)]
    return {
        "system": e.system,
        "options": {**{f.key: f.default for f in system.options}, **e.options},
        "round": e.round,
        "phase": e.phase,
        "acting": label(e, e.acting) if e.acting and viewer.knows(e, e.acting) else "",
        "now": say_now(e, system, viewer),
        "sides": _sides(e, system, viewer),
        "outcome": _outcome(e, e.outcome, viewer) if e.outcome else {},
        "due": due,
        "offer": _offer(e, system, viewer, net),
        "track": track(e, system, viewer),
        "combatants": [_combatant(e, c, system, viewer) for c in e.combatants.values() if viewer.sees(c)],
        "orders": [_order(e, o, system, viewer, net) for o in readable(e, system, viewer)],
    }


def _asks(e: Encounter, system: InitiativeSystem) -> tuple[Ask, ...]:
    return system.due(e) if e.running else ()


def _line(e: Encounter, sentence: Sentence, viewer: Viewer, net: Iterable[str]) -> str:
    """A sentence for this viewer; absent when it names somebody unseen."""
    line = sentences(e, (sentence,), viewer)
    return "" if leaks(line, net) else line


def _sides(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> list[dict[str, Any]]:
    playing = [c for c in system.in_play(e) if viewer.sees(c)]
    turn = system.turn_side(e) if e.running else ""
    rows = []
    for name in dict.fromkeys([*system.sides, *sides(e)]):
        of = [c for c in playing if c.side == name]
        if not viewer.gm and name not in system.sides and not viewer.knows(e, SIDE + name):
            continue
        rows.append({
            "name": name, "turn": bool(turn) and name == turn, "left": len(unacted(of)) if e.running else len(of),
            "of": len(of), "in_combat": system.in_combat(e, name),
        })  # fmt: skip
    return rows


def _outcome(e: Encounter, o: Outcome, viewer: Viewer) -> dict[str, Any]:
    named = [o.winner, o.loser, o.who, o.target]
    if any(k and not viewer.knows(e, k) for k in named):
        return {}
    out: dict[str, Any] = {"kind": o.kind}
    for key in ("winner", "loser", "who", "target"):
        if value := getattr(o, key):
            out[key] = label(e, value)
    if o.kind == "target":
        out |= {"target": label(e, o.target), "style": o.style}
    for key in ("by", "style"):
        if value := getattr(o, key):
            out[key] = value
    if o.totals:
        out["totals"] = {label(e, k): n for k, n in o.totals.items() if viewer.knows(e, k)}
    if o.kind in ("opposed", "surprise"):
        out["caught"] = [label(e, k) for k in o.caught if viewer.knows(e, k)]
    if o.kind == "order":
        out["order"] = [label(e, k) for k in o.order if viewer.knows(e, k)]
    return out


def _due(
    e: Encounter, ask: Ask, system: InitiativeSystem, viewer: Viewer, net: Iterable[str]
) -> dict[str, Any]:
    out: dict[str, Any] = {
        "kind": ask.kind, "who": label(e, ask.who), "why": _line(e, ask.why, viewer, net), "rule": ask.why.rule,
    }  # fmt: skip
    match ask:
        case RollAsk():
            out["dice"] = list(ask.dice) if viewer.may_read(e, ask.why) else []
        case PickAsk():
            seen = [label(e, k) for k in ask.names if viewer.knows(e, k)]
            out |= {"names": seen, "least": min(ask.least, len(seen)), "most": min(ask.most, len(seen))}
        case FormAsk():
            mine = viewer.gm or system.reads(e, viewer.name, ask.who)
            out["fields"] = [_field(f, f.default if mine else "") for f in ask.fields]
        case LockAsk() | AcknowledgeAsk():
            pass
    return out


def _field(f: Field, default: Any) -> dict[str, Any]:
    return {"key": f.key, "title": f.title, "kind": f.kind, "default": default, "choices": list(f.choices)}


def _offer(e: Encounter, system: InitiativeSystem, viewer: Viewer, net: Iterable[str]) -> dict[str, Any]:
    if not e.running or e.turn or system.due(e):
        return {}
    offer: Offer = system.offer(e)
    acts = [
        {"kind": act.kind, **({"who": label(e, act.who)} if act.who else {})}
        for act in offer.acts
        if viewer.knows(e, act.who)
    ]
    turns = any(act.kind == "turn" for act in offer.acts)
    if not acts or (turns and not any(act["kind"] == "turn" for act in acts)):
        return {}  # a pass alone would tell that somebody unseen may act
    chooser = offer.chooser if viewer.knows(e, offer.chooser) else ""
    why = _line(e, offer.why, viewer, net)
    return {"chooser": label(e, chooser), "acts": acts, "why": why, "rule": offer.why.rule}


def track(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> list[dict[str, Any]]:
    """The rows of the track that this viewer see, with places of their own."""
    rows = [r for r in system.rows(e) if viewer.knows(e, r.entry)] if e.running else []
    return [_row(e, r, place, system, viewer) for place, r in enumerate(rows, 1)]


def _row(e: Encounter, r: TrackRow, place: int, system: InitiativeSystem, viewer: Viewer) -> dict[str, Any]:
    seen = [e.combatants[k] for k in r.members if k in e.combatants and viewer.sees(e.combatants[k])]
    return {
        "entry": label(e, r.entry), "members": [c.name for c in seen], "place": place, "value": r.value,
        "state": r.state, "tags": tags(seen, system), "why": sentences(e, r.why, viewer),
    }  # fmt: skip


def borne(found: Iterable[Combatant], system: InitiativeSystem) -> list[Mark]:
    """The declared marks that at least one of these creatures bears, in the order in which they are declared."""
    names = {name for c in found for name in c.marks}
    return [mark for name, mark in system.all_marks.items() if name in names]


def tags(found: Iterable[Combatant], system: InitiativeSystem) -> list[str]:
    """What an entry's members carry; an entry has a tag when one of them has the mark."""
    people = list(found)
    marks = [mark.tag for mark in borne(people, system) if mark.tag]
    return marks + (["hidden"] if any(c.hidden for c in people) else [])


def _marks(c: Combatant, system: InitiativeSystem) -> dict[str, bool]:
    """Every mark of a creature that has a word; one without is the system's own bookkeeping."""
    found = [mark.key for mark in borne((c,), system) if mark.word]
    return dict.fromkeys([*found, *(["hidden"] if c.hidden else [])], True)


def _combatant(e: Encounter, c: Combatant, system: InitiativeSystem, viewer: Viewer) -> dict[str, Any]:
    out: dict[str, Any] = {
        "id": c.id, "name": c.name, "side": c.side, "group": c.group, "owner": c.owner, "out": c.out,
        "hidden": c.hidden, "note": c.note if viewer.gm or viewer.mine(c) else "",
        "arrives": c.arrives,
        "conditions": [_condition(e, x.name, x.rounds, x.until, x.of, viewer) for x in c.conditions],
        "marks": _marks(c, system),
    }  # fmt: skip
    if viewer.gm or viewer.mine(c) or system.public_sheets(e):
        return out | {"hp": c.hp, "max_hp": c.max_hp, "temp_hp": c.temp_hp, "ac": c.ac, "fields": c.fields}
    return out | {"health": health(c)}


def _condition(e: Encounter, name: str, rounds: int, until: str, of: str, viewer: Viewer) -> dict[str, Any]:
    whose = label(e, of) if of and viewer.knows(e, of) else ""
    return {"name": name, "rounds": rounds, "until": until, "of": whose}


def readable(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> list[OrderRow]:
    """The orders that this viewer may read: their own, those that lie open, what is public of the others."""
    rows = [o for o in system.orders(e) if viewer.knows(e, o.who)] if e.running else []
    found = [o if viewer.gm or o.open or system.reads(e, viewer.name, o.who) else _public(o) for o in rows]
    return [o for o in found if o is not None]


def _public(o: OrderRow) -> OrderRow | None:
    text = {k: v for k, v in o.text.items() if k in o.public and v}
    return OrderRow(o.who, o.state, text) if text else None


def _order(
    e: Encounter, o: OrderRow, system: InitiativeSystem, viewer: Viewer, net: Iterable[str]
) -> dict[str, Any]:
    """An order; in those of others a component that names somebody unseen is absent."""
    mine = viewer.gm or system.reads(e, viewer.name, o.who)
    own: Mapping[str, str] = {k: v for k, v in o.text.items() if v and (mine or not leaks(v, net))}
    return {"who": label(e, o.who), "state": o.state, "text": dict(own), "warnings": list(o.warnings)}


def say_now(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> str:
    """The Now line in words."""
    if viewer.gm:
        return text(e, now(e, system))
    net = secrets(e, viewer)
    return "; ".join(line for part in parts(e, system, viewer) if (line := _line(e, part, viewer, net)))
