"""Clean text from outside so that it fits on a row, and cut it between characters.

Every entrance of the program (file, paste, argument, file name, error message) passes its text through
`clean` once. Source: .github/PROMISES.md, 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from unicodedata import category, combining, east_asian_width, normalize

NAME_LIMIT = 64
"""The longest name, in code points."""

TEXT_LIMIT = 2_000
"""The longest order, note or message, in code points."""

LONGEST_LINE = 8_000
"""The longest line that may be typed, in code points."""

PAGE_LIMIT = 32_000
"""The longest card, in code points."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""Replaces a character that cannot be shown."""

_MARKS_A_BASE = 3
_MOST_JOINS = 3
"""The most joiners in one picture: the longest picture in use, a kissing couple, joins four pictures."""

SUITS: dict[int, str] = {ord("♠"): "S", ord("♥"): "H", ord("♦"): "D", ord("♣"): "C"}
"""The letters of the suits of cards, for typing and for output in ASCII; used with `str.translate`."""

_JOINER = "\N{ZERO WIDTH JOINER}"
_BREAKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_BREAKS_TO_SPACES = {ord(char): " " for char in _BREAKS}
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_HIDDEN_LETTERS = frozenset(
    "\u034f"  # combining grapheme joiner
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u17b4\u17b5"  # Khmer inherent vowels
    "\u180b\u180c\u180d\u180f"  # Mongolian variation selectors
    "\u2800"  # braille blank
    "\U00016fe4"  # Khitan filler
    "\U0001d159"  # musical null notehead
    "\U00013441\U00013442"  # hieroglyph blanks
) | frozenset(chr(code) for code in (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0)))
"""Characters that draw nothing although their category is visible; the two emoji selectors are judged by
their place.
"""

_SELECTOR = "\ufe0e\ufe0f"
_TONE = "\U0001f3fb-\U0001f3ff"
_FLAG = "\U0001f1e6-\U0001f1ff"
_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23fa\u24c2\u25aa-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
)
_ONE_PICTURE = f"[{_PICTURE}][{_TONE}]?[{_SELECTOR}]?"
# Plain strings: `re` compiles them at first use and caches them; a fight in ASCII never needs them.
_STRAYS = f"({_ONE_PICTURE}(?:{_JOINER}{_ONE_PICTURE}){{0,{_MOST_JOINS}}})|[{_JOINER}{_SELECTOR}{_TONE}]"
_CLUSTERS = f"(?s:{_ONE_PICTURE}(?:{_JOINER}{_ONE_PICTURE})*|[{_FLAG}]{{2}}|.)"
_TRAILERS = f"[{_JOINER}{_SELECTOR}{_TONE}]"


def clean(text: str, limit: int = TEXT_LIMIT) -> str:
    """Return the text in NFC on one line, without anything that hides or steers a terminal, cut to `limit`.

    Controls, format and tag characters, lone surrogates, private and unassigned code points and blank letters
    become U+FFFD; breaks and tabs become spaces; spaces are collapsed and stripped. A joiner, a selector or a
    skin tone stays only inside a picture; a base keeps its first 3 marks. `clean(clean(t, n), n) == clean(t,
    n)` for every t.
    """
    # The canonical order of marks is quadratic in their number, so its input is bounded first.
    start = text.strip()[: limit * 4]
    if start.isascii():
        # Tabs alone do not need the slow path: with it, a page of tabs took ten times as long.
        plain = start if start.isprintable() else start.translate(_BREAKS_TO_SPACES)
        if plain.isprintable():
            return cut_text(" ".join(plain.split()), limit)

    shown = normalize("NFC", "".join(map(_shown_character, start)))
    return cut_text(
        _thin_marks(re.sub(_STRAYS, lambda m: m[1] or REPLACEMENT, " ".join(shown.split()))), limit
    )


def is_clean(text: str) -> bool:
    """Return whether `clean` would leave a text unchanged."""
    return clean(text, len(text)) == text


def clean_page(text: str, limit: int = PAGE_LIMIT) -> str:
    """Return `clean` of every line, without empty lines at either end or two in a row."""
    kept: list[str] = []
    for line in (clean(words, limit) for words in text[: 4 * limit].strip().splitlines()):
        if line or (kept and kept[-1]):
            kept.append(line)
    return cut_text("\n".join(kept), limit).strip()


def clean_name(text: str) -> str:
    """Return `clean` of the name of a creature, side, group, condition or save.

    A name has at most 64 code points; each ` in it becomes '.
    """
    # Messages show lines between backticks: a backtick in a name would end the line.
    return clean(text, NAME_LIMIT).replace("`", "'")


def cut_text(text: str, limit: int) -> str:
    """Return the longest beginning of at most `limit` code points that splits no cluster, right-stripped."""
    if len(text) <= limit:
        return text
    end = 0
    # A little more than the limit is enough to see whether the last cluster ends there.
    for cluster in clusters(text[: limit + 64]):
        if end + len(cluster) > limit:
            break
        end += len(cluster)
    return text[:end].rstrip()


def clusters(text: str) -> list[str]:
    """Return the text in pieces that a reader takes for one character each; joined they are the text.

    A piece is a base with its marks, a flag, or a picture with its tones, selectors and joiners.
    """
    # The fast path for nearly all texts of a fight: in ASCII each character is one cluster.
    if text.isascii():
        return list(text)
    pieces: list[str] = []
    for piece in re.findall(_CLUSTERS, text):
        if pieces and (_is_mark(piece) or re.fullmatch(_TRAILERS, piece)):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_cluster_columns(piece) for piece in clusters(text))


def _cluster_columns(piece: str) -> int:
    """Return the columns of one cluster: 2 for a wide character or a picture, 0 for marks without a base."""
    if len(piece) > 1 and ("\N{VARIATION SELECTOR-16}" in piece or "\N{ZERO WIDTH JOINER}" in piece):
        return 2
    return max(0 if combining(x) else 2 if east_asian_width(x) in "WF" else 1 for x in piece)


def pad(text: str, width: int) -> str:
    """Return the text with spaces after it, so that it takes at least `width` columns of a terminal."""
    return text + " " * max(0, width - columns(text))


def quote(text: str) -> str:
    """Return the text as one word of a line, in quotes if it needs them.

    Empty texts and texts with a space, a quote, `=`, `#`, a backslash, `;` or `|`, or with a comma or colon
    at the end, need quotes.
    """
    if re.fullmatch(r"[^\s\"=\\#;|]*[^\s\"=\\#;|,:]", text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def did_you_mean(word: str, choices: Iterable[str], otherwise: str = "") -> str:
    """Return a hint with the choice that is nearest to a word; `otherwise` if none is near."""
    close = nearest(word, choices)
    return f"did you mean {close}?" if close else otherwise


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that a mistyped word may have meant, or None; letter case is ignored."""
    from difflib import get_close_matches

    # The length is bounded, because the comparison takes time in proportion to the product of both lengths.
    table = {choice.casefold()[:NAME_LIMIT]: choice for choice in choices}
    return next((table[x] for x in get_close_matches(word.casefold()[:NAME_LIMIT], table, 1, 0.65)), None)


def _shown_character(char: str) -> str:
    """Return a space for a break or any space, U+FFFD for what cannot be seen, else the character."""
    kind = category(char)
    if char in _BREAKS or kind == "Zs":
        return " "
    if char == _JOINER:
        return char
    return REPLACEMENT if kind in _HIDDEN_CATEGORIES or char in _HIDDEN_LETTERS else char


def _thin_marks(text: str) -> str:
    """Return the text with at most 3 marks a base, and U+FFFD for a mark without a base."""
    kept: list[str] = []
    marks, based = 0, False
    for char in text:
        if not _is_mark(char):
            marks, based = 0, char != " "
            kept.append(char)
        elif not based:
            marks, based = 0, True
            kept.append(REPLACEMENT)
        elif marks < _MARKS_A_BASE:
            marks += 1
            kept.append(char)
    return "".join(kept)


def _is_mark(piece: str) -> bool:
    """Return whether the piece is one character that is drawn on the one before it.

    Combining marks, and the vowels and finals of Hangul, which stack when they did not compose.
    """
    if len(piece) != 1 or piece in _SELECTOR:
        return False

    jamo = "\u1160" <= piece <= "\u11ff" or "\ud7b0" <= piece <= "\ud7fb"
    return jamo or category(piece).startswith("M")


_NAME_AND_NUMBER = r"(.+) ([0-9]{1,6})"
LEAST_OF_A_SERIES = 3


def dice_words(dice: Sequence[int]) -> str:
    """Return dice in words: `d20`, `2d6`, `d8 + 3d4`."""
    kinds = [(sides, len(list(same))) for sides, same in groupby(dice)]
    return " + ".join(f"{many if many > 1 else ''}d{sides}" for sides, many in kinds)


def split_numbered(name: str) -> tuple[str, str] | None:
    """Return a name without the number at its end, and that number as text; None without a number."""
    match = re.fullmatch(_NAME_AND_NUMBER, name)
    return (match[1], match[2]) if match else None


def series(names: Sequence[str]) -> list[str]:
    """Return the names, with three or more in a row as one text: `Orc 1 to 4`, `Ana`, `Wolf 1`."""
    return [text for text, _ in runs(names)]


def list_briefly(names: Sequence[str]) -> str:
    """Return the names in one text, with a shared word only once: `Ana, Orc 1 to 3, 5, Wolf 2`."""
    result: list[str] = []
    before = ""
    for some in _series(names):
        pair = split_numbered(some[0])
        stem = pair[0] if pair else ""
        phrase = _series_text(some)
        result.append(phrase.removeprefix(f"{stem} ") if stem and stem == before else phrase)
        before = stem
    return ", ".join(result)


def runs(names: Sequence[str]) -> list[tuple[str, int]]:
    """Return the texts of `series`, each with the number of names that the text stands for."""
    result = list[tuple[str, int]]()
    for some in _series(names):
        whole = len(some) >= LEAST_OF_A_SERIES
        result += [(_series_text(some), len(some))] if whole else [(x, 1) for x in some]
    return result


def _series_text(some: Sequence[str]) -> str:
    pair = split_numbered(some[-1])
    if len(some) >= LEAST_OF_A_SERIES and pair:
        return f"{some[0]} to {pair[1]}"
    return ", ".join([some[0], *((split_numbered(x) or ("", x))[1] for x in some[1:])])


def _series(names: Sequence[str]) -> list[list[str]]:
    """Return the names in order, in one list for each run of consecutive numbers after the same words."""
    groups: list[tuple[str, int, list[str]]] = []
    for name in names:
        pair = split_numbered(name)
        # `Orc 01` does not follow `Orc 0`: nobody would read the two as a series.
        counts = pair is not None and not pair[1].startswith("0")
        # A numbered name does not follow one without a number: `Orc` and `Orc 1` are no series.
        stem, number = (pair[0], int(pair[1])) if pair and counts else (name, -2)
        if groups and counts and groups[-1][:2] == (stem, number - 1):
            groups[-1] = (stem, number, [*groups[-1][2], name])
        else:
            groups.append((stem, number, [name]))
    return [some for _, _, some in groups]


def names_beginning(text: str, names: Sequence[str]) -> list[str]:
    """Return the name that equals a text, else all names that begin with it; letter case is ignored."""
    low = text.lower()
    same = [n for n in names if n.lower() == low]
    return same or [n for n in names if low and n.lower().startswith(low)]
