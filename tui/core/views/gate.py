"""Compare a player's line with what the player's page offers; the rules then decide as for any line.

A line that is not offered is refused in words made of the offers alone, so that no refusal reveals an unseen
creature. An accepted line gets the names of the whole fight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import names_beginning, quote
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.viewer import Viewer
from tui.core.language import actions as a
from tui.core.language.creature_actions import Damage, Heal, OwnVerb, Tally, Temp
from tui.core.language.grammar import parse
from tui.core.language.select import list_names, resolve_entry
from tui.core.page import FormOffer, LineOffer, Offers, PickOffer, RollOffer
from tui.core.rules.decide import Rules, decide
from tui.core.rules.system import InitiativeSystem
from tui.core.views.seen import visible_fight

WAIT_HINT: Final = "your page says when it is your moment"
GONE_ON: Final = "the fight has moved on"
"""The refusal of a line that only an earlier page offered."""

ORDER_KEYS: Final = ("again",)
"""The parts of `order` that no form lists: last round's order once more."""

_PLAIN: Final = "0123456789"

PointsAction = Damage | Heal | Temp | Tally


class Permit(Struct, frozen=True):
    """A line that the page offers; `names` maps each name as typed to the name as offered.

    A context tells the moment that the line is meant for: the same line in another context means another
    thing.
    """

    contexts: tuple[str, ...]
    names: dict[str, str] = {}


def compare(offers: Offers, action: a.Action, own: Sequence[str]) -> Permit:
    """Return how the offers contain a line. Raises RuleError for a line that they do not contain.

    `own` are the verbs of the running system.
    """
    match action:
        case a.Order(who, keys):
            form = _find_form(who, offers.forms)
            known = (*(f.key for f in form.fields), *ORDER_KEYS)
            if unknown := [key for key in keys if key not in known]:
                raise RuleError(f"the form has no {unknown[0]}=", f"it has {list_names(known[:-1])}")
            return Permit((f"{form.who} {form.round}",), {who: form.who})
        case a.Roll(who, faces):
            roll = _find_roll(offers, who, typed=bool(faces))
            return Permit((roll.context,), {who: _roller(roll, who)})
        case a.Total(totals):
            rolls = [_find_roll(offers, who, typed=True) for who, _ in totals]
            pairs = zip(totals, rolls, strict=True)
            return Permit(
                tuple(x.context for x in rolls), {who: _roller(roll, who) for (who, _), roll in pairs}
            )
        case a.Made(names) | a.Failed(names):
            rolls = [_find_roll(offers, who, ticks=True) for who in names]
            pairs_ = zip(names, rolls, strict=True)
            return Permit(tuple(x.context for x in rolls), {who: _roller(x, who) for who, x in pairs_})
        case a.Pick(names):
            pick = _find_pick(offers.picks, names)
            return Permit((pick.context,), {n: names_beginning(n, pick.names)[0] for n in names})
        case Damage() | Heal() | Temp() | Tally():
            return _points(offers, action)
        case _:
            found = _find_line(offers, action, own)
            names_ = {action.who: _named(found.line, own)} if isinstance(action, a.TakeTurn | a.React) else {}
            return Permit((found.context,), names_)


def allow(
    e: Encounter, system: InitiativeSystem, viewer: Viewer, action: a.Action, permit: Permit, shown: Encounter
) -> a.Action:
    """Return a permitted action with the names of the whole fight in place of those that the player reads.

    `shown` is the moment that the player is shown. Raises RuleError.
    """
    visible = visible_fight(shown, system, viewer).encounter

    def true(name: str) -> str:
        return _true_name(e, visible, system, permit.names.get(name, name))

    match action:
        case a.Order() | a.Roll() | a.TakeTurn() | a.React() | Damage() | Heal() | Temp() | Tally():
            return replace(action, who=true(action.who))
        case a.Total(totals):
            return replace(action, totals=tuple((true(who), n) for who, n in totals))
        case a.Made(names) | a.Failed(names) | a.Pick(names):
            return replace(action, names=tuple(map(true, names)))
        case OwnVerb(_, words) if words:
            return replace(action, words=(true(words[0]), *words[1:]))
        case _:
            return action


def refuse_as_known(
    e: Encounter, rules: Rules, viewer: Viewer, action: a.Action, offers: Offers
) -> RuleError:
    """Return the refusal, as this player may read it, of a line that the rules refuse.

    If the encounter that the player knows refuses the line too, that refusal is returned; else a general one,
    because the true reason is unseen.
    """
    try:
        decide(visible_fight(e, rules.systems.get(e.system), viewer).encounter, action, rules)
    except RuleError as error:
        # A hint may name lines that only the game master sends.
        if any(line.split(" ")[0] not in offers.verbs for line in error.hint.split("`")[1::2]):
            error.hint = "ask the GM"
        return error
    return RuleError("that cannot be done now", WAIT_HINT)


def _true_name(e: Encounter, visible: Encounter, system: InitiativeSystem, name: str) -> str:
    """Return a name that the player reads as the name of the whole fight."""
    keys = (*(row.key for row in system.entries(visible)), *visible.combatants)
    by_label = {label(visible, key).lower(): key for key in reversed(keys)}
    if key := by_label.get(name.lower()):
        return label(e, key)
    try:
        return label(e, resolve_entry(visible, name, system.entries(visible)))
    except RuleError:
        return name  # a word of a choice, such as a die


# --- the offer that contains a line


def _find_form(who: str, forms: Sequence[FormOffer]) -> FormOffer:
    """Return the form of WHO. Raises RuleError."""
    titles = [x.who for x in forms]
    fitting = names_beginning(who, titles)
    if len(fitting) == 1:
        return forms[titles.index(fitting[0])]
    raise _not_offered(f"order {quote(who)}", [f"order {quote(x)}" for x in titles])


def _find_roll(offers: Offers, who: str, *, ticks: bool = False, typed: bool = False) -> RollOffer:
    """Return the owed roll of WHO; with `ticks` one that can be made or failed. Raises RuleError.

    `typed`: whether its faces or its total are typed, which cards do not take.
    """
    rolls = [x for x in offers.rolls if x.ticks or not ticks]
    titles = list(dict.fromkeys(name for x in rolls for name in (x.who, *x.rollers)))
    if not who and rolls:
        raise RuleError("roll: whose dice?", _lines_hint([f"roll {quote(x.who)}" for x in rolls]))
    fitting = names_beginning(who, titles)
    if len(fitting) == 1:
        # A creature that owes a roll of its own answers that one before one of its side.
        rolls.sort(key=lambda x: x.who != fitting[0])
        roll = next(x for x in rolls if fitting[0] in (x.who, *x.rollers))
        if typed and roll.dealt:
            raise RuleError(f"{roll.dealt} is dealt, not typed", f"`roll {quote(roll.who)}`")
        return roll
    title = "save" if ticks else "roll"
    owed = list(dict.fromkeys(f"roll {quote(x.who)}" for x in offers.rolls))
    raise RuleError(f"{who or 'nobody of yours'} owes no {title}", _lines_hint(owed), kind="not_due")


def _roller(roll: RollOffer, who: str) -> str:
    """Return the name in full of who rolls: the row itself, or a member of it."""
    return names_beginning(who, (roll.who, *roll.rollers))[0]


def _find_pick(picks: Sequence[PickOffer], names: Sequence[str]) -> PickOffer:
    """Return the first choice in which these names can be chosen. Raises RuleError."""
    for pick in picks[:1]:
        chosen = [names_beginning(name, pick.names) for name in names]
        if all(len(x) == 1 for x in chosen) and pick.least <= len(names) <= pick.most:
            return pick
    wanted = " ".join(map(quote, names)) or "none"
    raise _not_offered(f"pick {wanted}", [f"pick {quote(n)}" for x in picks[:1] for n in x.names])


def _find_line(offers: Offers, action: a.Action, own: Sequence[str]) -> LineOffer:
    """Return the whole line that is this action; a reaction is named by its creature. Raises RuleError."""
    verb = action.verb if isinstance(action, OwnVerb) else action.syntax.verb
    offered = offers.lines.get(verb, ())
    if isinstance(action, a.TakeTurn | a.React):
        names = [_named(x.line, own) for x in offered]
        fitting = names_beginning(action.who, list(dict.fromkeys(names)))
        if len(fitting) == 1:
            return offered[names.index(fitting[0])]
    else:
        for x in offered:
            if _same(parse(x.line, own), action):
                return x
    raise _not_offered(verb, [x.line for x in offered])


def _named(line: str, own: Sequence[str]) -> str:
    """Return the name in an offered line."""
    action = parse(line, own)
    assert isinstance(action, a.TakeTurn | a.React)
    return action.who


def _same(offered: a.Action, action: a.Action) -> bool:
    """Return whether two lines are the same but for letter case."""
    if isinstance(offered, OwnVerb) and isinstance(action, OwnVerb):
        words = [[w.lower() for w in x.words] for x in (offered, action)]
        return offered.verb == action.verb and words[0] == words[1] and offered.keys == action.keys
    return offered == action


def _points(offers: Offers, action: PointsAction) -> Permit:
    """Return the permit of a line that changes points, with a number and nothing else. Raises RuleError."""
    verb = action.syntax.verb
    fitting = names_beginning(action.who, [x.who for x in offers.points])
    counts = isinstance(action, Tally)
    if len(fitting) != 1:
        counted = [(x.who, name) for x in offers.points for name in x.counters]
        some = counted if counts else [(x.who,) for x in offers.points]
        raise _not_offered(verb, [" ".join((verb, *map(quote, names), "1")) for names in some])
    counters = next(x.counters for x in offers.points if x.who == fitting[0])
    words = (action.counter, action.amount) if isinstance(action, Tally) else (action.amount,)
    plain = type(action)(action.who, *words)
    amount = action.amount.lstrip("+-") if isinstance(action, Tally) else action.amount
    if plain != action or not amount or len(amount) > 6 or any(x not in _PLAIN for x in amount):
        hint = f"`{verb} NAME COUNTER 5`" if counts else f"`{verb} NAME 5`"
        raise RuleError(f"{verb} takes a creature of yours and a number here", hint)
    if isinstance(action, Tally) and action.counter.lower() not in [x.lower() for x in counters]:
        hint = f"it has {list_names(counters)}" if counters else ""
        raise RuleError(f"{fitting[0]} has no counter {action.counter}", hint)
    return Permit((), {action.who: fitting[0]})


def _not_offered(what: str, lines: Sequence[str]) -> RuleError:
    return RuleError(f"{what} is not offered to you now", _lines_hint(lines))


def _lines_hint(lines: Sequence[str]) -> str:
    if not lines:
        return WAIT_HINT
    more = f" or {len(lines) - 3} more" if lines[3:] else ""
    return " or ".join(f"`{line}`" for line in lines[:3]) + more
