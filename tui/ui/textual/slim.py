"""Textual without what this program never uses: TLS, the stock command palette, tables, panels, other people's folders.

asyncio imports TLS where it is there, and nobody here talks to a network; Textual's app module imports its palette,
which brings inputs, lists and trees, and the folder for downloads, which brings archives. Its styles import what only
explains a wrong style sheet. Together they earn 7.6 of 28 MiB (PSS) and 38 of 180 ms of the processor. Held by a test against the
pinned release: should Textual ask for more of one of them, the real modules are used.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from tui.lean import forget, stand_in, standing_in

UNUSED: dict[str, tuple[str, ...]] = {
    "textual.command": (
        "CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "Provider", "SimpleProvider",
    ),
    "asyncio.sslproto": ("SSLProtocol",),
    "difflib": ("get_close_matches",),
    "mimetypes": ("guess_type",),
    "platformdirs": ("user_downloads_path",),
    "rich.panel": ("Panel",),
    "rich.table": ("Table",),
    "urllib.parse": ("quote_from_bytes",),
}  # fmt: skip
"""Modules that are imported for these names, which are never used."""


class _Typing(ModuleType):
    """`typing`, for those who ask for names newer than the oldest Python they run on."""

    def __getattr__(self, name: str) -> object:
        return getattr(typing, name)


def _stand_ins() -> dict[str, ModuleType | None]:
    found: dict[str, ModuleType | None] = {name: stand_in(name, *names) for name, names in UNUSED.items()}
    # "Not installed": asyncio does without TLS, as on a Python built without it.
    return {"ssl": None, "typing_extensions": _Typing("typing_extensions"), **found}


@contextmanager
def slim() -> Iterator[None]:
    """A context in which Textual is imported for the first time."""
    if "textual.app" not in sys.modules:
        before = set(sys.modules)
        try:
            with standing_in(_stand_ins()):
                import textual.app  # noqa: F401
        except (ImportError, AttributeError):
            # Half an import must not stay: the next one would find it and fail elsewhere.
            forget(before, "textual", "rich", "asyncio", "pathlib")
    yield
