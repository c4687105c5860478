"""Print lines and JSON on standard output, and one-line complaints with their exit codes.

Modules that one command needs are imported in its function, so that a call loads only its own command.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tui.core.base.errors import RuleError
from tui.core.base.text import REPLACEMENT
from tui.core.fight.dice import DiceError
from tui.store.problems import BadFile, NotSaved, make_printable

if TYPE_CHECKING:
    from tui.core.fight.dice import Dice


class Unprinted(Exception):  # noqa: N818 - what happened to the output
    """Standard output cannot be written."""


_CONTROL_CHARACTERS: Final = (
    "[\0-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n|\\Z)"
)
"""Matches characters that could control a terminal. Input is cleaned already; this removes any that remain.
"""


def print_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output and flush it.

    Raises Unprinted, or BrokenPipeError if the reader has gone.
    """
    if sys.stdout is None:  # closed by the caller, who wants no output
        return
    try:
        sys.stdout.writelines(f"{re.sub(_CONTROL_CHARACTERS, REPLACEMENT, line)}\n" for line in lines)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unprinted(f"the output cannot be written: {error.strerror or error}") from None


def print_json(plain: Any) -> None:
    """Print plain data as one line of JSON. Raises like `print_lines`."""
    print_lines([encode_json(plain)])


def encode_json(plain: Any) -> str:
    """Return plain data as JSON."""
    try:
        return msgspec.json.encode(plain).decode()
    except UnicodeEncodeError:  # the path of a file whose name is no text
        from json import dumps  # 1 ms, for this alone

        return dumps(plain)


DONE, REFUSED, USAGE, FILE, BUSY = 0, 1, 2, 3, 4
AGAIN_HINT = "fix that and run it again; lines accepted before are saved"
MOST_CHARACTERS = 2_000  # characters of a message


class Complaint(Exception):  # noqa: N818 - what is printed, not what went wrong
    """Ends a call with an exit code and one line: what is wrong, and what would work."""

    def __init__(self, code: int, kind: str, message: str, hint: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.code, self.kind, self.line = code, kind, line
        self.message, self.hint = (
            make_printable(message, MOST_CHARACTERS),
            make_printable(hint, MOST_CHARACTERS),
        )

    def text(self) -> str:
        """Return the complaint as one line of text."""
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.message}" + (f"; {self.hint}" if self.hint else "")

    def json(self) -> str:
        """Return the complaint as one JSON object."""
        error = {"line": self.line, "kind": self.kind, "message": self.message, "hint": self.hint}
        from json import dumps  # only an error needs it

        return dumps({"error": error}, ensure_ascii=False)


def complain_of_errors(run: Callable[[], int]) -> int:
    """Run a command; turn refusals of rules, disk and system into a Complaint with its exit code."""
    try:
        return run()
    except DiceError as error:
        raise Complaint(USAGE, "usage", str(error)) from None
    except RuleError as error:
        ends = {"busy": (BUSY, "busy"), "bad_name": (USAGE, "usage")}
        code, kind = ends.get(error.kind, (REFUSED, "refused"))
        raise Complaint(code, kind, error.message, error.hint) from None
    except NotSaved as error:
        # On the screen another name would help; in a call only another folder does.
        hint = error.hint if "--saves" in error.hint else AGAIN_HINT
        raise Complaint(FILE, "file", f"not saved: {error.message}", hint) from None
    except BadFile as error:
        raise Complaint(FILE, "file", str(error), error.hint) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        named = isinstance(error.filename, str | bytes)
        source = f"{make_printable(os.fsdecode(error.filename))}: " if named else ""
        raise Complaint(FILE, "file", f"{source}{error.strerror or error}", AGAIN_HINT) from None
    except RuntimeError as error:
        # Python has no other error for it. The calling thread saves the steps, so accepted lines are saved.
        if "start new thread" not in str(error):
            raise
        words = "the system allows no more processes or threads (`ulimit -u`)"
        raise Complaint(FILE, "file", words, AGAIN_HINT) from None


def print_aside(line: str) -> None:
    """Print a line on standard error, so that standard output holds only the product."""
    with suppress(OSError):
        print(f"tocsin: {line}", file=sys.stderr)


def choose_dice(args: argparse.Namespace) -> Dice:
    """Return the dice of a call: the faces of `--dice`, else seeded or fair ones.

    Raises Complaint for bad faces.
    """
    from tui.core.fight.dice import MOST_SIDES, GivenDice
    from tui.core.language.values import read_int
    from tui.store.sources import make_dice

    if getattr(args, "dice", None) is not None:
        try:
            return GivenDice(
                tuple(read_int(f, "--dice", 1, MOST_SIDES) for f in args.dice.split(",") if f.strip())
            )
        except RuleError as error:
            raise Complaint(USAGE, "usage", error.message, "faces with commas: `--dice 5,3,6`") from None
    return make_dice(args.seed)
