"""The only mutable thing in the program: dispatch, undo, redo, and what the screens read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean
from tui.core.fight.apply import fold
from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter, members
from tui.core.fight.events import Event, Ordered
from tui.core.fight.viewer import GAME_MASTER, Viewer
from tui.core.language import actions as a
from tui.core.language.grammar import parse
from tui.core.page import Moment
from tui.core.rules.decide import Rules, draft
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, Systems, having, running
from tui.core.table import Table, Told
from tui.core.views.log import Message, count_moments, moments, story
from tui.core.views.player_page import numbered
from tui.core.views.table_for import table_for
from tui.store.dependencies import Result, StoreEffects
from tui.store.history import MOST_LOOKED_AT, History, Step, between_saves, target_of
from tui.store.journal.format import Record
from tui.store.library.crossing import kept, perform, stocked
from tui.store.problems import not_saved
from tui.store.validation import follows, state_error

Watcher = Callable[[int], None]
"""A callback for a change, told the last step that is as it was: those after it are new or other ones."""


class Store:
    """One fight: its history, its system, its journal. Screens read it and dispatch lines; nothing else."""

    def __init__(
        self, name: str, history: History, systems: Systems, effects: StoreEffects, record: int = 0
    ) -> None:
        self.name = name
        self.systems = systems
        self.effects = effects
        self._history = history
        self.record = record
        """The number of the last record in the journal."""
        self._watchers: list[Watcher] = []
        self._told: dict[Viewer, list[list[tuple[str, ...]] | int]] = {}
        """By step what each viewer was shown, or of a step long ago how many moments it was."""

    # --- reading

    @property
    def encounter(self) -> Encounter:
        """The encounter now."""
        return self._history.encounter

    @property
    def system(self) -> InitiativeSystem:
        """The system that runs the fight; when it is not there, one that shows and cannot go on."""
        return running(self.systems, self.encounter)

    @property
    def step(self) -> int:
        """How many lines are in force."""
        return self._history.position

    @property
    def steps(self) -> int:
        """How many lines there are, with those that can be redone."""
        return len(self._history)

    def done(self, step: int) -> Step:
        """Return the line of a step, from 1."""
        return self._history.step(step)

    def at(self, step: int) -> Encounter:
        """Return the encounter after this step."""
        return self._history.at(step)

    def messages(
        self, step: int, viewer: Viewer = GAME_MASTER, before: Encounter | None = None
    ) -> Iterator[Message]:
        """Say what happened in a step, in the words that this viewer may read, as far as they are asked for.

        `before` is the encounter before it, for those who have it already.
        """
        e = before or self.at(step - 1)
        after = self.encounter if step == self.step else None
        return story(e, self.done(step).events, viewer, running(self.systems, e), after)

    def table(self, viewer: Viewer = GAME_MASTER) -> Table:
        """Return the table as this viewer sees it, with what is known of the save."""
        if viewer.gm:
            number, texts = self.step, tuple(x.text for x in self.messages(self.step)) if self.step else ()
        else:
            shown = next(iter(self.heard(viewer, 1)), Moment(0, ()))
            number, texts = shown.step, shown.text
        return replace(
            table_for(self.encounter, self.system, viewer),
            save=self.name,
            step=number,
            can_undo=viewer.gm and self.step > 0,
            can_redo=viewer.gm and self.step < self.steps,
            last=tuple(Told(number, text) for text in texts),
        )

    def heard(self, viewer: Viewer, most: int) -> list[Moment]:
        """Return the latest moments that a player was shown, at most `most`, the last one now.

        Our own step numbers would tell a player how much happened unseen: a viewer's count is its own.
        """
        self.count([viewer])
        told = self._told[viewer]
        e = self.at(len(told))
        for step in range(len(told) + 1, self.step + 1):
            told.append(moments(self.messages(step, viewer, e)))
            e = fold(e, self.done(step).events)
        number = sum(x if isinstance(x, int) else len(x) for x in told)
        newest = list[Moment]()
        for step in range(self.step, 0, -1):
            if len(newest) >= most:
                break
            words = told[step - 1]
            if isinstance(words, int):
                told[step - 1] = words = moments(self.messages(step, viewer)) if words else []
            number -= len(words)
            newest = [*numbered(words, number), *newest]
        return newest[-most:]

    def count(self, viewers: Iterable[Viewer]) -> None:
        """Count the moments of viewers who come to a long fight in one pass, as far as nobody was hidden."""
        new = [viewer for viewer in viewers if not self._told.get(viewer)]
        told, e = [self._told.setdefault(viewer, []) for viewer in new], self.at(0)
        for step in range(1, self.step + 1 if new else 0):
            events = self.done(step).events
            numbers = count_moments(e, events, new, running(self.systems, e))
            if numbers is None:
                return
            for mine, number in zip(told, numbers, strict=True):
                mine.append(number)
            e = fold(e, events)

    def watch(self, watcher: Watcher) -> None:
        """Register a callback for every change."""
        self._watchers.append(watcher)

    def absorb(self, steps: Sequence[Record[Event]]) -> str:
        """Apply records that another process wrote: the same fight, further on.

        Why the first that cannot have happened cannot, "" when all could; those before it are taken in.
        """
        back, why = self.step, ""
        for record in steps:
            # Checked before it is folded: another process wrote it, and the file may be a stranger's.
            if why := follows(self._history, record, self.systems):
                break
            replay(self._history, (record,))
            self.record = record.number
            back = min(back, self.step)
        self._changed(back)
        return why

    def restart(self, history: History, record: int) -> None:
        """Start another fight, or the same from before: the file that was read is another one now."""
        self._history, self.record = history, record
        self._changed(0)

    # --- changing

    def parse(self, line: str) -> a.Action:
        """Return the action a line asks for, in the running system's words. Raises RuleError."""
        return parse(_asked(line), {v.name for v in self.system.verbs}, partial(having, self.systems))

    def run(self, line: str, *, last: bool = False, by: str = "") -> Result:
        """Run one line, accepted whole or refused whole.

        `last`: given dice must be used up by it. `by`: see Record.

        Raises RuleError (the rules or the state say no) or NotSaved (the disk says no); nothing has changed.
        """
        before = self.record
        try:
            return self._run(line, last=last, by=by)
        except OSError as error:
            # No descriptor is left for a file or a module that the line needs: the line is refused, the fight
            # goes on.
            if self.record != before:
                raise
            raise not_saved(error) from error

    def _run(self, line: str, *, last: bool, by: str) -> Result:
        action, asked = self.parse(line), _asked(line)
        if isinstance(action, a.Undo | a.Redo | a.Goto):
            return self._travel(action, asked, last=last, by=by)
        if isinstance(action, a.Save | a.Split | a.Join):
            _used_up(self.effects.dice, last=last)
            return perform(self, action, asked)
        return self._play(action, asked, last=last, by=by)

    def accept(self, asked: str, d: Draft, by: str = "") -> Result:
        """Write a step that has been decided, then show it. Raises NotSaved."""
        events, after = tuple(d.events), d.encounter
        at = self.effects.clock()
        # First the journal, then memory: a refused write leaves nothing to take back (promise 3).
        self._write(at, asked, events, by=by)
        dropped = self._history.push(Step(at, asked, events), after)
        lost = f"{dropped} undone step{'s' * (dropped > 1)} can no longer be redone"
        notices = tuple(Message(text, "notice") for text in d.notices)
        notices += (Message(lost, "dropped"),) if dropped else ()
        self._changed(self.step - 1)
        return Result(self.step, notices, partial(self.messages, self.step))

    def _changed(self, since: int) -> None:
        """Report a change: the steps after `since` are new or other ones."""
        for told in self._told.values():
            del told[since:]
        for watcher in self._watchers:
            watcher(since)

    def _play(self, action: a.Action, asked: str, *, last: bool, by: str) -> Result:

        dice = self.effects.dice
        how = "app" if _given(self.effects.dice) is None else "given"
        shelves, e, system = self.effects.library, self.encounter, self.system
        library = None
        if shelves and isinstance(action, a.LibraryAction):
            action, library = stocked(action, shelves), kept(shelves, e, system)
        d = draft(e, action, Rules(self.systems, dice, how, library))
        _used_up(self.effects.dice, last=last)
        if not by and isinstance(action, a.Order):
            d.events[:] = [_of_the_gm(e, event) for event in d.events]
        return self.accept(asked, d, by)

    def _travel(self, action: a.Travel, asked: str, *, last: bool, by: str) -> Result:
        target = target_of(action, self.step, self.steps)
        back, first, end = target < self.step, min(target, self.step) + 1, max(target, self.step) + 1
        passed = ((n, self.done(n).line) for n in range(first, min(end, first + MOST_LOOKED_AT)))
        messages = tuple(Message(text, "travel") for text in between_saves(passed, back=back))
        _used_up(self.effects.dice, last=last)
        # A state that no system reads would leave a screen from which no one can undo.
        _must_make_sense(self, target)
        direction = "back at" if back else "forward at"
        self._write(self.effects.clock(), asked, (), target, by)
        self._history.goto(target)
        self._changed(first - 1)
        what = self.done(target).line if target else "the beginning"
        return Result(target, (Message(f"{direction} step {target}: {what}", "travel"), *messages))

    def _write(
        self, at: str, line: str, events: tuple[Event, ...], to: int | None = None, by: str = ""
    ) -> None:
        self.effects.ledger.append(Record(self.record + 1, at, line, events, to, by))
        self.record += 1


def _of_the_gm(e: Encounter, event: Event) -> Event:
    """Mark an order that the GM writes in place of a player's, so that the log says who wrote it."""
    if not isinstance(event, Ordered) or not e.orders.get(event.who):
        return event
    return replace(event, gm=any(c.owner for c in members(e, event.who)))


def _given(dice: Dice) -> tuple[int, ...] | None:
    """Return the given faces that are not rolled yet; None for dice that never end."""
    return getattr(dice, "left", None)


def _used_up(dice: Dice, *, last: bool) -> None:
    if last and (left := _given(dice)):
        raise RuleError(f"faces are left over: {', '.join(map(str, left))}", "give as many as are rolled")


def _asked(line: str) -> str:
    """Return a line from outside, cleaned. Raises RuleError when it is too long."""
    # Before cleaning, which takes time by the length of the line.
    if len(line) > LONGEST_LINE:
        raise RuleError(f"the line has {len(line)} characters", f"{LONGEST_LINE} at the most")
    return clean(line, LONGEST_LINE).strip()


def _must_make_sense(store: Store, step: int) -> None:
    """Raise RuleError over a state that a foreign journal holds and that no system can read."""
    e = store.at(step)
    if state_error(e, store.systems):
        raise RuleError(f"step {step} cannot have happened", f"`tocsin check {store.name}` finds it")


def replay(history: History, steps: Iterable[Record[Event]]) -> History:
    """Advance a history by a journal's records."""
    history.load((None if s.to is not None else Step(s.at, s.line, s.events), s.to or 0) for s in steps)
    return history
