"""The Now line: `due` and `offer` in words. What must happen next, who is missing, which word does it."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.agenda import NOTHING, Ask, Offer, Sentence, say
from tui.core.fight.encounter import Encounter, active, label
from tui.core.rules.system import InitiativeSystem

_DOES = {"roll": "`roll`", "pick": "`pick`", "form": "`order`", "lock": "`lock`", "acknowledge": "`ok`"}


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
        owed = [a for a in due if a.kind == due[0].kind and a.kind != "lock"]
        what = {
            "roll": "a roll",
            "pick": "a choice",
            "form": "an order",
            "lock": "the lock",
            "acknowledge": "an `ok`",
        }
        return f"{_names(e, [a.who for a in owed] or ['GM'])} owes {what[due[0].kind]}"
    turns = [a.who for a in offer.acts if a.kind == "turn"]
    passing = " or pass" if any(a.kind == "pass" for a in offer.acts) else ""
    return f"choose who goes: {_names(e, turns)}{passing}" if turns else "nothing is open"


def join(some: Sequence[Sentence]) -> Sentence:
    """Sentences as one; the first clause counts."""
    text = ""
    about: list[str] = []
    for part in some:
        if not part.text:
            continue
        moved = part.text
        for i in reversed(range(len(part.about))):
            moved = moved.replace(_slot(i), _slot(i + len(about)))
        text += ("; " if text else "") + moved
        about += part.about
    rule = next((p.rule for p in some if p.rule), "")
    return Sentence(text, tuple(about), rule)


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
        return [first.why, say(does, rule=first.why.rule)]
    who = ", ".join(_slot(i) for i in range(min(len(same), 6)))
    more = f" and {len(same) - 6} more" if len(same) > 6 else ""
    head = Sentence(first.why.text.partition(";")[0], first.why.about, first.why.rule)
    return [head, Sentence(f"owing: {who}{more}", tuple(a.who for a in same[:6])), say(does)]


def _offered(e: Encounter, offer: Offer) -> list[Sentence]:
    if not offer.acts:
        nobody = say("Nobody can act: `add` somebody, or `back WHO`")
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
    """Hit points at 0 put nobody out, but they are pointed out."""
    down = [c.id for c in active(e) if c.hp == 0]
    return [say("{0} is at 0: `out {0}`", down[0])] if down else []


def _names(e: Encounter, keys: Sequence[str]) -> str:
    names = list(dict.fromkeys(label(e, k) for k in keys))
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _slot(place: int) -> str:
    return f"{{{place}}}"
