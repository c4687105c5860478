"""Stat blocks as text, copied from a book or a page; each has one line with an armour class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tui.exchange.document import replace_codes
from tui.exchange.foreign_values import (
    bonus,
    damage_kinds,
    dice,
    modifier,
    passive,
    rating,
    saves_in_text,
    size,
    strip_markup,
    whole,
)
from tui.exchange.mapping import Imported, To, take
from tui.exchange.registry import Entries, Format

# Every pattern is bounded and stays in its line: a page of blanks must cost no more than its length.
_LEAD = r"^[ \t>#*_|\-\u2022]{0,12}"
_ARMOUR = re.compile(
    rf"{_LEAD}(?:(?:Hit Points|HP)\b[^\n]{{0,60}}?[ \t;|,*_]{{1,8}})?"
    r"(?:Armou?r Class|AC)\b[ \t*_:]{0,16}(\d{1,3})",
    re.MULTILINE | re.IGNORECASE,
)
_POINTS = re.compile(
    rf"(?:{_LEAD}(?:(?:Armou?r Class|AC)\b[^\n]{{0,60}}?[ \t;|,*_]{{1,8}})?|[;|,][ \t*_]{{0,8}})"
    r"(?:Hit Points|HP)\b[ \t*_:]{0,16}(\d{1,5})([^\n;]{0,80})",
    re.MULTILINE | re.IGNORECASE,
)
"""Either may share its line with the other, as blocks with short labels have it: `AC 13 | HP 22 | Spd 30`."""
_KIND = re.compile(
    rf"{_LEAD}(Tiny|Small|Medium|Large|Huge|Gargantuan)\b[^\n]{{0,160}}$", re.MULTILINE | re.IGNORECASE
)
_ABILITIES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
_SIX_SCORES = re.compile(
    r"((?:\|?[\s*_]{0,6}\d{1,2}[\s*_]{0,6}\(?[+\-\u2212\u2013]\s?\d{1,2}\)?[\s*_|,]{0,8}){6})"
)
_SCORE_AFTER_NAME = re.compile(
    r"\b(STR|DEX|CON|INT|WIS|CHA)\b[\s*_:|]{0,8}([+\-\u2212]?\d{1,2})\b", re.IGNORECASE
)
_NAME_LINE = re.compile(r"^[\s>#*_|\-\u2022]{0,20}([^\n]*?)[\s*_|]{0,20}$")
_SAVE = re.compile(
    r"\bCon\b[\s|]{1,4}\d{1,2}[\s|]{1,4}[+\-\u2212]\d{1,2}[\s|]{1,4}([+\-\u2212]\d{1,2})\b", re.IGNORECASE
)
_PART = re.compile(r"^[ \t>]{0,8}#{4,6}[ \t]")
_TITLE = re.compile(r"^[ \t>]{0,8}#{1,3}[ \t][^\n]{1,200}$", re.MULTILINE)
_LABEL_ALONE = re.compile(
    r"^(Armou?r Class|Hit Points|Speed|STR|DEX|CON|INT|WIS|CHA|Initiative|Saving Throws|Skills|Senses"
    r"|Languages|Challenge|Damage (?:Resistances|Immunities|Vulnerabilities)|Condition Immunities)"
    r"[ \t]{0,4}$\n(?:[ \t]{0,4}\n)?(?=[ \t]{0,4}[A-Za-z0-9+\-\u2212])",
    re.MULTILINE | re.IGNORECASE,
)
"""A label whose value stands in the next line, as pages of the web are copied."""
_RATING = re.compile(
    r"[\s,]{1,8}\(?(?:CR \d{1,2}(?:/\d)?|CREATURE [-\u2212\u2013]?\d{1,2})\)?[\s*_|]{0,20}$", re.IGNORECASE
)
_VALUES = re.compile(r"[:;]|[+\-\u2212]\d")
"""What a line of values has, and a name does not."""
_NEXT_LABEL = re.compile(
    r"[;|,.][ \t*_]{0,4}(?:(?:Damage |Condition |Cond\.? )?(?:Res|Imm|Vul)|Senses|Skills|Sav|Lang|Sp(?:ee)?d"
    r"|CR|PP|Challenge|Passive|Init|Att|Atk|Actions)",
    re.IGNORECASE,
)
"""Matches the end of a value that shares its line with others."""
_MOST_ABOVE = 2_000
"""The most characters above a block that are searched for its heading."""
_MOST_FRAMED = 50_000
"""The most characters of a quotation or frame after the armour class."""
_MOST_BLOCKS = 20_000


def _make_line_reader(name: str) -> Any:
    """Return a reader of the line that begins with a name, as a text."""
    head = re.compile(
        rf"(?:{_LEAD}|[;|,.][ \t*_]{{1,4}}){name}\b[ \t*_:.]{{0,16}}([^\n]{{0,300}})",
        re.MULTILINE | re.IGNORECASE,
    )

    def read(entry: Any) -> str:
        match = head.search(entry["text"])
        return _NEXT_LABEL.split(match[1], maxsplit=1)[0] if match else ""

    return read


_SKILLS, _SENSES, _SAVES, _INITIATIVE, _CHALLENGE = (
    _make_line_reader("Skills"),
    _make_line_reader("Senses"),
    _make_line_reader("(?:Saving Throws|Saves?)"),
    _make_line_reader("Init(?:iative)?"),
    _make_line_reader("(?:Challenge(?: Rating)?|CR)"),
)


def _make_skill_reader(name: str) -> Any:
    return lambda entry: bonus(name, _SKILLS(entry))


def _make_score_reader(name: str, read: Any = whole) -> Any:
    """Return a reader of an ability score; a signed number is a modifier, and gives no score."""

    def score(entry: Any) -> int | None:
        value = entry["scores"].get(name, "")
        is_modifier = value[:1] in ("+", "-", "\u2212")
        return read(value) if not is_modifier else whole(value) if value and read is modifier else None

    return score


def _make_defence_reader(name: str) -> Any:
    """Return a reader of kinds of damage; None if the line has numbers, as in games without halving."""
    read = _make_line_reader(name)

    def named(entry: Any) -> str | None:
        line = read(entry)
        return None if re.search(r"[a-z] [0-9]", line) else damage_kinds(line)

    return named


def _read_passive(entry: Any) -> int | None:
    return passive(_SENSES(entry)) or passive(entry["text"])


def _read_initiative(entry: Any) -> int | None:
    """Return the bonus of `Initiative +2 (12)`, on its own line or after the armour class."""
    line = _INITIATIVE(entry)
    number = whole(line) if line else None
    return bonus("initiative", entry["text"][:600]) if number is None else number


def _read_perception(entry: Any) -> int | None:
    match = re.search(
        r"^[ \t>*_|]{0,8}Perception[ \t]{1,4}([+\-\u2212]\s?\d{1,2})", entry["text"], re.MULTILINE
    )
    return whole(match[1]) if match else None


def _read_save_column(entry: Any) -> int | None:
    """Return the Constitution save of newer books, the third number of `Con 12 +1 +3`."""
    match = _SAVE.search(entry["text"])
    return whole(match[1]) if match else None


TABLE = (
    To("hp", "hp"),
    To("hp_dice", "dice", dice),
    To("ac", "ac"),
    To("initiative", "", _read_initiative),
    To("initiative", "", _read_perception),
    To("initiative", "", _make_score_reader("DEX", modifier)),
    To("per", "", _make_skill_reader("perception")),
    To("per", "", _read_perception),
    To("per", "", _make_score_reader("WIS", modifier)),
    To("int", "", _make_score_reader("INT")),
    To("size", "", lambda entry: size(entry["kind"])),
    To("cr", "", lambda entry: rating(_CHALLENGE(entry))),
    To("stealth", "", _make_skill_reader("stealth")),
    To("stealth", "", _make_score_reader("DEX", modifier)),
    To("passive", "", _read_passive),
    To("con", "", lambda entry: bonus("con", _SAVES(entry))),
    To("con", "", _read_save_column),
    To("con", "", _make_score_reader("CON", modifier)),
    To("resist", "", _make_defence_reader("(?:Damage )?Res(?:ist(?:ances?|s)?)?")),
    To("vulnerable", "", _make_defence_reader("(?:Damage )?Vuln(?:erabilit(?:y|ies)|erable)?")),
    To("immune", "", _make_defence_reader("(?:Damage )?Imm(?:un(?:ity|ities|e)?)?")),
    To("saves", "", lambda entry: saves_in_text(_SAVES(entry))),
)


def _split_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the stat blocks."""
    marks = [m.start() for m in _ARMOUR.finditer(text)][:_MOST_BLOCKS]
    starts = [
        _find_block_start(text, mark, floor) for mark, floor in zip(marks, [0, *marks[:-1]], strict=True)
    ]
    for mark, start, end in zip(marks, starts, [*starts[1:], len(text)], strict=True):
        block = text[start : min(end, _find_frame(text, mark)[1])].strip()
        first = block.split("\n", 1)[0][:200]
        if _PART.match(first):
            # The title of a part is not the name; the heading above it is.
            first = next(
                (m[0] for m in reversed(list(_TITLE.finditer(text, max(0, start - _MOST_ABOVE), start)))),
                first,
            )
        name = _NAME_LINE.match(first)
        if block and name and ":" not in name[1]:
            yield _RATING.sub("", name[1]), block


def _find_frame(text: str, mark: int) -> tuple[int, int]:
    """Return where the quotation or frame around `mark` begins and ends; (-1, end of text) outside of one."""
    far = max(0, mark - _MOST_ABOVE)
    opened, closed = text.rfind(_OPENED, far, mark), text.find(_CLOSED, mark, mark + _MOST_FRAMED)
    if opened <= text.rfind(_CLOSED, far, mark):
        return -1, len(text)
    return opened + 1, closed if closed >= 0 else len(text)


def _find_block_start(text: str, mark: int, floor: int) -> int:
    """Return the index at which the block around the armour class at `mark` begins: its name."""
    before = text[floor:mark]
    kinds = [kind.start() for kind in _KIND.finditer(before)]
    above = before[: kinds[-1]] if kinds else before
    framed = text[frame:mark].lstrip() if (frame := _find_frame(text, mark)[0]) >= floor else ""
    if framed:
        # A quotation or a frame begins with the name.
        return mark - len(framed)
    # The last line above it that is not empty is the name, even if a paragraph comes before.
    place = len(above.rstrip())
    start = above.rfind("\n", 0, place) + 1
    paragraph = above.rfind("\n\n", 0, place) + 2
    if not kinds and (paragraph > 1 or not floor) and _VALUES.search(above[start:place]):
        # Lines of values stand between the name and the armour class: the name begins the paragraph.
        start = paragraph if paragraph > 1 else 0
    return floor + start


def _read_block_values(text: str) -> dict[str, Any]:
    points, armour, kind = _POINTS.search(text), _ARMOUR.search(text), _KIND.search(text)
    return {
        "text": text,
        "hp": points[1] if points else None,
        "dice": points[2] if points else "",
        "ac": armour[1] if armour else None,
        "kind": kind[1] if kind else "",
        "scores": _read_scores(text),
    }


def _read_scores(text: str) -> dict[str, str]:
    """Return the six scores by name, from one row under the names or each after its name."""
    if match := _SIX_SCORES.search(text):
        return dict(
            zip(_ABILITIES, re.findall(r"(\d{1,2})[\s*_]{0,6}\(?[+\-\u2212\u2013]", match[1]), strict=False)
        )
    return {name.upper(): value for name, value in reversed(_SCORE_AFTER_NAME.findall(text))}


def read_block(name: str, block: str) -> Imported | None:
    """Return the creature of a stat block's text; None without a name."""
    return take(_read_block_values(block), TABLE, name=name, text=block)


def _take(value: Any) -> Entries:
    for name, block in _split_blocks(_strip_markup_of_lines(value)):
        if creature := read_block(name, block):
            yield creature


_OPENED, _CLOSED = "\v", "\f"
"""Marks of the beginning and the end of a quotation, and the end of a brace of the Homebrewery."""
_QUOTED = re.compile(r"(?:[ \t]{0,8}>)+ ?")
_DRESS = re.compile(
    r"!\[[^\]\n]{0,200}\]\([^)\n]{0,400}\)|!\[\[[^\]\n]{1,400}\]\]|\[![\w|-]{1,60}\][+-]?"
    r"|\{\{[\w,:;=.% -]{0,200}|`"
)
"""Matches pictures, the heads of callouts and of braces, and the marks of code."""
_RULE = re.compile(r"[ \t]{0,9}[_*-]{3,200}[ \t]{0,9}")
_ADMONITION = re.compile(r"(`{3,9}|~{3,9})ad-[\w-]{1,40}[ \t]{0,9}", re.IGNORECASE)
"""Matches the fence that opens a block of Obsidian's Admonition; its settings come first."""
_TITLE_SETTING = re.compile(r"title:[ \t]{0,9}", re.IGNORECASE)
_SETTING = re.compile(r"(?:collapse|color|icon):[^\n]{0,200}", re.IGNORECASE)


def _strip_markup_of_lines(value: str) -> str:
    """Return a text without marks of type, quotation, callouts and braces, each label beside its value."""
    lines, was_quoted, fence = list[str](), False, ""
    for row in value.replace("\r\n", "\n").split("\n"):
        opened = _ADMONITION.fullmatch(row)
        if opened or (fence and row.rstrip() == fence):
            fence = opened[1] if opened else ""
            lines.append(_OPENED if opened else _CLOSED)
            continue
        if fence and _SETTING.fullmatch(row):
            continue
        line = _TITLE_SETTING.sub("", row, count=1) if fence and _TITLE_SETTING.match(row) else row
        mark = _QUOTED.match(line)
        bare = strip_markup(_DRESS.sub("", replace_codes(line[mark.end() :] if mark else line)))
        if bool(mark) != was_quoted:
            lines.append(_OPENED if mark else _CLOSED)
        was_quoted = bool(mark)
        if line.startswith("{{") or bare.strip() == "}}":
            lines.append(_CLOSED if "}}" in line else _OPENED)
        elif not _RULE.fullmatch(bare):
            lines.append(re.sub(r"[ \t]{0,20}::[ \t]{0,20}", " ", bare))
    return _LABEL_ALONE.sub(r"\1 ", "\n".join(lines))


def _fits(value: Any) -> bool:
    text = _strip_markup_of_lines(value)
    return bool(_ARMOUR.search(text) and _POINTS.search(text))


def _explain(value: Any) -> str:
    """Return what half of a stat block lacks, and what a web page is."""
    if re.match(r"\s*<(?:!doctype html|html)\b", value, re.IGNORECASE):
        return "this is a web page; copy the stat block from it as text"
    text = _strip_markup_of_lines(value[:_SHORT_TEXT])
    has_armour = bool(_ARMOUR.search(text))
    # After a comma they belong to a line of a list.
    has_points = any(found[0][0] not in ";|," for found in _POINTS.finditer(text))
    if has_armour and not has_points:
        return (
            "this is a stat block with an armour class but without hit points; add `Hit Points 22 (4d8 + 4)`"
        )
    if has_points and not has_armour:
        return "this is a stat block with hit points but without an armour class; add `Armor Class 13`"
    return "this is a stat block without a name; write the name above it" if has_armour else ""


_SHORT_TEXT = 100_000
"""The most characters of a text that are searched for the reason why it is no stat block."""
STAT_BLOCK = Format("a stat block as text", ("text",), _fits, _take, rank=9, refuses=_explain)
