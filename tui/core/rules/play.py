"""How play goes on: dice, choices, turns, rounds. No rule of any system; the systems are asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tui.core.fight import events as ev
from tui.core.fight.agenda import AcknowledgeAsk, Act, PickAsk, RollAsk
from tui.core.fight.dice import Dice, DiceError
from tui.core.fight.encounter import SIDE, Encounter, key_of, label
from tui.core.fight.errors import RuleError
from tui.core.fight.viewer import text
from tui.core.language import actions as a
from tui.core.language.select import entry, match, resolve, split
from tui.core.rules.draft import Draft, present
from tui.core.rules.now import blockers
from tui.core.rules.system import InitiativeSystem, end_turn

_PATIENCE = 10_000


def must_run(e: Encounter) -> None:
    """Raise RuleError unless the fight has begun."""
    if not e.running:
        raise RuleError("the fight has not begun", "`begin` starts it")


# --- dice


def roll_all(d: Draft, system: InitiativeSystem, dice: Dice, how: str) -> None:
    """The app rolls what is due, and what becomes due by it, until something else is due or nothing."""
    asks = _rolls(d.encounter, system)
    if not asks:
        raise RuleError("no roll is due", _todo(d.encounter, system))
    for _ in range(_PATIENCE):
        for ask in asks:
            _roll(d, system, ask, _throw(dice, ask), how)
        system.settle(d)
        asks = _rolls(d.encounter, system)
        if not asks:
            return
    raise RuleError("the dice never settle", "use other dice")


def roll_who(d: Draft, system: InitiativeSystem, action: a.Roll, dice: Dice, how: str) -> None:
    """What WHO owes, by the app or with faces from the table."""
    asks = _owed_by(d.encounter, _rolls(d.encounter, system), action.who)
    if not action.faces:
        for ask in asks:
            _roll(d, system, ask, _throw(dice, ask), how)
        return
    ask = asks[0]
    _check_faces(d.encounter, ask, action.faces)
    _roll(d, system, ask, action.faces, "table")


def _roll(d: Draft, system: InitiativeSystem, ask: RollAsk, faces: tuple[int, ...], how: str) -> None:
    d.emit(ev.Rolled(ask.key, ask.who, ask.dice, faces, how, ask.among))
    system.answer(d, ask, faces)


def _rolls(e: Encounter, system: InitiativeSystem) -> list[RollAsk]:
    return [x for x in system.due(e) if isinstance(x, RollAsk)] if e.running else []


def _throw(dice: Dice, ask: RollAsk) -> tuple[int, ...]:
    try:
        return tuple(dice.roll(sides) for sides in ask.dice)
    except DiceError as error:
        raise RuleError(str(error)) from None


def _check_faces(e: Encounter, ask: RollAsk, faces: Sequence[int]) -> None:
    owes = " ".join(f"d{s}" for s in ask.dice)
    if len(faces) != len(ask.dice):
        raise RuleError(f"{label(e, ask.who)} owes {owes}", f"give {len(ask.dice)} faces, not {len(faces)}")
    for face, sides in zip(faces, ask.dice, strict=True):
        if not 1 <= face <= sides:
            raise RuleError(f"{face} is not on a d{sides}", f"{label(e, ask.who)} owes {owes}")


def _owed_by(e: Encounter, asks: Sequence[RollAsk], who: str) -> list[RollAsk]:
    names = list(dict.fromkeys(label(e, x.who) for x in asks))
    exact = [n for n in names if n.lower() == who.lower()]
    found = [n for part in ([who] if exact else split(who)) for n in (exact or _rollers(e, names, part))]
    return [x for x in asks if label(e, x.who) in found]


def _rollers(e: Encounter, names: list[str], part: str) -> list[str]:
    if "*" in part or "?" in part:
        shape = re.compile(re.escape(part.lower()).replace(r"\*", ".*").replace(r"\?", "."))
        if found := [n for n in names if shape.fullmatch(n.lower())]:
            return found
    elif part.startswith(SIDE):
        inside = {label(e, k) for k in resolve(e, part)} | {part[1:]}
        if found := [n for n in names if n in inside]:
            return found
    try:
        return [match(part, names, "roller")]
    except RuleError as error:
        if not error.message.startswith("no "):
            raise
    people = [e.combatants[i] for i in resolve(e, part)]
    keys = {n for c in people for n in (label(e, key_of(c)), c.side)}
    if found := [n for n in names if n in keys]:
        return found
    raise RuleError(f"{part} owes no roll", f"owing: {', '.join(names[:8])}" if names else "no roll is due")


# --- choices and acknowledgement


def pick(d: Draft, system: InitiativeSystem, action: a.Pick) -> None:
    """Answers the first due choice."""
    must_run(d.encounter)
    asks = [x for x in system.due(d.encounter) if isinstance(x, PickAsk)]
    if not asks:
        raise RuleError("no choice is due", _todo(d.encounter, system))
    ask = asks[0]
    names = [label(d.encounter, k) for k in ask.names]
    chosen = [_chosen(d.encounter, ask, names, part) for part in action.names]
    keys = tuple(dict.fromkeys(k for some in chosen for k in some))
    if not ask.least <= len(keys) <= ask.most:
        bounds = f"{ask.least}" if ask.least == ask.most else f"{ask.least} to {ask.most}"
        raise RuleError(f"pick takes {bounds} of {', '.join(names[:8])}, not {len(keys)}")
    system.answer(d, ask, keys)


def _chosen(e: Encounter, ask: PickAsk, names: list[str], part: str) -> list[str]:
    found = []
    for piece in [part] if part.lower() in {n.lower() for n in names} else split(part):
        if piece.startswith(SIDE) or "*" in piece or "?" in piece:
            inside = [k for k in resolve(e, piece) if k in ask.names]
            if not inside:
                raise RuleError(f"{piece} is not among {', '.join(names[:8])}")
            found += inside
        else:
            found.append(ask.names[names.index(match(piece, names, "choice"))])
    return found


def acknowledge(d: Draft, system: InitiativeSystem) -> None:
    """What must be read has been read."""
    must_run(d.encounter)
    asks = [x for x in system.due(d.encounter) if isinstance(x, AcknowledgeAsk)]
    if not asks:
        raise RuleError("nothing is waiting to be acknowledged", _todo(d.encounter, system))
    system.answer(d, asks[0], ())


# --- turns


def go_on(d: Draft, system: InitiativeSystem) -> None:
    """`next`: end what runs, then take what is forced, up to a turn, a debt or a choice."""
    must_run(d.encounter)
    moved = d.encounter.turn is not None
    if moved:
        end_turn(d, system)
    for _ in range(_PATIENCE):
        if d.encounter.turn or system.due(d.encounter):
            break
        acts = system.offer(d.encounter).acts
        if len(acts) != 1:
            break
        system.took(d, acts[0])
        system.settle(d)
        moved = True
        if acts[0].pauses:
            break
    if not moved:
        raise RuleError(
            "next has to wait", blockers(system.due(d.encounter), system.offer(d.encounter), d.encounter)
        )


def take(d: Draft, system: InitiativeSystem, who: str) -> None:
    """`turn WHO`: end what runs, then take an offered turn."""
    must_run(d.encounter)
    if d.encounter.turn:
        end_turn(d, system)
    if due := system.due(d.encounter):
        raise RuleError(f"{who} has to wait", blockers(due, system.offer(d.encounter), d.encounter))
    offer = system.offer(d.encounter)
    act = _offered(d.encounter, [x for x in offer.acts if x.kind == "turn"], who)
    if act is None:
        hint = (
            blockers((), offer, d.encounter)
            if any(x.kind == "turn" for x in offer.acts)
            else "`next` goes on"
        )
        raise RuleError(
            f"{label(d.encounter, entry(d.encounter, who))} may not act now", hint, offer.why.rule
        )
    system.took(d, act)


def _offered(e: Encounter, acts: Sequence[Act], who: str) -> Act | None:
    keys = {x.who: x for x in acts}
    found = resolve(e, who)
    if len(found) == 1 and found[0] in keys:
        return keys[found[0]]
    return keys.get(entry(e, who))


def passing(d: Draft, system: InitiativeSystem) -> None:
    """`pass`: take the offered pass."""
    must_run(d.encounter)
    if d.encounter.turn:
        raise RuleError(f"{label(d.encounter, d.encounter.acting)} is acting", "`end` ends the turn")
    offer = system.offer(d.encounter)
    acts = [x for x in offer.acts if x.kind == "pass"] if not system.due(d.encounter) else []
    if not acts:
        why = f"{text(d.encounter, offer.why)}; " if offer.why.text else ""
        raise RuleError(
            "nobody may pass now", why + blockers(system.due(d.encounter), offer, d.encounter), offer.why.rule
        )
    system.took(d, acts[0])


def end(d: Draft, system: InitiativeSystem) -> None:
    """`end`: end the running turn and start nothing."""
    must_run(d.encounter)
    if d.encounter.turn:
        end_turn(d, system)
    else:
        system.end_side(d)


def gone(d: Draft, system: InitiativeSystem, who: tuple[str, ...]) -> None:
    """Creatures are out or removed: whoever was acting alone has ended the turn, skipping nobody."""
    if not d.encounter.running:
        return
    turn = d.encounter.turn
    if turn and not present(d.encounter, turn):
        end_turn(d, system)
    system.left(d, who)


def _todo(e: Encounter, system: InitiativeSystem) -> str:
    """What would work instead."""
    if not e.running:
        return "`begin` starts the fight"
    if e.turn:
        return f"{label(e, e.acting)} is acting: `next` goes on"
    return blockers(system.due(e), system.offer(e), e)
