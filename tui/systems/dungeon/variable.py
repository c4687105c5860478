"""Variable initiative: hits lower, kills raise, each once a round (TRK-18, TRK-19)."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Field, Verb
from tui.core.fight.encounter import Encounter, Entry
from tui.core.fight.errors import RuleError
from tui.core.language.actions import OwnVerb
from tui.core.language.select import one, resolve
from tui.core.rules import play
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon.notes import HEROES, entry_of, forget, gather, own, playing
from tui.systems.dungeon.track_order import TrackPlace, standing, tie_rule, track_of, write

HIT = Verb(
    "hit",
    "hit WHO [N]",
    "a hit: initiative -1, once a round; N is damage",
    rule="TRK-18",
    damages=True,
    takes=("who", "amount"),
)
KILL = Verb(
    "kill",
    "kill WHO [by=WHO]",
    "killed or knocked out; the killer's initiative +1",
    rule="TRK-19",
    takes=("who",),
    keys=(Field("by", "the killer", "creature"),),
)
_RULES = {"hit": "TRK-18", "kill": "TRK-19"}


def hit(d: Draft, system: InitiativeSystem, request: OwnVerb) -> None:
    """`hit WHO [N]`: the damage is the core's business, the initiative ours."""
    if request.keys or not 1 <= len(request.words) <= 2:
        raise RuleError("hit takes a name and perhaps an amount", HIT.usage)
    ids = resolve(d.encounter, request.words[0])
    alone = len(request.words) == 1
    here = {c.id for c in playing(d.encounter)}
    if gone := [k for k in ids if k not in here]:
        raise RuleError(f"{d.encounter.combatants[gone[0]].name} is not in play", "", "TRK-18")
    if not system.option(d.encounter, "trk.variable"):
        if alone:
            raise RuleError(
                "initiative is not variable here", "`option trk.variable=true`, or `damage`", "TRK-23"
            )
        return
    for entry in _entries(d.encounter, ids):
        changed = _change(d, system, entry, "hit")
        if not changed and alone:
            raise RuleError("no track runs, so a hit changes no place", "`hit WHO N` or `damage`", "TRK-18")


def kill(d: Draft, system: InitiativeSystem, request: OwnVerb) -> None:
    """`kill WHO [by=WHO]`: out they go, and the killer rises."""
    if set(request.keys) - {"by"} or len(request.words) != 1:
        raise RuleError("kill takes a name, and by= for the killer", KILL.usage)
    ids = resolve(d.encounter, request.words[0])
    victims = tuple(k for k in ids if not d.encounter.combatants[k].out)
    if not victims:
        raise RuleError(f"{d.encounter.combatants[ids[0]].name} is already out", "`back` undoes that")
    if word := request.keys.get("by", ""):
        killer = one(d.encounter, word)
        entry = entry_of(gather(d.encounter), killer)
        if entry is None:
            raise RuleError(f"{d.encounter.combatants[killer].name} is not in play", "", "TRK-19")
        if system.option(d.encounter, "trk.variable"):
            _change(d, system, entry, "kill")
    d.emit(*(ev.WentOut(k) for k in victims))
    play.gone(d, system, victims)


def _entries(e: Encounter, ids: tuple[str, ...]) -> list[Entry]:
    return [x for x in gather(e) if any(k in ids for k in x.members)]


def _change(d: Draft, system: InitiativeSystem, entry: Entry, mark: str) -> bool:
    """One step for an entry, once a round (TRK-A7); whether there was anything to say about it."""
    if entry.key not in track_of(d.encounter).places:
        return False
    hero = d.encounter.combatants[entry.members[0]].side == HEROES
    rule = _RULES[mark]
    if any(mark in d.encounter.combatants[k].marks for k in entry.members):
        d.announce(f"{{0}}: another {mark} in this round changes nothing", entry.key, rule=rule)
    elif hero and system.option(d.encounter, "trk.variable_who") == "creatures":
        d.announce("{0} keeps the initiative: only creatures change theirs", entry.key, rule=rule)
    else:
        d.mark(entry.members, mark)
        _step(d, system, entry.key, mark)
    return True


def _step(d: Draft, system: InitiativeSystem, key: str, mark: str) -> None:
    by = -1 if mark == "hit" else 1
    if system.option(d.encounter, "trk.variable_when") == "next_turn":
        d.emit(ev.Noted("later", [key, by], str(len(track_of(d.encounter).later) + 1)))
        d.announce(f"{{0}} {'loses' if by < 0 else 'gains'} 1 from the next turn on", key, rule=_RULES[mark])
    else:
        apply_step(d, system, key, by)


def apply_later(d: Draft, system: InitiativeSystem) -> None:
    """The changes that waited for this turn, in the order in which they happened (TRK-A5)."""
    waiting = track_of(d.encounter).later
    forget(d, "later")
    for key, by in waiting.values():
        if key in track_of(d.encounter).places:
            apply_step(d, system, key, by)


def apply_step(d: Draft, system: InitiativeSystem, key: str, by: int) -> None:
    """An entry's value changes by one, or its place does (TRK-A4)."""
    rule = "TRK-18" if by < 0 else "TRK-19"
    if system.option(d.encounter, "trk.variable_moves") == "one_place":
        _push(d, system, key, by)
        d.announce(f"{{0}} moves one place {'back' if by < 0 else 'forward'}", key, rule=rule)
        return
    before = track_of(d.encounter).places[key].value
    _revalue(d, system, key, by)
    d.announce(f"{{0}}: initiative {before} becomes {before + by}", key, rule=rule)


def _push(d: Draft, system: InitiativeSystem, key: str, by: int) -> None:
    order = [x.key for x in standing(d.encounter, system)]
    at = order.index(key) - by if key in order else -1
    if 0 <= at < len(order):
        where = "after" if by < 0 else "before"
        d.emit(ev.Noted("pushes", [key, where, order[at]], str(len(track_of(d.encounter).pushes) + 1)))


def _revalue(d: Draft, system: InitiativeSystem, key: str, by: int) -> None:
    """Who comes down to others stands before them, who comes up behind, if nothing else decides (TRK-A6)."""
    places, how = track_of(d.encounter).places, tie_rule(d.encounter, system)
    place = places[key]
    level = {x.key: places[x.key] for x in standing(d.encounter, system) if x.key != key and x.key in places}
    level = {k: p for k, p in level.items() if p.value == place.value + by and _equal(p, place, how)}
    seats = [p.seat for p in level.values()]
    seat = 0 if not seats else min(seats) - 1 if by < 0 else max(seats) + 1
    hand = how == "by_hand"
    entry = next((x for x in gather(d.encounter) if x.key == key), None)
    core = {c.id for c in own(d.encounter, entry)} if entry else set()
    alone = [k for k in (entry.members if entry else ()) if k not in core]
    for k in [key, *(k for k in alone if k in places)]:
        write(d, k, replace(places[k], value=place.value + by, seat=seat, hand=hand, ties=[]))
    if hand:
        for k, p in level.items():
            write(d, k, replace(p, hand=True))


def _equal(a: TrackPlace, b: TrackPlace, how: str) -> bool:
    return how == "by_hand" or a.mind == b.mind
