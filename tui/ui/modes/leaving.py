"""The question before a line that changes the system or undoes a player's line."""

from __future__ import annotations

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.encounter import Encounter, label
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.actions import System, Undo
from tui.core.language.select import list_names
from tui.core.language.values import spell
from tui.core.rules.decide import Rules, draft
from tui.core.rules.other_systems import list_bonuses
from tui.core.rules.upkeep import all_owed
from tui.core.views.log import hide_order, story
from tui.core.views.table_for import say_now
from tui.store.history import subject_of_line
from tui.store.store import Store
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints
from tui.ui.modes.page import Page
from tui.ui.state.scene import Scene
from tui.ui.text.press import Press

MOST_NAMED = 6
"""The most names in a row; further ones are counted."""


def leaving_page(store: Store, line: str) -> Page | None:
    """Return the page that asks before a line changes the system or undoes a player's line, or None."""
    e = store.encounter
    if line.startswith("undo"):
        return _ask_undo(store, line)
    if not line.startswith("system "):
        return None
    try:
        action = store.parse(line)
        if not isinstance(action, System) or action.bonus:
            return None
        done = draft(e, action, Rules(store.systems, store.effects.dice))
    except RuleError:
        return None  # the rules refuse it, and say why
    after, system = done.encounter, store.systems.get(action.system)
    kept = list_bonuses(e.combatants.values(), store.system, system)
    if not e.running and not kept:
        return None
    title = system.title
    acting = f", the turn of {label(e, e.acting)}" if e.turn else ""
    order = [f"round {e.round}{acting}, and the order of the rows"] if e.running else []
    owing = list(dict.fromkeys(label(e, ask.who) for ask in all_owed(e, store.system)))
    owed = [f"what is owed: {list_names(owing, MOST_NAMED)}"] if owing else []
    ends = [*order, *owed, *_list_lost(e, after)]
    stays = ["all creatures with hit points, sides, groups, notes and cards", *_list_kept(after)]
    told = (
        *(m.text for m in story(e, done.events, GAME_MASTER, store.system)),
        *(() if kept else done.notices),
    )
    changes = [x.replace("`", "") for x in told]
    question = f"End round {e.round} for" if e.running else "Change to"
    takes = f"{store.system.modifier}= as {system.modifier}=" if kept else ""
    values = list_names(
        [f"{e.combatants[who].name} {spell(value)}" for who, value in kept.items()], MOST_NAMED
    )
    also = f", [b] also takes {takes} ({values})" if kept else ""
    return SystemQuestion(
        f"System: {store.system.title} to {title}",
        (
            *(f"{'ends' if not i else '':<8} {x}" for i, x in enumerate(ends)),
            *(f"{'stays' if not i else '':<8} {x}" for i, x in enumerate(stays)),
            *(f"{'changes' if not i else '':<8} {x}" for i, x in enumerate(changes)),
            f"{'then':<8} {say_now(after, system)}",
        ),
        asks=f"{question} {title}? [y] changes{also}, [Esc] stays",
        line=line,
        takes=takes,
    )


class SystemQuestion(Page, frozen=True):
    """The question before a change of the system."""

    takes: str = ""
    """The bonus to the roll that `b` takes along, "" for none."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key: `b` changes the system and takes the bonus along."""
        if key.name != "b" or not self.takes:
            Page.press(self, desk, key)
        elif desk.may_answer():
            desk.dismiss()
            desk.run(f"{self.line} bonus=yes")

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        yes, *others = Page.hints(self, scene)
        return (yes, *([("b", f"takes {self.takes}")] if self.takes else []), *others)


def _ask_undo(store: Store, line: str) -> Page | None:
    """Return the page that asks before lines of players are undone, None if the undo has none."""
    try:
        action = store.parse(line)
        if not isinstance(action, Undo) or action.player:
            return None
        if action.mine:
            return _ask_own_undo(store, action, line)
        steps = [store.done(n) for n in range(store.step, store.move_of(action).to, -1)]
    except RuleError:
        return None
    theirs = [f"{store.player(x)}: {hide_order(x.line)}" for x in steps if x.by]
    if not theirs:
        return None
    told = (
        "The player sees this, and the text becomes a draft again.",
        "u takes back your own last step.",
    )
    names = [(f"{store.player(x)}'s " if x.by else "") + subject_of_line(x.line) for x in steps]
    asks = f"Undo {list_names(names, 2)}? [y] undoes it, [Esc] goes back"
    body = (*theirs[:MOST_NAMED], "", *told)
    return UndoQuestion("Undo what a player sent", body, asks=asks, line=line, record=store.record)


class UndoQuestion(Page, frozen=True):
    """The question before an undo that takes lines of players."""

    record: int = 0
    """The last record when the question was asked."""
    player: str = ""
    """The player whose line `h` takes back alone, "" for none."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key: `h` takes back the player's line, and `u` repeats the question."""
        if key.name in ("y", "h") and desk.store.record != self.record:
            # A player's line that came meanwhile may be one more that falls.
            desk.dismiss()
            desk.submit(self.line)
            if desk.view.mode is not None:
                desk.notify("a line came before that key: read the question again", "hint")
        elif key.name == "h" and self.player:
            if desk.may_answer():
                desk.dismiss()
                desk.run(f"undo player={quote(self.player)}")
        elif key.name == "u":
            desk.notify(self.asks, "hint")
        else:
            Page.press(self, desk, key)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        yes, *others = Page.hints(self, scene)
        return (yes, *([("h", f"only {self.player}'s")] if self.player else []), *others)


def _ask_own_undo(store: Store, action: Undo, line: str) -> Page | None:
    """Return the page that asks before the game master's undo ends lines of players, None if it ends none."""
    took, lost = store.steps_lost(action)
    if not lost:
        return None
    last = store.done(lost[-1])
    player = store.player(last)
    # Only a line that no step of the game master's follows can be taken back alone.
    alone = player if lost[-1] > took[-1] else ""
    gone = [f"{store.player(x)}: {hide_order(x.line)}" for x in map(store.done, lost)]
    names = [subject_of_line(store.done(n).line) for n in reversed(took)]
    theirs = list_names(list(dict.fromkeys(f"{store.player(store.done(n))}'s" for n in reversed(lost))), 2)
    lines = "line" if len(lost) == 1 else "lines"
    only = f", [h] only {player}'s {subject_of_line(last.line)}" if alone else ""
    every = "both" if len(took) == len(lost) == 1 else "all"
    asks = f"Undo {list_names(names, 2)}, and {theirs} {lines}? [y] {every}{only}, [Esc] goes back"
    told = "These no longer count without it; each player sees this, and the text becomes a draft again."
    text = (*gone[:MOST_NAMED], "", told)
    title = "Undo what players' lines need"
    return UndoQuestion(title, text, asks=asks, line=line, record=store.record, player=alone)


def _list_lost(e: Encounter, after: Encounter) -> list[str]:
    """Return which written orders and conditions are in `e` but not in `after`, as words."""
    orders = [label(e, key) for key in e.orders]
    losses = [f"orders of {list_names(orders, MOST_NAMED)}"] if orders and not after.orders else []
    gone = [
        f"{x.name} ({c.name})"
        for c in e.combatants.values()
        for x in c.conditions
        if c.id in after.combatants and x.key not in {y.key for y in after.combatants[c.id].conditions}
    ]
    return losses + ([f"conditions: {list_names(gone, MOST_NAMED)}"] if gone else [])


def _list_kept(after: Encounter) -> list[str]:
    conditions = [f"{x.name} ({c.name})" for c in after.combatants.values() for x in c.conditions]
    counters = [f"{x.name} ({c.name})" for c in after.combatants.values() for x in c.counters]
    counted = (("conditions", conditions), ("counters", counters))
    return [f"{title}: {list_names(names, MOST_NAMED)}" for title, names in counted if names]
