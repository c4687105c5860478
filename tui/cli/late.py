"""Commands whose files are loaded only when they are called: every other call starts without them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from tui.core.rules.systems import Systems

LateCommand = tuple[
    Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace, Systems, object], int]
]
"""What adds a command's words to the parser, and what runs it."""


def _add_odds(p: argparse.ArgumentParser) -> None:
    from tui.cli.odds import add_odds

    add_odds(p)


def _odds(args: argparse.Namespace, systems: Systems, _front: object) -> int:
    from tui.cli.odds import run_odds

    return run_odds(args, systems)


def _add_export(p: argparse.ArgumentParser) -> None:
    from tui.cli.export import add_export

    add_export(p)


def _export(args: argparse.Namespace, systems: Systems, _front: object) -> int:
    from tui.cli.export import run_export

    return run_export(args, systems)


LATE: Mapping[str, LateCommand] = {"odds": (_add_odds, _odds), "export": (_add_export, _export)}
