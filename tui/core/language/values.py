"""Typed answers: text from a line into the value a field takes, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Plain
from tui.core.fight.errors import RuleError

YES = ("yes", "true", "on", "1")
NO = ("no", "false", "off", "0")
KIND = Field("kind", "kind", "choice", ("pc", "npc", "monster"), help="a player's character, or not")


def read(field: Field, text: str) -> Plain:
    """The value that `text` means for this field. Raises RuleError with what would work."""
    match field.kind:
        case "int":
            return whole(text, f"{field.key}=", field.least, field.most)
        case "bool":
            return truth(text, f"{field.key}=")
        case "choice":
            return _choice(field, text)
        case "ints":
            return [whole(part, f"{field.key}=", field.least, field.most) for part in text.split(",")]
        case "dice":
            return _dice(field, text)
        case _:
            return words(text, f"{field.key}=")


def words(text: str, what: str) -> str:
    """A text, cleaned. Raises RuleError when it is too long: nothing is cut in silence."""
    from tui.core.fight.text import TEXT_LIMIT, clean

    found = clean(text, 4 * TEXT_LIMIT)
    if len(found) > TEXT_LIMIT:
        raise RuleError(f"{what} has {len(found)} characters", f"{TEXT_LIMIT} at the most")
    return found


def show(value: Plain) -> str:
    """The text that reads as this value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(show(v) for v in value)
    return str(value)


def whole(text: str, what: str, least: int = -999, most: int = 999) -> int:
    """A whole number between two bounds."""
    if not re.fullmatch(r"[+-]?[0-9]{1,6}", text.strip()):
        raise RuleError(f'{what} takes a whole number, not "{text}"')
    number = int(text)
    if not least <= number <= most:
        raise RuleError(f"{what} takes {least} to {most}, not {number}")
    return number


def truth(text: str, what: str) -> bool:
    """Yes or no."""
    if text.lower() in YES:
        return True
    if text.lower() in NO:
        return False
    raise RuleError(f'{what} takes true or false, not "{text}"')


def known(key: str, fields: Iterable[Field], what: str) -> Field:
    """The field of that key. Raises RuleError that names the nearest one."""
    table = {f.key: f for f in fields}
    if key not in table:
        from tui.core.fight.text import nearest

        close = nearest(key, list(table))
        hint = f"did you mean {close}?" if close else f"there are: {', '.join(table)}" if table else ""
        raise RuleError(f"{what} has no {key}", hint)
    return table[key]


def _choice(field: Field, text: str) -> str:
    if text.lower() not in field.choices:
        raise RuleError(f'{field.key}= takes {_either(field.choices)}, not "{text}"')
    return text.lower()


def _dice(field: Field, text: str) -> str:
    from tui.core.fight.dice import DiceError, parse

    try:
        return parse(text).words()
    except DiceError as error:
        raise RuleError(f"{field.key}=: {error}") from None


def _either(choices: Sequence[str]) -> str:
    return ", ".join(choices[:-1]) + " or " + choices[-1] if len(choices) > 1 else "".join(choices)
