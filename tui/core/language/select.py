"""Resolve WHO: names, unique beginnings, patterns, lists with commas, `@side` and `@group`.

Letter case is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from tui.core.base.errors import RuleError
from tui.core.base.text import did_you_mean, names_beginning, quote
from tui.core.fight.combatant import EntryKey
from tui.core.fight.encounter import SIDE, Encounter, Entry, key_of, label, sides

MOST_LISTED = 8
"""How many names a refusal lists; the others are counted."""


def groups(e: Encounter) -> list[str]:
    """Return the names of all groups, in roster order."""
    return list(dict.fromkeys(c.group for c in e.combatants.values() if c.group))


def resolve(e: Encounter, who: str, *, out_first: bool = False) -> tuple[str, ...]:
    """Return the ids that WHO names, each once; those of patterns and groups in roster order.

    Of several that a part of a name fits, those that stand come first, with `out_first` those that are out.
    Raises RuleError if a name fits no creature, or two.
    """
    parts = _resolve_parts(e, who, out_first=out_first)
    return tuple(dict.fromkeys(k for _, keys in parts for k in keys))


def resolve_standing(e: Encounter, who: str) -> tuple[str, ...]:
    """Return the ids that WHO names; of a group, a side or a pattern only those that are not out.

    Raises RuleError if no creature is left.
    """
    keys = [
        k for several, ids in _resolve_parts(e, who) for k in ids if not (several and e.combatants[k].out)
    ]
    if not keys:
        raise RuleError(f"everybody of {who} is out", f"`back {quote(who)}`, or name one of them")
    return tuple(dict.fromkeys(keys))


def leave_out(
    e: Encounter, who: str, away: Collection[str], *, edits: bool = False, standing: bool = False
) -> str:
    """Return WHO with the other creatures by name for each side, pattern or group with some in `away`.

    With `standing` those that are out are left out too. A single name stays, and so does a group that is away
    as a whole, and a word that means nobody. If nobody is left, raises RuleError, or returns WHO for a line
    that `edits` the roster.
    """
    names, whole = list[str](), _resolve_exact(e, who)
    for part in [who] if whole else split_names(who):
        try:
            several, keys = whole or _resolve_part(e, part, out_first=False)
        except RuleError:
            several, keys = False, []
        here = [e.combatants[k] for k in keys if k not in away]
        present = [c.name for c in here if not (standing and c.out)]
        bare = not (part.startswith(SIDE) or is_pattern(part))
        names += present if several and len(here) < len(keys) and (present or not bare) else [part]
    if not names and edits:
        return who
    if not names:
        waiting, gone = ([k for k in resolve(e, who) if (k in away) is is_away] for is_away in (True, False))
        out = f": {labels(e, gone)} {'is' if len(gone) == 1 else 'are'} out" if gone else ""
        hint = f"creatures in reserve are named one by one: {labels(e, waiting)}"
        raise RuleError(f"nobody of {who} is in play{out}", hint)
    return ",".join(names)


def resolve_one(e: Encounter, who: str) -> str:
    """Return the id of the one creature that WHO names. Raises RuleError for several."""
    keys = resolve(e, who)
    if len(keys) != 1:
        hint = f"name one: {labels(e, keys)}"
        raise RuleError(f'"{who}" names {len(keys)} creatures', hint, kind="ambiguous")
    return keys[0]


def resolve_living(e: Encounter, who: str) -> str:
    """Return the id of the creature in WHO; of a group its only living member. Raises RuleError."""
    people = resolve(e, who)
    alive = [k for k in people if not e.combatants[k].out and not e.combatants[k].dying]
    return alive[0] if len(people) > 1 and len(alive) == 1 else resolve_one(e, who)


def resolve_entry(e: Encounter, who: str, rows: Iterable[Entry] = ()) -> EntryKey:
    """Return the key of the one entry that WHO names; a member stands for its entry. Raises RuleError.

    `rows` are the entries of the running system, which may split groups and sides.
    """
    ids = resolve(e, who)
    among = [x.key for x in rows if not set(ids).isdisjoint(x.members)]
    # A system may split a group or join companions, so its rows are asked before the roster's groups.
    keys = tuple(among if len(among) == 1 else dict.fromkeys(key_of(e.combatants[i]) for i in ids))
    if len(keys) != 1:
        raise RuleError(f'"{who}" names {len(keys)} rows', "name one: " + labels(e, keys), kind="ambiguous")
    return keys[0]


def resolve_side(e: Encounter, name: str) -> str:
    """Return the side of that name, with or without `@`. Raises RuleError."""
    return match_name(name.removeprefix(SIDE), sides(e), "side")


def match_name(text: str, names: Sequence[str], title: str) -> str:
    """Return the one of `names` that equals the text or that only it begins; letter case is ignored.

    Raises RuleError if none fits, or several do.
    """
    matches = names_beginning(text, names)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise refuse_several(text, matches)
    hint = f"there are: {list_names(names)}" if names else ""
    raise RuleError(f'no {title} is called "{text}"', hint, kind="unknown_name")


def refuse_several(text: str, names: Sequence[str]) -> RuleError:
    """Return the refusal of a text that fits several names."""
    return RuleError(f'"{text}" fits {list_names(names)}', "write more of the name", kind="ambiguous")


def split_names(who: str) -> list[str]:
    """Return the parts of a list with commas, without empty ones."""
    return [p for p in (part.strip() for part in who.split(",")) if p]


def is_pattern(text: str) -> bool:
    """Return whether a word has a `*` or a `?`."""
    return "*" in text or "?" in text


def matches_pattern(pattern: str, name: str) -> bool:
    """Return whether the whole name fits; `*` and `?` are the only letters with a meaning."""
    return fnmatchcase(name.lower(), pattern.lower().replace("[", "[[]"))


def list_names(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """Return names with commas; beyond `most` the rest is counted."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def labels(e: Encounter, keys: Iterable[str]) -> str:
    """Return the names of these keys with commas; "nobody" for none."""
    return list_names([label(e, k) for k in keys]) or "nobody"


def _resolve_parts(e: Encounter, who: str, *, out_first: bool = False) -> list[tuple[bool, list[str]]]:
    """Return for each part of a list whether it may mean several creatures, and their ids.

    Raises RuleError.
    """
    # The text is first tried as one name, because a name may hold a star, which a pattern would read as its
    # own.
    whole = _resolve_exact(e, who)
    result = [whole] if whole else [_resolve_part(e, part, out_first=out_first) for part in split_names(who)]
    if not result:
        raise RuleError("nobody is named", _known_names(e))
    return result


def _resolve_exact(e: Encounter, who: str) -> tuple[bool, list[str]] | None:
    low = who.lower()
    people = e.combatants.values()
    same = [c.id for c in people if low in (c.name.lower(), c.alias.lower()) and low]
    if same:
        return False, same
    inside = [c.id for c in people if c.group.lower() == low and low]
    return (True, inside) if inside else None


def _resolve_part(e: Encounter, part: str, *, out_first: bool) -> tuple[bool, list[str]]:
    if part.startswith(SIDE):
        return True, _resolve_bunch(e, part[1:])
    if is_pattern(part):
        return True, _resolve_pattern(e, part)
    if found := _resolve_exact(e, part) or _resolve_fitting(e, part, out_first=out_first):
        return found
    names = [n for c in e.combatants.values() for n in (c.name, c.alias) if n]
    raise RuleError(f'no combatant is called "{part}"', _suggest_name(e, part, names), kind="unknown_name")


NEVER_NAMES = ("out", "none", "gm")
"""Words that mean something else in a line, so that they are no names and no parts of names."""
LEAST_LETTERS = 3
"""The fewest letters of a part inside a word that finds a name."""


_FITS: Sequence[Callable[[str, str], bool]] = (
    lambda part, name: name.startswith(part),
    lambda part, name: f" {part} " in f" {name} ",
    lambda part, name: part in name and sum(map(str.isalpha, part)) >= LEAST_LETTERS,
)
"""Tell whether a part fits a name: as its beginning, as a word, as letters inside it."""


def _resolve_fitting(e: Encounter, part: str, *, out_first: bool) -> tuple[bool, list[str]] | None:
    """Return the creature or the group of which this is the beginning, a word or a part.

    The first of these that fits anything decides. Raises RuleError if it fits several.
    """
    low = part.lower()
    for fits in _FITS if low and low not in NEVER_NAMES else ():
        found = [
            c for c in e.combatants.values() if any(n and fits(low, n.lower()) for n in (c.name, c.alias))
        ]
        people = [c for c in found if c.out == out_first] or found
        bunches = [] if people else [g for g in groups(e) if fits(low, g.lower())]
        if len(people) + len(bunches) > 1:
            raise refuse_several(part, [*(c.name for c in people), *bunches])
        if people:
            return False, [people[0].id]
        if bunches:
            return True, [c.id for c in e.combatants.values() if c.group == bunches[0]]
    return None


def _suggest_name(e: Encounter, part: str, names: Sequence[str]) -> str:
    """Return a hint for an unknown name: the side of that name, the nearest name, or all known names."""
    if any(s.lower() == part.lower() for s in sides(e)):
        return f"`{SIDE}{part}` means the whole side"
    return did_you_mean(part, [*names, *groups(e)], _known_names(e))


def _resolve_bunch(e: Encounter, name: str) -> list[str]:
    bunch = match_name(name, list(dict.fromkeys(groups(e) + sides(e))), "side or group")
    inside = [c.id for c in e.combatants.values() if c.group == bunch]
    return inside or [c.id for c in e.combatants.values() if c.side == bunch]


def _resolve_pattern(e: Encounter, part: str) -> list[str]:
    people = e.combatants.values()
    keys = [c.id for c in people if any(n and matches_pattern(part, n) for n in (c.name, c.alias))]
    if not keys:
        raise RuleError(f'no combatant fits "{part}"', _known_names(e), kind="unknown_name")
    return keys


def _known_names(e: Encounter) -> str:
    names = [c.name for c in e.combatants.values()]
    return f"there are: {list_names(names)}" if names else "`add 5 Orc` first"
