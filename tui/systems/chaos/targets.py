"""Whom an attack meets when the order leaves it open: equal targets, and the rest of a multiattack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tui.core.fight.agenda import Sentence
from tui.core.fight.encounter import SIDE, Encounter, Entry, key_of, label
from tui.core.fight.errors import RuleError
from tui.core.fight.outcome import TargetOutcome
from tui.core.language.actions import OwnVerb
from tui.core.language.select import entry, resolve, split
from tui.core.language.values import whole
from tui.core.rules.system import names


def lowest(order: Sequence[str], candidates: Iterable[str], *, latest: bool = True) -> str:
    """Of equal candidates the one with the lowest position: last in the order, or first (CHA-22, CHA-A2).

    Who has no position yet counts as behind everybody.
    """
    place = {key: i for i, key in enumerate(order)}
    found = list(candidates)
    ranked = sorted(range(len(found)), key=lambda i: (place.get(found[i], len(place)), i))
    return found[ranked[-1 if latest else 0]]


def nearest(order: Sequence[str], squares: Mapping[str, int], *, latest: bool = True) -> str:
    """The nearest of those in reach, equals by position; "" for nobody."""
    least = min(squares.values(), default=0)
    near = [key for key, distance in squares.items() if distance == least]
    return lowest(order, near, latest=latest) if near else ""


def redirected(
    order: Sequence[str], melee: Mapping[str, int], ranged: Mapping[str, int], *, latest: bool = True
) -> tuple[str, str]:
    """Target and style of the attacks that are left: melee first, then ranged, else lost (CHA-19, CHA-20)."""
    for squares, style in ((melee, "melee"), (ranged, "ranged")):
        if target := nearest(order, squares, latest=latest):
            return target, style
    return "", "lost"


def positions(standing: Iterable[Entry]) -> list[str]:
    """Everybody who can be named, by position: each row, and behind it the creatures in it."""
    return list(dict.fromkeys(k for x in standing for k in (x.key, *x.members)))


def aim(
    e: Encounter, order: Sequence[str], request: OwnVerb, *, latest: bool
) -> tuple[TargetOutcome, Sentence]:
    """`target WHO among=NAME,…`: the target, and the sentence that says why."""
    attacker, among = _attacker(e, request), request.keys.get("among", "")
    if set(request.keys) != {"among"} or not among:
        raise RuleError("target: among= says who could be meant", "`target Ogre among=Ana,Bo`", "CHA-22")
    found = list(dict.fromkeys(k for part in split(among) for k in _alive(e, attacker, part)))
    if not found:
        raise RuleError(f"nobody of {among} is left", "name who is still there", "CHA-22")
    target = lowest(order, found, latest=latest)
    why = "the only one left" if len(found) == 1 else f"{'last' if latest else 'first'} of them in the order"
    said = Sentence(f"{{0}} goes for {{1}}: {why}", (attacker, target), "CHA-22")
    return TargetOutcome(attacker, target=target), said


def redirect(
    e: Encounter, order: Sequence[str], request: OwnVerb, *, latest: bool
) -> tuple[TargetOutcome, Sentence]:
    """`redirect WHO melee=… ranged=…`: where the rest of a multiattack goes, and the sentence that says so."""
    attacker = _attacker(e, request)
    for key in request.keys:
        if key not in ("melee", "ranged"):
            hint = 'melee="NAME:SQUARES,…" ranged="NAME:SQUARES,…"'
            raise RuleError(f"redirect has no key {key}=", hint, "CHA-19")
    melee, ranged = (_distances(e, attacker, request.keys.get(style, "")) for style in ("melee", "ranged"))
    target, style = redirected(order, melee, ranged, latest=latest)
    if not target:
        text = "{0} has nobody in reach: the remaining attacks are lost"
        return TargetOutcome(attacker, style=style), Sentence(text, (attacker,), "CHA-20")
    rule = "CHA-20" if style == "ranged" and "melee" in request.keys else "CHA-19"
    said = Sentence(f"the remaining attacks of {{0}} go to {{1}}, {style}", (attacker, target), rule)
    return TargetOutcome(attacker, target=target, style=style), said


def _attacker(e: Encounter, request: OwnVerb) -> str:
    if len(request.words) != 1:
        raise RuleError(f"{request.verb} takes one WHO", f"`{request.verb} Ogre …`")
    found = resolve(e, request.words[0])
    return found[0] if len(found) == 1 else entry(e, request.words[0])


def _distances(e: Encounter, attacker: str, text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in split(text):
        name, colon, squares = part.rpartition(":")
        if not colon:
            raise RuleError(f"redirect: {part} has no distance", f"write {part}:SQUARES", "CHA-19")
        found |= dict.fromkeys(_alive(e, attacker, name.strip()), whole(squares, "redirect: a distance", 0))
    return found


def _alive(e: Encounter, attacker: str, who: str) -> list[str]:
    """Those of WHO who can still be attacked; the name of a group means its row."""
    found = resolve(e, who)
    keys = {key_of(e.combatants[k]) for k in found}
    if attacker in keys.union(found):
        raise RuleError(f"{names(e, [attacker])} cannot be its own target", "name enemies", "CHA-19")
    alive = [k for k in found if not e.combatants[k].out]
    row = next(iter(keys)) if len(keys) == 1 else ""
    named = row.startswith(SIDE) and label(e, row).lower() == who.removeprefix(SIDE).lower()
    return [row] if named and alive else alive
