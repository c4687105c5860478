"""Read themes strictly from their TOML files, and choose one for the colours of the terminal.

A file has `name` (the name of the file), `title`, `dark`, a table `[colors]` with every role and a table
`[styles]` with some. Colours are all "#rrggbb" or all names of the terminal's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, ValidationError, convert

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name, nearest
from tui.store.disk import Disk, read_regular
from tui.store.problems import BadFile
from tui.store.safetoml import find_line, read_toml
from tui.store.saves import data_folder
from tui.ui.settings.config import folder
from tui.ui.text.palette import ANSI_NAMES, ROLES, TEXT_STYLES, Palette, Role

MOST_BYTES = 1_000_000
MOST_FILES = 200
_HEX = re.compile(r"#[0-9A-Fa-f]{6}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


class Themes(Struct, frozen=True):
    """Palettes by name, and the files that could not be read, each with line and reason."""

    loaded: Mapping[str, Palette]
    failed: tuple[BadFile, ...]


_FORM = 'a theme has name = "…", title = "…", dark = true or false, and texts in [colors] and [styles]'


class _File(Struct, forbid_unknown_fields=True):
    """The tables of a theme file."""

    name: str
    title: str
    dark: bool
    colors: dict[str, str]
    styles: dict[str, str] = {}


class _Mistake(Exception):  # noqa: N818 - becomes a BadFile with its line
    """A mistake at a place of a theme, such as `colors.acting`: what is wrong, and what would work."""

    def __init__(self, place: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.place, self.message, self.hint = place, message, hint


def shipped_folder() -> str:
    """Return the folder of the shipped themes: inside a wheel, or beside the package of a checkout."""
    return data_folder("themes")


def every_theme() -> Themes:
    """Return the shipped themes and the user's, which take precedence."""
    return load_themes([shipped_folder(), os.path.join(folder(), "themes")])


def load_themes(folders: Sequence[str | os.PathLike[str]]) -> Themes:
    """Return the themes of these folders; a later folder's theme replaces an earlier one of its name.

    A missing folder has no themes.
    """
    loaded: dict[str, Palette] = {}
    failed: list[BadFile] = []
    for each in folders:
        for path in _list_files(os.fspath(each), failed):
            try:
                palette = read_theme(path)
            except BadFile as error:
                failed.append(error)
            else:
                loaded[palette.name] = palette
    return Themes(loaded, tuple(failed))


def read_theme(path: str | os.PathLike[str]) -> Palette:
    """Read the palette of one file. Raises BadFile with the line and a similar name."""
    try:
        # The user's folder may have links into a folder of settings; saves may not.
        data, _ = read_regular(Disk(), os.path.realpath(path), MOST_BYTES)
    except BadFile as error:
        raise BadFile(os.fspath(path), 0, error.message, error.hint) from None
    except OSError as error:
        raise BadFile(os.fspath(path), 0, f"cannot be read: {error.strerror}") from None
    tables = read_toml(data, os.fspath(path))
    try:
        for key in tables:
            _check_known(key, key, _File.__struct_fields__, "key of a theme")
        file = convert(tables, _File)
        # The name is used in --theme and config.toml, so it must lead to its file.
        called = os.path.basename(os.fspath(path)).removesuffix(".toml")
        if file.name != called or not _NAME.fullmatch(file.name):
            wrong = f'name is "{clean_name(file.name)}", the file is called {clean_name(called)}.toml'
            raise _Mistake("name", wrong, "both must be the same short word")  # noqa: TRY301 - one way out
        colors, styles = _check_colors(file.colors), _check_styles(file.styles)
    except ValidationError as error:
        place = str(error).partition(" - at `")[2].rstrip("`")
        wrong = "a value is missing" if "missing" in str(error) else "a value is of the wrong kind"
        raise BadFile(os.fspath(path), find_line(data.decode(), place), wrong, _FORM) from None
    except _Mistake as mistake:
        line = find_line(data.decode(), f"$.{mistake.place}")
        raise BadFile(os.fspath(path), line, mistake.message, mistake.hint) from None
    is_ansi = not colors["background"].startswith("#")
    return Palette(file.name, clean_name(file.title), file.dark, is_ansi, colors, styles)


def _list_files(folder: str, failed: list[BadFile]) -> Iterator[str]:
    """Yield the theme files of a folder by name; a folder that cannot be listed is added to `failed`."""
    try:
        paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".toml"))
    except FileNotFoundError:
        return
    except OSError as error:
        failed.append(BadFile(folder, 0, f"themes cannot be listed: {error.strerror}"))
        return
    if len(paths) > MOST_FILES:
        failed.append(
            BadFile(folder, 0, f"{len(paths)} themes are too many: the first {MOST_FILES} are read")
        )
    yield from paths[:MOST_FILES]


def _check_colors(table: dict[str, str]) -> dict[Role, str]:
    """Return the colour of every role. Raises _Mistake for a missing, unknown or mixed colour."""
    for key, value in table.items():
        _check_known(f"colors.{key}", key, ROLES, "role")
        if not (_HEX.fullmatch(value) or value in ANSI_NAMES):
            close = nearest(value, ANSI_NAMES)
            hint = f"did you mean {close}?" if close else 'write "#rrggbb" or a name such as "bright-cyan"'
            raise _Mistake(f"colors.{key}", f"{key} = {clean_name(value)} is not a colour", hint)
    for role in ROLES:
        if role not in table:
            raise _Mistake("colors", f"no colour for {role}", f'add {role} = "#rrggbb" under [colors]')
        if table[role].startswith("#") != table["background"].startswith("#"):
            wrong = f"{role} is not of the background's kind"
            raise _Mistake(f"colors.{role}", wrong, 'all "#rrggbb", or all names')
    return {role: table[role] for role in ROLES}


def _check_styles(table: dict[str, str]) -> dict[Role, str]:
    """Return the text styles of the roles that have some. Raises _Mistake."""
    for key, value in table.items():
        _check_known(f"styles.{key}", key, ROLES, "role")
        for word in value.split():
            _check_known(f"styles.{key}", word, TEXT_STYLES, "text style")
    return {role: " ".join(table[role].split()) for role in ROLES if role in table}


def _check_known(place: str, word: str, words: Sequence[str], title: str) -> None:
    """Raise _Mistake if a word is not one of `words`, naming the most similar one."""
    if word not in words:
        close = nearest(word, words)
        hint = f"did you mean {close}?" if close else f"there are: {', '.join(words)}"
        raise _Mistake(place, f"there is no {title} {clean_name(word)}", hint)


MONO, SIXTEEN, USUAL = "mono", "ansi16", "dark"


def usual(*, is_limited: bool, colourless: bool) -> str:
    """Return the name of the default theme for a terminal with few or no colours, or with many."""
    return MONO if colourless else SIXTEEN if is_limited else USUAL


def choose(
    themes: Themes, asked: str, configured: str, *, is_limited: bool, colourless: bool
) -> tuple[Palette, list[str]]:
    """Return the theme to show, and the errors. Raises RuleError if there is no theme at all.

    `asked` on the command line takes precedence over NO_COLOR (`colourless`), and that over `configured`.
    `is_limited`: only themes in the terminal's own colours are shown, because others would be hard to read.
    """
    default = usual(is_limited=is_limited, colourless=colourless)
    wanted, faults = asked or ("" if colourless else configured) or default, []
    if wanted not in themes.loaded:
        faults.append(f"there is no theme {wanted}; there are: {', '.join(themes.loaded)}")
        wanted = default
    if is_limited and wanted in themes.loaded and not themes.loaded[wanted].ansi:
        faults.append(f"{wanted} needs 256 colours, and this terminal has 16: {SIXTEEN} is shown")
        wanted = SIXTEEN
    if not themes.loaded:
        raise RuleError("no theme can be read", "; ".join(faults))
    return themes.loaded.get(wanted) or next(iter(themes.loaded.values())), faults
