"""Run the verbs of Dungeon Universalis, and make the forms for meeting and placing enemies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Choice, Field, Verb, list_slots
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter, entries, label
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import MOST_LISTED, labels, list_names, resolve, resolve_one, split_names
from tui.core.language.tokens import quote
from tui.core.language.values import read_int, read_value, spell
from tui.core.rules.draft import Draft
from tui.core.rules.newcomers import kind_of
from tui.core.rules.now import suggest_line
from tui.core.rules.system import InitiativeSystem, end_turn
from tui.systems.dungeon.advice import caught_to_move
from tui.systems.dungeon.by_track import clear_combat, is_by_track
from tui.systems.dungeon.contests import announce_assumed, open_contest
from tui.systems.dungeon.notes import (
    Contest,
    creatures_in_play,
    dungeon_notes,
    has_track,
    is_fighting,
    option,
    reserve,
    section,
    team,
)
from tui.systems.dungeon.text import COMMANDERS, DARK, HEROES, SQUARES

_SQUARES_HELP = "squares from the enemy that rolls; empty: unknown"
DISTANCES = Field("distance", "how far away they are", "text", help='"NAME:SQUARES,…"', rule="DUN-6")
USAGE = 'distance="NAME:SQUARES,…"'
DOOR = Field("door", "door", "bool", (), False, "broken open: nobody can be caught by surprise", "DUN-21")
NAME_FIELD = "who"


def verb_form(e: Encounter, verb: str) -> tuple[Field, ...]:
    """Return the form of `meet` or `place`; none if no enemy could appear.

    The field of a distance has the creature's id as key: one for each enemy, and for the heroes if the
    nearest of several rolls.
    """
    creatures = section(e) if verb == "meet" else reserve(e)
    present = team(e, HEROES)
    heroes = [c.name for c in present]
    if not creatures or not heroes or not e.running:
        return ()
    rows = [_squares_field(c, NAME_FIELD) for c in creatures]
    match verb:
        case "meet":
            # Hidden creatures wait for another moment, unless all of them are hidden.
            seen = [c for c in creatures if not c.hidden] or creatures
            listed = _list_field("who is there", creatures, seen, "squares from who finds them")
            ids = tuple(c.id for c in creatures)
            rolls = Field("rolls", "rolls", "choice", ids, rule="DUN-8", row=NAME_FIELD)
            finder = next((c.name for c in present if c.id == e.acting), heroes[0])
            hero = Field("hero", "who finds them", "choice", tuple(heroes), finder)
            return (hero, DOOR, listed, rolls, *rows)
        case "place":
            first = creatures if len(entries(creatures)) == 1 else ()
            listed = _list_field("who appears", creatures, first, "squares from the hero")
            # Distances are asked for only if several creatures are present, of which the nearest rolls.
            measured = [_squares_field(c) for c in present] if len(present) > 1 else []
            versus = Field("vs", "against", "choice", tuple(heroes), "", "empty: the nearest")
            return (listed, *rows, versus, *measured)
        case _:
            return ()


def _list_field(title: str, creatures: Iterable[Combatant], first: Iterable[Combatant], help_: str) -> Field:
    ids, ticked = (tuple(c.id for c in some) for some in (creatures, first))
    return Field(NAME_FIELD, title, "list", ids, ",".join(ticked), help_)


def _squares_field(c: Combatant, row: str = "") -> Field:
    title = c.name if row else f"squares to {c.name}"
    squares = c.fields.get("distance", "")
    return Field(c.id, title, default=squares, help=_SQUARES_HELP, rule="DUN-6", least=0, row=row)


def form_lines(e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines of a filled form, with new distances. Raises RuleError."""
    creatures = section(e) if verb == "meet" else reserve(e)
    present = [c for c in creatures if c.id in texts.get(NAME_FIELD, "").split(",")]
    if not present:
        raise RuleError(f"{verb}: no creature is ticked", "Space in the list ticks a creature")
    squares = _changed_squares(e, verb, texts)
    if verb == "place":
        words = [verb, *map(quote, _names_in_line(e, present))]
        words += ["vs", quote(texts["vs"])] if texts.get("vs") else []
    else:
        words = [verb, quote(texts.get("hero", ""))]
        words += ["vs", quote(label(e, texts["rolls"]))] if texts.get("rolls") else []
        # If all creatures take part, `with=` is left out: that is what the command means without it.
        if len(present) < len(creatures):
            words.append(f"with={quote(','.join(_names_in_line(e, present)))}")
        words += ["door=broken"] if texts.get("door") else []
    if squares:
        words.append("distance=" + quote(",".join(f"{name}:{n}" for name, n in squares.items())))
    return (" ".join(words),)


def _names_in_line(e: Encounter, present: Sequence[Combatant]) -> list[str]:
    """Return the names of these creatures; a whole group has its own name."""
    ids, names = {c.id for c in present}, dict[str, None]()
    for c in present:
        group = [x.id for x in e.combatants.values() if c.group and x.group == c.group and not x.out]
        names[c.group if group and ids.issuperset(group) else c.name] = None
    return list(names)


def describe_enemies(e: Encounter, verb: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the values of each enemy in words, by id, and whether surprise cannot reach it (DUN-19)."""
    creatures = section(e) if verb == "meet" else reserve(e)
    radius = option(e, "dun.radius")
    safe = verb == "meet" and not is_fighting(e) and not texts.get("door")
    result = {}
    for c in creatures:
        far = safe and texts.get(c.id, "").isdecimal() and int(texts[c.id]) > radius
        facts = [f"Perception {c.number('per')}"]
        facts += ["rolls"] if texts.get("rolls") == c.id else []
        facts += [f"beyond {radius}: cannot be caught"] if far else []
        facts += ["hidden"] if c.hidden else []
        result[c.id] = ", ".join(facts)
    return result


def _changed_squares(e: Encounter, verb: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the distances that differ from the known ones, by name; "" forgets one."""
    result = {}
    for field in verb_form(e, verb):
        c = e.combatants.get(field.key)
        if c is None:
            continue
        text = texts.get(field.key, "")
        squares = str(read_int(text, f"the distance to {c.name}", field.least, field.most)) if text else ""
        # Only the distances that changed: a line with twenty known ones could not be read in the log.
        if spell(c.fields.get("distance", "")) != squares:
            result[c.name] = squares
    return result


# --- distances told with the line that makes enemies appear


def read_squares(d: Draft, text: str) -> None:
    """Record the distances of `distance=` (`NAME:SQUARES,…`); an empty number forgets one.

    Raises RuleError for a name without a colon and for squares that are not a number.
    """
    distances: dict[str, str] = {}
    for part in split_names(text):
        name, colon, squares = (x.strip() for x in part.rpartition(":"))
        if not colon:
            raise RuleError(f"{part} has no distance", f"write {USAGE}, as {quote(part + ':4')}", "DUN-6")
        for who in resolve(d.encounter, name):
            value = read_value(SQUARES, squares) if squares else ""
            d.emit(ev.FieldSet(who, "distance", value, empty=not squares, quiet=True))
            distances[who] = f"at {squares}" if squares.isdigit() else squares or "unknown"
    if distances:
        shown = ", ".join(f"{{{i}}} {words}" for i, words in enumerate(distances.values()))
        d.announce(f"Squares away: {shown}", *distances, rule="DUN-6")


MEET = Verb(
    "meet", "meet WHO [vs WHO] [with=WHO,…] [door=broken] [distance=NAME:SQUARES,…]",
    "reveals a section with enemies in it", "m", "DUN-10", takes=("who",),
    keys=(Field("with", "who is there", "creature"),
          Field("door", "the door", "choice", ("broken",)), DISTANCES),
    idle="no enemies are in reserve to be found",
    also="discover door room surprise ambush perception combat", brings=True,
)  # fmt: skip
PLACE = Verb(
    "place", "place WHO… [vs HERO] [group=none] [distance=NAME:SQUARES,…]",
    "puts enemies on the table: a card, an event, reinforcements", "M", "DUN-9", takes=("several",),
    keys=(Field("group", "the group of its kind", "choice", ("none",)), DISTANCES),
    idle="no enemies are in reserve to be placed",
    also="spawn summon wave newcomers reserve arrive perception", brings=True,
)  # fmt: skip
CALM = Verb("calm", "calm", "ends the combat", key="C", rule="DUN-25", also="over stop peace exploration")
MOVED = Verb(
    "moved", "moved WHO…", "records the one-square move of a creature that was caught", "s", "DUN-20",
    takes=("several",), idle="no caught creature can still move", also="surprise square step",
)  # fmt: skip


def _split_versus(request: OwnVerb, verb: Verb) -> tuple[list[str], str]:
    """Return the words before `vs`, and the name after it or "". Raises RuleError."""
    words = list(request.words)
    at = next((i for i, w in enumerate(words) if w.lower() == "vs"), len(words))
    before, after = words[:at], words[at + 1 :]
    if not before:
        raise RuleError(f"{verb.name}: WHO is missing", verb.usage, verb.rule)
    if len(after) > 1 or (at < len(words) and not after):
        raise RuleError(f"{verb.name}: vs takes one name", verb.usage)
    return before, after[0] if after else ""


def _check_nothing_due(d: Draft, system: InitiativeSystem, verb: Verb) -> None:
    """Raise RuleError while anything must be answered first."""
    if system.due(d.encounter):
        raise RuleError(f"{verb.name} has to wait", suggest_line(d.encounter, system))


def _resolve_hero(e: Encounter, word: str, rule: str) -> str:
    who = resolve_one(e, word)
    c = e.combatants[who]
    if c.side != HEROES:
        hint = f"heroes: {labels(e, [x.id for x in team(e, HEROES)])}"
        raise RuleError(f"{c.name} is not a hero or an ally", hint, rule)
    if c not in team(e, HEROES):
        raise RuleError(f"{c.name} is not there", f"`back {quote(c.name)}`" if c.out else "", rule)
    return who


def _resolve_appearing(e: Encounter, words: Sequence[str], verb: Verb) -> list[str]:
    """Return the ids of the enemies that these words name. Raises RuleError for any that cannot appear."""
    present, lines = _ids_that_may_appear(e), list[str]()
    for word in words:
        keys = resolve(e, word)
        some = [k for k in keys if k in present]
        if not some:
            raise _absent_error(e, keys[0], verb)
        lines += some
    return list(dict.fromkeys(lines))


def _ids_that_may_appear(e: Encounter) -> set[str]:
    """Return the ids of the enemies in reserve, and without combat of those met before."""
    return {c.id for c in (*reserve(e), *(() if is_fighting(e) else team(e, DARK)))}


def _absent_error(e: Encounter, who: str, verb: Verb) -> RuleError:
    c = e.combatants[who]
    reason = "is out" if c.out else "is in play already" if c in creatures_in_play(e) else "is not here yet"
    reason = reason if c.side == DARK else "is not an enemy"
    waiting, options = f"in reserve: {labels(e, [x.id for x in reserve(e)])}", verb_choices(e, verb.name)
    return RuleError(f"{c.name} {reason}", waiting + (f": `{options[0].line}`" if options else ""), verb.rule)


def run_meet(d: Draft, system: InitiativeSystem, request: OwnVerb) -> None:
    """Run `meet`. Raises RuleError."""
    finders, versus = _split_versus(request, MEET)
    if len(finders) > 1:
        raise RuleError("meet takes one name: the creature that discovers the others", MEET.usage, "DUN-10")
    if (door := request.keys.get("door", "")) not in ("", "broken"):
        raise RuleError(f"meet: door= is broken, not {quote(door)}", MEET.usage, "DUN-21")
    _check_nothing_due(d, system, MEET)
    finder = resolve_one(d.encounter, finders[0])
    dark = d.encounter.combatants[finder].side == DARK
    if dark:
        contest = _contest_by_creature(d.encounter, finder, versus)
    else:
        contest = _contest_by_hero(d, finders[0], versus)
    inside = request.keys.get("with", "")
    who = _resolve_appearing(d.encounter, [inside], MEET) if inside else [c.id for c in section(d.encounter)]
    # The creature that rolls takes part, even if `with=` does not name it.
    who = list(dict.fromkeys([*who, *([contest.dark] if contest.dark else [])]))
    if not who:
        raise RuleError("no enemy is in reserve", "`add 5 Orc` first", "DUN-10")
    read_squares(d, request.keys.get("distance", ""))
    first = not is_fighting(d.encounter)
    if first:
        _end_older_combat(d, system)
    found = "the heroes" if dark else "enemies"
    # The enemies come into play first: players read of them from then on.
    open_contest(d, replace(contest, kind="meeting" if first else "placement", door=bool(door)), who)
    seen = min(who, key=lambda k: d.encounter.combatants[k].hidden)
    d.announce(f"{{0}} discovers {found}: an opposed roll", finder, seen, rule="DUN-10")
    announce_assumed(d)
    _note_hidden(d, who)


def _contest_by_hero(d: Draft, word: str, versus: str) -> Contest:
    """Return a contest with this hero as roller, or with an artificial Dark Player the nearest (DUN-8)."""
    hero = _resolve_hero(d.encounter, word, "DUN-10")
    enemy = _resolve_appearing(d.encounter, [versus], MEET) if versus else []
    if len(enemy) > 1:
        name = d.encounter.combatants[enemy[0]].name
        hint = f"one of them rolls: `meet {quote(word)} vs {quote(name)}`"
        raise RuleError(f"{quote(versus)} names {len(enemy)} enemies", hint, "DUN-6")
    if option(d.encounter, "dun.adp") and not enemy:
        return Contest("", finder=hero)
    return Contest("", heroes=hero, dark="".join(enemy))


def _contest_by_creature(e: Encounter, finder: str, versus: str) -> Contest:
    """Return a contest in which this enemy rolls against the nearest hero (DUN-10)."""
    if finder not in _ids_that_may_appear(e):
        raise _absent_error(e, finder, MEET)
    if not team(e, HEROES):
        raise _no_hero_error()
    hero = _resolve_hero(e, versus, "DUN-10") if versus else ""
    return Contest("", heroes=hero, dark=finder, finder=finder)


def _no_hero_error() -> RuleError:
    return RuleError("there is no hero to roll against them", "`add 1 Hero kind=pc`", "DUN-13")


def _end_older_combat(d: Draft, system: InitiativeSystem) -> None:
    """End running and interrupted turns and an older combat before a first meeting (DUN-10)."""
    # Ending a turn may resume one that was interrupted; a first meeting ends that too.
    while d.encounter.turn:
        end_turn(d, system)
    if dungeon_notes(d.encounter).combat:
        clear_combat(d)
    everyone = list(d.encounter.combatants)
    for mark in ("surprised", "moved"):
        d.unmark(everyone, mark)


def run_place(d: Draft, system: InitiativeSystem, request: OwnVerb) -> None:
    """Run `place`. Raises RuleError."""
    words, versus = _split_versus(request, PLACE)
    if (group := request.keys.get("group", "").lower()) not in ("", "none"):
        hint = f"`set {quote(words[0])} group={quote(group)}` first puts it elsewhere"
        raise RuleError("place: group= takes only none", hint, "TRK-14" if has_track(d.encounter) else "")
    _check_nothing_due(d, system, PLACE)
    who = _resolve_appearing(d.encounter, words, PLACE)
    hero = _resolve_hero(d.encounter, versus, "DUN-13") if versus else ""
    if not team(d.encounter, HEROES):
        raise _no_hero_error()
    read_squares(d, request.keys.get("distance", ""))
    many = len(who) > 1
    new = "new enemies, one opposed roll for all of them" if many else "a new enemy, by an opposed roll"
    if is_by_track(d.encounter) and not group:
        _join_kinds(d, system, who)
    open_contest(d, Contest("placement", heroes=hero), who)
    d.announce(f"{list_slots(who)}: {new}", *who, rule="DUN-9")
    announce_assumed(d)
    _note_hidden(d, who)


def _note_hidden(d: Draft, who: Sequence[str]) -> None:
    """Notify the author of enemies that appear and stay hidden from the players."""
    names = [d.encounter.combatants[k].name for k in who if d.encounter.combatants[k].hidden]
    if names:
        stay = "stays" if len(names) == 1 else "stay"
        line = f"`reveal {quote(','.join(names[:MOST_LISTED]))}`"
        d.notices.append(f"{list_names(names)} {stay} hidden from the players; {line}")


def _join_kinds(d: Draft, system: InitiativeSystem, who: Sequence[str]) -> None:
    """Put newcomers without a group, commanders apart, into the group of their kind (TRK-14)."""
    by_kind: dict[str, list[str]] = {}
    for x in entries(c for c in team(d.encounter, DARK) if c.group):
        kinds = {kind_of(d.encounter.combatants[k].name) for k in x.members}
        if len(kinds) == 1:
            by_kind.setdefault(kinds.pop(), []).append(x.key.removeprefix(SIDE))
    joining = list[str]()
    for c in (d.encounter.combatants[k] for k in who):
        if c.group or c.word("rank") in COMMANDERS or c.value is not None:
            continue
        fitting = by_kind.get(kind_of(c.name), [])
        if len(fitting) > 1:
            line = f"`set {quote(c.name)} group={quote(fitting[0])}`"
            d.notices.append(f"{c.name} fits {' and '.join(fitting)}: {line} before `place` chooses one")
        elif fitting:
            d.emit(ev.Changed(c.id, "group", fitting[0]))
            joining.append(c.id)
    if joining:
        system.regrouped(d, {k: k for k in joining})


def run_moved(d: Draft, request: OwnVerb) -> None:
    """Run `moved`. Raises RuleError."""
    keys = tuple(dict.fromkeys(k for word in request.words for k in resolve(d.encounter, word)))
    for k in keys:
        c = d.encounter.combatants[k]
        if "surprised" not in c.marks:
            people = d.encounter.combatants.values()
            caught = (x.name for x in people if "surprised" in x.marks and "moved" not in x.marks)
            hint = next((f"`moved {quote(name)}`" for name in caught), "")
            raise RuleError(f"{c.name} is not caught by surprise", hint, "DUN-20")
        if "moved" in c.marks:
            raise RuleError(f"{c.name} has been moved already", "one square each", "DUN-20")
        d.mark((k,), "moved")
    are = "is" if len(keys) == 1 else "are"
    d.announce(f"{list_slots(keys)} {are} moved by the winner", *keys, rule="DUN-20")


def run_calm(d: Draft, system: InitiativeSystem) -> None:
    """Run `calm`. Raises RuleError."""
    n = dungeon_notes(d.encounter)
    if n.contest.kind:
        raise RuleError("calm has to wait", suggest_line(d.encounter, system), "DUN-25")
    if not n.combat:
        options = verb_choices(d.encounter, "meet")
        hint = f"`{options[0].line}` when a section is revealed" if options else ""
        raise RuleError("no combat is running", hint, "DUN-25")
    clear_combat(d)
    d.emit(ev.PhaseEntered("exploration"))


def verb_choices(e: Encounter, verb: str) -> tuple[Choice, ...]:
    """Return the whole lines that a verb could begin now."""
    match verb:
        case "meet":
            heroes = [c.id for c in team(e, HEROES)] if section(e) else []
            return tuple(Choice(f"meet {quote(label(e, k))}", label(e, k), "discovers them") for k in heroes)
        case "place":
            keys = [c.id for c in reserve(e)] if team(e, HEROES) else []
            return tuple(Choice(f"place {quote(label(e, k))}", label(e, k), "appears") for k in keys)
        case "moved":
            names = [quote(label(e, c.id)) for c in caught_to_move(e)]
            each = tuple(Choice(f"moved {name}", name.strip('"'), "one square") for name in names)
            every = Choice(f"moved {' '.join(names)}", "all of them", "one square each")
            return (every, *each) if len(each) > 1 else each
        case _:
            return ()
