"""Read the shipped themes, and choose one for the colours of the terminal.

A file has `name` (the name of the file), `title`, `dark`, a table `[colors]` with every role and a table
`[styles]` with some. Colours are all "#rrggbb" or all names of the terminal's own.
"""

from __future__ import annotations

import os
import tomllib

from msgspec import Struct, convert

from tui.store.saves import data_folder
from tui.ui.text.palette import Palette, Role


class _File(Struct, forbid_unknown_fields=True):
    """The tables of a theme file."""

    name: str
    title: str
    dark: bool
    colors: dict[Role, str]
    styles: dict[Role, str] = {}


def list_theme_names() -> list[str]:
    """Return the names of the themes, in order."""
    files = os.listdir(data_folder("themes"))
    return sorted(file.removesuffix(".toml") for file in files if file.endswith(".toml"))


def load_themes() -> dict[str, Palette]:
    """Return the themes by name."""
    return {name: read_theme(name) for name in list_theme_names()}


def read_theme(name: str) -> Palette:
    """Return the theme of this name, which `list_theme_names` has."""
    with open(os.path.join(data_folder("themes"), f"{name}.toml"), "rb") as file:
        theme = convert(tomllib.load(file), _File)
    is_ansi = not theme.colors["background"].startswith("#")
    return Palette(theme.name, theme.title, theme.dark, is_ansi, theme.colors, theme.styles)


MONO, SIXTEEN, USUAL = "mono", "ansi16", "dark"


def choose(asked: str, configured: str, *, is_limited: bool, colourless: bool) -> tuple[Palette, list[str]]:
    """Return the theme to show, and why it is not the one that is wanted.

    `asked` on the command line takes precedence over NO_COLOR (`colourless`), and that over `configured`.
    `is_limited`: only themes in the terminal's own colours are shown, because others would be hard to read.
    """
    usual = MONO if colourless else SIXTEEN if is_limited else USUAL
    wanted = asked or ("" if colourless else configured) or usual
    if wanted not in (names := list_theme_names()):
        return read_theme(usual), [f"there is no theme {wanted}; there are: {', '.join(names)}"]
    palette = read_theme(wanted)
    if is_limited and not palette.ansi:
        why = f"{wanted} needs 256 colours, and this terminal has 16: {SIXTEEN} is shown"
        return read_theme(SIXTEEN), [why]
    return palette, []
