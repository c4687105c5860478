"""The roster: adding, editing, naming, grouping, hiding, removing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tui.core.fight import events as ev
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import USUAL_SIDES, Encounter, key_of
from tui.core.fight.errors import RuleError
from tui.core.fight.text import NAME_LIMIT, clean_name
from tui.core.language import actions as a
from tui.core.language import values
from tui.core.language.select import groups, one, resolve
from tui.core.rules.draft import Draft
from tui.core.rules.names import NamesInUse
from tui.core.rules.system import InitiativeSystem

MOST_COMBATANTS = 2000
MOST_HP = 99_999
_ATTRIBUTES = (
    Field("side", "side", "name"),
    Field("group", "group", "name"),
    Field("owner", "player", "name"),
    Field("hp", "hit points", least=0, most=MOST_HP),
    Field("max_hp", "maximum hit points", least=0, most=MOST_HP),
    Field("temp_hp", "temporary hit points", least=0, most=MOST_HP),
    Field("ac", "armour class"),
    Field("hidden", "hidden", "bool"),
    Field("note", "note", "text"),
    Field("round", "arrives in round", least=0, most=9999),
    Field("value", "fixed place"),
)
_STORED = {"round": "arrives"}


def attributes(system: InitiativeSystem) -> tuple[Field, ...]:
    """Everything that `add` and `set` take: what every creature has, and the system's fields."""
    own = system.fields if any(f.key == "kind" for f in system.fields) else (values.KIND, *system.fields)
    return (*_ATTRIBUTES, *own)


def add(d: Draft, system: InitiativeSystem, action: a.Add, count: int | None) -> tuple[str, ...]:
    """New combatants; `count` None for one without a number. The ids they got."""
    stem = name_for(action.name)
    if count is not None and not 1 <= count <= MOST_COMBATANTS:
        raise RuleError(f"add takes 1 to {MOST_COMBATANTS}, not {count}")
    if len(d.encounter.combatants) + (count or 1) > MOST_COMBATANTS:
        raise RuleError(f"a fight holds {MOST_COMBATANTS} combatants at the most")
    read = _read(system, action.keys)
    first = _highest(d.encounter, stem) + 1
    numbered = [f"{stem} {first + i}" for i in range(count)] if count is not None else [stem]
    if len(numbered[-1]) > NAME_LIMIT:
        raise RuleError(
            f"{stem} is too long to be numbered", f"a name has {NAME_LIMIT} characters at the most"
        )
    taken = NamesInUse(d.encounter.combatants.values())
    return tuple(_add(d, system, name, read, taken) for name in numbered)


def _add(d: Draft, system: InitiativeSystem, name: str, read: dict[str, Any], taken: NamesInUse) -> str:
    free(taken, system, name)
    who = f"c{d.encounter.serial + 1}"
    own = {k: v for k, v in read.items() if k not in {f.key for f in _ATTRIBUTES}}
    plain = {_STORED.get(k, k): v for k, v in read.items() if k not in own and v != ""}
    plain.setdefault("side", _home(read, system))
    if "hp" in plain:
        plain.setdefault("max_hp", plain["hp"])
    elif "max_hp" in plain:
        plain["hp"] = plain["max_hp"]
    c = Combatant(id=who, name=name, fields=own, **plain)
    _check_places(d.encounter, system, c, taken)
    if c.hidden:
        _may_hide(d.encounter, system)
    d.emit(ev.Added(c))
    taken.put(c)
    return who


def _home(read: dict[str, Any], system: InitiativeSystem) -> str:
    first, second = system.sides or USUAL_SIDES
    return first if read.get("owner") or read.get("kind") == "pc" else second


def _read(system: InitiativeSystem, keys: Mapping[str, str]) -> dict[str, Any]:
    known = attributes(system)
    return {k: _value(values.known(k, known, system.title), text) for k, text in keys.items()}


def _value(field: Field, text: str) -> Any:
    if text == "":
        return ""
    return name_for(text) if field.kind == "name" else values.read(field, text)


def name_for(text: str) -> str:
    """A name, cleaned; without what a line could not write."""
    name = clean_name(text)
    if not name:
        raise RuleError("a name needs at least one letter")
    if "," in name or '"' in name or name.startswith("@"):
        raise RuleError(f"{name} cannot be a name", "no comma, no quote, no @ at its beginning")
    return name


def free(taken: NamesInUse, system: InitiativeSystem, name: str) -> None:
    """Raise RuleError unless nobody, no group and no side has this name."""
    low = name.lower()
    if taken.names[low]:
        raise RuleError(f"{name} is already there", f"`add 1 {name}` numbers the next one")
    if taken.groups[low]:
        raise RuleError(f"{name} is already the name of a group")
    if taken.sides[low] or low in {*(s.lower() for s in system.sides), "gm", "none"}:
        raise RuleError(
            f"{name} is already the name of a side"
            if low not in ("gm", "none")
            else f"{name} means something else"
        )


def _check_places(e: Encounter, system: InitiativeSystem, c: Combatant, taken: NamesInUse) -> None:
    """A creature's side and group must be names of their own, and a group is of one side."""
    name, side, bunch = c.name.lower(), c.side.lower(), c.group.lower()
    if system.sides and c.side not in system.sides:
        raise RuleError(f"{system.title} knows no side {c.side}", f"there are: {', '.join(system.sides)}")
    if side == name or taken.names[side] or taken.groups[side]:
        raise RuleError(f"{c.side} is not free as the name of a side")
    if not c.group:
        return
    known = {s.lower() for s in system.sides}
    if bunch in (name, side) or taken.names[bunch] or taken.sides[bunch] or bunch in known:
        raise RuleError(f"{c.group} is not free as the name of a group")
    if taken.split(c.group, c.side):
        found = (x for x in e.combatants.values() if x.group == c.group and x.side != c.side)
        raise RuleError(f"the group {c.group} is on the side {next(found).side}, {c.name} on {c.side}")


def _highest(e: Encounter, stem: str) -> int:
    shape = re.compile(re.escape(stem.lower()) + r" (\d{1,6})")
    found = [shape.fullmatch(c.name.lower()) for c in e.combatants.values()]
    return max([int(m[1]) for m in found if m], default=0)


def edit(d: Draft, system: InitiativeSystem, action: a.Set) -> None:
    """Attributes and fields of everybody named."""
    read, taken = _read(system, action.keys), NamesInUse(d.encounter.combatants.values())
    for who in resolve(d.encounter, action.who):
        before = d.encounter.combatants[who]
        for key, value in read.items():
            _set(d, system, who, key, value)
        after = d.encounter.combatants[who]
        taken.drop(before)
        taken.put(after)
        _check_places(d.encounter, system, after, taken)
        if d.encounter.running and key_of(after) != key_of(before):
            system.regrouped(d, {who: key_of(before)})


def _set(d: Draft, system: InitiativeSystem, who: str, key: str, value: Any) -> None:
    c = d.encounter.combatants[who]
    empty = value == ""
    if key not in {f.key for f in _ATTRIBUTES}:
        d.emit(ev.FieldSet(who, key, value, empty=empty))
        return
    if key == "hidden":
        hide(d, system, who, reveal=not value)
        return
    if key == "side" and empty:
        raise RuleError("side= takes the name of a side")
    if key == "hp" and not empty and c.hp is None and c.max_hp is None:
        d.emit(ev.Changed(who, "max_hp", value))
    stored = _STORED.get(key, key)
    blank = {"group": "", "owner": "", "note": "", "temp_hp": 0, "arrives": 0}
    if empty and stored in blank:
        d.emit(ev.Changed(who, stored, blank[stored]))
    else:
        d.emit(ev.Changed(who, stored, value, empty=empty))


def hide(d: Draft, system: InitiativeSystem, who: str, *, reveal: bool) -> None:
    """A creature leaves the players' sight, or comes into it."""
    if not reveal:
        _may_hide(d.encounter, system)
    d.emit(ev.Revealed(who) if reveal else ev.Hid(who))


def _may_hide(e: Encounter, system: InitiativeSystem) -> None:
    if rule := system.open_sheets(e):
        raise RuleError("nobody is hidden while all sheets lie open", "", rule)


def rename(d: Draft, system: InitiativeSystem, action: a.Rename) -> None:
    """Another name for one combatant."""
    who, name = one(d.encounter, action.who), name_for(action.name)
    before = d.encounter.combatants[who].name.lower()
    taken = NamesInUse(d.encounter.combatants.values())
    taken.names[before] -= 1
    free(taken, system, name)
    d.emit(ev.Changed(who, "name", name))
    for c in list(d.encounter.combatants.values()):
        told = [f.key for f in system.fields if f.kind == "creature" and c.word(f.key).lower() == before]
        d.emit(*(ev.FieldSet(c.id, key, name, quiet=True) for key in told))


def group(d: Draft, system: InitiativeSystem, action: a.Group) -> None:
    """One row for several creatures, or a row each again."""
    who = resolve(d.encounter, action.who)
    name = name_for(action.name) if action.name else ""
    name = next((g for g in groups(d.encounter) if g.lower() == name.lower()), name)
    before = {k: key_of(d.encounter.combatants[k]) for k in who}
    if not name and not any(d.encounter.combatants[k].group for k in who):
        raise RuleError(f"{action.who} is in no group")
    taken = NamesInUse(d.encounter.combatants.values())
    for k in who:
        taken.drop(d.encounter.combatants[k])
        d.emit(ev.Changed(k, "group", name))
        taken.put(d.encounter.combatants[k])
        _check_places(d.encounter, system, d.encounter.combatants[k], taken)
    if d.encounter.running:
        system.regrouped(d, before)


def remove(d: Draft, who: Iterable[str]) -> None:
    """Creatures are struck from the roster."""
    for k in who:
        d.emit(ev.Removed(k))


def note_of(text: str) -> str:
    """A note for the log, cleaned. Raises RuleError when it is too long."""
    return values.words(text, "the note")
