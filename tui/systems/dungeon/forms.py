"""What is asked before enemies are met or placed: who finds them, who is there, how far away each of them is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, entries, label
from tui.core.language.select import resolve, split
from tui.core.language.tokens import quote
from tui.core.language.values import read, show
from tui.core.rules.draft import Draft
from tui.systems.dungeon.notes import HEROES, fighting, reserve, section, team

_AWAY = "squares away; empty: unknown"
SQUARES = Field("distance", "squares", help="to the enemy who rolls, for one contest", rule="DUN-6", least=0)
DISTANCES = Field("distance", "how far away they stand", "text", help='"NAME:SQUARES,…"', rule="DUN-6")
USAGE = 'distance="NAME:SQUARES,…"'
DOOR = Field(
    "door", "door", "bool", default=False, help="broken open: nobody can be caught by surprise", rule="DUN-21"
)
THERE = "who"


def form(e: Encounter, verb: str) -> tuple[Field, ...]:
    """The fields of `meet` and `place`.

    A distance stands under the creature's id: of each enemy, and of the heroes where the nearest of them rolls.
    """
    found = section(e) if verb == "meet" else reserve(e)
    there = team(e, HEROES)
    heroes = [c.name for c in there]
    if not found or not heroes or not e.running:
        return ()
    rows = [_squares(c, THERE) for c in found]
    match verb:
        case "meet":
            # Whoever is hidden waits for another moment, unless all of them are.
            listed = _list("who is there", found, [c for c in found if not c.hidden] or found)
            rolls = Field("rolls", "rolls", "choice", tuple(c.id for c in found), rule="DUN-8", row=THERE)
            finder = next((c.name for c in there if c.id == e.acting), heroes[0])
            return (_one("hero", "who finds them", heroes, finder), DOOR, listed, rolls, *rows)
        case "place":
            listed = _list("who appears", found, found if len(entries(found)) == 1 else ())
            # Heroes are measured only where the nearest of several rolls.
            measured = [_squares(c) for c in there] if len(there) > 1 else []
            return (listed, *rows, _one("vs", "against", heroes, "", "empty: the nearest"), *measured)
        case _:
            return ()


def _one(key: str, title: str, names: Iterable[str], default: str, help_: str = "") -> Field:
    return Field(key, title, "choice", tuple(names), default, help_)


def _list(title: str, found: Iterable[Combatant], first: Iterable[Combatant]) -> Field:
    return Field(THERE, title, "list", tuple(c.id for c in found), ",".join(c.id for c in first), "squares")


def _squares(c: Combatant, row: str = "") -> Field:
    title = c.name if row else f"how far {c.name} is"
    return Field(
        c.id, title, default=c.fields.get("distance", ""), help=_AWAY, rule="DUN-6", least=0, row=row
    )


def lines(e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """The line that a filled form stands for, with the distances that are new in it: one step.

    Raises RuleError when nobody is there, and for squares that are no number.
    """
    found = section(e) if verb == "meet" else reserve(e)
    there = [c for c in found if c.id in texts.get(THERE, "").split(",")]
    if not there:
        raise RuleError(f"{verb}: nobody is ticked", "Space in the list ticks who is there")
    squares = _key(_news(e, verb, texts))
    if verb == "place":
        words = [verb, *map(quote, _named(e, there))]
        words += ["vs", quote(texts["vs"])] if texts.get("vs") else []
    else:
        words = [verb, quote(texts.get("hero", ""))]
        words += ["vs", quote(label(e, texts["rolls"]))] if texts.get("rolls") else []
        # Nobody left out is what the word means by itself.
        words += [f"with={quote(','.join(_named(e, there)))}"] if len(there) < len(found) else []
        words += ["door=broken"] if texts.get("door") else []
    return (" ".join([*words, *filter(None, [squares])]),)


def _named(e: Encounter, there: Sequence[Combatant]) -> list[str]:
    """Their names; a group that is whole goes by its own."""
    ids, names = {c.id for c in there}, dict[str, None]()
    for c in there:
        group = [x.id for x in e.combatants.values() if c.group and x.group == c.group and not x.out]
        names[c.group if group and ids.issuperset(group) else c.name] = None
    return list(names)


def beside(e: Encounter, verb: str, texts: Mapping[str, str], radius: int) -> dict[str, str]:
    """What must be known of each enemy, and whom surprise cannot reach (DUN-19)."""
    found = section(e) if verb == "meet" else reserve(e)
    safe = verb == "meet" and not fighting(e) and not texts.get("door")
    said = {}
    for c in found:
        far = safe and texts.get(c.id, "").isdecimal() and int(texts[c.id]) > radius
        facts = [f"Perception {c.number('per')}"]
        facts += ["rolls"] if texts.get("rolls") == c.id else []
        facts += [f"beyond {radius}: cannot be caught"] if far else []
        facts += ["hidden"] if c.hidden else []
        said[c.id] = ", ".join(facts)
    return said


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
        found = ", ".join(
            f"{{{i}}} {'at ' if squares.isdigit() else ''}{squares}"
            for i, squares in enumerate(told.values())
        )
        d.announce(f"Squares away: {found}", *told, rule="DUN-6")


def _key(squares: Mapping[str, str]) -> str:
    """The `distance=` of a line, by name; "" where nothing is told."""
    if not squares:
        return ""
    return "distance=" + quote(",".join(f"{name}:{n}" for name, n in squares.items()))
