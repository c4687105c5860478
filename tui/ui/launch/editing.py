"""Lend the terminal to the user's own editor; nothing written in it is ever lost."""

from __future__ import annotations

import os
import shlex
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from tui.core.base.errors import RuleError
from tui.store.problems import NotSaved, plain

USUAL = "vi"
"""The editor where the environment names none."""

MOST = 1_000_000
"""Bytes that are read back."""

Lend = Callable[[], AbstractContextManager[None]]
"""A context in which another program has the terminal."""


class UserEditor:
    """`$VISUAL`, `$EDITOR`, or vi."""

    def __init__(self, lend: Lend) -> None:
        self._lend = lend

    def edit(self, text: str, name: str, take: Callable[[str], None]) -> None:
        """Let a text be edited, in a private file that ends in `name`; what has changed is given to `take`.

        Raises RuleError when there is no editor, when it failed, or when `take` refused: the file is kept
        then.
        """
        command = _command()
        path = _file(text, name)
        try:
            now = self._edited(command, path)
            if now != text.strip():
                take(now)
        except (RuleError, NotSaved) as error:
            raise _kept(error, path, text) from None
        with suppress(OSError):
            os.remove(path)

    def _edited(self, command: list[str], path: str) -> str:
        # Not with the first picture, which does not wait for it.
        import subprocess

        try:
            with self._lend(), _signals_left_to_it():
                code = subprocess.call([*command, path])  # noqa: S603  # the user's own command, no shell
        except OSError as error:
            raise RuleError(
                f"{plain(command[0])} cannot be started: {error.strerror}", "set EDITOR to your editor"
            ) from None
        if code:
            raise RuleError(f"{plain(command[0])} ended with {code}")
        return _back(path)


def _command() -> list[str]:
    """Return the editor's words. Raises RuleError."""
    told = os.environ.get("VISUAL") or os.environ.get("EDITOR") or USUAL

    try:
        found = shlex.split(told)
    except ValueError:
        found = []
    if not found:
        raise RuleError(f"EDITOR is no command: {plain(told)}", "set EDITOR to your editor")
    return found


def _file(text: str, name: str) -> str:
    """Return a private file with this text, made here and nowhere else. Raises RuleError."""
    try:
        # mkstemp: readable by nobody else, and never a file or a link that somebody has laid there before.
        fd, path = tempfile.mkstemp(suffix=f"-{name}", prefix="tocsin-")
        with open(fd, "w", encoding="utf-8") as file:
            file.write(text + "\n" * bool(text))
    except OSError as error:
        raise RuleError(f"no file can be made to edit: {error.strerror}", "TMPDIR names a folder") from None
    return path


def _back(path: str) -> str:
    """Return what stands in the file now. Raises RuleError."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST + 1)
        if len(data) > MOST:
            raise RuleError(f"the text is longer than {MOST // 1_000_000} MB")
        return data.decode("utf-8-sig").strip()
    except OSError as error:
        raise RuleError(f"the text cannot be read back: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RuleError("the text is not valid UTF-8", "save it as UTF-8") from None


def _kept(error: RuleError | NotSaved, path: str, text: str) -> RuleError:
    """Return the refusal, with where the text is; a file that holds nothing new is not kept."""
    with suppress(OSError, UnicodeDecodeError, RuleError):
        if _back(path) == text.strip():
            os.remove(path)
            return RuleError(error.message, error.hint)
    where = f"your text is kept in {plain(path)}"
    return RuleError(error.message, f"{error.hint}; {where}" if error.hint else where)


def _unheard(*_: object) -> None:
    """Nothing. A handler and not SIG_IGN, which the editor would inherit."""


@contextmanager
def _signals_left_to_it() -> Iterator[None]:
    """Return a context in which ctrl+c and ctrl+backslash are the editor's.

    The terminal sends them to us as well.
    """
    before = [(number, signal.signal(number, _unheard)) for number in (signal.SIGINT, signal.SIGQUIT)]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
