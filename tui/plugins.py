"""The package under which users' own systems are imported: `__path__` holds their folder.

An installed distribution can bring systems and formats: an entry point of the group `tocsin.systems` or
`tocsin.formats` names a package, whose folder is read like the user's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal

from tui.core.base.text import clean

__path__: list[str] = []

MODULE_PREFIXES = ("tui.plugins.", "tui.exchange.own.")
"""Beginnings of module names that belong to users' own files, not to the program."""

Group = Literal["tocsin.systems", "tocsin.formats"]


def list_installed_folders(group: Group) -> tuple[list[str], list[str]]:
    """Return the folders of installed packages that an entry point of this group names.

    The second list has a line for each entry point that names no package, with the reason.
    """
    # 30 ms, so only where systems are listed, or a file of another tool is read.
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    folders: list[str] = []
    problems: list[str] = []
    for point in entry_points(group=group):
        try:
            spec = find_spec(point.value)
            found = (spec and spec.submodule_search_locations) or []
            why = "" if found else "it must be the name of a package, which is a folder with __init__.py"
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a stranger's file may fail in any way
            found, why = [], describe_failure(error)
        folders += found
        if why:
            problems.append(f"the entry point {point.name} = {point.value} of {group}: {why}")
    return folders, problems


def name_missing_folders(folders: Iterable[str]) -> list[str]:
    """Return a line for each folder that does not exist."""
    return [clean(f"{folder}: no such folder", 300) for folder in folders if not os.path.isdir(folder)]


def describe_failure(error: BaseException, path: str = "") -> str:
    """Return `FILE, line N: KIND: MESSAGE` for an error in a user's file; `path` if it names no file."""
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    why = f"{type(error).__name__}: {what}" if what else type(error).__name__
    place = find_fault(error)
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{error.filename}, line {error.lineno}" if error.lineno else error.filename
    return clean(": ".join(filter(None, (place or path, why))), 400)


def find_fault(error: BaseException) -> str:
    """Return `FILE, line N` of the innermost frame in a user's own file; "" if there is none."""
    found, at = "", error.__traceback__
    while at is not None:
        if str(at.tb_frame.f_globals.get("__name__", "")).startswith(MODULE_PREFIXES):
            found = f"{at.tb_frame.f_code.co_filename}, line {at.tb_lineno}"
        at = at.tb_next
    return found
