"""Let the game master name the surprised creatures before the dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Edge, Verb
from tui.core.fight.encounter import Encounter, SurpriseOutcome, active
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import labels, resolve
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft


def surprised_verb(key: str, rule: str) -> Verb:
    """Return the verb `surprised`, with the key that the screen binds to it."""
    usage, help_ = "surprised WHO | surprised none", "sets which creatures are surprised"
    return Verb("surprised", usage, help_, key, rule, takes=("several",), also="surprise ambush")


def run_surprised(d: Draft, request: OwnVerb, rule: str, until: Edge = "round") -> None:
    """Run `surprised WHO` or `surprised none`. Raises RuleError."""
    present = {c.id: "surprised" in c.marks for c in active(d.encounter)}
    if [w.lower() for w in request.words] == ["none"]:
        set_surprised(d, (), until)
        d.announce("Nobody is surprised", rule=rule)
        return
    ids = list(dict.fromkeys(k for word in request.words for k in resolve(d.encounter, word)))
    meant = [k for k in ids if k in present]
    if not meant:
        raise refuse_absent(d.encounter, ids, rule)
    if all(present[k] for k in meant):
        hint = "`surprised none` ends all surprise"
        raise RuleError(f"{labels(d.encounter, meant)}: surprised already", hint, rule)
    # The creatures are added to those already caught; `surprised none` is the command that clears the list.
    set_surprised(d, [*meant, *(k for k, already in present.items() if already)], until)


def refuse_absent(e: Encounter, ids: Sequence[str], rule: str) -> RuleError:
    """Return the refusal to surprise creatures that are out or have not arrived."""
    return RuleError(f"{labels(e, ids)}: not in the fight", f"`back {quote(labels(e, ids[:1]))}` first", rule)


def set_surprised(d: Draft, who: Iterable[str], until: Edge = "round") -> None:
    """Mark exactly these creatures as surprised until an edge."""
    caught = tuple(k for k in d.encounter.combatants if k in set(who))
    d.unmark((k for k in d.encounter.combatants if k not in caught), "surprised")
    d.mark((k for k in caught if "surprised" not in d.encounter.combatants[k].marks), "surprised", until)
    d.emit(ev.Decided(SurpriseOutcome(caught)))
