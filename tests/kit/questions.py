"""The questions of transcripts: each has a name, and a function that returns the answer as lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import astuple

from tests.kit.table import Table, plain
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import AcknowledgeAsk, Field, Verb
from tui.core.fight.encounter import label
from tui.core.fight.viewer import GAME_MASTER, text, viewer_of
from tui.core.language.select import resolve_entry
from tui.core.language.values import spell
from tui.core.rules.complete import complete
from tui.core.rules.on_screen import on_screen
from tui.core.rules.system import Gmless
from tui.core.rules.transfer import write_tables
from tui.core.table_lines import table_lines
from tui.core.views.add_preview import list_unsaid, preview_add
from tui.core.views.lineup import lineup_for, list_rows
from tui.core.views.now_for import now_for
from tui.core.views.offers import offers_for
from tui.store.library.supply import list_names_of
from tui.systems import Registry

REGISTRY = Registry()


def _now(t: Table, viewer: str | None = None) -> list[str]:
    return [t.state(viewer)["now"]]


def _track(t: Table, viewer: str | None = None) -> list[str]:
    return [
        f"{r['entry']} {r.get('face', r['value'])} {r['state']}: {r['why']}" for r in t.state(viewer)["track"]
    ]


def _due(t: Table, viewer: str | None = None) -> list[str]:
    return [f"{d['kind']} {d['who']} {d.get('dice', '')}: {d['why']}" for d in t.state(viewer)["due"]]


def _board(t: Table) -> list[str]:
    return [text(t.encounter, x) for ask in t.due() if isinstance(ask, AcknowledgeAsk) for x in ask.board]


def _choices(t: Table, verb: str, part: str = "") -> list[str]:
    found = (x for x in on_screen(t.store.system).choices(t.encounter, verb) if part in x.line)
    return [" | ".join(filter(None, astuple(x))) for x in found]


def _orders(t: Table, viewer: str | None = None) -> list[str]:
    return [f"{o['who']} {o['state']}: {o.get('text')}" for o in t.state(viewer)["orders"]]


def _outcome(t: Table) -> list[str]:
    return [str(t.state()["outcome"])]


def _offer(t: Table) -> list[str]:
    offer = t.state()["offer"]
    acts = [f"{act['kind']} {act.get('who', '')}".strip() for act in offer.get("acts", [])]
    return [f"{offer['why']}: {', '.join(acts)}"] if offer else ["nobody"]


def _marks(t: Table) -> list[str]:
    return [f"{c['name']}: {', '.join(c['marks'])}" for c in t.state()["combatants"] if c["marks"]]


def _preview(t: Table, name: str, *words: str) -> list[str]:
    given = dict(word.split("=", 1) for word in words)
    found = on_screen(t.store.system).preview(t.encounter, resolve_entry(t.encounter, name), given)
    return [*(f"! {x}" for x in found.errors), *found.warnings, *found.notes, *filter(None, found.hints[:1])]


def _form(t: Table, name: str) -> list[str]:
    fields = on_screen(t.store.system).order_fields(t.encounter, resolve_entry(t.encounter, name))
    return [", ".join(f"{f.key}={f.default}" for f in fields) or "nothing"]


def _fields(t: Table, verb: str) -> list[str]:
    return [
        " | ".join(filter(None, (f"{f.key}={f.default}", f.title, ", ".join(f.choices), f.row)))
        for f in on_screen(t.store.system).form(t.encounter, verb)
    ] or ["nothing"]


def _beside(t: Table, verb: str, *words: str) -> list[str]:
    given = dict(word.split("=", 1) for word in words)
    found = on_screen(t.store.system).beside(t.encounter, verb, given)
    return [f"{key}: {x}" for key, x in found.items()] or ["nothing"]


def _filled(t: Table, verb: str, *words: str) -> list[str]:
    try:
        return list(
            on_screen(t.store.system).lines(t.encounter, verb, dict(word.split("=", 1) for word in words))
        )
    except RuleError as error:
        return ["! " + "; ".join(filter(None, (error.message, error.hint)))]


def _declared(t: Table, name: str = "") -> list[str]:
    """Return the system's fields, house rules and verbs; with a name, the fields of that row's order."""
    system, e = t.store.system, t.encounter
    if name:
        return [_declaration(f) for f in on_screen(system).order_fields(e, resolve_entry(e, name))]
    verbs = [
        " ".join([v.name, *v.takes, *(f"{f.key}=" for f in v.keys), *_flags(v), v.sender]).strip()
        for v in system.verbs
    ]
    return [*map(_declaration, (*system.fields, *system.options)), *verbs]


def _declaration(f: Field) -> str:
    bounds = f" {f.least} to {f.most}" if f.kind in {"int", "ints"} else ""
    return f"{f.key} {f.kind}{bounds}: {spell(f.default)}".rstrip(": ")


def _flags(v: Verb) -> list[str]:
    return [word for word in ("damages", "interrupts") if getattr(v, word)]


def _instead(t: Table, verb: str, *names: str) -> list[str]:
    """Return the line that a verb's key writes if these rows are selected."""
    return [
        on_screen(t.store.system).instead(
            t.encounter, verb, [resolve_entry(t.encounter, name) for name in names]
        )
    ]


def _phase(t: Table) -> list[str]:
    return [t.state()["phase"]]


def _reactions(t: Table) -> list[str]:
    """Return for each creature why it has no reaction, or `ready`."""
    system, e = t.store.system, t.encounter
    return [f"{c.name}: {system.no_reaction(e, c) or 'ready'}" for c in e.combatants.values()]


def _first(t: Table) -> list[str]:
    """Return the forms that come before everything owed, with their fields."""
    system, e = t.store.system, t.encounter
    asks = [
        f"{text(e, a.why)} {', '.join(f.key for f in a.fields)}" for a in on_screen(system).asked_first(e)
    ]
    return asks or ["nothing"]


def _resolvers(t: Table) -> list[str]:
    """Return for each row the players who may carry out its turn, in a fight without a GM."""
    system, e = t.store.system, t.encounter
    assert isinstance(system, Gmless)
    rows = [f"{label(e, x.key)}: {', '.join(system.resolvers(e, x.key))}" for x in system.entries(e)]
    return rows if system.without_gm(e) else ["the game master"]


def _facts(t: Table) -> list[str]:
    """Return the events of the latest step as JSON, without rolls and announcements, which the log shows."""
    events = [e for e in t.ledger.steps[-1].events if not isinstance(e, ev.Rolled | ev.Announced)]
    return [msgspec.json.encode(event).decode() for event in events]


def _sheet(t: Table, name: str, viewer: str | None = None) -> list[str]:
    """Return what the state shows of a creature, on one line without empty values."""
    found: dict[str, Any] = next((c for c in t.state(viewer)["combatants"] if c["name"] == name), {})
    return [shown(found)]


def _state(t: Table, key: str, viewer: str | None = None) -> list[str]:
    found = t.state(viewer)[key]
    rows = found if isinstance(found, list) else [found]
    return [shown(x) if isinstance(x, dict) else str(x) for x in rows] or ["nothing"]


def shown(table: dict[str, Any], empty: str = "nothing") -> str:
    """Return a table of the state on one line without empty values; `empty` if all are."""
    # A single owner is not said twice.
    empties: tuple[Any, ...] = ("", [], {}, None, [table.get("owner")])
    some = {k: v for k, v in table.items() if v not in empties and v is not False}
    return ", ".join(f"{k}: {v}" if k else str(v) for k, v in some.items()) or empty


def _log(t: Table, viewer: str | None = None) -> list[str]:
    """Return a viewer's messages of the latest step, with their kinds."""
    return [f"{m.kind}: {m.text}" for m in t.store.messages(t.store.step, viewer_of(viewer))] or ["nothing"]


def _tab(t: Table, line: str) -> list[str]:
    """Return the completions of a line."""
    return complete(line, t.encounter, t.store.system, stock=partial(list_names_of, t.store)) or ["nothing"]


def _lineup(t: Table) -> list[str]:
    found = lineup_for(t.encounter, t.store.system, GAME_MASTER)
    rows = [
        f"{label(t.encounter, x.entry)} {x.place} {x.state}"
        + "".join(f" {word}" for word in ("owed", "inner", "outer") if getattr(x, word))
        for x in found.rows
    ]
    return [*rows, "numbered" if found.is_numbered else "not numbered"]


def _seat(t: Table, player: str) -> list[str]:
    """Return what a player's page offers, and its Now."""
    viewer, system = viewer_of(player), t.store.system
    offers = offers_for(t.encounter, system, viewer)
    now = now_for(t.encounter, system, viewer)
    return [f"{k}: {v}" for part in (offers, now) for k, v in plain(part).items() if v]


def _rows(t: Table, player: str) -> list[str]:
    """Return the lines of the track on a player's page."""
    return [shown(plain(x)) for x in list_rows(t.encounter, t.store.system, viewer_of(player))]


def _table(t: Table, viewer: str | None = None) -> list[str]:
    """Return what `show` prints."""
    return table_lines(t.store.table(viewer_of(viewer)))


def _said(t: Table, line: str) -> list[str]:
    """Return what an `add` line would do, and which keys it does not have yet."""
    store = t.store
    told = preview_add(line, store.encounter, store.system, store.systems)
    return [told, " ".join(f.key for f in list_unsaid(line, store.system))]


def _file(t: Table, how: str = "") -> list[str]:
    """Return the creatures as tables of a library file; with `full`, as after a long rest."""
    e = t.encounter
    return [
        str(x) for x in write_tables(e.combatants.values(), e, t.store.system, REGISTRY, full=how == "full")
    ]


QUESTIONS: dict[str, Callable[..., list[str]]] = {
    "now": _now, "track": _track, "due": _due, "choices": _choices, "orders": _orders, "outcome": _outcome,
    "offer": _offer, "board": _board, "marks": _marks, "preview": _preview, "form": _form,
    "fields": _fields, "beside": _beside, "filled": _filled,
    "instead": _instead, "phase": _phase, "declared": _declared,
    "facts": _facts, "sheet": _sheet, "state": _state, "log": _log, "tab": _tab,
    "lineup": _lineup, "seat": _seat, "page": _rows, "said": _said, "file": _file,
    "table": _table, "reactions": _reactions, "first": _first, "resolvers": _resolvers,
}  # fmt: skip
