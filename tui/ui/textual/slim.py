"""Textual without what this program never uses: TLS, and the stock command palette with its widgets.

asyncio imports TLS where it is there, and nobody here talks to a network; Textual's app module imports its palette,
which brings inputs, lists and trees. What that earns, medians of 5 starts: TLS 4.2 of 37.8 MiB and 7 of 272 ms, the
palette 1.1 MiB and 12 ms, both together 5.4 MiB and 20 ms. Held by a test against the pinned release: should Textual
ask for more of the palette, the real module is used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

UNUSED = frozenset({
    "CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "Provider", "SimpleProvider",
})  # fmt: skip
_TLS, _PALETTE = "ssl", "textual.command"


class _Unused:
    """Stands for a name that is imported and never used."""


@contextmanager
def slim() -> Iterator[None]:
    """A context in which Textual is imported for the first time."""
    modules: dict[str, Any] = sys.modules
    if "textual.app" in modules:
        yield
        return
    tls = _TLS not in modules
    if tls:
        modules[_TLS] = None  # asyncio: "no ssl here", as on a Python built without it
    palette = ModuleType(_PALETTE)
    vars(palette).update(dict.fromkeys(UNUSED, _Unused))
    modules[_PALETTE] = palette
    try:
        import textual.app  # noqa: F401
    except ImportError:
        # Half an import must not stay: the next one would find it and fail elsewhere.
        for name in [m for m in modules if m.split(".")[0] == "textual"]:
            del modules[name]
    finally:
        if tls and modules.get(_TLS) is None:
            modules.pop(_TLS, None)
        if modules.get(_PALETTE) is palette:
            del modules[_PALETTE]
    yield
