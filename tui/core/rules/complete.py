"""Complete a half-typed line: verbs, names, keys, values; for the `:` line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal

from tui.core.fight.agenda import EffectAsk, Field, FieldKind, FormAsk, PickAsk, RollAsk
from tui.core.fight.encounter import SIDE, USUAL_SIDES, Encounter, label, sides
from tui.core.language.grammar import syntax, verbs
from tui.core.language.runs import MOST_WORDS, join_names, read_tokens, word_slots
from tui.core.language.select import groups
from tui.core.language.syntax import COUNT, Count, Flag, KeyValue, Names, Pairs, Slot, Takes, Word
from tui.core.language.tokens import Token, quote
from tui.core.rules.attacking import list_attacks, read_series
from tui.core.rules.creature_fields import ordered_fields
from tui.core.rules.on_screen import on_screen
from tui.core.rules.rolling import dice_for_faces
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import COMMON_OPTIONS, all_owed


class Answer(Slot, frozen=True):
    """A key of a system's own verb, as a slot."""

    field: Field = Field("", "")


Stock = Callable[[Literal["creature", "party", "fight", "condition"], str], Sequence[str]]
"""Returns the names of one kind in the library that begin with a text."""


def complete(
    line: str,
    e: Encounter,
    system: InitiativeSystem,
    words: Sequence[str] = (),
    stock: Stock = lambda _kind, _begun: (),
) -> list[str]:
    """Return the lines to which a half-typed line may be completed.

    Whole lines come first, then those with another last word. `words` are verbs of the front end; `stock`
    gives names of the library.
    """
    verb, gap, rest = line.lstrip().partition(" ")
    if not gap:
        known = [*verbs(), *(v.name for v in system.verbs), *words]
        return [f"{v} " for v in dict.fromkeys(known) if v.startswith(verb.lower())]
    whole = [c.line for c in on_screen(system).choices(e, verb.lower())] if e.running else []
    meant = [w for w in whole if w.lower().startswith(line.lstrip().lower()) and len(w) > len(line.lstrip())]
    others = [w for w in _complete_last(verb, rest, e, system, stock) if w.strip() not in meant]
    return [*dict.fromkeys(meant), *others]


def _complete_last(verb: str, rest: str, e: Encounter, system: InitiativeSystem, stock: Stock) -> list[str]:
    """Return the lines that a verb with arguments may become by completing the last word."""
    head, last = _split_last(rest)
    slots = _slots_of(verb.lower(), system)
    key, is_key, begun = last.partition("=")
    if is_key and '"' not in key:
        known = [v for v in _values_of_key(key, slots, e, system) if _unquote(v).startswith(_unquote(begun))]
        return [f"{verb} {head}{key}={v} " for v in known]
    parsed = read_tokens(head)
    given = {f"{t.key}=" for t in parsed}
    keys = [key for key in _next_keys(slots, last, e, system) if key not in given]
    offers = [*_next_words(_count_words(parsed, slots), slots, last, e, system, stock), *keys]
    longer = _complete_run(head, last, slots, e, system, stock)
    return [f"{verb} {x}" for x in dict.fromkeys([*longer, *(f"{head}{x}" for x in offers)])]


def _complete_run(
    head: str, last: str, slots: tuple[Slot, ...], e: Encounter, system: InitiativeSystem, stock: Stock
) -> list[str]:
    """Return the words of a line of which the last ones, without quotes, begin a name of several words."""
    words, result = head.split(" ")[:-1], list[str]()
    for many in range(min(len(words), MOST_WORDS), 0, -1):
        before, begun = words[:-many], " ".join([*words[-many:], last])
        takes_count = not before and any(isinstance(s, Count) for s in slots)
        if '"' in begun or "=" in begun or (takes_count and re.fullmatch(COUNT, words[-many])):
            continue
        place = _count_words(read_tokens(" ".join(before)), slots)
        names = (x for x in _next_words(place, slots, begun, e, system, stock) if " " in x.strip())
        result += [" ".join([*before, x]) for x in names]
    return result


def _slots_of(verb: str, system: InitiativeSystem) -> tuple[Slot, ...]:
    """Return the slots of a verb; none for an unknown one."""
    if own := next((v for v in system.verbs if v.name == verb), None):
        return (*word_slots(own), *(Answer(f.key, field=f) for f in own.keys))
    known = syntax(verb)
    return known.slots if known else ()


def _unquote(text: str) -> str:
    return text.strip('"').lower()


def _count_words(parsed: Sequence[Token], slots: Sequence[Slot]) -> int:
    """Return how many words were typed, without a number of creatures before the name."""
    words_without_key = [t for t in parsed if not t.key]
    counted = bool(words_without_key) and any(
        isinstance(s, Count) and s.fits(words_without_key[0]) for s in slots
    )
    return len(words_without_key) - counted


def last_word(line: str) -> str:
    """Return the last word of a completed line, quotes included, for the list of completions."""
    return _split_last(line.rstrip())[1]


def _split_last(rest: str) -> tuple[str, str]:
    """Return the text before the last word, and the last word with an open quote."""
    opened = rest.count('"') % 2 == 1
    # An open quote may hold spaces: the last word begins where the quote was opened.
    closed = rest.endswith('"') and not opened
    mark = rest.rfind('"', 0, len(rest) - closed) if opened or closed else len(rest)
    at = rest.rfind(" ", 0, mark) + 1
    return rest[:at], rest[at:]


# --- words


def _next_words(
    place: int, slots: Sequence[Slot], last: str, e: Encounter, system: InitiativeSystem, stock: Stock
) -> list[str]:
    """Return the words for slot number `place`; beyond the last slot, for a last slot with several names."""
    word_slots = [s for s in slots if isinstance(s, Word | Names)]
    if not word_slots or (place >= len(word_slots) and not isinstance(word_slots[-1], Names)):
        return []
    slot = word_slots[min(place, len(word_slots) - 1)]
    if isinstance(slot, Word) and slot.choices:
        return _words_beginning(last, slot.choices)
    return _words_of_kind(slot.takes, last, e, system, stock)


def _words_of_kind(
    takes: Takes, last: str, e: Encounter, system: InitiativeSystem, stock: Stock
) -> list[str]:
    """Return the words of a kind that begin with the last word, those that are due first."""
    due = all_owed(e, system)
    match takes:
        case "" | "attributes" | "options" | "form":
            return []
        case "who":
            return _creature_names((), last, e)
        case "roller":
            return _creature_names([a.who for a in due if isinstance(a, RollAsk)], last, e)
        case "saver":
            return _creature_names([a.who for a in due if isinstance(a, RollAsk) and a.ticks], last, e)
        case "writer":
            return _creature_names([a.who for a in due if isinstance(a, FormAsk)], last, e)
        case "picked":
            return _creature_names([k for a in due if isinstance(a, PickAsk) for k in a.names], last, e)
        case "actor":
            return _creature_names(() if not e.running or e.turn or due else system.offer(e).turns, last, e)
        case "condition":
            return _words_beginning(last, (*stock("condition", _unquote(last)), *_condition_names(e)))
        case "carried":
            return _words_beginning(last, _condition_names(e))
        case "endable":
            return _words_beginning(last, [*_condition_names(e), *_counter_names(e)])
        case "kept":
            return [*_creature_names((), last, e), *_words_beginning(last, _condition_names(e))]
        case "counter":
            return _words_beginning(last, _counter_names(e))
        case "bearer":
            return _creature_names([a.who for a in due if isinstance(a, EffectAsk)], last, e)
        case "effect":
            return _words_beginning(last, [a.name for a in due if isinstance(a, EffectAsk)])
        case "attack":
            return _words_beginning(last, _attack_names(e))
        case "side":
            return _words_beginning(last, (*system.sides, *sides(e)))
        case "group":
            return _words_beginning(last, groups(e))
        case "creature":
            return [quote(w) + " " for w in stock(takes, _unquote(last))]
        case "party" | "fight":
            return _words_beginning(last, stock(takes, _unquote(last)))


def _words_beginning(last: str, words: Iterable[str]) -> list[str]:
    begun = _unquote(last)
    return [quote(w) + " " for w in dict.fromkeys(words) if w.lower().startswith(begun)]


def _condition_names(e: Encounter) -> list[str]:
    return [x.name for c in e.combatants.values() for x in c.conditions]


def _attack_names(e: Encounter) -> list[str]:
    """Return the names of attacks, those of the acting creatures first."""
    acting = [e.combatants[k] for k in e.actors if k in e.combatants]
    can = list_attacks([*acting, *e.combatants.values()])
    return [x.name for c, x in can if x.rolls or read_series(c, x)]


def _counter_names(e: Encounter) -> list[str]:
    return [x.name for c in e.combatants.values() for x in c.counters]


def _creature_names(first: Iterable[str], last: str, e: Encounter) -> list[str]:
    """Return names that begin with the last word, or its part after a comma; those of `first` come first."""
    before, comma, begun = last.strip('"').rpartition(",")
    people = [c.name for c in e.combatants.values()]
    everybody = [*(label(e, k) for k in first), *people, *groups(e), *(SIDE + s for s in sides(e))]
    fits = [n for n in dict.fromkeys(everybody) if n.lower().startswith(begun.strip().lower())]
    return [quote(before + comma + n) + " " for n in fits]


# --- keys


def _next_keys(slots: Sequence[Slot], last: str, e: Encounter, system: InitiativeSystem) -> list[str]:
    """Return the keys that begin with the last word."""
    # A number or a quote is not the beginning of a key.
    if last and not (last.isalpha() or "." in last or "_" in last):
        return []
    return [f"{k}=" for k in _fields_by_key(slots, e, system) if k.startswith(last.lower())]


def _fields_by_key(slots: Sequence[Slot], e: Encounter, system: InitiativeSystem) -> dict[str, Field]:
    """Return every key that a verb takes with its field."""
    fields: dict[str, Field] = {}
    for slot in slots:
        if isinstance(slot, KeyValue):
            kind: FieldKind = "creature" if slot.takes == "who" else "choice" if slot.choices else "text"
            fields[slot.key] = Field(slot.key, "", kind, slot.choices)
        elif isinstance(slot, Answer):
            fields[slot.name] = slot.field
        elif isinstance(slot, Flag):
            fields[slot.name] = Field(slot.name, "", "choice", ("yes",))
        elif isinstance(slot, Pairs):
            fields |= {f.key: f for f in _fields_of_slot(slot.takes, e, system)}
    return fields


def _fields_of_slot(takes: Takes, e: Encounter, system: InitiativeSystem) -> tuple[Field, ...]:
    """Return the fields for the keys of a slot: attributes, house rules, or the parts of a due form."""
    if takes == "attributes":
        return ordered_fields(system)
    if takes == "options":
        return (*system.options, *COMMON_OPTIONS)
    forms = [a.fields for a in (system.due(e) if e.running else ()) if isinstance(a, FormAsk)]
    return forms[0] if forms else ()


def _values_of_key(key: str, slots: Sequence[Slot], e: Encounter, system: InitiativeSystem) -> list[str]:
    """Return the values that can follow `KEY=` in a line; [] if any text can."""
    field = _fields_by_key(slots, e, system).get(key)
    people = e.combatants.values()
    if field is None:
        return []
    match field.key, field.kind:
        case ("side", "name"):
            return [quote(s) for s in dict.fromkeys([*(system.sides or USUAL_SIDES), *sides(e)])]
        case _, "side":
            return [quote(s) for s in dict.fromkeys([*system.sides, *sides(e)])]
        case "group", "name":
            return [quote(g) for g in groups(e)]
        case "owner", "name":
            return [quote(o) for o in dict.fromkeys(o for c in people for o in c.owners)]
        case _, "name" | "creature":
            return [quote(c.name) for c in people]
        case _, "bool":
            return ["true", "false"]
        case _:
            return list(field.choices)


def join_known_names(line: str, e: Encounter, system: InitiativeSystem) -> str:
    """Return the line with quotes around its names of several words. Raises RuleError for two readings."""

    def known(takes: Takes) -> Collection[str]:
        return names_of_several_words(e, takes)

    def dice_of(who: str) -> tuple[tuple[int, ...], bool]:
        return dice_for_faces(e, system, who)

    return join_names(line, known, {v.name: v for v in system.verbs}, dice_of)


def names_of_several_words(e: Encounter, takes: Takes) -> Collection[str]:
    """Return the whole names, in lower case, that a word of this kind may mean; only those with a space."""
    people = e.combatants.values()
    match takes:
        case "who" | "roller" | "saver" | "writer" | "picked" | "actor" | "bearer" | "group" | "side":
            bunches = [*groups(e), *sides(e)]
            names = [n for c in people for n in (c.name, c.alias)] + bunches + [SIDE + n for n in bunches]
        case "attack":
            names = [x.name for _, x in list_attacks(tuple(people))]
        case "carried" | "effect":
            names = [x.name for c in people for x in c.conditions]
        case "endable":
            names = [n for c in people for some in (c.conditions, c.counters) for n in (x.name for x in some)]
        case "kept":
            names = [n for c in people for n in (c.name, *(x.name for x in c.conditions))]
        case "counter":
            names = [x.name for c in people for x in c.counters]
        case _:
            names = []
    return {n.lower() for n in names if " " in n}
