"""Write the Now line, with the turn that comes after; suggest lines after a refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import dice_words, quote, series
from tui.core.fight.agenda import (
    NOTHING,
    AcknowledgeAsk,
    Act,
    Ask,
    EffectAsk,
    FormAsk,
    LockAsk,
    Offer,
    OrderRow,
    PickAsk,
    RollAsk,
    Sentence,
    literal,
    name_slots,
    own_words,
    say,
)
from tui.core.fight.combatant import HEALED_MARK, is_pc
from tui.core.fight.encounter import GM, SIDE, Encounter, active, label, sides
from tui.core.fight.viewer import is_plural, text
from tui.core.language.select import list_names
from tui.core.rules import effects
from tui.core.rules.draft import Draft, able_companions, fallen_state, is_helpless
from tui.core.rules.on_screen import on_screen
from tui.core.rules.optional import order_left
from tui.core.rules.system import InitiativeSystem, end_turn, is_gmless, offer_of
from tui.core.rules.upkeep import all_owed

MOST_ACTS = 10_000
"""How many forced acts `advance` takes in a row, so that a system that only begins rounds is stopped."""
MOST_NAMED = 2
"""The most creatures that are named as next to choose from; of more, only the chooser is named."""


def advance(d: Draft, system: InitiativeSystem) -> None:
    """End the running turn, then take forced acts until a turn runs, an answer is owed or a choice comes."""
    if d.encounter.turn:
        end_turn(d, system)
    for _ in range(MOST_ACTS):
        if d.encounter.turn or all_owed(d.encounter, system):
            return
        acts = acts_to_choose(d.encounter, offer_of(d.encounter, system))
        if len(acts) != 1:
            return
        system.took(d, acts[0])
        system.settle(d)
        if acts[0].pauses:
            return


def name_next(e: Encounter, system: InitiativeSystem) -> Sentence:
    """Return what comes after the running turn: `then {0}`, `then round 3`; without text if unknown.

    The turn is ended on a draft that is dropped. Hidden creatures are named too, so only the GM may read it.
    """
    if e.turn is None:
        return Sentence("")
    d = Draft(e, system.all_marks, system.all_phases)
    try:
        advance(d, system)
    except RuleError:
        return Sentence("")
    after = d.encounter
    rounds = f"round {after.round}" if after.round != e.round else ""
    who = after.acting
    if who:
        return say(f"then {rounds}, {{0}}" if rounds else "then {0}", who)
    if rounds:
        return say(f"then {rounds}")
    due = all_owed(after, system)
    if due and isinstance(due[0], EffectAsk):
        return say("then {0} owes an effect", due[0].who)
    if due and _is_save(due[0]):
        others = len({a.who for a in due if _is_save(a)}) - 1
        return say(
            f"then {{0}} and {others} more owe saves" if others else "then {0} owes a save", due[0].who
        )
    if due:
        return Sentence("")
    choice, side = _next_choice(after, system), system.turn_side(after)
    # A side in which no creature can act has its turn all the same.
    return choice if choice.text or side in ("", system.turn_side(e)) else say("then {0}'s turn", SIDE + side)


def acts_to_choose(e: Encounter, offer: Offer) -> tuple[Act, ...]:
    """Return the acts to choose from; only the first if all creatures are helpless.

    The order of helpless creatures makes no difference: in their turns conditions end and saves fall due.
    """
    idle = len(offer.turns) == len(offer.acts) > 0 and all(is_helpless(e, k) for k in offer.turns)
    return offer.acts[:1] if idle else offer.acts


def _next_choice(e: Encounter, system: InitiativeSystem) -> Sentence:
    """Return the sentence `then {0} or {1}` with the turns to choose from, or `then {0} chooses`."""
    offer = offer_of(e, system)
    acts = acts_to_choose(e, offer)
    turns = tuple(act.who for act in acts if act.kind == "turn")
    if turns and len(turns) == len(acts) <= MOST_NAMED:
        return Sentence("then " + name_slots(len(turns), joint=" or "), turns)
    return say("then {0} chooses", offer.chooser) if turns and offer.chooser else Sentence("")


_ACT_WORDS = {
    "roll": "`roll`", "pick": "`pick`", "form": "`order`", "lock": "`lock`", "acknowledge": "`ok` when read",
    "effect": "`roll` or `skip`",
}  # fmt: skip
NOTHING_NEXT = Sentence("")
MOST_LISTED = 6
"""The most names in a list; the others are counted."""
OWING = 4
"""The most names of creatures that owe something, for a row of 80 columns."""
MOST_OWING = 40
"""The most names that are searched for a series such as `Orc 1 to 4`."""
TWO_NAMES = 2
MOST_CHOICES = 3
"""The most names to choose from; of more, two are named and the others are counted."""


class Lead(Struct, frozen=True):
    """The beginning of the Now line."""

    what: Sentence
    """The sentence on what must happen next."""
    does: Sentence = NOTHING_NEXT
    """The line that does `what`; without text if there is none."""
    why: Sentence = NOTHING_NEXT
    """The reason; without text if another sentence gives it."""
    whose: Sentence = NOTHING_NEXT
    """The sentence on the turn that runs while something is owed; without text if no turn runs."""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Those of the four sentences that have a text."""
        return tuple(s for s in (self.what, self.does, self.why, self.whose) if s.text)


def now(e: Encounter, system: InitiativeSystem, lead: Lead, orders: Sequence[OrderRow]) -> Sentence:
    """Return the Now line for the GM, which begins with `lead`; `orders` are those of the round."""
    return join_sentences([*lead.sentences, *now_remarks(e, system, *_running_order(e, system, orders))])


def lead_now(e: Encounter, system: InitiativeSystem) -> Lead:
    """Return the beginning of the Now line for the GM, with the entry that comes next."""
    due = all_owed(e, system)
    offer = offer_of(e, system) if e.running and not e.turn and not due else NOTHING
    return _lead_of(e, due, offer, name_next(e, system) if e.turn and not due else NOTHING_NEXT)


def now_remarks(e: Encounter, system: InitiativeSystem, *order: Sentence) -> list[Sentence]:
    """Return the remarks of the Now line, with the running `order` among them; none outside a fight."""
    if not e.running:
        return []
    first = [*effects.reminders(e), *on_screen(system).remarks(e), *order]
    return [*first, *_fallen_remarks(e), *_legendary_remarks(e), *fight_over(e, system)]


LEGENDARY = "legendary actions"
"""The name of the counter that foes spend after the turns of heroes, in lower case."""


def _legendary_remarks(e: Encounter) -> list[Sentence]:
    """Return remarks on legendary actions that foes may spend when the running turn of a hero is over."""
    acting = [e.combatants[k] for k in e.actors]
    ours = {c.side for c in acting} if any(map(is_pc, acting)) else set[str]()
    if not ours:
        return []
    foes = [c for c in active(e) if c.side not in ours]
    left = [(c.id, x.n) for c in foes for x in c.counters if x.name.lower() == LEGENDARY and x.n]
    return [say(f"after this turn {{0}} has {n} legendary action{'s' * (n != 1)}", k) for k, n in left]


def _running_order(e: Encounter, system: InitiativeSystem, orders: Sequence[OrderRow]) -> list[Sentence]:
    """Return the order that is being carried out, a sentence for each part."""
    return [
        # The parts are named as in the log and in the order itself: `action strike`, `move`.
        say(literal(part) + ("" if part in o.flags else " {1}"), o.who, own_words(words))
        for o in orders
        if o.state == "now"
        for part, words in order_left(system, e, o.who, o.text).items()
        if words
    ]


def now_parts(
    e: Encounter, system: InitiativeSystem, due: Sequence[Ask], offer: Offer, orders: Sequence[OrderRow]
) -> list[Sentence]:
    """Return the sentences of the Now line for a reader who knows of `due`, `offer` and `orders`.

    The entry that comes next is left out, because only the GM knows it, and so is advice that names a line:
    it is for whoever can send the line.
    """
    remarks: list[Sentence] = []
    if e.running:
        remarks = [*effects.reminders(e), *on_screen(system).remarks(e)]
        remarks += [*_running_order(e, system, orders), *_fallen_remarks(e)]
    if not is_gmless(system, e):
        remarks = [x.brief for x in remarks if "`" not in x.brief.text]
    return [*_lead_of(e, due, offer, NOTHING_NEXT).sentences, *remarks]


def _lead_of(e: Encounter, due: Sequence[Ask], offer: Offer, after: Sentence) -> Lead:
    if not e.running and not due:
        return Lead(_ask_to_begin(e))
    if due:
        first = owed_lead(e, due)
        return replace(first, whose=whose_turn(e))
    if not e.turn:
        return _offer_lead(e, offer)
    if is_helpless(e, e.acting):
        # What such a creature has declared is not carried out: its turn exists for the saving throw alone.
        does = "do" if is_plural(e, e.acting) else "does"
        idle = say(f"{{0}} is {fallen_state(e, e.acting)} and {does} nothing", e.acting)
        return Lead(join_sentences([idle, after], ", "), say("`next`"))
    act = say("{0} acts", e.acting)
    if able := able_companions(e):
        # A turn bears its leader's name, also if only a companion can still do anything.
        verb = "acts" if len(able) == 1 else "act"
        along = say(f"{name_slots(len(able), joint=' and ')} {verb}", *able)
        act = join_sentences([say(f"{{0}} is {fallen_state(e, e.acting)}", e.acting), along], ", ")
    return Lead(join_sentences([act, after], ", "), say("`next` when done"))


def whose_turn(e: Encounter) -> Sentence:
    """Return `{0} is acting` or `it is {0}'s turn` for the end of the line; without text if no turn runs."""
    if not e.turn:
        return NOTHING_NEXT
    idle = is_helpless(e, e.acting) or able_companions(e)
    return say("it is {0}'s turn" if idle else "{0} is acting", e.acting)


def join_sentences(some: Sequence[Sentence], joint: str = "; ") -> Sentence:
    """Join sentences into one; its rule is the first one that is set."""
    joined = ""
    about: list[str] = []
    for part in some:
        if not part.text:
            continue
        text = part.text
        # Backwards; otherwise a slot that has just been moved would be moved once more.
        for i in reversed(range(len(part.about))):
            text = text.replace(_slot(i), _slot(i + len(about)))
        joined += (" " if joined.endswith("?") else joint if joined else "") + text
        about += part.about
    rule = next((p.rule for p in some if p.rule), "")
    return Sentence(joined, tuple(about), rule)


def _ask_to_begin(e: Encounter) -> Sentence:
    if not e.combatants:
        return say("No creatures yet: `add 5 Orc`, `party FILE`")
    sides = {c.side for c in e.combatants.values() if not c.out}
    if len(sides) == 1 and any(c.out for c in e.combatants.values()):
        # A fight has ended: the next one seldom begins without new enemies.
        return say("Only {0} left: `add 5 Orc` brings enemies, `begin` the next fight", SIDE + sides.pop())
    another = any(c.out for c in e.combatants.values())
    return say("Ready: `begin` starts the next fight" if another else "Ready: `begin` starts the fight")


def owed_lead(e: Encounter, due: Sequence[Ask]) -> Lead:
    """Return the beginning of the Now line if answers are owed: the first one, and the others of its kind."""
    first = due[0]
    # A save is about what has happened, other dice about what comes next: the two are not named together.
    same = [a for a in due if a.kind == first.kind and _is_save(a) == _is_save(first)]
    does = say(_ACT_WORDS[first.kind], rule=first.why.rule)
    if len(same) == 1:
        # The dice are named once only, since most reasons name them already.
        dice_words = re.search(rf"(?<!\w){re.escape(dice_of(first))}(?!\w)", first.why.text)
        dice = "" if dice_words or not dice_of(first) else f"{dice_of(first)}: "
        done = "`ok`" if isinstance(first, AcknowledgeAsk) and not first.board else _ACT_WORDS[first.kind]
        return Lead(first.why, say(dice + done, rule=first.why.rule))
    if one := _same_save(e, same):
        return Lead(one, say(f"{dice_of(first)}: {_ACT_WORDS[first.kind]}", rule=first.why.rule))
    if first.kind == "roll":
        # The sentence says already who rolls which dice; it does not say that there is a tie, or who rolls
        # for many.
        plain = all(isinstance(a, RollAsk) and a.plain for a in same)
        return Lead(_who_rolls(e, same), does, NOTHING_NEXT if plain else first.why.brief)
    others = list({a.who: a for a in same[1:]}.values())
    who = ", ".join(_slot(i) + _count_rolls(a, same[1:], alike=True) for i, a in enumerate(others[:OWING]))
    then = Sentence(f"then {who}{_count_more(others, OWING)}", tuple(a.who for a in others[:OWING]))
    return Lead(join_sentences([first.why.brief, then], ", "), does, first.why.because)


def _is_save(ask: Ask) -> bool:
    return isinstance(ask, RollAsk) and ask.save is not None


_OWES = "{0} owes "


def _same_save(e: Encounter, same: Sequence[Ask]) -> Sentence | None:
    """Return one sentence for a save that several creatures owe; None if their saves differ."""
    (head, *others), reasons = {a.why.brief.text for a in same}, {a.why.reason for a in same}
    others += list(reasons - {""})[1:]
    # A viewer may read the DC of some of them alone: then it is left out.
    reason = "" if "" in reasons else reasons.pop()
    who = tuple(dict.fromkeys(a.who for a in same))
    if others or not head.startswith(_OWES) or len(who) < len(same) or not all(map(_is_save, same)):
        return None
    shown = who[: _count_fitting([label(e, k) for k in who[:MOST_OWING]])]
    names = ", ".join(map(_slot, range(len(shown)))) + _count_more(who, len(shown))
    request = f"Owe {head.removeprefix(_OWES)}"
    line = f"{request}{f', {reason}' if reason else ''}: {names}"
    return Sentence(line, shown, head=f"{request}: {names}" if reason else "", reason=reason)


def _who_rolls(e: Encounter, same: Sequence[Ask]) -> Sentence:
    """Return `Still to roll …` with each roller once, and with the dice after each name if they differ."""
    alike = len({dice_of(a) for a in same}) == 1
    each = list({(a.who, "" if alike else dice_of(a)): a for a in same}.values())
    # If the creatures roll different dice, the dice need as much room as a name.
    shown = each[: _count_fitting([label(e, a.who) for a in each[:MOST_OWING]]) if alike else OWING - 1]
    who = ", ".join(_slot(i) + _count_rolls(a, same, alike=alike) for i, a in enumerate(shown))
    dice = f" {dice_of(same[0])}" if alike else ""
    verb = "get" if any(isinstance(a, RollAsk) and a.names for a in same) else "roll"
    return Sentence(
        f"Still to {verb}{dice}: {who}{_count_more(each, len(shown))}", tuple(a.who for a in shown)
    )


def _count_rolls(ask: Ask, same: Sequence[Ask], *, alike: bool) -> str:
    """Return the text after a name: the dice if they differ, and how often they are rolled."""
    many = sum(a.who == ask.who and dice_of(a) == dice_of(ask) for a in same)
    return ("" if alike else f" {dice_of(ask)}") + times_words(many)


def times_words(many: int) -> str:
    """Return the text after what comes so often: " twice", " 3 times", "" for once."""
    return f" {many} times" if many > TWO_NAMES else " twice" if many > 1 else ""


def _count_fitting(names: Sequence[str]) -> int:
    """Return how many of the names fit into a row; a series counts as one."""
    return max(n for n in range(1, len(names) + 1) if len(series(names[:n])) <= OWING)


def _count_more(every: Sequence[object], shown: int = MOST_LISTED) -> str:
    return f" and {len(every) - shown} more" if len(every) > shown else ""


def dice_of(ask: Ask) -> str:
    """Return the dice of an ask in words; "" for an ask that is not a roll."""
    if not isinstance(ask, RollAsk):
        return ""
    return ask.names.any if ask.names else dice_words(ask.dice)


def _offer_lead(e: Encounter, offer: Offer) -> Lead:
    if not offer.acts:
        ending = say("Nobody is left to act: `finish` ends the fight")
        return Lead(offer.why if offer.why.text else ending)
    acts = acts_to_choose(e, offer)
    if len(acts) > 1:
        passing = " or `pass`" if any(x.kind == "pass" for x in acts) else ""
        turns = offer.turns
        another = ", or another" if len(turns) > 1 else ""
        line = say("`turn {0}`" + another + passing, *turns[:1])
        return Lead(join_sentences([offer.why.brief, list_choosable(offer)], ": "), line, offer.why.because)
    act = acts[0]
    if act.kind == "turn":
        does = f"is {fallen_state(e, act.who)}" if is_helpless(e, act.who) else "acts"
        return Lead(offer.why, say(f"`next`: {{0}} {does}", act.who))
    begins = f"`next` begins round {e.round + 1}"
    request = {"side": "`next` opens the next side's turn", "round": begins, "pass": "`pass`"}
    return Lead(offer.why, say(request[act.kind]))


def list_choosable(offer: Offer) -> Sentence:
    """Return the names to choose from as a sentence: `{0}, {1} or {2}`."""
    turns = offer.turns
    shown = turns if len(turns) <= MOST_CHOICES else turns[: MOST_CHOICES - 1]
    *most, last = map(_slot, range(len(shown))) if shown else ("",)
    if len(turns) > len(shown):
        return Sentence(f"{', '.join([*most, last])} and {len(turns) - len(shown)} more", tuple(shown))
    return Sentence(f"{', '.join(most)} or {last}" if most else last, tuple(shown))


def fight_over(e: Encounter, system: InitiativeSystem) -> list[Sentence]:
    """Return a hint to `finish` if only one side is left; none in a system with sides of its own."""
    sides_left = {c.side for c in active(e)}
    if not e.running or system.sides or len(sides_left) != 1 or len(sides(e)) == 1:
        return []
    return [say("only {0} left: `finish` ends the fight", SIDE + sides_left.pop())]


def fallen_ids(e: Encounter) -> tuple[str, ...]:
    """Return the ids of creatures at 0 hit points that are not dying: `out` would take them out."""
    return tuple(c.id for c in active(e) if c.hp == 0 and c.dying is None)


def _fallen_remarks(e: Encounter) -> list[Sentence]:
    """Return remarks on creatures at 0 hit points that are not out, and on healed ones that are not back."""
    down = fallen_ids(e)
    up = [c for c in e.combatants.values() if c.out and HEALED_MARK in c.marks]
    remarks = _remark_on(down, "at 0", "out")
    for word in ("dead", "out"):
        remarks += _remark_on([c.id for c in up if c.gone == word], f"{word} with hit points again", "back")
    return remarks


def _remark_on(keys: Sequence[str], remark: str, verb: str) -> list[Sentence]:
    """Return a sentence with the creatures, the remark on them, and the line that changes all of them."""
    if not keys:
        return []
    shown = [_slot(i) for i in range(min(len(keys), MOST_LISTED))]
    more = _count_more(keys)
    line = ",".join(_slot(i) for i in range(len(keys)))
    is_ = "is" if len(keys) == 1 else "are"
    return [Sentence(f"{', '.join(shown)}{more} {is_} {remark}: `{verb} {line}`", tuple(keys))]


def _slot(place: int) -> str:
    return f"{{{place}}}"


_OWED_WORDS = {"roll": "a roll", "pick": "a choice", "form": "an order", "effect": "an effect"}


def suggest_line(e: Encounter, system: InitiativeSystem) -> str:
    """Return a hint with a line that would work now, such as the answer to what is owed."""
    if not e.combatants:
        return "`add 5 Orc`"
    if due := all_owed(e, system):
        return describe_blockers(e, due)
    if not e.running:
        return "`begin` starts the fight"
    if e.turn:
        return f"{text(e, whose_turn(e))}: `next` goes on"
    return describe_choice(e, offer_of(e, system))


def describe_blockers(e: Encounter, due: Sequence[Ask]) -> str:
    """Return a hint on the first thing that is due: the names that owe it, and the line that answers it."""
    first = due[0]
    names = [a.who for a in due if a.kind == first.kind] or [GM]
    verb = "owe" if len(dict.fromkeys(names)) > 1 or is_plural(e, names[0]) else "owes"
    line = answering_line(e, first)
    if first.kind == "lock":
        return f"all orders are written: {line}"
    owing = list(dict.fromkeys(label(e, k) for k in names))
    who = "the GM" if set(names) == {GM} else list_names(owing, OWING)
    if isinstance(first, AcknowledgeAsk) and not first.board:
        return f"continue when the table is ready: {line}"
    if first.kind == "acknowledge":
        return f"{who} {'have' if verb == 'owe' else 'has'} something to read first: {line}"
    return f"{who} {verb} {_OWED_WORDS[first.kind]}: {line}"


def answering_line(e: Encounter, ask: Ask) -> str:
    """Return a line that answers an ask, in backticks."""
    match ask:
        case PickAsk(least=0):
            return "`pick none`"
        case PickAsk(names=names, least=least):
            return f"`pick {' '.join(quote(label(e, k)) for k in names[:least])}`"
        case FormAsk():
            return f"`order {quote(label(e, ask.who))}` answers it"
        case AcknowledgeAsk():
            return "`ok`"
        case RollAsk() | LockAsk():
            return f"`{ask.kind}`"
        case EffectAsk():
            who = quote(label(e, ask.who))
            return f"`apply {who}` or `skip {who}`"


def describe_choice(e: Encounter, offer: Offer) -> str:
    """Return a hint with the names to choose from and a line that chooses; `next` if there is no choice."""
    turns = offer.turns
    if len(acts_to_choose(e, offer)) == 1:
        return "`next` goes on"
    if turns:
        passing = " or `pass`" if any(a.kind == "pass" for a in offer.acts) else ""
        return f"choose {text(e, list_choosable(offer))}: `turn {quote(label(e, turns[0]))}`{passing}"
    if offer.why.text:
        return text(e, offer.why)
    back = next((f"`back {quote(c.name)}`" for c in e.combatants.values() if c.out), "`add 1 Orc`")
    return f"nobody is left to act: {back}, or `finish`"
