"""Apply events to the encounter: one exhaustive match, which knows no rule of any system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.combatant import (
    AREA,
    BEGUN_MARK,
    DEATH_SAVE_DC,
    DYING,
    HEALED_MARK,
    MISSED_MARK,
    Combatant,
    Condition,
    Dying,
    OwedSave,
    Plain,
    is_pc,
    next_save_number,
    with_counter,
    without_debts,
)
from tui.core.fight.dice import ANY_SOURCE
from tui.core.fight.encounter import DiceRoll, Encounter, Shift, Turn, members


def apply(e: Encounter, event: ev.Event) -> Encounter:
    """Return the encounter after an event; an event about an unknown creature changes nothing."""
    if isinstance(event, ev.PlayEvent):
        return _apply_play(e, event)
    if isinstance(event, ev.CreatureEvent):
        return _apply_creature(e, event)
    return _apply_table(e, event)


# In each match the most frequent kinds of event come first: cases are tried one by one, and reaching the last
# case takes longer than applying the event.


def _apply_play(e: Encounter, event: ev.PlayEvent) -> Encounter:
    match event:
        case ev.TurnBegan(who, people):
            return _begin_turn(e, Turn(who, people))
        case ev.TurnEnded(who, people, taken):
            return _end_turn(e, who, people, was_taken=taken)
        case ev.Passed() | ev.Reacted():
            return e
        case ev.Rolled(ask, who, dice, faces, how, among, _, total):
            return replace(e, rolls={**e.rolls, ask: DiceRoll(who, dice, faces, how, among, total)})
        case ev.Noted(key, value, at):
            return replace(e, notes={**e.notes, key: {**e.notes.get(key, {}), at: value} if at else value})
        case ev.RoundBegan(number):
            return _begin_round(replace(e, decision=()), number)
        case ev.RoundEnded():
            left, gone = (_without_round_marks(people) for people in (e.combatants, e.gone))
            return replace(e, combatants=left, gone=gone)
        case ev.RollsForgotten(prefix):
            return replace(e, rolls={k: r for k, r in e.rolls.items() if not k.startswith(prefix)})
        case ev.Forgot(key, at):
            return replace(e, notes=_forget(e.notes, key, at))
        case ev.Ordered(who, text, sealed, gm):
            others = tuple(key for key in e.sealed if key != who)
            is_sent = sealed and not gm and any(c.owner for c in members(e, who))
            return replace(e, orders={**e.orders, who: text}, sealed=(*others, who) if is_sent else others)
        case ev.OrdersForgotten(who):
            return _forget_orders(e, who)
        case ev.Shifted(who, where, other, by):
            return replace(e, shifts=(*e.shifts, Shift(who, where, other, by)))
        case ev.ShiftsForgotten():
            return replace(e, shifts=())
        case ev.Decided(outcome):
            return replace(e, outcome=outcome)
        case ev.DecisionMarked(edge):
            return replace(e, decision=() if edge == "over" else (*e.decision, replace(e, decision=())))
        case ev.DecisionReversed():
            return undo_decision(e)
        case ev.PhaseEntered(phase):
            return replace(e, phase=phase)
        case ev.AreaLaid(area):
            return replace(e, area=area)
        case ev.AreaOver():
            return replace(e, area=None)
        case ev.FightEnded():
            return _end_fight(e)
        case ev.TurnHandedOn(old, who, people):
            return _hand_on_turn(e, old, Turn(who, people))
        case ev.TurnsMissed(some):
            return _change_each(e, some, lambda c: replace(c, marks={**c.marks, MISSED_MARK: "round"}))
        case ev.TurnPaused():
            return replace(e, turn=None, paused=(*e.paused, e.turn) if e.turn else e.paused)
        case ev.TurnResumed():
            return replace(e, turn=e.paused[-1], paused=e.paused[:-1]) if e.paused else e


def _apply_creature(e: Encounter, event: ev.CreatureEvent) -> Encounter:
    match event:
        # -1 stands for no hit points, because plain data in a journal knows no null.
        case ev.Damaged(who, _, hp, temp):
            return _edit(e, who, temp_hp=temp, **({} if hp < 0 else {"hp": hp}))
        case ev.Healed(who, _, hp):
            return _heal(e, who, hp)
        case ev.Attacked():
            return e
        case ev.Afflicted(who, condition):
            return _afflict(e, who, condition)
        case ev.Ticked(who, name, rounds, origin):
            return _change_conditions(e, who, name, origin, lambda x: _count_down(rounds, x))
        case ev.Marked(some, mark, until):
            return _change_each(e, some, lambda c: replace(c, marks={**c.marks, mark: until}))
        case ev.Unmarked(some, mark):
            return _change_each(e, some, lambda c: _without_marks(c, {mark}))
        case ev.Added(c):
            # Ids are never used twice: outcomes and conditions may still name a creature that was removed.
            serial = max(e.serial, int(c.id[1:]))
            return replace(e, combatants={**e.combatants, c.id: c}, serial=serial)
        case ev.Removed(who):
            return _remove(e, who)
        case ev.Changed(who, "name", value):
            return _change_each(e, (who,), lambda c: replace(c, name=value, former=(*c.former, c.name)))
        case ev.Changed(who, key, value, empty):
            return _edit(e, who, **{key: None if empty else value}, **_origin_of_side(e, event))
        case ev.Carded(some, text):
            return _change_each(e, some, lambda c: replace(c, card=text))
        case ev.Armed(some, attacks):
            return _change_each(e, some, lambda c: replace(c, attacks=attacks))
        case ev.FieldSet(who, key, value, empty):
            return _set_field(e, who, key, value, empty=empty)
        case ev.Bolstered(who, temp):
            return _edit(e, who, temp_hp=temp)
        case ev.Cleared(who, name, _, origin):
            return _change_conditions(e, who, name, origin, lambda _: None)
        case ev.ConditionHid(who, name, hidden):
            return _change_conditions(e, who, name, ANY_SOURCE, lambda x: replace(x, hidden=hidden))
        case ev.DeathSaves(who, good, bad, stable, owes, over):
            dying = None if over else Dying(good, bad, stable, owes)
            return _change_each(e, (who,), lambda c: _with_death_saves(c, dying))
        case ev.SaveOwed(who, save):
            return _change_each(e, (who,), lambda c: replace(c, owes=(*c.owes, save)))
        case ev.SaveSettled(who, number, made):
            return _settle_save(e, who, number, made=made)
        case ev.SaveDropped(who, number):
            return _change_each(e, (who,), lambda c: _without_save(c, number))
        case ev.SavesKept(some):
            return _change_each(e, some, _postpone_debts)
        case ev.EffectOwed(who, effect):
            return _change_each(e, (who,), lambda c: replace(c, effects=(*c.effects, effect)))
        case ev.EffectSettled(who, number):
            return _change_each(
                e, (who,), lambda c: replace(c, effects=tuple(x for x in c.effects if x.number != number))
            )
        case ev.Rested(who):
            return _change_each(e, (who,), lambda c: _give_rest(c, event))
        case ev.Died(who, over):
            return _edit(e, who, dead=not over)
        case ev.Tallied(who, counter):
            return _change_each(e, (who,), lambda c: with_counter(c, counter.name, counter))
        case ev.CounterEnded(who, name):
            return _change_each(e, (who,), lambda c: with_counter(c, name, None))
        case ev.WentOut(who):
            return _change_each(e, (who,), _take_out)
        case ev.CameBack(who):
            return _change_each(e, (who,), _bring_back)
        case ev.Hid(who):
            return _edit(e, who, hidden=True)
        case ev.Revealed(who):
            return _edit(e, who, hidden=False)


def _apply_table(e: Encounter, event: ev.TableEvent) -> Encounter:
    match event:
        case ev.NoteTaken() | ev.DiceThrown() | ev.Announced():
            return e
        case ev.OptionSet(key, value):
            return replace(e, options={**e.options, key: value})
        case ev.SystemChanged(system):
            return replace(_end_fight(e), system=system)


def fold(e: Encounter, events: Iterable[ev.Event]) -> Encounter:
    """Return the encounter after many events."""
    for event in events:
        e = apply(e, event)
    return e


def _remove(e: Encounter, who: str) -> Encounter:
    """Move a creature from the roster to `gone`, hidden for ever if it has not arrived."""
    if who not in e.combatants:
        return e
    stay, c = {k: c for k, c in e.combatants.items() if k != who}, e.combatants[who]
    gone = replace(c, hidden=True) if c.arrives > e.round and not is_pc(c) else c
    return replace(e, combatants=stay, gone={**e.gone, who: gone})


def _edit(e: Encounter, who: str, **changes: Plain) -> Encounter:
    if who not in e.combatants:
        return e
    return replace(e, combatants={**e.combatants, who: replace(e.combatants[who], **changes)})


def _origin_of_side(e: Encounter, event: ev.Changed) -> dict[str, bool]:
    """Return whether the side is a line's from now on; nothing if that stays as it was.

    The side of a creature that got or lost an owner follows its kind, unless a line has named the side.
    """
    if event.key == "side":
        return {"side_given": not event.usual}
    c = e.combatants.get(event.who)
    return {"side_given": False} if event.key == "owner" and c and c.side_given is None else {}


def _take_out(c: Combatant) -> Combatant:
    """Return the creature out of the fight; it owes nothing any more."""
    return replace(without_debts(_without_marks(c, {HEALED_MARK})), out=True)


def _bring_back(c: Combatant) -> Combatant:
    """Return the creature in the fight, and not dead."""
    return replace(_without_marks(c, {HEALED_MARK}), out=False, dead=False)


def _with_death_saves(c: Combatant, dying: Dying | None) -> Combatant:
    """Return the creature with these death saves; if one of them is owed now, it also stands in `owes`."""
    owes = tuple(x for x in c.owes if x.cause != DYING)
    if dying and dying.owes:
        new = OwedSave(next_save_number(c), DYING, DEATH_SAVE_DC)
        owes = c.owes if len(owes) < len(c.owes) else (*owes, new)
    return replace(c, dying=dying, owes=owes)


def _give_rest(c: Combatant, event: ev.Rested) -> Combatant:
    for x in event.counters:
        c = with_counter(c, x.name, x)
    if not event.long:
        return c
    c = replace(_with_death_saves(c, None), temp_hp=0, hp=c.hp if event.hp < 0 else event.hp)
    return _bring_back(c) if event.up else c


def _without_save(c: Combatant, number: int) -> Combatant:
    return replace(c, owes=tuple(x for x in c.owes if x.number != number))


def _begin_turn(e: Encounter, turn: Turn) -> Encounter:
    """Return the encounter with this turn running; a decision is kept only if another turn ran before."""
    begun = replace(e, turn=turn, decision=e.decision if e.turn else ())
    return _change_each(begun, turn.members, lambda c: c if c.shown else replace(c, shown=True))


def _hand_on_turn(e: Encounter, old: str, turn: Turn) -> Encounter:
    """Return the encounter in which a turn of the entry `old`, running or interrupted, is another's."""

    def handed_on(t: Turn) -> Turn:
        # Creatures of two turns may have come into one entry, which then has two turns.
        return turn if t.who == old and set(t.members) & set(turn.members) else t

    after = replace(e, turn=handed_on(e.turn) if e.turn else None, paused=tuple(map(handed_on, e.paused)))
    return _change_each(after, turn.members, lambda c: c if c.shown else replace(c, shown=True))


def _begin_round(e: Encounter, number: int) -> Encounter:
    """Return the encounter in this round; in round 1 no creature counts as having begun a turn."""
    if number != 1 or not any(c.shown for c in e.combatants.values()):
        return replace(e, round=number)
    people = {k: replace(c, shown=False) for k, c in e.combatants.items()}
    return replace(e, round=number, combatants=people)


def _postpone_debts(c: Combatant) -> Combatant:
    """Return the creature with all its owed saves and effects postponed until it acts."""
    owes, effects = (tuple(replace(x, kept=True) for x in some) for some in (c.owes, c.effects))
    return replace(c, owes=owes, effects=effects)


def _settle_save(e: Encounter, who: str, number: int, *, made: bool) -> Encounter:
    """Return the encounter without a save that was made or failed; areas record their saves."""
    c = e.combatants.get(who)
    save = next((x for x in c.owes if x.number == number), None) if c else None
    if c is None or save is None:
        return e
    edited = _change_each(e, (who,), lambda c: _without_save(c, number))
    if save.cause != AREA or e.area is None:
        return edited
    word = "made" if made else "failed"
    return replace(edited, area=replace(e.area, **{word: (*getattr(e.area, word), who)}))


def _heal(e: Encounter, who: str, hp: int) -> Encounter:
    """Set hit points; a creature that is out and regains some gets the mark HEALED_MARK."""

    def healed(c: Combatant) -> Combatant:
        if not hp:
            return replace(c, hp=hp)
        marks = {**c.marks, HEALED_MARK: "fight"} if c.out else c.marks
        return replace(_with_death_saves(c, None), hp=hp, marks=marks)

    return _change_each(e, (who,), healed)


def _change_each(e: Encounter, who: Iterable[str], change: Callable[[Combatant], Combatant]) -> Encounter:
    creatures = {k: change(e.combatants[k]) for k in who if k in e.combatants}
    return replace(e, combatants={**e.combatants, **creatures}) if creatures else e


def _set_field(e: Encounter, who: str, key: str, value: Plain, *, empty: bool) -> Encounter:
    def change(c: Combatant) -> Combatant:
        fields = {k: v for k, v in c.fields.items() if k != key}
        return replace(c, fields=fields if empty else {**c.fields, key: value})

    return _change_each(e, (who,), change)


def _afflict(e: Encounter, who: str, new: Condition) -> Encounter:
    def change(c: Combatant) -> Combatant:
        conditions = tuple(x for x in c.conditions if not x.fits(new.name, new.of))
        return replace(c, conditions=(*conditions, new))

    return _change_each(e, (who,), change)


def _count_down(rounds: int, x: Condition) -> Condition:
    """Return the condition with `rounds` left if it has this number or one more, else unchanged.

    Two conditions of one name may come from two creatures of one name that have both left.
    """
    return replace(x, rounds=rounds, fresh=False) if x.rounds in (rounds, rounds + 1) else x


def _change_conditions(
    e: Encounter, who: str, name: str, origin: str, change: Callable[[Condition], Condition | None]
) -> Encounter:
    """Replace every condition of that name and source by the result of `change`; None removes it."""

    def changed(c: Combatant) -> Combatant:
        conditions = (change(x) if x.fits(name, origin) else x for x in c.conditions)
        return replace(c, conditions=tuple(x for x in conditions if x is not None))

    return _change_each(e, (who,), changed)


def _without_marks(c: Combatant, marks: set[str]) -> Combatant:
    left = {k: v for k, v in c.marks.items() if k not in marks}
    return c if left == c.marks else replace(c, marks=left)


def _end_turn(e: Encounter, who: str, members: tuple[str, ...], *, was_taken: bool) -> Encounter:
    """End the turn of an entry, or the part that these members have in it.

    Members of a turn that was not taken get BEGUN_MARK until the round ends; others get `acted`.
    """

    def over(c: Combatant) -> dict[str, str]:
        if not was_taken:
            return {**c.marks, BEGUN_MARK: "round"}
        return {**{k: v for k, v in c.marks.items() if v != "turn"}, "acted": "round"}

    # A creature whose removal ended the turn has had that turn too: its conditions must not count the turn
    # twice.
    gone = {k: replace(c, marks=over(c)) for k in members if (c := e.gone.get(k))}
    after = _change_each(e, members, lambda c: replace(c, marks=over(c)))
    turn = None if e.turn is None or _is_over(e.turn, who, members) else _turn_without(e.turn, members)
    paused = e.paused
    if turn == e.turn:
        remaining = (None if _is_over(t, who, members) else _turn_without(t, members) for t in paused)
        paused = tuple(t for t in remaining if t)
    return replace(after, turn=turn, paused=paused, gone={**e.gone, **gone} if gone else e.gone)


def _is_over(turn: Turn, who: str, members: tuple[str, ...]) -> bool:
    """Return whether a turn is the one of this entry and these members."""
    return turn.who == who and (not members or not set(members).isdisjoint(turn.members))


def _turn_without(turn: Turn, members: tuple[str, ...]) -> Turn | None:
    """Return a turn without these members; None if no member is left."""
    stay = tuple(k for k in turn.members if k not in members)
    return replace(turn, members=stay) if stay else None


def _without_round_marks(people: dict[str, Combatant]) -> dict[str, Combatant]:
    """Return creatures without the marks that end with the round."""
    return {
        k: _without_marks(c, {m for m, edge in c.marks.items() if edge == "round"}) for k, c in people.items()
    }


def _forget(notes: dict[str, Plain], key: str, at: str) -> dict[str, Plain]:
    if not at:
        return {k: v for k, v in notes.items() if k != key}
    return {**notes, key: {k: v for k, v in notes.get(key, {}).items() if k != at}}


def _forget_orders(e: Encounter, who: tuple[str, ...]) -> Encounter:
    if not who:
        # The orders become those of the last round only when all are cleared, at the end of a round.
        return replace(e, orders={}, past=e.orders, sealed=())
    left = {k: o for k, o in e.orders.items() if k not in who}
    return replace(e, orders=left, sealed=tuple(k for k in e.sealed if k in left))


def _end_fight(e: Encounter) -> Encounter:
    """Return the encounter in setup again.

    Creatures, conditions and counters stay; marks, owed saves, turns, rolls, notes and orders are dropped.
    """
    people = {
        k: replace(without_debts(c), marks={}, arrives=c.arrives if c.arrives > e.round else 0)
        for k, c in e.combatants.items()
    }
    gone = _without_round_marks(e.gone)
    return Encounter(e.system, e.options, people, e.serial, gone=gone)


_NOTHING = object()


def undo_decision(e: Encounter) -> Encounter:
    """Return the encounter with its latest decision undone, except for values that have changed since."""
    parts = [e.decision[i : i + 2] for i in range(0, len(e.decision) - 1, 2)]
    for before, after in reversed(parts):
        e = _restore_values(e, before, after)
    return replace(e, decision=())


def _restore_values(e: Encounter, before: Encounter, after: Encounter) -> Encounter:
    """Return the encounter with the values of `before` wherever the present value equals that of `after`."""
    people = dict(e.combatants)
    for k in people.keys() & before.combatants.keys() & after.combatants.keys():
        people[k] = _restore_creature(people[k], before.combatants[k], after.combatants[k])
    return replace(
        e,
        phase=_restore_value(e.phase, before.phase, after.phase),
        turn=_restore_value(e.turn, before.turn, after.turn),
        paused=_restore_value(e.paused, before.paused, after.paused),
        outcome=_restore_value(e.outcome, before.outcome, after.outcome),
        notes=_restore_table(e.notes, before.notes, after.notes),
        combatants=people,
    )


def _restore_creature(now: Combatant, before: Combatant, after: Combatant) -> Combatant:
    marks = _restore_table(now.marks, before.marks, after.marks)
    fields = _restore_table(now.fields, before.fields, after.fields)
    return now if (marks, fields) == (now.marks, now.fields) else replace(now, marks=marks, fields=fields)


def _restore_table(
    now: Mapping[str, Plain], before: Mapping[str, Plain], after: Mapping[str, Plain]
) -> dict[str, Plain]:
    keys = dict.fromkeys([*now, *before])
    values = {k: _restore_value(*(x.get(k, _NOTHING) for x in (now, before, after))) for k in keys}
    return {k: v for k, v in values.items() if v is not _NOTHING}


def _restore_value(now: Plain, before: Plain, after: Plain) -> Plain:
    """Return `before` if `now` equals `after`, else `now`; dicts are compared value by value."""
    if now == after:
        return before
    if isinstance(now, dict) and isinstance(after, dict):
        return _restore_table(now, before if isinstance(before, dict) else {}, after)
    return now
