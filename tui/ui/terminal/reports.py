"""What the driver tells the app about the terminal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Started:
    """The terminal is ours. `linefeed`: it gets line feeds as we send them, without a carriage return."""

    linefeed: bool


@dataclass(frozen=True, slots=True)
class Stopped:
    """The terminal is given back, for good or until Started."""


@dataclass(frozen=True, slots=True)
class Resized:
    """The terminal has changed its size, or only says so; its contents are in doubt."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The terminal has answered `CSI 5 n`: everything sent before it has arrived."""


@dataclass(frozen=True, slots=True)
class Named:
    """The terminal has told its name and version (XTVERSION)."""

    program: str


@dataclass(frozen=True, slots=True)
class Synchronizes:
    """The terminal knows synchronized output (mode 2026)."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """Text pasted, at most 64 kB of it; `dropped` counts the characters beyond.

    `finished` is False when the end of the paste never came. `burst`: no brackets, but faster than fingers;
    it was not turned into key presses.
    """

    text: str
    dropped: int = 0
    finished: bool = True
    burst: bool = False


@dataclass(frozen=True, slots=True)
class HungUp:
    """Standard input is at its end, or the terminal is gone."""


Report = Started | Stopped | Resized | Answered | Named | Synchronizes | Pasted | HungUp
