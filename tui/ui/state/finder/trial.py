"""What a line would do, found out without doing it: nothing is rolled and nothing written."""

from __future__ import annotations

from itertools import islice

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.actions import Goto, Redo, Undo
from tui.core.rules.decide import Rules, draft
from tui.core.views.log import story
from tui.store.history import target_of
from tui.store.store import Store
from tui.ui.state.messages import unread

MOST = 4
"""Messages that are told of what would happen."""


class Trial(Struct, frozen=True):
    """Why the line would be refused ("" when it would not), and what it would do."""

    refused: str = ""
    told: str = ""


class _ThrownError(Exception):
    """The line throws dice, whose result nobody may know before they fall."""


class _NoDice:
    def roll(self, sides: int) -> int:
        raise _ThrownError(sides)


def trial(store: Store, line: str) -> Trial:
    """What this line would do now."""
    e = store.encounter
    try:
        action = store.parse(line)
        if isinstance(action, Undo | Redo | Goto):
            return Trial(told=_travel(store, target_of(action, store.step, store.steps)))
        done = draft(e, action, Rules(store.systems, _NoDice()))
    except RuleError as error:
        return Trial(refused=error.message.replace("`", ""))
    except _ThrownError:
        return Trial(told="Dice are thrown for it")
    said = [
        m.text.replace("`", "") for m in islice(story(e, done.events, GAME_MASTER, store.system), MOST + 1)
    ]
    return Trial(told=" · ".join(said[:MOST]) + (" …" if len(said) > MOST else ""))


def _travel(store: Store, target: int) -> str:
    """`Undoes 6 steps: next, damage Orc 3, …`; orders are not read out, which the players may see."""
    back = target < store.step
    first, last = (target + 1, store.step) if back else (store.step + 1, target)
    count = last - first + 1
    lines = [unread(store.done(step).line) for step in islice(range(first, last + 1), MOST)]
    more = ", …" if count > MOST else ""
    return f"{'Undoes' if back else 'Brings back'} {count} step{'s' * (count != 1)}: {', '.join(lines)}{more}"
