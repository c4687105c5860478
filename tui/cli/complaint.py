"""Exit codes, and the one line that goes with each of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from errno import EAGAIN, EMFILE, ENFILE, ENOMEM

from tui.core.base.errors import RuleError
from tui.core.fight.dice import DiceError
from tui.store.problems import BadFile, InUse, NotSaved, plain
from tui.store.saves import BadName
from tui.store.seats.seat import BadSeat

DONE, REFUSED, USAGE, FILE, BUSY = 0, 1, 2, 3, 4
AGAIN = "put that right and call again; lines accepted before stand"
LONGEST = 2_000  # characters of a message
LIMITS = {
    EAGAIN: "the system grants no more processes or threads (`ulimit -u`)",
    EMFILE: "too many files are open (`ulimit -n`)",
    ENFILE: "too many files are open on this machine",
    ENOMEM: "the system grants no more memory",
}
"""Limits of the system, in our words."""


class Complaint(Exception):  # noqa: N818 - what is printed, not what went wrong
    """An end with an exit code and one line: what, why, and what would work."""

    def __init__(self, code: int, kind: str, message: str, hint: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.code, self.kind, self.line = code, kind, line
        self.message, self.hint = plain(message, LONGEST), plain(hint, LONGEST)

    def text(self) -> str:
        """One line."""
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.message}" + (f"; {self.hint}" if self.hint else "")

    def json(self) -> str:
        """One JSON object."""
        error = {"line": self.line, "kind": self.kind, "message": self.message, "hint": self.hint}
        return json.dumps({"error": error}, ensure_ascii=False)


def guarded(run: Callable[[], int]) -> int:
    """Whatever the core or the disk refuses becomes a complaint with its exit code."""
    try:
        return run()
    except RuleError as error:
        raise Complaint(REFUSED, "refused", error.message, error.hint) from None
    except ValueError as error:
        # Only names and seeds are the caller's words; any other ValueError is a fault of ours and passes.
        raise _named(error) from None
    except InUse as error:
        raise Complaint(BUSY, "busy", error.message, error.hint) from None
    except NotSaved as error:
        # What mends it on the screen, another name, is no help to a call; another folder is.
        hint = error.hint if "--saves" in error.hint else AGAIN
        raise Complaint(FILE, "file", f"not saved: {error.message}", hint) from None
    except BadFile as error:
        raise Complaint(FILE, "file", str(error), error.hint) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Complaint(
            FILE, "file", LIMITS.get(error.errno or 0, error.strerror or "the system says no"), AGAIN
        ) from None
    except RuntimeError as error:
        # Python's only word for it; steps are saved by the thread that calls, so what was accepted stands.
        if "start new thread" not in str(error):
            raise
        raise Complaint(FILE, "file", LIMITS[EAGAIN], AGAIN) from None


def _named(error: ValueError) -> Exception:
    """A name that no save or seat may have and a bad seed are wrong words; other errors are ours."""
    return (
        Complaint(USAGE, "usage", str(error), getattr(error, "hint", ""))
        if isinstance(error, DiceError | BadName | BadSeat)
        else error
    )
