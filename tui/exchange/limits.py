"""Read the limited uses of a card as counters: `Breath (Recharge 6)` is `Breath 1 reset=1d6>=6`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tui.core.base.text import clean_name, quote
from tui.core.rules.upkeep import MOST_COUNTERS
from tui.exchange.entries import unwrap
from tui.exchange.foreign_values import whole

SHORT, LONG = "short", "long"
"""The values of `reset=` for a short and a long rest."""

_LEAD = r"^[ \t>*_•\u2022-]{0,8}"
_TITLE = re.compile(_LEAD + r"([^\n().:;,]{1,60}?)[ *_]{0,4}\(([^()\n]{3,80})\)", re.MULTILINE)
_RECHARGE = re.compile(r"recharge[ :]{1,4}([2-6])(?:[ \t]{0,2}[\u2013\u2012-][ \t]{0,2}6)?", re.IGNORECASE)
_PER_REST = re.compile(
    r"recharges? (?:only )?after (?:a |finishing a )?(short|long)(?: or (?:a )?long)? rest", re.IGNORECASE
)
_PER = re.compile(
    r"([0-9]{1,3})[ \t]{0,2}(?:/|per |uses? per )[ \t]{0,2}"
    r"(day|dawn|short|long|rest|turn|round|hour|minute|10 minutes)\b",
    re.IGNORECASE,
)
_SLOTS = re.compile(
    _LEAD
    + r"(cantrips|[1-9])(?:st|nd|rd|th)?[ -][Ll]evel[*_ \t]{0,4}\(([0-9]{1,2}) (?:[a-z0-9-]{1,12} )?slots?\b",
    re.MULTILINE,
)
_PACT = re.compile(_LEAD + r"1st[\u2013-]([1-9])(?:st|nd|rd|th)[ -]level[*_ \t]{0,4}\(([0-9]) ", re.MULTILINE)
_DAILY = re.compile(
    _LEAD + r"([1-9])(?:/day| per day)(?: each)?[*_ \t]{0,4}:[*_ \t]{0,4}([^\n]{2,400})",
    re.MULTILINE | re.IGNORECASE,
)
_LEGENDARY = re.compile(
    r"can take ([1-9]) legendary actions|legendary action uses:[ \t]{0,4}([1-9])"
    r"|^legendary actions: ([1-9])\b",
    re.IGNORECASE | re.MULTILINE,
)
_LEGENDARY_HEAD = re.compile(_LEAD + r"legendary actions[*_ \t:]{0,8}$", re.IGNORECASE | re.MULTILINE)
_BRACKETS = re.compile(r"\([^()]{0,120}\)|\[[^\[\]]{0,120}\]")
_VARIANTS = re.compile(r"^Variants\s*$", re.MULTILINE)
_USUAL_LEGENDARY_ACTIONS = "3"
"""The number of legendary actions if a card lists some without a number."""
_RESETS = {
    "turn": "turn",
    "round": "round",
    "short": SHORT,
    "rest": SHORT,
    "day": LONG,
    "dawn": LONG,
    "long": LONG,
    "hour": "",
    "minute": "",
    "10 minutes": "",
}
"""The value of `reset=` for each period; "" for hours and minutes, which do not pass in a fight."""


def write_usage(usage: object) -> str:
    """Return a limit as books write it: `Recharge 5-6`, `3/Day`; "" for none."""
    if not isinstance(usage, dict):
        return ""
    kind, number = str(usage.get("type") or "").lower().replace("_", " "), whole(usage.get("param"))
    if kind == "per day" and number:
        return f"{number}/Day"
    if kind == "recharge on roll" and number:
        return "Recharge 6" if number >= 6 else f"Recharge {number}-6"
    return "Recharges after a Short or Long Rest" if kind.startswith("recharge") and "rest" in kind else kind


def append_limit(name: object, limit: str) -> str:
    """Return a name with its limit in brackets, unless it ends in brackets already."""
    title = str(name or "").strip().rstrip(".")
    return f"{title} ({limit})" if limit and not title.endswith(")") else title


def find_counters(page: str) -> tuple[str, ...]:
    """Return the counters of a card as `count` takes them after WHO; legendary actions come first."""
    texts: dict[str, str] = {}
    # Variants are options for some creatures of the kind; this one does not have them.
    page = "\n".join(unwrap(_VARIANTS.split(page, maxsplit=1)[0]))
    for name, count, reset in (
        *_find_legendary_actions(page),
        *_find_limited_features(page),
        *_find_spell_slots(page),
        *_find_daily_spells(page),
    ):
        title = clean_name(name.strip(" *_"))
        if title and title.lower() not in texts:
            texts[title.lower()] = write_counter(title, count, reset)
    return tuple(texts.values())[:MOST_COUNTERS]


def write_counter(name: str, count: str, reset: str) -> str:
    """Return a full counter as `count` takes it; without `reset` it has a maximum and is restored by hand."""
    return f"{quote(name)} {count} {f'reset={reset}' if reset else f'max={count}'}"


def _find_legendary_actions(page: str) -> Iterator[tuple[str, str, str]]:
    number = _LEGENDARY.search(page)
    if number or _LEGENDARY_HEAD.search(page):
        given = filter(None, number.groups() if number else ())
        yield "Legendary actions", next(given, _USUAL_LEGENDARY_ACTIONS), "turn"


def _find_limited_features(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield (name, count, reset) for limits in brackets: `(Recharge 6)`, `(3/Day)`."""
    for match in _TITLE.finditer(page):
        limit = match[2]
        if recharge := _RECHARGE.search(limit):
            yield match[1], "1", f"1d6>={recharge[1]}"
        elif rested := _PER_REST.search(limit):
            yield match[1], "1", SHORT if rested[1].lower() == "short" else LONG
        elif (per := _PER.search(limit)) and int(per[1]):
            yield match[1], str(int(per[1])), _RESETS[per[2].lower()]


def _find_spell_slots(page: str) -> Iterator[tuple[str, str, str]]:
    for match in _SLOTS.finditer(page):
        if match[1].isdecimal() and int(match[2]):
            yield f"Slots {match[1]}", str(int(match[2])), LONG
    for match in _PACT.finditer(page):
        if int(match[2]):
            yield f"Slots {match[1]}", match[2], SHORT


def _find_daily_spells(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield (name, count, reset) for spells with a limit, such as `3/day each: fly, fear`."""
    for match in _DAILY.finditer(page):
        for spell in _BRACKETS.sub("", match[2]).split(","):
            name = spell.strip(" .;*_").removeprefix("and ")
            if 1 < len(name) <= 40:
                yield name[:1].upper() + name[1:], match[1], LONG
