"""Read and write typed values: text of a line to the value of a field, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT, TEXT_LIMIT, clean, clean_page, did_you_mean, names_beginning
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Plain
from tui.core.fight.dice import DiceError, parse
from tui.core.language import attacks

_NUMBER = r"[+-]?[0-9]{1,9}"
_BONUS = r"([A-Za-z]{1,24})([+-][0-9]{1,3})"
MOST_BONUSES = 20
YES = ("yes", "true", "on", "1")
NO = ("no", "false", "off", "0")
KIND = Field("kind", "kind", "choice", ("pc", "npc", "monster"), help="a player's character, or not")


def read_value(field: Field, text: str) -> Plain:
    """Return the value that a text means for this field. Raises RuleError with what would work."""
    match field.kind:
        case "int":
            return read_int(text, f"{field.key}=", field.least, field.most)
        case "bool":
            return read_bool(text, f"{field.key}=")
        case "choice":
            return read_choice(text, field.choices, f"{field.key}=")
        case "ints":
            return [read_int(part, f"{field.key}=", field.least, field.most) for part in text.split(",")]
        case "dice":
            return _read_dice(field, text)
        case "bonuses":
            return write_bonuses(read_bonuses(text, f"{field.key}="))
        case "attacks":
            read = attacks.read_attacks(read_text(text, f"{field.key}="), f"{field.key}=")
            return attacks.write_attacks(read)
        case "rating":
            return read_rating(text, f"{field.key}=")
        case "page":
            return read_page(text, f"{field.key}=")
        case "text" | "name" | "creature" | "side" | "list":
            return read_text(text, f"{field.key}=")


def read_text(text: str, title: str) -> str:
    """Return a text, cleaned. Raises RuleError if it is too long, because texts are never cut."""
    # Text is kept to four times the limit, so that the refusal can say how long the text is.
    return _check_length(clean(text, 4 * TEXT_LIMIT), TEXT_LIMIT, title)


def read_page(text: str, title: str) -> str:
    """Return a text of several lines, cleaned. Raises RuleError if it is too long."""
    return _check_length(clean_page(text, 4 * PAGE_LIMIT), PAGE_LIMIT, title)


def _check_length(text: str, limit: int, title: str) -> str:
    if len(text) > limit:
        raise RuleError(f"{title} has {len(text)} characters", f"{limit} at most", kind="bad_value")
    return text


def spell(value: Plain) -> str:
    """Return the text that `read_value` reads as this value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(spell(v) for v in value)
    return str(value)


def read_int(text: str, title: str, least: int = -999, most: int = 999) -> int:
    """Return a whole number between two bounds, in ASCII digits. Raises RuleError."""
    # int() alone would accept underscores, digits of other scripts and numbers of any length.
    if not re.fullmatch(_NUMBER, text.strip()):
        raise RuleError(f'{title} takes a whole number, not "{clean(text, 24)}"', kind="bad_value")
    result = int(text)
    if not least <= result <= most:
        raise RuleError(f"{title} takes {least} to {most}, not {result}", kind="bad_value")
    return result


def read_choice(text: str, choices: Sequence[str], title: str) -> str:
    """Return the choice that equals the text or that only it begins; letter case is ignored.

    Raises RuleError.
    """
    meant = names_beginning(text, choices)
    if len(meant) == 1:
        return meant[0]
    raise RuleError(
        f'{title} takes {list_choices(meant or choices)}, not "{clean(text, 24)}"', kind="bad_value"
    )


HIGHEST_RATING = 30
_FRACTIONS = {"1/8": "1/8", "0.125": "1/8", "\N{VULGAR FRACTION ONE EIGHTH}": "1/8",
              "1/4": "1/4", "0.25": "1/4", "\N{VULGAR FRACTION ONE QUARTER}": "1/4",
              "1/2": "1/2", "0.5": "1/2", "\N{VULGAR FRACTION ONE HALF}": "1/2"}  # fmt: skip
"""The challenge ratings below 1, by the ways to write them."""


def read_rating(text: str, title: str) -> str:
    """Return a challenge rating: `0`, `1/8`, `1/4`, `1/2`, or 1 to 30 in digits. Raises RuleError."""
    word = text.strip()
    if word in _FRACTIONS:
        return _FRACTIONS[word]
    if re.fullmatch(r"[0-9]{1,2}(\.0)?", word) and float(word) <= HIGHEST_RATING:
        return str(int(float(word)))
    wanted = f"0, 1/8, 1/4, 1/2, or 1 to {HIGHEST_RATING}"
    raise RuleError(f'{title} takes {wanted}, not "{clean(text, 24)}"', kind="bad_value")


def read_bonuses(text: str, title: str = "") -> dict[str, int]:
    """Return the numbers by key of `dex+5 wis-1`, commas allowed. Raises RuleError."""
    result: dict[str, int] = {}
    for part in text.replace(",", " ").replace("\N{MINUS SIGN}", "-").split():
        m = re.fullmatch(_BONUS, part)
        if m is None:
            reason = f'{title} takes a key and its number, not "{clean(part, 24)}"'
            raise RuleError(reason, '`"dex+5 wis-1"`', kind="bad_value")
        key = m[1].lower()
        if key in result:
            raise RuleError(f"{title} names {key} twice", "name each key once", kind="bad_value")
        result[key] = int(m[2])
    if len(result) > MOST_BONUSES:
        raise RuleError(f"{title} has {len(result)} keys", f"{MOST_BONUSES} at most", kind="bad_value")
    return result


def write_bonuses(numbers: Mapping[str, int]) -> str:
    """Return the text that `read_bonuses` reads as these numbers."""
    return " ".join(f"{key}{n:+}" for key, n in numbers.items())


def read_bool(text: str, title: str) -> bool:
    """Return True for yes, true, on or 1, False for no, false, off or 0, or a unique beginning.

    Raises RuleError.
    """
    # A beginning is enough if it has one meaning: `o` begins both on and off, so it is refused.
    meant = {word in YES for word in names_beginning(text, (*YES, *NO))}
    if len(meant) == 1:
        return meant.pop()
    raise RuleError(f'{title} takes true or false, not "{text}"', kind="bad_value")


def find_field(key: str, fields: Iterable[Field], title: str) -> Field:
    """Return the field with that key. Raises RuleError that names the nearest key."""
    table = {f.key: f for f in fields}
    if key not in table:
        hint = did_you_mean(key, table, f"there are: {', '.join(table)}" if table else "")
        raise RuleError(f"{title} has no {key}", hint, kind="unknown_word")
    return table[key]


def _read_dice(field: Field, text: str) -> str:
    try:
        return parse(text).words()
    except DiceError as error:
        raise RuleError(f"{field.key}=: {error}", kind="bad_value") from None


def list_choices(choices: Sequence[str]) -> str:
    """Return choices as a sentence lists them: a, b or c."""
    return ", ".join(choices[:-1]) + " or " + choices[-1] if len(choices) > 1 else "".join(choices)
