"""Decide the actions of play: choices, orders, turns and rounds, by asking the system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import fitting, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import AcknowledgeAsk, Act, EffectAsk, PickAsk, RollAsk
from tui.core.fight.encounter import SIDE, Encounter, Turn, arrived, key_of, label
from tui.core.fight.viewer import text, worded
from tui.core.language import values
from tui.core.language.actions import (
    ActNow,
    Apply,
    Begin,
    End,
    Failed,
    Finish,
    Hold,
    Lock,
    Made,
    Move,
    Next,
    Ok,
    Order,
    Pass,
    Pick,
    PlayAction,
    React,
    Roll,
    Skip,
    TakeTurn,
    Total,
    Unlock,
)
from tui.core.language.select import (
    entry,
    groups,
    is_pattern,
    match,
    one,
    resolve,
    several,
    split,
)
from tui.core.rules import applying, saving
from tui.core.rules.draft import Draft, fallen_state
from tui.core.rules.now import acts_to_choose, advance, blockers, chosen, suggestion
from tui.core.rules.numbers import Roller
from tui.core.rules.optional import writing
from tui.core.rules.rolling import roll_all, roll_who, tick, totals
from tui.core.rules.system import InitiativeSystem, end_turn
from tui.core.rules.upkeep import debts, owed


def perform(d: Draft, system: InitiativeSystem, action: PlayAction, roller: Roller) -> None:
    """Perform an action of play. Raises RuleError."""
    if isinstance(action, Begin):
        _begin(d, system)
        return
    # Saves are owed outside a fight too.
    if not (isinstance(action, Roll | Total | Made | Failed) and owed(d.encounter, system)):
        must_run(d.encounter)
    if isinstance(action, Next | TakeTurn | Pass | End | Hold | ActNow):
        saving.must_be_over(d.encounter)
    match action:
        case Finish():
            _finish(d)
        case Roll(who="", faces=()):
            roll_all(d, system, roller)
        case Roll():
            roll_who(d, system, action, roller)
        case Total():
            totals(d, system, action)
        case Made() | Failed():
            tick(d, system, action)
        case Apply() | Skip():
            applying.answer(d, system, action, roller)
        case Pick():
            pick(d, system, action)
        case Ok():
            acknowledge(d, system)
        case Next(times):
            go_on(d, system, times)
        case TakeTurn(who):
            take(d, system, who)
        case Pass():
            passing(d, system)
        case End():
            end(d, system)
        case Order() | Lock() | Unlock() | Hold() | ActNow() | Move() | React():
            _special(d, system, action)
        case _:
            assert_never(action)


def _special(
    d: Draft, system: InitiativeSystem, action: Order | Lock | Unlock | Hold | ActNow | Move | React
) -> None:
    """Perform an action that only some systems know."""
    e = d.encounter
    match action:
        case Order(who, keys):
            orders = writing(system)
            for key in dict.fromkeys(key_of(e.combatants[k]) for k in resolve(e, who)):
                orders.order(d, key, keys)
        case Lock(missing):
            if mine := debts(e, system) if system.upkeep_edges == "round" else ():
                raise RuleError("lock has to wait", blockers(e, mine))
            writing(system).lock(d, missing=bool(missing))
        case Unlock():
            writing(system).unlock(d)
        case Hold(who):
            key = entry(e, who, system.entries(e))
            acting = e.turn.members if e.turn and e.acting == key else ()
            system.hold(d, key)
            # What the acting creature owes waits until it acts again.
            if keeping := tuple(k for k in acting if (c := e.combatants.get(k)) and (c.owes or c.effects)):
                d.emit(ev.SavesKept(keeping))
        case ActNow(who):
            system.act(d, entry(e, who, system.entries(e)))
        case Move(who, where, other):
            rows = system.entries(e)
            system.move(d, entry(e, who, rows), where, entry(e, other, rows))
        case React(who, words):
            creature = e.combatants[_in_play(e, _only_living(e, who))]
            if creature.dying:
                state = fallen_state(e, creature.id)
                raise RuleError(f"{creature.name} has no reaction: it is {state}", "`heal` brings it back")
            system.react(d, creature.id, values.words(words, "the reaction"))
        case _:
            assert_never(action)


def _only_living(e: Encounter, who: str) -> str:
    """Return the creature that a word means, of a group its only living member. Raises RuleError."""
    people = resolve(e, who)
    alive = [k for k in people if not e.combatants[k].out and not e.combatants[k].dying]
    return alive[0] if len(people) > 1 and len(alive) == 1 else one(e, who)


def _in_play(e: Encounter, who: str) -> str:
    """Return the id of a creature that has arrived already. Raises RuleError."""
    c = e.combatants[who]
    if not arrived(e, c):
        raise RuleError(f"{c.name} is not here before round {c.arrives}")
    return who


def must_run(e: Encounter) -> None:
    """Raise RuleError unless the fight has begun."""
    if not e.running:
        raise RuleError(
            "the fight has not begun", "`begin` starts it" if e.combatants else "`add 5 Orc` first"
        )


def _begin(d: Draft, system: InitiativeSystem) -> None:
    if d.encounter.running:
        raise RuleError("the fight is already running", "`finish` ends it")
    if not d.encounter.combatants:
        raise RuleError("nobody is here to fight", "`add 5 Orc`")
    saving.must_be_over(d.encounter)
    if due := owed(d.encounter, system):
        raise RuleError("begin has to wait", blockers(d.encounter, due))
    system.begin(d)


def _finish(d: Draft) -> None:
    """End the fight: conditions with an end are over, and all that belongs to the fight itself."""
    saving.dropped(d)
    for c in d.encounter.combatants.values():
        d.emit(*(ev.Cleared(c.id, x.name, over=True, of=x.of) for x in c.conditions if x.until or x.dc))
    d.emit(ev.FightEnded())


# --- choices and acknowledgement


def pick(d: Draft, system: InitiativeSystem, action: Pick) -> None:
    """Answer the first due choice."""
    e = d.encounter
    ask = next((x for x in owed(e, system) if isinstance(x, PickAsk)), None)
    if ask is None:
        raise RuleError("no choice is due", suggestion(e, system), kind="not_due")
    names = [label(e, k) for k in ask.names]
    keys = tuple(dict.fromkeys(k for part in action.names for k in _chosen(e, ask, names, part)))
    if not ask.least <= len(keys) <= ask.most:
        raise RuleError(f"pick takes {ask.bounds} of {several(names)}, not {len(keys)}")
    system.answer(d, ask, keys)


def _chosen(e: Encounter, ask: PickAsk, names: list[str], part: str) -> list[str]:
    """Return the keys among those asked for that a word means. Raises RuleError."""
    whole = part.lower() in {n.lower() for n in names}
    return [k for piece in ([part] if whole else split(part)) for k in _piece(e, ask, names, piece)]


def _piece(e: Encounter, ask: PickAsk, names: list[str], piece: str) -> list[str]:
    """Return the keys that one name means; a word for several means those of them who are asked about."""
    if not fitting(piece, names) and (
        piece.startswith(SIDE) or is_pattern(piece) or fitting(piece, groups(e))
    ):
        inside = [k for k in resolve(e, piece) if k in ask.names]
        if not inside:
            raise RuleError(f"{piece} is not among {several(names)}")
        return inside
    return [ask.names[names.index(match(piece, names, "choice"))]]


def acknowledge(d: Draft, system: InitiativeSystem) -> None:
    """Acknowledge what had to be read."""
    asks = [x for x in owed(d.encounter, system) if isinstance(x, AcknowledgeAsk)]
    if not asks:
        raise RuleError(
            "nothing is waiting to be acknowledged", suggestion(d.encounter, system), kind="not_due"
        )
    system.answer(d, asks[0], ())


# --- turns


def go_on(d: Draft, system: InitiativeSystem, times: int = 1) -> None:
    """Run `next` a number of times; stop earlier, with a word, at the first thing due or to be chosen."""
    for done in range(times):
        waits = _waits(d.encounter, system)
        if waits and not done:
            raise RuleError("next has to wait", waits)
        # Something came up on the way: what was reached stands, and the rest is not forced.
        if done and (waits or owed(d.encounter, system)):
            d.notices.append(f"stopped after {done} of {times}: {waits or suggestion(d.encounter, system)}")
            return
        advance(d, system)


def _waits(e: Encounter, system: InitiativeSystem, *, upkeep_only: bool = False) -> str:
    """Return what holds play up, or "": a debt or a choice between turns, a roll of who acts in one."""
    due = debts(e, system) if upkeep_only else owed(e, system)
    if e.turn:
        # Inside a turn only the actor's own dice and effects hold it up; others may answer when it is over.
        own = [
            x for x in due if isinstance(x, RollAsk | EffectAsk) and x.who in (e.turn.who, *e.turn.members)
        ]
        return blockers(e, own) if own else ""
    return suggestion(e, system) if due or len(acts_to_choose(e, system.offer(e))) != 1 else ""


def take(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Run `turn WHO`: end what runs, then take an offered turn."""
    if waits := _waits(d.encounter, system) if d.encounter.turn else "":
        raise _must_wait(d.encounter, system, who, waits)
    end_turn(d, system)
    # A turn that was cut into goes on where the other ends: it is the one that is asked for, or it ends too.
    while resumed := d.encounter.turn:
        if _means(d.encounter, resumed, who):
            return
        end_turn(d, system)
    # Saves of the turn before stay due; all else comes first.
    if d.encounter.running and system.due(d.encounter):
        raise _must_wait(d.encounter, system, who, suggestion(d.encounter, system))
    offer = system.offer(d.encounter)
    act = _offered(d.encounter, system, [x for x in offer.acts if x.kind == "turn"], who)
    if act is None:
        raise _no_turn(d.encounter, system, who)
    system.took(d, act)


def _means(e: Encounter, turn: Turn, who: str) -> bool:
    """Return whether a word means who is acting. Raises RuleError for no one."""
    return set(resolve(e, who)) <= set(turn.members) or entry(e, who) == turn.who


def _must_wait(e: Encounter, system: InitiativeSystem, who: str, waits: str) -> RuleError:
    """Return the refusal of someone who is there and cannot act before something else is answered."""
    return RuleError(worded(e, "{0} has to wait", _meant(e, system, who)), waits)


def _meant(e: Encounter, system: InitiativeSystem, who: str) -> str:
    """Return the key of the creature or row that a word means. Raises RuleError for none."""
    people = resolve(e, who)
    # A group is called by its name also where rows are sides.
    keys = people if len(people) == 1 else {key_of(e.combatants[k]) for k in people}
    return next(iter(keys)) if len(keys) == 1 else entry(e, who, system.entries(e))


def _no_turn(e: Encounter, system: InitiativeSystem, who: str) -> RuleError:
    """Return why someone cannot act now, and who may."""
    key, people = _meant(e, system, who), [e.combatants[k] for k in resolve(e, who)]
    offer = system.offer(e)
    choice = chosen(e, offer)
    if all(c.out for c in people):
        return RuleError(worded(e, "{0} is out", key), f"`back {quote(label(e, key))}`")
    if all("acted" in c.marks for c in people if not c.out):
        return RuleError(worded(e, "{0} has had a turn this round", key), choice, system.once_rule)
    return RuleError(f"{label(e, key)} cannot act now", choice, offer.rule or offer.why.rule)


def _offered(e: Encounter, system: InitiativeSystem, acts: Sequence[Act], who: str) -> Act | None:
    """Return the act that a word means: a creature's own, else that of its row."""
    keys = {x.who: x for x in acts}
    creatures = resolve(e, who)
    if len(creatures) == 1 and creatures[0] in keys:
        return keys[creatures[0]]
    return keys.get(entry(e, who, system.entries(e)))


def passing(d: Draft, system: InitiativeSystem) -> None:
    """Run `pass`: take the offered pass."""
    if d.encounter.turn:
        waits = _waits(d.encounter, system, upkeep_only=True)
        busy = worded(d.encounter, "{0} is acting", d.encounter.acting)
        raise RuleError(busy, waits or "`end` ends the turn")
    if owed(d.encounter, system):
        raise RuleError("nobody can pass now", suggestion(d.encounter, system))
    offer = system.offer(d.encounter)
    acts = [x for x in offer.acts if x.kind == "pass"]
    if not acts:
        # Without acts the reason is all that there is to say, and is said once.
        reason = replace(offer.why, text=offer.why.reason or offer.why.text)
        why = f"{text(d.encounter, reason)}; " if reason.text and offer.acts else ""
        raise RuleError("nobody can pass now", why + chosen(d.encounter, offer), offer.why.rule)
    system.took(d, acts[0])


def may_end(e: Encounter, system: InitiativeSystem) -> bool:
    """Return whether nothing that is owed holds the running turn up."""
    return e.turn is not None and e.area is None and not _waits(e, system, upkeep_only=True)


def end(d: Draft, system: InitiativeSystem) -> None:
    """Run `end`: end the running turn and start nothing."""
    if d.encounter.turn:
        if waits := _waits(d.encounter, system, upkeep_only=True):
            raise RuleError("end has to wait", waits)
        end_turn(d, system)
    else:
        system.end_side(d)
