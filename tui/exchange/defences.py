"""Read damage defences and saves as the keys of a line take them: `fire, cold` and `dex+5 wis+2`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tui.exchange.values import plain, whole

KINDS = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
)  # fmt: skip
_WEAPONS = frozenset({"bludgeoning", "piercing", "slashing"})
_KIND = re.compile(rf"\b(?:{'|'.join(KINDS)})\b", re.IGNORECASE)
_ALL = re.compile(r"\s*all(?: damage)?\s*", re.IGNORECASE)
_MUNDANE = re.compile(
    r"\bnon-?\s?magic|\bmundane|\bweapons?\b|\bsilver|\badamantine|\bmagical?\b", re.IGNORECASE
)
_UNLESS = re.compile(
    r"\bwhile|\bwhen|\bif\b|\bunless|\bonly\b|\bexcept|\bfrom\b|\bother than|\bdoes(?:n't| not)"
    r"|\bor\b\s+the\s|\bchosen|\bof (?:its|your) choice|\bspells?\b|\(",
    re.IGNORECASE,
)
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
_LONG = {"strength": "str", "dexterity": "dex", "constitution": "con", "intelligence": "int", "wisdom": "wis",
         "charisma": "cha", "fortitude": "fort", "fort": "fort", "reflex": "ref", "ref": "ref",
         "will": "will"}  # fmt: skip


def kinds(value: Any) -> str | None:
    """Return the kinds of damage that a text, or a list of texts, names without any condition; None for none.

    A defence against nonmagical attacks alone, or under a condition, stays on the card for the game master.
    """
    found: list[str] = []
    texts = list(_texts(value))
    # A list that was cut at its commas says of the last of them only what holds for all.
    last = re.split(r"[;\n]", ", ".join(texts))[-1] if len(texts) > 1 else ""
    mundane = bool(_MUNDANE.search(plain(last[:2_000])))
    for text in texts:
        for clause in re.split(r"[;\n]", plain(text)[:2_000]):
            if _ALL.fullmatch(clause):
                return "all"
            named = [m[0].lower() for m in _KIND.finditer(clause)]
            if mundane or _MUNDANE.search(clause):
                named = [kind for kind in named if kind not in _WEAPONS]
            elif _UNLESS.search(clause):
                named = []
            found += named
    return ", ".join(dict.fromkeys(found)) or None


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return [x for x in value if isinstance(x, str)] if isinstance(value, list) else ()


def ability(name: str) -> str:
    """Return the short name of an ability or a save: `dex` for `Dexterity`; "" for another word."""
    low = name.strip().lower()
    return low if low in ABILITIES else _LONG.get(low, "")


def saves(numbers: Mapping[str, Any]) -> str | None:
    """Return saves by name as a line spells them, in the order of the abilities; None for none."""
    found: dict[str, int] = {}
    for name, value in numbers.items():
        number = whole(value)
        if (key := ability(str(name))) and number is not None and abs(number) <= 99:
            found.setdefault(key, number)
    order = {key: place for place, key in enumerate((*ABILITIES, "fort", "ref", "will"))}
    return " ".join(f"{key}{found[key]:+}" for key in sorted(found, key=order.__getitem__)) or None


_SAVE = re.compile(r"\b([A-Za-z]{3,12})[ \t:]{1,4}([+\-\u2212\u2013]?\s?[0-9]{1,2})\b")


def spelt_saves(value: Any) -> str | None:
    """Return the saves of a text such as `Dex +6, Con +13`."""
    return saves(dict(_SAVE.findall(value))) if isinstance(value, str) else None
