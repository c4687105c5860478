"""Read and write the entries of `attacks=`: `Bite +7 1d6+4 piercing; Breath dc14 dex 6d6 acid half`."""

from __future__ import annotations

import re

from tui.core.base.errors import RuleError
from tui.core.base.text import NAME_LIMIT, clean, clean_name
from tui.core.fight.dice import DiceError, parse
from tui.core.table import AttackView, DamageView

MOST_ATTACKS = 20
_EXAMPLES = '`attacks="Bite +7 1d6+4 piercing; Acid Breath dc14 dex 6d6 acid half; Multiattack: two claws"`'
_TERM = r"(?:[0-9]*d(?:[0-9]+|%)!?(?:(?:kh|kl|dh|dl|k)[0-9]*|adv|dis)?|[0-9]+)(?![0-9a-z%!])"
_DICE = rf"{_TERM}(?:\s*[+-]\s*{_TERM})*"
_KIND = r"[a-z][a-z '/-]*?"
_PART = rf"(?ai)\s*(?P<dice>{_DICE})\s*(?P<kind>{_KIND})?\s*(?:\+(?=\s*(?:[0-9]|d[0-9]))|$)"
_HIT = r"(?ai)(?P<name>\S.*)\s(?P<bonus>[+-][0-9]{1,2})\s+(?P<damage>(?:[0-9]|d[0-9]).*)"
_SAVE = (
    r"(?ai)(?P<name>\S.*?)\s+dc\s*(?P<dc>[1-9][0-9]?)\s+(?P<key>[a-z]{1,24})\s+"
    r"(?P<damage>(?:[0-9]|d[0-9]).*)"
)
_IF_SAVED = r"(?i)\s(half|none)$"


Attack = AttackView
Damages = DamageView


def write_attacks(attacks: tuple[Attack, ...]) -> str:
    """Return the text that `read_attacks` reads as these attacks."""
    return "; ".join(x.words() for x in attacks)


def read_attacks(text: str, title: str = "attacks=") -> tuple[Attack, ...]:
    """Return the attacks of a text, separated by `;`. Raises RuleError."""
    entries = [x.strip() for x in text.split(";")]
    attacks = tuple(read_attack(x, title) for x in entries if x)
    if len(attacks) > MOST_ATTACKS:
        raise RuleError(
            f"{title} has {len(attacks)} entries", f"{MOST_ATTACKS} at the most", kind="bad_value"
        )
    names = [x.name.lower() for x in attacks]
    if twice := next((x.name for x in attacks if names.count(x.name.lower()) > 1), ""):
        raise RuleError(f"{title} names {twice} twice", "name each attack once", kind="bad_value")
    return attacks


def read_attack(entry: str, title: str = "attacks=") -> Attack:
    """Return the attack of one entry. Raises RuleError with a hint that shows how entries are written."""
    name, colon, text = entry.partition(":")
    if colon and name.strip() and text.strip():
        return Attack(_checked_name(name, title), text=text.strip())
    if m := re.fullmatch(_SAVE, entry):
        made = re.search(_IF_SAVED, m["damage"])
        damage = _read_damage(re.sub(_IF_SAVED, "", m["damage"]), entry, title)
        half = made is None or made[1].lower() == "half"
        return Attack(_checked_name(m["name"], title), None, damage, int(m["dc"]), m["key"].lower(), half)
    if m := re.fullmatch(_HIT, entry):
        return Attack(
            _checked_name(m["name"], title), int(m["bonus"]), _read_damage(m["damage"], entry, title)
        )
    raise _make_error(entry, title)


def _checked_name(text: str, title: str) -> str:
    name = clean_name(text)
    if not name or len(text.strip()) > NAME_LIMIT:
        raise RuleError(
            f"{title} has a name of more than {NAME_LIMIT} characters", _EXAMPLES, kind="bad_value"
        )
    return name


def _read_damage(text: str, entry: str, title: str) -> tuple[Damages, ...]:
    """Return the dice and kind of each part of a damage such as `1d6+4 piercing + 2d6 fire`.

    Raises RuleError.
    """
    parts, place = [], 0
    while place < len(text):
        m = re.compile(_PART).match(text, place)
        if m is None:
            raise _make_error(entry, title)
        try:
            parts.append(Damages(parse(m["dice"]).words(), (m["kind"] or "").strip()))
        except DiceError as error:
            raise RuleError(f"{title} {error}", kind="bad_value") from None
        place = m.end()
    return tuple(parts)


def _make_error(entry: str, title: str) -> RuleError:
    return RuleError(f'{title} cannot read "{clean(entry, 60)}"', _EXAMPLES, kind="bad_value")
