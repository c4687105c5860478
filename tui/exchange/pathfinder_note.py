"""Read blocks of Fantasy Statblocks for Pathfinder's second edition, whose numbers stand in texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tui.exchange.foreign_values import (
    KINDS_OF_PF2E,
    bonus,
    dice,
    plain,
    saves,
    score,
    size,
    spelt_saves,
    tables,
    text,
    whole,
)
from tui.exchange.mapping import To, card, flat
from tui.exchange.printed_card import SCORES, feature, listed, section

_OWN = ("abilityMods", "armorclass", "abilities_top", "abilities_mid", "abilities_bot")
"""Keys that blocks of no other game have."""


def fits(row: Mapping[str, Any]) -> bool:
    """Return whether a block is laid out for Pathfinder's second edition."""
    return "pathfinder 2e" in str(row.get("layout") or "").lower() or any(key in row for key in _OWN)


# --- words

_SIGNS = (
    (re.compile(r"\u2b3d|\u25c6\s?\u25c6\s?\u25c6"), "3 actions"),
    (re.compile(r"\u2b3a|\u25c6\s?\u25c6"), "2 actions"),
    (re.compile(r"\u2b3b|\u25c6"), "1 action"),
    (re.compile(r"[\u2b32\u21ba\u27f3\u293e]"), "reaction"),
    (re.compile(r"[\u2b53\u25c7]"), "free action"),
)
"""The signs for what an action costs."""
_PARTS = (
    r"Trigger|Effect|Requirements?|Frequency|Prerequisites?|Saving Throw|Onset|Maximum Duration"
    r"|Stage [0-9]|(?:Critical )?(?:Success|Failure)"
)
"""The heads of the parts of an ability."""
_ROLL = r"[0-9]{0,3}d[0-9]{1,3}(?: ?[+-] ?[0-9]{1,4})?"
_TWICE = re.compile(rf"(?<![0-9d])({_ROLL}) ?\(\1\)")
_THROWN = re.compile(r"([+-] ?[0-9]{1,3}) ?\(1d20 ?[+-] ?[0-9]{1,3}\)")
_NUMBERED = re.compile(r"(?<=[A-Za-z]): ?(?=[+-][0-9])")
_ENDED = re.compile(r"(?:[ \t]{0,4};){1,9}[ \t]{0,4}([.,;]|$)", re.MULTILINE)
_SPACED = re.compile(r"[ \t]{1,9}([.,;:](?:[ \t\n]|$))")
_UNSAID = re.compile(r" ?\((?:null|undefined)\)")
_COST = re.compile(r"\s{0,4}\(((?:[1-3] )?(?:free )?(?:re)?actions?)\)[\s:]{0,4}")
_HEAD = re.compile(r"[;\s]{0,4}(?:__|\*\*)\s?([^_*\n]{1,40}?)[:\s]{0,3}(?:__|\*\*)[:\s]{0,3}")
_PART = re.compile(rf"(?:__|\*\*)\s?({_PARTS})\s?:?\s?(?:__|\*\*):?\s?")
_OFTEN = re.compile(
    r"Frequency: (?:(once|twice)|([1-9])(?: times)?)(?: per |/)(day|hour|round|turn|minute|10 minutes)\b"
)
_UNSPACED_COMMA = re.compile(r"(?<=[a-z]),(?=[a-z])")
_RULED = re.compile(r"^(?:\* ?){3}$\n?", re.MULTILINE)
_DAMAGE = re.compile(r"[;,\s]{0,4}\bDamage[:\s]{1,4}(?=[0-9])")
_SLOTS = re.compile(r"\([^()]{1,40}slots?\)\s?")
_RANK = re.compile(r"\b([0-9]{1,2})(?:st|nd|rd|th)\b")
_LONG_DASH = re.compile(r"[\u2013\u2212](?=[0-9])")


def _words(value: Any) -> str:
    """Return a text with words for the signs of actions, and without dice that only say a number again."""
    words = _PART.sub(r"\1: ", _LONG_DASH.sub("-", "\n".join(_raw(value))))
    for sign, cost in _SIGNS:
        words = sign.sub(f"({cost}) ", words)
    words = _UNSAID.sub("", _TWICE.sub(r"\1", _THROWN.sub(r"\1", plain(words))))
    words = _RULED.sub("", _UNSPACED_COMMA.sub(", ", words))
    return _SPACED.sub(r"\1", _ENDED.sub(r"\1", words)).strip(" ;\n")


def _raw(value: Any) -> Iterator[str]:
    """Yield the texts of a value or a list with their markup."""
    for one in value if isinstance(value, list) else [value]:
        yield from [one] if isinstance(one, str) else flat(one)


def _limited(name: str, words: str) -> str:
    """Return an ability with limit and cost behind its name: `Parry (1/day, reaction). What it does`."""
    said = _COST.search(name)
    name = _COST.sub(" ", name).strip(".: ") if said else name.rstrip(".: ")
    cost, often = _COST.match(words), _OFTEN.search(words)
    count = {"once": "1", "twice": "2"}.get(often[1] or "", often[2]) if often else ""
    named = cost or said
    limits = ", ".join(filter(None, (f"{count}/{often[3]}" if often else "", named[1] if named else "")))
    rest = words[cost.end() :] if cost else words
    return feature(f"{name} ({limits})" if limits and name else name, rest)


def _abilities(value: Any) -> Iterator[str]:
    for row in tables(value):
        name, words = _words(row.get("name")), _words(row.get("desc"))
        if name and words:
            yield _limited(name, words)
        elif name or words:
            yield name or words


def _attacks(value: Any) -> Iterator[str]:
    """Yield strikes; newer blocks have their bonus and damage as values of their own."""
    for row in tables(value):
        if str(row.get("name")).endswith("Spells"):
            yield from _casting(row)
            continue
        hit, damage = whole(row.get("bonus")), _words(row.get("damage"))
        parts = (f"{hit:+}" if hit is not None else "", _words(row.get("desc")))
        words = " ".join(filter(None, parts)) + (f", damage {damage}" if damage else "")
        words = _DAMAGE.sub(", damage ", words)
        if words:
            yield _limited(_words(row.get("name")), words)


def _casting(value: Any) -> Iterator[str]:
    """Yield lists of spells, each rank on a line of its own."""
    for row in tables(value):
        numbers = [f"DC {n}" for n in [whole(row.get("dc"))] if n]
        numbers += [f"attack {n:+}" for n in [whole(row.get("bonus"))] if n]
        numbers += [f"{n} focus point{'s' * (n != 1)}" for n in [whole(row.get("fp"))] if n]
        desc = row.get("desc")
        first, *more = _HEAD.split("\n".join(_raw(desc)))
        name = _words(row.get("name"))
        yield feature(name, ", ".join(filter(None, (*numbers, _words(first))))) if name else _words(first)
        head = ""
        for title, spells in zip(more[::2], more[1::2], strict=True):
            # `Constant`, `(8th)` and more such ranks may stand in bold each for itself.
            ranked = _RANK.sub(r"rank \1", title)
            if title[:1] == "(" and head:
                ranked = f"{head} {ranked}"
            else:
                head = "" if ranked.startswith("rank") else ranked
            slots = _SLOTS.match(spells)
            names = _words(spells[slots.end() :] if slots else spells).rstrip(",")
            if names:
                ranked = ranked[:1].upper() + ranked[1:]
                yield f"{ranked}{f' {slots[0].strip()}' if slots else ''}: {names}"


# --- numbers


def _modifiers(row: Mapping[str, Any]) -> dict[str, int]:
    """Return the modifiers by ability: a list of six, or one-key tables."""
    listed_ = row.get("abilityMods")
    if isinstance(listed_, list) and len(listed_) == len(SCORES):
        pairs = list(zip(SCORES, listed_, strict=True))
    else:
        pairs = [(str(k)[:3].lower(), v) for one in tables(row.get("attributes")) for k, v in one.items()]
    return {name: number for name, value in pairs if (number := whole(value)) is not None}


def _texts(value: Any) -> str:
    """Return the descriptions of a list."""
    return " ".join(_words(row.get("desc")) for row in tables(value))


def _skill(row: Mapping[str, Any], name: str) -> int | None:
    for one in tables(row.get("skills")):
        for key, value in one.items():
            if key.lower() == name and (number := whole(value)) is not None:
                return number
    return bonus(name, _texts(row.get("skills")))


def _perception(row: Any) -> int | None:
    numbers = [whole(m[0]) for m in re.finditer(r"[+-][0-9]{1,2}", _texts(row.get("perception")))]
    return numbers[0] if numbers else whole(row.get("modifier"))


def _stealth(row: Any) -> int | None:
    trained = _skill(row, "stealth")
    return _modifiers(row).get("dex") if trained is None else trained


def _saves(row: Any) -> str | None:
    named = {k: v for one in tables(row.get("saves")) for k, v in one.items()}
    return saves(named) or spelt_saves(_texts(row.get("armorclass")))


def _fortitude(row: Any) -> int | None:
    return bonus("fort", _saves(row) or "")


_IMMUNE = re.compile(r"\bImmunit(?:y|ies)[:\s]{1,3}([^;\n]{1,400})")


def _immune(row: Any) -> str | None:
    """Return the kinds of damage that do nothing; resistances are numbers here, and on the card alone."""
    held = _IMMUNE.search(_texts(row.get("health")))
    words = f"{held[1] if held else ''}, {_words(row.get('immunities'))}"
    named = [word.strip().lower() for word in words.split(",")]
    return ", ".join(dict.fromkeys(word for word in named if word in KINDS_OF_PF2E)) or None


TABLE = (
    To("source", "source", text),
    To("hp", "hp"),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "modifier"),
    To("initiative", "", _perception),
    To("per", "", _perception),
    To("int", "", lambda row: score(_modifiers(row).get("int"))),
    To("size", "size", size),
    To("stealth", "", _stealth),
    To("con", "", _fortitude),
    To("kind", "player", lambda value: "pc" if value is True else None),
    To("immune", "", _immune),
    To("saves", "", _saves),
)


# --- the card

_SHOWN = (
    *_OWN, "source", "sourcebook", "Sourcebook", "level", "rarity", "alignment", "size", "traits", "type",
    "modifier", "perception", "senses", "languages", "skills", "attributes", "stats", "items", "ac", "acNote",
    "saves", "hp", "hpNote", "health", "hardness", "immunities", "resistances", "weaknesses", "speed",
    "attacks", "spellcasting", "player", "token", "cr", "damage_vulnerabilities", "damage_resistances",
    "damage_immunities", "condition_immunities",
)  # fmt: skip
_PLACED = re.compile(r"(?:rare|traits?)_[0-9]{2}")


def page(row: Mapping[str, Any], noise: tuple[str, ...]) -> str:
    """Return the card of a block in the order in which its game prints one."""
    rest = {k: v for k, v in row.items() if k not in _SHOWN and not _PLACED.fullmatch(k)}
    lines = [
        _first(row),
        *_sheet(row),
        *_abilities(row.get("abilities_top")),
        *section("", [*_defences(row), *_abilities(row.get("abilities_mid"))]),
        *section("", [listed("Speed", [_words(row.get("speed"))]), *_attacks(row.get("attacks"))]),
        *section("", _casting(row.get("spellcasting"))),
        *section("", _abilities(row.get("abilities_bot"))),
        *section("", [card(rest, noise=noise)]),
        *section("", [listed("Source", [_words(row.get("sourcebook") or row.get("Sourcebook"))])]),
    ]
    return "\n".join(lines).strip("\n")


def _first(row: Mapping[str, Any]) -> str:
    """Return `Creature 5, Uncommon, CE, Small, Dero, Humanoid`."""
    places = sorted(k for k in row if _PLACED.fullmatch(k))
    values = [row.get("level"), row.get("rarity")]
    values += [row[k] for k in places if k.startswith("rare")]
    values += [row.get("alignment"), row.get("size"), *flat(row.get("traits"))]
    values += [row[k] for k in places if k.startswith("trait")]
    return ", ".join(dict.fromkeys(filter(None, (" ".join(_words(v).split("\n")) for v in values))))


def _sheet(row: Mapping[str, Any]) -> Iterator[str]:
    perception = _texts(row.get("perception")).removeprefix("Perception").strip(" :")
    if not perception and (number := whole(row.get("modifier"))) is not None:
        perception = f"{number:+}"
    if perception:
        yield "Perception " + "; ".join(filter(None, (perception, _words(row.get("senses")))))
    languages = _words(row.get("languages"))
    yield from filter(None, [listed("Languages", [languages]) if languages not in ("\u2014", "-") else ""])
    yield from filter(None, [listed("Skills", _skills(row.get("skills")))])
    mods = _modifiers(row)
    yield from filter(None, [", ".join(f"{k.capitalize()} {mods[k]:+}" for k in SCORES if k in mods)])
    yield from filter(None, [listed("Items", [_words(row.get("items"))])])


def _skills(value: Any) -> Iterator[str]:
    """Yield `Athletics +6`; newer blocks have one-key tables, with notes beside them."""
    for one in tables(value):
        if "desc" in one:
            name, words = _words(one.get("name")), _NUMBERED.sub(" ", _words(one["desc"]))
            yield words if name in ("Skills", "") or not words else f"{name}: {words}"
            continue
        yield _numbered(one)
    yield from (_words(x) for x in value if isinstance(x, str)) if isinstance(value, list) else ()


def _numbered(one: Mapping[str, Any]) -> str:
    """Return `Athletics +12 (+14 to Escape)`: the first key names it, others say what changes it."""
    parts: list[str] = []
    for key, value in one.items():
        number = whole(value)
        if number is None or key == "note":
            parts += filter(None, [_words(value)])
        else:
            parts.append(f"{number:+} {key}" if parts else f"{key} {number:+}")
    return " ".join([*parts[:1], *([f"({'; '.join(parts[1:])})"] if parts[1:] else [])])


def _defences(row: Mapping[str, Any]) -> Iterator[str]:
    if words := _NUMBERED.sub(" ", _texts(row.get("armorclass"))):
        yield f"AC {words}"
    else:
        note = _words(row.get("acNote"))
        resisted = [
            _numbered({k.capitalize(): v for k, v in one.items()}) for one in tables(row.get("saves"))
        ]
        armour = " ".join(filter(None, (_words(row.get("ac")), note)))
        yield "; ".join(filter(None, (f"AC {armour}" if armour else "", ", ".join(resisted))))
    points = _texts(row.get("health"))
    if not points:
        points = " ".join(filter(None, (_words(row.get("hp")), _words(row.get("hpNote")))))
    numbers = [f"HP {points}" if points else ""]
    numbers += [
        f"{key.capitalize()} {words}"
        for key in ("hardness", "immunities", "weaknesses", "resistances")
        if (words := _words(row.get(key)))
    ]
    yield "; ".join(filter(None, numbers))
