"""Run the actions on the roster: add, edit, name, group, hide, remove."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.combatant import STORED_NAMES, Plain, is_pc
from tui.core.fight.encounter import Encounter, key_of
from tui.core.language import creature_actions as ca
from tui.core.language.select import groups, list_names, match_name, resolve
from tui.core.rules.creature_fields import check_maximum, is_attribute, read_sheets
from tui.core.rules.draft import Draft
from tui.core.rules.health import rest_creature
from tui.core.rules.kin import NO_NUMBERS, complete_newcomer, notices
from tui.core.rules.names import NamesInUse, check_free, check_name, check_places
from tui.core.rules.newcomers import (
    Newcomer,
    Sources,
    arrive,
    check_may_hide,
    describe_unused,
    highest_number,
    read_condition,
    read_newcomers,
)
from tui.core.rules.other_systems import describe_unread
from tui.core.rules.sides import follow_kind
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import react_to_leaving, react_to_returning

OUT = "out"
"""The word of `remove` for all that are out."""

_BLANK_VALUES: dict[str, Plain] = {
    "group": "", "owner": "", "note": "", "resist": "", "vulnerable": "", "immune": "", "save_bonus": "",
    "attacks": "", "temp_max": 0, "temp_hp": 0, "arrives": 0,
}  # fmt: skip


def run_roster_action(d: Draft, system: InitiativeSystem, action: ca.RosterAction, sources: Sources) -> None:
    """Run an action on the roster. Raises RuleError."""
    match action:
        case ca.Add():
            _check_place(system, action.keys)
            _add_creatures(d, system, action, sources)
        case ca.Party(file, fresh):
            before = d.encounter.combatants
            _add_file(d, system, file, "party", sources)
            for k in [k for k in d.encounter.combatants if fresh and k not in before]:
                rest_creature(d, system, k, long=True, is_named=False)
        case ca.Load(file):
            _add_file(d, system, file, "fight", sources)
        case ca.Set():
            edit_creatures(d, system, action, sources)
        case ca.Rename():
            rename_creatures(d, system, action)
        case ca.Alias():
            set_aliases(d, system, action)
        case ca.Group(who, name):
            change_group(d, system, who, check_name(name))
        case ca.Ungroup(who):
            change_group(d, system, who, "")
        case ca.Hide(who, condition) | ca.Reveal(who, condition):
            _change_sight(d, system, who, condition, reveal=isinstance(action, ca.Reveal))
        case ca.Remove(who):
            ids = _fallen(d.encounter) if who.lower() == OUT else resolve(d.encounter, who)
            d.emit(*(ev.Removed(k) for k in ids))
            react_to_leaving(d, system, ids)


def _fallen(e: Encounter) -> tuple[str, ...]:
    """Return the creatures that are out and no player's. Raises RuleError if there is none."""
    ids = tuple(c.id for c in e.combatants.values() if c.out and not is_pc(c))
    if not ids:
        hint = "`remove WHO` removes a creature by its name"
        raise RuleError("nobody is out but players' characters", hint)
    return ids


def _add_creatures(d: Draft, system: InitiativeSystem, action: ca.Add, sources: Sources) -> None:
    """Add the creatures of a line, and notify the author of what the line leaves open."""
    coming, before = complete_newcomer(d.encounter, system, action, sources.kept), d.encounter.combatants
    if unused := describe_unused(system, coming.add):
        d.notices.append(unused)
    arrive(d, system, [coming], sources)
    came = [c for k, c in d.encounter.combatants.items() if k not in before]
    asked = sources.kept is not None and action.like.lower() != NO_NUMBERS
    d.notices.extend(notices(came, coming, asked=asked))
    _note_count(d, action, coming.add.name)


def _check_place(system: InitiativeSystem, keys: Mapping[str, str]) -> None:
    """Raise RuleError for a fixed place in a system whose rows have none."""
    if keys.get("value", "none").lower() not in ("", "none") and not system.takes_places:
        raise RuleError(f"rows have no fixed place in {system.title}", "leave value= out")


def _note_count(d: Draft, line: ca.Add, name: str) -> None:
    """Notify the author that a number after the name is hit points, if the line gives nothing else."""
    hp = line.keys.get("hp", "")
    if line.bare and not line.count and not line.mod and hp.isdecimal():
        stem = check_name(name)
        d.notices.append(f"{stem} has {hp} hit points; `add {hp} {quote(stem)}` makes {hp}")


def _add_file(
    d: Draft, system: InitiativeSystem, file: str, kind: Literal["party", "fight"], sources: Sources
) -> None:
    """Add the creatures of a file, and notify the author of modifiers that this system does not read."""
    before = d.encounter.combatants
    coming = read_newcomers(file, kind, sources)
    if kind == "party" and not d.encounter.running:
        coming = [_without_counted(d, x) for x in coming]
    arrive(d, system, coming, sources)
    if left_out := list(dict.fromkeys(key for x in coming for key in x.left_out)):
        d.notices.append(f"left out of {file}: {', '.join(left_out)}, which {system.title} reads otherwise")
    came = [k for k in d.encounter.combatants if k not in before]
    if notice := describe_unread(d.encounter, system, sources.systems, came):
        d.notices.append(notice)


def _without_counted(d: Draft, coming: Newcomer) -> Newcomer:
    """Return a newcomer without the conditions that ended with its last fight, and name them."""
    borne = {words: read_condition(words) for words in coming.borne.conditions}
    ended = {words: x.name for words, x in borne.items() if x.rounds or x.until or x.dc}
    if ended:
        d.notices.append(f"{coming.add.name}: {list_names([*ended.values()])} ended with the last fight")
    lasting = tuple(words for words in borne if words not in ended)
    return replace(coming, borne=replace(coming.borne, conditions=lasting))


# --- editing


def edit_creatures(d: Draft, system: InitiativeSystem, action: ca.Set, sources: Sources) -> None:
    """Set attributes and fields of each creature in WHO. Raises RuleError."""
    _check_place(system, action.keys)
    ids = resolve(d.encounter, action.who)
    _refuse_signed_hp(d, ids, action.keys.get("hp", ""))
    people = read_sheets(d, system, action.keys, sources.systems, sources.roller, len(ids))
    in_use = NamesInUse(d.encounter.combatants.values())
    people_before = d.encounter.combatants
    rows = {who: key_of(people_before[who]) for who in ids}
    # All names are read first, so that a whole group changes its side in one line.
    for who in ids:
        in_use.drop(d.encounter.combatants[who])
    for who, sheet in zip(ids, people, strict=True):
        # max_hp is set first: if both are in one line, the new hp must not be refused for being above the old
        # maximum.
        for key, value in sorted(sheet.items(), key=lambda item: item[0] != "max_hp"):
            _set_value(d, system, who, key, value)
        over = {f.dice for f in system.fields if f.dice and f.key in sheet}.difference(sheet)
        old = over.intersection(people_before[who].fields)
        d.emit(*(ev.FieldSet(who, key, empty=True, quiet=True) for key in old))
        follow_kind(d, system, sources.systems, people_before[who], sheet, ids)
        after = d.encounter.combatants[who]
        check_maximum(after)
        check_places(d.encounter, system.sides, after, in_use)
        in_use.put(after)
    # All creatures move together, so that a new group gets the place of the best of them and not of the
    # first.
    changed = {who: key for who, key in rows.items() if key_of(d.encounter.combatants[who]) != key}
    if d.encounter.running and changed:
        system.regrouped(d, changed)
    if "round" in action.keys:
        _keep_out_until_staged(d, system, ids)
        waited = [k for k in ids if people_before[k].arrives > d.encounter.round]
        react_to_returning(d, system, tuple(k for k in waited if not d.encounter.combatants[k].out))


def _refuse_signed_hp(d: Draft, ids: Sequence[str], hp: str) -> None:
    """Raise RuleError for hit points with a sign, with the line that heals or damages."""
    if not re.fullmatch(r"[+-][0-9]{1,9}", hp.strip()):
        return
    by, people = int(hp), [d.encounter.combatants[k] for k in ids]
    line = f"{'heal' if by > 0 else 'damage'} {quote(','.join(c.name for c in people))} {abs(by)}"
    one = people[0].hp if len(people) == 1 else None
    other = f", or `hp={max(0, one + by)}`" if one is not None else ""
    raise RuleError(f"hp= takes the number itself, not {hp.strip()}", f"`{line}`{other}", kind="bad_value")


def _keep_out_until_staged(d: Draft, system: InitiativeSystem, ids: Sequence[str]) -> None:
    """React to creatures that were staged for a later round of a running fight. Raises RuleError."""
    later = tuple(k for k in ids if d.encounter.combatants[k].arrives > d.encounter.round)
    if not d.encounter.running or not later:
        return
    turn = d.encounter.turn
    if turn and not set(turn.members).isdisjoint(later):
        names = d.encounter.combatants[next(k for k in later if k in turn.members)].name
        raise RuleError(f"{names} is acting", "`end` ends the turn first")
    react_to_leaving(d, system, later)


def _set_value(d: Draft, system: InitiativeSystem, who: str, key: str, value: Plain) -> None:
    c = d.encounter.combatants[who]
    empty = value == ""
    stored = STORED_NAMES.get(key, key)
    if not is_attribute(key):
        d.emit(ev.FieldSet(who, key, value, empty=empty))
    elif key == "hidden":
        hide_creature(d, system, who, reveal=not value)
    elif key == "card":
        d.emit(ev.Carded((who,), value))
    elif key == "attacks":
        d.emit(ev.Armed((who,), value))
    elif key == "side" and empty:
        raise RuleError("side= takes the name of a side")
    elif empty and stored in _BLANK_VALUES:
        d.emit(ev.Changed(who, stored, _BLANK_VALUES[stored]))
    else:
        if key == "hp" and not empty and c.max_hp is None:
            d.emit(ev.Changed(who, "max_hp", value))
        first, _, others = value.partition(",") if key == "owner" else (value, "", "")
        d.emit(ev.Changed(who, stored, first, empty=empty))
        if key == "owner" and others != c.co_owners:
            d.emit(ev.Changed(who, "co_owners", others))
        _bound_hp(d, who, key)


def _bound_hp(d: Draft, who: str, key: str) -> None:
    """Lower hit points to a lowered maximum; end dying for a creature with hit points."""
    c = d.encounter.combatants[who]
    if key in ("max_hp", "temp_max") and c.hp is not None and c.most_hp is not None and c.hp > c.most_hp:
        d.emit(ev.Changed(who, "hp", c.most_hp))
    if key == "hp" and c.hp and c.dying:
        d.emit(ev.DeathSaves(who, over=True))


# --- sight


def _change_sight(d: Draft, system: InitiativeSystem, who: str, condition: str, *, reveal: bool) -> None:
    """Hide or reveal creatures, or one condition of each. Raises RuleError."""
    for k in resolve(d.encounter, who):
        if not condition:
            hide_creature(d, system, k, reveal=reveal)
            continue
        c = d.encounter.combatants[k]
        if not c.conditions:
            raise RuleError(f"{c.name} has no conditions")
        names = list({x.name.lower(): x.name for x in c.conditions}.values())
        name = match_name(condition, names, f"condition of {c.name}")
        d.emit(ev.ConditionHid(k, name, hidden=not reveal))


def hide_creature(d: Draft, system: InitiativeSystem, who: str, *, reveal: bool) -> None:
    """Hide a creature from the players, or reveal it. Raises RuleError."""
    if not reveal:
        check_may_hide(d.encounter, system)
    d.emit(ev.Revealed(who) if reveal else ev.Hid(who))


# --- names


def rename_creatures(d: Draft, system: InitiativeSystem, action: ca.Rename) -> None:
    """Give creatures another name, numbered if they are several, also in fields that name them.

    Raises RuleError.
    """
    ids, name = resolve(d.encounter, action.who), check_name(action.name)
    for who, new in zip(ids, _number_names(d.encounter, name, len(ids)), strict=True):
        _rename_one(d, system, who, new)


def _number_names(e: Encounter, name: str, count: int) -> list[str]:
    """Return the name for one creature, or the next free numbers of it for several."""
    first = highest_number(e, name) + 1
    return [name] if count == 1 else [f"{name} {first + i}" for i in range(count)]


def _rename_one(d: Draft, system: InitiativeSystem, who: str, name: str) -> None:
    before = d.encounter.combatants[who].name.lower()
    if name == d.encounter.combatants[who].name:
        raise RuleError(f"{name} already has this name")
    in_use = NamesInUse(d.encounter.combatants.values())
    in_use.drop(d.encounter.combatants[who])
    check_free(in_use, system.sides, name)
    d.emit(ev.Changed(who, "name", name))
    check_places(d.encounter, system.sides, d.encounter.combatants[who], in_use)
    for c in list(d.encounter.combatants.values()):
        # Fields hold names and not ids, since people type them: when a creature is renamed, the fields change
        # too.
        keys = [f.key for f in system.fields if f.kind == "creature" and c.word(f.key).lower() == before]
        d.emit(*(ev.FieldSet(c.id, key, name, quiet=True) for key in keys))


def set_aliases(d: Draft, system: InitiativeSystem, action: ca.Alias) -> None:
    """Set or end (`none`) the names that players read, numbered if they are several. Raises RuleError."""
    people = [d.encounter.combatants[k] for k in resolve(d.encounter, action.who)]
    if action.name.lower() == "none":
        aliased = [c for c in people if c.alias]
        if not aliased:
            raise RuleError(f"{people[0].name} has no alias")
        d.emit(*(ev.Changed(c.id, "alias", "") for c in aliased))
        return
    names = _number_names(d.encounter, check_name(action.name), len(people))
    for c, name in zip(people, names, strict=True):
        in_use = NamesInUse(d.encounter.combatants.values())
        in_use.drop(c)
        check_free(in_use, system.sides, name)
        d.emit(ev.Changed(c.id, "alias", name))
        check_places(d.encounter, system.sides, d.encounter.combatants[c.id], in_use)


def change_group(d: Draft, system: InitiativeSystem, who: str, name: str) -> None:
    """Make one row of several creatures, or a row of each if `name` is "". Raises RuleError."""
    ids = resolve(d.encounter, who)
    # The existing spelling is used; otherwise `group X orcs` would make a second group beside Orcs.
    name = next((g for g in groups(d.encounter) if g.lower() == name.lower()), name)
    before = {k: key_of(d.encounter.combatants[k]) for k in ids}
    if not name and not any(d.encounter.combatants[k].group for k in ids):
        raise RuleError(f"{who} is in no group")
    in_use = NamesInUse(d.encounter.combatants.values())
    for k in ids:
        in_use.drop(d.encounter.combatants[k])
        d.emit(ev.Changed(k, "group", name))
        check_places(d.encounter, system.sides, d.encounter.combatants[k], in_use)
        in_use.put(d.encounter.combatants[k])
    if d.encounter.running:
        system.regrouped(d, before)
