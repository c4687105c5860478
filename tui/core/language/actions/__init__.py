"""What may be asked: requests in the imperative, as data, each with how it is written. A WHO stays as written."""

from __future__ import annotations

from tui.core.language.actions.base import OwnVerb, Request
from tui.core.language.actions.effects import EffectAction
from tui.core.language.actions.health import Afflict, HealthAction
from tui.core.language.actions.keeping import Join, Keeping, Save, Split
from tui.core.language.actions.play import PlayAction
from tui.core.language.actions.roster import Add, Load, Party, RosterAction
from tui.core.language.actions.table import Goto, Redo, TableAction, Travel, Undo

Deed = RosterAction | HealthAction | EffectAction | PlayAction | TableAction
"""Everything that the rules decide in the core's own words."""

Action = Deed | OwnVerb | Travel | Keeping

Stocked = Add | Party | Load | Afflict
"""What may name something that the library knows."""

__all__ = [
    "Action",
    "Add",
    "Deed",
    "Goto",
    "Join",
    "Keeping",
    "OwnVerb",
    "Redo",
    "Request",
    "Save",
    "Split",
    "Stocked",
    "Travel",
    "Undo",
]
