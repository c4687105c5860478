"""The themes on the screen: shown, changed while it runs, kept in the user's settings."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cached_property

from tui.core.base.errors import RuleError
from tui.store.disk import Disk, put, read_regular
from tui.store.problems import BadFile, plain
from tui.ui.launch.fights import refusals
from tui.ui.screen.display import Display
from tui.ui.settings.config import folder
from tui.ui.settings.themes import Themes
from tui.ui.text.palette import Palette

CAP = 1_000_000
_THEME = r"(?m)^theme[ \t]*=.*$"


class FileThemes:
    """The themes that were found, on this display."""

    def __init__(self, display: Display, themes: Callable[[], Themes], worn: Palette) -> None:
        self._display, self._themes, self._worn = display, themes, worn

    @cached_property
    def _found(self) -> Themes:
        """All there are, read when somebody asks: the first picture needs one."""
        return self._themes()

    def themes(self) -> tuple[tuple[str, str], ...]:
        """Names and titles of those that this terminal can show while it runs."""
        fitting = (p for p in self._found.loaded.values() if p.ansi == self._worn.ansi)
        return tuple((p.name, p.title) for p in fitting)

    def worn(self) -> str:
        """Return the name of the one that is shown."""
        return self._worn.name

    def wear(self, name: str) -> None:
        """Show one."""
        found = self._found.loaded.get(name)
        if found is None:
            raise RuleError(
                f"there is no theme {plain(name, 40)}", f"there are: {', '.join(self._found.loaded)}"
            )
        # Texts that name no colour of their own would keep the ground of the other kind.
        if found.ansi != self._worn.ansi:
            raise RuleError(f"{name} has colours of another kind", f"`tocsin --theme {name}` starts with it")
        if found.name != self._worn.name:
            self._worn = found
            self._display.apply_palette(found)

    def keep(self, name: str) -> str:
        """Show one from now on; return the file where that is written."""
        self.wear(name)
        path = os.path.join(folder(), "config.toml")
        with refusals():
            keep_theme(path, name)
        return plain(path)


def keep_theme(path: str, name: str) -> None:
    """Write the theme into the settings, and leave every other line as it is. Raises BadFile, OSError."""
    # A link is how some keep their settings: what it points to is written.
    real = os.path.realpath(path)
    text = ""
    if os.path.lexists(real):
        data, _ = read_regular(Disk(), real, CAP)
        text = _decoded(path, data)
    line = f'theme = "{name}"'
    # Keys of the top stand before the first table; a line of that name further down is a table's own.
    top, rest = _split(text)
    kept = re.sub(_THEME, line, top, count=1) if re.search(_THEME, top) else f"{line}\n{top}"
    os.makedirs(os.path.dirname(real) or ".", mode=0o700, exist_ok=True)
    put(Disk(), real, [f"{kept}{rest}".encode()])


def _decoded(path: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadFile(path, 0, "the settings are no text") from None


def _split(text: str) -> tuple[str, str]:
    """Return what stands before the first table, and the rest."""
    found = re.search(r"(?m)^[ \t]*\[", text)
    return (text[: found.start()], text[found.start() :]) if found else (text, "")
