"""Hold the fight that a process has open: run lines, undo and redo; screens read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from msgspec import UNSET
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
from tui.core.language.select import list_names
from tui.core.page import LogMoment
from tui.core.rules.complete import join_known_names
from tui.core.rules.decide import Rules, draft
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, Systems, running_system, system_with_verb
from tui.core.table import Table, Told
from tui.core.views.log import Message, count_moments, moments, story, without_echo
from tui.core.views.marker import Marker, find_marker
from tui.store.dependencies import Result, StoreEffects
from tui.store.history import (
    History,
    Jump,
    LateLine,
    Step,
    count_kept_steps,
    find_move,
    find_own_steps,
    replay,
    sent_key,
    step_from_run,
    subject_of_line,
)
from tui.store.journal.format import Record
from tui.store.library.library_lines import fill_condition, name_mistake, run_keep, run_save
from tui.store.problems import from_os_error
from tui.store.sent import find_mine, player_of_seat, take_out_steps
from tui.store.sources import SeededDice
from tui.store.validation import check_drawn, check_drawn_at, draw_table, explain_impossible, state_error

Watcher = Callable[[int], None]
"""A callback for a change; the argument is the last unchanged step: later steps are new or different."""


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
        self._markers: dict[Viewer, Marker] = {}
        self._told: dict[Viewer, list[list[tuple[str, ...]] | int]] = {}
        """For each viewer and step, the moments that were shown; for an early step only their number."""

    # --- reading

    @property
    def encounter(self) -> Encounter:
        """The present encounter."""
        return self._history.encounter

    @property
    def system(self) -> InitiativeSystem:
        """The system that runs the fight; if it cannot be loaded, `Absent`, which only shows the fight."""
        return running_system(self.systems, self.encounter)

    @property
    def step(self) -> int:
        """The number of lines in force."""
        return self._history.position

    @property
    def steps(self) -> int:
        """The number of lines, including those that can be redone."""
        return len(self._history)

    def done(self, step: int) -> Step:
        """Return the line of a step; the first step is 1."""
        return self._history.step(step)

    @property
    def redoable(self) -> int:
        """The number of steps that can be redone."""
        return self._history.redoable

    def move_of(self, action: a.Travel) -> Jump:
        """Return the move of an undo, redo or goto. Raises RuleError for a missing step."""
        return find_move(action, self._history)

    def steps_lost(self, action: a.Undo) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the steps that a personal undo takes out, rising, and players' later steps that it ends.

        Raises RuleError for a missing step.
        """
        took = self.steps_taken(action)
        # Dice that are never recorded: this is only a look.
        shortened = take_out_steps(self._history, took, self.systems, SeededDice(0))
        ran = {run.n for run in shortened.rerun}
        later = range(took[0], self.step + 1)
        return took, tuple(n for n in later if self.done(n).by and n not in ran and n not in took)

    def steps_taken(self, action: a.Undo) -> tuple[int, ...]:
        """Return the steps that a personal undo takes out, rising. Raises RuleError for a missing step."""
        if not action.player:
            return find_own_steps(self._history, action.steps)
        name, last = action.player.lower(), self._history.last_own_step
        theirs = (n for n in range(self.step, last, -1) if self.player(self.done(n)).lower() == name)
        if found := next(theirs, 0):
            return (found,)
        raise RuleError(
            f"{action.player} has sent no line since your last step", "`undo` takes back the last step"
        )

    def player(self, step: Step) -> str:
        """Return the player from whose seat a step came; "" for a step of the game master."""
        return player_of_seat(self.encounter, step.seat) if step.by else ""

    def at(self, step: int) -> Encounter:
        """Return the encounter after this step."""
        return self._history.at(step)

    def marker(self, viewer: Viewer) -> Marker:
        """Return the moment of the fight that a viewer is shown; for the game master that of now."""
        marker = find_marker(self._history, viewer, self.systems, self._markers.get(viewer))
        self._markers[viewer] = marker
        return marker

    def messages(
        self, step: int, viewer: Viewer = GAME_MASTER, before: Encounter | None = None
    ) -> Iterator[Message]:
        """Yield the messages of a step in the words that this viewer may read.

        `before` is the encounter before it, if the caller has it.
        """
        e = before or self.at(step - 1)
        after = self.encounter if step == self.step else None
        told = story(e, self.done(step).events, viewer, running_system(self.systems, e), after)
        late = self._history.late_at(step) if viewer.gm else ()
        return chain(told, (Message(f"{x.by}: {x.line}", "late") for x in late)) if late else told

    def table(self, viewer: Viewer = GAME_MASTER) -> Table:
        """Return the table as this viewer sees it, with the save's name, step and last messages.

        Raises JournalError if it cannot be drawn.
        """
        marker = self.marker(viewer)
        table = draw_table(marker.encounter, self.systems, viewer, self.name, self.step)
        if viewer.gm:
            number, texts = self.step, tuple(x.text for x in self.messages(self.step)) if self.step else ()
        else:
            shown = next(iter(self.heard(viewer, 1)), LogMoment(0, ()))
            number, texts = shown.step, shown.text
        return replace(
            table,
            save=self.name,
            step=number,
            can_undo=viewer.gm and self.step > 0,
            can_redo=viewer.gm and self.redoable > 0,
            last=tuple(Told(number, text) for text in texts),
            mine=UNSET if viewer.gm else find_mine(self._history, viewer.name, marker.since),
        )

    def heard(self, viewer: Viewer, most: int) -> list[LogMoment]:
        """Return the latest moments that a player was shown, at most `most`, in order.

        They have numbers of their own, because our step numbers would reveal how much happened unseen.
        """
        self.count([viewer])
        told = self._told[viewer]
        e = self.at(len(told))
        for step in range(len(told) + 1, self.step + 1):
            told.append(moments(self.messages(step, viewer, e)))
            e = fold(e, self.done(step).events)
        kept = {step: self._begun(step, viewer, most) for step, most in self.marker(viewer).told.items()}
        # Without a list of the words of all steps: at 5,000 steps it took half of the time.
        number = sum(x if isinstance(x, int) else len(x) for x in told)
        for step, begun in kept.items():
            words = told[step - 1]
            number += len(begun) - (words if isinstance(words, int) else len(words))
        newest = list[LogMoment]()
        for step in range(self.step, 0, -1):
            if len(newest) >= most:
                break
            words = kept.get(step, told[step - 1])
            if isinstance(words, int):
                told[step - 1] = words = moments(self.messages(step, viewer)) if words else []
            number -= len(words)
            newest = [*(LogMoment(number + at, texts) for at, texts in enumerate(words, 1)), *newest]
        return newest[-most:]

    def _begun(self, step: int, viewer: Viewer, most: int) -> list[tuple[str, ...]]:
        """Return the moments of the first `most` events of a step."""
        e = self.at(step - 1)
        return moments(story(e, self.done(step).events[:most], viewer, running_system(self.systems, e)))

    def count(self, viewers: Iterable[Viewer]) -> None:
        """Count the moments of new viewers in one pass, up to the first step in which somebody was hidden."""
        new = [viewer for viewer in viewers if not self._told.get(viewer)]
        told, e = [self._told.setdefault(viewer, []) for viewer in new], self.at(0)
        for step in range(1, self.step + 1 if new else 0):
            events = self.done(step).events
            numbers = count_moments(e, events, new, running_system(self.systems, e))
            if numbers is None:
                return
            for mine, number in zip(told, numbers, strict=True):
                mine.append(number)
            e = fold(e, events)

    def watch(self, watcher: Watcher) -> None:
        """Register a callback for every change."""
        self._watchers.append(watcher)

    def absorb(self, steps: Sequence[Record[Event]]) -> str:
        """Apply records that another process wrote; return why the first impossible one is impossible, or "".

        The records before an impossible one are applied.
        """
        back, reason = self.step, ""
        for record in steps:
            # Checked before it is applied: another process wrote it, and the file may be a stranger's.
            if reason := explain_impossible(self._history, record, self.systems):
                break
            back = min(back, count_kept_steps(self._history, record))
            replay(self._history, (record,))
            self.record = record.number
            back = min(back, self.step)
        self._report_change(back)
        return reason

    def restart(self, history: History, record: int) -> None:
        """Replace the history by one that was read from an exchanged file; every step counts as changed."""
        self._history, self.record = history, record
        self._report_change(0)

    # --- changing

    def parse(self, line: str) -> a.Action:
        """Return the action of a line, with the verbs of the running system. Raises RuleError."""
        return parse(
            _clean_line(line), {v.name for v in self.system.verbs}, partial(system_with_verb, self.systems)
        )

    def is_known(self, by: str, id_: str) -> bool:
        """Return whether this player's line was accepted before, even if it no longer counts."""
        return sent_key(by, id_) in self._history.known

    def run(self, line: str, *, last: bool = False, by: str = "", id_: str = "") -> Result:
        """Run one line; it is accepted or refused as a whole.

        With `last`, all given faces must be used. `by` and `id_` are as in Record. Raises RuleError (refused
        by the rules or the state) or NotSaved (by the disk); nothing has changed then.
        """
        before = self.record
        try:
            return self._run_line(line, last=last, by=by, id_=id_)
        except OSError as error:
            # No file descriptor is left for a file or module that the line needs: the line is refused, and
            # the fight goes on.
            if self.record != before:
                raise
            raise from_os_error(error) from error

    def keep_late(self, line: str, by: str, id_: str) -> None:
        """Write a player's line that came too late; it is no step. Raises NotSaved."""
        self._write_record(Record(self.record + 1, self.effects.clock(), line, by=by, id=id_))
        self._history.keep_late(LateLine(by, id_, line))
        self._report_change(max(0, self.step - 1))

    def _run_line(self, line: str, *, last: bool, by: str, id_: str) -> Result:
        # A player's line is written by a form, and must not tell which names there are.
        raw_line = _clean_line(line)
        if not by:
            raw_line = join_known_names(raw_line, self.encounter, self.system)
        action = self.parse(raw_line)
        if not isinstance(action, a.Undo | a.Redo | a.Goto | a.KeepInLibrary | a.Save):
            return self._run_action(action, raw_line, last=last, by=by, id_=id_)
        _require_no_faces_left(self.effects.dice, last=last)
        match action:
            case a.KeepInLibrary():
                return run_keep(self, action)
            case a.Save():
                return run_save(self, action)
            case a.Undo() if (action.mine or action.player) and not by:
                return self._run_personal_undo(action, raw_line)
            case _:
                return self._run_travel(action, raw_line, by=by)

    def accept(self, raw_line: str, d: Draft, by: str = "", id_: str = "") -> Result:
        """Write a step that has been decided, then call the watchers.

        Raises NotSaved, or RuleError for a step after which the fight could not be shown.
        """
        events, after = tuple(d.events), d.encounter
        check_drawn(self.encounter, after, self.systems)
        at = self.effects.clock()
        # First the journal, then memory: a refused write leaves nothing to take back (promise 3).
        self._write_record(Record(self.record + 1, at, raw_line, events, by=by, id=id_))
        dropped = self._history.push(Step(at, raw_line, events, by, id_), after)
        notice = f"{dropped} undone step{'s' * (dropped > 1)} can no longer be redone"
        notices = tuple(Message(text, "notice") for text in d.notices)
        notices += (Message(notice, "dropped"),) if dropped else ()
        self._report_change(self.step - 1)
        return Result(self.step, notices, partial(self.messages, self.step))

    def _report_change(self, since: int) -> None:
        """Call the watchers with the last unchanged step, and forget the moments of later steps."""
        for told in self._told.values():
            del told[since:]
        self._markers = {viewer: x for viewer, x in self._markers.items() if x.step <= since}
        for watcher in self._watchers:
            watcher(since)

    def _run_action(self, action: a.Action, raw_line: str, *, last: bool, by: str, id_: str) -> Result:

        dice = self.effects.dice
        dice_source = "app" if _unused_faces(self.effects.dice) is None else "given"
        shelves, e, system = self.effects.library, self.encounter, self.system
        kept = None
        if isinstance(action, a.LibraryAction):
            # Only lines that add creatures or conditions need library and box.
            from tui.store.library.supply import Supply

            action = fill_condition(action, shelves) if shelves else action
            kept = Supply(shelves, e, system).kept()
        d = draft(e, action, Rules(self.systems, dice, dice_source, kept))
        _require_no_faces_left(self.effects.dice, last=last)
        d.notices += name_mistake(action, self)
        if not by and isinstance(action, a.Order):
            # An order that a player owns is marked as the game master's.
            d.events[:] = [
                replace(x, gm=any(c.owner for c in members(e, x.who))) if isinstance(x, Ordered) else x
                for x in d.events
            ]
            d.encounter = fold(e, d.events)
        return self.accept(raw_line, d, by, id_)

    def _run_travel(self, action: a.Travel, raw_line: str, *, by: str) -> Result:
        history, move, before = self._history, self.move_of(action), self.step
        low, _ = history.ahead(move)
        back = not move.restores and move.to < before
        # With a state that no system can read, no screen would open from which it could be undone.
        self._require_valid(history.after(move), move.to)
        numbers = list(range(move.to + 1, before + 1)) if back else []
        gone = [x for n in numbers if (x := self.done(n)).by]
        told = self._describe_steps(numbers, short=bool(gone))
        # Steps that a personal undo has run again are in force both before and after a redo takes it back.
        stay = {self.done(n).sent for n in range(low + 1, before + 1)} - {""}
        record = Record[Event](self.record + 1, self.effects.clock(), raw_line, (), move.to, by)
        self._write_record(replace(record, restores=move.restores))
        history.go(move)
        self._report_change(min(low, before, move.to))
        if not back:
            numbers = [n for n in range(min(low, before) + 1, move.to + 1) if self.done(n).sent not in stay]
            told = self._describe_steps(numbers, back=False)
        match action:
            case a.Undo():
                text = f"took back: {told}"
                if len(gone) == len(numbers) == 1:
                    text, gone = f"took back {self.player(gone[0])}'s {told}: it no longer counts", []
            case a.Redo():
                text = f"did again: {told}"
            case a.Goto(step):
                text = f"at step {step}"
        return Result(move.to, (Message(text, "travel"), *self._describe_returned(gone)))

    def _run_personal_undo(self, action: a.Undo, raw_line: str) -> Result:
        """Take out the game master's own last steps or a player's, and run later steps of seats again."""
        history, took = self._history, self.steps_taken(action)
        if not any(history.step(n).by and n not in took for n in range(took[0], self.step + 1)):
            return self._run_travel(a.Undo(self.step - took[0] + 1), raw_line, by="")
        shortened = take_out_steps(history, took, self.systems, self.effects.dice)
        self._require_valid(shortened.encounter, took[0] - 1 + len(shortened.rerun))
        told = self._describe_steps(took, short=bool(shortened.refused or action.player))
        gone = (*(history.step(n) for n in took if history.step(n).by), *shortened.refused)
        record = Record[Event](self.record + 1, self.effects.clock(), raw_line)
        self._write_record(replace(record, took=took, again=shortened.rerun))
        history.retake(took[0] - 1, tuple(map(step_from_run, shortened.rerun)))
        self._report_change(took[0] - 1)
        text = Message(f"took back: {told}", "travel")
        return Result(self.step, (text, *self._describe_returned(gone)))

    def _describe_steps(self, numbers: Sequence[int], *, back: bool = True, short: bool = False) -> str:
        """Return in words what some steps in force did, in at most two messages of each.

        With `back` the last step comes first, otherwise the first. With `short` a step is the beginning of
        its line, so that a message on lines of players, which follows it, is read too.
        """
        told: list[str] = []
        for number in islice(reversed(numbers) if back else numbers, MOST_TOLD):
            texts = [] if short else self._first_messages(number)
            more = ["…"] if texts[2:] else []
            told.append("; ".join([*texts[:2], *more]) or subject_of_line(self.done(number).line))
        rest = len(numbers) - len(told)
        return "; ".join([*told, *([f"and {rest} more step{'s' * (rest > 1)}"] if rest else [])])

    def _first_messages(self, number: int) -> list[str]:
        """Return the first three messages of a step; none if a bug keeps them from being told."""
        try:
            return [x.text for x in islice(without_echo(self.messages(number)), 3)]
        except Exception:  # noqa: BLE001  # a step of an older version, which must be taken back nevertheless
            return []

    def _describe_returned(self, gone: Sequence[Step]) -> tuple[Message, ...]:
        """Return the message on lines of seats that no longer count, without their text: orders are secret.

        All players are named before the lines, of which a screen may cut the end.
        """
        if not gone:
            return ()
        people, names = list(dict.fromkeys(map(self.player, gone))), [subject_of_line(x.line) for x in gone]
        text = f"no longer counts: {people[0]}'s {names[0]}"
        if len(gone) > 1:
            whose = f"{', '.join(people[:-1])} and {people[-1]}" if people[1:] else people[0]
            text = f"lines of {whose} no longer count: {list_names(names, MOST_NAMED)}"
        return (Message(text, "returned"),)

    def _require_valid(self, e: Encounter, step: int) -> None:
        """Raise RuleError for a state that no system can read or show."""
        if state_error(e, self.systems):
            raise RuleError(f"step {step} cannot have happened", "`tocsin check SAVE` finds it")
        check_drawn_at(step, e, self.systems)

    def _write_record(self, record: Record[Event]) -> None:
        self.effects.ledger.append(record)
        self.record += 1


MOST_NAMED = 4
"""The most lines of seats that are named; the others are counted."""

MOST_TOLD = 4
"""At most this many undone or redone steps are described."""


def _unused_faces(dice: Dice) -> tuple[int, ...] | None:
    """Return the typed faces that are left; None for dice that roll."""
    return getattr(dice, "left", None)


def _require_no_faces_left(dice: Dice, *, last: bool) -> None:
    if last and (unused := _unused_faces(dice)):
        raise RuleError(f"faces are left over: {', '.join(map(str, unused))}", "give as many as are rolled")


def _clean_line(line: str) -> str:
    """Return a line from outside, cleaned. Raises RuleError when it is too long."""
    # Before cleaning, whose time grows with the length of the line.
    if len(line) > LONGEST_LINE:
        raise RuleError(f"the line has {len(line)} characters", f"{LONGEST_LINE} at most")
    return clean(line, LONGEST_LINE).strip()
