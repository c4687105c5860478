"""Run the actions of play: choices, orders, turns and rounds."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.base.errors import RuleError
from tui.core.base.text import names_beginning, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import NOTHING, WITHHELD, AcknowledgeAsk, Act, EffectAsk, PickAsk, RollAsk
from tui.core.fight.combatant import CONCENTRATION, Condition
from tui.core.fight.encounter import SIDE, Encounter, has_arrived, key_of, label, side_of, to_act
from tui.core.fight.viewer import fill_names, text
from tui.core.language import actions as a
from tui.core.language import creature_actions as ca
from tui.core.language import values
from tui.core.language.select import (
    groups,
    is_pattern,
    labels,
    list_names,
    match_name,
    resolve,
    resolve_entry,
    resolve_living,
    resolve_side,
    split_names,
)
from tui.core.rules import saving
from tui.core.rules.draft import Draft, fallen_state, refuse_early
from tui.core.rules.health import players_sides, run_rest
from tui.core.rules.now import acts_to_choose, advance, describe_blockers, describe_choice, suggest_line
from tui.core.rules.numbers import Roller
from tui.core.rules.optional import require_orders
from tui.core.rules.rolling import answer_effects, roll_all, roll_who, take_totals, tick_saves
from tui.core.rules.system import InitiativeSystem, end_turn, offer_of
from tui.core.rules.upkeep import all_owed, upkeep_debts


def run_play_action(d: Draft, system: InitiativeSystem, action: a.PlayAction, roller: Roller) -> None:
    """Run an action of play. Raises RuleError."""
    if isinstance(action, a.Begin):
        _begin(d, system)
        return
    # Saves are owed outside a fight too.
    if not (isinstance(action, a.Roll | a.Total | a.Made | a.Failed) and all_owed(d.encounter, system)):
        check_running(d.encounter)
    if isinstance(action, a.Next | a.TakeTurn | a.Pass | a.End | a.Done | a.Hold | a.ActNow):
        saving.check_no_area(d, system)
    match action:
        case a.Finish():
            _finish(d, system, action)
        case a.Roll(who="", faces=()):
            roll_all(d, system, roller)
        case a.Roll():
            roll_who(d, system, action, roller)
        case a.Total():
            take_totals(d, system, action)
        case a.Made() | a.Failed():
            tick_saves(d, system, action)
        case a.Apply() | a.Skip():
            answer_effects(d, system, action, roller)
        case a.Pick():
            answer_choice(d, system, action)
        case a.Ok():
            acknowledge(d, system)
        case a.Next(times):
            run_next(d, system, times)
        case a.TakeTurn(who):
            take_turn(d, system, who)
        case a.Pass():
            pass_turn(d, system)
        case a.End():
            run_end(d, system)
        case a.Done(side):
            run_done(d, system, side)
        case a.Order() | a.Lock() | a.Unlock() | a.Hold() | a.ActNow() | a.Move() | a.React():
            _run_special(d, system, action)


def _run_special(
    d: Draft,
    system: InitiativeSystem,
    action: a.Order | a.Lock | a.Unlock | a.Hold | a.ActNow | a.Move | a.React,
) -> None:
    """Run an action that only some systems have. Raises RuleError."""
    e = d.encounter
    match action:
        case a.Order(who, keys):
            orders = require_orders(system)
            for key in dict.fromkeys(key_of(e.combatants[k]) for k in resolve(e, who)):
                orders.order(d, key, keys)
        case a.Lock(missing):
            if mine := upkeep_debts(e, system) if system.upkeep_edges == "round" else ():
                raise RuleError("lock has to wait", describe_blockers(e, mine))
            require_orders(system).lock(d, missing=bool(missing))
        case a.Unlock():
            require_orders(system).unlock(d)
        case a.Hold(who):
            key = resolve_entry(e, who, system.entries(e))
            acting = e.turn.members if e.turn and e.acting == key else ()
            system.hold(d, key)
            # A roll that the acting creature owes waits until that creature acts again.
            if keeping := tuple(k for k in acting if (c := e.combatants.get(k)) and (c.owes or c.effects)):
                d.emit(ev.SavesKept(keeping))
        case a.ActNow(who):
            system.act(d, resolve_entry(e, who, system.entries(e)))
        case a.Move(who, where, other):
            rows = system.entries(e)
            system.move(d, resolve_entry(e, who, rows), where, resolve_entry(e, other, rows))
        case a.React(who, words):
            creature = e.combatants[resolve_living(e, who)]
            if not has_arrived(e, creature):
                raise refuse_early(creature)
            if creature.dying:
                state = fallen_state(e, creature.id)
                raise RuleError(f"{creature.name} has no reaction: it is {state}", "`heal` brings it back")
            system.react(d, creature.id, values.read_text(words, "the reaction"))


def check_running(e: Encounter) -> None:
    """Raise RuleError unless the fight has begun."""
    if not e.running:
        hint = "`begin` starts it" if e.combatants else "`add 5 Orc` first"
        raise RuleError("the fight has not begun", hint)


def _begin(d: Draft, system: InitiativeSystem) -> None:
    if d.encounter.running:
        raise RuleError("the fight is already running", "`finish` ends it")
    if not d.encounter.combatants:
        raise RuleError("nobody is here to fight", "`add 5 Orc`")
    saving.check_no_area(d, system)
    if due := all_owed(d.encounter, system):
        raise RuleError("begin has to wait", describe_blockers(d.encounter, due))
    system.begin(d)


def _finish(d: Draft, system: InitiativeSystem, action: a.Finish) -> None:
    """End the fight and what cannot outlast it; then the foes go, and the players' sides rest."""
    saving.drop_area(d)
    people, ours = d.encounter.combatants, {c.id for c in players_sides(d.encounter)}
    if action.foes == "go" and not ours:
        raise RuleError("there is no player's character: everybody would go", "`finish` keeps them")
    foes = [k for k in people if k not in ours] if action.foes == "go" else []
    rests = action.rest in ("short", "long")
    for c in people.values():
        over = [x for x in c.conditions if c.id not in foes and _ends_with_fight(x, foes, rests=rests)]
        d.emit(*(ev.Cleared(c.id, x.name, over=True, of=x.of) for x in over))
    d.emit(ev.FightEnded(), *(ev.Removed(k) for k in foes))
    if rests:
        run_rest(d, system, ca.Rest(action.rest))


def _ends_with_fight(x: Condition, foes: Sequence[str], *, rests: bool) -> bool:
    """Return whether a condition has an end, comes from one of the foes, or cannot last through a rest."""
    if rests and (x.conc or x.at or x.name.lower() == CONCENTRATION):
        return True
    return bool(x.until or x.dc) or x.of in foes


# --- choices and acknowledgement


def answer_choice(d: Draft, system: InitiativeSystem, action: a.Pick) -> None:
    """Answer the first due choice. Raises RuleError."""
    e = d.encounter
    ask = next((x for x in all_owed(e, system) if isinstance(x, PickAsk)), None)
    if ask is None:
        raise RuleError("no choice is due", suggest_line(e, system), kind="not_due")
    names = [label(e, k) for k in ask.names]
    keys = tuple(dict.fromkeys(k for part in action.names for k in _chosen_keys(e, ask, names, part)))
    if not ask.least <= len(keys) <= ask.most:
        raise RuleError(f"pick takes {ask.bounds} of {list_names(names)}, not {len(keys)}")
    system.answer(d, ask, keys)


def _chosen_keys(e: Encounter, ask: PickAsk, names: list[str], part: str) -> list[str]:
    """Return the keys of an ask that a word means. Raises RuleError."""
    pieces = [part] if part.lower() in {n.lower() for n in names} else split_names(part)
    return [k for piece in pieces for k in _keys_of_name(e, ask, names, piece)]


def _keys_of_name(e: Encounter, ask: PickAsk, names: list[str], piece: str) -> list[str]:
    """Return the keys of an ask that one name means; a group or pattern means its members.

    Raises RuleError.
    """
    if not names_beginning(piece, names) and (
        piece.startswith(SIDE) or is_pattern(piece) or names_beginning(piece, groups(e))
    ):
        inside = [k for k in resolve(e, piece) if k in ask.names]
        if not inside:
            raise RuleError(f"{piece} is not among {list_names(names)}")
        return inside
    return [ask.names[names.index(match_name(piece, names, "choice"))]]


def acknowledge(d: Draft, system: InitiativeSystem) -> None:
    """Run `ok`: answer the first page that must be read. Raises RuleError if there is none."""
    asks = [x for x in all_owed(d.encounter, system) if isinstance(x, AcknowledgeAsk)]
    if not asks:
        line = suggest_line(d.encounter, system)
        raise RuleError("nothing is waiting to be acknowledged", line, kind="not_due")
    system.answer(d, asks[0], ())


# --- turns


def run_next(d: Draft, system: InitiativeSystem, times: int = 1) -> None:
    """Run `next` a number of times; stop at the first thing that is due or to be chosen. Raises RuleError."""
    for done in range(times):
        waits = _what_waits(d.encounter, system)
        if waits and not done:
            raise RuleError("next has to wait", waits)
        # A roll came up on the way: the steps already taken stay in force, and the rest is not forced.
        if done and (waits or all_owed(d.encounter, system)):
            d.notices.append(f"stopped after {done} of {times}: {waits or suggest_line(d.encounter, system)}")
            return
        advance(d, system)


def _what_waits(e: Encounter, system: InitiativeSystem, *, upkeep_only: bool = False) -> str:
    """Return a hint on what must be answered before `next`; "" if nothing must.

    In a turn, only its own dice and effects must be answered; between turns all asks, and a choice.
    """
    due = upkeep_debts(e, system) if upkeep_only else all_owed(e, system)
    if e.turn:
        # Inside a turn only the actor's own rolls and effects block it; others may answer when it is over.
        rollers = (e.turn.who, *e.turn.members)
        own = [x for x in due if isinstance(x, RollAsk | EffectAsk) and x.who in rollers]
        return describe_blockers(e, own) if own else ""
    return suggest_line(e, system) if due or len(acts_to_choose(e, offer_of(e, system))) != 1 else ""


def take_turn(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Run `turn WHO`: end the running turn, then begin an offered one. Raises RuleError."""
    if waits := _what_waits(d.encounter, system) if d.encounter.turn else "":
        raise _wait_error(d.encounter, system, who, waits)
    end_turn(d, system)
    # When a turn that interrupted another one ends, the other resumes: either it is the requested turn, or it
    # ends too.
    while resumed := d.encounter.turn:
        own = set(resolve(d.encounter, who)) <= set(resumed.members)
        if own or resolve_entry(d.encounter, who) == resumed.who:
            return
        end_turn(d, system)
    # Saves of the turn before may stay due; any other answer that the system asks for comes first.
    if d.encounter.running and system.due(d.encounter):
        raise _wait_error(d.encounter, system, who, suggest_line(d.encounter, system))
    offer = offer_of(d.encounter, system)
    act = _find_act(d.encounter, system, [x for x in offer.acts if x.kind == "turn"], who)
    if act is None:
        raise _no_turn_error(d.encounter, system, who)
    system.took(d, act)


def _wait_error(e: Encounter, system: InitiativeSystem, who: str, waits: str) -> RuleError:
    """Return the refusal of a creature that must wait for something due."""
    return RuleError(fill_names(e, "{0} has to wait", _named_key(e, system, who)), waits)


def _named_key(e: Encounter, system: InitiativeSystem, who: str) -> str:
    """Return the key of the creature or row that a word means. Raises RuleError."""
    people = resolve(e, who)
    # A group is called by its name even where rows are sides.
    keys = people if len(people) == 1 else {key_of(e.combatants[k]) for k in people}
    return next(iter(keys)) if len(keys) == 1 else resolve_entry(e, who, system.entries(e))


def _no_turn_error(e: Encounter, system: InitiativeSystem, who: str) -> RuleError:
    """Return the refusal for a creature that cannot act now, with the names that can."""
    key, people = _named_key(e, system, who), [e.combatants[k] for k in resolve(e, who)]
    offer = offer_of(e, system)
    choice = describe_choice(e, offer)
    if all(c.out for c in people):
        return RuleError(fill_names(e, "{0} is out", key), f"`back {quote(label(e, key))}`")
    if all("acted" in c.marks for c in people if not c.out):
        return RuleError(fill_names(e, "{0} has had a turn this round", key), choice, system.once_rule)
    return RuleError(f"{label(e, key)} cannot act now", choice, offer.rule or offer.why.rule)


def _find_act(e: Encounter, system: InitiativeSystem, acts: Sequence[Act], who: str) -> Act | None:
    """Return the act of a creature, else that of its row; None if neither is offered."""
    keys = {x.who: x for x in acts}
    creatures = resolve(e, who)
    if len(creatures) == 1 and creatures[0] in keys:
        return keys[creatures[0]]
    return keys.get(resolve_entry(e, who, system.entries(e)))


def pass_turn(d: Draft, system: InitiativeSystem) -> None:
    """Run `pass`. Raises RuleError if no pass is offered."""
    if d.encounter.turn:
        waits = _what_waits(d.encounter, system, upkeep_only=True)
        busy = fill_names(d.encounter, "{0} is acting", d.encounter.acting)
        raise RuleError(busy, waits or "`end` ends the turn")
    offer = NOTHING if all_owed(d.encounter, system) else offer_of(d.encounter, system)
    acts = [x for x in offer.acts if x.kind == "pass"]
    if not acts:
        reason = text(d.encounter, offer.why.because).removeprefix(f"{WITHHELD}: ")
        message = f"nobody can pass: {reason}" if reason else "nobody can pass now"
        raise RuleError(message, suggest_line(d.encounter, system), offer.why.rule)
    system.took(d, acts[0])


def may_end(e: Encounter, system: InitiativeSystem) -> bool:
    """Return whether the running turn can end: nothing that its members owe holds it up."""
    return e.turn is not None and e.area is None and not _what_waits(e, system, upkeep_only=True)


def _check_may_end(e: Encounter, system: InitiativeSystem) -> None:
    """Raise RuleError while members of the running turn owe something."""
    if waits := _what_waits(e, system, upkeep_only=True):
        raise RuleError("the turn cannot end yet", waits)


def run_end(d: Draft, system: InitiativeSystem) -> None:
    """Run `end`: end the running turn, or the side's, and start nothing. Raises RuleError."""
    if d.encounter.turn:
        _check_may_end(d.encounter, system)
        end_turn(d, system)
    else:
        system.end_side(d)


def run_done(d: Draft, system: InitiativeSystem, name: str) -> None:
    """Run `done`: give all of a side who have not acted their turns, up to the first thing that is owed.

    Raises RuleError.
    """
    e = d.encounter
    side = system.turn_side(e) if system.side_acts_whole(e) else ""
    if not side:
        raise RuleError("no side has a turn now", suggest_line(e, system))
    side = resolve_side(e, name) if name else side
    if e.turn and side_of(e, e.acting) == side:
        _check_may_end(e, system)
        _end_part(d, system)
    elif e.turn or all_owed(e, system) or not _turns_of_side(d, system, side):
        raise RuleError(f"no creature of {side} can act now", suggest_line(e, system))
    # Each act marks a creature, so that there are no more acts than creatures.
    for _ in d.encounter.combatants:
        acts = () if _is_held_up(d, system) else _turns_of_side(d, system, side)
        if not acts:
            break
        system.took(d, acts[0])
        system.settle(d)
        if d.encounter.turn and not all_owed(d.encounter, system):
            _end_part(d, system)
    e = d.encounter
    busy = e.busy
    ready = to_act(c for c in system.in_play(e) if c.side == side and c.id not in busy)
    if ready and _is_held_up(d, system):
        keys = dict.fromkeys(key_of(c) for c in ready)
        d.notices.append(f"{labels(e, keys)} still to act: {suggest_line(e, system)}")


def _end_part(d: Draft, system: InitiativeSystem) -> None:
    end_turn(d, system)
    system.settle(d)


def _is_held_up(d: Draft, system: InitiativeSystem) -> bool:
    return d.encounter.turn is not None or bool(all_owed(d.encounter, system))


def _turns_of_side(d: Draft, system: InitiativeSystem, side: str) -> list[Act]:
    """Return the offered turns of a side."""
    e = d.encounter
    return [x for x in offer_of(e, system).acts if x.kind == "turn" and side_of(e, x.who) == side]
