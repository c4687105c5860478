"""Write a card as a stat block is printed: numbers, defences, senses, abilities and the slots of spells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from tui.exchange.foreign_values import modifier, plain, unbroken, whole
from tui.exchange.mapping import at, label

_COMMA = re.compile(r",(?=[^\s0-9])")
_PLUS = re.compile(r"(?<=[0-9])\s*([+-])\s*(?=[0-9])")

SCORES = ("str", "dex", "con", "int", "wis", "cha")
Section = tuple[str, Sequence[str]]


class CardPage(Struct, frozen=True, kw_only=True):
    """A card in parts; each is left out where it is empty. `rest` are lines that fit under no other name."""

    kind: str = ""
    challenge: str = ""
    ac: str = ""
    hp: str = ""
    speed: str = ""
    scores: Mapping[str, int | None] = {}
    saves: str = ""
    skills: str = ""
    vulnerable: str = ""
    resists: str = ""
    immune: str = ""
    conditions: str = ""
    senses: str = ""
    languages: str = ""
    sections: Sequence[Section] = ()
    rest: str = ""


_TITLES = (
    ("saves", "Saves"),
    ("skills", "Skills"),
    ("vulnerable", "Vulnerable to"),
    ("resists", "Resists"),
    ("immune", "Immune to"),
    ("conditions", "Condition immunities"),
    ("senses", "Senses"),
    ("languages", "Languages"),
)


def written(page: CardPage) -> str:
    """Return the text of a card."""
    return "\n".join(_lines(page))


def _lines(page: CardPage) -> Iterator[str]:
    rating = f"challenge {page.challenge}" if page.challenge else ""
    yield from filter(None, [", ".join(filter(None, (page.kind, rating)))])
    numbers = (f"AC {page.ac}" if page.ac else "", f"HP {page.hp}" if page.hp else "")
    yield from filter(None, [", ".join(filter(None, numbers)), listed("Speed", [page.speed])])
    yield from filter(None, [scores(page.scores)])
    for field, title in _TITLES:
        yield from filter(None, [listed(title, [getattr(page, field)])])
    for title, lines in page.sections:
        yield from section(title, lines)
    if page.rest.strip():
        yield from ["", page.rest.strip("\n")]


def scores(numbers: Mapping[str, int | None]) -> str:
    """Return ability scores with their modifiers: `Str 27 (+8), Dex 10 (+0)`."""
    short = {name[:3].lower(): number for name, number in numbers.items()}
    known = ((name, number) for name in SCORES if (number := short.get(name)) is not None)
    return ", ".join(f"{name.capitalize()} {n} ({modifier(n) or 0:+})" for name, n in known)


def kind(size: object, type_: object, subtype: object, alignment: object) -> str:
    """Return `Large fiend (demon), chaotic evil`."""
    words = [plain(x).strip() if isinstance(x, str) else "" for x in (size, type_, subtype, alignment)]
    named = " ".join(filter(None, words[:2])) + (f" ({words[2]})" if words[2] else "")
    return ", ".join(filter(None, (named[:1].upper() + named[1:], words[3])))


_EIGHTHS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def challenge(value: object) -> str:
    """Return a challenge rating as books print it: `1/8` for 0.125, `5` for "5.000"."""
    try:
        number = float(value) if isinstance(value, str | int | float) else -1.0
    except ValueError:
        return plain(str(value)).strip()
    return "" if number < 0 else _EIGHTHS.get(number) or f"{number:g}"


def speeds(value: object) -> str:
    """Return `30 ft., fly 60 ft. (hover)` of a text, a list of texts, or ways with numbers."""
    if isinstance(value, list):
        return ", ".join(plain(x) for x in value if isinstance(x, str))
    if not isinstance(value, Mapping):
        return f"{value} ft." if isinstance(value, int | float) else plain(str(value or "")).strip()
    unit = "" if value.get("unit") in (None, "feet") else f" {value['unit']}"
    texts = []
    walk_first = sorted(value.items(), key=lambda pair: pair[0] != "walk")
    for key, one in walk_first:
        number = whole(one) if not isinstance(one, bool) else None
        if number or (key == "walk" and number == 0):
            movement = "" if key == "walk" else f"{label(str(key)).lower()} "
            far = one if isinstance(one, str) and not one.strip().isdecimal() else f"{number}{unit or ' ft.'}"
            texts.append(f"{movement}{plain(str(far))}")
        elif isinstance(one, str) and one and key not in ("unit", "walk"):
            texts.append(f"{label(str(key)).lower()} {plain(one)}")
    return ", ".join(texts) + (" (hover)" if value.get("hover") and "hover" not in " ".join(texts) else "")


def points(number: object, formula: object) -> str:
    """Return hit points with their dice: `256 (19d12 + 133)`."""
    text = _PLUS.sub(r" \1 ", plain(str(formula or "")).strip(" ()"))
    return (
        (f"{number} ({text})" if text and text != str(number) else str(number))
        if number is not None
        else text
    )


def armour(number: object, worn: object) -> str:
    """Return an armour class with what makes it: `15 (leather armor, shield)`."""
    words = plain(str(worn or "")).strip(" ()") if isinstance(worn, str | int) else ""
    return (
        (f"{number} ({words})" if words and words != str(number) else str(number))
        if number is not None
        else words
    )


def names(value: object) -> str:
    """Return what a text lists, or a list of texts or of tables with names."""
    if not isinstance(value, list):
        text = _COMMA.sub(", ", plain(value).strip()) if isinstance(value, str) else ""
        return "" if text.lower() in ("none", "false", "-", "\u2014") else text
    values = (at(x, "name") or at(x, "type") if isinstance(x, Mapping) else x for x in value)
    return ", ".join(plain(x).strip() for x in values if isinstance(x, str))


def sensed(senses: str, passive: object) -> str:
    """Return senses with passive Perception, which is not repeated where they have it already."""
    known = passive in (None, "") or "passive" in senses.lower()
    return ", ".join(filter(None, [senses, "" if known else f"passive Perception {passive}"]))


def bonuses(numbers: Mapping[str, int | None]) -> str:
    """Return names with their bonuses: `Dex +6, Animal Handling +2`."""
    return ", ".join(f"{name} {number:+}" for name, number in numbers.items() if number is not None)


def listed(title: str, words: Iterable[str]) -> str:
    """Return words behind a title; "" for none."""
    text = ", ".join(filter(None, words))
    return f"{title}: {text}" if text else ""


def section(title: str, lines: Iterable[str]) -> list[str]:
    """Return lines under a heading; none for none."""
    kept = [line for line in lines if line.strip()]
    return ["", *([title] if title else []), *kept] if kept else []


def feature(name: str, text: str) -> str:
    """Return `Name. What it does`; the name alone where no words follow."""
    return f"{name.strip().rstrip('.:,')}. {unbroken(text).strip()}".rstrip()


# --- spells of characters

LEVELS = ("Cantrips", "1st level", "2nd level", "3rd level", *(f"{n}th level" for n in range(4, 10)))
"""The headings of spells by their level."""


def held(count: int | None) -> str:
    """Return ` (4 slots)`; "" for none."""
    return f" ({count} slot{'s' * (count != 1)})" if count else ""
