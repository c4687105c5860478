"""Put an `add` line into words while it is typed: names, values and side of the newcomers."""

from __future__ import annotations

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Field
from tui.core.fight.encounter import Encounter
from tui.core.language import values
from tui.core.language.creature_actions import Add
from tui.core.language.grammar import parse
from tui.core.language.noted import respell
from tui.core.language.tokens import Token, tokens
from tui.core.rules.creature_fields import find_fields, ordered_fields, read_names
from tui.core.rules.kin import complete_newcomer
from tui.core.rules.names import check_name
from tui.core.rules.newcomers import Kept, describe_unused, highest_number, with_modifier
from tui.core.rules.numbers import has_dice, read_notation
from tui.core.rules.sides import usual_side
from tui.core.rules.system import InitiativeSystem, Systems

FEWEST_WORDS = 3
"""The least number of words if the last may be the beginning of a key: verb, name and that word."""

MOST_NAMED = 2
"""The number of newcomers whose names are joined by "and"."""

_KINDS = {"pc": "a player's character", "npc": "not a player's character", "monster": "a monster"}
_POSSESSIVE = {"heroes": "on the heroes' side", "dark": "on the dark side"}


def preview_add(
    line: str, e: Encounter, system: InitiativeSystem, systems: Systems, kept: Kept | None = None
) -> str:
    """Return what an `add` line would do: `Orc 1 to Orc 6: 15 hit points each, on the dark side`.

    `kept` are library and box. Raises RuleError for a line that cannot be read, or that may mean
    several kinds.
    """
    action = parse(line)
    if not isinstance(action, Add):
        return ""
    coming = complete_newcomer(e, system, action, kept)
    typed, action = {*action.keys, "hp", "ac", system.modifier}, coming.add
    keys = dict(with_modifier(system, action))
    fields = {key: find_fields(key, system, systems)[0] for key in keys}
    meant = {key: _value(field, keys[key]) for key, field in fields.items() if keys[key]}
    side = meant.pop("side", "") or usual_side(e, meant, system, systems)
    each = " each" if action.count else ""
    card = ["with its card"] * bool(meant.pop("card", ""))
    # Of what is known of a kind only the three numbers that a game master looks for are said.
    phrases = [
        _phrase(fields[key], text, each, modifier=key == system.modifier)
        for key, text in meant.items()
        if key in typed or not coming.origin
    ]
    counted = [f"counts {words.split(' reset=')[0]}" for words in coming.borne.counters]
    phrases += [] if coming.origin else [*counted, *card]
    if describe_unused(system, action):
        phrases.append(f"{action.mod} left out")
    if coming.origin:
        phrases.append(coming.origin)
    elif kept and not {"hp", "max_hp"} & set(meant):
        phrases.append("no hit points")
    where = _POSSESSIVE.get(side, f"on the side of {side}")
    return f"{_name_newcomers(e, action)}: {', '.join([*phrases, where])}"


def _name_newcomers(e: Encounter, action: Add) -> str:
    """Return the names that the newcomers will have, or `2d6 Orc` if their number is rolled."""
    stem = check_name(action.name)
    if not action.count:
        return stem
    if not action.count.isdecimal():
        return f"{action.count} {stem}"
    first, many = highest_number(e, stem) + 1, int(action.count)
    joint = "and" if many == MOST_NAMED else "to"
    return f"{stem} {first}" + (f" {joint} {stem} {first + many - 1}" if many > 1 else "")


def _value(field: Field, text: str) -> str:
    """Return a value as it will be read: a choice in full, dice unchanged. Raises RuleError."""
    is_number = field.kind != "int" or text.lstrip("+-").isdecimal()
    if not is_number and has_dice(read_notation(text, f"{field.key}=:")):
        return text
    return values.spell(values.read_value(field, text)) if field.kind != "name" else read_names(field, text)


def _phrase(field: Field, text: str, each: str, *, modifier: bool) -> str:
    """Return a value in words: `15 hit points each`, `AC 13`, or the title of the field and the value."""
    if field.key == "hp":
        return f"{text} hit points{each}"
    if field.key == "ac":
        return f"AC {text}"
    if field.key == "kind":
        return _KINDS.get(text, text)
    if field.kind == "bool":
        return field.title if text == "true" else f"not {field.title}"
    signed = f"+{text}" if modifier and text.isdecimal() else text
    return f"{field.title} {signed}"


def list_unsaid(line: str, system: InitiativeSystem) -> tuple[Field, ...]:
    """Return the fields that the line may still give, the running system's first.

    If the last word may be a begun key, only the fields that it begins are returned, unless there are none.
    """
    parsed = _tokens(respell(line))
    words, written = [t.text.lower() for t in parsed if not t.key], {t.key for t in parsed}
    if any(w[:1] in "+-" and w[1:].isdecimal() for w in words):
        written.add(system.modifier)
    written |= {"ac" for w in words[2:] if w.startswith("ac") and w[2:].isdecimal()}
    written |= {"hp" for w in words[2:] if w[:1].isdecimal()}
    begun = "" if line.endswith(" ") or len(parsed) < FEWEST_WORDS or parsed[-1].key else parsed[-1].text
    fields = tuple(f for f in ordered_fields(system) if f.key not in written)
    return tuple(f for f in fields if f.key.startswith(begun.lower())) or fields


def _tokens(line: str) -> list[Token]:
    try:
        return list(tokens(line))
    except RuleError:
        # A quote is still open: the text before it counts nevertheless.
        return list(tokens(line.rpartition('"')[0]))
