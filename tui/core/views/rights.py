"""Check the lines that a player sends from a terminal; the rules then decide as for any line.

A line is checked in the encounter as its player knows it and refused in words made of that alone, so that no
refusal reveals an unseen creature. An accepted line gets the names of the whole fight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import names_beginning, nearest, quote
from tui.core.fight.agenda import Act, FormAsk, RollAsk, Verb
from tui.core.fight.encounter import SIDE, Encounter, key_of, label, members, side_of
from tui.core.fight.standpoint import Standpoint, order_fingerprint, roll_fingerprint
from tui.core.fight.viewer import Viewer, fill_names, is_plural, keeps_nothing, own_creatures
from tui.core.language.actions import (
    Action,
    Apply,
    Begin,
    End,
    Failed,
    Finish,
    Made,
    Next,
    Ok,
    Order,
    Pass,
    React,
    Roll,
    Skip,
    TakeTurn,
    Total,
    Undo,
)
from tui.core.language.creature_actions import Area, OwnVerb, Temp
from tui.core.language.select import list_names, resolve, resolve_entry, resolve_one
from tui.core.language.spoken import VERBS_BY_SYNONYM
from tui.core.rules.decide import Rules, decide
from tui.core.rules.now import suggest_line
from tui.core.rules.optional import Orders, orders_of
from tui.core.rules.rolling import read_faces
from tui.core.rules.system import Gmless, InitiativeSystem, is_gmless, may_resolve, resolved_entry
from tui.core.views.seen import VisibleFight, visible_fight
from tui.core.views.veil import hide_unknown

RESOLVER_VERBS: Final = frozenset(
    {"next", "end", "attack", "damage", "heal", "temp", "area", "condition", "clear", "out", "stable"}
)
"""The words that the player who resolves the running turn may send in a fight without a GM."""

_NAME_SLOTS: Final = frozenset({"who", "roller", "writer", "picked", "actor", "bearer", "side", "creature"})
"""The kinds of slots whose text is a name."""

WAIT_HINT: Final = "your terminal says when it is your moment"


def check_allowed(
    e: Encounter, system: InitiativeSystem, viewer: Viewer, action: Action, saw: Standpoint
) -> Action:
    """Return the action to be decided, with the names of the whole fight in it. Raises RuleError.

    An action is refused if the player may not send it, or meant it for a moment that is over. Every refusal
    is a function of what the player sees: encounters that are equal to this player are refused in the same
    words.
    """
    shown = visible_fight(e, system, viewer)
    e = hide_unknown(e, system, viewer)
    match action:
        case Order(who):
            _check_round(shown, saw)
            key = resolve_entry(shown.encounter, who, system.entries(shown.encounter))
            name = _resolve_own(e, shown, viewer, key)
            _check_order(shown, system, key, saw)
            return replace(action, who=name)
        case React(who):
            _check_turn(shown, saw)
            return replace(action, who=_resolve_own(e, shown, viewer, resolve_one(shown.encounter, who)))
        case Roll():
            return _check_roll(e, shown, viewer, action, saw)
        case Total(totals):
            _check_round(shown, saw)
            mine = tuple((_check_answer(e, shown, viewer, who, saw), n) for who, n in totals)
            return replace(action, totals=mine)
        case Made(names) | Failed(names):
            _check_round(shown, saw)
            return replace(
                action, names=tuple(_check_answer(e, shown, viewer, who, saw, ticks=True) for who in names)
            )
        case OwnVerb():
            return _own_verb(e, system, shown, viewer, action, saw)
        case Ok() | Undo() | Begin() | Finish() | Area() | Temp() | Apply() | Skip() if is_gmless(
            system, shown.encounter
        ):
            _check_gmless(shown, viewer, action, saw)
            return translate_names(e, shown.encounter, action)
        case _ if is_gmless(system, shown.encounter) and _verb_of(action) in RESOLVER_VERBS:
            _check_resolver(system, shown, viewer, action, saw)
            return translate_names(e, shown.encounter, action)
        case TakeTurn() | Pass() | End():
            return _turn(e, system, shown, viewer, action, saw)
        case _:
            raise _verb_error(_verb_of(action), system, shown)


def standpoint(e: Encounter, system: InitiativeSystem, viewer: Viewer, action: Action) -> Standpoint:
    """Return the moment that the player's page shows now, to be sent with this line.

    Raises RuleError for a roll that is not owed.
    """
    shown = visible_fight(e, system, viewer)
    visible, due = shown.encounter, ""
    if isinstance(action, Roll) and action.who:
        _, ask = _find_ask(e, shown, viewer, action.who, _find_rolls(shown, viewer))
        due = roll_fingerprint(label(visible, ask.who), ask.dice, ask.why.rule)
    return Standpoint(
        visible.round, visible.phase, label(visible, visible.acting) if visible.turn else "", due=due
    )


def rehearse(e: Encounter, rules: Rules, viewer: Viewer, action: Action) -> None:
    """Decide a player's line in the encounter as that player knows it. Raises RuleError if it is refused.

    `rules` has dice of its own, whose faces are thrown away.
    """
    decide(visible_fight(e, rules.systems.get(e.system), viewer).encounter, action, rules)


def known_refusal(e: Encounter, rules: Rules, viewer: Viewer, action: Action) -> RuleError:
    """Return the refusal, as this player may read it, of a line that the rules refuse.

    If the encounter that the player knows refuses the line too, that refusal is returned; else a general one,
    because the true reason is unseen.
    """
    system = rules.systems.get(e.system)
    shown = visible_fight(e, system, viewer)
    try:
        rehearse(e, rules, viewer, action)
    except RuleError as error:
        # The creature in turn may be unseen, and the GM's commands are not this player's: the hint is made
        # anew.
        if isinstance(action, TakeTurn | Pass | End) or error.hint == suggest_line(shown.encounter, system):
            error.hint = _suggest(system, shown, viewer)
        return error
    return RuleError("that cannot be done now", WAIT_HINT)


def _suggest(system: InitiativeSystem, shown: VisibleFight, viewer: Viewer) -> str:
    """Return a line that this player may send now: an offered turn, else an owed roll.

    "" while an order is owed, because the refusal itself says what is wrong with it.
    """
    if acts := open_acts(system, shown, viewer):
        return _choice_of(shown, viewer, act_lines(shown.encounter, acts))
    if names := _list_names(shown, _find_rolls(shown, viewer)):
        return _hint_roll(names)
    forms = (x for x in shown.due if isinstance(x, FormAsk))
    return "" if any(viewer.owns(shown.encounter, x.who) for x in forms) else WAIT_HINT


def translate_names(e: Encounter, visible: Encounter, action: Action) -> Action:
    """Return an action with the names of the whole fight in place of those that the player reads.

    Raises RuleError.
    """
    if keeps_nothing(e) or isinstance(action, OwnVerb):
        return action
    texts = {
        slot.name: _true_names(e, visible, who)
        if isinstance(who, str)
        else tuple(_true_names(e, visible, x) for x in who)
        for slot in action.syntax.slots
        if slot.takes in _NAME_SLOTS and (who := getattr(action, slot.name))
    }
    return replace(action, **texts) if texts else action


def _true_names(e: Encounter, visible: Encounter, who: str) -> str:
    """Return WHO in the names of the whole fight. Raises RuleError for a name that the player cannot know."""
    return ",".join(e.combatants[key].name for key in resolve(visible, who))


def plays(e: Encounter, viewer: Viewer) -> bool:
    """Return whether a player has a creature in this fight."""
    return bool(own_creatures(e.combatants, viewer))


def _resolve_own(e: Encounter, shown: VisibleFight, viewer: Viewer, key: str) -> str:
    """Return the full name of an entry that this player owns. Raises RuleError for any other."""
    if not viewer.owns(shown.encounter, key):
        verb = "are" if is_plural(shown.encounter, key) else "is"
        raise RuleError(f"{label(shown.encounter, key)} {verb} not yours", _yours(shown, viewer))
    return label(e, key)


def _yours(shown: VisibleFight, viewer: Viewer) -> str:
    names = [quote(c.name) for c in own_creatures(shown.encounter.combatants, viewer)]
    if not names:
        return "no creature here is yours: ask the GM which one you play"
    return f"yours: {list_names(names)}"


def _verb_error(verb: str, system: InitiativeSystem, shown: VisibleFight) -> RuleError:
    alone = is_gmless(system, shown.encounter)
    leads = " (in a turn that you resolve, also next, damage and such lines)" if alone else ""
    return RuleError(
        f"{verb} is not sent from a player's seat",
        f"you may send {', '.join(_words(system, shown.encounter))}{leads}; "
        f"the rest is for {'the host' if alone else 'the GM'}",
    )


def _words(system: InitiativeSystem, e: Encounter) -> tuple[str, ...]:
    """Return the words that every player may send, each in its moment."""
    turns = ["turn", "pass", "end"] if _turns_are_theirs(system, e) else []
    own = [v.name for v in system.verbs if v.sender == "owner"]
    together = _SHARED_VERBS if is_gmless(system, e) else ()
    orders = ["order"] if isinstance(system, Orders) else []
    return (*orders, "roll", "total", "made", "failed", "react", *turns, *own, *together)


def _words_now(system: InitiativeSystem, e: Encounter, viewer: Viewer) -> tuple[str, ...]:
    """Return the words that this player may send; those of a resolver if the turn is this player's."""
    key = resolved_entry(system, e) if is_gmless(system, e) else ""
    leads = key and may_resolve(system, e, key, viewer.name)
    return (*_words(system, e), *(RESOLVER_VERBS if leads else ()))


def misread(e: Encounter, system: InitiativeSystem, viewer: Viewer, line: str, error: RuleError) -> RuleError:
    """Return the refusal of a line that cannot be read; its hint names only words that the seat may send."""
    shown = visible_fight(e, system, viewer)
    may = _words_now(system, shown.encounter, viewer)
    verb = line.strip().partition(" ")[0].lower()
    if verb in may or VERBS_BY_SYNONYM.get(verb) in may or error.kind == "elsewhere":
        return error
    refusal = _verb_error(verb, system, shown)
    if error.kind != "unknown_word":
        return refusal
    close = nearest(verb, may)
    return RuleError(error.message, f"did you mean `{close}`?" if close else refusal.hint)


def seat_hint(e: Encounter, system: InitiativeSystem, viewer: Viewer, hint: str) -> str:
    """Return a hint whose lines the seat may all send, else the advice to ask the GM or the table."""
    known = visible_fight(e, system, viewer).encounter
    may = {*_words(system, known), *(RESOLVER_VERBS if is_gmless(system, known) else ())}
    if all(line.split(" ")[0] in may for line in hint.split("`")[1::2]):
        return hint
    return "ask at the table" if is_gmless(system, known) else "ask the GM"


_SHARED_VERBS: Final = ("begin", "ok", "area", "temp", "apply", "skip", "undo", "finish")
"""The words that every player may send in a fight without a GM."""


# --- whether it is still the moment


def _check_round(shown: VisibleFight, saw: Standpoint) -> None:
    if shown.encounter.round != saw.round:
        raise _late_error(f"that was for round {saw.round}; it is round {shown.encounter.round} now")


def _check_turn(shown: VisibleFight, saw: Standpoint) -> None:
    _check_round(shown, saw)
    now, then = label(shown.encounter, shown.encounter.acting), saw.acting
    if now != then:
        meant = f"{then} acted" if then else "nobody acted"
        raise _late_error(f"{meant} when you sent that; {f'{now} acts' if now else 'nobody acts'} now")


def _check_order(shown: VisibleFight, system: InitiativeSystem, key: str, saw: Standpoint) -> None:
    """Raise RuleError if an order is not the one that the player saw; terminals may send no fingerprint."""
    text = next((o.text for o in orders_of(system, shown.encounter) if o.who == key), {})
    if saw.due.startswith("order ") and saw.due != order_fingerprint(text):
        name = label(shown.encounter, key)
        raise _late_error(f"the order of {name} was written meanwhile, from another terminal or by the GM")


def _late_error(message: str) -> RuleError:
    return RuleError(message, "send it again if it is still meant")


# --- dice


def _check_roll(e: Encounter, shown: VisibleFight, viewer: Viewer, action: Roll, saw: Standpoint) -> Roll:
    """Return a roll that this player owes, with the full name of its WHO. Raises RuleError."""
    visible = shown.encounter
    asks = _find_rolls(shown, viewer)
    if not action.who:
        raise RuleError("roll: whose dice?", _hint_roll(_list_names(shown, asks)))
    who, ask = _find_ask(e, shown, viewer, action.who, asks)
    _check_round(shown, saw)
    _check_owed(visible, ask, saw)
    if action.faces and ask.names:
        line = f"`roll {quote(who)}` lets the app deal"
        raise RuleError(f"{ask.names.any} is not typed from a player's seat", line, ask.names.rule)
    if action.faces:
        read_faces(visible, [ask], action.faces)
    return replace(action, who=who)


def _check_answer(
    e: Encounter, shown: VisibleFight, viewer: Viewer, who: str, saw: Standpoint, *, ticks: bool = False
) -> str:
    """Return the full name of this player's creature that owes a roll, or with `ticks` a save.

    Raises RuleError if it owes none.
    """
    visible = shown.encounter
    asks = [x for x in _find_rolls(shown, viewer) if x.ticks >= ticks]
    name, ask = _find_ask(e, shown, viewer, who, asks, "save" if ticks else "roll")
    if saw.due:
        _check_owed(visible, ask, saw)
    return name


def _check_owed(visible: Encounter, ask: RollAsk, saw: Standpoint) -> None:
    """Raise RuleError if the owed roll is not the one that the player saw."""
    if saw.due != roll_fingerprint(label(visible, ask.who), ask.dice, ask.why.rule):
        raise _late_error(fill_names(visible, "{0} owes another roll by now", ask.who))


def _find_ask(
    e: Encounter, shown: VisibleFight, viewer: Viewer, who: str, asks: Sequence[RollAsk], title: str = "roll"
) -> tuple[str, RollAsk]:
    """Return the full name of WHO and the roll that WHO owes. Raises RuleError."""
    visible, names = shown.encounter, _list_names(shown, asks)
    if len(fitting_names := names_beginning(who, names)) == 1:
        ask = next(x for x in asks if label(visible, x.who) == fitting_names[0])
        return label(e, ask.who), ask
    if row := _own_row(visible, viewer, who):
        verb = "owe" if is_plural(visible, row) else "owes"
        raise RuleError(f"{label(visible, row)} {verb} no {title}", _due_hint(shown, viewer), kind="not_due")
    group = next((c for c in visible.combatants.values() if c.group and c.group.lower() == who.lower()), None)
    if group:
        _resolve_own(e, shown, viewer, key_of(group))
    # One member of a group or side may roll for all (UNB-2), and the log then names that member.
    thrower = visible.combatants[resolve_one(visible, who)]
    name = _resolve_own(e, shown, viewer, thrower.id)
    keys = (thrower.id, key_of(thrower), SIDE + thrower.side)
    for ask in asks:
        if ask.who in keys:
            return name, ask
    raise RuleError(f"{thrower.name} owes no {title}", _due_hint(shown, viewer), kind="not_due")


def _due_hint(shown: VisibleFight, viewer: Viewer) -> str:
    """Return a hint with the rolls that this player owes, whatever their kind."""
    return _hint_roll(_list_names(shown, _find_rolls(shown, viewer)))


def _own_row(visible: Encounter, viewer: Viewer, who: str) -> str:
    """Return the key of a group or side of that name with a creature of this player's; "" for none."""
    mine = own_creatures(visible.combatants, viewer)
    rows = (key for c in mine for key in (key_of(c), SIDE + c.side) if key != c.id)
    return next((key for key in rows if label(visible, key).lower() == who.lower()), "")


def _find_rolls(shown: VisibleFight, viewer: Viewer) -> list[RollAsk]:
    """Return the owed rolls of this player's creatures, and of rows and sides that have one."""
    visible = shown.encounter
    return [x for x in shown.due if isinstance(x, RollAsk) and viewer.owns(visible, x.who)]


def _list_names(shown: VisibleFight, asks: Sequence[RollAsk]) -> list[str]:
    return list(dict.fromkeys(label(shown.encounter, x.who) for x in asks))


def _hint_roll(names: list[str]) -> str:
    if not names:
        return "no roll of yours is due"
    more = f", then {list_names([quote(n) for n in names[1:]])}" if names[1:] else ""
    return f"`roll {quote(names[0])}`{more}"


# --- without a GM


def _own_verb(
    e: Encounter,
    system: InitiativeSystem,
    shown: VisibleFight,
    viewer: Viewer,
    action: OwnVerb,
    saw: Standpoint,
) -> OwnVerb:
    verb = next((v for v in system.verbs if v.name == action.verb), None)
    if verb and verb.sender == "owner" and action.words:
        # A line that interrupts a turn is meant for that turn: if the turn is undone, so is the line.
        still = _check_turn if verb.interrupts else _check_round
        still(shown, saw)
        who = _resolve_own(
            e, shown, viewer, resolve_entry(shown.encounter, action.words[0], system.entries(shown.encounter))
        )
        return replace(action, words=(who, *action.words[1:]))
    if verb and verb.sender == "resolver":
        _check_resolver(system, shown, viewer, action, saw)
        return _translated_verb(e, shown.encounter, verb, action)
    raise _verb_error(action.verb, system, shown)


def _translated_verb(e: Encounter, visible: Encounter, verb: Verb, action: OwnVerb) -> OwnVerb:
    """Return a system's verb with the names of the whole fight in its words and keys."""
    if keeps_nothing(e):
        return action
    are_names = [takes in ("who", "several") for takes in verb.takes] + [False] * len(action.words)
    pairs = zip(action.words, are_names, strict=False)
    words_ = [_true_names(e, visible, word) if is_name else word for word, is_name in pairs]
    creatures = {f.key for f in verb.keys if f.kind == "creature"}
    keys = {k: _true_names(e, visible, v) if k in creatures else v for k, v in action.keys.items()}
    return replace(action, words=tuple(words_), keys=keys)


def _check_resolver(
    system: InitiativeSystem, shown: VisibleFight, viewer: Viewer, action: Action, saw: Standpoint
) -> None:
    """Raise RuleError unless this player resolves the running turn, or for `next` the coming one."""
    visible = shown.encounter
    if not is_gmless(system, visible) or not plays(visible, viewer):
        raise _verb_error(_verb_of(action), system, shown)
    _check_turn(shown, saw)
    if isinstance(action, Next) and action.times != 1:
        raise RuleError("a seat starts one turn at a time", "`next`")
    if not visible.turn and not isinstance(action, Next):
        raise RuleError("no turn is being resolved", "`next` starts one")
    if (key := resolved_entry(system, visible)) and not may_resolve(system, visible, key, viewer.name):
        raise RuleError(
            f"the turn of {label(visible, key)} is not yours to resolve", _name_carriers(visible, system, key)
        )


def _name_carriers(visible: Encounter, system: InitiativeSystem, key: str) -> str:
    """Return in words the players that may carry out a turn."""
    names = system.resolvers(visible, key) if isinstance(system, Gmless) else ()
    return (
        f"{' or '.join(names)} does it: `next` there begins and ends it"
        if names
        else "an opponent of its owner does"
    )


def _check_gmless(
    shown: VisibleFight,
    viewer: Viewer,
    action: Ok | Undo | Begin | Finish | Area | Temp | Apply | Skip,
    saw: Standpoint,
) -> None:
    """Check a line that everybody may send at a table without a GM, such as begin, area or undo.

    Raises RuleError for a viewer without a creature, for several steps of undo, and for a moment that is
    over.
    """
    if not plays(shown.encounter, viewer):
        raise RuleError(f"nobody here is {viewer.name}'s", _yours(shown, viewer))
    if isinstance(action, Undo):
        if action.steps != 1:
            raise RuleError("a seat undoes one step at a time", "`undo`")
    else:
        _check_round(shown, saw)


# --- turns, where the rules ask the players


def _turns_are_theirs(system: InitiativeSystem, visible: Encounter) -> bool:
    """Return whether players choose and end their own turns, in a fight with a GM."""
    return system.players_turns and not is_gmless(system, visible)


def open_acts(system: InitiativeSystem, shown: VisibleFight, viewer: Viewer) -> tuple[Act, ...]:
    """Return the turns and passes that this player may choose, as owner of the chooser or of the creature."""
    visible, offer = shown.encounter, shown.offer
    if not _turns_are_theirs(system, visible):
        return ()
    return tuple(
        act
        for act in offer.acts
        if act.kind in ("turn", "pass") and viewer.owns(visible, offer.chooser or act.who)
    )


def may_end(system: InitiativeSystem, shown: VisibleFight, viewer: Viewer) -> bool:
    """Return whether this player may end the running turn.

    A player may end the turns of own creatures, and of creatures without a player on the own side.
    """
    visible = shown.encounter
    if not visible.turn or not _turns_are_theirs(system, visible):
        return False
    people = members(visible, visible.turn.who)
    if any(c.owner for c in people):
        return any(viewer.mine(c) for c in people)
    side = side_of(visible, visible.turn.who)
    return any(c.side == side for c in own_creatures(visible.combatants, viewer))


def _turn(
    e: Encounter,
    system: InitiativeSystem,
    shown: VisibleFight,
    viewer: Viewer,
    action: TakeTurn | Pass | End,
    saw: Standpoint,
) -> Action:
    """Return the action if this player is offered the turn or pass, or may end the turn. Raises RuleError."""
    visible = shown.encounter
    if not _turns_are_theirs(system, visible) or not plays(visible, viewer):
        raise _verb_error(_verb_of(action), system, shown)
    acts = open_acts(system, shown, viewer)
    lines = act_lines(visible, acts)
    if isinstance(action, TakeTurn):
        ids = resolve(visible, action.who)  # first of all: a name that no creature has is refused as unknown
        _check_turn(shown, saw)
        rows = system.entries(visible)
        # The name of all creatures of a row stands for the row, which is how a group is named.
        whole = [x.key for x in rows if x.members and set(x.members).issubset(ids)]
        keys = (ids[0], resolve_entry(visible, action.who, rows)) if len(ids) == 1 else (*ids, *whole)
        key = next((act.who for act in acts if act.kind == "turn" and act.who in keys), "")
        if not key:
            who = whole[0] if len(whole) == 1 and len(ids) > 1 else ids[0]
            raise RuleError(f"{label(visible, who)} cannot act now", _choice_of(shown, viewer, lines))
        return replace(action, who=label(e, key))
    _check_turn(shown, saw)
    if isinstance(action, Pass):
        if not any(act.kind == "pass" for act in acts):
            raise RuleError("no pass is offered to you now", _choice_of(shown, viewer, lines))
    elif visible.turn and not may_end(system, shown, viewer):
        raise RuleError(
            f"the turn of {label(visible, visible.acting)} is not yours to end", _yours(shown, viewer)
        )
    elif not visible.turn and not any(viewer.owns(visible, shown.offer.chooser) for _ in acts[:1]):
        raise RuleError("no turn of yours is running", _choice_of(shown, viewer, lines))
    return action


def act_lines(visible: Encounter, acts: Sequence[Act]) -> list[str]:
    """Return the lines that take these acts."""
    return ["pass" if act.kind == "pass" else f"turn {quote(label(visible, act.who))}" for act in acts]


def _choice_of(shown: VisibleFight, viewer: Viewer, lines: Sequence[str]) -> str:
    if not lines:
        return WAIT_HINT if plays(shown.encounter, viewer) else _yours(shown, viewer)
    return " or ".join(f"`{line}`" for line in lines[:3]) + (
        f" or {len(lines) - 3} more" if lines[3:] else ""
    )


def _verb_of(action: Action) -> str:
    return action.verb if isinstance(action, OwnVerb) else action.syntax.verb
