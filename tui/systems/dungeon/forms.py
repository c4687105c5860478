"""What is asked before enemies are met or placed: who finds them, who is there, how far away each of them is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tui.core.fight import events as ev
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, entries, label
from tui.core.fight.errors import RuleError
from tui.core.language.select import resolve, split
from tui.core.language.tokens import quote
from tui.core.language.values import read, show
from tui.core.rules.draft import Draft
from tui.systems.dungeon.notes import HEROES, reserve, section, team

_AWAY = "squares away; empty: unknown"
SQUARES = Field("distance", "squares", help="to the enemy who rolls, for one contest", rule="DUN-6", least=0)
DISTANCES = Field("distance", "how far away they stand", "text", help='"NAME:SQUARES,…"', rule="DUN-6")
USAGE = 'distance="NAME:SQUARES,…"'
DOOR = Field("door", "door broken", "bool", default=False, rule="DUN-21")


def form(e: Encounter, verb: str) -> tuple[Field, ...]:
    """The fields of `meet` and `place`.

    A distance stands under the creature's id: of each enemy, and of the heroes where the nearest of them rolls.
    """
    found = section(e) if verb == "meet" else reserve(e)
    there = team(e, HEROES)
    heroes = [c.name for c in there]
    if not found or not heroes or not e.running:
        return ()
    places = [label(e, x.key) for x in entries(found)]
    match verb:
        case "meet":
            asked = (
                _one("hero", "who finds them", heroes, heroes[0]),
                *([_one("with", "who is there", places, "", "empty: everybody")] if len(places) > 1 else []),
                _one("vs", "who rolls", [c.name for c in found], "", "empty: the nearest"),
                DOOR,
            )
        case "place":
            asked = (
                _one("who", "who appears", places, places[0]),
                _one("vs", "against", heroes, "", "empty: the nearest"),
            )
        case _:
            return ()
    # Heroes are measured only where the nearest of several rolls; a finder rolls wherever he stands.
    measured = [*found, *there] if verb == "place" and len(there) > 1 else found
    return (*asked, *(_squares(c) for c in measured))


def _one(key: str, title: str, names: Iterable[str], default: str, help_: str = "") -> Field:
    return Field(key, title, "choice", tuple(names), default, help_)


def _squares(c: Combatant) -> Field:
    return Field(c.id, c.name, default=c.fields.get("distance", ""), help=_AWAY, rule="DUN-6", least=0)


def lines(e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """The line that a filled form stands for, with the distances that are new in it: one step."""
    who = texts.get("hero" if verb == "meet" else "who", "")
    if not who:
        raise RuleError(f"{verb}: nobody is named")
    words = [verb, quote(who)]
    words += ["vs", quote(texts["vs"])] if texts.get("vs") else []
    words += [f"with={quote(texts['with'])}"] if texts.get("with") else []
    words += ["door=broken"] if texts.get("door") else []
    return (" ".join([*words, *filter(None, [_key(_news(e, verb, texts))])]),)


def _news(e: Encounter, verb: str, texts: Mapping[str, str]) -> dict[str, str]:
    """The distances that differ from those that are known, by name; an emptied one forgets the old."""
    found = {}
    for field in form(e, verb):
        c = e.combatants.get(field.key)
        if c is None:
            continue
        text = texts.get(field.key, "")
        squares = show(read(field, text)) if text else ""
        # Only what changed: a line with twenty known distances could not be read in the log.
        if show(c.fields.get("distance", "")) != squares:
            found[c.name] = squares
    return found


# --- distances told with the line that makes enemies appear


def measure(d: Draft, text: str) -> None:
    """How far away they stand in the contest that begins; nothing behind the colon forgets an old distance.

    Raises RuleError for somebody without a colon and for squares that are no number.
    """
    told: dict[str, str] = {}
    for part in split(text):
        name, colon, squares = (x.strip() for x in part.rpartition(":"))
        if not colon:
            raise RuleError(f"{part} has no distance", f"write {USAGE}, as {quote(part + ':4')}", "DUN-6")
        for who in resolve(d.encounter, name):
            value = read(SQUARES, squares) if squares else ""
            d.emit(ev.FieldSet(who, "distance", value, empty=not squares, quiet=True))
            told[who] = squares or "unknown"
    if told:
        found = ", ".join(f"{{{i}}} {squares}" for i, squares in enumerate(told.values()))
        d.announce(f"Squares away: {found}", *told, rule="DUN-6")


def _key(squares: Mapping[str, str]) -> str:
    """The `distance=` of a line, by name; "" where nothing is told."""
    if not squares:
        return ""
    return "distance=" + quote(",".join(f"{name}:{n}" for name, n in squares.items()))
