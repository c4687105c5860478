"""The composition root: arguments, systems, store, front end. Textual is imported only for a screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import TYPE_CHECKING

from tui import cli
from tui.systems import Registry

if TYPE_CHECKING:
    import argparse


class _Shell:
    """What only the shell can do."""

    def __init__(self, systems: Registry) -> None:
        self.systems = systems

    def screen(self, args: argparse.Namespace) -> int:
        """The app, or lines in plain mode."""
        from tui.ui.launch.start import start

        return start(args, self.systems)

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """The table of commands."""
        from tui.ui.state.commands import key_table

        return key_table()

    def themes(self) -> Iterable[tuple[str, str]]:
        """The themes that load, and those that do not, with the reason."""
        from tui.ui.launch.start import theme_table

        return theme_table()


def main() -> int:
    """Run the program; its exit code."""
    _bear(sys.stdin, sys.stdout, sys.stderr)
    folder = os.environ.get("TOCSIN_SYSTEMS", "")
    systems = Registry([folder] if folder else [])
    return cli.main(sys.argv[1:], systems, _Shell(systems))


def _bear(*streams: object) -> None:
    """No byte on the way in and no letter on the way out is a reason to stop: what is done is done by then."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
