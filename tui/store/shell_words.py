"""Quote words for a shell: the calls that a user is shown to copy."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable

from tui.store.problems import make_printable


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
