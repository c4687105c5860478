"""Find attacks, and healing at the start of turns, in the text of a creature's card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import TEXT_LIMIT, clean, clean_name, quote
from tui.core.language.attacks import MOST_ATTACKS, Attack, Damages, read_attacks, write_attacks
from tui.core.language.syntax import KINDS_OF_DAMAGE
from tui.exchange.entries import ENTRY, HEAD, MOST_LINE, unwrap

# Every pattern is bounded and looks at one line: a page of blanks must cost no more than its length.
_NEXT = re.compile(r"(?<=[.)])[ \t]{1,4}(?=[A-Z][^\n.:;]{1,60}\.[ \t](?:Melee|Ranged)\b)")
_HIT = re.compile(
    r"([+\-\u2212][ ]?\d{1,2})[ \t]to hit\b(?! with spell)|Attack(?: Roll)?:[ \t]{0,2}([+\-\u2212]\d{1,2})\b"
    r"|^([+\-\u2212]\d{1,2}),(?=[^\n]{0,120}\bdamage[ \t])",
    re.IGNORECASE,
)
_ABILITIES = "strength|dexterity|constitution|intelligence|wisdom|charisma|str|dex|con|int|wis|cha"
_SAVE = re.compile(
    rf"\bDC[ \t]{{0,2}}(\d{{1,2}})[ \t]({_ABILITIES})\b"
    rf"|\b({_ABILITIES})[ \t]sav\w{{1,3}} throw:[ \t]DC[ \t](\d{{1,2}})\b",
    re.IGNORECASE,
)
_DICE = r"\d{1,3}[ ]?d\d{1,3}(?:[ \t]?[+\-\u2212\u2013\u2014][ \t]?\d{1,3}(?!\d|[ ]?d\d))?"
_PART = re.compile(
    rf"(?:\d{{1,4}}[ \t]?\(({_DICE})\)|({_DICE})(?:[ \t]\(\d[^()\n]{{0,20}}\))?|(\d{{1,4}}))"
    r"(?:[ \t]+(?!(?:plus|and|half)\b)([a-z]{3,14}\b)(?:[ \t]+damage\b)?)?",
    re.IGNORECASE,
)
_UNTYPED = re.compile(r"[ \t]{0,2}(?:$|[.,;+)]|(?:plus|and|or half|half|damage|on a)\b)", re.IGNORECASE)
"""Matches what may follow dice that are damage of no named kind; rounds and hours do not."""
_CONDITION = re.compile(
    r"[ \t,]{0,3}(?:damage[ \t,]{1,3})?(?:(?:but )?only )?"
    r"(?:if|when|whenever|while|unless|against|on a (?:critical|natural)|to (?:a|any|each|creatures))\b",
    re.IGNORECASE,
)
"""Matches what makes damage conditional, right after it."""
_BASIC = re.compile(r"\b(reflex|fortitude|will)[ \t]dc[ \t]([1-9]\d?)\b[ \t]?(basic)?", re.IGNORECASE)
_PF2E = {"reflex": "ref", "fortitude": "fort", "will": "will"}
_MORE_DAMAGE = re.compile(r"[.,]?[ \t]{0,2}(?:plus[ \t]|and[ \t]|\+[ \t]?)", re.IGNORECASE)
_SAVE_WORD = re.compile(r"\bsav(?:e|ing)\b", re.IGNORECASE)
_NO_ATTACKS = ("spellcasting", "variant", "lair actions", "challenge", "saving throws", "skills")
"""What names of lines that are no attacks contain."""
_MOST_TEXT = 140
"""The most characters of a remark on an attack."""
_HALF = re.compile(r"\bhalf\b(?! (?:of )?(?:its|his|her|their|an?|plate|cover)\b)|\bbasic\b", re.IGNORECASE)
_STRIKE = re.compile(
    r"^(?:Melee|Ranged)\b(?:[ \t]{0,2}\[[^\]\n]{0,20}\])?[^\na-z\[]{1,6}([a-z][a-z' -]{1,40}?)[ \t]"
    r"([+]\d{1,2})\b[^\n]{0,200}?\bDamage[ \t]([^\n]{3,200})$",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"^[ \t>*_\u2022-]{0,8}([a-z][a-z' -]{1,30}?)[ *_]{1,5}([+\-\u2212]\d{1,2}),?[ ]\(?"
    rf"({_DICE}[^\n]*)$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\d{1,2} ?[x\u00d7]? ?([a-z][a-z' -]{1,30}?)(?: \([a-z/ ]{1,20}\))?(?: ([+-]\d{1,2}))? "
    r"\((\d{1,2}d\d{1,3}(?:[+-]\d{1,3})?)",
    re.IGNORECASE,
)
_REGAINS = re.compile(
    r"^[ \t>*_]{0,8}Regeneration[*_]{0,4}[.:]?[*_]{0,4}[^\n]{0,80}?regains? (\d{1,3}) (?:hit points|HP) "
    r"at the start of (?:each of )?(?:its|his|her|their) turns?\b[^.\n]{0,300}\.?[ \t]{0,2}([^\n]{0,160})",
    re.IGNORECASE,
)
_HEALS = re.compile(
    r"^[ \t>*_]{0,8}(?:(?:HP|Hit Points)\b[^\n]{0,60}?)?\b(regeneration|fast healing)[ \t](\d{1,3})\b"
    r"(?:[ \t]\(([^()\n]{3,80})\))?",
    re.IGNORECASE,
)


def find_attacks(page: str) -> str:
    """Return the attacks of a card as `attacks=` takes them; "" for none."""
    found: dict[str, Attack] = {}
    for attack in (x for line in _read_lines(page) for x in _find_in_line(line)):
        if attack.name.lower() not in found and len(found) < MOST_ATTACKS:
            found[attack.name.lower()] = attack
    if len(write_attacks(tuple(found.values()))) > TEXT_LIMIT:
        found = {name: replace(x, text="") if x.rolls else x for name, x in found.items()}
    while found and not _is_readable(text := write_attacks(tuple(found.values()))):
        found.popitem()
    return text if found else ""


def _read_lines(page: str) -> Iterator[str]:
    """Yield the entries of a page, without overlong ones."""
    return (line for line in unwrap(page) if len(line) <= MOST_LINE)


def _is_readable(text: str) -> bool:
    """Return whether `attacks=` in a line takes this text."""
    try:
        read_attacks(text)
    except RuleError:
        return False
    return len(text) <= TEXT_LIMIT


def _find_in_line(line: str) -> Iterator[Attack]:
    """Yield the attacks in one line; there may be several, as in `Attacks: Bite +7 1d6+4`."""
    head = HEAD.match(line)
    if head is None:
        if attack := _parse_strike(line) or _parse_attack(line):
            yield attack
        return
    listed = line[head.end() :]
    for spelled in (listed, write_listed_attacks(listed)):
        with suppress(RuleError):
            own = read_attacks(spelled)
            if any(x.rolls for x in own):
                yield from own
                return
    yield from filter(None, map(_parse_attack, _NEXT.split(listed)))


def write_listed_attacks(text: str, usual: str = "") -> str:
    """Return the attacks of `2 claw +4 (1d6) or 1 tail +5 (2d6)` as `attacks=` spells them; "" for none.

    `usual` is the bonus of an attack that has none; such attacks are left out without it.
    """
    found = dict[str, str]()
    for name, bonus, damage in _LISTED.findall(text):
        if signed := bonus or usual:
            title = name[:1].upper() + name[1:]
            found.setdefault(title, f"{title} {signed} {damage}")
    return "; ".join(found.values())


def _parse_attack(line: str) -> Attack | None:
    """Return the attack of `Bite. Melee Weapon Attack: +7 to hit … Hit: 9 (1d6 + 6) piercing damage`."""
    match = ENTRY.match(line)
    if match is None:
        return None
    name, rest = clean_name(match[1]), match[4]
    low = name.lower()
    # The middle of a sentence, "each creature within 5 ft.", is no name either.
    if low.endswith(" ft") or any(word in low for word in _NO_ATTACKS):
        return None
    if low == "multiattack":
        return Attack(name, text=rest.replace(";", ",")[:200].strip())
    if hit := _HIT.search(rest):
        _, found, after = rest.partition("Hit:")
        damage, remark = _parse_damage(after if found else rest[hit.end() :])
        remark = remark if damage else _first_sentence(after)
        return Attack(name, _parse_bonus(hit[1] or hit[2] or hit[3]), damage, text=remark)
    if (basic := _BASIC.search(rest)) and (damage := _parse_damage(rest)[0]):
        key = _PF2E[basic[1].lower()]
        return Attack(name, None, damage, int(basic[2]), key, half=bool(basic[3]))
    if save := _SAVE.search(rest):
        after = rest[save.end() :]
        (damage, remark), half = _parse_damage(after), bool(_HALF.search(after))
        key, dc = (save[2] or save[3])[:3].lower(), int(save[1] or save[4])
        # Dice before the save are its damage if none are after it: `12d8 fire damage (DC 15 Dex save)`.
        if not damage and _HALF.search(rest):
            (damage, remark), half = _parse_damage(rest[: save.start()]), True
        if dc and (damage or _SAVE_WORD.search(rest, save.start(), save.end() + 16)):
            return Attack(name, None, damage, dc, key, half and bool(damage), remark)
    return None


def _parse_strike(line: str) -> Attack | None:
    """Return the attack of `Melee jaws +15 [+10/+5], Damage 2d8+8 piercing` or `Bite +4, 1d6 piercing`."""
    match = _STRIKE.match(line) or _SHORT.match(line)
    if match is None:
        return None
    name = clean_name(match[1])
    damage, remark = _parse_damage(match[3])
    words = remark if damage else _first_sentence(match[3])
    return Attack(name[:1].upper() + name[1:], _parse_bonus(match[2]), damage, text=words)


def _parse_damage(text: str) -> tuple[tuple[Damages, ...], str]:
    """Return the first damage in a text with what `plus` or `and` adds, and a remark.

    The remark is the part that is only dealt under a condition; "" for none.
    """
    parts: list[Damages] = []
    place = 0
    # The first match that is damage, not feet, rounds or a DC.
    first = next((m for m in _PART.finditer(text) if _kind_of(m, text) is not None), None)
    while match := first if not parts else _PART.match(text, place):
        kind = _kind_of(match, text)
        if parts and not match[3] and _CONDITION.match(text, match.end()):
            return tuple(parts), _first_sentence(text[place:], "plus ")
        if kind is None:
            break
        dice = re.sub(r"[\u2212\u2013\u2014]", "-", re.sub(r"[ \t]", "", match[1] or match[2] or match[3]))
        parts.append(Damages(dice, kind))
        joint = _MORE_DAMAGE.match(text, match.end())
        if joint is None:
            break
        place = joint.end()
    return tuple(parts), ""


def _kind_of(match: re.Match[str], text: str) -> str | None:
    """Return the kind of a damage, "" for none named; None if the match is no damage."""
    kind = (match[4] or "").lower()
    if kind in KINDS_OF_DAMAGE:
        return kind
    is_bare = not kind and not match[3] and _UNTYPED.match(text, match.end())
    # Other games have kinds of their own: `25 (4d10 + 6) energy damage` is dealt as damage of no kind.
    is_unknown = bool(match[1]) and match[0].lower().endswith(" damage")
    return "" if kind == "damage" or is_bare or is_unknown else None


def _first_sentence(text: str, lead: str = "") -> str:
    """Return the first sentence as a remark of `attacks=`, cut to the room that one has."""
    words = f"{lead}{text.strip().partition('. ')[0].rstrip('.')}".replace(";", ",")
    return clean(words if len(words) <= _MOST_TEXT else f"{words[: _MOST_TEXT - 1].rpartition(' ')[0]}\u2026")


def _parse_bonus(text: str) -> int:
    return int(text.replace("\u2212", "-").replace(" ", ""))


def find_regeneration(page: str) -> tuple[str, ...]:
    """Return at most one text for `conditions`: a card's healing at the start of each turn."""
    for line in _read_lines(page):
        if match := _REGAINS.match(line):
            return (_write_healing("regeneration", match[1], match[2]),)
        if match := _HEALS.match(line):
            return (_write_healing(match[1].lower(), match[2], match[3] or ""),)
    return ()


def _write_healing(name: str, points: str, note: str) -> str:
    words = " ".join(note.replace('"', "'").split())
    if len(words) > _MOST_NOTE:
        whole = words[:_MOST_NOTE].rpartition(". ")[0]
        words = f"{whole}." if whole else f"{words[: _MOST_NOTE - 1].rpartition(' ')[0]}\u2026"
    return f"{quote(name)} at=start heal={int(points)}" + (f" note={quote(words)}" if words else "")


_MOST_NOTE = 120
"""The most characters of a note: the first sentences that fit, else as many words of the first."""
