"""What all actions have in common, and the one whose words a system declares."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from tui.core.language.syntax import Syntax


class Request(Struct, frozen=True):
    """An action of the core: its `syntax` says how it is written, slot by slot, in the order of the line."""

    syntax: ClassVar[Syntax]


class OwnVerb(Struct, frozen=True):
    """A verb of the system's own, with its plain words and its keys."""

    verb: str
    words: tuple[str, ...] = ()
    keys: dict[str, str] = {}
