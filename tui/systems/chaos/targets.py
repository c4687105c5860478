"""Find targets that an order leaves open: equal targets, and the rest of a multiattack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Choice, Field, Sentence
from tui.core.fight.encounter import (
    SIDE,
    Encounter,
    Entry,
    TargetOutcome,
    active,
    entries,
    key_of,
    label,
    side_of,
    sides,
)
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import labels, resolve, resolve_entry, split_names
from tui.core.language.tokens import quote
from tui.core.language.values import read_int
from tui.core.rules.draft import Draft
from tui.systems.chaos.words import chaos_rule

_STYLES = ("melee", "ranged")


def find_lowest(order: Sequence[str], candidates: Iterable[str], *, latest: bool) -> str:
    """Return the candidate with the lowest position: last in the order, or first (CHA-22, CHA-A2).

    A candidate without a position counts as last.
    """
    place = {key: i for i, key in enumerate(order)}
    keys = list(candidates)
    ranked = sorted(range(len(keys)), key=lambda i: (place.get(keys[i], len(place)), i))
    return keys[ranked[-1 if latest else 0]]


def find_nearest(order: Sequence[str], squares: Mapping[str, int], *, latest: bool) -> str:
    """Return the nearest candidate; of equally near ones the one that `find_lowest` chooses. "" for none."""
    least = min(squares.values(), default=0)
    nearest = [key for key, distance in squares.items() if distance == least]
    return find_lowest(order, nearest, latest=latest) if nearest else ""


def redirect_attacks(
    order: Sequence[str], melee: Mapping[str, int], ranged: Mapping[str, int], *, latest: bool
) -> tuple[str, str]:
    """Return target and style of the remaining attacks: melee, ranged or lost (CHA-19, CHA-20)."""
    for squares, style in ((melee, "melee"), (ranged, "ranged")):
        if target := find_nearest(order, squares, latest=latest):
            return target, style
    return "", "lost"


# --- the verbs


def find_target(d: Draft, entries_in_play: Sequence[Entry], request: OwnVerb) -> None:
    """Run `target` or `redirect`, and announce the target and the reason. Raises RuleError."""
    e = d.encounter
    order = list(dict.fromkeys(k for x in entries_in_play for k in (x.key, *x.members)))
    if e.phase not in ("board", "turns") or not order:
        raise RuleError("the order of this round is not known yet", "", "CHA-22")
    find = _run_target if request.verb == "target" else _run_redirect
    outcome, sentence = find(e, order, request, latest=chaos_rule(e, "cha.lowest") == "latest")
    d.emit(ev.Decided(outcome))
    d.announce(sentence.text, *sentence.about, rule=sentence.rule)


_Found = tuple[TargetOutcome, Sentence]
"""A target, and the sentence that announces it with the reason."""


def _run_target(e: Encounter, order: Sequence[str], request: OwnVerb, *, latest: bool) -> _Found:
    """Run `target WHO among=NAME,…`: all enemies or all friends. Raises RuleError."""
    attacker, among = _find_attacker(e, request), request.keys.get("among", "")
    if not among:
        raise RuleError("target: name the equal targets with among=", _aim_line(e, attacker), "CHA-22")
    alive = [k for part in split_names(among) for k in _living_targets(e, attacker, part, "CHA-22")]
    keys = list(dict.fromkeys(alive))
    if not keys:
        raise RuleError(f"none of {among} is left", "name creatures that are still in the fight", "CHA-22")
    friends = [k for k in keys if _is_friend(e, attacker, k)]
    if 0 < len(friends) < len(keys):
        line = _aim_line(e, attacker, [k for k in keys if k not in friends])
        reason = f"{_name_friends(e, attacker, friends)}: name enemies, or friends only"
        raise RuleError(reason, line, "CHA-22")
    target = find_lowest(order, keys, latest=latest)
    place = "last" if latest else "first"
    reason = "the only one left" if len(keys) == 1 else f"the {place} of them in the order"
    sentence = Sentence(f"{{0}} attacks {{1}}: {reason}", (attacker, target), "CHA-22")
    return TargetOutcome(attacker, target=target), sentence


def _run_redirect(e: Encounter, order: Sequence[str], request: OwnVerb, *, latest: bool) -> _Found:
    """Run `redirect WHO melee=… ranged=…`, which takes enemies only. Raises RuleError."""
    attacker = _find_attacker(e, request)
    melee, ranged = (_read_distances(e, attacker, request.keys.get(style, "")) for style in _STYLES)
    target, style = redirect_attacks(order, melee, ranged, latest=latest)
    if not target:
        text = "{0} has nobody in reach: the remaining attacks are lost"
        return TargetOutcome(attacker, style=style), Sentence(text, (attacker,), "CHA-20")
    rule = "CHA-20" if style == "ranged" and "melee" in request.keys else "CHA-19"
    sentence = Sentence(f"{{0}}'s remaining attacks go to {{1}}, {style}", (attacker, target), rule)
    return TargetOutcome(attacker, target=target, style=style), sentence


def _find_attacker(e: Encounter, request: OwnVerb) -> str:
    keys = resolve(e, request.words[0])
    return keys[0] if len(keys) == 1 else resolve_entry(e, request.words[0])


def _read_distances(e: Encounter, attacker: str, text: str) -> dict[str, int]:
    result: dict[str, int] = {}
    for part in split_names(text):
        name, colon, squares = part.rpartition(":")
        if not colon:
            hint = f"write it with its squares, as {quote(part + ':5')}"
            raise RuleError(f"redirect: {part} has no distance", hint, "CHA-19")
        alive = _living_targets(e, attacker, name.strip(), "CHA-19")
        if friends := [k for k in alive if _is_friend(e, attacker, k)]:
            line = _redirect_line(e, attacker, split_names(text))
            raise RuleError(_name_friends(e, attacker, friends), line, "CHA-19")
        result |= dict.fromkeys(alive, read_int(squares, "redirect: a distance", 0))
    return result


def _living_targets(e: Encounter, attacker: str, who: str, rule: str) -> list[str]:
    """Return the creatures of WHO that can be attacked; a group's name means its row. Raises RuleError."""
    creatures = resolve(e, who)
    keys = {key_of(e.combatants[k]) for k in creatures}
    if attacker in keys.union(creatures):
        raise RuleError(f"{label(e, attacker)} cannot be its own target", "name enemies", rule)
    alive = [k for k in creatures if not e.combatants[k].out]
    row = next(iter(keys)) if len(keys) == 1 else ""
    is_whole = row.startswith(SIDE) and label(e, row).lower() == who.removeprefix(SIDE).lower()
    # A formation is one target; its members count only if they are named one by one.
    return [row] if is_whole and alive else alive


def _name_friends(e: Encounter, attacker: str, friends: Sequence[str]) -> str:
    are = "is" if len(friends) == 1 else "are"
    return f"{labels(e, friends)} {are} on the side of {label(e, attacker)}"


def _is_friend(e: Encounter, attacker: str, other: str) -> bool:
    """Return whether two creatures are on one side; False if there is only one side."""
    return side_of(e, other) == side_of(e, attacker) and len(sides(e)) > 1


# --- lines that work


def enemies(e: Encounter, attacker: str) -> list[str]:
    """Return the keys of the enemy rows of an attacker."""
    return [x.key for x in entries(active(e)) if x.key != attacker and not _is_friend(e, attacker, x.key)]


def _aim_line(e: Encounter, attacker: str, among: Sequence[str] = ()) -> str:
    listed = ",".join(label(e, k) for k in (among or enemies(e, attacker)[:3])) or "NAME"
    return f"`target {quote(label(e, attacker)) or 'WHO'} among={quote(listed)}`"


def _redirect_line(e: Encounter, attacker: str, typed: Sequence[str] = ()) -> str:
    """Return the `redirect` line with the typed enemies, else with all enemies as adjacent."""
    foes = enemies(e, attacker)
    names = {label(e, k).lower() for k in foes}
    targets = [x for x in typed if x.rpartition(":")[0].strip().lower() in names]
    listed = ",".join(targets or [f"{label(e, k)}:1" for k in foes[:3]]) or "NAME:SQUARES"
    return f"`redirect {quote(label(e, attacker)) or 'WHO'} melee={quote(listed)}`"


def target_choices(e: Encounter, verb: str) -> tuple[Choice, ...]:
    """Return the line with which `target` or `redirect` begins for the acting attacker."""
    foes = enemies(e, e.acting) if e.turn else []
    if not foes:
        return ()
    line = _aim_line(e, e.acting, foes) if verb == "target" else _redirect_line(e, e.acting)
    return (Choice(line.strip("`"), label(e, e.acting), "all equal" if verb == "target" else "all adjacent"),)


# --- the forms


def target_form(e: Encounter, verb: str) -> tuple[Field, ...]:
    """Return the form of `target` or `redirect` while a slot runs, or ().

    The field of a distance has the enemy row's key.
    """
    foes = enemies(e, e.acting) if e.turn else []
    if not foes:
        return ()
    match verb:
        case "target":
            among = ",".join(foes)
            return (Field("among", "equal targets", "list", tuple(foes), among, rule="CHA-22"),)
        case "redirect":
            away = "squares away; empty: out of reach"
            return (
                Field("melee", "melee reach", default=1, least=0, help="squares", rule="CHA-19"),
                Field("ranged", "range", least=0, help="squares; empty: no ranged attack", rule="CHA-20"),
                *(Field(k, label(e, k), least=0, help=away, rule="CHA-19") for k in foes),
            )
        case _:
            return ()


def target_line(e: Encounter, verb: str, texts: Mapping[str, str]) -> str:
    """Return the line of a filled form of `target` or `redirect`. Raises RuleError."""
    words = f"{verb} {quote(label(e, e.acting))}"
    if verb == "target":
        ticked = texts.get("among", "").split(",")
        among = ",".join(label(e, k) for k in enemies(e, e.acting) if k in ticked)
        if not among:
            hint = "Space in the list ticks a possible target"
            raise RuleError("target: no creature is ticked", hint, "CHA-22")
        return f"{words} among={quote(among)}"
    foes = [k for k in enemies(e, e.acting) if texts.get(k)]
    distances = {k: read_int(texts[k], f"squares to {label(e, k)}", 0) for k in foes}
    for style in _STYLES:
        reach = read_int(texts[style], f"{style}", 0) if texts.get(style) else -1
        targets = ",".join(f"{label(e, k)}:{squares}" for k, squares in distances.items() if squares <= reach)
        words += f" {style}={quote(targets)}" if targets else ""
    return words
