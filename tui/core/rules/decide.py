"""Turn an action into events, or raise RuleError and change nothing; run the actions of the whole table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import list_slots, literal
from tui.core.fight.combatant import Combatant
from tui.core.fight.dice import Dice
from tui.core.fight.encounter import SIDE, Encounter
from tui.core.language import actions as a
from tui.core.language import creature_actions as ca
from tui.core.language import values
from tui.core.language.creature_actions import Damage, OwnVerb, Remove, RosterAction
from tui.core.language.select import leave_out, resolve_standing
from tui.core.rules import attacking, health, numbers, roster, saving, turns
from tui.core.rules.draft import Draft, close_turns
from tui.core.rules.health import damage_taken, resist, take_damage
from tui.core.rules.newcomers import Kept, Sources
from tui.core.rules.now import suggest_line
from tui.core.rules.numbers import Roller, roll_amount
from tui.core.rules.other_systems import carry_over, describe_unread, list_bonuses
from tui.core.rules.system import InitiativeSystem, Systems, in_reserve
from tui.core.rules.upkeep import COMMON_OPTIONS


def run_table_action(
    d: Draft, system: InitiativeSystem, action: a.TableAction, systems: Systems, roller: numbers.Roller
) -> None:
    """Run `dice`, `option`, `system` or `note`. Raises RuleError."""
    match action:
        case a.FreeRoll():
            _roll_freely(d, action, roller)
        case a.Option(keys):
            for key, text in keys.items():
                field = values.find_field(key, (*system.options, *COMMON_OPTIONS), system.title)
                d.emit(ev.OptionSet(key, values.read_value(field, text)))
        case a.System(name, bonus):
            _change_system(d, system, systems.get(name), systems, bonus=bonus)
        case a.Note(text):
            d.emit(ev.NoteTaken(literal(values.read_text(text, "the note"))))


def _roll_freely(d: Draft, action: a.FreeRoll, roller: numbers.Roller) -> None:
    """Roll dice that no rule asks for. Raises RuleError for an expression without dice."""
    spelt = numbers.read_notation(action.expression)
    if not numbers.has_dice(spelt):
        raise RuleError(f"dice: {action.expression} has no dice", "`dice 2d6`")
    rolled = roller.roll(spelt)
    sides, faces = numbers.sides_and_faces(rolled)
    text = values.read_text(action.text, "the text")
    d.emit(ev.DiceThrown(spelt.words(), rolled.total, sides, faces, roller.how, text, action.open))


def _change_system(
    d: Draft, before: InitiativeSystem, system: InitiativeSystem, systems: Systems, *, bonus: bool
) -> None:
    """Let another system run the fight; values that it would misread are dropped.

    With `bonus` creatures without a bonus to the roll there keep the one that they had.
    """
    if system.id == d.encounter.system:
        hint = "`finish` ends the fight" if d.encounter.running else "`begin` starts the fight"
        raise RuleError(f"{system.title} is the system already", hint)
    saving.drop_area(d)
    if d.encounter.running:
        e = d.encounter
        bearers = {x.of or c.id for c in e.combatants.values() for x in c.conditions}
        lasting = before.turn_edges == "round"
        close_turns(d, [k for k in bearers if lasting and before.turn_begun(e, k)])
    d.emit(ev.SystemChanged(system.id))
    kept = list_bonuses(d.encounter.combatants.values(), before, system) if bonus else {}
    carry_over(d, d.encounter.combatants.values(), before, system, systems)
    for who, value in kept.items():
        d.emit(ev.FieldSet(who, system.modifier, value))
    if notice := describe_unread(d.encounter, system, systems, d.encounter.combatants):
        d.notices.append(notice)


class Rules(Struct, frozen=True):
    """Everything besides the encounter that a decision depends on."""

    systems: Systems
    dice: Dice
    how: str = "app"
    """The source of the faces: `app` or `given`."""
    kept: Kept | None = None
    """The functions of library and box, if there is either."""


def decide(e: Encounter, action: a.Action, rules: Rules) -> tuple[ev.Event, ...]:
    """Return the events of an action. Raises RuleError with what is wrong and what would work."""
    return tuple(draft(e, action, rules).events)


def draft(e: Encounter, action: a.Action, rules: Rules) -> Draft:
    """Return the draft of an action, with the encounter after it. Raises RuleError."""
    system, settle = rules.systems.get(e.system), not isinstance(action, a.System)
    action = leave_out_reserve(e, system, action)
    return draft_of(e, system, lambda d, s: _dispatch(d, s, action, rules), settle=settle)


def draft_of(
    e: Encounter,
    system: InitiativeSystem,
    act: Callable[[Draft, InitiativeSystem], None],
    *,
    settle: bool = True,
) -> Draft:
    """Return a draft with the events of `act` and of the steps that then follow without a choice.

    Raises RuleError if `act` does, or if nothing changes.
    """
    d = Draft(e, system.all_marks, system.all_phases)
    act(d, system)
    saving.settle_line(d, system)
    if d.encounter.running and settle:
        system.settle(d)
    # A step that changes nothing would need an undo that changes nothing.
    if not d.events:
        raise RuleError("that changes nothing")
    return d


def refusal(e: Encounter, system: InitiativeSystem, action: ca.OwnVerb | ca.Area) -> str:
    """Return the message that refuses a system's verb or an area now; "" if it would be accepted."""
    roller = numbers.Roller(numbers.Lowest())

    def act(d: Draft, system: InitiativeSystem) -> None:
        request = leave_out_reserve(e, system, action)
        if isinstance(request, ca.Area):
            saving.start_area(d, system, request, roller)
        elif isinstance(request, ca.OwnVerb):
            _run_play(d, system, request, roller)

    try:
        draft_of(e, system, act)
    except RuleError as error:
        return error.message
    return ""


def _dispatch(d: Draft, system: InitiativeSystem, action: a.Action, rules: Rules) -> None:
    """Run an action with the function for its kind. Raises RuleError."""
    roller = numbers.Roller(rules.dice, rules.how)
    if isinstance(action, ca.RosterAction):
        roster.run_roster_action(d, system, action, Sources(rules.systems, roller, rules.kept))
    elif isinstance(action, ca.Damage) and action.pool:
        damage_in_turn(d, system, action, roller)
    elif isinstance(action, ca.HealthAction):
        health.run_health_action(d, system, action, roller)
    elif isinstance(action, ca.EffectAction):
        match action:
            case ca.Area():
                saving.start_area(d, system, action, roller)
            case ca.Rest():
                health.run_rest(d, system, action)
            case ca.Strike():
                attacking.run_attack(d, system, action, roller)
    elif isinstance(action, a.PlayAction | ca.OwnVerb):
        _run_play(d, system, action, roller)
    elif isinstance(action, a.TableAction):
        run_table_action(d, system, action, rules.systems, roller)
    else:
        raise RuleError("undo, redo and other files are handled by the store")


def _run_play(
    d: Draft, system: InitiativeSystem, action: a.PlayAction | ca.OwnVerb, roller: numbers.Roller
) -> None:
    """Run an action of play; a refusal without a hint gets a line that would work now."""
    before = d.encounter
    try:
        if isinstance(action, ca.OwnVerb):
            turns.check_running(before)
            _run_own_verb(d, system, action, roller)
        else:
            turns.run_play_action(d, system, action, roller)
    except RuleError as error:
        # If the faces do not fit, the message alone says everything.
        fits = error.kind == "not_due" or (error.kind == "not_allowed" and not isinstance(action, a.Roll))
        if fits and not error.hint:
            error.hint = suggest_line(before, system)
        raise


def _run_own_verb(d: Draft, system: InitiativeSystem, action: ca.OwnVerb, roller: numbers.Roller) -> None:
    """Run a verb of the system; one that damages takes an amount as its last word."""
    verb = next((v for v in system.verbs if v.name == action.verb), None)
    points = None
    if verb:
        ca.check_words(action, verb)
    if verb and verb.damages and len(action.words) > 1:
        points = numbers.roll_amount(d, roller, action.words[-1], verb.name)
    system.report(d, action)
    for k in resolve_standing(d.encounter, action.words[0]) if points is not None else ():
        health.take_damage(d, system, k, points or 0)


_NAMED = frozenset({"who", "bearer", "actor", "writer"})
"""The slots of lines that may mean a creature in reserve; those of rolls mean only creatures that owe one."""


def leave_out_reserve(e: Encounter, system: InitiativeSystem, action: a.Action) -> a.Action:
    """Return the action with its sides, patterns and groups cut to the creatures in play.

    Raises RuleError for one that means nobody in play, unless the line edits the roster. Outside a running
    fight nothing changes.
    """
    absent = frozenset(c.id for c in in_reserve(e, system)) if e.running else frozenset[str]()
    if not absent:
        return action
    if isinstance(action, OwnVerb):
        return _cut_verb(e, system, action, absent)
    # Enemies are prepared while they wait: what edits them may mean all of them at once, but removes none.
    edits = isinstance(action, RosterAction) and not isinstance(action, Remove)
    standing = not isinstance(action, RosterAction | ca.Back)
    texts = {
        slot.name: leave_out(e, who, absent, edits=edits, standing=standing)
        if isinstance(who, str)
        else tuple(leave_out(e, x, absent, standing=standing) for x in who)
        for slot in action.syntax.slots
        # The source of a condition may be a whole group, which no list of names is.
        if slot.takes in _NAMED and slot.name != "of" and (who := getattr(action, slot.name))
    }
    return replace(action, **texts) if texts else action


def _cut_verb(e: Encounter, system: InitiativeSystem, action: OwnVerb, absent: Collection[str]) -> OwnVerb:
    verb = next((v for v in system.verbs if v.name == action.verb), None)
    if verb is None or verb.brings:
        return action
    takes = [*verb.takes, *(verb.takes[-1:] or ("text",)) * len(action.words)]
    words = [
        leave_out(e, word, absent, standing=True) if kind in ("who", "several") else word
        for word, kind in zip(action.words, takes, strict=False)
    ]
    return replace(action, words=tuple(words))


def damage_in_turn(d: Draft, system: InitiativeSystem, action: Damage, roller: Roller) -> None:
    """Deal one amount to the creatures of WHO in roster order. Raises RuleError.

    Each creature takes as much as brings it to 0; the last one takes all that is left.
    """
    if action.half or action.none:
        message = "damage: pool=yes goes from one to the next, half= and none= mean nothing"
        raise RuleError(message, "leave them out")
    e = d.encounter
    keys = resolve_standing(e, action.who)
    people = [c for k, c in e.combatants.items() if k in keys and not c.out and c.hp != 0]
    if not people:
        raise RuleError(f"no creature of {action.who} is above 0", f"`damage {quote(action.who)} 1`")
    points = roll_amount(d, roller, action.amount, "damage")
    _announce_pool(d, keys, points)
    for at, c in enumerate(people, 1):
        absorbed = points if at == len(people) or c.hp is None else _damage_needed(c, points, action.type)
        if absorbed or not points:
            take_damage(d, system, c.id, damage_taken(d, c.id, absorbed, action.type), share=True)
        points -= absorbed
        if points <= 0:
            return


def _announce_pool(d: Draft, keys: Sequence[str], points: int) -> None:
    """Announce one amount for all who may take a part, to viewers who may not read the parts.

    Whom it reached would tell their hit points, so all are named, those at 0 too.
    """
    people, group = d.encounter.combatants, d.encounter.combatants[keys[0]].group
    if group and {c.id for c in people.values() if c.group == group and not c.out} == set(keys):
        about: tuple[str, ...] = (SIDE + group,)
    else:
        about = tuple(k for k in keys if not people[k].hidden) or tuple(keys)
    take = "take" if len(about) > 1 else "takes"
    d.emit(ev.Announced(f"{list_slots(about, len(about))} {take} {points} damage", about, pooled=True))


def _damage_needed(c: Combatant, most: int, kind: str) -> int:
    """Return how much damage before resistance brings a creature to 0, at most `most`; 0 if it is immune."""
    room = (c.hp or 0) + c.temp_hp
    damage, _ = resist(c, most, kind)
    if damage == 0:
        return 0  # immune: none of the damage is used up
    if damage < room:
        return most
    # Resistance rounds down: this is the least damage of which at least `room` points remain.
    return next(n for n in range((room + 1) // 2, most + 1) if resist(c, n, kind)[0] >= room)
