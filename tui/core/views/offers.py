"""Find every line that a viewer may send now; a page shows exactly these, and `gate` compares with them.

The offers are made from the fight as the viewer knows it, so that they are the same whether there are unseen
creatures or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Choice, FormAsk, PickAsk, RollAsk
from tui.core.fight.encounter import SIDE, Encounter, key_of, label, members, side_of, unacted
from tui.core.fight.viewer import Viewer, own_creatures, text
from tui.core.language.actions import React
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.grammar import parse
from tui.core.language.select import resolve
from tui.core.language.tokens import quote
from tui.core.page import FormOffer, LineOffer, Offers, PickOffer, PointsOffer, RollOffer
from tui.core.rules import turns
from tui.core.rules.decide import draft_of
from tui.core.rules.draft import Draft
from tui.core.rules.on_screen import on_screen
from tui.core.rules.optional import orders_of
from tui.core.rules.system import InitiativeSystem, is_gmless
from tui.core.rules.upkeep import house_rule
from tui.core.views.seen import VisibleFight, visible_fight
from tui.core.views.table_for import explain_unable, form_field

REACT = "react"


def offers_for(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> Offers:
    """Return the lines that this viewer may send now; nothing for the public and for the game master."""
    if viewer.gm or not viewer.name:
        return Offers()
    shown = visible_fight(e, system, viewer)
    visible = shown.encounter
    asks = [x for x in shown.due if viewer.owns(visible, x.who)]
    return Offers(
        forms=tuple(_offer_forms(visible, system, viewer, [x for x in asks if isinstance(x, FormAsk)])),
        rolls=tuple(_roll(visible, viewer, x) for x in asks if isinstance(x, RollAsk)),
        picks=tuple(_picks(visible, viewer, [x for x in asks if isinstance(x, PickAsk)])),
        lines=_lines(shown, system, viewer),
        points=tuple(_points(visible, viewer)),
    )


# --- orders, rolls and choices that are due


def _offer_forms(
    e: Encounter, system: InitiativeSystem, viewer: Viewer, asks: Iterable[FormAsk]
) -> Iterator[FormOffer]:
    """Yield the owed orders of own creatures, then written ones that may be written again."""
    written = {o.who: dict(o.text) for o in orders_of(system, e)}
    owed = {ask.who: ask.fields for ask in asks}
    again = {
        key: fields
        for key in _own_rows(e, system, viewer)
        if key not in owed and (fields := on_screen(system).order_fields(e, key) if e.running else ())
    }
    for key, fields in {**owed, **again}.items():
        helps = {f.key: f.help for f in fields if f.help}
        parts = tuple(form_field(f, f.default) for f in fields)
        yield FormOffer(label(e, key), parts, helps, key in owed, written.get(key, {}), e.round)


def _own_rows(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> list[str]:
    """Return the keys of the rows that have a creature of this player."""
    mine = own_creatures(e.combatants, viewer)
    ids, keys = {c.id for c in mine}, {key for c in mine for key in (c.id, key_of(c))}
    return [row.key for row in system.entries(e) if row.key in keys or not ids.isdisjoint(row.members)]


def _roll(e: Encounter, viewer: Viewer, ask: RollAsk) -> RollOffer:
    """Return an owed roll of own creatures; one of a group or side may roll for it (UNB-2)."""
    who, mine = label(e, ask.who), [c.name for c in members(e, ask.who) if viewer.mine(c)]
    rollers = tuple(name for name in mine if name != who)
    context = f"{e.round} {who}: {' '.join(f'd{sides}' for sides in ask.dice)} {ask.why.rule}"[:400]
    dealt = ask.names.any if ask.names else ""
    return RollOffer(who, ask.dice, text(e, ask.why), rollers, ask.ticks, dealt, context)


def _picks(e: Encounter, viewer: Viewer, asks: Iterable[PickAsk]) -> Iterator[PickOffer]:
    """Yield the owed choices whose names the viewer knows."""
    for ask in asks:
        if all(viewer.knows(e, key) for key in ask.names):
            names = tuple(label(e, key) for key in ask.names)
            context = f"{e.round} {ask.key} {','.join(names)}"
            yield PickOffer(text(e, ask.why), names, ask.least, ask.most, context)


def _points(e: Encounter, viewer: Viewer) -> Iterator[PointsOffer]:
    """Yield the own creatures if the game master lets players change their points."""
    if house_rule(e, "players.points") == "own":
        for c in own_creatures(e.combatants, viewer):
            yield PointsOffer(c.name, tuple(x.name for x in c.counters))


# --- whole lines


def _lines(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> dict[str, tuple[LineOffer, ...]]:
    e = shown.encounter
    if not e.running:
        return {}
    now = f"{e.round} {e.phase} {label(e, e.acting) if e.turn else ''}"
    choices = {
        "turn": _turns(shown, system, viewer),
        "pass": _pass(shown, system, viewer),
        "end": _ends(shown, system, viewer),
        "done": _done(shown, system, viewer),
        **_choices(e, system, viewer),
    }
    return {
        verb: tuple(LineOffer(c.line, c.title, c.note, c.meaning, c.instead, c.kin, now) for c in offered)
        for verb, offered in choices.items()
        if offered
    }


def has_choice(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> bool:
    """Return whether the chooser of what is on offer, or a creature that may act, is this player's."""
    e, offer = shown.encounter, shown.offer
    if not system.players_turns or is_gmless(system, e):
        return False
    return any(viewer.owns(e, offer.chooser or act.who) for act in offer.acts)


def _turns(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> list[Choice]:
    """Return the offered turns that this player may choose."""
    e, offer = shown.encounter, shown.offer
    if not has_choice(shown, system, viewer):
        return []
    names = [
        label(e, a.who) for a in offer.acts if a.kind == "turn" and viewer.owns(e, offer.chooser or a.who)
    ]
    return [Choice(f"turn {quote(name)}", name) for name in names]


def _pass(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> list[Choice]:
    passes = any(act.kind == "pass" for act in shown.offer.acts)
    chooses = viewer.owns(shown.encounter, shown.offer.chooser) and has_choice(shown, system, viewer)
    return [Choice("pass", "pass")] if passes and chooses else []


def _ends(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> list[Choice]:
    """Return the `end` of the running turn, or of the side's if all who have not acted are the player's."""
    e = shown.encounter
    if not system.players_turns or is_gmless(system, e):
        return []
    if e.turn:
        may = turns.may_end(e, system) and _may_end(e, viewer)
        return [Choice("end", label(e, e.acting))] if may else []
    side = side_of(e, shown.offer.chooser)
    owns = _owns_rest(e, system, viewer, side) and has_choice(shown, system, viewer)
    return [Choice("end", label(e, SIDE + side))] if owns and _works(e, system, turns.run_end) else []


def _done(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> list[Choice]:
    """Return `done` of the side whose turn it is, if all who have not acted are the player's."""
    e, side = shown.encounter, system.turn_side(shown.encounter)
    may = system.players_turns and not is_gmless(system, e) and (e.turn is None or _may_end(e, viewer))
    owns = may and _owns_rest(e, system, viewer, side)
    works = owns and _works(e, system, lambda d, s: turns.run_done(d, s, side))
    return [Choice("done", label(e, SIDE + side))] if works else []


def _owns_rest(e: Encounter, system: InitiativeSystem, viewer: Viewer, side: str) -> bool:
    """Return whether all of a side who have not acted are this player's."""
    left = unacted([c for c in system.in_play(e) if c.side == side])
    return bool(side and left) and all(viewer.mine(c) for c in left)


def _works(e: Encounter, system: InitiativeSystem, does: Callable[[Draft, InitiativeSystem], None]) -> bool:
    try:
        draft_of(e, system, does)
    except RuleError:
        return False
    return True


def _may_end(e: Encounter, viewer: Viewer) -> bool:
    """Return whether a player may end the running turn.

    A player may end the turns of own creatures, and of creatures without a player on the own side.
    """
    assert e.turn is not None
    people = members(e, e.turn.who)
    if any(c.owner for c in people):
        return any(viewer.mine(c) for c in people)
    side = side_of(e, e.turn.who)
    return any(c.side == side for c in own_creatures(e.combatants, viewer))


def _choices(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> dict[str, list[Choice]]:
    """Return reactions and the system's verbs of owners, each with the lines about own creatures."""
    own = {v.name for v in system.verbs}
    verbs = (REACT, *(v.name for v in system.verbs if v.sender == "owner"))
    found = {
        verb: [c for c in on_screen(system).choices(e, verb) if _is_own(e, viewer, c, own)] for verb in verbs
    }
    # A system that lists no reactions has one a round for each creature.
    if not on_screen(system).choices(e, REACT) and not orders_of(system, e):
        able = [c for c in own_creatures(e.combatants, viewer) if not explain_unable(e, c, system)]
        found[REACT] = [Choice(f"react {quote(c.name)}", c.name, "reaction") for c in able]
    return found


def _is_own(e: Encounter, viewer: Viewer, choice: Choice, own: set[str]) -> bool:
    """Return whether a line is about this player's creature: others' sealed orders must not be offered."""
    try:
        match parse(choice.line, own):
            case React(who):
                ids = resolve(e, who)
            case OwnVerb(_, words) if words:
                ids = resolve(e, words[0])
            case _:
                return False
    except RuleError:
        return False
    return all(viewer.mine(e.combatants[k]) for k in ids)
