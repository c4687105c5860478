"""How play goes on: choices, orders, turns, rounds. No rule of any system; the systems are asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tui.core.fight import events as ev
from tui.core.fight.agenda import AcknowledgeAsk, Act, PickAsk, RollAsk
from tui.core.fight.encounter import SIDE, Encounter, arrived, key_of, label
from tui.core.fight.errors import RuleError
from tui.core.fight.text import quote
from tui.core.fight.viewer import text
from tui.core.language import values
from tui.core.language.actions.play import (
    ActNow,
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
    TakeTurn,
    Total,
    Unlock,
)  # fmt: skip
from tui.core.language.select import entry, fitting, groups, is_pattern, match, one, resolve, several, split
from tui.core.rules import rolls, saving
from tui.core.rules.draft import Draft
from tui.core.rules.now.deck import advance
from tui.core.rules.now.works import blockers, chosen, instead
from tui.core.rules.numbers import Roller
from tui.core.rules.system import InitiativeSystem, end_turn
from tui.core.rules.upkeep.owed import owed, upkeep


def perform(d: Draft, system: InitiativeSystem, action: PlayAction, roller: Roller) -> None:
    """What happens when this is asked. Raises RuleError."""
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
            rolls.roll_all(d, system, roller)
        case Roll():
            rolls.roll_who(d, system, action, roller)
        case Total():
            rolls.totals(d, system, action)
        case Made() | Failed():
            rolls.tick(d, system, action)
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
    """What some systems know and others refuse."""
    e = d.encounter
    match action:
        case Order(who, keys):
            for key in dict.fromkeys(key_of(e.combatants[k]) for k in resolve(e, who)):
                system.order(d, key, keys)
        case Lock(missing):
            if mine := upkeep(e, system) if system.upkeep_edges == "round" else ():
                raise RuleError("lock has to wait", blockers(e, mine))
            system.lock(d, missing=bool(missing))
        case Unlock():
            system.unlock(d)
        case Hold(who):
            key = entry(e, who, system.entries(e))
            acting = e.turn.members if e.turn and e.acting == key else ()
            system.hold(d, key)
            # What whoever acts owes waits until it acts again.
            if keeping := tuple(k for k in acting if k in e.combatants and e.combatants[k].owes):
                d.emit(ev.SavesKept(keeping))
        case ActNow(who):
            system.act(d, entry(e, who, system.entries(e)))
        case Move(who, where, other):
            rows = system.entries(e)
            system.move(d, entry(e, who, rows), where, entry(e, other, rows))
        case React(who, said):
            system.react(d, _here(e, one(e, who)), values.words(said, "the reaction"))
        case _:
            assert_never(action)


def _here(e: Encounter, who: str) -> str:
    """The id of a creature that has arrived already. Raises RuleError."""
    c = e.combatants[who]
    if not arrived(e, c):
        raise RuleError(f"{c.name} is not here before round {c.arrives}")
    return who


def must_run(e: Encounter) -> None:
    """Raises RuleError unless the fight has begun."""
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
    """The fight is over: conditions with an end and everything of the fight itself are gone."""
    saving.dropped(d)
    for c in d.encounter.combatants.values():
        d.emit(*(ev.Cleared(c.id, x.name, over=True, of=x.of) for x in c.conditions if x.until or x.dc))
    d.emit(ev.FightEnded())


# --- choices and acknowledgement


def pick(d: Draft, system: InitiativeSystem, action: Pick) -> None:
    """Answers the first due choice."""
    e = d.encounter
    ask = next((x for x in owed(e, system) if isinstance(x, PickAsk)), None)
    if ask is None:
        raise RuleError("no choice is due", instead(e, system), kind="not_due")
    names = [label(e, k) for k in ask.names]
    keys = tuple(dict.fromkeys(k for part in action.names for k in _chosen(e, ask, names, part)))
    if not ask.least <= len(keys) <= ask.most:
        bounds = f"{ask.least}" if ask.least == ask.most else f"{ask.least} to {ask.most}"
        raise RuleError(f"pick takes {bounds} of {several(names)}, not {len(keys)}")
    system.answer(d, ask, keys)


def _chosen(e: Encounter, ask: PickAsk, names: list[str], part: str) -> list[str]:
    """The keys among those asked for that a word means. Raises RuleError."""
    whole = part.lower() in {n.lower() for n in names}
    return [k for piece in ([part] if whole else split(part)) for k in _piece(e, ask, names, piece)]


def _piece(e: Encounter, ask: PickAsk, names: list[str], piece: str) -> list[str]:
    """What one name means; a word for several means those of them who are asked about."""
    if not fitting(piece, names) and (
        piece.startswith(SIDE) or is_pattern(piece) or fitting(piece, groups(e))
    ):
        inside = [k for k in resolve(e, piece) if k in ask.names]
        if not inside:
            raise RuleError(f"{piece} is not among {several(names)}")
        return inside
    return [ask.names[names.index(match(piece, names, "choice"))]]


def acknowledge(d: Draft, system: InitiativeSystem) -> None:
    """What must be read has been read."""
    asks = [x for x in owed(d.encounter, system) if isinstance(x, AcknowledgeAsk)]
    if not asks:
        raise RuleError("nothing is waiting to be acknowledged", instead(d.encounter, system), kind="not_due")
    system.answer(d, asks[0], ())


# --- turns


def go_on(d: Draft, system: InitiativeSystem, times: int = 1) -> None:
    """`next`, so many times: it stops earlier, and says so, at the first thing due or to be chosen."""
    for done in range(times):
        waits = _waits(d.encounter, system)
        if waits and not done:
            raise RuleError("next has to wait", waits)
        # Something came up on the way: what was reached stands, and the rest is not forced.
        if done and (waits or owed(d.encounter, system)):
            d.notices.append(f"stopped after {done} of {times}: {waits or instead(d.encounter, system)}")
            return
        advance(d, system)


def _waits(e: Encounter, system: InitiativeSystem, *, upkeep_only: bool = False) -> str:
    """What stops play from going on; "" for nothing: a debt or a choice between turns, a roll of who acts in one."""
    due = upkeep(e, system) if upkeep_only else owed(e, system)
    if e.turn:
        # Inside a turn only the actor's own dice hold it up; others may answer when it is over.
        own = [x for x in due if isinstance(x, RollAsk) and x.who in (e.turn.who, *e.turn.members)]
        return blockers(e, own) if own else ""
    return instead(e, system) if due or len(system.offer(e).acts) != 1 else ""


def take(d: Draft, system: InitiativeSystem, who: str) -> None:
    """`turn WHO`: end what runs, then take an offered turn."""
    if waits := _waits(d.encounter, system) if d.encounter.turn else "":
        raise _must_wait(d.encounter, system, who, waits)
    end_turn(d, system)
    # Saves of the turn before stay due; all else comes first.
    if d.encounter.running and system.due(d.encounter):
        raise _must_wait(d.encounter, system, who, instead(d.encounter, system))
    offer = system.offer(d.encounter)
    act = _offered(d.encounter, [x for x in offer.acts if x.kind == "turn"], who)
    if act is None:
        raise _no_turn(d.encounter, system, who)
    system.took(d, act)


def _must_wait(e: Encounter, system: InitiativeSystem, who: str, waits: str) -> RuleError:
    """Somebody who is there cannot act before something else is answered."""
    return RuleError(f"{_called(e, system, who)} has to wait", waits)


def _called(e: Encounter, system: InitiativeSystem, who: str) -> str:
    """The name of whom a word means. Raises RuleError for nobody."""
    people = resolve(e, who)
    return label(e, people[0] if len(people) == 1 else entry(e, who, system.entries(e)))


def _no_turn(e: Encounter, system: InitiativeSystem, who: str) -> RuleError:
    """Why somebody may not act now, and who may."""
    name, people = _called(e, system, who), [e.combatants[k] for k in resolve(e, who)]
    offer = system.offer(e)
    choice = chosen(e, offer)
    if all(c.out for c in people):
        return RuleError(f"{name} is out", f"`back {quote(name)}`")
    if all("acted" in c.marks for c in people if not c.out):
        return RuleError(f"{name} has had a turn this round", choice, system.once_rule)
    return RuleError(f"{name} may not act now", choice, offer.why.rule)


def _offered(e: Encounter, acts: Sequence[Act], who: str) -> Act | None:
    keys = {x.who: x for x in acts}
    found = resolve(e, who)
    if len(found) == 1 and found[0] in keys:
        return keys[found[0]]
    return keys.get(entry(e, who))


def passing(d: Draft, system: InitiativeSystem) -> None:
    """`pass`: take the offered pass."""
    if d.encounter.turn:
        raise RuleError(f"{label(d.encounter, d.encounter.acting)} is acting", "`end` ends the turn")
    if owed(d.encounter, system):
        raise RuleError("nobody may pass now", instead(d.encounter, system))
    offer = system.offer(d.encounter)
    acts = [x for x in offer.acts if x.kind == "pass"]
    if not acts:
        # Without acts the reason is all that there is to say, and is said once.
        why = f"{text(d.encounter, offer.why)}; " if offer.why.text and offer.acts else ""
        raise RuleError("nobody may pass now", why + chosen(d.encounter, offer), offer.why.rule)
    system.took(d, acts[0])


def end(d: Draft, system: InitiativeSystem) -> None:
    """`end`: end the running turn and start nothing."""
    if d.encounter.turn:
        if waits := _waits(d.encounter, system, upkeep_only=True):
            raise RuleError("end has to wait", waits)
        end_turn(d, system)
    else:
        system.end_side(d)
