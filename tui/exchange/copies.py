"""Complete entries of 5etools that copy another one, with their changes and the templates that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from tui.exchange.foreign_values import ABILITIES, SKILLS, modifier, tables, whole
from tui.exchange.formulas import total
from tui.exchange.mapping import at

Table = Mapping[str, Any]
Operation = tuple[str, Table]
"""A key of an entry, or `_` or `*`, and what a copy changes there."""

_MOST_CHANGES = 50
"""Changes of one copy, or of one template, that are made; each walks through the whole entry."""
_MOST_TEMPLATES = 5
_DEEPEST = 5
_LARGEST = 10**6
_ENTRIES = (
    "action", "bonus", "reaction", "trait", "legendary", "mythic", "variant", "spellcasting",
    "actionHeader", "bonusHeader", "reactionHeader", "legendaryHeader", "mythicHeader",
)  # fmt: skip
"""Keys in which words are replaced where a change names no key."""
_OWN = frozenset(
    {"legendaryGroup", "environment", "variant", "dragonCastingColor", "familiar", "reprintedAs", "_versions"}
)
"""Keys that a copy does not take over unless it says so."""
SPELL_LISTS = {
    "legendary": " legendary actions", "charges": " charges", "rest": "/rest", "restLong": "/long rest",
    "daily": "/day", "weekly": "/week", "monthly": "/month", "yearly": "/year",
}  # fmt: skip
"""Lists of spells by how often, each with its words behind a number."""


def entry_key(row: Any) -> str:
    """Return what copies call an entry by; "" for none."""
    return f"{row.get('name')}|{row.get('source')}".lower() if isinstance(row, dict) else ""


def template_key(row: Any) -> str:
    """Return what copies call a template by."""
    return f"template {entry_key(row)}"


def challenge(entry: Table) -> Any:
    """Return the challenge rating as it stands in an entry."""
    rating = entry.get("cr")
    return rating.get("cr") if isinstance(rating, dict) else rating


def proficiency(entry: Table) -> int:
    """Return the proficiency bonus of its challenge."""
    rating = whole(challenge(entry))
    return 2 if rating is None or "/" in str(challenge(entry)) else 2 + max(0, rating - 1) // 4


def completed(row: Table, known: Mapping[str, Table], depth: int = _DEEPEST) -> Table:
    """Return an entry with what the one that it copies has, where that one is known.

    Changes that are not made stand at `_changes`, templates that are not known at `_without`. Where the one
    that it copies is not known, its name stands at `like`: another file of the import may hold that one.
    """
    copied = row.get("_copy")
    if not isinstance(copied, dict):
        return row
    operations = list(islice(_operations(copied.get("_mod")), _MOST_CHANGES))
    asked = tables(copied.get("_templates"))[:_MOST_TEMPLATES]
    base = known.get(entry_key(copied))
    if base is None or base is row or not depth:
        names = [str(x.get("name")) for x in asked]
        return {**row, "like": copied.get("name"), "_changes": operations, "_without": names}
    entry = completed(base, known, depth - 1)
    own = {k: v for k, v in row.items() if k != "_copy"}
    held = given(copied.get("_preserve"))
    kept = (k for k in entry if k != "_copy" and (k not in _OWN or k in held or "*" in held))
    made = {**{k: entry[k] for k in kept}, **own}
    lacking = list(entry.get("_without") or [])
    for name in asked:
        template = known.get(template_key(name))
        if template is None:
            lacking.append(str(name.get("name")))
            continue
        apply = given(_whole(template, known).get("apply"))
        made |= {k: v for k, v in given(apply.get("_root")).items() if k not in own}
        operations += islice(_operations(apply.get("_mod")), _MOST_CHANGES)
    # What is changed anywhere in the entry comes after what is changed at one key.
    operations.sort(key=lambda x: x[0] in ("_", "*"))
    made = {k: v for k, v in made.items() if v is not None}
    return {**_modified(made, operations, list(entry.get("_changes") or [])), "_without": lacking}


def _whole(template: Table, known: Mapping[str, Table]) -> Table:
    """Return a template with what it inherits from another and changes in it."""
    copied = template.get("_copy")
    base = known.get(template_key(copied))
    if base is None or base is template:
        return template
    made = {**base, **{k: v for k, v in template.items() if k != "_copy"}}
    return _modified(made, islice(_operations(at(copied, "_mod")), _MOST_CHANGES), [])


def _operations(mods: Any) -> Iterator[Operation]:
    for place, change in given(mods).items():
        for one in change if isinstance(change, list) else [change]:
            yield place, one if isinstance(one, dict) else {"mode": one}


def _modified(entry: Table, operations: Any, left: list[Operation]) -> dict[str, Any]:
    """Return an entry after changes; those of unknown kinds are added to the ones that are left."""
    made = dict(entry)
    for place, change in operations:
        one = _resolved(change, made)
        mode = str(one.get("mode"))
        if place in ("_", "*") and mode in _CREATURE:
            made = _CREATURE[mode](made, one)
        elif mode == "setProp":
            path = [*([] if place in ("_", "*") else [place]), *str(one.get("prop") or "").split(".")]
            made = _set(made, [x for x in path if x][:_DEEPEST], one.get("value"))
        elif mode in _LISTS and place not in ("_", "*"):
            rows = made.get(place)
            made[place] = _LISTS[mode](rows if isinstance(rows, list) else [], one)
        elif mode in _VALUES:
            places = _ENTRIES if place in ("_", "*") else (place,)
            made |= {k: _VALUES[mode](made[k], one) for k in places if k in made}
        elif mode == "remove":
            made.pop(place, None)
        elif mode != "scalarMultXp":  # a card gives no experience
            left.append((place, change))
    return {**made, "_changes": left}


# --- variables of changes

_VARIABLE = re.compile(r"<\$([a-z_]{1,20}?)(?:__([^$<>]{1,40}))?\$>")
_GROWN = re.compile(r"\b(?:adult|ancient|young) \w{1,20} (dragon|dracolich)", re.IGNORECASE)
_TIMES = {"L": 2, "H": 3, "G": 4}
"""By size: how many times as many dice a weapon has."""


def _resolved(change: Table, entry: Table) -> Table:
    """Return a change with names and numbers of the entry for `<$short_name$>` and the like."""
    return given(_walked(change, lambda text: _VARIABLE.sub(lambda m: _variable(m, entry), text)))


def _variable(match: re.Match[str], entry: Table) -> str:
    mode, detail = match[1], match[2] or ""
    mod = modifier(entry.get(detail)) or 0
    match mode:
        case "name":
            return str(entry.get("name"))
        case "short_name" | "title_short_name":
            return _short(entry, "The" if mode.startswith("title") else "the")
        case "dc" | "spell_dc":
            return str(8 + mod + proficiency(entry))
        case "to_hit":
            return f"{mod + proficiency(entry):+}"
        case "damage_mod":
            return f" {'+' if mod > 0 else '-'} {abs(mod)}" if mod else ""
        case "damage_avg" | "size_mult":
            sizes = entry.get("size")
            times = _TIMES.get(str(sizes[0]), 1) if isinstance(sizes, list) and sizes else 1
            formula = detail.replace("size_mult", str(times))
            if mode == "size_mult":
                formula = f"{times} * ({detail or 1})"
            formula = re.sub(
                r"\b(str|dex|con|int|wis|cha)\b", lambda m: f"({modifier(entry.get(m[1])) or 0})", formula
            )
            # Fractions for numbers such as 2.5.
            number = total(re.sub(r"\b([0-9]{1,4})\.5\b", r"(\1 + 1/2)", formula))
            return match[0] if number is None else str(number)
        case _:
            return match[0]


def _short(entry: Table, article: str) -> str:
    """Return how a text calls a creature: `the dragon`, or a first name."""
    name, own = str(entry.get("name")), entry.get("shortName")
    alone = bool(entry.get("isNamedCreature"))
    if own is True:
        short = name
    elif isinstance(own, str) and own:
        short = own.title() if alone else own.lower()
    else:
        base = _GROWN.sub(r"\1", name.split(",", maxsplit=1)[0])
        short = base.split(" ", maxsplit=1)[0] if alone else base.lower()
    return short if alone else f"{article} {short}"


# --- changes of lists


def _appended(rows: list[Any], one: Table) -> list[Any]:
    return [*rows, *items(one.get("items"))]


def _appended_once(rows: list[Any], one: Table) -> list[Any]:
    made = list(rows)
    for item in items(one.get("items")):
        if item not in made:
            made.append(item)
    return made


def _prepended(rows: list[Any], one: Table) -> list[Any]:
    return [*items(one.get("items")), *rows]


def _inserted(rows: list[Any], one: Table) -> list[Any]:
    place = whole(one.get("index")) or 0
    place = len(rows) if place < 0 else place
    return [*rows[:place], *items(one.get("items")), *rows[place:]]


def _exchanged(rows: list[Any], one: Table) -> list[Any]:
    place = _place(rows, one.get("replace"))
    return [*rows[:place], *items(one.get("items")), *rows[place + 1 :]]


def _removed(rows: list[Any], one: Table) -> list[Any]:
    names = named(one.get("names") or one.get("items"))
    return [x for x in rows if str(at(x, "name") or x).lower() not in names]


def _renamed(rows: list[Any], one: Table) -> list[Any]:
    names = {str(x.get("rename")): x.get("with") for x in tables(one.get("renames"))}
    return [{**x, "name": names[x["name"]]} if str(at(x, "name")) in names else x for x in rows]


_LISTS: dict[str, Callable[[list[Any], Table], list[Any]]] = {
    "appendArr": _appended, "appendIfNotExistsArr": _appended_once, "prependArr": _prepended,
    "insertArr": _inserted, "replaceArr": _exchanged, "replaceOrAppendArr": _exchanged,
    "removeArr": _removed, "renameArr": _renamed,
}  # fmt: skip


def items(value: Any) -> list[Any]:
    """Return the items of a change, or its only one."""
    return value if isinstance(value, list) else [value] if isinstance(value, dict | str) else []


def named(value: Any) -> list[str]:
    """Return the names that a change means, in lower case."""
    if isinstance(value, dict):
        value = value.get("name")
    return [x.lower() for x in (value if isinstance(value, list) else [value]) if isinstance(x, str)]


def _place(rows: list[Any], old: Any) -> int:
    """Return where the entry stands that another replaces, by its name or its place; else behind all."""
    number = whole(at(old, "index"))
    if number is not None and 0 <= number < len(rows):
        return number
    names = named(old)
    return next((i for i, x in enumerate(rows) if str(at(x, "name") or x).lower() in names), len(rows))


def given(value: Any) -> dict[str, Any]:
    """Return a table; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


# --- changes of values

_HARMLESS = re.compile(
    r"\^?(?:\\[b.$()?+*\\^|-]|[^\\()*+?{}\[\]])*(?:\((?:\?:)?(?:\\[b.]|[^\\()*+?{}\[\]])*\))?"
    r"(?:\\[b.$()?+*\\^|-]|[^\\()*+?{}\[\]])*"
)
"""A pattern with one group and no repetition: it takes a time that grows with the text alone."""
_WHOLE_TEXT = re.compile(r"\^\((?:[^\\()*+?{}\[\]]|\\\.)*\.\*(?:[^\\()*+?{}\[\]]|\\\.)*\$\)")
_TAG = re.compile(r"(\{@[^{}]{0,400}\})")
_WHERE = (None, "entries", "headerEntries", "footerEntries")
"""Where words are replaced: in the texts of a list, and at these keys of its tables."""
_LONGEST, _LONGEST_PATTERN = 2_000, 300
_MOST_MATCHES = 200
_MOST_ADDED = 100_000
"""Characters that one replacement may add to an entry."""


def _replaced(value: Any, one: Table) -> Any:
    """Return texts with words replaced, but not inside tags, and by no pattern that could run for hours."""
    wanted, new = str(one.get("replace") or "")[:_LONGEST_PATTERN], str(one.get("with") or "")[:_LONGEST]
    if not (_HARMLESS.fullmatch(wanted) or _WHOLE_TEXT.fullmatch(wanted)):
        return value
    pattern = re.compile(wanted, re.IGNORECASE if "i" in str(one.get("flags") or "") else re.NOFLAG)
    room = _MOST_ADDED
    first = pattern.groups > 0

    def part(text: str) -> str:
        nonlocal room
        made = pattern.sub(
            lambda m: new.replace("$1", m[1] or "") if first else new, text, count=_MOST_MATCHES
        )
        room -= max(0, len(made) - len(text))
        return made if room >= 0 else text

    def change(text: str) -> str:
        if one.get("tagInsensitive"):
            return part(text)
        return "".join(x if x.startswith("{@") else part(x) for x in _TAG.split(text))

    own = one.get("props")
    where = own if isinstance(own, list) else _WHERE
    if not isinstance(value, list):
        return _walked(value, change) if isinstance(value, str) else value
    rows = (
        {k: _walked(v, change) if k in where else v for k, v in x.items()}
        if isinstance(x, dict)
        else change(x)
        if isinstance(x, str) and None in where
        else x
        for x in value
    )
    return list(rows)


def _walked(value: Any, change: Callable[[str], str], depth: int = 8) -> Any:
    """Return a value with all its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list) and depth:
        return [_walked(x, change, depth - 1) for x in value]
    if isinstance(value, dict) and depth:
        return {k: _walked(v, change, depth - 1) for k, v in value.items()}
    return value


_NUMBERED = {
    "scalarAddHit": re.compile(r"(?<=\{@hit )\+?(-?[0-9]{1,4})(?=[}|])"),
    "scalarAddDc": re.compile(r"(?<=\{@dc )\+?(-?[0-9]{1,4})(?=[}|])"),
}


def _raised(value: Any, one: Table) -> Any:
    """Return texts with a number added to their bonuses to hit, or to their DCs."""
    more, pattern = whole(one.get("scalar")) or 0, _NUMBERED[str(one["mode"])]
    return _walked(value, lambda text: pattern.sub(lambda m: str(int(m[1]) + more), text))


def _scaled(value: Any, one: Table) -> Any:
    """Return a table with a number, or all, raised by a sum or by a factor."""
    scalar, wanted = one.get("scalar"), one.get("prop")
    if not isinstance(scalar, int | float) or isinstance(scalar, bool) or not abs(scalar) < _LARGEST:
        return value
    made = dict(given(value))
    for name in [k for k in made if wanted in ("*", k)]:
        number = whole(made[name])
        if number is None or abs(number) > _LARGEST:
            continue
        new = int(number + scalar if one.get("mode") == "scalarAddProp" else number * scalar // 1)
        made[name] = f"{new:+}" if isinstance(made[name], str) else new
    return made or value


def _framed(value: Any, one: Table) -> Any:
    """Return a table with words before and behind one of its texts."""
    name, made = str(one.get("prop") or ""), dict(given(value))
    if isinstance(made.get(name), str):
        made[name] = f"{one.get('prefix') or ''}{made[name]}{one.get('suffix') or ''}"
    return made or value


def _continued(value: Any, one: Table) -> Any:
    text = value if isinstance(value, str) else ""
    return f"{text}{one.get('joiner') or '' if text else ''}{one.get('str') or ''}"


_VALUES: dict[str, Callable[[Any, Table], Any]] = {
    "replaceTxt": _replaced, "scalarAddHit": _raised, "scalarAddDc": _raised, "scalarAddProp": _scaled,
    "scalarMultProp": _scaled, "prefixSuffixStringProp": _framed, "appendStr": _continued,
}  # fmt: skip


def _set(made: dict[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    """Return a table with a value at a path; without that key for None."""
    if not path:
        return made
    first, *rest = path
    inner = _set(dict(given(made.get(first))), rest, value) if rest else value
    return {k: v for k, v in {**made, first: inner}.items() if k != first or v is not None}


# --- changes of the creature


def _sensing(made: dict[str, Any], one: Table) -> dict[str, Any]:
    """Return a creature with senses added, or with a longer range where it has them."""
    senses = [x for x in items(made.get("senses")) if isinstance(x, str)]
    for sense in tables(one.get("senses")):
        name, far = str(sense.get("type")), whole(sense.get("range")) or 0
        pattern = re.compile(rf"{re.escape(name)} ([0-9]{{1,5}})", re.IGNORECASE)
        place = next((i for i, x in enumerate(senses) if pattern.search(x)), None)
        if place is None:
            senses.append(f"{name} {far} ft.")
        elif (match := pattern.search(senses[place])) and int(match[1]) < far:
            senses[place] = f"{name} {far} ft."
    return {**made, "senses": senses}


def _trained(made: dict[str, Any], one: Table) -> dict[str, Any]:
    """Return a creature with the bonuses of training in skills or saves that are higher than its own."""
    target = "skill" if "Skills" in str(one["mode"]) else "save"
    wanted, known = one.get(f"{target}s"), dict(given(made.get(target)))
    if "All" in str(one["mode"]):
        wanted = dict.fromkeys(SKILLS if target == "skill" else ABILITIES, wanted)
    for name, times in given(wanted).items():
        base = modifier(made.get(SKILLS.get(name.lower(), "") if target == "skill" else name)) or 0
        number = base + (whole(times) or 0) * proficiency(made)
        if (whole(known.get(name)) or -99) < number:
            known[name] = f"{number:+}"
    return {**made, target: known}


_SIZES = "FDTSMLHGC"
"""Sizes from the smallest to the largest."""


def _bounded(made: dict[str, Any], one: Table) -> dict[str, Any]:
    """Return a creature without the sizes above a maximum."""
    most, sizes = str(one.get("max")), [x for x in items(made.get("size")) if isinstance(x, str)]
    fitting = [x for x in sizes if x in _SIZES and most in _SIZES and _SIZES.index(x) <= _SIZES.index(most)]
    return {**made, "size": fitting or [most]} if sizes and most in _SIZES else made


def _casting(made: dict[str, Any], one: Table) -> dict[str, Any]:
    """Return a creature whose first or named spellcasting has its spells changed."""
    rows = tables(made.get("spellcasting"))
    place = next((i for i, x in enumerate(rows) if x.get("name") == one.get("name")), 0)
    changed = [_recast(x, one) if i == place else x for i, x in enumerate(rows)]
    return {**made, "spellcasting": changed} if rows else made


def _recast(casting: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    """Return spellcasting with spells added, replaced or removed in the lists that a change names."""
    made = dict(casting)
    for key in ("spells", *SPELL_LISTS, "will", "ritual", "constant"):
        asked = one.get(key)
        if isinstance(asked, list):
            made[key] = _relisted(made.get(key), asked, one.get("mode"))
        elif isinstance(asked, dict):
            lists = dict(given(made.get(key)))
            for rank, change in asked.items():
                held = lists.get(rank)
                wanted = change.get("spells", []) if isinstance(change, dict) else change
                inner = held.get("spells") if isinstance(held, dict) else held
                names = _relisted(inner, items(wanted), one.get("mode"))
                kept = {k: v for k, v in given(change).items() if k != "spells"}
                lists[rank] = {**given(held), **kept, "spells": names} if key == "spells" else names
            made[key] = lists
    return made


def _relisted(old: Any, change: list[Any], mode: Any) -> list[Any]:
    names = list(old) if isinstance(old, list) else []
    if mode == "addSpells":
        return _sorted([*names, *(x for x in change if x not in names)])
    if mode == "removeSpells":
        return [x for x in names if x not in change]
    replaced = {str(x.get("replace")): items(x.get("with")) for x in tables(change)}
    return _sorted(y for x in names for y in (replaced[x] if isinstance(x, str) and x in replaced else [x]))


def _sorted(spells: Iterable[Any]) -> list[Any]:
    return sorted(spells, key=lambda x: str(x).lower())


_CREATURE: dict[str, Callable[[dict[str, Any], Table], dict[str, Any]]] = {
    "addSenses": _sensing, "maxSize": _bounded,
    **dict.fromkeys(("addSkills", "addAllSkills", "addSaves", "addAllSaves"), _trained),
    **dict.fromkeys(("addSpells", "replaceSpells", "removeSpells"), _casting),
}  # fmt: skip
