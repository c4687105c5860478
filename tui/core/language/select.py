"""WHO: names, unique beginnings, globs, lists with commas, `@side` and `@group`; letter case ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tui.core.fight.encounter import SIDE, Encounter, Entry, key_of, label, sides
from tui.core.fight.errors import RuleError


def groups(e: Encounter) -> list[str]:
    """The names of all groups, in roster order."""
    return list(dict.fromkeys(c.group for c in e.combatants.values() if c.group))


def resolve(e: Encounter, who: str) -> tuple[str, ...]:
    """The ids that WHO names, in roster order for globs and groups, else as written; each once.

    Raises RuleError when a name fits nobody, or two.
    """
    exact = _exact(e, who)
    found: list[str] = []
    for part in [who] if exact else split(who):
        found += exact or _part(e, part)
    return tuple(dict.fromkeys(found))


def one(e: Encounter, who: str) -> str:
    """The id of the one creature that WHO names."""
    found = resolve(e, who)
    if len(found) != 1:
        raise RuleError(f'"{who}" names {len(found)} creatures', "name one: " + listing(e, found))
    return found[0]


def entry(e: Encounter, who: str, rows: Iterable[Entry] = ()) -> str:
    """The key of the one entry that WHO names; a member stands for its row.

    `rows` are the entries of the running system, which may cut groups and sides in its own way.
    """
    ids = resolve(e, who)
    among = [x.key for x in rows if not set(ids).isdisjoint(x.members)]
    keys = tuple(among if len(among) == 1 else dict.fromkeys(key_of(e.combatants[i]) for i in ids))
    if len(keys) != 1:
        raise RuleError(f'"{who}" names {len(keys)} rows', "name one: " + listing(e, keys))
    return keys[0]


def side(e: Encounter, name: str, known: Iterable[str] = ()) -> str:
    """The side of that name (an `@` before it is welcome)."""
    names = list(dict.fromkeys([*sides(e), *known]))
    return match(name.removeprefix(SIDE), names, "side")


def match(text: str, names: Sequence[str], what: str) -> str:
    """The one of `names` that `text` means: exactly, or as a unique beginning; letter case ignored."""
    low = text.lower()
    same = [n for n in names if n.lower() == low]
    begin = same or [n for n in names if low and n.lower().startswith(low)]
    if len(begin) == 1:
        return begin[0]
    if begin:
        raise RuleError(f'"{text}" fits {_list(begin)}', "write more of the name")
    raise RuleError(f'no {what} is called "{text}"', f"there are: {_list(names)}" if names else "")


def split(who: str) -> list[str]:
    """A list with commas, without empty parts."""
    return [p for p in (part.strip() for part in who.split(",")) if p]


def listing(e: Encounter, keys: Iterable[str]) -> str:
    """The names behind keys, with commas."""
    return _list([label(e, k) for k in keys]) or "nobody"


def _exact(e: Encounter, who: str) -> list[str]:
    low = who.lower()
    same = [c.id for c in e.combatants.values() if c.name.lower() == low]
    return same or [c.id for c in e.combatants.values() if c.group.lower() == low and low]


def _part(e: Encounter, part: str) -> list[str]:
    if part.startswith(SIDE):
        return _bunch(e, part[1:])
    if "*" in part or "?" in part:
        return _glob(e, part)
    if exact := _exact(e, part):
        return exact
    names = {c.name: c.id for c in e.combatants.values()}
    try:
        return [names[match(part, list(names), "combatant")]]
    except RuleError as error:
        if error.message.startswith("no ") and (group := _beginning(part, groups(e))):
            return [c.id for c in e.combatants.values() if c.group == group]
        raise RuleError(error.message, _near(part, names) or error.hint) from None


def _beginning(text: str, names: Sequence[str]) -> str:
    try:
        return match(text, names, "group")
    except RuleError:
        return ""


def _bunch(e: Encounter, name: str) -> list[str]:
    bunches = groups(e) + sides(e)
    found = match(name, list(dict.fromkeys(bunches)), "side or group")
    inside = [c.id for c in e.combatants.values() if c.group == found]
    return inside or [c.id for c in e.combatants.values() if c.side == found]


def _glob(e: Encounter, part: str) -> list[str]:
    shape = re.compile(re.escape(part.lower()).replace(r"\*", ".*").replace(r"\?", "."))
    found = [c.id for c in e.combatants.values() if shape.fullmatch(c.name.lower())]
    if not found:
        raise RuleError(f'no combatant fits "{part}"', _there(e))
    return found


def _near(text: str, names: Iterable[str]) -> str:
    from tui.core.fight.text import nearest

    close = nearest(text, list(names))
    return f"did you mean {close}?" if close else ""


def _there(e: Encounter) -> str:
    return (
        f"there are: {_list([c.name for c in e.combatants.values()])}" if e.combatants else "`add` somebody"
    )


def _list(names: Sequence[str]) -> str:
    many = 8
    return ", ".join(names[:many]) + (f" and {len(names) - many} more" if len(names) > many else "")
