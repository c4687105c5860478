"""Run the lines that use the library: `save`, imported creatures, conditions of the library.

The journal holds the values, so that no save needs the library later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import names_beginning, quote
from tui.core.fight.combatant import ConditionText, FightState, StatBlock, make_variant
from tui.core.language import actions as a
from tui.core.language.actions import Action
from tui.core.language.creature_actions import Add, Afflict
from tui.core.language.select import list_names, match_name, resolve, resolve_one, split_names
from tui.core.rules import transfer
from tui.core.rules.decide import draft_of
from tui.core.rules.health import players_sides
from tui.core.rules.newcomers import Borne, Newcomer, Sources, arrive, kind_name
from tui.core.rules.numbers import Roller
from tui.core.rules.system import Systems
from tui.core.views.log import Message
from tui.store.dependencies import Open, Result
from tui.store.library.creatures import LENT_KEYS, write_condition
from tui.store.library.shelves import keep_file, shelf_file, short_path

if TYPE_CHECKING:  # for the same reason as in dependencies
    from tui.store.library.service import Library


def run_save(store: Open, action: a.Save) -> Result:
    """Write creatures into the library; this is no step. Raises RuleError."""
    library, e = _require_library(store), store.encounter
    full = action.hp == "full"
    people = [e.combatants[k] for k in resolve(e, action.who)] if action.who else players_sides(e)
    if not people:
        hint = f"`save party {quote(action.name)} WHO` names them"
        raise RuleError(f"there is no creature to save as party {action.name}", hint)
    # A fixed place belongs to the fight in which it was given.
    creatures = [replace(c, value=None) for c in people]
    tables = transfer.write_tables(creatures, e, store.system, store.systems, full=full)
    path = library.keep_party(action.name, tables, system=e.system, overwrite=action.over)
    count = f"{len(creatures)} creature{'s' * (len(creatures) > 1)}"
    text = f"party {action.name}: {count} saved in {short_path(path)}"
    if dead := [c.name for c in creatures if c.dead and not full]:
        text += f", {list_names(dead)} as dead"
    return Result(store.step, (Message(text, "kept"),))


def _require_library(store: Open) -> Library:
    if store.effects.library is None:
        raise RuleError("there is no library here")
    return store.effects.library


def run_keep(store: Open, action: a.KeepInLibrary) -> Result:
    """Write a creature or a condition into the library; this is no step. Raises RuleError, NotSaved."""
    if action.what == "creature":
        name, path = _keep_creature(store, action)
    elif action.like:
        raise RuleError("a condition is kept under its own name", "`keep condition NAME`, without `as=`")
    else:
        name, path = keep_condition(store, action.name, overwrite=action.over)
    text = f"{name} is kept in {short_path(path)}" if path else f"the library has {name} already, alike"
    return Result(store.step, (Message(text, "kept"),))


def _keep_creature(store: Open, action: a.KeepInLibrary) -> tuple[str, str]:
    """Write a creature into the library, unhurt; return its name, and its path if it is new there.

    Raises RuleError, NotSaved.
    """
    library, e = _require_library(store), store.encounter
    c = e.combatants[resolve_one(e, action.name)]
    block = transfer.write_block(c, action.like or kind_name(c), store.system)
    if block.bare:
        raise RuleError(f"{c.name} has no numbers to keep", f"`set {quote(c.name)} hp=10` sets them")
    stem = "".join(x if x.isalnum() else "-" for x in block.name.lower()).strip("-") or "creature"
    try:
        done = library.stock_creatures(stem, [block], overwrite=action.over)
    except RuleError as error:
        # The hint of an import names an option of the command line.
        raise RuleError(error.message, "`over=yes` writes over it, `as=NAME` keeps both") from None
    return block.name, next(iter(done.paths), "")


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


def keep_imported(library: Library | None, stem: str, blocks: Sequence[StatBlock]) -> str:
    """Write creatures that joined a fight into the library too; return what was kept in words, "" for none.

    Players' characters are not kept; a creature of which the library has another of the same name stays as it
    is. Raises NotSaved.
    """
    foes = [b for b in blocks if not b.bare and b.fields.get("kind") != "pc" and not b.fields.get("owner")]
    new = [b for b in foes if library and not library.has(b.name)]
    if not new or library is None:
        return ""
    library.stock_creatures(stem, new)
    return f"{list_names([b.name for b in new])} kept in the library"


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


_KEY_GROUPS = (("rounds", "until", "of"), ("save", "dc"), ("at", "damage", "type", "heal", "note"))
"""Keys of a condition that belong together: if a line gives one of them, the library gives none of them."""


def name_mistake(action: Action, store: Open) -> list[str]:
    """Return notices on the name of a condition: the library's first mistake, and the name it only begins."""
    if not isinstance(action, Afflict):
        return []
    library = store.effects.library
    faults = library.conditions()[1][:1] if library and not library.condition(action.name) else []
    notices = [f"a mistake in the library: {mistake}" for mistake in faults]
    meant = find_begun(action.name, store)
    return notices + [f"{action.name} is taken as typed: did you mean {meant}?"] * bool(meant)


def find_begun(names: str, store: Open) -> str:
    """Return the only known condition that one of the names begins without equalling it, "" for none."""
    borne = [x.name for c in store.encounter.combatants.values() for x in c.conditions]
    for typed in split_names(names):
        known = {n.lower(): n for n in (*store.effects.stock("condition", typed), *borne)}
        fit = names_beginning(typed, list(known.values()))
        if len(fit) == 1 and fit[0].lower() != typed.lower():
            return fit[0]
    return ""


def _fill_from_library(action: Afflict, known: ConditionText) -> Afflict:
    """Return the line with those keys of the library that the line itself does not give."""
    borne_lines = {
        key: getattr(known, key)
        for keys in _KEY_GROUPS
        if not any(getattr(action, key) for key in keys)
        for key in keys
        if key in LENT_KEYS
    }
    return replace(action, conc=action.conc or known.conc, **borne_lines)


def keep_condition(store: Open, name: str, *, overwrite: bool = False) -> tuple[str, str]:
    """Write the condition of that name or unique beginning; return its name and path. Raises RuleError."""
    library = _require_library(store)
    borne = [x for c in store.encounter.combatants.values() for x in c.conditions]
    if not borne:
        raise RuleError("no creature has a condition", "`condition WHO NAME` gives one")
    name = match_name(name, list({x.name.lower(): x.name for x in borne}.values()), "condition here")
    known = library.condition(name)
    line = _find_giving_line(store, name) or transfer.giving_action(next(x for x in borne if x.name == name))
    text = ConditionText(
        name, known.text if known else "", conc=line.conc, **{k: getattr(line, k) for k in LENT_KEYS}
    )
    path = shelf_file(library.folder, "condition", name)
    keep_file(path, write_condition(text), overwrite=overwrite)
    return name, path


def _find_giving_line(store: Open, name: str) -> Afflict | None:
    """Return the last line that gave a condition of that name; None if there is none."""
    for step in range(store.step, 0, -1):
        line = store.done(step).line
        if line.startswith("condition "):
            action = store.parse(line)
            if isinstance(action, Afflict) and action.name.lower() == name.lower():
                return action
    return None
