"""Read and write the entries of `attacks=`: `Bite +7 1d6+4 piercing; Breath dc14 dex 6d6 acid half`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

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
_BARE_HIT = r"(?ai)(?P<name>\S.*)\s(?P<bonus>[+-][0-9]{1,2})"
_BARE_SAVE = r"(?ai)(?P<name>\S.*?)\s+dc\s*(?P<dc>[1-9][0-9]?)\s+(?P<key>[a-z]{1,24})"
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
        raise RuleError(f"{title} has {len(attacks)} entries", f"{MOST_ATTACKS} at most", kind="bad_value")
    names = [x.name.lower() for x in attacks]
    if twice := next((x.name for x in attacks if names.count(x.name.lower()) > 1), ""):
        raise RuleError(f"{title} names {twice} twice", "name each attack once", kind="bad_value")
    return attacks


# A step, 200 goblins with two attacks each: 25 ms, without the cache 34.
@lru_cache(maxsize=512)
def read_attack(entry: str, title: str = "attacks=") -> Attack:
    """Return the attack of one entry. Raises RuleError with a hint that shows how entries are written."""
    head, colon, text = (part.strip() for part in entry.partition(":"))
    if not head or (colon and not text):
        raise _make_error(entry, title)
    if m := re.fullmatch(_SAVE, head):
        made = re.search(_IF_SAVED, m["damage"])
        damage = _read_damage(re.sub(_IF_SAVED, "", m["damage"]), entry, title)
        half = made is None or made[1].lower() == "half"
        name = _checked_name(m["name"], title)
        return Attack(name, None, damage, int(m["dc"]), m["key"].lower(), half, text)
    if m := re.fullmatch(_HIT, head):
        damage = _read_damage(m["damage"], entry, title)
        return Attack(_checked_name(m["name"], title), int(m["bonus"]), damage, text=text)
    if m := re.fullmatch(_BARE_SAVE, head):
        return Attack(_checked_name(m["name"], title), None, (), int(m["dc"]), m["key"].lower(), text=text)
    if m := re.fullmatch(_BARE_HIT, head):
        return Attack(_checked_name(m["name"], title), int(m["bonus"]), text=text)
    if not colon:
        raise _make_error(entry, title)
    return Attack(_checked_name(head, title), text=text)


class Strikes(Struct, frozen=True):
    """A part of a Multiattack: so many attacks with one of these entries."""

    count: int
    names: tuple[str, ...]
    """The names of the entries; more than one is a choice for each of the attacks."""
    dice: str = ""
    """The die that gives the number, such as `1d4`, with `count` as its highest face; "" for none."""

    def words(self) -> str:
        """Return the part as a Multiattack writes it: `2 Claw`, `2 of Scimitar or Shortbow`, `1d4 Sting`."""
        return f"{self.dice or self.count} {'of ' * (len(self.names) > 1)}{' or '.join(self.names)}"


_NUMBERS = ("one", "two", "three", "four", "five", "six")
_STRIKES = rf"(?ai)(?P<n>1?(?P<die>d[2-8])|[1-9]|{'|'.join(_NUMBERS)})\s+(?P<of>of\s+)?(?P<names>\S.*)"


def read_multiattack(text: str, attacks: Iterable[Attack]) -> tuple[Strikes, ...]:
    """Return the parts of the text of a Multiattack such as `2 Claw, 1 Bite`; none if it can only be read.

    Names fit entries in any letter case and number; `2 attacks` means the only entry that hits.
    """
    usable = [x for x in attacks if x.rolls]
    parts = [_read_strikes(part.strip(), usable) for part in text.rstrip(".").split(",")]
    return tuple(x for x in parts if x) if all(parts) else ()


def _read_strikes(part: str, usable: Sequence[Attack]) -> Strikes | None:
    m = re.fullmatch(_STRIKES, part)
    if m is None:
        return None
    word = m["n"].lower()
    dice = f"1{m['die'].lower()}" if m["die"] else ""
    word = word.rpartition("d")[2] if dice else word
    count = int(word) if word.isdecimal() else _NUMBERS.index(word) + 1
    if not m["of"] and m["names"].lower() in ("attack", "attacks"):
        hitting = tuple(x.name for x in usable if x.bonus is not None)
        return Strikes(count, hitting, dice) if len(hitting) == 1 else None
    names = [
        _fitting_name(x, usable) for x in (re.split(r"(?i)\s+or\s+", m["names"]) if m["of"] else [m["names"]])
    ]
    return Strikes(count, tuple(names), dice) if all(names) else None


def _fitting_name(text: str, usable: Iterable[Attack]) -> str:
    """Return the name of the entry that a text means, in any letter case and number; "" for none."""
    low = text.strip().lower()
    same = [x.name for x in usable if x.name.lower() == low]
    alike = [x.name for x in usable if x.name.lower().removesuffix("s") == low.removesuffix("s")]
    return next(iter(same or alike), "")


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
