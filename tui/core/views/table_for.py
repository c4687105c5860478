"""Fill the table for one viewer; all that anybody sees of a fight passes through here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from tui.core import table
from tui.core.base.cache import remember_results
from tui.core.fight.agenda import (
    AcknowledgeAsk,
    Ask,
    EffectAsk,
    Field,
    FormAsk,
    LockAsk,
    Mark,
    OrderRow,
    PickAsk,
    RollAsk,
    Saving,
    Sentence,
    say,
)
from tui.core.fight.combatant import Combatant, Condition, health_word
from tui.core.fight.encounter import (
    SIDE,
    Encounter,
    OpposedOutcome,
    OrderOutcome,
    Outcome,
    SurpriseOutcome,
    TargetOutcome,
    label,
    members,
    sides,
    unacted,
)
from tui.core.fight.viewer import Viewer, has_name, has_secret, is_plural, secret_names, sentences, text
from tui.core.language.attacks import read_attacks
from tui.core.language.tokens import tokens
from tui.core.language.values import read_bonuses
from tui.core.rules.difficulty import measure
from tui.core.rules.draft import able_companions, fallen_state, is_helpless
from tui.core.rules.now import lead_now, now, now_parts
from tui.core.rules.on_screen import on_screen
from tui.core.rules.optional import orders_of
from tui.core.rules.system import InitiativeSystem, is_gmless
from tui.core.rules.upkeep import COMMON_OPTIONS, house_rule
from tui.core.views.seen import VisibleFight, known_choice, known_offer, visible_fight
from tui.core.views.veil import hide_unknown, keeps_order, reads_dc

THE_GM_GOES_ON, A_PLAYER_GOES_ON = "The GM goes on", "A player goes on"
"""The Now line before the first turn that a viewer sees, with and without a game master."""

NOBODY_ACTS = "Nobody acts"
"""The Now line later in the fight, if nobody is seen to act and nothing is due."""


# One key pressed, 200 creatures: 0 ms if nothing has changed, 10 without the cache.
@remember_results
def table_for(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> table.Table:
    """Return the fight as the viewer sees it; the game master sees all of it.

    The store adds save, step, can_undo, can_redo and last.
    """
    # A second check after the redaction: it finds names by their letters in texts that people wrote.
    shown = visible_fight(e, system, viewer)
    e = hide_unknown(e, system, viewer)
    net = secret_names(e, viewer)
    visible, has_order = shown.encounter, keeps_order(e, system, viewer)
    outcome = None if has_order and isinstance(e.outcome, OrderOutcome) else e.outcome
    return table.Table(
        system=e.system,
        options={**{f.key: f.default for f in (*system.options, *COMMON_OPTIONS)}, **e.options},
        round=e.round,
        phase=visible.phase,
        acting=label(visible, visible.acting),
        actors=tuple(visible.combatants[k].name for k in visible.actors if k in visible.combatants),
        does=_predicate(visible) if viewer.gm else "",
        now=_view_now(shown, system, viewer, net),
        sides=_view_sides(shown, system, viewer),
        outcome=_view_outcome(visible, outcome, viewer) if outcome else table.OutcomeView(),
        area=_view_area(visible, system, viewer) if visible.area else table.AreaView(),
        due=tuple(_due(visible, ask, system, viewer, net) for ask in shown.due),
        offer=_view_offer(shown, net),
        track=tuple(
            _row(visible, row, 0 if has_order else place, system) for place, row in enumerate(shown.rows, 1)
        ),
        combatants=_view_creatures(e, visible, system, viewer),
        orders=tuple(_view_order(visible, system, o, viewer, net) for o in _read_orders(shown, viewer)),
        interrupts=tuple(_view_interrupts(e, system)) if viewer.gm else (),
        difficulty=_view_difficulty(e, system) if viewer.gm else table.DifficultyView(),
    )


def _view_difficulty(e: Encounter, system: InitiativeSystem) -> table.DifficultyView:
    known = measure(e, system)
    if known is None:
        return table.DifficultyView()
    values = {key: getattr(known, key) for key in known.__struct_fields__}
    return table.DifficultyView(**{**values, "steps": dict(known.steps)}, text=known.words())


def _write_line(e: Encounter, sentence: Sentence, viewer: Viewer, net: Sequence[str]) -> str:
    """Return the words of a sentence for this viewer; "" if they name an unseen creature."""
    line = sentences(e, (sentence,), viewer)
    return "" if has_secret(e, sentence, line, net) else line


def _view_sides(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> tuple[table.SideView, ...]:
    e = shown.encounter
    playing = dict[str, list[Combatant]]()
    for c in system.in_play(e):
        playing.setdefault(c.side, []).append(c)
    return tuple(
        table.SideView(
            name=name,
            turn=bool(shown.side) and name == shown.side,
            left=len(unacted(people)) if e.running else len(people),
            of=len(people),
            in_combat=system.in_combat(e, name) and (viewer.gm or len(playing) > 1),
            whose=text(e, say("{0}'s turn", SIDE + name)),
        )
        for name in dict.fromkeys([*system.sides, *sides(e)])
        for people in (playing.get(name, []),)
    )


def _view_outcome(e: Encounter, outcome: Outcome, viewer: Viewer) -> table.OutcomeView:
    """Return the outcome with names; empty for an opposed roll with an unseen creature.

    `e` is the part of the encounter that this viewer knows.
    """

    def met(*keys: str) -> tuple[str, ...]:
        # Only the game master sees the names of creatures that are gone.
        return tuple(label(e, k) for k in keys if viewer.gm or members(e, k))

    match outcome:
        case OpposedOutcome(winner, loser, by, totals, caught):
            # One name alone would tell that someone unseen was there to roll against.
            if len(met(winner, loser)) < 2:
                return table.OutcomeView()
            return table.OutcomeView(
                kind="opposed",
                winner=label(e, winner),
                loser=label(e, loser),
                by=by,
                totals={name: n for k, n in totals.items() for name in met(k)},
                caught=met(*caught),
            )
        case OrderOutcome(order):
            # Players do not see who is out: an unseen creature may have rolled for a side of which all are
            # out, and the order is recorded again, without them, when an unseen creature comes.
            here = (k for k in order if viewer.gm or any(not c.out for c in members(e, k)))
            return table.OutcomeView(kind="order", order=met(*here))
        case SurpriseOutcome(caught):
            return table.OutcomeView(kind="surprise", caught=met(*caught))
        case TargetOutcome(who, target, style):
            if len(met(who, target) if target else met(who)) < (2 if target else 1):
                return table.OutcomeView()
            return table.OutcomeView(kind="target", who=label(e, who), target=label(e, target), style=style)


def _view_area(e: Encounter, system: InitiativeSystem, viewer: Viewer) -> table.AreaView:
    """Return the area whose damage has not been dealt yet."""
    assert e.area is not None
    x = e.area

    def names(ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(label(e, k) for k in ids if k in e.combatants)

    more = tuple(table.DealtView(points, kind) for points, kind in x.more)
    dc = x.dc if reads_dc(e, system, viewer, *x.who) else 0
    return table.AreaView(
        x.points, x.kind, dc, x.key, x.half, more, names(x.who), names(x.made), names(x.failed)
    )


def _predicate(e: Encounter) -> str:
    """Return the predicate after the name of the running entry: `acts`, `does nothing`; "" outside turns."""
    if e.turn is None:
        return ""
    many = is_plural(e, e.acting)
    if is_helpless(e, e.acting):
        return "do nothing" if many else "does nothing"
    if able_companions(e):
        return f"is {fallen_state(e, e.acting)}"
    return "act" if many else "acts"


def _view_interrupts(e: Encounter, system: InitiativeSystem) -> Iterator[table.InterruptView]:
    """Yield the lines with which a creature that does not act could interrupt the running turn."""
    acting = {e.combatants[k].name for k in e.actors}
    for verb in ("react", *(v.name for v in system.verbs if v.interrupts)) if e.turn else ():
        for x in on_screen(system).choices(e, verb):
            who = tokens(x.line)[1].text
            if who not in acting:
                yield table.InterruptView(verb, who, x.title, x.note)


# --- what is owed and offered


def _due(e: Encounter, ask: Ask, system: InitiativeSystem, viewer: Viewer, net: Sequence[str]) -> table.Due:
    whose = label(e, ask.who), _write_line(e, ask.why, viewer, net), ask.why.rule
    match ask:
        case RollAsk():
            save = _save(e, ask.who, ask.save, system, viewer) if ask.save else UNSET
            return table.RollDue(*whose, ask.dice, save, ask.names.any if ask.names else UNSET)
        case PickAsk():
            names = tuple(label(e, k) for k in ask.names if viewer.knows(e, k))
            return table.PickDue(*whose, names, min(ask.least, len(names)), min(ask.most, len(names)))
        case FormAsk():
            mine = viewer.gm or viewer.owns(e, ask.who)
            return table.FormDue(*whose, tuple(form_field(f, f.default if mine else "") for f in ask.fields))
        case AcknowledgeAsk():
            said = [(line, x.about[:1]) for x in ask.board if (line := _write_line(e, x, viewer, net))]
            about = (
                label(e, key) if viewer.knows(e, key) else "" for _, keys in said for key in keys or ("",)
            )
            return table.ReadDue(*whose, tuple(line for line, _ in said), tuple(about))
        case LockAsk():
            return table.LockDue(*whose)
        case EffectAsk(name=name, damage=damage, heal=heal, type=kind):
            if heal:
                return table.EffectDue(*whose, name, heal=heal)
            return table.EffectDue(*whose, name, damage, kind)


def _save(e: Encounter, who: str, save: Saving, system: InitiativeSystem, viewer: Viewer) -> table.SaveView:
    """Return a saving throw, with the bonus to its die if the viewer may read the creature's sheet."""
    c = e.combatants.get(who)
    mine = viewer.gm or bool(system.open_sheets(e)) or (c is not None and viewer.mine(c))
    dc = save.dc if reads_dc(e, system, viewer, who) else UNSET
    return table.SaveView(save.cause, save.name, dc, save.key, save.bonus if mine else UNSET)


def form_field(f: Field, default: Any) -> table.FieldView:
    """Return a part of a form, with `default` as the proposed value."""
    return table.FieldView(f.key, f.title, f.kind, default, f.choices)


def _view_offer(shown: VisibleFight, net: Sequence[str]) -> table.OfferView:
    e, offer = shown.encounter, shown.offer
    if not offer.acts:
        return table.OfferView()
    acts = tuple(table.ActView(act.kind, label(e, act.who) if act.who else "") for act in offer.acts)
    reason = text(e, offer.why)
    return table.OfferView(
        label(e, offer.chooser), acts, "" if has_name(reason, net) else reason, offer.why.rule
    )


# --- rows and creatures


def _row(e: Encounter, row: table.TableRow, place: int, system: InitiativeSystem) -> table.RowView:
    creatures = [e.combatants[k] for k in row.members if k in e.combatants]
    return table.RowView(
        entry=label(e, row.entry),
        members=tuple([c.name for c in creatures]),
        place=place,
        value=row.value,
        state=row.state,
        tags=_tags(creatures, system),
        why=row.why,
        face=row.face or UNSET,
    )


def list_marks(creatures: Iterable[Combatant], system: InitiativeSystem) -> list[Mark]:
    """Return the declared marks that at least one of these creatures has, in order of declaration."""
    names = {name for c in creatures for name in c.marks}
    return [mark for name, mark in system.all_marks.items() if name in names] if names else []


def _tags(creatures: Sequence[Combatant], system: InitiativeSystem) -> tuple[str, ...]:
    """Return the tags of an entry: the marks that one of its members has."""
    marks = [mark.tag for mark in list_marks(creatures, system) if mark.tag]
    return (*marks, *(["hidden"] if any(c.hidden for c in creatures) else []))


def _view_creatures(
    e: Encounter, visible: Encounter, system: InitiativeSystem, viewer: Viewer
) -> tuple[table.Creature, ...]:
    """Return the creatures of `visible`, the part of `e` that the viewer knows."""
    sheet = "open" if viewer.gm or system.open_sheets(e) else house_rule(e, "view.health")
    armour = bool(house_rule(e, "view.ac"))
    # Creatures that the viewer does not know must not become known by the conditions that they gave to
    # others.
    hidden_sources = {
        x.of for c in e.combatants.values() for x in c.conditions if x.of and not viewer.knows(e, x.of)
    }
    result = list[table.Creature]()
    for c in visible.combatants.values():
        shown = "open" if viewer.mine(c) else sheet
        result.append(_view_creature(visible, c, hidden_sources, system, viewer, shown, armour=armour))
    return tuple(result)


_OPEN = ("id", "name", "alias", "side", "group", "owner", "owners", "out", "hidden", "arrives", "dead")
"""The values of a creature that every viewer reads who sees it."""
_SHEET = ("temp_max", "resist", "vulnerable", "immune", "fields")
"""The values that only viewers of an open sheet read."""


def _view_creature(
    visible: Encounter,
    c: Combatant,
    hidden_sources: set[str],
    system: InitiativeSystem,
    viewer: Viewer,
    sheet: str,
    *,
    armour: bool,
) -> table.Creature:
    """Return a creature: all of an `open` sheet, else what the house rule `view.health` shows."""
    whole, numbers = sheet == "open", sheet in ("open", "numbers")
    counters = [table.CounterView(x.name, x.n, x.most or None, x.reset) for x in c.counters if whole]
    has_dc = not any(x.dc for x in c.conditions) or reads_dc(visible, system, viewer, c.id)
    sheet_values: dict[str, Any] = {key: getattr(c, key) for key in _SHEET} if whole else {}
    return table.Creature(
        **{key: getattr(c, key) for key in _OPEN},
        **sheet_values,
        note=c.note if viewer.gm or viewer.mine(c) else "",
        card=c.card if viewer.gm else "",
        conditions=tuple(
            _view_condition(visible, x if has_dc else replace(x, dc=0), hidden_sources) for x in c.conditions
        ),
        marks=_view_marks(c, system),
        hp=c.hp if numbers else UNSET,
        max_hp=c.max_hp if whole else c.most_hp if numbers else UNSET,
        temp_hp=c.temp_hp if numbers else UNSET,
        save_bonus=read_bonuses(c.save_bonus) if whole else UNSET,
        health=health_word(c) if sheet == "word" else UNSET,
        counters=tuple(counters),
        attacks=read_attacks(c.attacks) if whole else UNSET,
        ac=c.ac if whole or armour else UNSET,
        saves=_saves(c) if whole else UNSET,
        unable=explain_unable(visible, c, system) if viewer.gm or viewer.mine(c) else UNSET,
        fixed=c.value if viewer.gm else UNSET,
    )


def _view_marks(c: Combatant, system: InitiativeSystem) -> dict[str, bool]:
    """Return every mark of a creature that has a word; one without is the system's own bookkeeping."""
    keys = [mark.key for mark in list_marks((c,), system) if mark.word]
    return dict.fromkeys([*keys, *(["hidden"] if c.hidden else [])], True)


def _view_condition(visible: Encounter, x: Condition, hidden_sources: set[str]) -> table.ConditionView:
    known = x.of not in hidden_sources
    source = label(visible, x.of) if x.of and known else ""
    return table.ConditionView(**asdict(replace(x, of=source, fresh=x.fresh and known)))


def explain_unable(e: Encounter, c: Combatant, system: InitiativeSystem) -> str:
    """Return the reason why a creature cannot react; "" if it can, and outside a fight."""
    if not e.running:
        return ""
    return c.gone or ("dying" if c.dying else system.no_reaction(e, c))


def _saves(c: Combatant) -> table.DeathSavesView:
    """Return the death saves of a dying creature; {} for any other."""
    x = c.dying
    return table.DeathSavesView(x.good, x.bad, x.stable) if x else table.DeathSavesView()


# --- orders


def _read_orders(shown: VisibleFight, viewer: Viewer) -> list[OrderRow]:
    """Return the orders that this viewer may read: their own, open ones, and the public part of others."""
    e = shown.encounter
    rows = [o for o in shown.orders if viewer.knows(e, o.who)]
    orders = [o if viewer.gm or o.open or viewer.owns(e, o.who) else _public_part(o) for o in rows]
    return [o for o in orders if o is not None]


def _public_part(o: OrderRow) -> OrderRow | None:
    text = {k: v for k, v in o.text.items() if k in o.public and v}
    return OrderRow(o.who, o.state, text) if text else None


def _view_order(
    e: Encounter, system: InitiativeSystem, o: OrderRow, viewer: Viewer, net: Sequence[str]
) -> table.OrderView:
    """Return an order as the viewer may read it.

    Every viewer who may read a player's words reads all of them, whatever names they have. If the GM wrote
    the order for creatures without a player, a component with an unseen name is left out.
    """
    mine = viewer.gm or any(c.owner for c in members(e, o.who))
    own: Mapping[str, str] = {k: v for k, v in o.text.items() if v and (mine or not has_name(v, net))}
    alternatives = {k: v for k, v in o.instead.items() if k in own and (mine or not has_name(v, net))}
    shown = replace(o, text=dict(own), instead=alternatives)
    # Without a GM the players share this table: not even a doubt about an order may be counted there.
    is_shared = viewer.gm and not o.open and o.state != "owed" and is_gmless(system, e)
    return table.OrderView(
        who=label(e, o.who),
        state=o.state,
        text=shown.text,
        default=dict(o.default),
        warnings=() if is_shared else o.warnings,
        instead=alternatives,
        wording=tuple(shown.wording(part) for part in own),
        open=o.open,
        sealed=is_shared or (viewer.gm and o.state == "written" and o.who in e.sealed),
    )


# --- now


def say_now(e: Encounter, system: InitiativeSystem) -> str:
    """Return the game master's Now line without backticks."""
    return text(e, now(e, system, lead_now(e, system), orders_of(system, e))).replace("`", "")


def describe_wait(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer) -> str:
    """Return the Now line of a viewer of whom nothing is asked: it names who chooses, or who goes on.

    Only seen creatures are counted, because nobody may learn that an unseen one chooses.
    """
    visible, offer = shown.encounter, known_offer(shown, system)
    if known_choice(shown, system, viewer).acts:
        return text(visible, say("{0} chooses who acts", offer.chooser))
    if any(c.shown for c in visible.combatants.values()):
        return NOBODY_ACTS
    # A player may begin the turn of an own creature; the viewer's own turn would be on offer.
    begun = offer.turns if system.players_turns and len(offer.acts) == 1 else ()
    starting = (c for key in begun for c in members(visible, key) if c.owner and not viewer.mine(c))
    owners = {name.lower(): name for c in starting for name in c.owners}
    return f"{', '.join(owners.values())} or the GM goes on" if owners else THE_GM_GOES_ON


def _view_now(shown: VisibleFight, system: InitiativeSystem, viewer: Viewer, net: Sequence[str]) -> str:
    e = shown.encounter
    if viewer.gm:
        return text(e, now(e, system, shown.lead, shown.orders))
    if shown.waits:
        return A_PLAYER_GOES_ON if is_gmless(system, e) else describe_wait(shown, system, viewer)
    pairs = ((part, text(e, part)) for part in now_parts(e, system, shown.due, shown.offer, shown.orders))
    return "; ".join(
        line
        for part, line in pairs
        if line and viewer.may_read(e, part) and not has_secret(e, part, line, net)
    )
