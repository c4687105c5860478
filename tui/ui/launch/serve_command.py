"""Open the screen for `serve` and `view`, or print the addresses of a fight that is served."""

from __future__ import annotations

import argparse
import os
import sys

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name
from tui.core.fight.viewer import viewer_of
from tui.core.rules.system import Systems
from tui.store.addresses import is_served, is_valid, read_kept
from tui.store.problems import quote_for_shells, quote_save
from tui.store.saves import find_save_path, save_name
from tui.store.sources import make_dice
from tui.ui.launch.fights import Launch
from tui.ui.launch.start import run_screen, start_screen
from tui.ui.settings.config import called_with, folder, load
from tui.ui.terminal.environment import explain_unusable, prepare_environment

LOOPBACK = "127.0.0.1"


def serve(args: argparse.Namespace, systems: Systems) -> int:
    """Run the call; return the exit code. Raises BadName, BadFile, RuleError, OSError."""
    path = find_save_path(args.save, args.saves)
    if args.addresses:
        return _print_addresses(path)
    if args.new and is_served(path):
        raise RuleError(
            f"{save_name(path)} is served already", "`:serve new` on its screen ends its addresses"
        )
    if why_not := explain_unusable():
        folder = ("--saves", args.saves) if args.saves else ()
        words = quote_for_shells(["tocsin", "do", args.save, *folder, "-"])
        hint = f"`{words} --serve ADDRESS:PORT` serves without a screen"
        raise RuleError(why_not, hint)
    args.serve = args.listen or (LOOPBACK, None)
    args.viewers = [clean_name(name) for name in args.viewers]
    # What a call without a command would have.
    usual = {"a11y": False, "stock_output": False, "ascii": False, "bell": False}
    for name, value in {**usual, "tutor": None, "sample": None}.items():
        setattr(args, name, value)
    return start_screen(args, systems)


def _print_addresses(path: str) -> int:
    """Print the name and the address of each viewer. Raises RuleError if nobody serves the fight."""
    kept, name = read_kept(path), save_name(path)
    if not is_served(path) or not is_valid(kept, path):
        raise RuleError(f"nobody serves {name}", f"`tocsin serve {quote_save(path)}` does")
    width = max(len(_title(kept.names.get(low, low))) for low in kept.keys)
    for low, key in kept.keys.items():
        sys.stdout.write(f"{_title(kept.names.get(low, low)):<{width}}  {kept.url}{key}\n")
    sys.stdout.flush()
    return 0


def _title(name: str) -> str:
    return name or "everybody"


def run_view(args: argparse.Namespace, systems: Systems) -> int:
    """Show a fight to a viewer until they leave; return the exit code. Raises BadName, RuleError."""
    if why_not := explain_unusable():
        words = quote_for_shells(["show", args.save, *(["--as", args.viewer] if args.viewer else [])])
        raise RuleError(why_not, f"`tocsin {words}` prints it")
    path = find_save_path(args.save, args.saves)
    if not os.path.lexists(path):
        raise RuleError(f"there is no fight {save_name(path)}", "`tocsin` lists those that there are")
    settings = called_with(load(folder()), args, os.environ)
    prepare_environment(os.environ)
    # What a call without a command would have.
    args.tutor, args.stock_output = None, False
    launch = Launch(args, systems, settings, make_dice(None), viewing=True)
    return run_screen(launch, lambda stage: stage.view(path, viewer_of(args.viewer)))
