"""The user's `config.toml`: read strictly, every error with its line, defaults for other values."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.listening import read_listen
from tui.core.base.text import nearest
from tui.store.disk import Disk, read_regular
from tui.store.problems import BadFile
from tui.store.safetoml import CAP, read_toml
from tui.store.saves import config_folder
from tui.ui.state.commands import KEYED_WORDS
from tui.ui.state.settings import Settings

SWALLOWED_KEYS = {
    "ctrl+a",
    "ctrl+b",
    "ctrl+h",
    "ctrl+i",
    "ctrl+m",
    "ctrl+s",
    "ctrl+q",
    "ctrl+left_square_bracket",
    "ctrl+space",
}
_SWITCHES = tuple(name for name, kind in Settings.__annotations__.items() if kind == "bool")
KEY_NAMES = {
    "enter",
    "space",
    "escape",
    "tab",
    "shift+tab",
    "up",
    "down",
    "left",
    "right",
    "home",
    "end",
    "pageup",
    "pagedown",
    "delete",
    "backspace",
    "insert",
}


folder = config_folder
"""The function that returns the folder of the user's settings and themes."""


def load(place: str) -> Settings:
    """Read `place`/config.toml; without a file return the defaults. Never raises."""
    path = os.path.join(place, "config.toml")
    if not os.path.lexists(path):
        return Settings()
    try:
        data, _ = read_regular(
            Disk(), os.path.realpath(path), CAP
        )  # some users keep their settings in a linked file
        table = read_toml(data, path)
    except BadFile as error:
        fault = BadFile(path, error.line, error.message, error.hint)
        return Settings(faults=(f"{fault}; defaults are used",))
    return _Reading(path, table, data.decode()).settings()


def called_with(settings: Settings, args: argparse.Namespace, environ: Mapping[str, str]) -> Settings:
    """Return the settings with those of the command line and the environment added."""
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    # The Linux console has no glyphs for most of ours, whatever its locale says.
    is_limited = "utf" not in locale.lower() or environ.get("TERM") == "linux"
    return replace(
        settings,
        ascii=bool(args.ascii or settings.ascii or is_limited),
        a11y=bool(args.a11y or settings.a11y),
        bell=bool(args.bell or settings.bell),
    )


class _Reading:
    """Checks the tables of a `config.toml`, and collects errors."""

    def __init__(self, path: str, table: dict[str, Any], text: str) -> None:
        self.path, self.table = path, table
        self.faults: list[str] = []
        self._lines = text.split("\n")

    def settings(self) -> Settings:
        """Return the settings; wrong values become defaults and are listed in `faults`."""
        known = ("theme", "keys", "options", "serve", *_SWITCHES)
        for key in self.table:
            if key not in known:
                self._add_fault(key, f"there is no setting {key}", nearest(key, list(known)))
        # The house rules are read with the systems, for a new fight (`store/house`).
        if not isinstance(self.table.get("options", {}), dict):
            self._add_fault("options", 'options is a table: [options] "zero.pc" = "dying"', None)
        theme = self.table.get("theme", "")
        if not isinstance(theme, str):
            self._add_fault("theme", "theme takes the name of a theme", None)
            theme = ""
        switches = {name: self._switch(name) for name in _SWITCHES}
        keys, serve = self._read_keys(), self._read_serve()
        return Settings(theme, keys, **switches, serve=serve, faults=tuple(self.faults))

    def _read_serve(self) -> str:
        value = self.table.get("serve", "")
        try:
            if value:
                read_listen(value if isinstance(value, str) else "")
        except RuleError as error:
            self._add_fault("serve", f'serve takes "ADDRESS:PORT", {error.hint}', None)
            return ""
        return str(value)

    def _switch(self, name: str) -> bool:
        value = self.table.get(name, False)
        if not isinstance(value, bool):
            self._add_fault(name, f"{name} takes true or false", None)
            return False
        return value

    def _read_keys(self) -> dict[str, tuple[str, ...]]:
        table = self.table.get("keys", {})
        if not isinstance(table, dict):
            self._add_fault("keys", 'keys is a table: [keys] next = "n"', None)
            return {}
        if not table:
            return {}
        result: dict[str, tuple[str, ...]] = {}
        for command, value in table.items():
            keys = tuple(value) if isinstance(value, list) else (value,)
            if command not in KEYED_WORDS:
                close = nearest(command, list(KEYED_WORDS))
                self._add_fault(command, f"there is no command {command}", close)
            elif wrong := self._explain_wrong(keys, result):
                self._add_fault(command, wrong, None)
            else:
                result[command] = keys
        return result

    def _explain_wrong(self, keys: tuple[Any, ...], texts: Mapping[str, tuple[str, ...]]) -> str:
        """Return why one of these keys cannot be bound, "" if all can; `texts` are the keys bound already."""
        for key in keys:
            if not isinstance(key, str) or not _is_key(key):
                names = ", ".join(sorted(KEY_NAMES))
                return f"{key!r} is not a key: a character, ctrl+letter, or one of {names}"
            if key in SWALLOWED_KEYS:
                return f"{key} never arrives: terminals and multiplexers keep it"
            if key.isdigit():
                return "digits are counts"
            if other := next((c for c, taken in texts.items() if key in taken), ""):
                return f"{key} is already given to {other}"
        return ""

    def _add_fault(self, key: str, message: str, close: str | None) -> None:
        line = next(
            (i for i, text in enumerate(self._lines, 1) if re.match(rf"\s*\[?\"?{re.escape(key)}\b", text)), 0
        )
        where = f"{os.path.basename(self.path)}, line {line}" if line else os.path.basename(self.path)
        self.faults.append(f"{where}: {message}" + (f"; did you mean {close}?" if close else ""))


def _is_key(key: str) -> bool:
    return (
        key in KEY_NAMES or (len(key) == 1 and key.isprintable()) or bool(re.fullmatch(r"ctrl\+[a-z]", key))
    )
