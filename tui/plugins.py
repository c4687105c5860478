"""The package under which users' own systems are imported: `__path__` holds their folder.

An installed distribution can bring systems and formats: an entry point of the group `tocsin.systems` or
`tocsin.formats` names a package, whose folder is read like the user's own.
"""

from __future__ import annotations

from typing import Literal

__path__: list[str] = []


def list_installed_folders(group: Literal["tocsin.systems", "tocsin.formats"]) -> list[str]:
    """Return the folders of the packages that installed distributions name in this group of entry points."""
    # 30 ms, so only where systems are listed, or a file of another tool is read.
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    folders: list[str] = []
    for point in entry_points(group=group):
        try:
            spec = find_spec(point.value)
        except (ImportError, ValueError):
            continue
        folders += (spec and spec.submodule_search_locations) or []
    return folders
