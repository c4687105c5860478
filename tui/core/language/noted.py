"""Read a creature as people note it: `Bram, hp 24, AC 14, init +1` is `add Bram +1 hp=24 ac=14`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.language.syntax import COUNT, NewName, Syntax
from tui.core.language.tokens import quote, scan

LABELS: Mapping[str, tuple[str, ...]] = {
    "hp": ("hp", "hit points", "max hp", "hitpoints", "health"),
    "ac": ("ac", "armor class", "armour class", "armor", "armour"),
    "mod": (
        "initiative",
        "init",
        "initiative bonus",
        "initiative modifier",
        "init mod",
        "mod",
        "modifier",
    ),
    "per": ("per", "perception"),
    "int": ("int", "intelligence"),
    "passive": ("passive", "passive perception", "pp"),
}
"""The words of notes and of tables for a number, by its key; `mod` is the modifier for initiative."""

_KEYS = {label: key for key, labels in LABELS.items() for label in labels}
_DICE = r"[0-9]*d[0-9]+[0-9dkhl+-]*"
_WHOLE = r"[+-]?[0-9]{1,5}"
_VALUES = {"hp": rf"[0-9]+(?:/[0-9]+)?|{_DICE}", "ac": r"-?[0-9]{1,3}"}
"""The numbers that a label takes, where they are not whole numbers with any sign."""
_ONE_WORD = "|".join(label for label in _KEYS if " " not in label)
_GLUED = rf"({_ONE_WORD}):?([+-]?[0-9].*)"
_GLUED_AFTER = r"([0-9]+)(hp|ac)"
_FIRST_WORD = "|".join(sorted({label.split()[0] for label in _KEYS}))
_DASHES = ("-", "\u2013", "\u2014")
_BULLET = r"[-*\u2022\u2013\u2014]|[0-9]{1,3}[.)]"
_TIMES, _TIMES_AFTER = r"([0-9]+)[x\u00d7]", r"\(?[x\u00d7]([0-9]+)\)?"
_SHORT: Mapping[str, str] = {
    "mod": r"[+-][0-9]{1,3}",
    "ac": r"ac-?[0-9]{1,3}",
    "hp": rf"[0-9]+(?:/[0-9]+)?|{_DICE}",
    "hidden": "hidden",
}
"""Patterns of values without a label, by key."""
_MOST_RUN = 10
"""The most numbers with labels after them that are looked at together."""
_MINUS = str.maketrans("\u2212\u2013", "--")


class _Piece(Struct, frozen=True):
    """A part of a note."""

    kind: Literal["word", "quoted", "key", "colon", "sep", "end"]
    """The kind of the piece: `key` is `key=value`, `sep` comes between two values."""
    text: str = ""


class _Field(Struct, frozen=True):
    """A value of a note."""

    key: str
    text: str
    """The value in the form that `add` takes."""
    end: int
    """The index of the piece after the value."""
    is_labelled: bool = True


class NoteSyntax(Syntax, frozen=True):
    """The syntax of `add`, which also reads notes."""

    def read(self, raw: str) -> dict[str, object]:
        """Return the values of all slots by name, from the text after the verb. Raises RuleError."""
        return Syntax.read(self, spell_note(raw))


def untab(text: str) -> str:
    """Return a line with a comma in place of tabs, which separate the columns of a table."""
    return re.sub(r"\s*\t\s*", ", ", text.strip())


def spell_note(raw: str) -> str:
    """Return the words of a note as `add` takes them; a text without labels and separators is unchanged.

    Raises RuleError for a word that is not used.
    """
    note = _Note(list(_split_pieces(raw)))
    return note.spell() if note.is_note() else raw


def respell(line: str) -> str:
    """Return an `add` line without labels and separators; a line that cannot be read is unchanged."""
    verb, gap, raw = line.partition(" ")
    try:
        return f"{verb}{gap}{spell_note(raw)}"
    except RuleError:
        return line


def _split_pieces(raw: str) -> Iterator[_Piece]:
    """Yield the pieces of a note. Raises RuleError for an open quote."""
    is_open = False
    for number, token in enumerate(scan(raw)):
        text, after = token.text, ""
        if (token.quoted or token.key) and raw[token.end - 1] != '"':
            text = text.rstrip(",;|:" if token.quoted else ",;|")
            after = token.text[len(text) :]
        if token.quoted:
            yield _Piece("quoted", text)
        elif token.key:
            yield _Piece("key", f"{token.key}={quote(text) if text else ''}")
        else:
            # `Orc (hp 15, AC 13)`: brackets around values are separators, other brackets belong to the name.
            if re.match(rf"(?i)\((?:{_FIRST_WORD})\b", text):
                is_open, text = True, f",{text[1:]}"
            if is_open and text.endswith(")"):
                is_open, text = False, f"{text[:-1]},"
            yield from _split_word("," if number and text in _DASHES else text)
        if after:
            yield _Piece("sep", after)


def _split_word(text: str) -> Iterator[_Piece]:
    """Yield the words and separators of a text without spaces; a colon inside a word is a part of it."""
    for part in filter(None, re.split(r"([,;|]+|:$)", text)):
        key, equals, value = part.partition("=")
        if equals and re.fullmatch("[A-Za-z_]+", key):
            yield _Piece("key", f"{key}={quote(value) if value else ''}")
            continue
        yield _Piece("colon" if part == ":" else "sep" if part[0] in ",;|" else "word", part)


def _spell_value(key: str, text: str) -> str:
    """Return a value in the form that `add` takes."""
    if key == "mod":
        return f"{int(text):+d}"
    return text if key == "hp" and "/" in text else f"{key}={text}"


class _Note:
    """The pieces of a note, which are read one after the other."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self.pieces = (*pieces, _Piece("end"))
        self.at = 0

    def is_note(self) -> bool:
        """Return whether there is a bullet, a separator, `x3`, or a label with its number after a name."""
        after = range(1, len(self.pieces))
        return (
            any(x.kind in ("sep", "colon") for x in self.pieces)
            or bool(re.fullmatch(f"{_BULLET}|{_TIMES}", self._word(0)))
            or any(re.fullmatch(_TIMES_AFTER, self._word(i)) for i in after)
            or any(self._find_labelled(i) or self._find_valued(i) for i in after)
        )

    def spell(self) -> str:
        """Return the note in the form that `add` takes. Raises RuleError."""
        count = self._read_count()
        name = self._read_name()
        if not count and (match := re.fullmatch(_TIMES_AFTER, self._word(self.at))):
            count, self.at = match[1], self.at + 1
        if self._kind(self.at) == "colon" and self._kind(self.at + 1) == "end":
            raise RuleError(
                f'add: nothing follows "{name}:"', "leave a heading out, or give the creature values"
            )
        beside = self.at + 1
        fields = list(self._read_fields())
        points = [x for x in fields if x.key == "hp"]
        if (
            len(points) > 1
            and not points[0].is_labelled
            and points[0].end == beside
            and points[1].is_labelled
        ):
            # `Goblin 1, hp 7`: the number beside the name is part of the name.
            fields.remove(points[0])
            name = f"{name} {points[0].text.removeprefix('hp=')}"
        return " ".join([*filter(None, [count]), *NewName("name").write(name), *(x.text for x in fields)])

    def _kind(self, at: int) -> str:
        return self.pieces[min(at, len(self.pieces) - 1)].kind

    def _word(self, at: int) -> str:
        """Return the word at a place in lower case and with plain signs, "" for anything else."""
        return self.pieces[at].text.lower().translate(_MINUS) if self._kind(at) == "word" else ""

    # --- how many, and the name

    def _read_count(self) -> str:
        """Pass a bullet and a number of creatures, and return the number; "" for none."""
        while self._kind(self.at) == "sep":
            # The row of a table begins with its line: `| Bram | 24 hp |`.
            self.at += 1
        second = self.at + 1
        is_counted = re.fullmatch(f"{COUNT}|{_TIMES}", self._word(second)) and self._is_name(second + 1)
        if re.fullmatch(_BULLET, self._word(self.at)) and (is_counted or self._is_name(second)):
            self.at += 1
        first = self._word(self.at)
        if (match := re.fullmatch(_TIMES, first)) and self._is_name(self.at + 1):
            self.at += 1
            return match[1]
        if not re.fullmatch(COUNT, first) or not self._is_name(self.at + 1):
            return ""
        self.at += 2 if self._word(self.at + 1) in ("x", "\u00d7") and self._is_name(self.at + 2) else 1
        return first

    def _is_name(self, at: int) -> bool:
        """Return whether a name can begin here."""
        return self._kind(at) == "quoted" or (self._kind(at) == "word" and not self._find_short(at))

    def _read_name(self) -> str:
        """Return the name: all words before the first value or separator, and `, the Bold` after it.

        Raises RuleError if there is none.
        """
        if self._kind(self.at) == "quoted":
            self.at += 1
            return self.pieces[self.at - 1].text
        words = self._read_words()
        if words and self._kind(self.at) == "sep" and self._word(self.at + 1) == "the":
            self.at += 1
            words += self._read_words()
        if not words:
            raise RuleError("add: creature is missing", "`add Bram, hp 24, AC 14, init +1`")
        return " ".join(words)

    def _read_words(self) -> list[str]:
        words = list[str]()
        while self._kind(self.at) == "word":
            if words and (self._find_field(self.at) or re.fullmatch(_TIMES_AFTER, self._word(self.at))):
                break
            words.append(self.pieces[self.at].text)
            self.at += 1
        return words

    # --- values

    def _read_fields(self) -> Iterator[_Field]:
        """Yield the values. Raises RuleError for words that are not used."""
        while self._kind(self.at) != "end":
            if self._kind(self.at) in ("sep", "colon"):
                self.at += 1
                continue
            found = self._find_field(self.at) or self._read_key()
            self.at = found.end
            yield found

    def _read_key(self) -> _Field:
        """Return `owner=Mia` for `owner Mia` between two separators. Raises RuleError for other words.

        The rules refuse a key that no system has.
        """
        end = self.at + 1
        end += self._kind(end) == "colon" and self._kind(self.at) == "word"
        while self._kind(end) in ("word", "quoted"):
            end += 1
        first, *others = (x.text for x in self.pieces[self.at : end] if x.kind != "colon")
        is_first = self._kind(self.at - 1) in ("sep", "colon")
        if is_first and others and re.fullmatch("[A-Za-z_]+", first):
            key = first.lower()
            return _Field(key, f"{key}={quote(' '.join(others))}", end)
        text = " ".join([first, *others])
        raise RuleError(
            f'add: nothing reads "{text}"', f"leave it out, or write `note {text}` between commas"
        )

    def _find_field(self, at: int) -> _Field | None:
        """Return the value that begins at a place and can be told without a separator before it."""
        if self._kind(at) == "key":
            text = self.pieces[at].text
            return _Field(text.partition("=")[0], text, at + 1)
        return self._find_labelled(at) or self._find_valued(at) or self._find_short(at)

    def _find_labelled(self, at: int) -> _Field | None:
        """Return the value of `hp 24`, `HP: 24` or `hp24`."""
        glued = re.fullmatch(_GLUED, self._word(at))
        if glued and not self._find_short(at) and re.fullmatch(self._values(_KEYS[glued[1]]), glued[2]):
            return _Field(_KEYS[glued[1]], _spell_value(_KEYS[glued[1]], glued[2]), at + 1)
        key, end = self._find_label(at)
        end += self._kind(end) == "colon"
        text = self._word(end)
        return _Field(key, _spell_value(key, text), end + 1) if key and self._takes(key, text) else None

    def _find_valued(self, at: int) -> _Field | None:
        """Return the value of `24 hp` or `24hp`; in `24 AC 14` the label belongs to the number after it."""
        if glued := re.fullmatch(_GLUED_AFTER, self._word(at)):
            return _Field(glued[2], f"{glued[2]}={glued[1]}", at + 1)
        first: _Field | None = None
        for _ in range(_MOST_RUN):
            key, end = self._find_label(at + 1)
            if not key or not self._takes(key, text := self._word(at)):
                return first
            first = first or _Field(key, _spell_value(key, text), end)
            at = end
            if not self._find_label(at + 1)[0] and self._takes(key, self._word(at)):
                return None
        return first

    def _find_short(self, at: int) -> _Field | None:
        """Return the value of `+1`, `24`, `24/30`, `ac14` or `hidden`."""
        text = self._word(at)
        key = next((key for key, form in _SHORT.items() if re.fullmatch(form, text)), "")
        return _Field(key, text, at + 1, is_labelled=False) if key else None

    def _find_label(self, at: int) -> tuple[str, int]:
        """Return the key of the label at a place, and the index after it; "" for none."""
        for end in (at + 2, at + 1):
            words = [self._word(i) for i in range(at, end)]
            if all(words) and (key := _KEYS.get(" ".join(words))):
                return key, end
        return "", at

    def _takes(self, key: str, text: str) -> bool:
        return bool(text) and bool(re.fullmatch(self._values(key), text))

    def _values(self, key: str) -> str:
        return _VALUES.get(key, _WHOLE)
