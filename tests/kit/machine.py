"""Which programs this machine lacks for some tests."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

TOP = Path(__file__).parents[2]
BROWSER = ("chromium", "chromedriver")


def program(name: str) -> str:
    """Return the absolute path of a program; "" if it is not installed."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/sbin") or ""


@cache
def lacking() -> dict[str, str]:
    """Return why this machine cannot run some tests, by the marker of these tests."""
    found = dict[str, str]()
    if not program("tmux"):
        found["tmux"] = "no tmux is installed"
    if missing := [name for name in BROWSER if not program(name)]:
        found["browser"] = f"no {', no '.join(missing)} is installed"
    return found
