"""What the driver tells the app about the terminal."""

from __future__ import annotations

from msgspec import Struct


class Started(Struct, frozen=True):
    """The terminal is ours. `linefeed`: it gets line feeds as we send them, without a carriage return."""

    linefeed: bool


class Stopped(Struct, frozen=True):
    """The terminal is given back, for good or until Started."""


class Resized(Struct, frozen=True):
    """The terminal has changed its size, or only says so; its contents are in doubt."""

    width: int
    height: int


class Answered(Struct, frozen=True):
    """The terminal has answered `CSI 5 n`: everything sent before it has arrived."""


class Named(Struct, frozen=True):
    """The terminal has told its name and version (XTVERSION)."""

    program: str


class Synchronizes(Struct, frozen=True):
    """The terminal knows synchronized output (mode 2026)."""


class Pasted(Struct, frozen=True):
    """Text pasted in brackets, at most 64 kB of it; `dropped` counts the characters beyond.

    `finished` is False when the end of the paste never came.
    """

    text: str
    dropped: int = 0
    finished: bool = True


class HungUp(Struct, frozen=True):
    """Standard input is at its end, or the terminal is gone."""


Report = Started | Stopped | Resized | Answered | Named | Synchronizes | Pasted | HungUp
