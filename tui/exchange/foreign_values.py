"""Read values as other tools write them.

A reader is named after its result (`whole`, `dice`, `size`), because tables name it: `To("hp", "hp", whole)`.
It takes any value, and returns None if the value holds no such result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from html import unescape
from typing import Any

import msgspec

from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT
from tui.core.language.values import read_rating

_WHOLE = re.compile(r"\s{0,9}([+\-\u2212\u2013]?)\s{0,3}([0-9]{1,6})(?![0-9])")
_DICE = re.compile(
    r"([0-9]{0,3})\s{0,3}[dD]\s{0,3}([0-9]{1,4})(?:\s{0,3}([+\-\u2212\u2013])\s{0,3}([0-9]{1,5}))?"
)
_PASSIVE = re.compile(
    r"\b(?:passive(?:\s{1,4}perc(?:eption)?\b)?|(?-i:PP))[.:]?\s{1,4}([0-9]{1,3})\b", re.IGNORECASE
)
_SIZES = {
    "tiny": "tiny", "t": "tiny", "f": "tiny",
    "small": "small", "s": "small", "sm": "small",
    "medium": "medium", "m": "medium", "med": "medium",
    "large": "large", "l": "large", "lg": "large",
    "huge": "huge", "h": "huge",
    "gargantuan": "gargantuan", "g": "gargantuan", "grg": "gargantuan",
}  # fmt: skip


def whole(value: Any) -> int | None:
    """Return the number at the beginning of a text, or of a list's first item; None without one."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if abs(value) < 1e9 and value.is_integer() else None
    if isinstance(value, list):
        return whole(value[0]) if value else None
    match = _WHOLE.match(value) if isinstance(value, str) else None
    return (int(match[2]) if match[1] in ("", "+") else -int(match[2])) if match else None


def dice(value: Any) -> str | None:
    """Return the first dice notation in a text, without spaces; None without one."""
    match = _DICE.search(value) if isinstance(value, str) else None
    if not match:
        return None
    rest = f"{'+' if match[3] == '+' else '-'}{int(match[4])}" if match[3] and int(match[4]) else ""
    return f"{match[1] or 1}d{match[2]}{rest}"


def average(value: Any) -> int | None:
    """Return the average of dice, rounded down."""
    match = _DICE.fullmatch(value) if isinstance(value, str) else None
    if not match:
        return None
    rest = int(match[4] or 0) * (-1 if match[3] and match[3] != "+" else 1)
    return max(0, int(match[1] or 1) * (int(match[2]) + 1) // 2 + rest)


def modifier(value: Any) -> int | None:
    """Return the modifier of an ability score: (score - 10) / 2, rounded down; None without a score."""
    score = whole(value)
    return None if score is None else (score - 10) // 2


def size(value: Any) -> str | None:
    """Return a size such as `large`; the last one of a list, because most creatures of the kind have it."""
    if isinstance(value, list):
        return size(value[-1]) if value else None
    words = re.findall(r"[a-z]+", value.lower()) if isinstance(value, str) else []
    return _SIZES.get(words[0]) if words else None


_RATING = re.compile(
    r"\s{0,9}(?:CR\s{0,3})?([0-9]{1,2}/[0-9]|[0-9]{0,2}\.[0-9]{1,3}|[0-9]{1,2}|[\u00bc\u00bd\u215b])(?![0-9])",
    re.IGNORECASE,
)


def rating(value: Any) -> str | None:
    """Return the challenge rating at the beginning of a text, `1/4` or `5`; None without one."""
    match = None if isinstance(value, bool) else _RATING.match(str(value))
    with suppress(RuleError):
        return read_rating(match[1], "cr=") if match else None
    return None


def _join_texts(value: Any) -> Any:
    """Return a list of texts joined to one text; any other value unchanged."""
    return ", ".join(x for x in value if isinstance(x, str)) if isinstance(value, list) else value


def passive(value: Any) -> int | None:
    """Return the number after `passive Perception` or `PP` in a text or its parts; a number unchanged."""
    if isinstance(value, int):
        return whole(value)
    text = _join_texts(value)
    match = _PASSIVE.search(text) if isinstance(text, str) else None
    return int(match[1]) if match else None


def bonus(name: str, value: Any) -> int | None:
    """Return the number after a name in texts such as `Perception +3, Stealth +6`."""
    text = _join_texts(value)
    if not isinstance(text, str):
        return None
    match = re.search(rf"\b{name}\b[^0-9+\-\u2212]{{0,3}}([+\-\u2212]?\s*[0-9]{{1,3}})", text, re.IGNORECASE)
    return whole(match[1]) if match else None


def add(one: int | None, other: int | None) -> int | None:
    """Return the sum of two numbers; None if one is missing."""
    return None if one is None or other is None else one + other


def text(value: Any) -> str | None:
    """Return a stripped text; None for an empty one and for other types."""
    return value.strip() or None if isinstance(value, str) else None


def list_tables(value: Any) -> list[dict[str, Any]]:
    """Return the tables of a list, or a table alone; [] for anything else."""
    if isinstance(value, dict):
        return [value]
    return [x for x in value if isinstance(x, dict)] if isinstance(value, list) else []


def has(value: Any, *keys: str) -> bool:
    """Return True for a table with all of these keys."""
    return isinstance(value, dict) and all(key in value for key in keys)


def has_some(value: Any, *keys: str) -> bool:
    """Return True if one of the first 50 tables has all of these keys."""
    return any(has(x, *keys) for x in list_tables(value)[:50])


def decode_json_text(value: Any) -> Any:
    """Return the decoded value of a JSON text; anything else unchanged."""
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return value


def walk_tables(value: Any, depth: int = 8) -> Iterator[dict[str, Any]]:
    """Yield a table and all tables inside it, outer ones first, up to `depth` levels."""
    if isinstance(value, dict):
        yield value
    if depth and isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from walk_tables(inside, depth - 1)


_BREAKS = re.compile(
    r"<\s*(?:br|/p|/li|/tr|/h[1-6]|hr|/div|/ul|/table|/caption)\b[^>]{0,200}>", re.IGNORECASE
)
_CELLS = re.compile(
    r"(?:</p>)?\s{0,20}</t[dh]>\s{0,40}<t[dh]\b[^<>]{0,200}>\s{0,20}(?:<p\b[^<>]{0,100}>)?", re.IGNORECASE
)
_HTML = re.compile(r"<!--.{0,2000}?-->|</?[a-zA-Z][^<>]{0,500}>", re.DOTALL)
_BRACES = re.compile(r"\{@(\w{1,40})(?:\s([^{}|]{0,2000})((?:\|[^{}|]{0,300}){0,12}))?\}")
_ENRICHED_TEXT = re.compile(
    r"[@&][A-Z]\w{1,20}\[([^\[\]]{0,200}(?:\[[^\[\]]{0,100}\])?[^\[\]]{0,200})\](?:\{([^{}]{0,200})\})?"
)
_EMBED = re.compile(r"@Embed\[[^\[\]]{0,400}\](?:\{[^{}]{0,200}\})?")
_ROLLS = re.compile(r"\[\[/?([^\[\]]{0,200}(?:\[[^\[\]]{0,60}\])?)\]\](?:\{([^{}]{0,200})\})?")
_STARS = re.compile(r"(\*\*\*|\*\*|___|__)(?=\S)(.{1,300}?)[ ]?\1")
_STAR = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_\n]{1,200})(?<=\S)\1(?![\w*])")
_TAGS = {
    "h": "Hit: ",
    "m": "Miss: ",
    "hom": "Hit or Miss: ",
    "dc": "DC {}",
    "chance": "{} percent",
    "actSaveFail": "Failure:",
    "actSaveFailBy": "Failure by {} or more:",
    "actSaveSuccess": "Success:",
    "actSaveSuccessOrFail": "Failure or Success:",
    "actTrigger": "Trigger:",
    "actResponse": "Response:",
    "hitYourSpellAttack": "your spell attack modifier",
    "dcYourSpellSave": "your spell save DC",
}
_SHOWN_PARTS = {
    "dice": 1,
    "damage": 1,
    "d20": 1,
    "hit": 1,
    "chance": 1,
    "quickref": 4,
    "deity": 3,
    "classFeature": 5,
}
"""Which part of a tag is shown, counted from 1 after the tag's name; the second part for other tags."""
_HIDDEN_PARTS = ("filter", "book", "note", "adventure", "area", "link", "footnote")
_DEPTH = 6
_MOST_CHARACTERS = 4 * PAGE_LIMIT


def strip_markup(text: str) -> str:
    """Return the text without markup, with line breaks where blocks end, cut to the room of a card."""
    # Every pattern is bounded as well: markup of a hostile file must not cost more than its length.
    text = text[:_MOST_CHARACTERS].replace("\u00ad", "")
    if "<" in text:
        text = _HTML.sub("", _BREAKS.sub("\n", _CELLS.sub(" | ", text)))
    if "&" in text:
        # Some texts were escaped twice.
        text = unescape(text).replace("&nbsp;", " ")
    if "[[" in text:
        text = _ROLLS.sub(lambda m: m[2] or m[1].strip(), text)
    if "@" in text or "&" in text:
        text = _EMBED.sub("", text)
        text = _ENRICHED_TEXT.sub(lambda m: m[2] or _name_of_link(m[1]), text)
    # Tags may hold tags: from the inside out, and never more often than they can be nested.
    for _ in range(_DEPTH):
        if "{@" not in text:
            break
        text = _BRACES.sub(_write_tag, text)
    if "**" in text or "__" in text:
        text = _STARS.sub(r"\2", text)
    return _STAR.sub(r"\2", text) if "*" in text or "_" in text else text


_TABLE_RULE = re.compile(r"^\|?(?:[ \t]{0,4}:?-{2,200}:?[ \t]{0,4}\|){1,20}[ \t:-]{0,200}$\n?", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]{1,4}(?=\S)", re.MULTILINE)
_ROW = re.compile(r"^\|[ \t]{0,9}(.{1,2000}?)[ \t]{0,9}\|[ \t]{0,9}$", re.MULTILINE)
_LIST_ITEM = re.compile(
    r"(?<=[.:;])[ ](?=(?:At will|[1-9]/day(?: each)?|Cantrips \(at will\)"
    r"|[1-9](?:st|nd|rd|th)[ -]level \([0-9] slots?\)):)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?<=\S)[ ]\u2022[ ](?=\S)")
_MISSING_SPACE = re.compile(r"\b(each|At will):(?=[a-z])", re.IGNORECASE)
_EMPTY_LINES = re.compile(r"\n[ \t]{0,20}(?:\n[ \t]{0,20}){1,20}")
_SPACE_BEFORE_SIGN = re.compile(r"(?<=[\w)]) ([,;])(?= )")
_REPEATED_LINE = re.compile(r"^(.{20,}+)\n(?=\1$)", re.MULTILINE)


def drop_blank_lines(text: str) -> str:
    """Return a text without empty lines, which separate sections on a card."""
    return _EMPTY_LINES.sub("\n", text)


def tidy_card(card: str) -> str:
    """Return a card without marks of headings and tables, and with each level of spells on its own line."""
    if "|" in card:
        card = _ROW.sub(r"\1", _TABLE_RULE.sub("", card))
    if "#" in card:
        card = _HEADING.sub("", card)
    if "\u2022" in card:
        card = _BULLET.sub("\n\u2022 ", card)
    card = _SPACE_BEFORE_SIGN.sub(r"\1", _LIST_ITEM.sub("\n", card))
    return _REPEATED_LINE.sub("", _MISSING_SPACE.sub(r"\1: ", card).replace(" ft .", " ft."))


def _write_tag(match: re.Match[str]) -> str:
    """Return the shown part of a tag of 5etools, `{@tag text|source|other}`."""
    name, text, parts = match[1], (match[2] or "").strip(), (match[3] or "").split("|")[1:]
    place = _SHOWN_PARTS.get(name, 2) - 1
    if len(parts) > place and parts[place] and name not in _HIDDEN_PARTS:
        return parts[place]
    if name in ("atk", "atkr"):
        return _write_attack_tag(text, "Weapon Attack" if name == "atk" else "Attack Roll")
    if name == "actSave":
        return f"{_spell_ability(text)} Saving Throw:"
    if name in ("hit", "recharge"):
        signed = text if text[:1] in ("+", "-") else f"+{text}"
        least = f"{text}\u20136" if text else "6"
        return signed if name == "hit" else f"(Recharge {least})"
    return _TAGS[name].format(text) if name in _TAGS else text


def _spell_ability(code: str) -> str:
    """Return the full name of an ability, such as `Dexterity` for `dex`."""
    return LONG_ABILITIES[ABILITIES.index(code)].capitalize() if code in ABILITIES else code


def _write_attack_tag(codes: str, sort: str) -> str:
    """Return an attack tag's codes in words: `mw,rw` means melee or ranged weapon."""
    reaches = [w for letter, w in (("m", "Melee"), ("r", "Ranged")) if letter in codes]
    return f"{' or '.join(reaches)} {sort.replace('Weapon', 'Spell') if 's' in codes else sort}:".strip()


def _name_of_link(inside: str) -> str:
    """Return the name at the end of a link, or the options of a check or damage as words."""
    return (
        inside.rsplit(".", 1)[-1]
        if inside.startswith(("Compendium.", "Actor.", "Item.", "PF2E."))
        else _OPTION.sub(" ", inside).strip()
    )


_OPTION = re.compile(r"(?:\btype:|[|:\[\]])+")
"""Matches what separates the options of a check or damage, as in `type:reflex|dc:20` and `2d6[fire]`."""


KINDS = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
)  # fmt: skip
_WEAPONS = frozenset({"bludgeoning", "piercing", "slashing"})
_KIND = re.compile(rf"\b(?:{'|'.join(KINDS)})\b(?! iron\b)", re.IGNORECASE)
"""Matches a kind of damage, but not the cold of `cold iron`."""
_ALL_DAMAGE = re.compile(r"\s*all(?: damage)?\s*", re.IGNORECASE)
_MUNDANE = re.compile(
    r"\bnon-?\s?magic|\bmundane|\bweapons?\b|\bsilver|\badamantine|\bmagical?\b", re.IGNORECASE
)
_UNLESS = re.compile(
    r"\bwhile|\bwhen|\bif\b|\bunless|\bonly\b|\bexcept|\bfrom\b|\bother than|\bdoes(?:n't| not)"
    r"|\bor\b\s+the\s|\bchosen|\bof (?:its|your) choice|\bspells?\b|\(",
    re.IGNORECASE,
)
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
LONG_ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
_SHORT = {
    **dict(zip(LONG_ABILITIES, ABILITIES, strict=True)),
    "fortitude": "fort", "fort": "fort", "reflex": "ref", "ref": "ref", "will": "will",
}  # fmt: skip


def damage_kinds(value: Any) -> str | None:
    """Return the kinds of damage named without any condition in a text or a list of texts; None for none.

    A defence against nonmagical attacks alone, or under a condition, stays on the card for the game master.
    """
    words: list[str] = []
    texts = list(_list_texts(value))
    # In a list split at commas, the condition after the last item holds for all items.
    last = re.split(r"[;\n]", ", ".join(texts))[-1] if len(texts) > 1 else ""
    mundane = bool(_MUNDANE.search(strip_markup(last[:2_000])))
    for text in texts:
        for clause in re.split(r"[;\n]", strip_markup(text)[:2_000]):
            if _ALL_DAMAGE.fullmatch(clause):
                return "all"
            kinds = [m[0].lower() for m in _KIND.finditer(clause)]
            if mundane or _MUNDANE.search(clause):
                kinds = [kind for kind in kinds if kind not in _WEAPONS]
            elif _UNLESS.search(clause):
                kinds = []
            words += kinds
    return ", ".join(dict.fromkeys(words)) or None


def _list_texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return [x for x in value if isinstance(x, str)] if isinstance(value, list) else ()


def ability(name: str) -> str:
    """Return the short name of an ability or a save: `dex` for `Dexterity`; "" for another word."""
    low = name.strip().lower()
    return low if low in ABILITIES else _SHORT.get(low, "")


def write_saves(numbers: Mapping[str, Any]) -> str | None:
    """Return saves as a line writes them, `dex+6 con+13`, in the order of abilities; None for none."""
    values: dict[str, int] = {}
    for name, value in numbers.items():
        number = whole(value)
        if (key := ability(str(name))) and number is not None and abs(number) <= 99:
            values.setdefault(key, number)
    order = {key: place for place, key in enumerate((*ABILITIES, "fort", "ref", "will"))}
    return " ".join(f"{key}{values[key]:+}" for key in sorted(values, key=order.__getitem__)) or None


_SAVE = re.compile(r"\b([A-Za-z]{3,12})[ \t:]{1,4}([+\-\u2212\u2013]?\s?[0-9]{1,2})\b")


def saves_in_text(value: Any) -> str | None:
    """Return the saves of a text such as `Dex +6, Con +13`."""
    return write_saves(dict(_SAVE.findall(value))) if isinstance(value, str) else None
