"""The state as JSON (.github/FORMAT.md): plain tables, for the GM or for one player's viewer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from tui.core.fight.agenda import (
    AcknowledgeAsk,
    Ask,
    Field,
    FormAsk,
    LockAsk,
    Mark,
    Offer,
    OrderRow,
    PickAsk,
    RollAsk,
    Saving,
    Sentence,
)
from tui.core.fight.combatant import Combatant, Condition, health
from tui.core.fight.encounter import (
    Encounter,
    OpposedOutcome,
    OrderOutcome,
    Outcome,
    SurpriseOutcome,
    TargetOutcome,
    label,
    members,
    sides,
    unacted,
)
from tui.core.fight.viewer import Viewer, leaks, own, reveals, secrets, sentences, text
from tui.core.language.attacks import Attack, read_attacks
from tui.core.language.values import bonuses
from tui.core.rules.now import now, parts
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import COMMON_OPTIONS, house
from tui.core.views.seen import Seen, SeenRow, seen


def state(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> dict[str, Any]:
    """Return the encounter's part of the state; the store adds save, step, can_undo, can_redo and last."""
    # A second net under the redaction: a name in people's own text is caught by its letters.
    net = secrets(e, viewer)
    shown = seen(e, system, viewer)
    left = shown.encounter
    return {
        "system": e.system,
        "options": {**{f.key: f.default for f in (*system.options, *COMMON_OPTIONS)}, **e.options},
        "round": e.round,
        "phase": left.phase,
        "acting": label(left, left.acting),
        "now": _now(shown, system, viewer, net),
        "sides": _sides(shown, system, viewer),
        "outcome": _outcome(left, e.outcome, viewer) if e.outcome else {},
        "area": _area(left) if left.area else {},
        "due": [_due(left, ask, system, viewer, net) for ask in shown.due],
        "offer": _offer(shown, net),
        "track": _track(left, shown.rows, system),
        "combatants": _combatants(e, left, system, viewer),
        "orders": [_order(left, o, viewer, net) for o in readable(left, system, viewer)],
    }


def _line(e: Encounter, sentence: Sentence, viewer: Viewer, net: Sequence[str]) -> str:
    """Return a sentence for this viewer, "" when it names someone unseen."""
    line = sentences(e, (sentence,), viewer)
    return "" if reveals(e, sentence, line, net) else line


def _sides(shown: Seen, system: InitiativeSystem, viewer: Viewer) -> list[dict[str, Any]]:
    e = shown.encounter
    playing = _playing(e, system)
    return [
        {
            "name": name,
            "turn": bool(shown.side) and name == shown.side,
            "left": len(unacted(people)) if e.running else len(people),
            "of": len(people),
            "in_combat": system.in_combat(e, name) and (viewer.gm or len(playing) > 1),
        }
        for name in dict.fromkeys([*system.sides, *sides(e)])
        for people in (playing.get(name, []),)
    ]


def _playing(e: Encounter, system: InitiativeSystem) -> dict[str, list[Combatant]]:
    """Return those who take part now, by side."""
    playing = dict[str, list[Combatant]]()
    for c in system.in_play(e):
        playing.setdefault(c.side, []).append(c)
    return playing


def _outcome(e: Encounter, outcome: Outcome, viewer: Viewer) -> dict[str, Any]:
    """Return the contest by names; nothing of one in which someone unseen took part.

    `e` is what this viewer knows of the encounter.
    """

    def met(keys: tuple[str, ...]) -> list[str]:
        return [label(e, k) for k in keys] if viewer.gm else _present_names(e, keys)

    match outcome:
        case OpposedOutcome(winner, loser, by, totals, caught):
            # One name alone would tell that someone unseen was there to roll against.
            if len(met((winner, loser))) < 2:
                return {}
            points = {name: n for k, n in totals.items() for name in met((k,))}
            return {
                "kind": "opposed",
                "winner": label(e, winner),
                "loser": label(e, loser),
                "by": by,
                "totals": points,
                "caught": met(caught),
            }
        case OrderOutcome(order):
            return {"kind": "order", "order": met(order)}
        case SurpriseOutcome(caught):
            return {"kind": "surprise", "caught": met(caught)}
        case TargetOutcome(who, target, style):
            if len(met((who, target) if target else (who,))) < (2 if target else 1):
                return {}
            return {"kind": "target", "who": label(e, who), "target": label(e, target), "style": style}
        case _:
            assert_never(outcome)


def _present_names(e: Encounter, keys: tuple[str, ...]) -> list[str]:
    """Return the names of those who are there, never of a creature that is gone."""
    return [label(e, k) for k in keys if members(e, k)]


def _due(
    e: Encounter, ask: Ask, system: InitiativeSystem, viewer: Viewer, net: Sequence[str]
) -> dict[str, Any]:
    out: dict[str, Any] = {
        "kind": ask.kind,
        "who": label(e, ask.who),
        "why": _line(e, ask.why, viewer, net),
        "rule": ask.why.rule,
    }
    match ask:
        case RollAsk():
            out["dice"] = list(ask.dice)
            if ask.save:
                out["save"] = _save(e, ask.who, ask.save, system, viewer)
        case PickAsk():
            seen = [label(e, k) for k in ask.names if viewer.knows(e, k)]
            out |= {"names": seen, "least": min(ask.least, len(seen)), "most": min(ask.most, len(seen))}
        case FormAsk():
            mine = viewer.gm or viewer.owns(e, ask.who)
            out["fields"] = [_field(f, f.default if mine else "") for f in ask.fields]
        case AcknowledgeAsk():
            out["lines"] = [line for x in ask.board if (line := _line(e, x, viewer, net))]
        case LockAsk():
            pass
    return out


def _save(e: Encounter, who: str, save: Saving, system: InitiativeSystem, viewer: Viewer) -> dict[str, Any]:
    """Return a saving throw; what its die adds is on the creature's sheet."""
    table = {"for": save.cause, "name": save.name, "dc": save.dc, "key": save.key}
    c = e.combatants.get(who)
    mine = viewer.gm or bool(system.open_sheets(e)) or (c is not None and viewer.mine(c))
    return {**table, "bonus": save.bonus} if mine else table


def _area(e: Encounter) -> dict[str, Any]:
    """Damage to many that has not fallen yet."""
    assert e.area is not None
    x = e.area
    people = {"who": x.who, "made": x.made, "failed": x.failed}
    return {
        "damage": x.points,
        "type": x.kind,
        "dc": x.dc,
        "key": x.key,
        "half": x.half,
        "more": [{"damage": points, "type": kind} for points, kind in x.more],
        **{key: [label(e, k) for k in ids if k in e.combatants] for key, ids in people.items()},
    }


def _field(f: Field, default: Any) -> dict[str, Any]:
    return {"key": f.key, "title": f.title, "kind": f.kind, "default": default, "choices": list(f.choices)}


def _offer(shown: Seen, net: Sequence[str]) -> dict[str, Any]:
    e, offer = shown.encounter, shown.offer
    if not offer.acts:
        return {}
    acts = [{"kind": act.kind, **({"who": label(e, act.who)} if act.who else {})} for act in offer.acts]
    why = text(e, offer.why)
    why = "" if leaks(why, net) else why
    return {"chooser": label(e, offer.chooser), "acts": acts, "why": why, "rule": offer.why.rule}


def track(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the rows of the track that this viewer sees, with places of their own."""
    shown = seen(e, system, viewer)
    return _track(shown.encounter, shown.rows, system)


def _track(e: Encounter, rows: tuple[SeenRow, ...], system: InitiativeSystem) -> list[dict[str, Any]]:
    return [_row(e, row, place, system) for place, row in enumerate(rows, 1)]


def _row(e: Encounter, row: SeenRow, place: int, system: InitiativeSystem) -> dict[str, Any]:
    creatures = tuple([e.combatants[k] for k in row.members if k in e.combatants])
    return _row_table(row.entry, label(e, row.entry), row, place, creatures, system)


def _row_table(
    key: str, name: str, row: SeenRow, place: int, creatures: tuple[Combatant, ...], system: InitiativeSystem
) -> dict[str, Any]:
    del key
    return {
        "entry": name,
        "members": [c.name for c in creatures],
        "place": place,
        "value": row.value,
        "state": row.state,
        "tags": tags(creatures, system),
        "why": row.why,
    }


def borne(creatures: Iterable[Combatant], system: InitiativeSystem) -> list[Mark]:
    """Return the declared marks that at least one of these creatures has, in order of declaration."""
    names = {name for c in creatures for name in c.marks}
    return [mark for name, mark in system.all_marks.items() if name in names]


def tags(creatures: Iterable[Combatant], system: InitiativeSystem) -> list[str]:
    """Return the tags of an entry: the marks that one of its members has."""
    people = list(creatures)
    marks = [mark.tag for mark in borne(people, system) if mark.tag]
    return marks + (["hidden"] if any(c.hidden for c in people) else [])


def _marks(c: Combatant, system: InitiativeSystem) -> dict[str, bool]:
    """Return every mark of a creature that has a word; one without is the system's own bookkeeping."""
    keys = [mark.key for mark in borne((c,), system) if mark.word]
    return dict.fromkeys([*keys, *(["hidden"] if c.hidden else [])], True)


def _combatants(
    e: Encounter, left: Encounter, system: InitiativeSystem, viewer: Viewer
) -> list[dict[str, Any]]:
    shown = "open" if viewer.gm or system.open_sheets(e) else house(e, "view.health")
    lost = _lost(e, viewer)
    if viewer.gm:
        return [_creature(left, c, lost, system, "", (True, True, "open")) for c in left.combatants.values()]
    mine = {
        c.id: _creature(left, c, lost, system, f"{viewer.name} ", (False, True, "open"))
        for c in own(left.combatants, viewer)
    }
    return [*{**_others(left, lost, system, shown), **mine}.values()]


def _others(
    left: Encounter, lost: frozenset[str], system: InitiativeSystem, shown: str
) -> dict[str, dict[str, Any]]:
    """Return the creatures as players read them who do not own them."""
    rights = (False, False, shown)
    return {k: _creature(left, c, lost, system, "", rights) for k, c in left.combatants.items()}


def _lost(e: Encounter, viewer: Viewer) -> frozenset[str]:
    """Return those to whom a condition belongs and whom this viewer does not know."""
    return frozenset(k for k in _sources(e.combatants) if not viewer.knows(e, k))


def _sources(people: Mapping[str, Combatant]) -> frozenset[str]:
    """Return the sources of a creature's conditions."""
    return frozenset(x.of for c in people.values() for x in c.conditions if x.of)


def _creature(
    left: Encounter,
    c: Combatant,
    lost: frozenset[str],
    system: InitiativeSystem,
    reader: str,
    rights: tuple[bool, bool, str],
) -> dict[str, Any]:
    """Return a creature. Of `lost`, whose conditions these are, the viewer does not know."""
    whose = tuple([label(left, x.of) if x.of and x.of not in lost else "" for x in c.conditions])
    return _combatant_table(f"{reader}{c.id}", c, whose, system, rights)


def _combatant_table(
    key: str, c: Combatant, whose: tuple[str, ...], system: InitiativeSystem, rights: tuple[bool, bool, str]
) -> dict[str, Any]:
    """Return a creature for viewers of equal rights: the GM, the owner, and how much of its sheet is seen."""
    del key
    gm, own, sheet = rights
    out: dict[str, Any] = {
        "id": c.id,
        "name": c.name,
        "alias": c.alias,
        "side": c.side,
        "group": c.group,
        "owner": c.owner,
        "out": c.out,
        "hidden": c.hidden,
        "note": c.note if own else "",
        "card": c.card if gm else "",
        "arrives": c.arrives,
        "dead": c.dead,
        "conditions": [_condition(x, name) for x, name in zip(c.conditions, whose, strict=True)],
        "marks": _marks(c, system),
    }
    return out | _sheet(c, sheet)


def _sheet(c: Combatant, sheet: str) -> dict[str, Any]:
    """Return hit points, fields and counters of an open sheet; of others what the house rule shows."""
    points: dict[str, Any] = {"hp": c.hp, "max_hp": c.max_hp, "temp_hp": c.temp_hp}
    if sheet == "open":
        counters = [{"name": x.name, "n": x.n, "max": x.most or None, "reset": x.reset} for x in c.counters]
        table = {
            "temp_max": c.temp_max,
            "resist": c.resist,
            "vulnerable": c.vulnerable,
            "immune": c.immune,
            "save_bonus": bonuses(c.save_bonus),
            "counters": counters,
            "attacks": [_attack(x) for x in read_attacks(c.attacks)],
        }
        return points | table | {"ac": c.ac, "fields": c.fields, "saves": _saves(c)}
    match sheet:
        case "numbers":
            return points | {"max_hp": c.most_hp, "counters": []}
        case "none":
            return {"counters": []}
        case _:
            return {"health": health(c), "counters": []}


def _attack(x: Attack) -> dict[str, Any]:
    return {
        "name": x.name,
        "bonus": x.bonus,
        "damage": [{"dice": part.dice, "type": part.type} for part in x.damage],
        "dc": x.dc,
        "key": x.key,
        "half": x.half,
        "text": x.text,
    }


def _saves(c: Combatant) -> dict[str, Any]:
    """Return how the death saves of a dying creature stand; {} for anybody else."""
    if c.dying is None:
        return {}
    return {"successes": c.dying.good, "failures": c.dying.bad, "stable": c.dying.stable}


def _condition(x: Condition, whose: str) -> dict[str, Any]:
    return {
        "name": x.name,
        "rounds": x.rounds,
        "until": x.until,
        "of": whose,
        "conc": x.conc,
        "dc": x.dc,
        "key": x.key,
    }


def readable(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> list[OrderRow]:
    """Return the orders that this viewer may read: their own, open ones, and the public part of others."""
    rows = [o for o in system.orders(e) if viewer.knows(e, o.who)] if e.running else []
    orders = [o if viewer.gm or o.open or viewer.owns(e, o.who) else _public(o) for o in rows]
    return [o for o in orders if o is not None]


def _public(o: OrderRow) -> OrderRow | None:
    text = {k: v for k, v in o.text.items() if k in o.public and v}
    return OrderRow(o.who, o.state, text) if text else None


def _order(e: Encounter, o: OrderRow, viewer: Viewer, net: Sequence[str]) -> dict[str, Any]:
    """Return an order. A player's words are shown whole to everybody who may read them, whatever they name.

    Of what the GM wrote for creatures of no one's a component that names someone unseen is absent.
    """
    mine = viewer.gm or any(c.owner for c in members(e, o.who))
    own: Mapping[str, str] = {k: v for k, v in o.text.items() if v and (mine or not leaks(v, net))}
    return {
        "who": label(e, o.who),
        "state": o.state,
        "text": dict(own),
        "default": dict(o.default),
        "warnings": list(o.warnings),
        "instead": {k: v for k, v in o.instead.items() if k in own and (mine or not leaks(v, net))},
    }


def say_now(e: Encounter, system: InitiativeSystem) -> str:
    """Return the game master's Now line in words, to be read."""
    return text(e, now(e, system)).replace("`", "")


def _now(shown: Seen, system: InitiativeSystem, viewer: Viewer, net: Sequence[str]) -> str:
    e = shown.encounter
    if viewer.gm:
        return text(e, now(e, system))
    if shown.waits:
        return "The GM goes on"
    return "; ".join(
        line
        for part, line in _phrases(e, system, shown.due, shown.offer)
        if line and viewer.may_read(e, part) and not reveals(e, part, line, net)
    )


def _phrases(
    e: Encounter, system: InitiativeSystem, due: tuple[Ask, ...], offer: Offer
) -> tuple[tuple[Sentence, str], ...]:
    """Return the Now line piece by piece, with its words."""
    return tuple([(part, text(e, part)) for part in parts(e, system, due, offer)])
