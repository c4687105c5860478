"""Write single events as sentences; an event that another one explains has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from tui.core.base.text import dice_words
from tui.core.fight import events as ev
from tui.core.fight.agenda import Field, Sentence, literal, name_slots, own_words, say, say_privately
from tui.core.fight.combatant import (
    AREA,
    ATTACK,
    CONCENTRATION,
    CONDITION,
    STORED_NAMES,
    Combatant,
    Condition,
    OwedSave,
)
from tui.core.fight.encounter import GM, SIDE, USUAL_SIDES, Encounter, OrderOutcome, PendingArea, members
from tui.core.rules import saving_throws
from tui.core.rules.attacking import BLOW, TO_HIT
from tui.core.rules.creature_fields import attributes
from tui.core.rules.draft import fallen_state, is_helpless, members_in_play
from tui.core.rules.effects import effect_text as effect_words
from tui.core.rules.optional import face_names, order_left
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import COMMON_OPTIONS, RECHARGE, UPKEEP
from tui.core.table_lines import save_words

Sentences = tuple[Sentence, ...]


def secret(words: str, *about: str) -> Sentence:
    """Return a sentence for the game master alone; `{1}`, `{2}` … are filled from the keys in `about`."""
    return Sentence(words, (GM, *about), own=True)


def points(e: Encounter, event: ev.Damaged | ev.Healed | ev.Bolstered) -> Sentences:
    """Return the sentences on hit points lost or gained; only the owner may read how many are left."""
    match event:
        case ev.Damaged(who, amount, hp, temp, share):
            left = f"{hp} left" + (f" and {temp} temporary" if temp else "")
            left = "hit points not counted" if hp < 0 else left
            dealt = Sentence(f"{{0}} takes {amount} damage", (who,), own=share, many=f"{amount} damage each")
            return dealt, say_privately(left, who)
        case ev.Healed(who, amount, hp):
            full = (c := e.combatants.get(who)) is not None and hp == c.most_hp
            left = f"{hp} now" + (", the maximum" if full else "")
            return (say(f"{{0}} heals {amount}", who, many=f"{amount} healed each"), say_privately(left, who))
        case ev.Bolstered(who, temp):
            return (say_privately(f"{{0}} has {temp} temporary hit points", who),)


HIGHEST_FACE = 20
"""The face of the d20 that always hits, and doubles the dice of the damage."""


def attack(event: ev.Attacked) -> Sentence:
    """Return the sentence on an attack; dice and armour class are only for the GM."""
    does = f"{{0}} attacks {{1}} with {literal(event.name)}: "
    dealt = " and ".join(f"{points} {literal(kind or 'damage')}" for points, kind in event.damage)
    came = known = ", ".join(x for x in ("hit", dealt) if x) if event.hit else "miss"
    if event.hit and event.face == HIGHEST_FACE:
        doubled = ": dice doubled" if dealt and "damage" not in event.called else ""
        known = came.replace("hit", f"hit (natural {HIGHEST_FACE}{doubled})", 1)
    other = f" (not {event.other})" if event.other else ""
    sign = "-" if event.bonus < 0 else "+"
    total = f"{event.face}{other} {sign} {abs(event.bonus)} = {event.face + event.bonus}"
    die, damage = (_DICE_SOURCES["table"] if what in event.called else "" for what in ("die", "damage"))
    # One word is enough if all dice came from the table; a miss has no damage dice.
    if die and (damage or not event.damage):
        whole = f"{does.removesuffix(': ')}{die}: {total} against AC {event.ac}, {known}"
    else:
        whole = f"{does}{total}{die} against AC {event.ac}, {known}{damage}"
    return Sentence(does + came, (event.who, event.target), whole=whole)


def counter(event: ev.Tallied | ev.CounterEnded) -> Sentences:
    """Return the sentence on a counter, which only the owner may read."""
    match event:
        case ev.Tallied(who, x, quiet):
            words = f"{x.name} {x.n}" + (f" of {x.most}" if x.most else "")
            return () if quiet else (say_privately("{0}: " + literal(words), who),)
        case ev.CounterEnded(who, name):
            return (say_privately("{0}: " + literal(name) + " is no longer counted", who),)


def describe_save(e: Encounter, event: ev.SaveOwed | ev.SaveSettled) -> Sentences:
    """Return the sentences on a save that is owed, made or failed; the rules word all other saves."""
    c = e.combatants.get(event.who)
    if isinstance(event, ev.SaveOwed):
        save: OwedSave | None = event.save
        verb, settled = "owes", "owed"
    else:
        save = next((x for x in c.owes if x.number == event.number), None) if c else None
        verb, settled = ("makes", "made") if event.made else ("fails", "failed")
    if c is None or save is None or save.cause not in (CONCENTRATION, CONDITION, AREA, ATTACK):
        return ()
    title = literal(save_words(save.cause, save.name))
    text, many = f"{{0}} {verb} the {title}", f"{title} {settled}"
    if isinstance(event, ev.SaveOwed):
        parts = [_dc_words(save.dc, save.key), damage_words(e.area) if save.cause == AREA and e.area else ""]
        if target := ", ".join(filter(None, parts)):
            text, many = f"{text}: {literal(target)}", f"{many}, {literal(target)}"
    return (_keep_secret(saving_throws.is_secret(c, save), say(text, c.id, many=many)),)


UNREAD_DC = -1
"""The DC of a save in an event that is told to a viewer who may not read the DC."""


def _dc_words(dc: int, key: str) -> str:
    """Return `DC 12 wis`, or only the ability for a viewer who may not read the DC."""
    return " ".join(filter(None, ["" if dc == UNREAD_DC else f"DC {dc}", key]))


def effect(e: Encounter, who: str, number: int, *, applied: bool) -> Sentences:
    """Return the sentence on an effect that is dealt or left out; a hidden one is for the GM alone."""
    c = e.combatants.get(who)
    pending_effect = next((x for x in c.effects if x.number == number), None) if c else None
    if pending_effect is None:
        return ()
    words = literal(pending_effect.name) + ("" if applied else " is left out")
    return (_keep_secret(pending_effect.hidden, say("{0}: " + words, who, many=words)),)


def damage_words(pending: PendingArea) -> str:
    """Return the damage of an area in words: `21 fire damage`."""
    parts = ((pending.points, pending.kind), *pending.more)
    return " and ".join(f"{points} {kind}".strip() for points, kind in parts) + " damage"


def area(event: ev.AreaLaid | ev.AreaOver) -> Sentences:
    """Return the sentence, for the GM alone, on an area that is dealt at once or dropped."""
    match event:
        case ev.AreaLaid(pending):
            # Where saves are owed, their sentence names the damage.
            return () if pending.dc else (secret(f"An area of {literal(damage_words(pending))}"),)
        case ev.AreaOver(dropped):
            return (secret("The damage of the area is given up"),) if dropped else ()


def describe_rest(e: Encounter, event: ev.Rested) -> Sentences:
    """Return the sentences on a rest; only the owner may read what was restored."""
    c = e.combatants.get(event.who)
    counters = [f"{x.name} {x.n} of {x.most}" for x in event.counters]
    if event.hp >= 0 and (c is None or c.hp != event.hp):
        counters.insert(0, f"{event.hp} hit points")
    if event.long and c and c.temp_hp:
        counters.append("no temporary points any more")
    rests = say("{0} rests and is up again" if event.up else "{0} rests", event.who)
    return (rests, say_privately(literal(", ".join(counters)), event.who))


def condition(
    e: Encounter, event: ev.Afflicted | ev.Cleared | ev.ConditionHid, *, by_round: bool
) -> Sentences:
    """Return the sentence on a condition that begins, ends or is hidden.

    With `by_round`, its rounds end it; else turns.
    """
    match event:
        case ev.Afflicted(who, x):
            words = literal(x.name) + _source(x, who) + _duration(x, by_round) + literal(_effect(x, by_round))
            about = (who, x.of) if x.of else (who,)
            return (_keep_secret(x.hidden, say("{0}: " + words, *about, many=words)),)
        case ev.Cleared(who, name, over, of):
            words = literal(name) + (" has ended" if over else " is cleared")
            carried = e.combatants[who].conditions if who in e.combatants else ()
            same = [x for x in carried if x.fits(name, of)]
            hidden = bool(same) and all(x.hidden for x in same)
            return (_keep_secret(hidden, say("{0}: " + words, who, many=words)),)
        case ev.ConditionHid(who, name, hidden):
            if hidden:
                return (secret("{1}: " + literal(name) + " is hidden", who),)
            return (say("{0}: " + literal(name), who),)


def _keep_secret(hidden: bool, sentence: Sentence) -> Sentence:
    """Return the sentence unchanged, or if it is about a hidden condition for the game master alone."""
    if not hidden:
        return sentence
    return secret(sentence.text.replace("{1}", "{2}").replace("{0}", "{1}"), *sentence.about)


def _effect(x: Condition, by_round: bool) -> str:
    """Return the effect of a condition at an edge, in words; "" for none."""
    turn = "round" if by_round else "turn"
    return f", {effect_words(x)} at the {x.at} of each {turn}" if effect_words(x) else ""


def _source(x: Condition, who: str) -> str:
    """Return the source of a condition in words; "" if the words on its duration name the source."""
    if not x.of or x.of == who or x.until:
        return ""
    return " while {1} concentrates" if x.conc else " by {1}"


def _duration(x: Condition, by_round: bool) -> str:
    """Return the duration of a condition in words; "" if it lasts until it is cleared."""
    whose = "the" if by_round else "{1}'s" if x.of else "their"
    turn = "round" if by_round else "turn"
    if x.dc:
        words = literal(_dc_words(x.dc, x.key))
        ends = " a save ends it" + (f" ({words})" if words else "")
        if x.until:
            return f"{_duration(replace(x, dc=0), by_round)} or{ends}"
        return f", or{ends}" if x.conc else f" until{ends}"
    if not x.until:
        return ""
    if x.rounds <= 1:
        if by_round:
            later = x.fresh or x.until == "start"
            return f" until the {x.until} of {'the next' if later else 'this'} round"
        return f" until the {x.until} of {whose} {'next ' if x.fresh else ''}turn"
    if x.until == "start":
        return f" until the start of {whose} {_ordinal(x.rounds)} {turn} from now"
    return f" for {x.rounds} of {whose} {turn}s" if x.of and not by_round else f" for {x.rounds} {turn}s"


def _ordinal(n: int) -> str:
    last = 0 if n % 100 in (11, 12, 13) else n % 10
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def _say_done(does: str, who: str) -> Sentence:
    """Return the sentence `{0} does …`; `many` leaves out its verb, for a list of names."""
    verb = next((verb for verb in _VERBS if does.startswith(verb)), "")
    return say("{0} " + does, who, many=does.removeprefix(verb))


_VERBS = ("does ", "takes ", "acts ", "is ")
_LINE_KEYS = {stored: key for key, stored in STORED_NAMES.items()}
"""The key by which a line sets an attribute that is kept under another name."""
_DICE_SOURCES = {"table": " at the table", "given": " (given)"}
"""The words for the source of dice; none for dice that the app rolled."""
_MOVE_CAUSES = {"hand": "{0} is put ", "delay": "{0}'s delayed turn comes "}


def tell(e: Encounter, event: ev.Event, system: InitiativeSystem) -> Sentences:
    """Return the sentences on an event.

    `e` is the encounter before the event; `system` words its marks and phases.
    """
    if isinstance(event, ev.CreatureEvent):
        sentences = _tell_creature(e, event, system)
    elif isinstance(event, ev.PlayEvent):
        sentences = _tell_play(e, event, system)
    else:
        sentences = _tell_table(event, system)
    return tuple(s for s in sentences if s.text)


def side_name(slot: str, side: str, owner: str = "") -> str:
    """Return the words for a side: the slot, `the` and the slot, or `{1}'s side` for a person's."""
    if side[:1].isupper() or (owner and side.lower() == owner.lower()):
        return f"{slot}'s side"
    return slot if side in USUAL_SIDES else f"the {slot}"


# --- creatures


def _tell_creature(e: Encounter, event: ev.CreatureEvent, system: InitiativeSystem) -> Sentences:
    match event:
        case ev.Added(c):
            note = f" in round {c.arrives}" if c.arrives > e.round else ""
            return (say(f"{{0}} joins {side_name('{1}', c.side, c.owner)}{note}", c.id, SIDE + c.side),)
        case ev.Removed(who):
            return (say("{0} is removed from the fight", who, many="removed from the fight"),)
        case ev.Changed(who, key, value, empty):
            return _tell_change(e, system, who, key, "" if empty else _write_plain(value))
        case ev.FieldSet(who, key, value, empty, quiet):
            return () if quiet else (_tell_field(system, who, key, "" if empty else _write_plain(value)),)
        case ev.Carded(who, text, quiet) | ev.Armed(who, text, quiet):
            what = "card" if isinstance(event, ev.Carded) else "attacks"
            has = f"has {'a new' if what == 'card' else 'new'} {what}" if text else f"has no {what} now"
            return () if quiet else tuple(secret(f"{{1}} {has}", k) for k in who)
        case ev.Attacked():
            return (attack(event),)
        case ev.WentOut(who):
            return (say("{0} is out", who, many="out"),)
        case ev.CameBack(who):
            return (say("{0} is back", who, many="back"),)
        case ev.Hid(who):
            return (say("{0} is hidden", who, many="hidden"),)
        case ev.Revealed(who):
            return (say("{0} appears", who),)
        case ev.Marked(who, name):
            mark = system.all_marks.get(name)
            if mark is None or not mark.logged:
                return ()
            return tuple(replace(_say_done(mark.word, k), own=mark.sealed) for k in who)
        case ev.Unmarked() | ev.Ticked() | ev.DeathSaves() | ev.SaveDropped() | ev.SavesKept() | ev.Died():
            return ()
        case ev.EffectOwed():
            return ()
        case ev.EffectSettled(who, number, applied):
            return effect(e, who, number, applied=applied)
        case ev.SaveOwed() | ev.SaveSettled():
            return describe_save(e, event)
        case ev.Rested():
            return describe_rest(e, event)
        case ev.Tallied() | ev.CounterEnded():
            return counter(event)
        case ev.Damaged() | ev.Healed() | ev.Bolstered():
            return points(e, event)
        case ev.Afflicted() | ev.Cleared() | ev.ConditionHid():
            return condition(e, event, by_round=system.turn_edges == "round")


def _tell_change(e: Encounter, system: InitiativeSystem, who: str, key: str, value: str) -> Sentences:
    """Return the sentence on an edited attribute; `e` is the encounter before, with the old name."""
    c = e.combatants.get(who)
    if key == "name" and c:
        words = literal(f"{c.name} is now called {value}")
        # Players read the alias: a change of the true name must not show it.
        return (secret(words) if c.alias else say(words, who),)
    if key == "alias":
        return (secret("{1}: players read " + literal(value or "the name itself"), who),)
    if key == "group":
        return (say("{0} joins the group " + literal(value) if value else "{0} leaves the group", who),)
    if key == "co_owners":
        return (say("{0} is also played by " + literal(value.replace(",", ", ")), who),) if value else ()
    return (_tell_field(system, who, _LINE_KEYS.get(key, key), value),)


def _tell_field(system: InitiativeSystem, who: str, key: str, value: str) -> Sentence:
    title = _title(key, attributes(system))
    return say_privately("{0}: " + literal(f"{title} set to {value}" if value else f"{title} cleared"), who)


def _title(key: str, fields: Iterable[Field]) -> str:
    """Return the title of the field with this key, or the key of another system's field."""
    return next((f.title for f in fields if f.key == key), key)


# --- play


def _tell_play(e: Encounter, event: ev.PlayEvent, system: InitiativeSystem) -> Sentences:
    match event:
        case ev.Rolled():
            thrower = [say("{0} throws", event.by, event.who, *event.among)] if event.by else []
            return (_tell_roll(e, event, system), *thrower)
        case ev.Ordered():
            return (_tell_order(e, event),)
        case ev.Shifted(who, where, other, by):
            cause = _MOVE_CAUSES.get(by, "")
            return (say(f"{cause}{where} {{1}}", who, other),) if cause else ()
        case ev.Decided(outcome):
            ordered = outcome.order if isinstance(outcome, OrderOutcome) else ()
            return (say("The order:"), *(say("{0}", key) for key in ordered)) if ordered else ()
        case ev.PhaseEntered(name):
            phase = system.all_phases.get(name)
            return (say(phase.sentence),) if phase else ()
        case ev.AreaLaid() | ev.AreaOver():
            return area(event)
        case ev.FightEnded():
            return (say("The fight is over"),)
        case ev.RoundBegan(number):
            return (say(f"Round {number} begins"),)
        case ev.RoundEnded(number):
            return (say(f"Round {number} is over"),)
        case ev.TurnBegan() | ev.TurnEnded() | ev.TurnHandedOn() | ev.TurnResumed():
            return _turn(e, system, event)
        case ev.Passed(who):
            return (say("{0} passes", who),)
        case ev.Reacted(who, words):
            return (say("{0} reacts: {1}", who, own_words(words)) if words else say("{0} reacts", who),)
        case ev.RollsForgotten() | ev.DecisionMarked() | ev.DecisionReversed() | ev.Noted() | ev.Forgot():
            return ()
        case ev.OrdersForgotten() | ev.ShiftsForgotten() | ev.TurnPaused() | ev.TurnsMissed():
            return ()


def _tell_order(e: Encounter, event: ev.Ordered) -> Sentence:
    """Return the sentence on an order that was written, without the text if it is sealed."""
    who, is_rewritten = event.who, bool(e.orders.get(event.who))
    gm = ("The GM rewrote" if is_rewritten else "The GM has written") + " {0}'s order"
    if event.sealed and event.gm:
        return say(gm, who)
    if event.sealed and is_rewritten:
        # An order that is rewritten at once replaces the step before; after an unseen step it is a step of
        # its own. A log that told of it would show players that something unseen happened.
        owners = {name for c in members(e, who) for name in c.owners}
        if len(owners) == 1:
            return secret("{2} rewrote {1}'s order", who, own_words(owners.pop()))
        return secret("{1}'s order was rewritten", who)
    if event.sealed:
        return say("{0} has written", who)
    if event.gm:
        return say(gm + ": {1}", who, own_words(_order(event.text)))
    if not any(event.text.values()):
        return _say_done("does nothing this round", who)
    return say("{0}: {1}", who, own_words(_order(event.text)))


def _turn(
    e: Encounter,
    system: InitiativeSystem,
    event: ev.TurnBegan | ev.TurnEnded | ev.TurnHandedOn | ev.TurnResumed,
) -> Sentences:
    match event:
        case ev.TurnBegan(who, acting):
            if members(e, who) and is_helpless(e, who):
                return (_tell_fallen(e, who, acting, "acts", "act"),)
            for mark in system.all_marks.values():
                if mark.loses_turn and acting and all(mark.name in e.combatants[k].marks for k in acting):
                    return (say(f"{{0}} loses the turn: {mark.short}", who),)
            text = order_left(system, e, who, e.orders.get(who, {}))
            return (say("{0} acts: {1}", who, own_words(_order(text))) if text else say("{0} acts", who),)
        case ev.TurnEnded(who, _, taken):
            # The system says why a turn was not taken: its creature delays, or goes after another.
            return (say("{0}'s turn ends", who),) if taken and members(e, who) else ()
        case ev.TurnHandedOn(old, who):
            # A member that came back acts in the turn that its entry has already.
            return (say("{0} goes on" if old == who else "{0} acts", who),)
        case ev.TurnResumed():
            turn = e.paused[-1] if e.paused else None
            # If a hero is out, its companion goes on acting, and the companion's turn says so.
            if turn is None or not members_in_play(e, turn.who):
                return ()
            if is_helpless(e, turn.who):
                return (_tell_fallen(e, turn.who, turn.members, "goes on", "go on"),)
            return (say("{0} goes on", turn.who),)


def _tell_fallen(e: Encounter, who: str, acting: Iterable[str], one: str, several: str) -> Sentence:
    """Return the sentence on the turn of a dying creature: the companions that act, or its state."""
    along = [k for k in acting if (c := e.combatants.get(k)) and not c.out and not c.dying]
    does = f"{name_slots(len(along), 1, ' and ')} {one if len(along) == 1 else several}"
    return say("{0}'s turn: " + (does if along else fallen_state(e, who)), who, *along)


def _tell_roll(e: Encounter, event: ev.Rolled, system: InitiativeSystem) -> Sentence:
    """Return the sentence on a roll, with the total before its parts; without text for dice of an attack."""
    if event.ask in (TO_HIT, BLOW):
        return Sentence("")  # the attack's own sentence tells its dice
    saved = _save_of(e, event)
    if event.total is not None:
        words = f"{{0}} rolls {event.total}"
    elif event.who == GM:
        words = f"{{0}} rolls {dice_words(event.dice)}: {', '.join(map(str, event.faces))}"
    elif names := face_names(system, event.dice):
        words = f"{{0}} gets {', '.join(map(names.write_name, event.faces))}"
    else:
        plain = (sum(event.faces) + (saving_throws.save_bonus(*saved) if saved else 0), event.faces)
        total, counting = plain if event.ask.startswith(UPKEEP) else system.total_of(e, event) or plain
        words = f"{{0}} rolls {total}{_write_parts(total, counting, event.faces)}"
    words += (" in the roll-off" if event.among else "") + _DICE_SOURCES.get(event.how, "")
    # The die of a choice has a side for each candidate, hidden ones included; a recharge is always a secret.
    if saved and saving_throws.is_secret(*saved):
        return secret(words.replace("{0}", "{1}"), event.who)
    hidden = event.ask.startswith(RECHARGE) or (event.who == GM and event.ask != "amount")
    return Sentence(words, (event.who, *event.among), own=hidden)


def _save_of(e: Encounter, event: ev.Rolled) -> tuple[Combatant, OwedSave] | None:
    """Return the saving throw that a die answers, with its creature; None for any other roll."""
    c = e.combatants.get(event.who)
    save = saving_throws.find_save(c, event.ask) if c else None
    return (c, save) if c and save else None


def _write_parts(total: int, counting: tuple[int, ...], faces: tuple[int, ...]) -> str:
    """Return ` (5+4+2)`: the faces that count and what is added to them, then those that do not count."""
    added = total - sum(counting)
    sum_ = "+".join(map(str, counting)) + (f"{added:+}" if added else "")
    dropped = Counter(faces) - Counter(counting)
    texts = [sum_] if sum_ != str(total) else []
    texts += [f"not {', '.join(map(str, dropped.elements()))}"] if dropped else []
    return f" ({', '.join(texts)})" if texts else ""


def _order(words: Mapping[str, str]) -> str:
    """Return an order in words; of a part with the value `yes` only the name."""
    parts = (key if value == "yes" else f"{key} {value}" for key, value in words.items() if value)
    return "; ".join(parts) or "nothing"


# --- the table


def _tell_table(event: ev.TableEvent, system: InitiativeSystem) -> Sentences:
    match event:
        case ev.Announced(words, about, rule, sealed):
            does, has = words.removeprefix("{0} "), words.removeprefix("{0}'s ")
            if does != words and does.startswith(_VERBS) and len(about) == 1:
                return (replace(_say_done(does, *about), own=sealed, rule=rule),)
            many = has if has != words and len(about) == 1 else ""
            return (Sentence(words, about, rule, own=sealed, many=many),)
        case ev.OptionSet(key, value):
            title = _title(key, (*system.options, *COMMON_OPTIONS))
            return (say(literal(f"House rule: {title} set to {_write_plain(value)}")),)
        case ev.SystemChanged(name):
            return (say(literal(f"The system is now {name}")),)
        case ev.DiceThrown(expression, total, _, faces, how, text, open_):
            purpose = literal(f" for {text}" if text else "")
            words = f"{{0}} rolls {total}{purpose}: {expression} ({', '.join(map(str, faces))})"
            return (Sentence(words + _DICE_SOURCES.get(how, ""), (GM,), own=not open_),)
        case ev.NoteTaken(words):
            return (secret(words),)


def _write_plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
