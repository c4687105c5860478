"""The Now line: `due` and `offer` in words. What must happen next, who is missing, which word does it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tui.core.fight.agenda import NOTHING, Ask, Offer, RollAsk, Sentence, say
from tui.core.fight.combatant import HEALED
from tui.core.fight.encounter import GM, Encounter, active, label
from tui.core.fight.viewer import is_plural as _plural
from tui.core.fight.viewer import text
from tui.core.language.select import several
from tui.core.rules.system import InitiativeSystem

_DOES = {"roll": "`roll`", "pick": "`pick`", "form": "`order`", "lock": "`lock`", "acknowledge": "`ok`"}
_OWED = {
    "roll": "a roll",
    "pick": "a choice",
    "form": "an order",
    "lock": "the lock",
    "acknowledge": "an `ok`",
}
LISTED = 6
"""How many names Now lists before it counts the others."""


def now(e: Encounter, system: InitiativeSystem) -> Sentence:
    """What must happen next and why, with the clause that says so."""
    due = system.due(e) if e.running else ()
    offer = system.offer(e) if e.running and not e.turn and not due else NOTHING
    return join(parts(e, system, due, offer))


def parts(e: Encounter, system: InitiativeSystem, due: Sequence[Ask], offer: Offer) -> list[Sentence]:
    """The Now line piece by piece, from what is due and what is offered to whoever reads it."""
    if not e.running:
        return [_before(e)]
    if due:
        first = _owed(due)
        first += [say("{0} is acting", e.acting)] if e.turn else []
    elif e.turn:
        first = [say("{0} acts: `next` when done", e.acting)]
    else:
        first = _offered(e, offer)
    return [*first, *system.remarks(e), *_fallen(e)]


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
    due = system.due(e)
    offer = Offer() if due else system.offer(e)
    if len(offer.acts) == 1:
        return "`next` goes on"
    return blockers(due, offer, e)


def join(some: Sequence[Sentence]) -> Sentence:
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
        joined += ("; " if joined else "") + moved
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
    return Sentence(f"owing{dice}: {who}{more}", tuple(a.who for a in shown))


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
    down = [c.id for c in active(e) if c.hp == 0]
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
