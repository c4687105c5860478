"""Modules of users' own systems and formats, each imported as in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tui.plugins import MODULE_PREFIXES


def forget_own_modules() -> dict[str, object]:
    """Forget the modules that are not the program's, and return them by name."""
    return {name: sys.modules.pop(name) for name in [x for x in sys.modules if x.startswith(MODULE_PREFIXES)]}


@contextmanager
def own_modules_apart() -> Iterator[None]:
    """Import such modules anew inside, and as before afterwards."""
    before = forget_own_modules()
    try:
        yield
    finally:
        forget_own_modules()
        sys.modules.update(before)  # type: ignore[arg-type]
