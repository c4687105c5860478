"""Join the lines of a card that belong to one entry, wherever a book breaks them."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Every pattern is bounded and looks at one line: a page of blanks must cost no more than its length.
MOST_LINE = 1_500
_MOST_BRACKETS = 80
_LEAD = r"^[ \t>*_\u2022-]{0,8}"
_NAME = rf"{_LEAD}([^\n.:;()]{{2,60}}?)[ *_]{{0,4}}(\([^()\n]{{1,80}}\))?[*_]{{0,4}}([.:])[*_]{{0,4}}"
ENTRY = re.compile(rf"{_NAME} (.{{3,}})$")
"""Matches the name, the brackets, the mark and the text of an entry."""
_BEGUN = re.compile(rf"{_NAME}(?:[ \t]|$)")
HEAD = re.compile(
    r"^(?:(?:Actions?|Attacks?|Weapons?):|[ \t>*_]{0,8}ATK\b[*_:]{0,4})[ \t]{1,4}(?=\S)", re.IGNORECASE
)
_SHORT = re.compile(
    rf"{_LEAD}(?:(?:Melee|Ranged)\b(?! (?:or|Weapon|Spell|Attack)\b)|[a-z][a-z' -]{{1,30}}?[ *_]{{1,5}}"
    r"[+\-\u2212]\d|(?:HP|Hit Points)\b)",
    re.IGNORECASE,
)
"""Matches the beginning of an entry that has no mark after its name."""
_ABILITY = "(?:Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma|Str|Dex|Con|Int|Wis|Cha)"
_ATTACK = (
    r"(?:Melee|Ranged)(?: or (?:Melee|Ranged))?(?: (?:Weapon|Spell))?(?: Attack)?(?: Roll)?"
    rf"|{_ABILITY} Sav\w{{1,3}} Throw"
)
_PART = re.compile(
    rf"{_LEAD}(?:(?:(?:First|Second|Third|Critical) )?(?:Failure|Success|Hit|Miss)"
    r"(?: or (?:Failure|Success|Miss))?"
    r"|(?:Each )?(?:Subsequent )?Failures?|Failed Save|Successful Save|Trigger|Response|Effect|Requirements?"
    rf"|(?:(?:Weapon|Spell) )?Attack(?: Roll)?|Roll|(?:Sav\w{{1,3}} )?Throw|{_ATTACK})[*_]{{0,4}}[.:]",
)
"""Matches a part of an attack, which is never an entry of its own."""
_GAP = re.compile(rf"\n[ \t]{{0,8}}\n(?={_PART.pattern[1:]})")
_OPENED = re.compile(rf"{_LEAD}([A-Z1-9][^\n.:;()]{{1,40}}) \([^()\n]{{0,80}}$")
"""Matches a name whose brackets go on in the next line."""
_BRACKETED = re.compile(r"[ \t]{0,8}\n[ \t]{0,8}(?=\()")
_STRONG = re.compile(rf"(?:{_ATTACK})\b|[+\-\u2212]\d|DC \d")
_HEADING = re.compile(
    rf"{_LEAD}(?:(?:Bonus|Legendary|Mythic|Lair|Regional|Villain|Free) )?"
    r"(?:Actions?|Reactions?|Effects?|Traits?|Features?|Abilities|Attacks|Spells|Spellcasting|Variants?"
    r"|Description|Environment|Equipment|Gear)[*_: \t]{0,8}$|[ \t>]{0,8}#",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"(?:[,:;/+\u2013\u2014]|\b(?:a|an|the|its|his|her|their|this|that|each|one|two|three|four|five|six|or|and"
    r"|but|as|at|by|for|from|if|in|into|of|on|to|with|within|than|uses?|using|makes?|casts?|is|are|has|have|be"
    rf"|plus|DC(?: \d{{1,2}})?|Melee|Ranged|Weapon|Spell|Attack|Saving|{_ABILITY})"
    r"(?: [A-Z][\w'\u2019]{0,20}){0,3})"
    r"[*_]{0,4}$"
)
"""Matches the end of a line that stops in the middle of a sentence."""
_SENTENCE = re.compile(
    r"(?:An?|The|It|Its|If|Each|Any|All|On|In|At(?! will)|While|When|Until|Once|This|That|These|Those|He|She"
    r"|They|Otherwise|Creatures?|Targets?|After|For|As|Then|To)\b"
)
"""Matches the first word of a sentence, which no name in small letters begins with."""
_SMALL = re.compile(r" (?!(?:an?|the|of|in|to|with|for|from|or|and|by|on|at|vs)\b)[a-z]")


def unwrap(page: str) -> Iterator[str]:
    """Yield the lines of a page with every entry in one; an overlong line stays as it is."""
    whole = last = ""
    for line in _BRACKETED.sub(" ", _GAP.sub("\n", page)).splitlines():
        if last and len(whole) + len(line) < MOST_LINE and _goes_on(whole, last, line):
            whole = f"{whole} {line.strip()}"
            last = line.rstrip()
        else:
            yield whole
            whole, last = line, line.rstrip()
    yield whole


def _goes_on(whole: str, last: str, line: str) -> bool:
    """Return whether a line goes on with the entry `whole`, whose last line is `last`."""
    first = line.strip()[:1]
    if not first or _HEADING.match(line) or _HEADING.match(last):
        return False
    brackets = whole[-_MOST_BRACKETS:]
    if brackets.rfind("(") > brackets.rfind(")"):
        return True
    is_ended = last.endswith((".", "!", "?"))
    if _BEGUN.match(whole) and not HEAD.match(whole):
        return bool(_PART.match(line)) or not _is_start(line, last, is_ended)
    if HEAD.match(whole) or _SHORT.match(whole):
        return not first.isupper() or (not is_ended and bool(_INSIDE.search(last)))
    return False


def _is_start(line: str, last: str, is_ended: bool) -> bool:
    """Return whether a line begins a new entry; in the middle of a sentence only an attack does."""
    if line.strip()[0].islower():
        return False
    is_inside = not is_ended and bool(_INSIDE.search(last))
    entry = _BEGUN.match(line)
    if entry is None:
        if opened := _OPENED.match(line):
            return last.endswith((".", "!", "?", ")")) and not _SENTENCE.match(opened[1])
        return not is_inside and bool(HEAD.match(line) or _SHORT.match(line))
    name, brackets, mark = entry.groups()
    if _STRONG.match(line, entry.end()) or (brackets or "").startswith("(Recharge"):
        return True
    if is_inside or (name[0].isdigit() and mark == "."):
        return False
    if not _SMALL.search(name):
        return True
    return not _SENTENCE.match(name) and (mark == ":" or (is_ended and name.count(" ") <= 2))
