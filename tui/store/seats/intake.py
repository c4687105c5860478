"""Collect the lines that seats send: read each strictly, judge it for its seat, run it once, then reply.

No line is run twice, even if the program is killed: each such record in the journal names its answer. So a
record whose reply was lost is not repeated, and a record that is not on the disk has no reply.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import is_clean
from tui.core.fight.events import Ordered
from tui.core.fight.viewer import Viewer, keeps_nothing, players
from tui.core.language.actions import Action, Finish, Order, Undo
from tui.core.language.grammar import write_line
from tui.core.rules.decide import Rules
from tui.core.rules.system import is_gmless
from tui.core.views.rights import check_allowed, known_refusal, misread, rehearse, seat_hint
from tui.store.disk import Disk, read_regular
from tui.store.journal.format import SAVE_CAP
from tui.store.players.folder import TableFolder
from tui.store.problems import BadFile, NotSaved, make_printable
from tui.store.seats.inbox import (
    Letter,
    RejectionLog,
    Reply,
    SeatAnswer,
    Unfit,
    letters,
    read_answer,
    read_letter,
    read_reply,
    throw_away,
    write_reply,
)
from tui.store.seats.seat import PlayerSeat, delete_stale, furnish, list_seats
from tui.store.sources import SeededDice
from tui.store.store import Store

MOST_LINES: Final = 30
"""How many lines a seat may send in a row."""

LINES_A_SECOND: Final = 2.0
"""How many of these lines a seat regains per second."""

MOST_BYTES: Final = 60_000
"""How many bytes a seat may send in a row: a few times the longest order."""

SIZE_A_SECOND: Final = 600.0
"""How many bytes a seat regains per second; a save has room for eight seats that send for a whole evening."""


class _Left(Struct, frozen=True):
    """The lines and bytes that a seat may still send, as counted at the time `at`."""

    at: float
    lines: float = MOST_LINES
    size: float = MOST_BYTES


class Brake:
    """Limits the rate at which each seat sends."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left: dict[str, _Left] = {}

    def wait(self, seat: str, size: int) -> float:
        """Count an answer of `size` bytes; return how many seconds it has to wait, 0 for none."""
        now = self._clock()
        before = self._left.get(seat, _Left(now))
        passed = max(0.0, now - before.at)
        lines = min(MOST_LINES, before.lines + passed * LINES_A_SECOND)
        room = min(MOST_BYTES, before.size + passed * SIZE_A_SECOND)
        if lines < 1 or room < size:
            self._left[seat] = _Left(now, lines, room)
            return max((1 - lines) / LINES_A_SECOND, (size - room) / SIZE_A_SECOND)
        self._left[seat] = _Left(now, lines - 1, room - size)
        return 0.0


class Ruling(Struct, frozen=True):
    """The result of a line: the reply, and the number of the record that it wrote, 0 for none.

    `words` are messages for other seats; an empty one removes the message before. `fault` is an error for the
    GM.
    """

    reply: Reply
    record: int = 0
    words: dict[str, str] = {}
    fault: str = ""


class Wish(Struct, frozen=True):
    """A verb that all players must ask for, the record after which they ask, and those who have asked."""

    record: int = -1
    verb: str = ""
    askers: frozenset[str] = frozenset()


class Judge:
    """Runs the lines of seats on one store, on the thread that owns the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wish = Wish()
        self._written = (-1, "", "")
        """The record of the latest order of a seat, that seat, and the creature of the order."""

    def hear(self, answer: SeatAnswer, by: str) -> Ruling:
        """Return the ruling on a line after running or refusing it; `by` is written into the journal."""
        viewer = Viewer(answer.seat, gm=False)
        try:
            return self._hear(answer, viewer, by)
        except RuleError as error:
            hint = seat_hint(self._store.encounter, self._store.system, viewer, error.hint)
            hint = _NO_OTHER if error.kind == "elsewhere" else hint
            return Ruling(Reply(answer.number, "refused", error.message, hint))
        except NotSaved as error:
            return Ruling(Reply(answer.number, "refused", f"not saved: {error.message}", "send it again"))
        except Exception as error:  # noqa: BLE001  # a player's line must not end the writer
            fault = f"a bug in tocsin ({type(error).__name__})"
            return Ruling(Reply(answer.number, "refused", fault, "nothing has changed"), fault=fault)

    def _hear(self, answer: SeatAnswer, viewer: Viewer, by: str) -> Ruling:
        store, e = self._store, self._store.encounter
        request = self._parse(answer.line, viewer)
        action = check_allowed(e, store.system, viewer, request, answer.moment)
        rules = Rules(store.systems, SeededDice(0))
        if isinstance(action, Finish):
            rehearse(e, rules, viewer, request)
        if isinstance(action, Undo | Finish):
            return self._count_votes(answer, viewer, action, by)
        if not keeps_nothing(e) and is_gmless(store.system, e):
            # If players lead the fight, their lines may name any creature: the rehearsal admits only those
            # that they know.
            rehearse(e, rules, viewer, request)
        try:
            if isinstance(action, Order):
                return self._write(answer, action, by)
            return self._run(answer.number, action, by)
        except RuleError:
            raise known_refusal(e, rules, viewer, request) from None

    def _parse(self, line: str, viewer: Viewer) -> Action:
        store = self._store
        try:
            return store.parse(line)
        except RuleError as error:
            raise misread(store.encounter, store.system, viewer, line, error) from None

    def _write(self, answer: SeatAnswer, action: Order, by: str) -> Ruling:
        """Write an order.

        A sealed order that is rewritten before any other step remains the same step, so that one undo takes
        it back. Everybody may read an open order, so each version is a step.
        """
        store, whose = self._store, (answer.seat.lower(), action.who)
        again = self._written == (store.record, *whose) and self._sealed()
        ruling = self._run(answer.number, action, by, again=again)
        self._written = (store.record, *whose)
        return ruling

    def _sealed(self) -> bool:
        """Return whether the last step wrote orders, all of them sealed."""
        events = self._store.done(self._store.step).events
        return all(event.sealed for event in events if isinstance(event, Ordered))

    def _run(self, number: int, action: Action, by: str, *, again: bool = False) -> Ruling:
        """Run a line; with `again` it replaces the last step."""
        if again:
            self._store.rewrite(write_line(action), by)
        else:
            self._store.run(write_line(action), by=by)
        wish, self._wish = self._wish, Wish()
        # A line that is run settles or overtakes the step to which players were asked to agree.
        outdated = {name.lower(): "" for name in players(self._store.encounter)} if wish.askers else {}
        return Ruling(Reply(number, "taken"), self._store.record, outdated)

    def _count_votes(self, answer: SeatAnswer, viewer: Viewer, action: Undo | Finish, by: str) -> Ruling:
        """Undo a step, or end the fight, when every player has asked for it."""
        store, verb, me = self._store, action.syntax.verb, viewer.name.lower()
        if answer.moment.step != store.table(viewer).step:
            raise RuleError(f"more has happened since you asked to {verb}", "ask again if it is still meant")
        everybody = {name.lower(): name for name in players(store.encounter)}
        same = (self._wish.record, self._wish.verb) == (store.record, verb)
        agreed = (self._wish.askers if same else frozenset()) | {me}
        missing = [name for key, name in everybody.items() if key not in agreed]
        if not missing:
            return self._run(answer.number, action, by)
        self._wish = Wish(store.record, verb, agreed)
        word = f"{everybody.get(me, viewer.name)} asks to {_SHARED_WORDS[verb]} agrees"
        waits = f"waits for {' and '.join(missing)} to agree"
        # Players who have agreed are no longer asked.
        words_ = dict.fromkeys(agreed, "") | {name.lower(): word for name in missing}
        return Ruling(Reply(answer.number, "waits", waits), words=words_)


_SHARED_WORDS: Final = {"undo": "undo the last step; `undo` (u)", "finish": "end the fight; `finish` (Q)"}
"""The verbs that run once all players have sent them, with the words in which other players read the request.
"""

_NO_OTHER: Final = "a player's seat does not change the system"
_BY_LINE: Final = re.compile(rb'\nby = "([a-z0-9-]{1,64}) ([0-9]{1,16})"\n')

Hear = Callable[[SeatAnswer, str], Ruling]
"""Returns the ruling on an answer, made on the thread that owns the store; the text is `by` for the journal.
"""


class JournalEnd(Struct, frozen=True):
    """The parts of the journal that the collector uses: path, last record on the disk, wait for the disk."""

    path: Callable[[], str]
    wait: Callable[[], None]
    durable: Callable[[], int]


def _explain_unreadable(answer: SeatAnswer, save: str) -> tuple[str, str] | None:
    """Return (reason, hint) for a sealed answer that cannot be run at all; None for one that can."""
    if answer.save != save:
        there, here = make_printable(answer.save, 40), make_printable(save, 40)
        return f"the line was sent to {there}, but this save is {here}", "leave, and take the seat again"
    if not is_clean(answer.line):
        return "the line contains characters that cannot be shown", "write it without them"
    return None


REPEAT_SECONDS: Final = 60.0
"""How long the GM is not told the same thing again, in seconds."""


class _Owed(Struct, frozen=True):
    """An answer that was run and whose reply waits for the disk."""

    letter: Letter
    heard: Ruling


class Collector:
    """Reads the inboxes of one save, in the one process that writes it."""

    def __init__(
        self,
        table: TableFolder,
        save: Callable[[], str],
        ledger: JournalEnd,
        hear: Hear,
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        since: str = "",
    ) -> None:
        """Read the inboxes of a table.

        `tell` is called with a message for the GM on files that no seat can have sent. `since` is the time
        from which rejections of other processes are reported, "" for the end of their list.
        """
        self._table, self._save, self._ledger, self._hear, self._tell = table, save, ledger, hear, tell
        self._taken: dict[str, int] | None = None
        self._replies: dict[str, Reply] = {}
        self._owed: dict[str, _Owed] = {}
        self._stuck: set[str] = set()
        self._rejections = RejectionLog(table, since)
        self._clock, self._brake = clock, Brake(clock)
        self._reported: dict[tuple[str, str], float] = {}
        self._furnished: set[str] = set()

    def look(self) -> int:
        """Run the lines that wait; return how many were accepted.

        Raises OSError if no reply can be written.
        """
        seats, bad = list_seats(self._table)
        for name, reason in self._rejections.news():
            self._tell_once(name, reason, f"{name}'s seat: {reason}")
        self._furnish(seats, sweep=not bad)  # a key that cannot be read may be repaired
        # Nobody waits for an answer to a seat that was closed meanwhile.
        self._owed = {
            file: reply for file, reply in self._owed.items() if any(seat.file == file for seat in seats)
        }
        for error in bad:
            self._report(os.path.basename(error.path), error.message, error.path)
        accepted = 0
        failed: OSError | None = None
        for seat in seats:
            try:
                self._load_reply(seat)
                accepted += self._serve(seat, seats)
            except OSError as error:
                # Nobody waits at a seat that was just closed; and an error at one seat does not stop the
                # others.
                failed = error if seat.stands else failed
        if failed:
            raise failed
        return accepted

    def _furnish(self, seats: list[PlayerSeat], *, sweep: bool) -> None:
        """Make the missing folders of new seats; with `sweep` delete those of seats that no longer exist."""
        if self._furnished == (now := {seat.inbox for seat in seats}):
            return
        self._furnished = now
        with suppress(OSError):
            for seat in seats:
                furnish(seat)
        for path in delete_stale(self._table, seats) if sweep else ():
            name = os.path.join(*path.rsplit(os.sep, 2)[1:])
            self._tell_once("", path, f"{name} belongs to no seat and holds other files, which stay")

    def _serve(self, seat: PlayerSeat, seats: list[PlayerSeat]) -> int:
        accepted = refused = 0
        wait = 0.0
        for letter in letters(seat.inbox):
            if letter.path in self._stuck:
                continue
            if not self._is_settled(seat):
                break  # later lines wait: the lines of a seat are answered in their order
            try:
                data = read_letter(letter)
                answer = self._read(seat, letter, data)
            except Unfit as unfit:
                self._report(seat.name, unfit.reason, letter.path)
                self._discard(letter)
                continue
            if seconds := self._brake.wait(seat.file, len(data)):
                refused, wait = max(refused, answer.number), max(wait, seconds)
                self._discard(letter)
                continue
            accepted += self._take(seat, seats, letter, answer)
        if self._is_settled(seat) and refused > self._load_reply(seat).number:
            # One reply answers all of them: a terminal applies it to its line of that number and to earlier
            # ones.
            hint = f"send it again in {ceil(wait)} s"
            self._answer(
                seat, Reply(refused, "refused", "that is more than a seat may send in so short a time", hint)
            )
            reason = "it sends more lines than anybody types, and they are refused"
            self._tell_once(seat.name, reason, f"{seat.name}'s seat: {reason}")
        return accepted

    def _read(self, seat: PlayerSeat, letter: Letter, data: bytes) -> SeatAnswer:
        answer = read_answer(data, seat.key, seat.name)
        if answer.number != letter.number:
            raise Unfit("under another answer's number")
        if answer.number <= self._load_reply(seat).number:
            raise Unfit("sent once already")
        return answer

    def _take(self, seat: PlayerSeat, seats: list[PlayerSeat], letter: Letter, answer: SeatAnswer) -> int:
        if answer.number <= self._read_numbers().get(seat.file, 0):
            # The line was run before the program died; only the reply is missing.
            heard = Ruling(Reply(answer.number, "taken"))
            self._ledger.wait()
        elif reason := _explain_unreadable(answer, self._save()):
            heard = Ruling(Reply(answer.number, "refused", *reason))
        else:
            heard = self._hear(answer, f"{seat.file} {answer.number}")
        if heard.fault:
            self._report(seat.name, heard.fault, "")
        for other in seats:
            before = self._load_reply(other)
            if (word := heard.words.get(other.name.lower(), before.word)) != before.word:
                self._answer(other, replace(before, word=word))
        self._owed[seat.file] = _Owed(letter, heard)
        self._is_settled(seat)
        return int(heard.record > 0)

    def _is_settled(self, seat: PlayerSeat) -> bool:
        """Return whether this seat waits for no reply; first send a reply whose record is on the disk."""
        reply = self._owed.get(seat.file)
        if reply is None:
            return True
        if reply.heard.record > self._ledger.durable():
            with suppress(NotSaved):
                self._ledger.wait()
        if reply.heard.record > self._ledger.durable():
            return False
        self._answer(seat, reply.heard.reply)
        del self._owed[seat.file]
        self._discard(reply.letter)
        return True

    def _load_reply(self, seat: PlayerSeat) -> Reply:
        if seat.file not in self._replies:
            reply = self._replies[seat.file] = read_reply(seat.reply)
            if reply.word:
                # The writer before this one had asked for an agreement that is not known here.
                self._answer(seat, replace(reply, word=""))
        return self._replies[seat.file]

    def _answer(self, seat: PlayerSeat, reply: Reply) -> None:
        write_reply(seat.reply, reply)
        self._replies[seat.file] = reply

    def _read_numbers(self) -> dict[str, int]:
        """Return the highest answer number of each seat in the journal, read once when collecting begins."""
        if self._taken is None:
            self._taken = {}
            with suppress(BadFile):
                data, _ = read_regular(Disk(), self._ledger.path(), SAVE_CAP)
                for match in _BY_LINE.finditer(data):
                    seat, number = match[1].decode(), int(match[2])
                    self._taken[seat] = max(number, self._taken.get(seat, 0))
        return self._taken

    def _discard(self, letter: Letter) -> None:
        if not throw_away(letter):
            self._stuck.add(letter.path)  # reported once; the file is not looked at again

    def _report(self, seat: str, reason: str, path: str) -> None:
        if path and path in self._stuck:
            return
        if path.endswith(".key"):
            self._stuck.add(path)
        text = f"{seat}'s seat: ignored a file that is not an answer ({reason})"
        if self._tell_once(seat, reason, text):
            self._rejections.note(seat, reason)

    def _tell_once(self, seat: str, reason: str, text: str) -> bool:
        """Notify the GM, unless the same was notified in the last REPEAT_SECONDS; return True if notified."""
        now = self._clock()
        lately = self._reported.get((seat, reason), -REPEAT_SECONDS)
        # The pause counts from the latest one: a flood is reported once, however long it lasts.
        self._reported[seat, reason] = now
        if now < lately + REPEAT_SECONDS:
            return False
        self._tell(text)
        return True
