"""Find the folders of the user's files on this system."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Literal


def user_folder(
    kind: Literal["config", "data", "state"],
    environ: Mapping[str, str] = os.environ,
    system: str = sys.platform,
) -> str:
    """Return the folder for tocsin's files of a kind: in XDG_*_HOME, else where `system` keeps them."""
    usual = {"config": "~/.config", "data": "~/.local/share", "state": "~/.local/state"}[kind]
    if system == "darwin":
        usual = "~/Library/Application Support"
    folder = environ.get(f"XDG_{kind.upper()}_HOME", "")
    # The specification of these folders: a relative path is invalid and ignored.
    return os.path.join(folder if os.path.isabs(folder) else os.path.expanduser(usual), "tocsin")
