"""Open the screen on a fight as one viewer may know it."""

from __future__ import annotations

import argparse
import os

from tui.core.base.errors import RuleError
from tui.core.fight.viewer import viewer_of
from tui.core.rules.system import Systems
from tui.store.saves import find_save_path, save_name
from tui.store.shell_words import quote_for_shells
from tui.store.sources import make_dice
from tui.ui.launch.fights import Launch
from tui.ui.launch.start import run_screen
from tui.ui.settings.config import called_with, folder, load
from tui.ui.terminal.environment import explain_unusable, prepare_environment


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
