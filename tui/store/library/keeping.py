"""Write a condition that was made at the table into the library, with the keys that its line gave it."""

from __future__ import annotations

import os

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.combatant import ConditionText
from tui.core.language.creature_actions import Afflict
from tui.core.language.select import match_name
from tui.core.rules.transfer import giving_action
from tui.store.dependencies import Open
from tui.store.library.creatures import LENT_KEYS, write_condition
from tui.store.library.shelves import SHELVES, shelf_file, write_shelf_file


def keep_condition(store: Open, name: str, *, overwrite: bool = False) -> tuple[str, str]:
    """Write the condition of that name or unique beginning; return its name and path. Raises RuleError."""
    library = store.effects.library
    if library is None:
        raise RuleError("there is no library here")
    borne = [x for c in store.encounter.combatants.values() for x in c.conditions]
    if not borne:
        raise RuleError("no creature has a condition", "`condition WHO NAME` gives one")
    name = match_name(name, list({x.name.lower(): x.name for x in borne}.values()), "condition here")
    known = library.condition(name)
    line = _find_giving_line(store, name) or giving_action(next(x for x in borne if x.name == name))
    text = ConditionText(
        name, known.text if known else "", conc=line.conc, **{k: getattr(line, k) for k in LENT_KEYS}
    )
    path = shelf_file(library.folder, "condition", name)
    try:
        write_shelf_file(path, write_condition(text), overwrite=overwrite)
    except FileExistsError:
        where = f"{SHELVES['condition']}/{os.path.basename(path)}"
        hint = f"`keep condition {quote(name)} over=yes` writes over it"
        raise RuleError(f"there is already a file {where}", hint) from None
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
