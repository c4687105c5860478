"""How a command is declared: its words, its options, an example, and the function that runs it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:  # shell completions read this table and must not load the rules
    from tui.core.rules.system import Systems


class Front(Protocol):
    """The front ends that need a terminal; the composition root provides them."""

    def screen(self, args: argparse.Namespace) -> int:
        """Run the app on a save, or the start screen; return the exit code."""

    def view(self, args: argparse.Namespace) -> int:
        """Show a fight as one viewer may know it; return the exit code."""

    def serve(self, args: argparse.Namespace) -> int:
        """Open the screen on a fight and serve its pages, or print its addresses; return the exit code."""

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """Return (keys, line, help) for every key of the screen."""

    def themes(self) -> Iterable[tuple[str, str]]:
        """Return the name of each theme with its title, or with the reason why it does not load."""


Completion = Literal["saves", "systems", "themes", "formats", "topics", "files", "folders"]
"""What a shell offers for an argument."""


class CliOption(Struct, frozen=True):
    """An argument of a command: name, help, what a shell offers for it, argparse's keyword arguments."""

    name: str
    help: str
    completion: Completion | None = None
    settings: Mapping[str, Any] = {}

    @property
    def label(self) -> str:
        """The option as the manual writes it, such as `--saves DIR`."""
        metavar = str(self.settings.get("metavar", ""))
        optional = self.settings.get("nargs") == "?"
        words = [self.name] if self.name.startswith("-") else []
        return " ".join([*words, *([f"[{metavar}]" if optional else metavar] if metavar else [])])


Run = Callable[[argparse.Namespace, "Systems", Front], int]
"""Runs a command; returns the exit code."""


class CliCommand(Struct, frozen=True):
    """A command of the program: usage after its name, one line of help, an example, options, function."""

    usage: str
    does: str
    example: str
    options: tuple[CliOption, ...]
    run: Run
