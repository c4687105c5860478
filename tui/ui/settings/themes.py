"""Read themes strictly from their TOML files, and choose one for the colours of the terminal.

A file has `name` (the name of the file), `title`, `dark`, a table `[colors]` with every role and a table
`[styles]` with some. Colours are all "#rrggbb" or all names of the terminal's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name, nearest
from tui.store.disk import Disk, read_regular
from tui.store.problems import BadFile
from tui.store.safetoml import read_toml
from tui.store.saves import data_folder
from tui.ui.settings.config import folder
from tui.ui.text.palette import ANSI_NAMES, ROLES, TEXT_STYLES, Palette, Role

MOST_BYTES = 1_000_000
MOST_FILES = 200
_KEYS = ("name", "title", "dark", "colors", "styles")
_HEX = re.compile(r"#[0-9A-Fa-f]{6}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


class Themes(Struct, frozen=True):
    """Palettes by name, and the files that could not be read, each with line and reason."""

    loaded: Mapping[str, Palette]
    failed: tuple[BadFile, ...]


class _Source(Struct, frozen=True):
    """A theme file's path and text, to report the line of an error."""

    path: str
    text: str

    def refuse(self, table: str, key: str, message: str, hint: str = "") -> NoReturn:
        raise BadFile(self.path, self.line(table, key), message, hint)

    def line(self, table: str, key: str) -> int:
        """Return the line of a key of a table ("" for the top level), else of the table, else 0."""
        inside, header = "", 0
        for number, line in enumerate(self.text.splitlines(), 1):
            if match := re.match(r"\s*\[([^\[\]]*)\]", line):
                inside = match[1].strip()
                header = number if inside in (table, key) else header
            elif inside == table and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""", line):
                return number
        return header


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
    source = _Source(os.fspath(path), data.decode())
    for key in tables:
        _check(source, "", key, _KEYS, "a theme has no")
    name = _read_text(source, tables, "name")
    # The name is used in --theme and config.toml, so it must lead to its file.
    called = os.path.basename(os.fspath(path)).removesuffix(".toml")
    if name != called or not _NAME.fullmatch(name):
        stem = clean_name(called)
        source.refuse(
            "",
            "name",
            f'name is "{name}", the file is called {stem}.toml',
            "both must be the same short word",
        )
    colors = _read_colors(source, _read_table(source, tables, "colors"))
    return Palette(
        name=name,
        title=_read_text(source, tables, "title"),
        dark=_truth(source, tables, "dark"),
        ansi=not colors["background"].startswith("#"),
        colors=colors,
        styles=_styles(source, _read_table(source, tables, "styles")),
    )


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


def _read_colors(source: _Source, table: dict[str, Any]) -> dict[Role, str]:
    """Return the colour of every role. Raises BadFile for a missing, unknown or mixed colour."""
    for key, value in table.items():
        _check(source, "colors", key, ROLES, "there is no role")
        if not isinstance(value, str) or not (_HEX.fullmatch(value) or value in ANSI_NAMES):
            close = nearest(value, ANSI_NAMES) if isinstance(value, str) else None
            hint = f"did you mean {close}?" if close else 'write "#rrggbb" or a name such as "bright-cyan"'
            source.refuse("colors", key, f"{key} = {clean_name(str(value))} is not a colour", hint)
    for role in ROLES:
        if role not in table:
            source.refuse("colors", role, f"no colour for {role}", f'add {role} = "#rrggbb" under [colors]')
        if table[role].startswith("#") != table["background"].startswith("#"):
            source.refuse(
                "colors", role, f"{role} is not of the background's kind", 'all "#rrggbb", or all names'
            )
    return {role: table[role] for role in ROLES}


def _styles(source: _Source, table: dict[str, Any]) -> dict[Role, str]:
    """Return the text styles of the roles that have some. Raises BadFile."""
    for key, value in table.items():
        _check(source, "styles", key, ROLES, "there is no role")
        if not isinstance(value, str) or not value.split():
            source.refuse("styles", key, f"{key} takes words in quotes", f"such as {', '.join(TEXT_STYLES)}")
        for word in value.split():
            _check(source, "styles", word, TEXT_STYLES, "there is no text style", at=key)
    return {role: " ".join(table[role].split()) for role in ROLES if role in table}


def _check(source: _Source, table: str, word: str, words: Sequence[str], title: str, *, at: str = "") -> None:
    """Raise BadFile if a word is not one of `words`, naming the most similar one."""
    if word not in words:
        close = nearest(word, words)
        hint = f"did you mean {close}?" if close else f"there are: {', '.join(words)}"
        source.refuse(table, at or word, f"{title} {clean_name(word)}", hint)


def _read_table(source: _Source, tables: dict[str, Any], key: str) -> dict[str, Any]:
    result = tables.get(key, {})
    if not isinstance(result, dict):
        source.refuse("", key, f"{key} is a table: write [{key}]")
    return result


def _read_text(source: _Source, tables: dict[str, Any], key: str) -> str:
    value = tables.get(key)
    if not isinstance(value, str) or not value.strip():
        source.refuse("", key, f'a theme needs {key} = "…"')
    return clean_name(value)


def _truth(source: _Source, tables: dict[str, Any], key: str) -> bool:
    result = tables.get(key)
    if not isinstance(result, bool):
        source.refuse("", key, f"a theme needs {key} = true or {key} = false")
    return result


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
