"""Stand-ins: what a library imports and this program never uses, while that library is imported for the first time.

Each stands in `sys.modules` for as long as the import runs; whoever asks afterwards gets the real module. A release
that no longer asks for one is none the worse; one that asks for more of it than is here loads as it always does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

WHOLE = "TOCSIN_WHOLE_LIBRARIES"
"""Set in the environment of a call whose libraries are loaded without stand-ins."""


def stand_in(name: str, *names: str) -> ModuleType:
    """A module of which nothing is used; each name in it is a class of its own."""
    module = ModuleType(name)
    vars(module).update({n: type(n, (), {}) for n in names})
    return module


@contextmanager
def standing_in(modules: Mapping[str, ModuleType | None]) -> Iterator[None]:
    """A context in which imports find these, as far as they are not there already; None is "not installed"."""
    loaded: dict[str, Any] = sys.modules
    placed = {name: module for name, module in modules.items() if name not in loaded}
    loaded.update(placed)
    try:
        yield
    finally:
        for name, module in placed.items():
            if loaded.get(name) is module:
                del loaded[name]
            package, _, leaf = name.rpartition(".")
            if package in loaded and getattr(loaded[package], leaf, None) is module:
                delattr(loaded[package], leaf)


def lean_msgspec() -> None:
    """Imports msgspec without what it knows and no save holds: UUIDs, decimals, schemas, names newer than Python 3.11.

    22 ms of the processor from the start of Python, where it is 38 with all of it: `typing_extensions` brings inspect,
    ast and dis, `uuid` platform, the schemas textwrap.
    """
    if "msgspec" in sys.modules or os.environ.get(WHOLE):
        return
    uuid = stand_in("uuid", "UUID", "SafeUUID")
    uuid.SafeUUID.unknown = None
    modules = {
        "typing_extensions": None, "uuid": uuid, "decimal": stand_in("decimal", "Decimal"),
        "msgspec.inspect": stand_in("msgspec.inspect"),
        "msgspec._json_schema": stand_in("msgspec._json_schema", "schema", "schema_components"),
    }  # fmt: skip
    before = set(sys.modules)
    try:
        with standing_in(modules):
            import msgspec
    except (ImportError, AttributeError):
        # Half an import must not stay: the next one would find it and fail elsewhere.
        forget(before, "msgspec")
        try:
            import msgspec  # noqa: F401
        except SystemError:  # Python 3.12 loads no module of C a second time
            anew()


def anew() -> None:
    """The same call in the same process from its beginning, with libraries as they are."""
    os.environ[WHOLE] = "1"
    os.execv(sys.executable, sys.orig_argv)  # noqa: S606  # what has called us


def lean_argparse() -> None:
    """Imports argparse without translations, which this program has not: 2 ms of the processor less."""
    gettext = stand_in("gettext")
    vars(gettext).update(gettext=str, ngettext=lambda one, many, n: one if n == 1 else many)
    with standing_in({"gettext": gettext}):
        import argparse  # noqa: F401


def lean_hashlib() -> None:
    """Imports hashlib and hmac without OpenSSL, where this Python has SHA-256 of its own."""
    if "hmac" in sys.modules:
        return
    before = set(sys.modules)
    with standing_in({"_hashlib": None}):
        import hashlib
        import hmac  # noqa: F401
    if not hasattr(hashlib, "sha256"):
        forget(before, "hashlib", "hmac")


def forget(before: Collection[str], *packages: str) -> None:
    """Drops what was loaded of some packages since `before`, the names of the modules that were loaded then."""
    for name in [m for m in sys.modules if m.split(".")[0] in packages and m not in before]:
        del sys.modules[name]
