"""Take declarations and intents, and the saves of disrupted casters (DIS-3, DIS-4, DIS-17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, Field, FormAsk, OrderRow, OrderState, PickAsk, say
from tui.core.fight.combatant import Combatant, OwedSave, next_save_number
from tui.core.fight.encounter import Encounter, key_of, label, members, unacted
from tui.core.fight.viewer import fill_names
from tui.core.language.select import labels
from tui.core.language.tokens import quote
from tui.core.language.values import read_int
from tui.core.rules.draft import Draft, is_helpless, members_in_play
from tui.core.rules.saving_throws import drop_saves
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.pool import Deed
from tui.systems.dynamic.rows import (
    deeds_of,
    entries_with_roll,
    entries_without_number,
    is_before_dice,
    is_declaring,
    resized_pool,
    rows,
)
from tui.systems.dynamic.text import CASTING, DECLARATION, INTENT, dis_rule, dynamic_notes

DISRUPTION = "disruption"
"""The cause of a disrupted caster's saves."""
SAVE = 10
"""The total that makes the Constitution save (DIS-17)."""
_SAVE_REASON = f"{{0}}, hurt before casting, saves with d20 + Constitution against {SAVE}"


def has_spell(deeds: Iterable[Deed]) -> bool:
    """Return whether one of these actions is a spell of level 1 or more."""
    # A cantrip is a spell of level 0, and cannot be disrupted.
    return any(x.kind == "spell" and x.flat > 0 for x in deeds)


def owe_disruption(d: Draft, who: str) -> None:
    """Let a damaged caster owe a save; note any other creature as hurt, in case it casts later."""
    e = d.encounter
    running = e.turn is not None and who in e.turn.members
    if dis_rule(e, "disruption") == "off" or not _may_save(e.combatants[who]):
        return
    if has_spell(deeds_of(e, who)) and not running:
        _owe_save(d, who)
    # The damage is remembered, because the creature may still declare or switch to a spell before its turn.
    elif who not in dynamic_notes(e).hurt:
        d.emit(ev.Noted("hurt", [*dynamic_notes(e).hurt, who]))


def update_saves(d: Draft, key: str) -> None:
    """Update saves after a new declaration.

    A spell after damage owes one; without a spell all are dropped.
    """
    if dis_rule(d.encounter, "disruption") == "off":
        return
    casting = has_spell(deeds_of(d.encounter, key))
    for c in members(d.encounter, key):
        n = dynamic_notes(d.encounter)
        saves_owed, done = n.saves.get(c.id, (0, 0))
        if casting and c.id in n.hurt and _may_save(c):
            _owe_save(d, c.id)
            d.emit(ev.Noted("hurt", [k for k in n.hurt if k != c.id]))
        elif not casting and saves_owed > done:
            d.emit(ev.Noted("saves", [done, done], c.id), ev.Noted("hurt", [*n.hurt, c.id]))
            drop_saves(d, c.id, DISRUPTION)


def _owe_save(d: Draft, who: str) -> None:
    """Let a caster owe a save; by house rule only the first of the round."""
    saves_owed, done = dynamic_notes(d.encounter).saves.get(who, (0, 0))
    if dis_rule(d.encounter, "disruption") == "each_hit" or not saves_owed:
        number = next_save_number(d.encounter.combatants[who])
        save = OwedSave(number, DISRUPTION, SAVE, "con", why=_SAVE_REASON, rule="DIS-17")
        d.emit(ev.Noted("saves", [saves_owed + 1, done], who), ev.SaveOwed(who, save))
        d.announce("{0} owes the disruption save", who, rule="DIS-17")


def _may_save(c: Combatant) -> bool:
    """Return whether a creature still has a turn in this round and a spell to lose."""
    return not c.out and not {"acted", "barred", "cantrips"}.intersection(c.marks)


def settle_disruption(d: Draft, who: str, *, made: bool) -> None:
    """Record a save; a failed one leaves only cantrips and drops further saves."""
    saves_owed, done = dynamic_notes(d.encounter).saves.get(who, (0, 0))
    d.emit(ev.Noted("saves", [max(saves_owed, done + 1), done + 1], who))
    text = "makes the save: the spell is cast" if made else "fails the save: the spell is lost"
    d.announce(f"{{0}} {text}", who, rule="DIS-17")
    if not made:
        d.mark((who,), "cantrips", "round")
        drop_saves(d, who, DISRUPTION)


def without_lost_spells(e: Encounter, key: str, text: Mapping[str, str]) -> Mapping[str, str]:
    """Return a declaration; if all of its creatures have lost the spell, with cantrips alone (DIS-17)."""
    people = members(e, key)
    if "spell" not in text or not people or any("cantrips" not in c.marks for c in people):
        return text
    left = ",".join(level for level in text["spell"].split(",") if int(level) == 0)
    return {
        part: left if part == "spell" else words for part, words in text.items() if left or part != "spell"
    }


def is_owed(e: Encounter, who: str) -> bool:
    """Return whether the house rule requires saves and the creature still has a spell to lose."""
    return dis_rule(e, "disruption") != "off" and _may_save(e.combatants[who])


def check_able(e: Encounter, key: str, deeds: Iterable[Deed], line: str) -> None:
    """Raise RuleError for a spell of a creature that has lost it; `line` is the verb for the hint."""
    ids = [c.id for c in members(e, key) if "cantrips" in c.marks]
    if ids and has_spell(deeds):
        hint = f"`{line} {quote(label(e, key))} spell=0`"
        raise RuleError(f"{labels(e, ids)} has lost the spell and may cast cantrips only", hint, "DIS-17")


def declaration_forms(e: Encounter) -> tuple[FormAsk, ...]:
    """Return the form that each player's character owes, filled with last round's declaration."""
    if not is_before_dice(e):
        return ()
    forms = list[FormAsk]()
    for k in (x.key for x in entries_with_roll(e)):
        if k not in e.orders and is_declaring(e, k) and not is_helpless(e, k):
            last = e.past.get(k, {})
            fields = tuple(replace(f, default=last.get(f.key, "")) for f in DECLARATION)
            forms.append(FormAsk(f"declare {k}", k, fields, say("{0} owes a declaration", k, rule="DIS-4")))
    return tuple(forms)


def form_of(e: Encounter, key: str) -> tuple[Field, ...]:
    """Return the form for rewriting a declaration or an enemy's intent, or ()."""
    if is_declaring(e, key):
        return DECLARATION if key in e.orders and is_before_dice(e) else ()
    if not unacted(members_in_play(e, key)):
        return ()
    # The question about spells is asked only where it matters, or where it is already answered.
    caster = dis_rule(e, "disruption") != "off" or "spell" in e.orders.get(key, {})
    return (INTENT, CASTING) if caster else (INTENT,)


def die_choices(e: Encounter) -> tuple[Ask, ...]:
    """Return the asks for the die that an effect changes, if players choose (DIS-29)."""
    if dis_rule(e, "resize") != "ask" or not is_before_dice(e):
        return ()
    asks = []
    for x in entries_without_number(e):
        if choice := resized_pool(e, x)[1]:
            made = len(dynamic_notes(e).resize.get(x.key, []))
            reason = say("{0}: which die changes its size?", x.key, rule="DIS-29")
            asks.append(PickAsk(f"resize{made} {x.key}", x.key, tuple(f"d{n}" for n in choice), reason))
    return tuple(asks)


def write_declaration(d: Draft, key: str, text: Mapping[str, str]) -> None:
    """Write or replace a declaration before the first die. Raises RuleError."""
    if not is_before_dice(d.encounter):
        name = label(d.encounter, key)
        hint = "a switch in its own turn changes it"
        raise RuleError(f"the dice of the round are rolled: {name} cannot declare", hint, "DIS-4")
    deeds = pools.read_deeds(text)
    check_able(d.encounter, key, deeds, "order")
    words = {"intent": text["intent"]} if text.get("intent") else {}
    d.emit(ev.Ordered(key, pools.write_deeds(deeds) | words))
    # The dice chosen for effects were those of the old declaration.
    if key in dynamic_notes(d.encounter).resize:
        d.emit(ev.Forgot("resize", key))
    update_saves(d, key)


def _no_turn_error(e: Encounter, key: str, rule: str) -> RuleError:
    reason = fill_names(e, "{0} has no turn left in this round", key)
    return RuleError(reason, "order it again in the next round", rule)


def write_intent(d: Draft, key: str, text: Mapping[str, str]) -> None:
    """Write an enemy's intent, and the level of its spell if it casts. Raises RuleError."""
    e = d.encounter
    name = label(e, key)
    if not unacted(members_in_play(e, key)):
        raise _no_turn_error(e, key, "DIS-3")
    if strange := next((k for k in text if k not in ("intent", "spell")), ""):
        hint = f'`order {quote(name)} intent="charges"`; `spell=1` marks a caster'
        raise RuleError(fill_names(e, f"{{0}} rolls by size: {strange} is not declared", key), hint, "DIS-18")
    spells = ",".join(str(read_int(p, "spell=", 0, 9)) for p in text.get("spell", "").split(",") if p.strip())
    clean = {k: v for k, v in (("intent", text.get("intent", "")), ("spell", spells)) if v}
    check_able(e, key, pools.read_deeds(clean), "order")
    if clean:
        d.emit(ev.Ordered(key, clean))
    elif key in e.orders:
        d.emit(ev.OrdersForgotten((key,)))
    update_saves(d, key)


def declaration_rows(e: Encounter) -> tuple[OrderRow, ...]:
    """Return a row for each player's character and each enemy with an intent; all are open."""
    # A member of a group does what the group does, unless it has a row of its own in this round.
    alone = {x.key for x in rows(e)}
    keys = dict.fromkeys(
        k for c in e.combatants.values() for k in (key_of(c), c.id) if k == key_of(c) or k in alone
    )
    keys_due = {ask.who for ask in declaration_forms(e)}
    return tuple(
        OrderRow(k, "owed")
        if k in keys_due
        else OrderRow(k, _declaration_state(e, k), dict(e.orders[k]), open=True, flags=("move",))
        for k in keys
        if k in keys_due or k in e.orders
    )


def _declaration_state(e: Encounter, key: str) -> OrderState:
    people = members(e, key)
    if is_helpless(e, key):
        return "void"
    if e.turn and any(c.id in e.turn.members for c in people):
        return "now"
    in_play = [c for c in people if not c.out]
    # Creatures of a group that are out have no turn to wait for.
    if not unacted(in_play or people):
        return "done"
    if not in_play:
        return "void"
    return "written" if is_before_dice(e) else "locked"
