"""The words of Dungeon Universalis: a section is revealed, enemies are placed, combat is over."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Choice, Field, Verb
from tui.core.fight.encounter import Encounter, label
from tui.core.language.actions import OwnVerb
from tui.core.language.select import listing, one, resolve
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft
from tui.core.rules.now import instead
from tui.core.rules.system import end_turn
from tui.systems.dungeon.advice import unmoved
from tui.systems.dungeon.forms import DISTANCES, measure
from tui.systems.dungeon.meeting import opened
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    fighting,
    notes_of,
    playing,
    reserve,
    section,
    several,
    team,
)
from tui.systems.dungeon.two_sides import TwoSides

MEET = Verb(
    "meet",
    "meet WHO [vs WHO] [with=WHO,…] [door=broken] [distance=NAME:SQUARES,…]",
    "reveals a section with enemies in it",
    key="m",
    rule="DUN-10",
    takes=("who",),
    keys=(
        Field("with", "who is there", "creature"),
        Field("door", "the door", "choice", ("broken",)),
        DISTANCES,
    ),
)
PLACE = Verb(
    "place",
    "place WHO… [vs HERO] [distance=NAME:SQUARES,…]",
    "puts enemies on the table: a card, an event, reinforcements",
    key="M",
    rule="DUN-9",
    takes=("several",),
    keys=(DISTANCES,),
)
CALM = Verb("calm", "calm", "ends the combat", key="C", rule="DUN-25")
MOVED = Verb(
    "moved",
    "moved WHO…",
    "ticks off the one-square move of somebody caught",
    key="s",
    rule="DUN-20",
    takes=("several",),
)


def report(d: Draft, system: TwoSides, request: OwnVerb) -> None:
    """One of the four words."""
    match request.verb:
        case "meet":
            _meet(d, system, request)
        case "place":
            _place(d, system, request)
        case "moved":
            _moved(d, request)
        case _:
            if request.words or request.keys:
                raise RuleError("calm takes no words")
            _calm(d, system)


def _split(request: OwnVerb, verb: Verb, keys: Collection[str]) -> tuple[list[str], str]:
    """The words before `vs`, and the one behind it."""
    if strange := [k for k in request.keys if k not in keys]:
        raise RuleError(f"{verb.name} has no key {strange[0]}=", verb.usage)
    words = list(request.words)
    at = next((i for i, w in enumerate(words) if w.lower() == "vs"), len(words))
    before, behind = words[:at], words[at + 1 :]
    if not before:
        raise RuleError(f"{verb.name}: nobody is named", verb.usage, verb.rule)
    if len(behind) > 1 or (at < len(words) and not behind):
        raise RuleError(f"{verb.name}: vs takes one name", verb.usage)
    return before, behind[0] if behind else ""


def _free(d: Draft, system: TwoSides, verb: Verb) -> None:
    """Raises RuleError while something else must be answered first."""
    if system.due(d.encounter):
        raise RuleError(f"{verb.name} has to wait", instead(d.encounter, system))


def _hero(e: Encounter, word: str, rule: str) -> str:
    who = one(e, word)
    c = e.combatants[who]
    if c.side != HEROES:
        hint = f"heroes: {listing(e, [x.id for x in team(e, HEROES)])}"
        raise RuleError(f"{c.name} is no hero or ally", hint, rule)
    if c not in team(e, HEROES):
        raise RuleError(f"{c.name} is not there", f"`back {quote(c.name)}`", rule)
    return who


def _appearing(e: Encounter, words: Sequence[str], verb: Verb) -> list[str]:
    """The enemies that these words bring in: out of the reserve, or, when no combat runs, seen again."""
    there, found = _here(e), list[str]()
    for word in words:
        named = resolve(e, word)
        some = [k for k in named if k in there]
        if not some:
            raise _absent(e, named[0], verb)
        found += some
    return list(dict.fromkeys(found))


def _here(e: Encounter) -> set[str]:
    """The enemies who may appear."""
    return {c.id for c in (*reserve(e), *(() if fighting(e) else team(e, DARK)))}


def _absent(e: Encounter, who: str, verb: Verb) -> RuleError:
    c = e.combatants[who]
    why = "is out" if c.out else "is in play already" if c in playing(e) else "is not here yet"
    why = why if c.side == DARK else "is no enemy"
    waiting, found = f"in reserve: {listing(e, [x.id for x in reserve(e)])}", choices(e, verb.name)
    return RuleError(f"{c.name} {why}", waiting + (f": `{found[0].line}`" if found else ""), verb.rule)


def _meet(d: Draft, system: TwoSides, request: OwnVerb) -> None:
    finders, versus = _split(request, MEET, ("with", "door", "distance"))
    if len(finders) > 1:
        raise RuleError("meet takes one name: who discovers the others", MEET.usage, "DUN-10")
    if (door := request.keys.get("door", "")) not in ("", "broken"):
        raise RuleError(f"meet: door= is broken, not {quote(door)}", MEET.usage, "DUN-21")
    _free(d, system, MEET)
    finder = one(d.encounter, finders[0])
    dark = d.encounter.combatants[finder].side == DARK
    contest = _by_creature(d.encounter, finder, versus) if dark else _by_hero(d, system, finders[0], versus)
    inside = request.keys.get("with", "")
    who = _appearing(d.encounter, [inside], MEET) if inside else [c.id for c in section(d.encounter)]
    # Whoever rolls is there, even where `with=` does not name it.
    who = list(dict.fromkeys([*who, *([contest.dark] if contest.dark else [])]))
    if not who:
        raise RuleError("no enemy is in reserve", "`add 5 Orc` first", "DUN-10")
    measure(d, request.keys.get("distance", ""))
    first = not fighting(d.encounter)
    if first:
        _fresh_start(d, system)
    d.announce(
        f"{{0}} discovers {'the heroes' if dark else 'enemies'}: an opposed roll", finder, rule="DUN-10"
    )
    opened(d, replace(contest, kind="meeting" if first else "placement", door=bool(door)), who)


def _by_hero(d: Draft, system: TwoSides, word: str, versus: str) -> Contest:
    """A hero discovers enemies: it rolls, unless against an artificial Dark Player another one is nearer (DUN-A7)."""
    hero = _hero(d.encounter, word, "DUN-10")
    enemy = _appearing(d.encounter, [versus], MEET) if versus else []
    if len(enemy) > 1:
        name = d.encounter.combatants[enemy[0]].name
        hint = f"one of them rolls: `meet {quote(word)} vs {quote(name)}`"
        raise RuleError(f"{quote(versus)} names {len(enemy)} enemies", hint, "DUN-6")
    if system.option(d.encounter, "dun.adp") and not enemy:
        return Contest("", finder=hero)
    return Contest("", heroes=hero, dark="".join(enemy))


def _by_creature(e: Encounter, finder: str, versus: str) -> Contest:
    """A creature of the Dark Player discovers the heroes: it rolls, against the nearest of them (DUN-10)."""
    if finder not in _here(e):
        raise _absent(e, finder, MEET)
    if not team(e, HEROES):
        raise _alone()
    return Contest("", heroes=_hero(e, versus, "DUN-10") if versus else "", dark=finder, finder=finder)


def _alone() -> RuleError:
    return RuleError("nobody is there to roll against them", "`add 1 Hero kind=pc`", "DUN-13")


def _fresh_start(d: Draft, system: TwoSides) -> None:
    """A first meeting ends the running turn, those that wait for it, and whatever an older combat left (DUN-10)."""
    # Ending a turn may resume one that was cut into, which a first meeting ends as well.
    while d.encounter.turn:
        end_turn(d, system)
    if notes_of(d.encounter).combat:
        system.cleared(d)
    everyone = list(d.encounter.combatants)
    for mark in ("surprised", "moved"):
        d.unmark(everyone, mark)


def _place(d: Draft, system: TwoSides, request: OwnVerb) -> None:
    words, versus = _split(request, PLACE, ("distance",))
    _free(d, system, PLACE)
    who = _appearing(d.encounter, words, PLACE)
    hero = _hero(d.encounter, versus, "DUN-13") if versus else ""
    if not team(d.encounter, HEROES):
        raise _alone()
    measure(d, request.keys.get("distance", ""))
    keys = tuple(who)
    d.emit(ev.Announced(several(keys) + ": new enemies, one opposed roll for all of them", keys, "DUN-9"))
    opened(d, Contest("placement", heroes=hero), who)


def _moved(d: Draft, request: OwnVerb) -> None:
    words, versus = _split(request, MOVED, ())
    if versus:
        raise RuleError("moved takes only names", MOVED.usage)
    for k in dict.fromkeys(k for word in words for k in resolve(d.encounter, word)):
        c = d.encounter.combatants[k]
        if "surprised" not in c.marks:
            raise RuleError(f"{c.name} is not caught by surprise", "only those caught are moved", "DUN-20")
        if "moved" in c.marks:
            raise RuleError(f"{c.name} has been moved already", "one square each", "DUN-20")
        d.mark((k,), "moved")
        d.announce("{0} is moved by the winner", k, rule="DUN-20")


def _calm(d: Draft, system: TwoSides) -> None:
    n = notes_of(d.encounter)
    if n.contest:
        raise RuleError("calm has to wait", instead(d.encounter, system), "DUN-25")
    if not n.combat:
        found = choices(d.encounter, "meet")
        hint = f"`{found[0].line}` when a section is revealed" if found else ""
        raise RuleError("no combat runs", hint, "DUN-25")
    system.cleared(d)
    d.emit(ev.PhaseEntered("exploration"))


def choices(e: Encounter, verb: str) -> tuple[Choice, ...]:
    """Lines that a word could mean now."""
    match verb:
        case "meet":
            found = [c.id for c in team(e, HEROES)] if section(e) else []
            return tuple(Choice(f"meet {quote(label(e, k))}", label(e, k), "discovers them") for k in found)
        case "place":
            keys = [c.id for c in reserve(e)] if team(e, HEROES) else []
            return tuple(Choice(f"place {quote(label(e, k))}", label(e, k), "appears") for k in keys)
        case "moved":
            keys = [c.id for c in unmoved(e)]
            return tuple(Choice(f"moved {quote(label(e, k))}", label(e, k), "one square") for k in keys)
        case _:
            return ()
