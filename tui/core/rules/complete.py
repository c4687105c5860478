"""What a half-typed line may become: verbs, names, keys, values. The `:` line and plain mode share it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.fight import agenda
from tui.core.fight.agenda import Field, Verb
from tui.core.fight.encounter import Encounter, label, sides
from tui.core.fight.errors import RuleError
from tui.core.language.grammar import verbs
from tui.core.language.select import groups
from tui.core.language.tokens import quote, tokens
from tui.core.rules import roster
from tui.core.rules.system import InitiativeSystem

CONDITIONS = (
    "blinded", "charmed", "concentration", "deafened", "frightened", "grappled", "incapacitated", "invisible",
    "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious",
)  # fmt: skip
_WHO = (
    "set", "remove", "rename", "group", "ungroup", "hide", "reveal", "damage", "heal", "temp", "condition", "clear",
    "out", "back", "roll", "pick", "order", "turn", "hold", "act", "move", "react",
)  # fmt: skip
_MANY = ("pick",)


def complete(line: str, e: Encounter, system: InitiativeSystem, words: Sequence[str] = ()) -> list[str]:
    """The lines that this one may become by its last word, in the order they are best offered.

    `words` are verbs of the front end, offered beside the grammar's.
    """
    verb, gap, rest = line.lstrip().partition(" ")
    if not gap:
        known = [*verbs(), *(v.name for v in system.verbs), *words]
        return [f"{v} " for v in dict.fromkeys(known) if v.startswith(verb.lower())]
    head, last = _last(rest)
    start = f"{verb} {head}"
    key, is_key, begun = last.partition("=")
    if is_key and '"' not in key:
        values = [v for v in _values(verb, key, e, system) if _bare(v).startswith(_bare(begun))]
        return [f"{start}{key}={v} " for v in values]
    return [f"{start}{x}" for x in _next_words(verb, _words(head), last, e, system)]


def _bare(text: str) -> str:
    return text.strip('"').lower()


def _words(head: str) -> int:
    """How many words stand there already."""
    try:
        return len(tokens(head))
    except RuleError:
        return 0


def _last(rest: str) -> tuple[str, str]:
    """What stands before the last word, and the last word, an open quote included."""
    opened = rest.count('"') % 2 == 1
    closed = rest.endswith('"') and not opened
    mark = rest.rfind('"', 0, len(rest) - closed) if opened or closed else len(rest)
    at = rest.rfind(" ", 0, mark) + 1
    return rest[:at], rest[at:]


def _next_words(verb: str, place: int, last: str, e: Encounter, system: InitiativeSystem) -> Iterable[str]:
    own = next((v for v in system.verbs if v.name == verb), None)
    found: list[str] = []
    if own:
        found += _own_words(own, place, last, e, system)
    elif (place == 0 and verb in _WHO) or verb in _MANY:
        found += _names(verb, last, e, system)
    if place == 1 and verb == "condition":
        found += _beginning(last, (*CONDITIONS, *_used(e)))
    if place == 1 and verb == "clear":
        found += _beginning(last, _used(e))
    if place == 1 and verb == "move":
        found += _beginning(last, ("before", "after"))
    if place == 2 and verb == "move":
        found += _names(verb, last, e, system)
    if last == "" or last.isalpha() or "." in last or "_" in last:
        found += [f"{k}=" for k in _keys(verb, e, system) if k.startswith(last.lower())]
    return dict.fromkeys(found)


def _own_words(verb: Verb, place: int, last: str, e: Encounter, system: InitiativeSystem) -> list[str]:
    """What a verb of the system's own takes at a place; the last of its words may stand several times."""
    match verb.takes[min(place, len(verb.takes) - 1)] if verb.takes else "":
        case "several":
            return _names(verb.name, last, e, system)
        case "who" if place < len(verb.takes):
            return _names(verb.name, last, e, system)
        case "side":
            return _beginning(last, (*system.sides, *sides(e)))
        case _:
            return []


def _beginning(last: str, words: Iterable[str]) -> list[str]:
    begun = _bare(last)
    return [quote(w) + " " for w in dict.fromkeys(words) if w.lower().startswith(begun)]


def _used(e: Encounter) -> list[str]:
    return [x.name for c in e.combatants.values() for x in c.conditions]


def _names(verb: str, last: str, e: Encounter, system: InitiativeSystem) -> list[str]:
    """Names that fit, those first that are owed or offered; after a comma the next of a list."""
    text = last.strip('"')
    before, comma, begun = text.rpartition(",")
    everybody = [
        *_wanted(verb, e, system),
        *(c.name for c in e.combatants.values()),
        *groups(e),
        *(f"@{s}" for s in sides(e)),
    ]
    fits = [n for n in dict.fromkeys(everybody) if n.lower().startswith(begun.strip().lower())]
    return [quote(before + comma + n) + " " for n in fits]


def _wanted(verb: str, e: Encounter, system: InitiativeSystem) -> list[str]:
    """Whom the moment asks for."""
    due = system.due(e) if e.running else ()
    match verb:
        case "roll":
            return [label(e, a.who) for a in due if isinstance(a, agenda.RollAsk)]
        case "order":
            return [label(e, a.who) for a in due if isinstance(a, agenda.FormAsk)]
        case "pick":
            return [label(e, k) for a in due if isinstance(a, agenda.PickAsk) for k in a.names]
        case "turn" if e.running and not e.turn and not due:
            return [label(e, a.who) for a in system.offer(e).acts if a.kind == "turn"]
        case _:
            return []


def _fields(verb: str, e: Encounter, system: InitiativeSystem) -> tuple[Field, ...]:
    match verb:
        case "add" | "set":
            return roster.attributes(system)
        case "option":
            return system.options
        case "order":
            forms = [a.fields for a in (system.due(e) if e.running else ()) if isinstance(a, agenda.FormAsk)]
            return forms[0] if forms else ()
        case "condition":
            return (
                Field("rounds", ""),
                Field("until", "", "choice", ("start", "end")),
                Field("of", "", "creature"),
            )
        case "lock":
            return (Field("missing", "", "choice", ("empty",)),)
        case _:
            return next((v.keys for v in system.verbs if v.name == verb), ())


def _keys(verb: str, e: Encounter, system: InitiativeSystem) -> list[str]:
    return [f.key for f in _fields(verb, e, system)]


def _values(verb: str, key: str, e: Encounter, system: InitiativeSystem) -> list[str]:
    """The values a key takes, as a line writes them."""
    field = next((f for f in _fields(verb, e, system) if f.key == key), None)
    if key == "side" or (field and field.kind == "side"):
        return [quote(s) for s in dict.fromkeys([*system.sides, *sides(e)])]
    if key == "group":
        return [quote(g) for g in groups(e)]
    if field and field.kind == "creature":
        return [quote(c.name) for c in e.combatants.values()]
    if key == "owner":
        return [quote(o) for o in dict.fromkeys(c.owner for c in e.combatants.values()) if o]
    if field is None:
        return []
    return ["true", "false"] if field.kind == "bool" else list(field.choices)
