"""Run variable initiative: a hit lowers, a kill raises, each once a round (TRK-18, TRK-19)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Choice, Field, Verb, literal
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry, active, key_of
from tui.core.fight.viewer import fill_names
from tui.core.language import select
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import resolve, resolve_entry
from tui.core.language.tokens import quote
from tui.core.language.values import read_value
from tui.core.rules.draft import Draft
from tui.core.rules.now import fallen_ids
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import house_rule, take_out, zero_rule
from tui.systems.dungeon.by_track import BY_TRACK, track_of, write_place
from tui.systems.dungeon.notes import all_entries, core_members, creatures_in_play, entries_by_key, option
from tui.systems.dungeon.text import HEROES

HIT = Verb(
    "hit", "hit WHO [N]", "records a hit: initiative -1, once a round; N is damage", rule="TRK-18",
    damages=True, takes=("who", "amount"), also="wound initiative lower", instead="damage WHO N",
)  # fmt: skip
KILL = Verb(
    "kill", "kill WHO [by=WHO] [out=no]",
    "records a kill or a knockout: the killer's initiative +1; out=no: the victim stays, dying",
    rule="TRK-19", takes=("who",), also="dead slay defeat initiative raise", instead="out WHO",
    keys=(
        Field("by", "the killer", "creature"),
        Field("out", "goes out", "bool", default=True, help="no: dying, but still in the fight"),
    ),
)  # fmt: skip
_RULES = {"hit": "TRK-18", "kill": "TRK-19"}


def kill_choices(e: Encounter) -> tuple[Choice, ...]:
    """Return the lines that name a killer of creatures at 0 hit points, and one without a killer (TRK-19)."""
    present = active(e)
    # Whether dying creatures were killed is not known yet.
    down = [e.combatants[k] for k in fallen_ids(e)]
    if not down:
        return ()
    line = f"kill {quote(','.join(c.name for c in down))}"
    acting = [c for c in present if c.id in e.actors and c not in down]
    foes = [c for c in present if c.hp != 0 and c.side not in {x.side for x in down}]
    by = tuple(Choice(f"{line} by={quote(c.name)}", f"by {c.name}", "rises") for c in (acting or foes))
    return (*by, Choice(line, "by nobody"))


def _likely_killer(e: Encounter, c: Combatant) -> str:
    """Return the name of an enemy, an acting one first; "" if there is none."""
    foes = [x for x in active(e) if x.side != c.side]
    return next((x.name for x in foes if x.id in e.actors), foes[0].name if foes else "")


def _entries_of(e: Encounter, ids: tuple[str, ...]) -> list[Entry]:
    return [x for x in all_entries(e) if any(k in ids for k in x.members)]


def hit(d: Draft, request: OwnVerb) -> None:
    """Run the initiative part of `hit WHO [N]`; the core deals the damage. Raises RuleError."""
    ids = select.resolve_standing(d.encounter, request.words[0])
    alone = len(request.words) == 1
    present = {c.id for c in creatures_in_play(d.encounter)}
    if gone := [k for k in ids if k not in present]:
        raise RuleError(f"{d.encounter.combatants[gone[0]].name} is not in play", "", "TRK-18")
    if not option(d.encounter, "trk.variable"):
        if alone:
            hint = "`option trk.variable=true` turns it on"
            raise RuleError("initiative is not variable here", hint, "TRK-23")
        return
    for row in _entries_of(d.encounter, ids):
        changed = _change_once(d, row, "hit")
        if not changed and alone:
            hint = f"`hit {quote(request.words[0])} 3` for the damage alone"
            raise RuleError("no track runs, so a hit changes no place", hint, "TRK-18")


def count_hit(d: Draft, who: str) -> None:
    """Count a hit of an area or attack; a second hit in a round changes nothing and is not announced."""
    for row in _entries_of(d.encounter, (who,)):
        if "hit" not in track_of(d.encounter).spent.get(row.key, ()):
            _change_once(d, row, "hit")


def kill(d: Draft, system: InitiativeSystem, request: OwnVerb) -> None:
    """Run `kill WHO [by=WHO] [out=no]`. Raises RuleError.

    The killer rises, and WHO goes out; with `out=no` WHO was knocked out and stays.
    """
    ids = resolve(d.encounter, request.words[0])
    by = request.keys.get("by", "")
    if not read_value(KILL.keys[1], request.keys.get("out", "yes")):
        _knock_out(d, by, ids)
        return
    victims = tuple(k for k in ids if not d.encounter.combatants[k].out)
    # A creature that went out by another command may still be counted as killed (TRK-19).
    if not victims and not (by and _is_counted(d.encounter)):
        name = d.encounter.combatants[ids[0]].name
        raise RuleError(f"{name} is already out", f"`back {quote(name)}`")
    # This happens before they go out: one place up is counted among the rows as they were at the kill.
    _credit(d, by, victims or tuple(ids))
    take_out(d, system, victims)


def _knock_out(d: Draft, by: str, ids: Sequence[str]) -> None:
    """Raise the value of the creature that knocked out dying ones; these stay. Raises RuleError."""
    for k in ids:
        c = d.encounter.combatants[k]
        if c.dying is None:
            hint = f"`kill {quote(c.name)}`" + (f" with by={quote(by)}" if by else "")
            raise RuleError(f"{c.name} is not dying", hint, "TRK-19")
    if not by:
        raise RuleError("out=no needs by=: the creature that knocked it out", KILL.usage, "TRK-19")
    _credit(d, by, tuple(ids))


def offer_knock_out(d: Draft, who: str, amount: int) -> None:
    """Announce the line that counts a knock-out, for a creature that the damage leaves dying (TRK-19)."""
    e, c = d.encounter, d.encounter.combatants[who]
    # By that much damage the creature may be dead at once.
    dead = house_rule(e, "zero.massive") == "dead" and amount >= (c.most_hp or amount + 1)
    falls = c.hp == 0 and not c.out and c.dying is None and zero_rule(e, c) == "dying"
    if falls and not dead and _is_counted(e) and (foe := _likely_killer(e, c)):
        line = literal(f"kill {quote(c.name)} by={quote(foe)} out=no")
        d.announce(f"{{0}} is knocked out: `{line}` counts it", who, rule="TRK-19")


def _credit(d: Draft, by: str, victims: tuple[str, ...]) -> None:
    """Raise the killer's value; without a name announce that none rises (TRK-19). Raises RuleError."""
    if by:
        entries = all_entries(d.encounter)
        killer = resolve_entry(d.encounter, by, entries)
        row = next((x for x in entries if x.key == killer), None)
        if row is None:
            raise RuleError(fill_names(d.encounter, "{0} is not in play", killer), "", "TRK-19")
        if option(d.encounter, "trk.variable"):
            _change_once(d, row, "kill")
    elif _is_counted(d.encounter):
        text = "Nobody is named as the killer of {0}, so no initiative rises"
        d.announce(text, victims[0], rule="TRK-19")


def _is_counted(e: Encounter) -> bool:
    return bool(option(e, "trk.variable")) and track_of(e).by == "track"


def point_out_kill(d: Draft, who: Sequence[str]) -> None:
    """Announce that creatures went out without a counted kill, with the line that counts one."""
    e = d.encounter
    # `kill` has announced it already, and comes through this function too.
    announced = any(isinstance(x, ev.Announced) and x.rule == "TRK-19" for x in d.events)
    # A creature that leaves with hit points left has fled, as far as this program knows.
    down = [c for k in who if (c := e.combatants.get(k)) and c.out and "met" in c.marks and not c.hp]
    if down and not announced and _is_counted(e):
        by = _likely_killer(e, down[0])
        line = literal(f"kill {quote(down[0].name)}" + (f" by={quote(by)}" if by else ""))
        d.announce(f"{{0}}: no kill is counted; `{line}` counts one", down[0].id, rule="TRK-19")


def point_out_hit(d: Draft, who: str) -> None:
    """Announce that damage was dealt without a counted hit, with the line that counts one."""
    e, c = d.encounter, d.encounter.combatants[who]
    spared = c.side == HEROES and option(e, "trk.variable_who") == "creatures"
    n = track_of(e)
    open_to_it = "hit" not in n.spent.get(key_of(c), ()) and c.value is None
    open_to_it = open_to_it and not spared and key_of(c) in n.places
    # A row falls once for all its members: if many were hit together, one message says so.
    earlier = {k for x in d.events if isinstance(x, ev.Announced) and x.rule == "TRK-18" for k in x.about}
    repeated = any(key_of(e.combatants[k]) == key_of(c) for k in earlier if k in e.combatants)
    # What falls due at the edge of a turn is damage, but nobody has hit.
    is_effect = any(isinstance(x, ev.EffectSettled) and x.who == who for x in d.events)
    if open_to_it and not is_effect and not repeated and _is_counted(e):
        line = literal(f"hit {quote(c.name)}")
        d.announce(f"{{0}}: no hit is counted; `{line}` counts one", who, rule="TRK-18")


def _change_once(d: Draft, entry: Entry, mark: str) -> bool:
    """Change an entry by one step, once a round (TRK-18); return True if anything was announced."""
    if BY_TRACK.fixed_place(d.encounter, entry) is not None and track_of(d.encounter).by == "track":
        d.announce(f"{{0}} has a fixed place: a {mark} changes nothing", entry.key, rule=_RULES[mark])
        return True
    if entry.key not in track_of(d.encounter).places:
        return False
    hero = d.encounter.combatants[entry.members[0]].side == HEROES
    rule = _RULES[mark]
    spent = track_of(d.encounter).spent.get(entry.key, [])
    if mark in spent:
        d.announce(f"{{0}}: another {mark} in this round changes nothing", entry.key, rule=rule)
    elif hero and option(d.encounter, "trk.variable_who") == "creatures":
        text = "{0} keeps the same initiative: by house rule heroes do not change theirs"
        d.announce(text, entry.key, rule=rule)
    else:
        d.emit(ev.Noted("spent", [*spent, mark], entry.key))
        d.mark(entry.members, mark)
        _change_by_one(d, entry.key, mark)
    return True


def _change_by_one(d: Draft, key: str, mark: str) -> None:
    by = -1 if mark == "hit" else 1
    if option(d.encounter, "trk.variable_when") == "next_turn":
        d.emit(ev.Noted("later", [key, by], str(len(track_of(d.encounter).later) + 1)))
        verb = "loses" if by < 0 else "gains"
        d.announce(f"{{0}} {verb} 1 from the next turn on", key, rule=_RULES[mark])
    else:
        _apply_step(d, key, by)


def apply_later(d: Draft) -> None:
    """Apply the changes that were postponed to this turn, in order (TRK-18)."""
    waiting = track_of(d.encounter).later
    d.emit(ev.Forgot("later"))
    rows = entries_by_key(d.encounter)
    for key, by in waiting.values():
        is_placed = key in rows and key in track_of(d.encounter).places
        if is_placed and BY_TRACK.fixed_place(d.encounter, rows[key]) is None:
            _apply_step(d, key, by)


def _apply_step(d: Draft, key: str, by: int) -> None:
    """Change an entry's value or place by one (TRK-18)."""
    rule = "TRK-18" if by < 0 else "TRK-19"
    if option(d.encounter, "trk.variable_moves") == "one_place":
        way, end = ("back", "last") if by < 0 else ("forward", "first")
        moves, stays = f"moves one place {way}", f"is {end} already: the place stays the same"
        d.announce("{0} " + (moves if _push_row(d, key, by) else stays), key, rule=rule)
        return
    before = track_of(d.encounter).places[key].value
    _change_value(d, key, by)
    d.announce(f"{{0}}: initiative {before} becomes {before + by}", key, rule=rule)


def _push_row(d: Draft, key: str, by: int) -> bool:
    """Move an entry by one place; return False if it is first or last already."""
    order: list[str] = [x.key for x in BY_TRACK.acting_order(d.encounter)]
    at = order.index(key) - by if key in order else -1
    if not 0 <= at < len(order):
        return False
    where = "after" if by < 0 else "before"
    d.emit(ev.Noted("pushes", [key, where, order[at]], str(len(track_of(d.encounter).pushes) + 1)))
    return True


def _change_value(d: Draft, key: str, by: int) -> None:
    """Change a value by `by`; a sinking entry comes first among equals, a rising one last (TRK-18)."""
    places, tie_rule = track_of(d.encounter).places, BY_TRACK.tie_rule(d.encounter)
    place = places[key]
    hand = tie_rule == "by_hand"
    order = [x.key for x in BY_TRACK.acting_order(d.encounter) if x.key != key and x.key in places]
    level = [(k, places[k]) for k in order if places[k].value == place.value + by]
    equals = [(k, p) for k, p in level if hand or p.mind == place.mind]
    seats = [p.seat for _, p in equals]
    seat = min(seats, default=0) - 1 if by < 0 else max(seats, default=0) + 1
    entry = BY_TRACK.entry(d.encounter, key)
    core = {c.id for c in core_members(d.encounter, entry)}
    for k in [key, *(k for k in entry.members if k not in core and k in places)]:
        write_place(d, k, replace(places[k], value=place.value + by, seat=seat, hand=hand, ties=[]))
    # All of them count as ordered from now on; otherwise the GM would be asked in the middle of a turn
    # (TRK-18).
    if hand:
        for k, p in equals:
            write_place(d, k, replace(p, hand=True))
