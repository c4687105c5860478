"""Read a creature as people note it: `Bram, hp 24, AC 14, init +1` is `add Bram +1 hp=24 ac=14`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tui.core.base.errors import RuleError
from tui.core.language.syntax import NewName, Syntax
from tui.core.language.tokens import quote, tokens

LABELS: Mapping[str, tuple[str, ...]] = {
    "hp": ("hp", "hit points", "max hp", "hitpoints", "health"),
    "ac": ("ac", "armor class", "armour class", "armor", "armour"),
    "mod": ("initiative", "init", "initiative bonus", "initiative modifier", "init mod", "mod", "modifier"),
    "per": ("per", "perception"),
    "int": ("int", "intelligence"),
    "passive": ("passive", "passive perception", "pp"),
}
"""The words of notes and of tables for a number, by its key; `mod` is the modifier for initiative."""

_KEYS = {label: key for key, labels in LABELS.items() for label in labels}
_LABEL = "|".join(sorted(_KEYS, key=len, reverse=True)).replace(" ", r"\s+")
_NUMBER = r"(?:[0-9]{0,3}d[0-9][0-9dkhl+-]{0,20}|[+\u2212\u2013-]?[0-9]{1,5}(?:/[0-9]{1,5})?)"
_END = r"(?![^\s,;|)])"
_FIRST = rf"(?!ac-?[0-9])(?:{_LABEL})\s*:?\s*{_NUMBER}{_END}"
"""Matches `hp 24`, `HP: 24` or `hp24`, but not `ac15`, which `add` takes as it is."""
_LAST = rf"{_NUMBER}\s*(?:{_LABEL}){_END}(?=(?:\s+{_NUMBER}\s*(?:{_LABEL})){{0,9}}{_END}(?!\s+{_NUMBER}))"
"""Matches `24 hp` or `24hp`, but not `24 AC` in `24 AC 14`, where the label belongs to what follows."""
_SHORT = rf"(?:ac-?[0-9]{{1,3}}|hidden|{_NUMBER})(?![^\s,;|])"
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PAIR = rf'[a-z_][a-z0-9_.-]*=(?:{_QUOTED}|[^\s"])*(?<![,;|])'
_SEPARATOR = rf"[,;|]|:(?=\s|$)|(?<!\S)[\u2013\u2014-](?=\s)|\((?=(?:{_LABEL})\b)"
_TIMES = r"\(?[x\u00d7]([0-9]+)\)?" + _END
_NAME = rf"({_QUOTED}|[^\s,;|].*?)(?=\s*(?:{_SEPARATOR}|$)|\s+(?:{_FIRST}|{_LAST}|{_SHORT}|{_PAIR}|{_TIMES}))"
_END_OF_WORDS = rf"\s*(?:{_SEPARATOR}|$)|\s+{_PAIR}"
_HP = "|".join(LABELS["hp"])
_POINTS = rf"\bhp=|\b(?:{_HP})\s*:?\s*{_NUMBER}{_END}|{_NUMBER}\s*(?:{_HP}){_END}"
_BULLET = r"(?:\||(?:[-*\u2022\u2013\u2014]|[0-9]{1,3}[.)])(?=\s))\s*"
_COUNT = r"([0-9]*d[0-9]+(?:[+-][0-9]+)?|[0-9]+)(?:\s*[x\u00d7])?\s+(?=\S)"
_NOTED = rf"^{_BULLET}|^[0-9]+[x\u00d7]\s|{_SEPARATOR}|\s(?:{_FIRST}|{_LAST}|{_TIMES})"
"""Matches what a line of notes has and other lines of `add` have not, outside of quotes and keys."""
_MINUS = str.maketrans("\u2212\u2013", "--")


class NoteSyntax(Syntax, frozen=True):
    """The syntax of `add`, which also reads notes."""

    def read(self, raw: str) -> dict[str, object]:
        """Return the values of all slots by name, from the text after the verb. Raises RuleError."""
        return Syntax.read(self, spell_note(raw))

    def write(self, action: object) -> str:
        """Return the line that reads as this action."""
        head, key, points = (line := Syntax.write(self, action)).rpartition(" hp=")
        return f"{head} {points}" if key and getattr(action, "bare", False) else line


def untab(text: str) -> str:
    """Return a line with a comma in place of tabs, which separate the columns of a table."""
    return re.sub(r"\s*\t\s*", ", ", text.strip())


def respell(line: str) -> str:
    """Return an `add` line without labels and separators; a line that cannot be read is unchanged."""
    verb, gap, raw = line.partition(" ")
    try:
        return f"{verb}{gap}{spell_note(raw)}"
    except RuleError:
        return line


def spell_note(raw: str) -> str:
    """Return the words of a note as `add` takes them; a text without labels and separators is unchanged.

    Raises RuleError for a word that is not used, and for an open quote.
    """
    tokens(raw)
    # One blank in place of many outside of quotes, which the patterns would try in every way.
    text = re.sub(rf"({_QUOTED})|\s+", lambda found: found[1] or " ", raw).strip()
    if not _search(_NOTED, re.sub(rf"(?i)(?<!\S){_PAIR}|{_QUOTED}", "_", text)):
        return raw
    text = re.sub(f"^{_BULLET}", "", text)
    count = _match(_COUNT, text)
    text = text[count.end() :] if count else text
    name = _match(_NAME, text)
    words = tokens(name[1]) if name else []
    if name is None or any(word.key for word in words):
        raise RuleError("add: creature is missing", "`add Bram, hp 24, AC 14, init +1`")
    title, rest = " ".join(word.text for word in words), text[name.end() :]
    if byname := _match(rf",\s+(?=the\s){_NAME}", rest):
        title, rest = f"{title} {byname[1]}", rest[byname.end() :]
    if times := _match(rf"\s+{_TIMES}", rest):
        rest = rest[times.end() :]
    if rest.strip() == ":":
        hint = "leave a heading out, or give the creature values"
        raise RuleError(f'add: nothing follows "{title}:"', hint)
    if (number := _match(r"\s+([0-9]+)(?=\s*[,;|])", rest)) and _search(_POINTS, rest):
        # `Goblin 1, hp 7`: the number beside the name is part of the name.
        title, rest = f"{title} {number[1]}", rest[number.end() :]
    many = count[1] if count else times[1] if times else ""
    return " ".join([*filter(None, [many]), *NewName("name").write(title), *_spell_values(rest)])


def _spell_values(rest: str) -> Iterator[str]:
    """Yield the values after a name as `add` takes them. Raises RuleError for words that are not used."""
    is_first, pair_here = False, _PAIR
    while rest := rest.strip():
        if mark := _match(rf"{_SEPARATOR}|\){_END}", rest):
            rest, is_first = rest[mark.end() :], True
            # In `Bram,ac=14,init +1` the commas separate values; in `resist=cold,fire` they are part of one.
            pair_here = _PAIR if rest[:1].isspace() else r"[a-z_]+=[^\s,;|]*"
            continue
        if found := _match(pair_here, rest) or _match(f"{_FIRST}|{_LAST}", rest) or _match(_SHORT, rest):
            yield _spell_value(found[0])
        else:
            found = _match(rf".+?(?={_END_OF_WORDS})", rest)
            pair = _match(rf"([a-z_]+)(?:\s*:)?\s+(?!{_PAIR})(.+?)(?={_END_OF_WORDS})", rest)
            # `owner Mia` between two separators; the rules refuse a key that no system has.
            if not pair or not is_first:
                words = found[0] if found else rest
                hint = f"leave it out, or write `note {words}` between commas; one creature a line"
                raise RuleError(f'add: "{words}" is not understood', hint)
            found = pair
            yield f"{pair[1].lower()}={quote(pair[2])}"
        rest, is_first, pair_here = rest[found.end() :], False, _PAIR


def _spell_value(text: str) -> str:
    """Return a value in the form that `add` takes: with its key, or as it is without a label."""
    if _match(rf"{_PAIR}$", text):
        return text
    number = _search(_NUMBER, text)
    rest = text[: number.start()] + text[number.end() :] if number else ""
    label = " ".join(rest.lower().strip(" :").split())
    if number is None or label not in _KEYS:
        return text.translate(_MINUS)
    key, value = _KEYS[label], number[0].translate(_MINUS)
    if key == "mod" and value.lstrip("+-").isdecimal():
        return f"{int(value):+d}"
    return value if key == "hp" and "/" in value else f"{key}={value}"


def _match(pattern: str, text: str) -> re.Match[str] | None:
    return re.match(pattern, text, re.IGNORECASE)


def _search(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, text, re.IGNORECASE)
