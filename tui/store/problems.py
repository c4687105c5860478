"""The errors of files: BadFile and its kinds for reading, NotSaved for writing."""

from __future__ import annotations

import errno
import os
import re
import shlex
from collections.abc import Iterable

from tui.core.base.errors import RuleError


def make_printable(text: str, limit: int = 300) -> str:
    """Return text for a message: characters that cannot be printed become U+FFFD, cut at `limit`."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text[:limit])
    return shown + "…" if len(text) > limit else shown


class BadFile(Exception):  # noqa: N818 - named after what it is, as in the messages
    """A file that cannot be read or trusted. All texts are printable.

    `path` as given; `line` from 1, 0 for the whole file; `message` says what is wrong; `hint` says what would
    work, or "".
    """

    def __init__(self, path: str, line: int, message: str, hint: str = "") -> None:
        self.path, self.line = path, line
        self.message, self.hint = make_printable(message), make_printable(hint)
        super().__init__(str(self))

    def where(self) -> str:
        """Return `mill.toml, line 12`: the file's name and the line."""
        name = make_printable(os.path.basename(self.path)) or "the file"
        return f"{name}, line {self.line}" if self.line else name

    def __str__(self) -> str:
        return f"{self.where()}: {self.message}"


def as_rule_error(error: BadFile) -> RuleError:
    """Return a BadFile as the refusal of a line."""
    return RuleError(str(error), error.hint)


class JournalError(BadFile):
    """A journal that cannot be read or trusted. `step` is the record's number (0: the header, -1: none)."""

    def __init__(self, path: str, line: int, step: int, message: str, hint: str = "") -> None:
        self.step = step
        super().__init__(path, line, message, hint)

    def where(self) -> str:
        """Return `mill.toml, line 12, step 3`."""
        return super().where() + (f", step {self.step}" if self.step > 0 else "")

    @property
    def summary(self) -> str:
        """A short message: the damaged step with its line, or `message` if no step is damaged."""
        return (
            f"step {self.step} is damaged (line {self.line})" if self.step > 0 and self.line else self.message
        )


class DamagedSave(JournalError):  # noqa: N818 - as above
    """A record within the journal, or its seal, is broken."""


class Edited(DamagedSave):
    """A readable record with a wrong seal: it was changed by hand, so the user must decide."""


class NotSaved(Exception):  # noqa: N818 - the word the screen uses
    """The disk refused a step; nothing has changed.

    `message` says why, `hint` says what would work, `code` is the errno or 0.
    """

    def __init__(self, message: str, hint: str = "", code: int = 0) -> None:
        self.message, self.hint, self.code = make_printable(message), make_printable(hint), code
        super().__init__(f"not saved: {self.message}")


SAVE_AS = ":saveas NAME writes the whole fight to another place"

_AGAIN = f"send the line again, or {SAVE_AS}"
_FULL = f"free some space and {_AGAIN}"
_DENIED = ("you may not write there", f"change the permissions and {_AGAIN}")
FAULTS = {
    errno.ENOSPC: ("the disk is full", _FULL),
    errno.EDQUOT: ("your disk quota is used up", _FULL),
    errno.EROFS: ("the file system is read-only", f"mount it for writing and {_AGAIN}"),
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.EIO: ("the disk reports an error", f"check the disk, and {SAVE_AS}"),
    errno.ENOENT: ("the file or its folder is gone", f"put it back and {_AGAIN}"),
    errno.EEXIST: ("a file of that name exists", "choose another name"),
}


class BadName(RuleError):  # noqa: N818 - the word of the message
    """The name cannot be the name of a save."""

    def __init__(self, name: str, reason: str) -> None:
        hint = "use letters, digits, spaces, - and _, or a path that ends in .toml"
        super().__init__(
            f"{make_printable(name, 40)!r} cannot be a save's name: {reason}", hint, kind="bad_name"
        )


def from_os_error(error: OSError) -> NotSaved:
    """Return the refusal for a failed system call, in our own words."""
    code = error.errno or 0
    reason, hint = FAULTS.get(code, (os.strerror(code) if code else str(error), f"try again, or {SAVE_AS}"))
    return NotSaved(reason, hint, code)


def quote_for_shells(words: Iterable[str]) -> str:
    r"""Return words quoted so that sh, fish and csh read them as they are.

    Unlike `shlex.join`, no backslash is inside quotes: in fish `'\'` does not end the quotes, and the rest of
    a folder's name would be run as a command.
    """
    return " ".join(word if shlex.quote(word) == word else _quote(word) for word in words)


def quote_save(path: str) -> str:
    """Return the word that names a save in any call from the present folder: its quoted path."""
    folder, name = os.path.split(path)
    plain = name if folder in ("", ".") and not name.startswith("-") else os.path.join(folder or ".", name)
    return quote_for_shells([make_printable(plain, 4_096)])


def _quote(word: str) -> str:
    quoted = {"'": '"\'"', "\\": "\\\\"}
    parts = re.split(r"(['\\])", word)
    return "".join(quoted.get(part, f"'{part}'") for part in parts if part)
