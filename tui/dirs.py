"""Where a user's own files belong: as the XDG Base Directory Specification says on Linux, else as platformdirs does.

Importing platformdirs takes an eighth of the way to the first picture, for names that the specification gives in a line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

TYPE_CHECKING = False  # imported by who fails, too

if TYPE_CHECKING:
    from typing import Literal

_XDG = {
    "config": ("XDG_CONFIG_HOME", (".config",)),
    "data": ("XDG_DATA_HOME", (".local", "share")),
    "state": ("XDG_STATE_HOME", (".local", "state")),
}


def user_folder(kind: Literal["config", "data"], environ: Mapping[str, str] = os.environ) -> str:
    """The user's folder for settings, or for saves and the like. It need not be there."""
    if sys.platform == "linux" and (found := _given(kind, environ)):
        return found
    import platformdirs

    return (
        platformdirs.user_config_dir("tocsin") if kind == "config" else platformdirs.user_data_dir("tocsin")
    )


def state_folder(environ: Mapping[str, str] = os.environ) -> str:
    """The user's folder for what matters less: reports of failures, half-written orders."""
    return _given("state", environ) or os.path.join(os.path.expanduser("~"), *_XDG["state"][1], "tocsin")


def _given(kind: str, environ: Mapping[str, str]) -> str:
    """The folder where the environment says it plainly, else ""."""
    variable, usual = _XDG[kind]
    # A path that is not absolute counts as not set.
    if (path := environ.get(variable, "")).startswith("/"):
        return os.path.join(path, "tocsin")
    home = environ.get("HOME", "")
    return os.path.join(home.rstrip("/") or "/", *usual, "tocsin") if home.startswith("/") else ""
