"""`tocsin new` and `tocsin do`.

Each line of a call is a step. However the call ends, it reports how many lines are saved.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from tui.cli.commands import Front
from tui.cli.output import (
    AGAIN_HINT,
    DONE,
    FILE,
    REFUSED,
    USAGE,
    Complaint,
    Unprinted,
    choose_dice,
    encode_json,
    print_aside,
    print_lines,
)
from tui.core.base.errors import RuleError
from tui.core.rules.system import Systems
from tui.crash import EXIT_FAILED
from tui.store.house import HouseRules, load_house
from tui.store.opening import SaveExists, create_save
from tui.store.problems import NotSaved
from tui.store.saves import config_folder
from tui.store.session import Session, open_inline


def run_new(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Make an empty encounter; return the exit code."""
    house = HouseRules() if args.no_house else load_house(config_folder(), systems)
    try:
        create_save(args.save, args.saves, systems, args.system, _parse_options(args.option), house.rules)
    except SaveExists:
        raise
    except RuleError as error:
        raise Complaint(USAGE, "usage", error.message, error.hint) from None
    for fault in house.faults:
        print_aside(f"{fault}; it is left out")
    return DONE


def _parse_options(pairs: list[str]) -> dict[str, str]:
    for pair in pairs:
        if "=" not in pair:
            raise RuleError(f"--option takes KEY=VALUE, not {pair}")
    return dict(pair.split("=", 1) for pair in pairs)


def run_do(args: argparse.Namespace, systems: Systems, _front: Front) -> int:
    """Run the lines of a call; return the exit code."""
    if args.serve:
        return _serve_lines(args, systems)
    is_typed = _is_typed(args)
    lines = _read_call_lines(args.lines[:-1] if is_typed else args.lines)
    if not lines and not is_typed:
        raise Complaint(USAGE, "usage", "do: a LINE is missing", "`tocsin do SAVE 'add 5 Orc' begin`")
    with open_inline(args.save, args.saves, systems, choose_dice(args), print_aside) as session:
        call = Call(session)
        try:
            call.play(lines)
        finally:
            if not args.json:
                # Also after a refusal: the lines before it stand, and their dice must be told.
                call.tell()
        if args.json:
            call.print([encode_json(session.store.table())])
        if is_typed:
            for line in _typed_lines():
                call.answer(line)
    return DONE


def _serve_lines(args: argparse.Namespace, systems: Systems) -> int:
    """Run the lines of a call, then those of standard input as they come, and serve the pages meanwhile."""
    if args.lines[-1:] != ["-"] or args.json or args.dice:
        raise Complaint(
            USAGE, "usage", "--serve takes lines from standard input", "`tocsin do SAVE - --serve A:P`"
        )
    with open_inline(args.save, args.saves, systems, choose_dice(args), print_aside) as session:
        call = Call(session)
        is_typed = _is_typed(args)
        lines = chain(_read_call_lines(args.lines[:-1]), _typed_lines() if is_typed else sys.stdin or ())
        answer = call.answer if is_typed else call.play_one
        # Other calls must not load what speaks HTTP.
        from tui.serve.service import Wanted, serve_lines

        serve_lines(session, Wanted(*args.serve), lines, answer, print_aside)
    return DONE


def _is_typed(args: argparse.Namespace) -> bool:
    """Return whether the lines of `-` are typed at a terminal, which shows the answer to each."""
    if args.lines[-1:] != ["-"] or args.json or args.dice:
        return False
    return all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _typed_lines() -> Iterator[str]:
    """Yield an empty line, whose answer is Now alone, then each line that is typed."""
    yield ""
    yield from sys.stdin


def _is_line(text: str) -> bool:
    """Return whether a text is a line to run: not empty, and no comment."""
    return bool(text.strip()) and not text.lstrip().startswith("#")


def _read_call_lines(words: list[str]) -> list[str]:
    """Return the lines of a call. Only a line feed ends one: a text may hold Unicode's other line ends."""
    lines: list[str] = []
    for word in words:
        lines += sys.stdin.read().split("\n") if word == "-" and sys.stdin else [word]
    return [x for x in lines if _is_line(x)]


class Call:
    """Runs lines on a save that this process writes, and reports their results."""

    def __init__(self, session: Session) -> None:
        self._store, self._writer = session.store, session.writer
        self._results: list[tuple[int, list[str]]] = []
        self._asked = 0

    def play(self, lines: Sequence[str], before: int = 0) -> None:
        """Run the lines in order until one is refused; the lines before it stay saved.

        `before` lines of the call have been run already.
        """
        self._asked = before + len(lines)
        try:
            for number, asked in enumerate(lines, 1):
                result = self._store.run(asked, last=number == len(lines))
                self._results.append((self._store.record, [x.text for x in result.lines]))
            self._writer.wait()
        except RuleError as error:
            self._writer.wait()
            raise Complaint(REFUSED, "refused", error.message, error.hint, len(self._results) + 1) from None
        except NotSaved as error:
            self._wait_for_disk()
            # Inline, several lines share one sync: the first not on the disk is the one to blame.
            line = min(self._count_accepted + 1, self._asked)
            raise Complaint(
                FILE, "file", f"not saved: {error.message}", f"{AGAIN_HINT}: {self.stand}", line
            ) from None
        except BaseException as error:
            self._wait_for_disk()
            # The last handler does not know the lines; this note lets it say which are saved.
            error.add_note(self.stand)
            raise

    def play_one(self, line: str) -> None:
        """Run one line of an input, and print its messages. Raises Complaint if it is refused."""
        if _is_line(line):
            told = self._count_accepted
            self.play([line], len(self._results))
            self.print([text for _, texts in self._results[told:] for text in texts])

    def answer(self, line: str) -> None:
        """Run a typed line or look at the table, print the answer or the refusal, then Now."""
        # Calls with their lines do without.
        from tui.core.table_lines import look_at_table, now_lines

        shown = look_at_table(self._store.table(), line)
        try:
            self.play_one(line) if shown is None else self.print(shown)
        except Complaint as complaint:
            if complaint.code == EXIT_FAILED:
                raise
            complaint.line = 0
            print_aside(complaint.text())
        self.print(now_lines(self._store.table()))

    def tell(self) -> None:
        """Print the messages of the lines that are on the disk."""
        self.print([line for _, lines in self._results[: self._count_accepted] for line in lines])

    def print(self, lines: Sequence[str]) -> None:
        """Print lines. Raises Complaint, which says how many lines are saved, if the output is closed."""
        try:
            print_lines(lines)
        except Unprinted as error:
            raise Complaint(EXIT_FAILED, "failed", str(error), self.stand) from None

    @property
    def stand(self) -> str:
        """How many lines of the call are saved, in words."""
        return f"{self._count_accepted} of {self._asked} line{'s' * (self._asked != 1)} accepted and saved"

    @property
    def _count_accepted(self) -> int:
        """How many lines are saved: their records, if they wrote any, are on the disk."""
        return sum(record <= self._writer.durable for record, _ in self._results)

    def _wait_for_disk(self) -> None:
        """Wait for the disk; a failure raises nothing, because lines not on the disk are not counted."""
        with suppress(NotSaved):
            self._writer.wait()
