"""The Now line: `due` and `offer` in words. What must happen next, who is missing, which word does it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tui.core.fight.agenda import NOTHING, Ask, Offer, RollAsk, Sentence, say
from tui.core.fight.combatant import HEALED
from tui.core.fight.encounter import GM, Encounter, active, label
from tui.core.fight.errors import RuleError
from tui.core.fight.memo import remembered
from tui.core.fight.viewer import is_plural as _plural
from tui.core.fight.viewer import text
from tui.core.language.select import several
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, end_turn
from tui.core.rules.upkeep.owed import owed

_DOES = {"roll": "`roll`", "pick": "`pick`", "form": "`order`", "lock": "`lock`", "acknowledge": "`ok`"}
_OWED = {
    "roll": "a roll",
    "pick": "a choice",
    "form": "an order",
    "lock": "the lock",
    "acknowledge": "an `ok`",
}
NOTHING_NEXT = Sentence("")
_STILL = {
    "roll": "still to roll",
    "pick": "still to choose",
    "form": "still to write",
    "lock": "still to lock",
    "acknowledge": "still to read",
}
LISTED = 6
"""How many names Now lists before it counts the others."""
MOST_ACTS = 10_000
"""Forced acts in a row: a system that opens rounds for ever without a turn is stopped."""
NAMED = 2
"""Of so many who may be chosen next each is named; of more only who chooses."""


def now(e: Encounter, system: InitiativeSystem) -> Sentence:
    """What must happen next and why, with the clause that says so."""
    return join([*lead(e, system), *beside(e, system)])


def lead(e: Encounter, system: InitiativeSystem) -> list[Sentence]:
    """What must happen next, as the game master knows it: with who comes after."""
    due = owed(e, system)
    offer = system.offer(e) if e.running and not e.turn and not due else NOTHING
    return _lead(e, due, offer, on_deck(e, system) if e.turn and not due else NOTHING_NEXT)


def beside(e: Encounter, system: InitiativeSystem) -> list[Sentence]:
    """What else must be said now."""
    return [*system.remarks(e), *_fallen(e)] if e.running else []


def parts(e: Encounter, system: InitiativeSystem, due: Sequence[Ask], offer: Offer) -> list[Sentence]:
    """The Now line piece by piece, from what is due and what is offered to whoever reads it.

    Who comes after is not among it: only the game master knows that.
    """
    return [*_lead(e, due, offer, NOTHING_NEXT), *beside(e, system)]


def _lead(e: Encounter, due: Sequence[Ask], offer: Offer, after: Sentence) -> list[Sentence]:
    if not e.running:
        return [_before(e)]
    if due:
        return [*_owed(due), *([say("{0} is acting", e.acting)] if e.turn else [])]
    if not e.turn:
        return _offered(e, offer)
    acts = say("{0} acts", e.acting)
    when = say("`next` when done")
    return [join([join([acts, after], ", "), when], ": ")]


def blockers(due: Sequence[Ask], offer: Offer, e: Encounter) -> str:
    """Who must do what before play goes on, for a refusal."""
    if due:
        owed = [a.who for a in due if a.kind == due[0].kind and a.kind != "lock"] or [GM]
        verb = "owe" if len(dict.fromkeys(owed)) > 1 or _plural(e, owed[0]) else "owes"
        return f"{_names(e, owed)} {verb} {_OWED[due[0].kind]}"
    turns = [a.who for a in offer.acts if a.kind == "turn"]
    passing = " or pass" if any(a.kind == "pass" for a in offer.acts) else ""
    if turns:
        return f"choose who goes: {_names(e, turns)}{passing}"
    return text(e, offer.why) if offer.why.text else "nobody is left to act: `back WHO`, `add`, or `finish`"


def instead(e: Encounter, system: InitiativeSystem) -> str:
    """What would work instead of a line that does not fit the moment."""
    if not e.running:
        return "`begin` starts the fight"
    if e.turn:
        return f"{label(e, e.acting)} is acting: `next` goes on"
    due = owed(e, system)
    offer = Offer() if due else system.offer(e)
    if len(offer.acts) == 1:
        return "`next` goes on"
    return blockers(due, offer, e)


def join(some: Sequence[Sentence], joint: str = "; ") -> Sentence:
    """Sentences as one; the first clause counts."""
    joined = ""
    about: list[str] = []
    for part in some:
        if not part.text:
            continue
        moved = part.text
        # Backwards, or a slot that has just been moved would be moved once more.
        for i in reversed(range(len(part.about))):
            moved = moved.replace(_slot(i), _slot(i + len(about)))
        joined += (joint if joined else "") + moved
        about += part.about
    rule = next((p.rule for p in some if p.rule), "")
    return Sentence(joined, tuple(about), rule)


def _before(e: Encounter) -> Sentence:
    if not e.combatants:
        return say("Nobody is here yet: `add 5 Orc`, `party FILE`")
    return say("Ready: `begin` starts the fight")


def _owed(due: Sequence[Ask]) -> list[Sentence]:
    if not due:
        return []
    first = due[0]
    same = [a for a in due if a.kind == first.kind]
    does = _DOES[first.kind]
    if len(same) == 1:
        return [first.why, say(dice_of(first) + does, rule=first.why.rule)]
    head = Sentence(first.why.text.partition(";")[0], first.why.about, first.why.rule)
    return [head, _owing(same), say(does)]


def _owing(same: Sequence[Ask]) -> Sentence:
    """Who owes, each with the dice where they differ."""
    alike = len({dice_of(a) for a in same}) == 1
    shown = same[:LISTED]
    who = ", ".join(_slot(i) + ("" if alike else f" {_dice(a)}") for i, a in enumerate(shown))
    more = f" and {len(same) - LISTED} more" if len(same) > LISTED else ""
    dice = f" {_dice(same[0])}" if alike and _dice(same[0]) else ""
    return Sentence(f"{_STILL[same[0].kind]}{dice}: {who}{more}", tuple(a.who for a in shown))


def dice_of(ask: Ask) -> str:
    """The dice that an ask wants, before the word that rolls them; "" for what is no roll."""
    dice = _dice(ask)
    return f"{dice}: " if dice else ""


def _dice(ask: Ask) -> str:
    """Dice in words: 2d6, d8 + 3d4."""
    if not isinstance(ask, RollAsk):
        return ""
    kinds = [(sides, len(list(same))) for sides, same in groupby(ask.dice)]
    return " + ".join(f"{many if many > 1 else ''}d{sides}" for sides, many in kinds)


def _offered(e: Encounter, offer: Offer) -> list[Sentence]:
    if not offer.acts:
        nobody = say("Nobody is left to act: `back WHO`, `add`, or `finish`")
        return [offer.why if offer.why.text else nobody]
    if len(offer.acts) > 1:
        passing = " or `pass`" if any(x.kind == "pass" for x in offer.acts) else ""
        return [offer.why, say("choose: `turn WHO`" + passing)]
    act = offer.acts[0]
    if act.kind == "turn":
        return [offer.why, say("`next`: {0} acts", act.who)]
    what = {
        "side": "`next` opens the next side's turn",
        "round": f"`next` begins round {e.round + 1}",
        "pass": "`pass`",
    }
    return [offer.why, say(what[act.kind])]


def _fallen(e: Encounter) -> list[Sentence]:
    """Hit points at 0 put nobody out, and healing brings nobody back: both are pointed out."""
    down = [c.id for c in active(e) if c.hp == 0 and c.dying is None]
    up = [c.id for c in e.combatants.values() if c.out and HEALED in c.marks]
    return [*_pointed(down, "at 0", "out"), *_pointed(up, "out with hit points again", "back")]


def _pointed(keys: Sequence[str], how: str, verb: str) -> list[Sentence]:
    """Everybody of whom this holds, and the line that ends it for all of them."""
    if not keys:
        return []
    shown = [_slot(i) for i in range(min(len(keys), LISTED))]
    more = f" and {len(keys) - LISTED} more" if len(keys) > LISTED else ""
    line = ",".join(_slot(i) for i in range(len(keys)))
    is_ = "is" if len(keys) == 1 else "are"
    return [Sentence(f"{', '.join(shown)}{more} {is_} {how}: `{verb} {line}`", tuple(keys))]


def _names(e: Encounter, keys: Sequence[str]) -> str:
    return several(list(dict.fromkeys(label(e, k) for k in keys)), LISTED)


def _slot(place: int) -> str:
    return f"{{{place}}}"


# --- what follows without a choice


def advance(d: Draft, system: InitiativeSystem) -> None:
    """Ends what runs, then takes what is forced, up to a turn, a debt or a choice."""
    if d.encounter.turn:
        end_turn(d, system)
    for _ in range(MOST_ACTS):
        if d.encounter.turn or system.due(d.encounter):
            return
        acts = system.offer(d.encounter).acts
        if len(acts) != 1:
            return
        system.took(d, acts[0])
        system.settle(d)
        if acts[0].pauses:
            return


@remembered  # 200 creatures in classic: 2.7 ms a step, once instead of at every picture
def on_deck(e: Encounter, system: InitiativeSystem) -> Sentence:
    """Who comes after the running turn: `then {0}`, `then round 3`; without words where that is not known.

    The turn is ended on a draft that nobody keeps. It says what the game master knows: of creatures that others
    do not see as well.
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
    return Sentence("") if system.due(after) else _choice(after, system)


def _choice(e: Encounter, system: InitiativeSystem) -> Sentence:
    """Who may be chosen next, or who chooses."""
    offer = system.offer(e)
    turns = tuple(a.who for a in offer.acts if a.kind == "turn")
    if turns and len(turns) == len(offer.acts) <= NAMED:
        return Sentence("then " + " or ".join(f"{{{i}}}" for i in range(len(turns))), turns)
    return say("then {0} chooses", offer.chooser) if turns and offer.chooser else Sentence("")
