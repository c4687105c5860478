"""Declarations of the Dynamic Initiative System: who owes one, what it may say, what enemies mean to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, Field, FormAsk, OrderRow, PickAsk, Sentence, literal, say
from tui.core.fight.encounter import Encounter, key_of, members, unacted
from tui.core.fight.errors import RuleError
from tui.core.language.values import whole
from tui.core.rules.draft import Draft, living
from tui.core.rules.system import names
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.open import is_open, reopen
from tui.systems.dynamic.text import DECLARATION
from tui.systems.shared.numbering import number

if TYPE_CHECKING:
    from tui.systems.dynamic.track import DynamicTrack

INTENT = (Field("intent", "intent", "text"), Field("spell", "spell level", "ints", least=0, most=9))
"""What may be said of an enemy."""


def forms(s: DynamicTrack, e: Encounter) -> tuple[Ask, ...]:
    """A declaration of every players' character that owes one; last round's stands in the form."""
    if not is_open(s, e):
        return ()
    owing = [x.key for x in s.takers(e) if s.declares(e, x.key) and x.key not in e.orders]
    return tuple(FormAsk(f"declare {k}", k, tuple(_fields(e, k)), _why(k)) for k in owing)


def rewritable(s: DynamicTrack, e: Encounter, key: str) -> tuple[Field, ...]:
    """A declaration, or what an enemy means to do, as long as no die of the round has fallen (DIS-4)."""
    if key not in e.orders or not is_open(s, e):
        return ()
    return DECLARATION if s.declares(e, key) else INTENT


def _fields(e: Encounter, key: str) -> Iterator[Field]:
    last = e.past.get(key, {})
    return (replace(f, default=last.get(f.key, "")) for f in DECLARATION)


def _why(key: str) -> Sentence:
    return say("{0} declares: weapon, spell, action, move", key, rule="DIS-4")


def picks(s: DynamicTrack, e: Encounter) -> tuple[Ask, ...]:
    """Which die an effect changes, where the house rule leaves it to the player (DIS-A11)."""
    if s.option(e, "dis.resize") != "ask" or not is_open(s, e):
        return ()
    found = []
    for x in s.takers(e):
        choice = s.resizing(e, x)[1]
        if choice and number(s, e, x) is None:
            made = len(s.track_notes(e).resize.get(x.key, []))
            why = say("{0}: which die changes its size?", x.key, rule="DIS-29")
            found.append(PickAsk(f"resize{made} {x.key}", x.key, tuple(f"d{n}" for n in choice), why))
    return tuple(found)


def declare(s: DynamicTrack, d: Draft, key: str, text: Mapping[str, str]) -> None:
    """A declaration, or another one instead."""
    if not is_open(s, d.encounter):
        hint = "`switch` in its own turn"
        raise RuleError(
            f"the dice of the round have fallen: {names(d.encounter, [key])} cannot declare", hint, "DIS-4"
        )
    clean = pools.write(pools.read(text))
    if words := text.get("intent"):
        clean["intent"] = words
    n = s.track_notes(d.encounter)
    d.emit(ev.Ordered(key, clean, sealed=True))
    if key in n.resize:
        d.emit(ev.Forgot("resize", key))
    reopen(d)


def intend(d: Draft, key: str, text: Mapping[str, str]) -> None:
    """What an enemy is about to do, and whether it casts. It rolls by its size whatever it says."""
    name = names(d.encounter, [key])
    if strange := next((k for k in text if k not in ("intent", "spell")), ""):
        hint = f'`order "{name}" intent="…"`, with spell=N for a caster'
        raise RuleError(f"{name} rolls by size and declares no {strange}", hint, "DIS-18")
    if not unacted(living(d.encounter, key)):
        raise RuleError(f"{name} has no turn left in this round", "the next round asks again", "DIS-3")
    spells = [str(whole(p, "spell=", 0, 9)) for p in text.get("spell", "").split(",") if p.strip()]
    words = text.get("intent", "")
    clean = {k: v for k, v in (("intent", words), ("spell", ",".join(spells))) if v}
    if not clean:
        if key in d.encounter.orders:
            d.emit(ev.OrdersForgotten((key,)))
        return
    d.emit(ev.Ordered(key, clean, sealed=bool(spells)))
    if spells and words:
        d.announce("{0}: " + literal(words), key, rule="DIS-3")


def casts(s: DynamicTrack, e: Encounter, who: str) -> bool:
    """Whether a creature wants to cast a spell in this round."""
    return "spell" in s.declared(e, who)


def order_rows(s: DynamicTrack, e: Encounter) -> tuple[OrderRow, ...]:
    """A line for each players' character, and for each enemy of whom something is said."""
    keys = dict.fromkeys(k for c in e.combatants.values() for k in (key_of(c), c.id))
    owing = {ask.who for ask in forms(s, e)}
    found = [OrderRow(k, "owed") if k in owing else _order_row(s, e, k) for k in keys]
    return tuple(row for row in found if row is not None)


def _order_row(s: DynamicTrack, e: Encounter, key: str) -> OrderRow | None:
    n = s.track_notes(e)
    people = members(e, key)
    if key not in e.orders:
        return None
    if e.turn and any(c.id in e.turn.members for c in people):
        state = "now"
    elif not unacted(people):
        state = "done"
    elif all(c.out for c in people):
        state = "void"
    else:
        state = "written" if is_open(s, e) else "locked"
    seen = state in ("now", "done") or key in n.later
    public = () if s.declares(e, key) else ("intent",)
    return OrderRow(key, state, dict(e.orders.get(key, {})), (), seen, public)
