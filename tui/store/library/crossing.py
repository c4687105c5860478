"""Run the lines that reach outside the fight: `save`, `split`, `join`, and conditions of the library.

The journal holds the values, so that no save needs the library later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean, cut_text, quote
from tui.core.fight.combatant import Combatant, ConditionText, FightState, StatBlock, make_variant
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Added
from tui.core.language import actions as a
from tui.core.language.actions import Action
from tui.core.language.creature_actions import Add, Afflict, Set
from tui.core.language.select import list_names, resolve
from tui.core.rules import roster, transfer
from tui.core.rules.creature_fields import Borne, Kept, Newcomer, Sources
from tui.core.rules.decide import draft_of
from tui.core.rules.health import players_sides
from tui.core.rules.newcomers import arrive
from tui.core.rules.numbers import Roller
from tui.core.rules.system import InitiativeSystem, Systems
from tui.core.rules.transfer import add_known, count_from_now, names_taken
from tui.core.views.log import Message
from tui.store.dependencies import Open, OpenOther, Result, Roster
from tui.store.drawing import check_drawn
from tui.store.problems import NotSaved

if TYPE_CHECKING:  # for the same reason as in dependencies
    from tui.store.library.service import Library

MOST_HELD = 200
"""The most characters of a card in the line under which its step is stored."""


def run_crossing(store: Open, action: a.Keeping, line: str) -> Result:
    """Run the action. Raises RuleError or NotSaved; then neither fight has changed."""
    match action:
        case a.Save():
            return _run_save(store, action)
        case a.Split():
            return _run_split(store, action, line)
        case a.Join():
            return _run_join(store, action, line)


def _run_save(store: Open, action: a.Save) -> Result:
    """Write creatures into the library. This is no step, so there is nothing to undo."""
    library, e = store.effects.library, store.encounter
    if library is None:
        raise RuleError("there is no library here")
    kind: Roster = "party" if action.what == "party" else "encounter"
    full = action.hp == "full"
    people = _creatures_to_save(store, action, kind)
    # Creatures that are out are left out, except from a party or with `hp=full`.
    creatures = [c for c in people if full or kind == "party" or not c.out]
    if not creatures:
        hint = f"`save {kind} {quote(action.name)} WHO` names them"
        raise RuleError(f"there is no creature to save as {kind} {action.name}", hint)
    if kind == "party":
        # A fixed place belongs to the fight in which it was given.
        creatures = [replace(c, value=None) for c in creatures]
    tables = transfer.write_tables(creatures, e, store.system, store.systems, full=full)
    path = library.keep(kind, action.name, tables, system=e.system, overwrite=action.over)
    # Only folder and name are shown: the full path of the saves is long, and the user chose it.
    where = "/".join(path.split("/")[-2:])
    text = f"{kind} {action.name}: {len(creatures)} creature{'s' * (len(creatures) > 1)} saved in {where}"
    if dead := [c.name for c in creatures if c.dead and not full]:
        text += f", {list_names(dead)} as dead"
    return Result(store.step, (Message(text, "kept"),))


def _creatures_to_save(store: Open, action: a.Save, kind: Roster) -> list[Combatant]:
    e = store.encounter
    if action.who:
        return [e.combatants[k] for k in resolve(e, action.who)]
    return players_sides(e) if kind == "party" else transfer.opposition(e)


def add_imported(
    store: Open,
    systems: Systems,
    blocks: Sequence[StatBlock],
    line: str,
    amounts: Mapping[str, str],
    base_names: Mapping[str, str] = MappingProxyType({}),
    fight_states: Mapping[str, FightState] = MappingProxyType({}),
) -> Result:
    """Add imported creatures to this fight in one step. Raises RuleError, NotSaved.

    `amounts`, `base_names` and `fight_states` are as in Gathered. A creature with only a name, and values
    that a row of an encounter leaves out, are filled from the library.
    """
    e, dice = store.encounter, store.effects.dice
    sources = Sources(systems, Roller(dice))
    library = store.effects.library

    def known(b: StatBlock) -> StatBlock:
        if not library or not (b.bare or b.name in base_names):
            return b
        base = library.creature(base_names.get(b.name) or b.name)
        if base is None:
            return b
        # A creature with the library's name is written with the library's spelling of it.
        return make_variant(base, replace(b, name=base.name) if b.name.lower() == base.name.lower() else b)

    def newcomer(b: StatBlock) -> Newcomer:
        stands = fight_states.get(b.name, FightState({}))
        add = Add(b.name, amounts.get(b.name, ""), keys=dict(stands.keys))
        return Newcomer(add, Borne(conditions=stands.conditions))

    coming = [transfer.add_known(newcomer(b), known(b), e, store.system) for b in blocks]
    return store.accept(line, draft_of(e, store.system, lambda d, system: arrive(d, system, coming, sources)))


def set_card(store: Open, systems: Systems, who: str, text: str) -> Result:
    """Set the card of a creature; the step is stored under a shortened line. Raises RuleError, NotSaved."""
    name = store.encounter.combatants[who].name
    action = Set(name, {"card": text})
    sources = Sources(systems, Roller(store.effects.dice))
    run = roster.run_roster_action
    d = draft_of(store.encounter, store.system, lambda d, system: run(d, system, action, sources))
    return store.accept(f"set {quote(name)} card={quote(cut_text(clean(text), MOST_HELD))}", d)


# --- from save to save


def _run_split(store: Open, action: a.Split, line: str) -> Result:
    """Move creatures to another save: one step there, then one here."""
    e = store.encounter
    people = transfer.pick_leaving(e, action.who)
    leaving = transfer.remove_leaving(e, people, store.system)
    with _open_other(store)(action.save, e.system, e.options) as other:
        there, ends = other.store, (other.end_here(), other.end_there())
        came = f"{store.name} {ends[0]}"
        known = _has_arrived(there, people, came)
        check_drawn(e, leaving.encounter, store.systems)
        if not known:
            coming = transfer.add_coming(
                there.encounter, people, there.system, store.system, store.systems, came
            )
            there.accept(f"join {quote(store.name)} {quote(_join_names(people))}", coming)
        with _explain_half_done(
            people,
            store,
            there,
            lambda: (known or other.end_there() != ends[1]) and other.end_here() == ends[0],
        ):
            # The newcomers are on the disk before the old ones are removed: a power cut may double them, but
            # never lose them.
            other.settle()
            done = store.accept(line, leaving)
            other.settle()
        return done


def _run_join(store: Open, action: a.Join, line: str) -> Result:
    """Bring creatures from another save: one step here, then one there."""
    with _open_other(store)(action.save, "", {}) as other:
        there, ends = other.store, (other.end_here(), other.end_there())
        people = transfer.pick_leaving(there.encounter, action.who)
        gone = transfer.remove_leaving(there.encounter, people, there.system)
        check_drawn(there.encounter, gone.encounter, there.systems)
        came = f"{there.name} {ends[1]}"
        known = _has_arrived(store, people, came)
        if known:
            words = f"{list_names([c.name for c in people])} were here; now they have left {there.name}"
            done = Result(store.step, (Message(words, "notice"),))
        else:
            done = store.accept(
                line,
                transfer.add_coming(store.encounter, people, store.system, there.system, store.systems, came),
            )
        with _explain_half_done(
            people,
            store,
            there,
            lambda: (known or other.end_here() != ends[0]) and other.end_there() == ends[1],
        ):
            other.settle()
            there.accept(f"split {quote(_join_names(people))} {quote(store.name)}", gone)
            other.settle()
        return done


def _has_arrived(store: Open, people: Sequence[Combatant], came: str) -> bool:
    """Return whether an earlier, interrupted try has already brought these creatures into this save.

    `came` names the save that they leave, its last record and that record's seal: while these are unchanged,
    the creatures are the same.
    """
    e = store.encounter
    events = (event for step in range(1, store.step + 1) for event in store.done(step).events)
    arrived = {x.c.name for x in events if isinstance(x, Added) and x.came == came and x.c.id in e.combatants}
    return arrived.issuperset(c.name for c in people)


@contextmanager
def _explain_half_done(
    people: Sequence[Combatant], here: Open, there: Open, stands: Callable[[], bool]
) -> Iterator[None]:
    """Name the creatures in a NotSaved of the block if they are now in both saves (`stands`).

    Raises NotSaved.
    """
    # Nothing is taken back: a record that was refused may still reach the disk, and both saves would then
    # lose the creatures.
    try:
        yield
    except NotSaved as error:
        if not stands():
            raise
        who = list_names([c.name for c in people])
        words = f"{error.message}; now in both {here.name} and {there.name}: {who}"
        hint = "put that right and send the line again: it does the rest"
        raise NotSaved(words, hint, error.code) from None


def _open_other(store: Open) -> OpenOther:
    if store.effects.other is None:
        raise RuleError("no other save can be reached from here")
    return store.effects.other


def _join_names(people: Sequence[Combatant]) -> str:
    return ",".join(c.name for c in people)


def fill_condition(action: Action, library: Library) -> Action:
    """Return a `condition` action with the library's keys for that condition. Raises RuleError."""
    if isinstance(action, Afflict):
        for name in action.name.split(",") if "," in action.name else ():
            known = library.condition(name.strip())
            if known and _fill_from_library(action, known) != action:
                line = f"`condition {quote(action.who)} {quote(known.name)}`"
                raise RuleError(
                    f"{known.name} has its own keys in the library: give each condition in its own line", line
                )
        known = library.condition(action.name)
        return _fill_from_library(action, known) if known else action
    return action


_LENT_KEYS = (("rounds", "until", "of"), ("save", "dc"), ("at", "damage", "type", "heal", "note"))
"""Keys of a condition that belong together: if a line gives one of them, the library gives none of them."""


def name_mistake(action: Action, library: Library) -> list[str]:
    """Return the first mistake in the files of conditions if they lack the one that is given."""
    if not isinstance(action, Afflict) or library.condition(action.name):
        return []
    return [f"a mistake in the library: {mistake}" for mistake in library.conditions()[1][:1]]


def _fill_from_library(action: Afflict, known: ConditionText) -> Afflict:
    """Return the line with those keys of the library that the line itself does not give."""
    borne_lines = {
        key: getattr(known, key)
        for keys in _LENT_KEYS
        if not any(getattr(action, key) for key in keys)
        for key in keys
        if key != "of"
    }
    return replace(action, conc=action.conc or known.conc, **borne_lines)


def library_for_fight(library: Library, e: Encounter, system: InitiativeSystem) -> Kept:
    """Return the library as the rules use it in this fight.

    A creature without hit points in a file is filled from the library if its name is known; rounds of arrival
    count from the current round.
    """

    def known(coming: Newcomer) -> Newcomer:
        block = library.creature(coming.add.name)
        return add_known(coming, block, e, system) if block else coming

    def read(file: str, kind: Roster) -> list[Newcomer]:
        members = library.newcomers(file, kind, system)
        if twice := names_taken(members, e):
            names = ", ".join(twice[:6]) + (" …" if len(twice) > 6 else "")
            line = f"`remove {quote(','.join(twice))}` makes room"
            raise RuleError(f"{names} {'are' if len(twice) > 1 else 'is'} here already", line)
        newcomers = (x if {"hp", "max_hp"} & set(x.add.keys) else known(x) for x in members)
        return [count_from_now(x, e) for x in newcomers]

    return Kept(read, lambda add: known(Newcomer(add)))
